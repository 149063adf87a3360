"""The worlds of the suite and how motions are drawn in each. Files that are not in models/ and urdf/ are written beside the edges."""

import collections
import pathlib
import xml.etree.ElementTree

import numpy as np
import yaml

import recipes
from planner_ccd.campaign.motions import uniform

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Of configurations: together with times on a grid (TICK), q(t) is a double without rounding. By the degree of the motion in t.
GRID = {1: 2.0**-24, 2: 2.0**-16}
TICK = {1: 2.0**-20, 2: 2.0**-12}
BLOCK = 1024  # motions that are drawn together

# class: robot, scene (of models/scenes, or made here), least and greatest length of an edge [rad], degree in t
CLASSES = {
    "car": ("puma", "puma_car", (0.3, 2.5), 1),
    "clutter": ("arm7", "arm_clutter", (0.3, 2.5), 1),
    "plates": ("arm7", "plates", (0.5, 3.0), 1),
    "needles": ("arm7", "needles", (0.5, 3.0), 1),
    "turns": ("arm7", "plates", None, 1),
    "self": ("arm7", None, (1.0, 6.0), 1),
    "nested": ("arm7", "crumbs", (0.02, 0.3), 1),
    "two robots": ("two_arms", "plates", (0.5, 4.0), 1),
    "splines": ("arm7", "plates", (0.5, 3.0), 2),
    "tubes": ("arm7", "plates", (0.3, 2.0), 1),
    "panda": ("panda", "plates", (0.5, 3.0), 1),
    "ur5": ("ur5", "high plates", (0.5, 3.0), 1),
}

# By how much joints may be off [rad], by class: all joints of a motion by the same.
ERRORS = {"tubes": (0.001, 0.002, 0.004, 0.008)}

Files = collections.namedtuple("Files", "urdf srdf scene packages recipe")


def files_of(name, folder):
    """The files of a class; made ones are written to `folder`. None where the robot is neither ours nor here."""
    robot, scene, _, _ = CLASSES[name]
    if robot in recipes.RECIPES:
        there = recipes.folder_of(robot, folder)
        recipe = recipes.RECIPES[robot]
        if there is None:
            return None
        packages = {k: there / v for k, v in recipe["packages"].items()}
        return Files(there / recipe["urdf"], there / recipe["srdf"], scene_of(scene, folder), packages, robot)
    made = robot == "two_arms"
    if made:
        _two_arms(folder)
    urdf, srdf = ((folder if made else ROOT / "urdf") / f"{robot}.{kind}" for kind in ("urdf", "srdf"))
    return Files(urdf, srdf, scene_of(scene, folder), {"planner_ccd": ROOT}, None)


def scene_of(name, folder):
    """The file of a scene; generated scenes are written to `folder`."""
    if name is None or (ROOT / f"models/scenes/{name}.yaml").exists():
        return name and ROOT / f"models/scenes/{name}.yaml"
    objects = {"plates": _plates, "high plates": _high_plates, "needles": _needles, "crumbs": _crumbs}[name]()
    file = folder / f"{name.replace(' ', '_')}.yaml"
    file.write_text("# Made by bench/suite/generate.py.\n" + yaml.safe_dump({"objects": objects}, sort_keys=False))
    return file


def _object(name, size, u, above=0.0):
    """A box somewhere in the arm's reach, turned at random."""
    radius, height, around = 0.35 + 0.5 * u[0], above + 0.1 + 1.1 * u[1], 2.0 * np.pi * u[2]
    at = [radius * np.cos(around), radius * np.sin(around), height]
    pose = {"xyz": [round(float(x), 6) for x in at], "rpy": [round(float(6.28 * x - 3.14), 6) for x in u[3:6]]}
    return {"name": name, "box": {"size": size}, "pose": pose}


def _plates():
    return [_object(f"plate_{i}", [0.3, 0.2, 0.0002], uniform(1, "plates", i, 6)) for i in range(8)]


def _high_plates():
    """For the UR5, which stands 0.9 m above its origin."""
    return [_object(f"plate_{i}", [0.3, 0.2, 0.0002], uniform(1, "plates", i, 6), 0.6) for i in range(8)]


