"""Trajectories and findings of check_trajectory: the same as from the command and the C++ library."""

import html
import json
import pathlib
import pickle
import subprocess
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import planner_ccd
from planner_ccd import InputError, MotionLimits, Robot, Trajectory, TrajectoryOptions, Verdict

from test_robots import TWO_LINKS, pose


@pytest.fixture(scope="module")
def motion(robot, fender):
    return Trajectory(robot, fender, times=np.arange(6.0))


def test_lines_cubics_and_quintics(robot, fender):
    path = Trajectory(robot, fender)
    assert not path.timed and len(path) == 5 and np.array_equal(path.knots, range(6))
    line = Trajectory(robot, fender[:2], times=[1, 3])
    assert line.timed and (line.begin, line.end, line.duration) == (1, 3, 2)
    assert np.allclose(line.at(2), fender[:2].mean(0)) and np.allclose(line.at(9), fender[1])
    still = np.zeros((2, 6))
    cubic = Trajectory(robot, fender[:2], times=[1, 3], velocities=still)
    quintic = Trajectory(robot, fender[:2], times=[1, 3], velocities=still, accelerations=still)
    x = 0.25
    for curve, share in ((line, x), (cubic, 3 * x**2 - 2 * x**3), (quintic, 10 * x**3 - 15 * x**4 + 6 * x**5)):
        assert np.allclose(curve.at(1.5), fender[0] + share * (fender[1] - fender[0]))
        assert curve.at([1, 1.5, 3]).shape == (3, 6)


def test_curves(robot, fender):
    bezier = Trajectory.bezier(robot, fender[:3], 0, 2)
    assert np.allclose(bezier.at(1), 0.25 * fender[0] + 0.5 * fender[1] + 0.25 * fender[2])
    same = Trajectory.b_spline(robot, fender[:3], [0, 0, 0, 2, 2, 2], 2)
    assert np.allclose(same.at([0.3, 1.4]), bezier.at([0.3, 1.4]))
    assert np.allclose(bezier.stretched(3).at(3), bezier.at(1)) and bezier.delayed(1).begin == 1


def test_what_is_no_trajectory_is_refused(robot, fender):
    for call, text in (
        (lambda: Trajectory(robot, fender[:, :3]), "each row must have 6"),
        (lambda: Trajectory(robot, fender, times=[0, 1]), "as many as positions"),
        (lambda: Trajectory(robot, fender, velocities=fender), "without times"),
        (lambda: Trajectory(robot, fender, times=range(6), accelerations=fender), "velocit"),
        (lambda: Trajectory(robot, fender, times=range(6), velocities=fender[1:]), "as many as positions"),
        (lambda: Trajectory(robot, fender).delayed(1), "no times"),
        (lambda: Trajectory(robot, fender).at(np.nan), "finite"),
        (lambda: Trajectory.load(robot, "nowhere.csv"), "nowhere.csv"),
        (lambda: MotionLimits(robot, velocity=[1, 2]), "6 positive numbers"),
        (lambda: MotionLimits(robot, acceleration=[0] * 6), "6 positive numbers"),
        (lambda: MotionLimits(robot, jerk=[-1] * 6), "6 positive numbers"),
        (lambda: MotionLimits(robot, lower=[0] * 5), "6 numbers"),
        (lambda: MotionLimits(robot, lower=[9] * 6, upper=[8] * 6), "lower: is above upper"),
    ):
        with pytest.raises(InputError, match=text):
            call()


def test_a_trajectory_that_hits(checker, motion, fender):
    report = checker.check_trajectory(motion)
    path = checker.check_path(fender)
    assert report.verdict == Verdict.CONTACT and not report.free and not report.ok
    assert (report.segments, report.segment) == (path.segments, path.segment)
    assert report.edge.t_free == pytest.approx(path.edge.t_free, abs=1e-9)
    (contact,) = [f for f in report.findings if f.contact]
    assert contact.kind == "contact" and contact.error and contact.contact == report.edge.contact
    assert contact.begin[0] <= 3 + report.edge.contact.t <= contact.begin[1] + 1e-12 and contact.end is None
    assert "gripper" in contact.message and contact.message in repr(contact)
    assert repr(report).startswith("<planner_ccd.TrajectoryResult: contact, ")
    full = checker.check_trajectory(motion, TrajectoryOptions(all_contacts=True))
    deep = [f for f in full.findings if f.contact and f.depth]
    assert all(f.end[1] > f.begin[0] for f in full.findings if f.contact)
    assert any(f.depth > 0 for f in deep)


