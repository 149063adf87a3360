"""A 7R arm of our own design: seven revolute joints, bent pipes that zigzag from side to side. Frames stand parallel to
the base at the zero pose (arm straight up), each at its joint; limits are those usual for collaborative arms."""
import math

import numpy as np

from .prism import layer, rectangle, rounded_rectangle, stack
from .solids import circle, cross, lathe, loft
from .urdf import Joint, Link, Robot

SIDES = 13
GAP = 0.002  # [m] between the faces of neighbours


def pipe(stations):
    """Skin through stations (point in the yz plane, direction in the yz plane, radius)."""
    rings = []
    for (y, z), (dy, dz), radius in stations:
        side = cross((0, dy, dz), (1, 0, 0))
        rings.append([np.array([0, y, z]) + radius * (c * np.array([1.0, 0, 0]) + s * side)
                      for c, s in circle(SIDES)])
    return loft(rings, caps="centre")


def collar(start, direction, radius, outward):
    """Stations of a joint's collar: a face, a bulge, the neck; `outward` +1 leads into the pipe, -1 out of it."""
    steps = ((GAP, radius * 1.02), (0.008, radius * 1.12), (0.026, radius * 1.12), (0.034, radius))
    steps = steps if outward > 0 else steps[::-1]
    return [((start[0] + outward * d * direction[0], start[1] + outward * d * direction[1]), direction, r)
            for d, r in steps]


def bend(corner, u, v, reach, radii, count):
    """Stations round a right-angled corner, from direction u to v; the curve starts `reach` before the corner."""
    centre = (corner[0] - reach * u[0] + reach * v[0], corner[1] - reach * u[1] + reach * v[1])
    result = []
    for i in range(count):
        t = i / (count - 1)
        c, s = math.cos(t * math.pi / 2), math.sin(t * math.pi / 2)
        point = (centre[0] + reach * (s * u[0] - c * v[0]), centre[1] + reach * (s * u[1] - c * v[1]))
        result.append((point, (c * u[0] + s * v[0], c * u[1] + s * v[1]), radii[0] + t * (radii[1] - radii[0])))
    return result


def elbow(end, u, v, radii):
    """From the joint at the origin, leaving along u, to the joint at `end`, arriving along v."""
    corner = (end[0] * abs(u[0]), end[1] * abs(u[1]))
    reach = 0.068
    return pipe(collar((0, 0), u, radii[0], +1) + bend(corner, u, v, reach - 0.034 + 0.02, radii, 4)
                + collar(end, v, radii[1], -1))


def base():
    """A foot with a bulging column; joint 1 is at its top."""
    profile = [(0.1, 0.0), (0.1, 0.015), (0.085, 0.022), (0.07, 0.05), (0.066, 0.11), (0.072, 0.125), (0.072, 0.152),
               (0.066, 0.16 - GAP)]
    return lathe(profile, SIDES)


def tool():
    """Flange and a two-finger gripper in one piece."""
    finger = [rectangle(0.03, 0.042, -0.012, 0.012), rectangle(-0.042, -0.03, -0.012, 0.012)]
    tip = [rectangle(0.012, 0.022, -0.01, 0.01), rectangle(-0.022, -0.012, -0.01, 0.01)]
    neck = circle(SIDES, 0.024)
    palm = rounded_rectangle(0.1, 0.05, 0.02, 4)
    return stack([layer(GAP, 0.02, [circle(SIDES, 0.046)]), layer(0.02, 0.034, [neck]), layer(0.034, 0.066, [palm]),
                  layer(0.066, 0.1, finger), layer(0.1, 0.122, finger, tip), layer(0.122, 0.142, tip)])


OFFSET = 0.1
UP, LEFT, RIGHT = (0, 1), (1, 0), (-1, 0)


def robot():
    radii = [0.062, 0.06, 0.057, 0.054, 0.05, 0.047, 0.043]
    shapes = []
    ends = [(OFFSET, 0.18), (OFFSET, 0.22), (-OFFSET, 0.2), (-OFFSET, 0.22), (0.09, 0.18), (0.09, 0.11)]
    turns = [(UP, LEFT), (LEFT, UP), (UP, RIGHT), (RIGHT, UP), (UP, LEFT), (LEFT, UP)]
    for i, (end, (u, v)) in enumerate(zip(ends, turns)):
        shapes.append(elbow(end, u, v, (radii[i], radii[i + 1])))
    names = ["base_link"] + [f"link{i}" for i in range(1, 8)]
    links = [Link("base_link", base(), "dark")] + [Link(n, m, "white") for n, m in zip(names[1:7], shapes)]
    links.append(Link("link7", tool(), "orange"))
    degrees = math.pi / 180
    limits, speeds = (170, 120, 170, 120, 170, 120, 175), (85, 85, 100, 75, 130, 135, 135)
    axes = ["0 0 1", "0 1 0", "0 0 1", "0 -1 0", "0 0 1", "0 1 0", "0 0 1"]
    origins = [(0, 0, 0.16)] + [(0, y, z) for y, z in ends]
    joints = [Joint(f"joint{i + 1}", names[i], names[i + 1], origins[i], axes[i],
                    (-round(limits[i] * degrees, 6), round(limits[i] * degrees, 6)), round(speeds[i] * degrees, 6),
                    (176, 176, 110, 110, 110, 40, 40)[i]) for i in range(7)]
    names = [f"joint{i + 1}" for i in range(7)]
    home = dict(zip(names, (0.0, 0.1, 0.0, -1.9, 0.0, 1.6, 0.0)))
    return Robot("arm7", links, joints, {"home": home, "zero": dict.fromkeys(names, 0.0)}, groups={"arm": names})
