"""The contact sheet: one picture of every model."""
import math

import numpy as np

from . import (arm, arm_paths, blobs, car, chess, hand, hand_paths, kinematics, mannequin, mannequin_paths, puma,
               puma_paths, rigid, scenes, solids, urdf)
from .render import render, write_png

SIZE = (330, 270)
COLOURS = {name: tuple(255 * float(v) for v in text.split()[:3]) for name, text in urdf.COLOURS.items()}
STEEL, BRASS, CLAY, WOOD, PAINT = (185, 190, 200), (205, 175, 105), (200, 165, 135), (130, 98, 72), (150, 195, 215)


def pose(xyz=(0, 0, 0), yaw=0.0, pitch=0.0, roll=0.0):
    """4x4; angles in degrees."""
    result = np.eye(4)
    turn = solids.product(solids.rotation("z", yaw), solids.rotation("y", pitch))
    result[:3, :3] = solids.product(turn, solids.rotation("x", roll))
    result[:3, 3] = xyz
    return result


def row(text, i):
    """Row i of a path file as joint values by name."""
    lines = text.splitlines()
    return dict(zip(lines[0].split(","), map(float, lines[1 + i].split(","))))


def draw(robot, values):
    return kinematics.parts(robot, values, COLOURS)


def puma_panels():
    robot, beetle = puma.robot(), (car.car(), pose((1.27, -0.2, -0.4), 90), PAINT)
    stand = (solids.box((0.4, 0.4, 0.4), (0, 0, -0.2)), np.eye(4), (150, 150, 150))
    yield render(draw(robot, robot.states["home"]), (1.7, -2.0, 1.3), (0.15, 0, 0.6), 1.6, SIZE)
    yield render([(car.car(), np.eye(4), PAINT)], (4, -4, 2.2), (0, 0, 0.7), 4.5, SIZE)
    yield render([beetle, stand] + draw(robot, row(puma_paths.window(), 5)), (-2.4, -2.6, 1.6), (0.4, 0, 0.35), 3.5, SIZE)
    yield render([beetle, stand] + draw(robot, row(puma_paths.fender(), 4)), (-1.7, 2.8, 1.5), (0.5, 0.5, 0.2), 2.5, SIZE)


def scene_parts(text, meshes):
    """Boxes and meshes of one of our own scenes; only the one-line entries that scenes.entry() writes."""
    result = []
    for line in text.splitlines():
        if not line.startswith("  - "):
            continue
        numbers = [[float(v) for v in line.split(key + ": [")[1].split("]")[0].split(",")] for key in ("xyz", "rpy")]
        place = pose(numbers[0], *(math.degrees(a) for a in numbers[1][::-1]))
        if "size: [" in line:
            size = [float(v) for v in line.split("size: [")[1].split("]")[0].split(",")]
            result.append((solids.box(size), place, (150, 175, 150) if min(size) > 0.01 else (205, 130, 110)))
        else:
            result.append((meshes[line.split("/")[-1].split(".")[0]], place, CLAY))
    return result


def arm_panels(hare):
    robot = arm.robot()
    yield render(draw(robot, robot.states["home"]), (2, -1.2, 1.0), (0.15, 0, 0.5), 1.3, SIZE)
    clutter = scene_parts(scenes.arm_clutter(), {"hare_70k": hare})
    yield render(clutter + draw(robot, row(arm_paths.free(), 2)), (2.4, -2.6, 2.4), (0, 0, 0.55), 2.7, SIZE)


def mannequin_panels():
    robot = mannequin.robot()
    yield render([(m, p, c) for y, i in ((-0.9, 0), (0.0, 12), (0.9, 204)) for m, p, c in
                  ((m, pose((0, y, 0)) @ p, c) for m, p, c in draw(robot, row(mannequin_paths.exercise(), i)))],
                 (5, -1.0, 1.6), (0, 0, 1.2), 3.2, SIZE)
    pieces = {name: make() for name, make in chess.PIECES.items()}
    parts = [(chess.board(), np.eye(4), WOOD)]
    for name, kind, x, y, yaw in chess.placed():
        colour = (235, 225, 200) if "white" in name else (95, 75, 65)
        parts.append((pieces[kind], pose((x, y, 0), math.degrees(yaw)), colour))
    text = mannequin_paths.walk_kick()
    walkers = [p for i in (20, 70, 120) for p in draw(robot, row(text, i))]
    yield render(parts + walkers, (3.2, -5.6, 3.6), (0, 0, 0.3), 5.8, SIZE)
    line = [(mesh, pose((0.5 * k - 1.25, 0, 0), -60), (235, 225, 200)) for k, mesh in enumerate(pieces.values())]
    yield render(line, (0.5, -5, 1.6), (0, 0, 0.45), 3.3, SIZE)


def hand_panels():
    robot, ball = hand.robot(), (rigid.ball(), np.eye(4), (200, 60, 50))
    yield render(draw(robot, {}), (0.34, 0.3, 0.4), (0.055, 0.01, 0), 0.31, SIZE)
    values = row(hand_paths.closing(0), 9)
    yield render([ball] + draw(robot, values), (0.25, 0.42, 0.2), (-0.02, 0, 0.03), 0.3, SIZE)


def rigid_panels(hare):
    yield render([(rigid.torus_knot(), np.eye(4), BRASS)], (0.3, -0.4, 0.4), (0, 0, 0), 0.36, SIZE)
    yield render([(rigid.gear(), np.eye(4), STEEL)], (0.2, -0.3, 0.35), (0, 0, 0), 0.27, SIZE)
    yield render([(rigid.club(), pose((-0.2, 0, -0.2), 0, 50), CLAY)], (0.3, -1.2, 0.4), (0.05, 0, 0), 0.72, SIZE)
    yield render([(rigid.work_piece(), pose((0, 0, 0)), STEEL), (rigid.hammer(), pose((0.03, 0.0, 0.10), 20, 75), BRASS)],
                 (0.25, -0.5, 0.4), (-0.03, 0, 0.04), 0.46, SIZE)
    parts = [(hare, pose((0, 0.17, 0), -30), CLAY), (blobs.duck(), pose((0, -0.17, 0), -60), (235, 200, 80))]
    yield render(parts, (1.1, -0.35, 0.5), (0, 0, 0.14), 0.72, SIZE)


def contact_sheet(path):
    hare = blobs.hare()
    panels = [*puma_panels(), *arm_panels(hare), *mannequin_panels(), *hand_panels(), *rigid_panels(hare)]
    columns = 4
    rows = [np.concatenate(panels[i:i + columns], axis=1) for i in range(0, len(panels), columns)]
    write_png(path, np.concatenate(rows, axis=0))