def test_limits_are_checked(robot, checker, root):
    window = robot.load_path(root / "models/paths/puma_window.csv")
    slow = Trajectory(robot, window, times=100.0 * np.arange(len(window)))
    assert checker.check_trajectory(slow).ok and not checker.check_trajectory(slow).findings
    limits = MotionLimits(robot, velocity=[1e-4] * 6)
    report = checker.check_trajectory(slow, TrajectoryOptions(limits=limits))
    assert report.free and not report.ok and {f.kind for f in report.findings} == {"velocity_limit"}
    worst = report.findings[0]
    assert worst.limit == 1e-4 and worst.value > 1e-4 and worst.joint in robot.joints
    turned = [f for f in checker.check_trajectory(slow, TrajectoryOptions(limits=MotionLimits(robot, upper=window.max(axis=0) - 0.1))).findings]
    assert {f.kind for f in turned} == {"joint_limit"} and len({f.joint for f in turned}) == 6
    ignored = checker.check_trajectory(slow, TrajectoryOptions(limits=limits, check_limits=False))
    assert ignored.ok and "limits_ignored" in [a.kind for a in ignored.assumptions]


def test_limits_come_from_files(robot, tmp_path):
    file = tmp_path / "joint_limits.yaml"
    file.write_text("joint_limits:\n  joint2: {has_velocity_limits: true, max_velocity: 0.5,"
                    " has_acceleration_limits: true, max_acceleration: 2.0, has_jerk_limits: true, max_jerk: 30,"
                    " min_position: -0.5, max_position: 1.0}\n")
    limits = MotionLimits.load(robot, file)
    assert (limits.lower[1], limits.upper[1], limits.jerk[1], limits.warnings) == (-0.5, 1.0, 30.0, [])
    assert limits.lower[0] == MotionLimits(robot).lower[0] and np.isinf(limits.jerk[0])
    assert limits.velocity[1] == 0.5 and limits.acceleration[1] == 2.0 and np.isinf(limits.acceleration[0])
    assert limits.velocity[0] == MotionLimits(robot).velocity[0]


def test_clearance_over_a_path(robot, checker, root):
    window = robot.load_path(root / "models/paths/puma_window.csv")
    motion = Trajectory(robot, window, times=np.arange(len(window)))
    report = checker.check_trajectory(motion, TrajectoryOptions(clearance_accuracy=1e-3, clearance_pairs=3, profile_step=0.25))
    assert 1 <= len(report.clearance) <= 3 and report.free
    nearest = report.clearance[0]
    assert 0 < nearest.lower <= nearest.upper <= nearest.lower + 1.000001e-3
    assert nearest.lower <= checker.clearance(motion.at(nearest.time)).upper
    profile = report.profile
    assert profile["begin"][0] == motion.begin and profile["end"][-1] == motion.end
    assert np.array_equal(profile["begin"][1:], profile["end"][:-1])
    assert nearest.lower <= profile["upper"].min() and np.all(profile["lower"] <= profile["upper"])
    assert {nearest.a, nearest.b} <= set(robot.links) | {"car"}
    below = checker.check_trajectory(motion, TrajectoryOptions(clearance_accuracy=1e-3, clearance_below=nearest.lower / 2))
    assert not below.clearance and len(below.profile) == 0


def test_a_trajectory_of_another_robot_is_refused(checker):
    six = "".join(
        f'<link name="l{i + 1}"/><joint name="j{i}" type="continuous"><parent link="l{i}"/><child link="l{i + 1}"/></joint>'
        for i in range(6)
    )
    other = Robot.from_string(f'<robot name="other"><link name="l0"/>{six}</robot>')
    with pytest.raises(InputError, match="one of 'other', whose joints are not those of 'puma'"):
        checker.check_trajectory(Trajectory(other, np.zeros((2, 6))))


