"""Pickles, copies, comparisons: by content, the same in every process."""

import concurrent.futures
import copy
import hashlib
import multiprocessing
import pathlib
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import planner_ccd

from test_checks import pose


def again(thing):
    return pickle.loads(pickle.dumps(thing))


def furnished(scene):
    """A scene with one of everything."""
    scene = copy.copy(scene)
    scene.add_box("table", [4, 4, 0.1], pose(0, 0, -0.6))
    scene.add_sphere("ball", 0.1, pose(0, 0, 3))
    scene.add_cylinder("pipe", 0.1, 1.0, pose(2, 0, 0))
    scene.add_capsule("bar", 0.1, 1.0, pose(2, 1, 0))
    scene.add_convex("wedge", [[3, 3, 0], [4, 3, 0], [3, 4, 0], [3, 3, 1]])
    scene.add_mesh("sheet", [[2, 2, 0], [3, 2, 0], [2, 3, 0]], [[0, 1, 2]])
    scene.attach("ball", "gripper", pose(0, 0, 0.3), ["flange"])
    scene.allow("base_link", "table")
    scene.set_margin("table", "*", 0.01)
    scene.set_padding("gripper", 0.002)
    scene.set_pose_error("pipe", 0.003, 0.01)
    return scene


def test_robots_are_equal_by_content(robot, root):
    other = planner_ccd.Robot(root / "urdf/puma.urdf", root / "urdf/puma.srdf")
    assert other == robot and other.digest == robot.digest and len(robot.digest) == 64
    assert again(robot) == robot and copy.copy(robot) == robot and copy.deepcopy(robot) == robot
    changed = copy.copy(robot)
    changed.exclude("forearm", "gripper")
    assert changed != robot and again(changed) == changed and again(changed).excluded == changed.excluded
    assert planner_ccd.Robot(root / "urdf/puma.urdf") != robot, "the rules are content too"
    assert robot != "puma" and robot != planner_ccd.Scene()
    with pytest.raises(TypeError):
        hash(robot)  # it is mutable
    same = again(robot)
    assert same.excluded == robot.excluded and same.warnings == robot.warnings and repr(same) == repr(robot)
    assert np.array_equal(same.lower, robot.lower) and np.array_equal(same.neutral(), robot.neutral())


def test_scenes_are_equal_by_content(scene):
    full = furnished(scene)
    same = again(full)
    assert same == full == furnished(scene) and same.names == full.names and repr(same) == repr(full)
    assert len(scene) < len(full) and scene != full, "a copy is a copy"
    for change in (
        lambda s: s.move("bar", pose(2, 1, 1e-15)),
        lambda s: s.remove("pipe"),
        lambda s: s.detach("ball", pose(0, 0, 3)),
        lambda s: s.allow("gripper", "bar"),
        lambda s: s.set_margin("table", "*", 0.02),
        lambda s: s.set_padding("gripper", 0.003),
        lambda s: s.set_pose_error("bar", 0.001),
        lambda s: s.set_pose_error("ball", angle=0.01),
        lambda s: s.add_sphere("another", 0.1),
    ):
        changed = copy.copy(full)
        change(changed)
        assert changed != full and changed.digest != full.digest and again(changed) == changed
        assert full == same, "what was copied stays as it was"


def test_a_mesh_counts_once_however_often_it_is_there():
    random = np.random.default_rng(2)
    vertices, triangles = random.uniform(size=(3000, 3)), random.integers(3000, size=(3000, 3))
    sizes = []
    for count in (1, 3):
        scene = planner_ccd.Scene()
        for i in range(count):
            scene.add_mesh(f"mesh{i}", vertices, triangles, pose(i, 0, 0))
        sizes.append(len(pickle.dumps(scene)))
    assert sizes[0] > 100_000 and sizes[1] < sizes[0] + 1000
    vertices[2999, 2] = np.nextafter(vertices[2999, 2], 2)
    scene.add_mesh("mesh3", vertices, triangles)
    assert len(pickle.dumps(scene)) > 2 * sizes[0] and again(scene) == scene


def same_answers(a, b, path):
    starts, ends = path[:-1], path[1:]
    assert a.check_edges(starts, ends, first_contact=True) == b.check_edges(starts, ends, first_contact=True)
    assert a.check_path(path) == b.check_path(path)
    assert a.clearance(path[0]) == b.clearance(path[0])
    assert a.assumptions == b.assumptions and a.proved_apart == b.proved_apart
    assert a.open_surfaces == b.open_surfaces
    assert a.robot == b.robot and a.scene == b.scene and (a.margin, a.self_margin) == (b.margin, b.self_margin)


