"""Robots and scenes from texts, several robots as one, and their forward kinematics."""

import numpy as np
import pytest

import planner_ccd
from planner_ccd import InputError, Robot, Scene

from test_checks import pose

TWO_LINKS = """
<robot name="two">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="arm"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <link name="tool"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" velocity="1" effort="1"/></joint>
  <joint name="hold" type="fixed"><parent link="arm"/><child link="tool"/><origin xyz="1 0 0"/></joint>
</robot>
"""
RULES = """<robot name="two"><group_state name="out" group="all"><joint name="turn" value="1"/></group_state></robot>"""


def test_robots_come_from_texts(robot, root):
    urdf, srdf = (root / "urdf/puma.urdf").read_text(), (root / "urdf/puma.srdf").read_text()
    puma = Robot.from_string(urdf, srdf, folder=root / "urdf")
    assert puma.excluded == robot.excluded and puma.joints == robot.joints
    two = Robot.from_string(TWO_LINKS, RULES)
    assert two.name == "two" and two.dof == 1 and two.state("all", "out") == [1.0]
    with pytest.raises(InputError, match="URDF"):
        Robot.from_string("<robot")
    with pytest.raises(InputError, match="SRDF"):
        Robot.from_string(TWO_LINKS, "<robot")


def test_scenes_come_from_texts(scene, robot, root):
    file = root / "models/scenes/puma_car.yaml"
    same = Scene.from_string(file.read_text(), robot, folder=file.parent)
    assert same.names == scene.names
    assert planner_ccd.PathChecker(robot, same).clearance(robot.neutral()).lower > 0
    with pytest.raises(InputError, match="scene"):
        Scene.from_string("objects: [")


def test_links_are_where_the_joints_put_them():
    two = Robot.from_string(TWO_LINKS)
    assert two.links == ["base", "arm", "tool"]
    at = two.forward_kinematics([np.pi / 2])
    assert at.shape == (3, 4, 4) and np.array_equal(at[0], np.eye(4))
    assert np.allclose(at[2], [[0, -1, 0, 0], [1, 0, 0, 1], [0, 0, 1, 1], [0, 0, 0, 1]], atol=1e-15)
    assert np.array_equal(two.forward_kinematics([np.pi / 2], "tool"), at[2])
    many = two.forward_kinematics([[0.0], [np.pi / 2], [1.0]])
    assert many.shape == (3, 3, 4, 4) and np.array_equal(many[1], at)
    assert two.forward_kinematics(np.zeros((5, 1)), link="arm").shape == (5, 4, 4)
    assert two.forward_kinematics(np.zeros((0, 1))).shape == (0, 3, 4, 4)
    for wrong, text in (([1, 2], "entries|size|coordinates"), ([np.nan], "finite"), ([[[1.0]]], "dimensions")):
        with pytest.raises(InputError, match=text):
            two.forward_kinematics(wrong)
    with pytest.raises(InputError, match="no link 'hand'"):
        two.forward_kinematics([0], "hand")


def test_several_robots_are_one(robot):
    two = Robot.from_string(TWO_LINKS, RULES)
    assert ("arm", "base", "user") not in two.excluded
    puma = planner_ccd.PathChecker(robot).robot
    puma.exclude("forearm", "gripper")
    both = Robot.combine({"l_": puma, "r_": two}, {"r_": pose(1.5, 0, 0)})
    assert both.joints == [f"l_joint{i}" for i in range(1, 7)] + ["r_turn"]
    assert ("l_base_link", "l_shoulder", "adjacent") in both.excluded
    assert ("l_forearm", "l_gripper", "user") in both.excluded
    assert both.state("r_all", "r_out")[-1] == 1.0
    at = both.forward_kinematics(both.neutral(), "r_tool")
    assert np.allclose(at, pose(2.5, 0, 1))
    checker = planner_ccd.PathChecker(both)
    near = checker.clearance(both.neutral())
    apart = [a for a in both.excluded if a[0].startswith("l_") and a[1].startswith("r_") and a[2] not in ("no geometry", "same body")]
    assert not apart, "robots are checked against each other"
    assert near.upper < 2
    with pytest.raises(InputError, match="no robot 'x_'"):
        Robot.combine({"l_": two}, {"x_": np.eye(4)})
    with pytest.raises(InputError, match="there is no robot"):
        Robot.combine({})
    with pytest.raises(InputError, match="would be there twice"):
        Robot.combine({"a": two, "": with_name("abase")})


def with_name(base):
    return Robot.from_string(TWO_LINKS.replace('"base"', f'"{base}"').replace('"turn"', '"t"').replace('"hold"', '"h"'))


def test_a_robot_stands_where_its_base_is():
    two = Robot.from_string(TWO_LINKS)
    moved = Robot.combine({"": two}, {"": pose(0, 0, 2)})
    assert moved.joints == ["turn"] and moved.links[1:] == two.links
    assert np.allclose(moved.forward_kinematics([0], "base"), pose(0, 0, 2))
    scene = Scene()
    scene.add_box("wall", [0.1, 0.1, 0.1], pose(1, 0, 1))
    assert planner_ccd.PathChecker(two, scene).in_contact([0])
    assert not planner_ccd.PathChecker(moved, scene).in_contact([0])