def test_progress_can_end_a_check(checker, motion):
    told = []
    checker.check_trajectory(motion, progress=lambda done, total: told.append((done, total)))
    assert told and told == sorted(told)

    def enough(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        checker.check_trajectory(motion, progress=enough)


def test_reports_as_the_command_writes_them(checker, motion, root):
    report = checker.check_trajectory(motion)
    data = json.loads(report.json())
    assert data["verdict"] == "contact" and data["contact"]["a"] == "gripper" and data["exit_code"] == 1
    assert [f["message"] for f in data["findings"]] == [f.message for f in report.findings]
    schema = json.loads((root / "planner_ccd/cli/check.schema.json").read_text())
    pytest.importorskip("jsonschema").validate(data, schema)
    suite = ElementTree.fromstring(report.junit())
    assert int(suite.get("failures")) == len([f for f in report.findings if f.error])
    page = report.html()
    facts = html.unescape(page[page.index("<main"):page.index("</main>")])  # to be read without a script
    assert page.startswith("<!doctype html>") and 'data-verdict="contact"' in facts
    assert report.findings and all(f.message in facts for f in report.findings)
    cell = report._repr_html_()
    assert cell.startswith("<iframe ") and len(cell) > len(page) and cell.count('"') == 4
    assert checker.html().startswith("<!doctype html>") and checker._repr_html_().startswith("<iframe ")
    assert "Nothing was checked" in checker.html() and 'data-verdict="unchecked"' in checker.html()


def test_several_robots_on_one_clock():
    two = Robot.from_string(TWO_LINKS)
    both = Robot.combine({"l_": two, "r_": two}, {"r_": pose(1.5, 0, 0)})
    checker = planner_ccd.PathChecker(both)
    left = Trajectory(two, [[-1.5], [0.0], [-1.5]], times=[0, 2, 4])
    right = Trajectory(two, [[-1.5], [np.pi], [-1.5]], times=[0, 2, 4])
    for delay, free in ((0.0, False), (5.0, True)):
        motion = Trajectory.merge(both, {"l_": left, "r_": right.delayed(delay)})
        assert motion.robot == both and motion.end == 4 + delay
        assert np.allclose(motion.at(1.0)[0], -0.75) and np.allclose(motion.at(2.0 + delay)[1], np.pi)
        assert checker.check_trajectory(motion, TrajectoryOptions(check_limits=False)).free == free, delay
    with pytest.raises(InputError, match="no trajectory moves 'r_turn'"):
        Trajectory.merge(both, {"l_": left})
    with pytest.raises(InputError, match="no joint 'x_turn'"):
        Trajectory.merge(both, {"x_": left})
    with pytest.raises(InputError, match="no times|common clock"):
        Trajectory.merge(both, {"l_": left, "r_": Trajectory(two, [[0.0], [1.0]])})


def test_files_for_several_robots(root):
    arm = Robot(root / "urdf/arm7.urdf")
    both = Robot.combine({"left_": arm, "right_": arm}, {"right_": [[-1, 0, 0, 1.1], [0, -1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]})
    pick = root / "models/paths/arm_pick.csv"
    motion = Trajectory.load(both, {"left_": pick, "right_": pick}, delays={"right_": 3.0})
    alone = Trajectory.load(arm, pick)
    assert motion.duration == alone.duration + 3
    assert np.allclose(motion.at(alone.begin + 1.0)[: arm.dof], alone.at(alone.begin + 1.0))
    with pytest.raises(InputError, match="no file for the prefix 'x'"):
        Trajectory.load(both, {"left_": pick, "right_": pick}, delays={"x": 3.0})


def test_trajectories_are_values(motion, robot, fender):
    same = pickle.loads(pickle.dumps(motion))
    assert same == motion and hash(same) == hash(motion) and np.array_equal(same.at(2.3), motion.at(2.3))
    assert motion != Trajectory(robot, fender, times=np.arange(6.0) + 1)
    limits = MotionLimits(robot)
    assert pickle.loads(pickle.dumps(limits)) == limits


def test_the_module_and_the_command_say_the_same(checker, motion, root, tmp_path):
    command = pathlib.Path(planner_ccd.__file__).parents[2] / "bin/planner_ccd"
    if not command.exists():
        pytest.skip("the command is not built")
    robot = checker.robot
    rows = "\n".join(f"{t}," + ",".join(repr(float(x)) for x in motion.at(t)) for t in motion.knots)
    (tmp_path / "motion.csv").write_text("time," + ",".join(robot.joints) + "\n" + rows + "\n")
    told = subprocess.run(
        [command, "check", "--robot", "urdf/puma.urdf", "--srdf", "urdf/puma.srdf", "--scene",
         "models/scenes/puma_car.yaml", "--path", tmp_path / "motion.csv", "--json"],
        cwd=root, capture_output=True, text=True,
    )
    assert told.returncode == 1
    by_command, by_module = json.loads(told.stdout), json.loads(checker.check_trajectory(motion).json())
    for key in ("verdict", "segment", "contact", "findings", "proved_apart", "options", "timed"):
        assert by_command[key] == by_module[key], key