def test_a_checker_that_was_pickled_answers_and_assumes_the_same(robot, scene, fender, tmp_path):
    (tmp_path / "box.dae").write_text(DAE)
    full = furnished(scene)
    full.add_mesh_file("box", tmp_path / "box.dae", pose=pose(5, 5, 5))
    checker = planner_ccd.PathChecker(
        robot, full, margin=0.004, self_margin=0.001, cell_evaluations=300, broad_phase="sweep_and_prune"
    )
    assert any(a.kind == "mesh_axes" for a in checker.assumptions) and checker.scene.warnings
    same = again(checker)
    assert same == checker and hash(same) == hash(checker) and same.digest == checker.digest
    same_answers(same, checker, fender)
    assert same.scene.warnings == checker.scene.warnings
    same_answers(copy.copy(checker), checker, fender)
    assert planner_ccd.PathChecker(robot, full, margin=0.004) != checker


def test_proofs_travel_with_a_prepared_robot(robot, scene, fender):
    prepared = planner_ccd.PreparedRobot(robot, margin=0.01, self_margin=0.001, cell_evaluations=2000)
    same = again(prepared)
    assert same == prepared and repr(same) == repr(prepared) and (same.margin, same.self_margin) == (0.01, 0.001)
    assert planner_ccd.PreparedRobot(robot, margin=0.01, self_margin=0.001, cell_evaluations=100) != prepared
    checker = planner_ccd.PathChecker(prepared, scene, cell_evaluations=0)
    assert checker.proved_apart
    same_answers(again(checker), checker, fender)


def test_digests_and_hashes_are_the_same_in_another_process(robot, scene, checker, root):
    code = f"""
import planner_ccd
robot = planner_ccd.Robot({str(root / "urdf/puma.urdf")!r}, {str(root / "urdf/puma.srdf")!r})
scene = planner_ccd.Scene.load({str(root / "models/scenes/puma_car.yaml")!r}, robot)
checker = planner_ccd.PathChecker(robot, scene)
print(robot.digest, scene.digest, checker.digest, hash(checker), checker.__dask_tokenize__())
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert told == [robot.digest, scene.digest, checker.digest, str(hash(checker)), checker.digest]


def ask(work):
    checker, q0, q1 = work
    return checker.first_contact(q0, q1)


def test_results_come_back_from_other_processes(checker, fender):
    spawn = multiprocessing.get_context("spawn")  # nothing is inherited
    work = [(checker, q0, q1) for q0, q1 in zip(fender[:-1], fender[1:])]
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=spawn) as pool:
        assert list(pool.map(ask, work)) == [ask(w) for w in work]


def test_results_are_values(checker, fender, root, tmp_path):
    window = root / "models/paths/puma_window.csv"
    path = checker.check_path(fender)
    for thing in (
        path,
        path.edge,
        path.edge.contact,
        checker.clearance(fender[0]),
        checker.check_edges(fender[:-1], fender[1:]),
        checker.assumptions[0],
        checker.certify(checker.robot.load_path(window), tmp_path / "window.pccd"),
        planner_ccd.verify(tmp_path / "window.pccd"),
        planner_ccd.Verdict.CONTACT,
    ):
        same = again(thing)
        assert same == thing and hash(same) == hash(thing) and repr(same) == repr(thing), type(thing)
        assert copy.copy(thing) == thing and copy.deepcopy(thing) == thing
    assert checker.check_path(fender[:2]) != path


def test_pickles_of_other_versions_and_types_are_refused(scene, checker):
    def refused(kind, state, why):
        with pytest.raises(planner_ccd.InputError, match=why):
            kind.__new__(kind).__setstate__(state)

    restore, (kind, state) = scene.__reduce__()
    assert restore(kind, state) == scene and kind is planner_ccd.Scene
    for bad in (state[:-1], state + b"x", state[:5], b"\xff" * len(state), b"", None, 7):
        refused(kind, bad, "pickle: is damaged")
    refused(planner_ccd.Robot, state, "pickle: is damaged")  # whole, but of another type
    refused(kind, ("0.1.0", b"as it was without a checksum"), "another version")
    head, content = state[:-32].split(b"\n", 1)
    assert head.endswith(b": Scene") and planner_ccd.__version__.encode() in head
    for number in ("pickle ", "verdicts "):
        at = head.index(number.encode()) + len(number)
        other = head[:at] + b"99" + head[at:] + b"\n" + content
        refused(kind, other + hashlib.sha256(other).digest(), "another version")


MUTATE = """
import pickle, random, resource, sys
import planner_ccd
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))  # a damaged length may ask for anything
things, tries, refused, foreign, same = pickle.load(sys.stdin.buffer), 0, 0, 0, 0
draw = random.Random(20)

