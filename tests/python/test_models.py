"""What models and scenes are made of: inspection, scene files there and back, logs."""

import json
import pathlib
import subprocess

import numpy as np
import pytest

import planner_ccd
from planner_ccd import InputError, Log, Robot, Scene

from test_checks import pose
from test_content import furnished

COMMAND = pathlib.Path(planner_ccd.__file__).parents[2] / "bin/planner_ccd"
TWO_JOINTS = """<robot name="two"><link name="w"/><link name="la"/><link name="lb"/>
  <joint name="a" type="revolute"><parent link="w"/><child link="la"/><limit lower="-9" upper="9" velocity="1" effort="1"/></joint>
  <joint name="b" type="continuous"><parent link="la"/><child link="lb"/></joint></robot>"""


def test_a_robot_is_inspected_as_the_command_does(robot, root):
    if not COMMAND.exists():
        pytest.skip("the command is not built beside the module")
    told = subprocess.run([COMMAND, "inspect", root / "urdf/puma.urdf", "--srdf", root / "urdf/puma.srdf", "--json"],
                          capture_output=True, text=True, check=True)
    expected = json.loads(told.stdout)
    del expected["file"], expected["robots"]
    assert robot.inspect() == expected
    assert robot.excluded == [(e["a"], e["b"], e["reason"]) for e in expected["excluded"] if e["reason"] != "proved apart"]


def test_inspection_follows_the_robot(robot):
    fewer = robot.__copy__()
    fewer.exclude("forearm", "gripper")
    before, after = robot.inspect(cell_evaluations=0), fewer.inspect(cell_evaluations=0)
    assert ["forearm", "gripper"] in before["pairs"] and ["forearm", "gripper"] not in after["pairs"]
    assert {"a": "forearm", "b": "gripper", "reason": "user", "detail": "excluded in Python"} in after["excluded"]
    assert before["dof"] == robot.dof and [link["name"] for link in before["links"]] == robot.links
    limits = {j["name"]: (j["lower"], j["upper"]) for j in before["joints"] if j["type"] == "revolute"}
    assert [limits[name] for name in robot.joints] == list(zip(robot.lower, robot.upper))
    assert len(robot.inspect()["pairs"]) < len(before["pairs"]), "pairs proved apart are not checked"
    two = Robot.combine({"l_": robot, "r_": robot}, {"r_": pose(3, 0, 0)}).inspect(cell_evaluations=0)
    assert two["dof"] == 12 and ["l_gripper", "r_gripper"] in two["pairs"]


