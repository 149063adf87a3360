"""The worlds of the suite and how edges are drawn in each. Scenes that are not in models/ are written beside the edges."""

import pathlib

import numpy as np
import yaml

from planner_ccd.campaign.motions import uniform

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRID = 2.0**-24  # of configurations: together with times on a grid of 2^-20, q(t) is a double without rounding

# class: robot, scene (of models/scenes, or made here), least and greatest length of an edge [rad]
CLASSES = {
    "car": ("puma", "puma_car", (0.3, 2.5)),
    "clutter": ("arm7", "arm_clutter", (0.3, 2.5)),
    "plates": ("arm7", "plates", (0.5, 3.0)),
    "needles": ("arm7", "needles", (0.5, 3.0)),
    "turns": ("arm7", "plates", None),
    "self": ("arm7", None, (1.0, 6.0)),
    "nested": ("arm7", "crumbs", (0.02, 0.3)),
}


def scene_of(name, folder):
    """The file of a scene; generated scenes are written to `folder`."""
    if name is None or (ROOT / f"models/scenes/{name}.yaml").exists():
        return name and ROOT / f"models/scenes/{name}.yaml"
    objects = {"plates": _plates, "needles": _needles, "crumbs": _crumbs}[name]()
    file = folder / f"{name}.yaml"
    file.write_text("# Made by bench/suite/generate.py.\n" + yaml.safe_dump({"objects": objects}, sort_keys=False))
    return file


def _object(name, size, u):
    """A box somewhere in the arm's reach, turned at random."""
    radius, height, around = 0.35 + 0.5 * u[0], 0.1 + 1.1 * u[1], 2.0 * np.pi * u[2]
    at = [radius * np.cos(around), radius * np.sin(around), height]
    pose = {"xyz": [round(float(x), 6) for x in at], "rpy": [round(float(6.28 * x - 3.14), 6) for x in u[3:6]]}
    return {"name": name, "box": {"size": size}, "pose": pose}


def _plates():
    return [_object(f"plate_{i}", [0.3, 0.2, 0.0002], uniform(1, "plates", i, 6)) for i in range(8)]


def _needles():
    return [_object(f"needle_{i}", [0.0004, 0.0004, 0.5], uniform(2, "needles", i, 6)) for i in range(16)]


def _crumbs():
    """Boxes of 3 mm that links can contain entirely."""
    return [_object(f"crumb_{i}", [0.003, 0.003, 0.003], uniform(3, "crumbs", i, 6)) for i in range(150)]


def draw(name, robot, number):
    """Start and end number `number` of a class, on the grid; all randomness comes from uniform()."""
    n = robot.dof
    u = uniform(2026, f"suite {name}", number, 3 * n + 2)
    lower, upper = np.maximum(robot.lower, -np.pi), np.minimum(robot.upper, np.pi)
    start = lower + u[:n] * (upper - lower)
    lengths = CLASSES[name][2]
    if lengths is None:  # several turns of the last joints, a little of the others
        end = start + 0.4 * (u[n : 2 * n] - 0.5)
        end[-3:] += np.round(12.0 * (u[2 * n : 2 * n + 3] - 0.5)) * 2.0 * np.pi
    else:
        way = 2.0 * u[n : 2 * n] - 1.0
        end = start + (lengths[0] + u[3 * n] * (lengths[1] - lengths[0])) * way / np.linalg.norm(way)
        end = np.clip(end, lower, upper)
    return np.round(start / GRID) * GRID, np.round(end / GRID) * GRID
