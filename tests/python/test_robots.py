"""Robots and scenes from texts, several robots as one, and where their links are."""

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


def test_a_convex_hull_is_solid():
    two = Robot.from_string(TWO_LINKS)
    scene = Scene()
    scene.add_convex("tent", [[0, 0.9, 0.5], [0.4, 0.9, 0.5], [0, 1.2, 0.5], [0, 0.9, 1.5]])
    checker = planner_ccd.PathChecker(two, scene)
    assert not checker.in_contact([0]) and checker.in_contact([np.pi / 2]) and not checker.without_inside
    assert checker.first_contact([0], [np.pi / 2]).contact.b == "tent"
    with pytest.raises(InputError, match="n x 3"):
        scene.add_convex("flat", [[0, 0], [1, 1]])
    with pytest.raises(InputError):
        scene.add_convex("none", np.empty((0, 3)))