def _needles():
    return [_object(f"needle_{i}", [0.0004, 0.0004, 0.5], uniform(2, "needles", i, 6)) for i in range(16)]


def _crumbs():
    """Boxes of 3 mm that links can contain entirely."""
    return [_object(f"crumb_{i}", [0.003, 0.003, 0.003], uniform(3, "crumbs", i, 6)) for i in range(150)]


def _two_arms(folder):
    """Two arm7, 0.9 m apart, as one URDF and one SRDF: each name has its robot's prefix."""
    robot = xml.etree.ElementTree.Element("robot", name="two_arms")
    rules = xml.etree.ElementTree.Element("robot", name="two_arms")
    xml.etree.ElementTree.SubElement(robot, "link", name="world")
    for prefix, x, yaw in (("a_", "0", "0"), ("b_", "0.9", "3")):
        source = xml.etree.ElementTree.parse(ROOT / "urdf/arm7.urdf").getroot()
        for part in [e for e in source if e.tag in ("link", "joint")]:
            for visual in part.findall("visual"):
                part.remove(visual)
            for e in part.iter():
                for key in ("name", "link"):
                    if e.get(key) is not None and e.tag in ("link", "joint", "parent", "child"):
                        e.set(key, prefix + e.get(key))
                if e.tag == "mesh":
                    e.set("filename", e.get("filename").replace("../", "package://planner_ccd/"))
            robot.append(part)
        base = xml.etree.ElementTree.SubElement(robot, "joint", name=prefix + "base", type="fixed")
        xml.etree.ElementTree.SubElement(base, "parent", link="world")
        xml.etree.ElementTree.SubElement(base, "child", link=prefix + "base_link")
        xml.etree.ElementTree.SubElement(base, "origin", xyz=f"{x} 0 0", rpy=f"0 0 {yaw}")
        for pair in xml.etree.ElementTree.parse(ROOT / "urdf/arm7.srdf").getroot().iter("disable_collisions"):
            told = {k: prefix + pair.get(k) for k in ("link1", "link2")}
            xml.etree.ElementTree.SubElement(rules, "disable_collisions", **told, reason=pair.get("reason") or "")
    for tree, file in ((robot, "two_arms.urdf"), (rules, "two_arms.srdf")):
        xml.etree.ElementTree.indent(tree)
        (folder / file).write_text(xml.etree.ElementTree.tostring(tree, encoding="unicode") + "\n")


def draw(name, robot, block):
    """Control points (motion x start, for curves a middle one, end) of a block of motions of a class, on the grid, and joint errors, a row
    a motion, or None; all randomness comes from uniform()."""
    _, _, lengths, degree = CLASSES[name]
    n = robot.dof
    u = uniform(2026, f"suite {name}", block, BLOCK * (4 * n + 2)).reshape(BLOCK, 4 * n + 2)
    lower, upper = np.maximum(robot.lower, -np.pi), np.minimum(robot.upper, np.pi)
    start = lower + u[:, :n] * (upper - lower)
    if lengths is None:  # several turns of the last joints, a little of the others
        end = start + 0.4 * (u[:, n : 2 * n] - 0.5)
        end[:, -3:] += np.round(12.0 * (u[:, 2 * n : 2 * n + 3] - 0.5)) * 2.0 * np.pi
    else:
        way = 2.0 * u[:, n : 2 * n] - 1.0
        length = lengths[0] + u[:, 3 * n] * (lengths[1] - lengths[0])
        end = start + (length / np.sqrt(np.square(way).sum(axis=1)))[:, None] * way
        end = np.clip(end, lower, upper)
    points = [start, end]
    if degree == 2:
        points.insert(1, np.clip(0.5 * (start + end) + (u[:, 2 * n : 3 * n] - 0.5), lower, upper))
    errors = None
    if name in ERRORS:
        levels = np.round(np.array(ERRORS[name]) / GRID[degree]) * GRID[degree]
        errors = np.repeat(levels[np.arange(BLOCK) % len(levels)][:, None], n, axis=1)
    return np.round(np.stack(points, axis=1) / GRID[degree]) * GRID[degree], errors
