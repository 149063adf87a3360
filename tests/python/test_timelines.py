"""Timelines: the same as from the command, and what is refused."""

import json
import pickle
import subprocess

import numpy as np
import pytest

import planner_ccd
from planner_ccd import InputError, PathChecker, Scene, Timeline, Trajectory, TrajectoryOptions, Verdict

PATH = np.array([[0, 0, 0, 0, 0, 0], [0.5, -0.5, 0.3, 0, 0.2, 0], [1.2, -0.4, 0.2, 0.1, 0, 0.3], [0.2, 0.1, 0, 0, 0, 0]])
TIMES = [0, 3, 6, 8]
EVENTS = [{"waypoint": 1, "attach": "cup", "to": "gripper"}, {"time": 5, "detach": "cup"}]
BELT = {"name": "belt", "carries": ["crate"],
        "poses": [{"time": 0, "pose": {"xyz": [0, 0, 0]}}, {"time": 8, "pose": {"xyz": np.array([0, 2, 0])}}]}
SCENE = """
objects:
  - {name: cup, cylinder: {radius: 0.03, length: 0.1}, pose: {xyz: [0.5, 0.6, 0.3]}}
  - {name: crate, box: {size: [0.2, 0.2, 0.2]}, pose: {xyz: [1.2, -1.0, 0.1]}}
"""


def check(robot, timeline, scene=SCENE, options=None):
    checker = PathChecker(timeline.robot(robot), Scene.from_string(scene))
    return checker.check_trajectory(Trajectory(robot, PATH, times=TIMES), options=options, timeline=timeline)


def test_verdict_findings_and_reports_are_those_of_all_of_it(robot):
    timeline = Timeline(EVENTS, [BELT])
    assert len(timeline) == 2 and timeline.frames == ["belt"]
    report = check(robot, timeline)
    assert report.ok and report.segments == 4  # of three, one cut at 5 s
    assert np.array_equal(report.trajectory.knots, [0, 3, 5, 6, 8])
    out = json.loads(report.json())
    assert [(e["kind"], e["time"]) for e in out["events"]] == [("attach", 3.0), ("detach", 5.0)]
    assert any("part of the time" in a.text for a in report.assumptions)
    # Where the cup was put down, something else stands: only then is there a contact, and at that time at the earliest.
    put = out["events"][1]["pose"]["xyz"]
    wall = SCENE + f"  - {{name: wall, box: {{size: [0.01, 0.01, 0.01]}}, pose: {{xyz: {put}}}}}\n"
    met = check(robot, timeline, wall, TrajectoryOptions(all_contacts=True))
    assert met.verdict is Verdict.CONTACT and {met.findings[0].contact.a, met.findings[0].contact.b} == {"cup", "wall"}
    assert 3.0 < met.findings[0].begin[1] <= 5.0 and 'type="contact"' in met.junit()
    assert check(robot, Timeline(), wall).free, "nobody carries the cup there"


def test_the_command_agrees(robot, root, tmp_path):
    command = root / "build/release/bin/planner_ccd"
    if not command.exists():
        pytest.skip("the command is not built there")
    (tmp_path / "scene.yaml").write_text(SCENE)
    belt = json.loads(json.dumps(BELT, default=lambda value: value.tolist()))
    (tmp_path / "timeline.yaml").write_text(json.dumps({"events": EVENTS, "moving": [belt]}))
    names = ",".join(f"joint{i}" for i in range(1, 7))
    rows = [",".join(str(x) for x in [t, *q]) for t, q in zip(TIMES, PATH)]
    (tmp_path / "path.csv").write_text("\n".join([f"time,{names}", *rows]) + "\n")
    done = subprocess.run([command, "check", "--robot", root / "urdf/puma.urdf", "--srdf", root / "urdf/puma.srdf", "--scene", "scene.yaml",
                           "--path", "path.csv", "--timeline", "timeline.yaml", "--json"], cwd=tmp_path, capture_output=True, text=True)
    theirs, ours = json.loads(done.stdout), json.loads(check(robot, Timeline.load(tmp_path / "timeline.yaml")).json())
    for key in ("verdict", "segments", "evaluations", "findings", "begin", "end"):
        assert theirs[key] == ours[key], key
    assert [e["pose"] for e in theirs["events"]] == [e["pose"] for e in ours["events"]]


def test_files_of_a_motion_are_played_one_after_the_other(robot, tmp_path):
    names = ",".join(f"joint{i}" for i in range(1, 7))
    for name, rows in (("a.csv", [(0, PATH[0]), (3, PATH[1])]), ("b.csv", [(0, PATH[1]), (3, PATH[2])])):
        (tmp_path / name).write_text(f"time,{names}\n" + "".join(",".join(str(x) for x in [t, *q]) + "\n" for t, q in rows))
    (tmp_path / "t.yaml").write_text("motion: [{path: a.csv}, {path: b.csv, wait: 0.5}]\nevents: [{waypoint: 2, attach: cup, to: gripper}]")
    timeline = Timeline.load(tmp_path / "t.yaml")
    motion = timeline.motion(robot)
    assert np.array_equal(motion.knots, [0, 3, 3.5, 6.5]) and np.allclose(motion.at(3.2), PATH[1])
    report = PathChecker(robot, Scene.from_string(SCENE)).check_trajectory(motion, timeline=timeline)
    assert json.loads(report.json())["events"][0]["time"] == 3.5
    (tmp_path / "t.yaml").write_text("motion: [{path: b.csv}, {path: a.csv}]")
    with pytest.raises(InputError, match="begins with joint1"):
        Timeline.load(tmp_path / "t.yaml").motion(robot)