def damaged(data):
    if len(data) < 1000:
        for i in range(len(data)):
            for bit in range(8):
                yield data[:i] + bytes([data[i] ^ 1 << bit]) + data[i + 1:]
    for _ in range(100 if len(data) < 20000 else 20):
        i, k = sorted(draw.sample(range(len(data) + 1), 2))
        yield data[:i] + data[k:]
        yield data[:i] + bytes([draw.randrange(256)]) + data[i:]
        yield data[:i] + data[i:k][::-1] + data[k:]
        yield data[:i] + bytes([draw.randrange(256)]) + data[i + 1:]
        yield data[:k] + data[i:]

for thing in things:
    data = pickle.dumps(thing)
    for bad in damaged(data):
        if bad == data:
            continue
        tries += 1
        try:
            made = pickle.loads(bad)
        except BaseException:
            refused += 1
            continue
        if not type(made).__module__.startswith("planner_ccd"):
            foreign += 1  # the pickle's own opcodes were hit: what comes out is not ours, and says so at its first use
            continue
        same += 1
        assert type(made) is type(thing) and made == thing, (type(thing), bad)
print(tries, refused, foreign, same)
assert tries > 20000 and refused > 0.95 * tries and foreign < 0.03 * tries, (tries, refused, foreign, same)
"""


def test_no_damaged_pickle_is_another_object(robot, checker, fender, root):
    """1,194 of 4,467 damaged pickles were read, as something else: a contact as free, a wall as a thinner one."""
    small = planner_ccd.Scene()
    small.add_box("wall", [0.1, 1, 1], pose(1, 0, 0))
    slider = planner_ccd.Robot.from_string(SLIDER)
    path = checker.check_path(fender)
    things = [
        small, slider, planner_ccd.PathChecker(slider, small), planner_ccd.PreparedRobot(slider), checker, path, path.edge, path.edge.contact,
        checker.clearance(fender[0]), checker.check_edges(fender[:-1], fender[1:]), checker.assumptions[0],
        planner_ccd.Timeline([{"waypoint": 1, "attach": "cup", "to": "gripper"}]),
        planner_ccd.Trajectory(slider, [[0], [1]], times=[0, 1]), *planner_ccd.Verdict,
    ]
    done = subprocess.run([sys.executable, "-c", MUTATE], input=pickle.dumps(things), capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


SLIDER = """<robot name="slider"><link name="rail"/>
  <link name="sled"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <joint name="x" type="prismatic"><parent link="rail"/><child link="sled"/><axis xyz="1 0 0"/>
  <limit lower="0" upper="2" velocity="1" effort="1"/></joint></robot>"""

DAE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><up_axis>Y_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>
      <accessor source="#a" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
      <param name="Z" type="float"/></accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>
  </library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
"""


@pytest.mark.skipif(not (pathlib.Path(planner_ccd.__file__).parent / "planner_ccd_read_mesh").exists(), reason="built without Assimp")
def test_meshes_of_other_kinds_are_read_by_a_program_of_their_own(tmp_path):
    (tmp_path / "sheet.x3d").write_text("<X3D><Scene><Shape><IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate point='0 0 0 1 0 0 0 1 0'/>"
                                        "</IndexedFaceSet></Shape></Scene></X3D>")
    (tmp_path / "broken.fbx").write_bytes(b"Kaydara FBX Binary  ")
    scene = planner_ccd.Scene()
    loads = [threading.Thread(target=scene_of_sheet, args=(tmp_path,)) for _ in range(4)]
    for load in loads:
        load.start()
    scene.add_mesh_file("sheet", tmp_path / "sheet.x3d")
    for load in loads:
        load.join()
    assert any("Assimp" in warning and "single precision" in warning for warning in scene.warnings)
    with pytest.raises(planner_ccd.InputError, match="Assimp cannot read it"):
        scene.add_mesh_file("broken", tmp_path / "broken.fbx")


def scene_of_sheet(folder):
    planner_ccd.Scene().add_mesh_file("sheet", folder / "sheet.x3d")