def test_a_tool_is_mounted_on_a_link(robot):
    two = Robot.from_string(TWO_LINKS, RULES)
    arm = planner_ccd.PathChecker(robot).robot
    arm.exclude("forearm", "gripper")
    one = arm.mount(two, "gripper", pose(0, 0, 0.3), prefix="t_")
    assert one.joints == [*robot.joints, "t_turn"] and one.name == robot.name
    assert ("forearm", "gripper", "user") in one.excluded
    assert one.state("t_all", "t_out")[-1] == 1.0
    q = one.neutral()
    held = one.forward_kinematics(q, "gripper") @ pose(0, 0, 0.3)
    assert np.allclose(one.forward_kinematics(q, "t_base"), held)
    with pytest.raises(InputError, match="there is no link \"griper\"; did you mean \"gripper\""):
        robot.mount(two, "griper", prefix="t_")
    with pytest.raises(InputError, match="would be there twice"):
        robot.mount(robot, "gripper")


def chain(rng, prefix, links):
    """Links and joints of a random chain, as URDF; the first link is PREFIXbase."""
    box = '<link name="{}"><collision><geometry><box size="{} {} {}"/></geometry></collision></link>'
    joint = (
        '<joint name="{}" type="revolute"><parent link="{}"/><child link="{}"/><axis xyz="{} {} {}"/>'
        '<origin xyz="{} {} {}" rpy="{} {} {}"/><limit lower="-2" upper="2" velocity="1" effort="1"/></joint>'
    )
    names = [prefix + "base"] + [f"{prefix}l{k}" for k in range(links)]
    text = "".join(box.format(name, *rng.uniform(0.05, 0.15, 3)) for name in names)
    for k in range(links):
        axis = rng.normal(size=3)
        origin = [*rng.uniform(-0.3, 0.3, 3), *rng.uniform(-3, 3, 3)]
        text += joint.format(f"{prefix}j{k}", names[k], names[k + 1], *axis, *origin)
    return text


def test_a_mounted_tool_is_what_one_urdf_by_hand_is():
    rng = np.random.default_rng(515)
    free = contact = of_tool = 0
    for world in range(12):
        links, tool_links = int(rng.integers(1, 4)), int(rng.integers(0, 3))
        arm, tool_seed = chain(rng, "", links), int(rng.integers(1 << 30))
        on = ["base", *(f"l{k}" for k in range(links))][int(rng.integers(0, links + 1))]
        x, y, z, yaw = *rng.uniform(-0.3, 0.3, 3), rng.uniform(-3, 3)
        at = pose(x, y, z)
        at[:2, :2] = [[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]]
        tool = Robot.from_string(
            f"<robot name='tool'>{chain(np.random.default_rng(tool_seed), '', tool_links)}</robot>"
        )
        mounted = Robot.from_string(f"<robot name='arm'>{arm}</robot>").mount(tool, on, at, prefix="t_")
        whole = Robot.from_string(
            f"<robot name='arm'>{arm}{chain(np.random.default_rng(tool_seed), 't_', tool_links)}"
            f"<joint name='held' type='fixed'><parent link='{on}'/><child link='t_base'/>"
            f"<origin xyz='{x} {y} {z}' rpy='0 0 {yaw}'/></joint></robot>"
        )
        assert mounted.joints == whole.joints and sorted(mounted.excluded) == sorted(whole.excluded)
        scene = Scene()
        for k in range(4):
            scene.add_box(f"o{k}", rng.uniform(0.05, 0.2, 3), pose(*rng.uniform(-0.8, 0.8, 3)))
        # A margin to the world alone: it tells whether tool and arm are one robot.
        one, other = (planner_ccd.PathChecker(r, scene, margin=0.02 * (world % 2)) for r in (mounted, whole))
        starts = rng.uniform(-1.5, 1.5, (25, mounted.dof))
        ends = starts + rng.normal(scale=0.3, size=starts.shape)
        a, b = one.check_edges(starts, ends), other.check_edges(starts, ends)
        for mine, theirs in zip(a, b):
            assert mine.verdict is theirs.verdict and abs(mine.t_free - theirs.t_free) < 1e-9
            if mine.contact is None:
                free += 1
                continue
            contact += 1
            assert (mine.contact.a, mine.contact.b) == (theirs.contact.a, theirs.contact.b)
            of_tool += "t_" in (mine.contact.a[:2], mine.contact.b[:2])
        assert np.allclose(one.clearance(starts).lower, other.clearance(starts).lower, atol=1e-12)
    assert free > 30 and contact > 30 and of_tool > 10, (free, contact, of_tool)


def test_rules_of_a_robot_say_nothing_of_its_tool():
    rules = '<robot name="two"><disable_default_collisions link="base"/></robot>'
    two = Robot.from_string(TWO_LINKS, rules)
    tool = Robot.from_string(TWO_LINKS, rules)
    one = two.mount(tool, "arm", pose(0, 0, 0.5), prefix="t_")
    why = {(a, b): reason for a, b, reason in one.excluded}
    assert why[("arm", "base")] in ("adjacent", "disabled") and why[("arm", "t_base")] == "same body"
    assert why[("t_arm", "t_base")] in ("adjacent", "disabled")
    assert ("base", "t_arm") not in why and ("arm", "t_arm") not in why


def test_a_convex_hull_is_solid():
    two = Robot.from_string(TWO_LINKS)
    scene = Scene()
    scene.add_convex("tent", [[0, 0.9, 0.5], [0.4, 0.9, 0.5], [0, 1.2, 0.5], [0, 0.9, 1.5]])
    checker = planner_ccd.PathChecker(two, scene)
    assert not checker.in_contact([0]) and checker.in_contact([np.pi / 2]) and not checker.open_surfaces
    assert checker.first_contact([0], [np.pi / 2]).contact.b == "tent"
    with pytest.raises(InputError, match="n x 3"):
        scene.add_convex("flat", [[0, 0], [1, 1]])
    with pytest.raises(InputError):
        scene.add_convex("none", np.empty((0, 3)))