def test_a_scene_that_was_saved_is_the_same(scene, robot, fender, tmp_path):
    full = furnished(scene)
    full.add_cloud("scan", np.float32([[3, 0, 1], [3, 0.1, 1], [np.nan, 0, 0], [3, 0.2, 1]]), radius=0.01)
    full.move("bar", pose(2, 1, 0) @ np.array([[0.6, -0.8, 0, 0], [0.8, 0.6, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]))
    full.save(tmp_path / "cell.yaml")
    same = Scene.load(tmp_path / "cell.yaml", robot)
    assert same.names == full.names
    for name in full.names:
        assert np.array_equal(same.pose(name), full.pose(name)), name
    for margin in (0.0, 0.01):
        ours, theirs = (planner_ccd.PathChecker(robot, s, margin=margin) for s in (full, same))
        a, b = (c.check_edges(fender[:-1], fender[1:], first_contact=True) for c in (ours, theirs))
        assert a == b and not a.free.all()
        assert (ours.clearance(fender) == theirs.clearance(fender)).all()
        assert ours.open_surfaces == theirs.open_surfaces
    same.save(tmp_path / "again.yaml")
    again, once = ((tmp_path / f).read_text().replace("again_files", "cell_files") for f in ("again.yaml", "cell.yaml"))
    assert again == once
    assert sorted(p.name for p in (tmp_path / "again_files").iterdir()) == sorted(p.name for p in (tmp_path / "cell_files").iterdir())
    for p in (tmp_path / "again_files").iterdir():
        assert p.read_bytes() == (tmp_path / "cell_files" / p.name).read_bytes()


def test_a_map_survives_with_its_unknown_cells(tmp_path):
    cells = b"# Octomap OcTree binary file\nid OcTree\nsize 0\nres 0.25\ndata\n"
    (tmp_path / "nothing.bt").write_bytes(cells)
    room = Scene()
    room.add_octomap("room", tmp_path / "nothing.bt", region=[[0, 0, 0], [1, 1, 0.5]])
    room.save(tmp_path / "room.yaml")
    same = Scene.load(tmp_path / "room.yaml")
    ball = Robot.from_string('<robot name="ball"><link name="w"/><link name="b"><collision><geometry><sphere radius="0.1"/></geometry>'
                             '</collision></link><joint name="x" type="prismatic"><parent link="w"/><child link="b"/>'
                             '<limit lower="-9" upper="9" velocity="1" effort="1"/></joint></robot>')
    hits = [planner_ccd.PathChecker(ball, s).first_contact([-2], [0]) for s in (room, same)]
    assert hits[0] == hits[1] and not hits[0].free


def test_what_cannot_be_saved_is_refused(scene, tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        scene.save(tmp_path / "no folder" / "cell.yaml")
    with pytest.raises(InputError, match="no object 'tree'"):
        scene.pose("tree")
    with pytest.raises(TypeError):
        scene.save(None)


def test_attached_objects_tell_their_place_at_the_link(scene):
    full = furnished(scene)
    assert np.array_equal(full.pose("ball"), pose(0, 0, 0.3)) and np.array_equal(full.pose("pipe"), pose(2, 0, 0))


def test_logs_are_read_and_checked(root):
    log = Log(root / "tests/io/logs/states_none.mcap")
    assert log.format == "MCAP" and log.begin_ns < log.end_ns and not log.warnings
    assert set(log.topics["name"][log.topics["can_be_checked"]]) == {"/joint_states"} or "/joint_states" in log.topics["name"]
    robot = Robot.from_string(TWO_JOINTS)
    motion = log.motion(robot, topic="/joint_states")
    assert motion.sampled and motion.messages == 60 and motion.topic == "/joint_states" and motion.type == "sensor_msgs/JointState"
    assert len(motion) == 1 and motion.segments == len(motion[0]) == 59 and not motion.gaps
    assert motion[-1].begin == 0 and np.isclose(motion[0].duration, 0.59) and motion.begin_ns > 1.7e18
    with pytest.raises(IndexError):
        motion[1]
    part = log.motion(robot, topic="/joint_states", begin=0.1, end=0.3)
    assert 0.09 < part[0].begin and part[0].end < 0.31 and part.segments == 20
    assert np.array_equal(part[0].at(0.2), motion[0].at(0.2))
    narrow = log.motion(robot, topic="/joint_states", max_gap=0.005)
    assert narrow.gaps and all(gap.kind == "undecided" for gap in narrow.gaps)
    report = planner_ccd.PathChecker(robot).check_trajectory(motion[0], planner_ccd.TrajectoryOptions(check_limits=False))
    assert report.free and any("x" in text for text in motion.warnings), "a joint that the robot does not have"
    with pytest.raises(InputError, match="/nothing"):
        log.motion(robot, topic="/nothing")
    with pytest.raises(InputError):
        Log(root / "README.md")


def test_planned_motions_of_a_log_are_parts(root):
    robot = Robot.from_string(TWO_JOINTS)
    log = Log(root / "tests/io/logs/plans_ros2.mcap")
    topic = next(str(t["name"]) for t in log.topics if t["can_be_checked"] and t["type"] == "trajectory_msgs/JointTrajectory")
    motion = log.motion(robot, topic=topic)
    assert not motion.sampled and len(motion) >= 1 and all(len(part) >= 1 for part in motion)
    assert sum(len(part) for part in motion) == motion.segments


def test_scene_files_follow_their_schema(root, scene, tmp_path):
    jsonschema, yaml = pytest.importorskip("jsonschema"), pytest.importorskip("yaml")
    schema = json.loads((root / "planner_ccd/io/scene.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    readme = (root / "planner_ccd/io/README.md").read_text().split("## Scene files")[1].split("```yaml\n")[1].split("```")[0]
    furnished(scene).save(tmp_path / "cell.yaml")
    good = [readme, (tmp_path / "cell.yaml").read_text(), *(p.read_text() for p in (root / "models/scenes").glob("*.yaml"))]
    assert len(good) > 4
    for text in good:
        validator.validate(yaml.safe_load(text))
    # What the schema refuses the reader refuses as well.
    ball = "{name: b, sphere: {radius: 1}"
    for wrong in (f"objects: [{ball}, box: {{size: [1, 1, 1]}}}}]", "objects: [{name: b}]", f"objects: [{ball}, colour: red}}]",
                  "objects: [{name: b, sphere: {radius: -1}}]", "objects: [{name: b, box: {size: [1, 1]}}]", "objects: [{name: '*', sphere: {radius: 1}}]",
                  f"objects: [{ball}, pose: {{rpy: [0, 0, 0], quaternion: [0, 0, 0, 1]}}}}]", f"attached: [{ball}}}]", "allow: [[a]]",
                  "margins: [[a, b, -1]]", "padding: {a: -1}", "boxes: []", f"objects: [{ball}, shapes: [{{sphere: {{radius: 1}}}}]}}]"):
        assert not validator.is_valid(yaml.safe_load(wrong)), wrong
        with pytest.raises(InputError):
            Scene.from_string(wrong)