def test_timelines_are_values(robot):
    timeline = Timeline(EVENTS, [BELT])
    assert pickle.loads(pickle.dumps(timeline)) == timeline == Timeline(EVENTS, [BELT]) and hash(timeline) == hash(Timeline(EVENTS, [BELT]))
    assert timeline != Timeline(EVENTS)
    report = check(robot, timeline)
    assert report.html().startswith("<!doctype html>")


@pytest.mark.parametrize("events, message", [
    ([{"waypoint": 9, "attach": "cup", "to": "gripper"}], "no waypoint 9"),
    ([{"time": 9, "attach": "cup", "to": "gripper"}], "not within the motion"),
    ([{"time": 3, "attach": "cap", "to": "gripper"}], 'did you mean "cup"'),
    ([{"time": 3, "attach": "cup"}], "needs 'to'|'to'"),
    ([{"time": 3, "detach": "cup"}], "nothing holds it"),
    ([{"time": 3, "attach": "cup", "to": "gripper"}, {"time": 2, "detach": "cup"}], "in the order of time"),
    ([{"time": 3, "waypoint": 1, "attach": "cup", "to": "gripper"}], "either 'time' or 'waypoint'"),
    ([{"time": 3, "attach": "cup", "to": "gripper", "when": 3}], "when"),
])
def test_what_would_change_the_question_is_refused(robot, events, message):
    with pytest.raises(InputError, match=message):
        check(robot, Timeline(events))


def test_frames_belong_to_the_robot_of_the_checker(robot):
    timeline = Timeline(moving=[BELT])
    motion = Trajectory(robot, PATH, times=TIMES)
    with pytest.raises(InputError, match=r"timeline.robot\(robot\)"):
        PathChecker(robot, Scene.from_string(SCENE)).check_trajectory(motion, timeline=timeline)
    with pytest.raises(InputError, match="no times"):
        PathChecker(timeline.robot(robot), Scene.from_string(SCENE)).check_trajectory(Trajectory(robot, PATH), timeline=timeline)
    short = {**BELT, "poses": BELT["poses"][:1]}
    with pytest.raises(InputError, match="say where it is all that time"):
        check(robot, Timeline(moving=[short]))


def test_another_robot_moves_by_its_own_file(robot, tmp_path):
    aside = np.eye(4)
    aside[0, 3] = 0.7
    both = planner_ccd.Robot.combine({"a_": robot, "b_": robot}, {"b_": aside})
    checker = PathChecker(both)
    times = np.arange(501) * 0.02
    theirs = np.zeros((501, 6))
    theirs[:, 0], theirs[:, 1] = 2.0 * np.sin(times / 2), 0.3
    names = ",".join(f"joint{i}" for i in range(1, 7))
    rows = (",".join(repr(float(x)) for x in [t, *q]) for t, q in zip(times, theirs))
    (tmp_path / "b.csv").write_text("\n".join([f"time,{names}", *rows]) + "\n")
    ours = np.array([[0, 0, 0, 0, 0, 0], [0.5, 0.3, 0.2, 0, 0, 0], [1, 0.2, 0, 0, 0, 0]])
    motion = Trajectory(both, np.hstack([ours, np.zeros((3, 6))]), times=[0, 4, 8])
    timeline = Timeline(moving=[{"robot": "b_", "path": str(tmp_path / "b.csv"), "starts": -1.5}])
    assert timeline.robots == ["b_"] and timeline.frames == [] and "1 moving robot" in repr(timeline)
    report = checker.check_trajectory(motion, TrajectoryOptions(check_limits=False), timeline=timeline)
    joined = report.trajectory
    assert joined.knots[0] == 0 and joined.knots[-1] == 8 and len(joined) == 400
    for t in (0.0, 0.013, 3.99, 7.9):
        assert np.allclose(joined.at(t)[6:], [np.interp(t + 1.5, times, column) for column in theirs.T], atol=1e-12)
        assert np.allclose(joined.at(t)[:6], motion.at(t)[:6], atol=1e-12)
    assert report.verdict is Verdict.CONTACT and 5.5 < report.findings[0].begin[1] < 6.0
    alone = checker.check_trajectory(motion, TrajectoryOptions(check_limits=False))
    assert alone.free or alone.findings[0].begin != report.findings[0].begin
    moved = Trajectory(both, np.hstack([ours, ours]), times=[0, 4, 8])
    with pytest.raises(InputError, match='"b_joint1" is moved by something else too'):
        checker.check_trajectory(moved, timeline=timeline)
    # Files of the motion leave the other robot's joints out.
    own = ",".join(f"a_joint{i}" for i in range(1, 7))
    rows = (",".join(str(x) for x in [t, *q]) for t, q in zip((0, 4, 8), ours))
    (tmp_path / "a.csv").write_text("\n".join([f"time,{own}", *rows]) + "\n")
    (tmp_path / "t.yaml").write_text("motion: [{path: a.csv}]\nmoving: [{robot: b_, path: b.csv, starts: -1.5}]")
    named = Timeline.load(tmp_path / "t.yaml")
    again = checker.check_trajectory(named.motion(both), TrajectoryOptions(check_limits=False), timeline=named)
    assert again.findings[0].begin == report.findings[0].begin
