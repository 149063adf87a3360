"""wheel_works.py SOURCE [FOLDER]: what an installed module answers, and that it lies below FOLDER. Writes way.pccd where it is run."""

import pathlib
import pickle
import sys

import planner_ccd

source = pathlib.Path(sys.argv[1])
assert (sys.argv[2:] or [""])[0] in planner_ccd.__file__, planner_ccd.__file__
robot = planner_ccd.Robot(str(source / "urdf/puma.urdf"), str(source / "urdf/puma.srdf"))
scene = planner_ccd.Scene.load(str(source / "models/scenes/puma_car.yaml"), robot)
checker = planner_ccd.PathChecker(robot, scene)
path = robot.load_path(str(source / "models/paths/puma_fender.csv"))
assert list(checker.check_edges(path[:-1], path[1:]).verdict) == [0, 0, 0, 1, 1]
assert pickle.loads(pickle.dumps(checker)) == checker
assert checker.certify(path[:4], "way.pccd").proved
if pathlib.Path("/usr/include/assimp/scene.h").exists():
    pathlib.Path("sheet.x3d").write_text("<X3D><Scene><Shape><IndexedFaceSet coordIndex='0 1 2 -1'>"
                                         "<Coordinate point='0 0 0 1 0 0 0 1 0'/></IndexedFaceSet></Shape></Scene></X3D>")
    scene.add_mesh_file("sheet", "sheet.x3d")  # by the program beside the module
