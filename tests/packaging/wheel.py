#!/usr/bin/env python3
"""wheel.py SOURCE WORK: what a user of pip meets, without a network. A source distribution is made and installed into a fresh venv,
which builds a wheel of it in a build environment of its own; module and commands are used from there. Its wheel is what the project's tree
gives too, as far as that can be told without a second build."""

import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

SOURCE, WORK = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
PROJECT = SOURCE / "planner_ccd/python"
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_CACHE_DIR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
CHECK = f"""
import numpy as np, pickle, planner_ccd
assert {str(WORK)!r} in planner_ccd.__file__, planner_ccd.__file__
robot = planner_ccd.Robot({str(SOURCE)!r} + "/urdf/puma.urdf", {str(SOURCE)!r} + "/urdf/puma.srdf")
scene = planner_ccd.Scene.load({str(SOURCE)!r} + "/models/scenes/puma_car.yaml", robot)
checker = planner_ccd.PathChecker(robot, scene)
path = robot.load_path({str(SOURCE)!r} + "/models/paths/puma_fender.csv")
assert list(checker.check_edges(path[:-1], path[1:]).verdict) == [0, 0, 0, 1, 1]
assert pickle.loads(pickle.dumps(checker)) == checker
assert checker.certify(path[:4], "way.pccd").proved
if {pathlib.Path("/usr/include/assimp/scene.h").exists()}:
    open("sheet.x3d", "w").write("<X3D><Scene><Shape><IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate point='0 0 0 1 0 0 0 1 0'/>"
                                 "</IndexedFaceSet></Shape></Scene></X3D>")
    scene.add_mesh_file("sheet", "sheet.x3d")  # by the program beside the module
"""


def run(*command, expected=0, **more):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")} | OFFLINE
    done = subprocess.run([str(word) for word in command], cwd=WORK, env=environment, text=True, capture_output=True, **more)
    if done.returncode != expected:
        sys.exit(f"{' '.join(map(str, command))}\nexits with {done.returncode}:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
sys.path.insert(0, str(PROJECT / "backend"))
import cmake_backend  # noqa: E402

# The source distribution: the same bytes twice, with everything that the build lists.
sdist = WORK / cmake_backend.build_sdist(WORK)
first = sdist.read_bytes()
cmake_backend.build_sdist(WORK)
assert sorted(tarfile.open(sdist).getnames()) and len(first) == len(sdist.read_bytes())

# Its wheel, built by pip in an environment without our packages, and installed where there is only NumPy.
venv = WORK / "venv"
run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", venv)
run(sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", WORK, sdist)
(wheel,) = WORK.glob("*.whl")
run(sys.executable, "-m", "pip", "--python", venv / "bin/python", "install", "--no-deps", wheel)
run(venv / "bin/python", "-c", CHECK)
for command in ("planner_ccd", "planner_ccd_verify"):
    assert (venv / "bin" / command).exists(), command
run(venv / "bin/planner_ccd", "check", "--robot", SOURCE / "urdf/puma.urdf", "--srdf", SOURCE / "urdf/puma.srdf", "--scene",
    SOURCE / "models/scenes/puma_car.yaml", "--path", SOURCE / "models/paths/puma_fender.csv", expected=1)
run(venv / "bin/planner_ccd_verify", "way.pccd")

# Its contents and metadata.
with zipfile.ZipFile(wheel) as archive:
    names = archive.namelist()
    record = archive.read("planner_ccd-0.1.0.dist-info/RECORD").decode()
    metadata = archive.read("planner_ccd-0.1.0.dist-info/METADATA").decode()
assert sorted(line.split(",")[0] for line in record.splitlines()) == sorted(names)
assert "Name: planner_ccd\n" in metadata and "Requires-Dist: numpy\n" in metadata
for file in (PROJECT / "planner_ccd").rglob("*.py*"):
    if "__pycache__" not in file.parts:
        assert str(file.relative_to(PROJECT)) in names, file
print(run(venv / "bin/python", "-c", "import planner_ccd; print(planner_ccd.__version__)"), *names, sep="\n")
