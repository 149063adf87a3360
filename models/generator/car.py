"""A small round car in the manner of the VW Beetle: body of thin sheet with window openings, fenders, wheels, bumpers.

x forward, y left, z up, ground at z = 0, origin under the middle of the wheelbase. Outer dimensions of the 1960s car:
length 4.07 m, width 1.54 m, height 1.50 m, wheelbase 2.40 m. The sheet is a single layer of triangles, open on purpose.
"""
import math

import numpy as np

from .mesh import Mesh, merge
from .solids import circle, grid_triangles, lathe, rotation, tube

# Stations of the body along x: (x, half width at the belt, sill height, roof height, squareness of the section).
STATIONS = [
    (-1.98, 0.20, 0.36, 0.50, 2.0), (-1.90, 0.36, 0.32, 0.66, 2.1), (-1.75, 0.46, 0.30, 0.83, 2.2),
    (-1.55, 0.54, 0.28, 0.99, 2.3), (-1.30, 0.62, 0.27, 1.15, 2.4), (-1.00, 0.69, 0.26, 1.31, 2.5),
    (-0.70, 0.73, 0.26, 1.42, 2.6), (-0.40, 0.745, 0.26, 1.48, 2.7), (-0.10, 0.75, 0.26, 1.50, 2.8),
    (0.15, 0.75, 0.26, 1.49, 2.8), (0.35, 0.745, 0.26, 1.44, 2.8), (0.50, 0.74, 0.26, 1.345, 2.7),
    (0.62, 0.72, 0.26, 1.205, 2.6), (0.72, 0.70, 0.26, 1.065, 2.5), (0.82, 0.67, 0.26, 0.995, 2.4),
    (1.05, 0.60, 0.27, 0.955, 2.3), (1.30, 0.53, 0.28, 0.89, 2.2), (1.55, 0.46, 0.30, 0.79, 2.1),
    (1.75, 0.38, 0.32, 0.67, 2.1), (1.87, 0.28, 0.34, 0.55, 2.0), (1.92, 0.18, 0.37, 0.47, 2.0)]
BELT = 0.93  # [m] height of the window sills; above it the sides lean inwards
AXLES = (1.22, -1.18)
TRACK = 0.655  # [m] wheel centre from the middle
WHEEL_RADIUS = 0.325


def _smooth_stations(count):
    """Catmull-Rom interpolation of STATIONS at `count` places, evenly by station."""
    rows = [np.array(s) for s in STATIONS]
    result = []
    for i in range(count):
        t = i * (len(rows) - 1) / (count - 1)
        k = min(int(t), len(rows) - 2)
        u = t - k
        p0, p1, p2, p3 = rows[max(k - 1, 0)], rows[k], rows[k + 1], rows[min(k + 2, len(rows) - 1)]
        result.append(0.5 * (2 * p1 + (p2 - p0) * u + (2 * p0 - 5 * p1 + 4 * p2 - p3) * u * u
                             + (3 * p1 - p0 - 3 * p2 + p3) * u * u * u))
    return result


def _section(station, count):
    """Points of one cross-section from the right sill over the roof to the left sill."""
    x, half, sill, roof, power = station
    points = []
    for i in range(count):
        a = math.pi * i / (count - 1)
        c, s = math.cos(a), math.sin(a)
        y = half * math.copysign(abs(c) ** (2 / power), -c)
        z = sill + (roof - sill) * s ** (2 / power)
        lean = max(0.0, z - BELT) / 0.57
        points.append((x, y * (1 - 0.22 * lean), z))
    return points


def _rounded(u, v, power=4):
    """Negative inside a rounded square of half width 1."""
    return (abs(u) ** power + abs(v) ** power) ** (1 / power) - 1


def window(p):
    """Negative inside an opening: side windows, windscreen, rear window."""
    x, y, z = p
    if z < BELT - 0.05:
        return 1.0
    lean = (z - BELT) * 0.75  # the front edge follows the raked windscreen pillar
    door = _rounded((x - 0.06 + 0.5 * lean) / (0.40 - 0.5 * lean), (z - 1.13) / 0.165)
    quarter = _rounded((x + 0.64 - 0.2 * (z - BELT)) / 0.23, (z - 1.115) / 0.15, 3)
    screen = _rounded(y / (0.46 - 0.12 * (z - 1.0)), (z - 1.195) / 0.14) if x > 0.4 else 1.0
    rear = _rounded(y / 0.34, (z - 1.19) / 0.1, 3) if x < -0.75 else 1.0
    side = min(door, quarter) if abs(y) > 0.42 and x < 0.45 else 1.0
    return min(side, screen, rear)


def arch(p):
    """Negative inside a wheel arch of the body."""
    return min(math.hypot(p[0] - x, p[2] - WHEEL_RADIUS) - 0.40 if abs(p[1]) > 0.3 else 1.0 for x in AXLES)


def cut(points, triangles, field):
    """The part of a sheet where field >= 0, cut along straight lines between the edges' crossings."""
    points = [tuple(float(c) for c in p) for p in points]
    value = [field(p) for p in points]
    value = [v if abs(v) > 1e-7 else 1e-7 for v in value]
    made, kept = {}, []

    def crossing(a, b):
        key = (min(a, b), max(a, b))
        if key not in made:
            a, b = key
            low, high = 0.0, 1.0
            for _ in range(24):
                t = 0.5 * (low + high)
                inner = field(tuple(p + t * (q - p) for p, q in zip(points[a], points[b])))
                low, high = (t, high) if (inner > 0) == (value[a] > 0) else (low, t)
            t = min(max(low, 0.02), 0.98)
            made[key] = len(points)
            points.append(tuple(p + t * (q - p) for p, q in zip(points[a], points[b])))
            value.append(0.0)
        return made[key]

    for t in triangles:
        out = [i for i in t if value[i] > 0]
        if len(out) == 3:
            kept.append(t)
            continue
        polygon = []
        for a, b in zip(t, t[1:] + t[:1]):
            if value[a] > 0:
                polygon.append(a)
            if (value[a] > 0) != (value[b] > 0):
                polygon.append(crossing(a, b))
        kept += [(polygon[0], polygon[i], polygon[i + 1]) for i in range(1, len(polygon) - 1)]
    return points, kept


def body():
    rows, columns = 40, 25
    points = [p for s in _smooth_stations(rows) for p in _section(s, columns)]
    triangles = [tuple(t[::-1]) for t in grid_triangles(rows, columns)]
    for field in (window, arch):
        points, triangles = cut(points, triangles, field)
    return Mesh(points, triangles)


def fender(front, side):
    """A sheet bulging over a wheel: from the body outwards and down, round the wheel from front to back."""
    x0 = AXLES[0] if front else AXLES[1]
    rows, columns = 13, 7
    points = []
    for i in range(rows):
        angle = math.pi * (-0.06 + 1.14 * i / (rows - 1)) if front else math.pi * (-0.08 + 1.12 * i / (rows - 1))
        for j in range(columns):
            t = j / (columns - 1)
            out = math.sin(t * math.pi / 2)
            inner = 0.33 if front else 0.40
            radius = 0.405 + (0.085 if front else 0.075) * math.cos(t * math.pi / 2) ** 0.8
            y = inner + (0.77 - inner) * out
            points.append((x0 + radius * 1.06 * math.cos(angle), side * y,
                           WHEEL_RADIUS + 0.01 + radius * math.sin(angle)))
    triangles = [tuple(t) for t in grid_triangles(rows, columns)]
    return Mesh(points, triangles if side > 0 else [t[::-1] for t in triangles])


def wheel():
    """Tyre with a hub cap, closed; axis along y."""
    profile = [(0.0, -0.055), (0.27, -0.08), (WHEEL_RADIUS, -0.055), (WHEEL_RADIUS, 0.055), (0.27, 0.085),
               (0.205, 0.07), (0.19, 0.045), (0.08, 0.07), (0.0, 0.085)]
    return lathe(profile, 16).moved(rotation("x", -90))


def bumper(front):
    x = 2.0 if front else -2.06
    bow = [(x - 0.42 * (abs(y) / 0.72) ** 3 * (1 if front else -1), y, 0.42) for y in [0.18 * i for i in range(-4, 5)]]
    return tube(bow, [(0.045, 0.02)] * len(bow), 6)


def headlight(side):
    profile = [(0.0, -0.12), (0.05, -0.1), (0.088, -0.02), (0.092, 0.02), (0.07, 0.045), (0.0, 0.06)]
    return lathe(profile, 12).moved(rotation("y", 72), (1.585, side * 0.585, 0.69))


def floor():
    """Floor pan."""
    rows = [(-1.0, 0.62), (-0.3, 0.66), (0.4, 0.66), (0.8, 0.55)]
    points = [(x, y, 0.28) for x, half in rows for y in (-half, -half / 3, half / 3, half)]
    return Mesh(points, grid_triangles(len(rows), 4))


def seat(side):
    """Cushion and back rest in one bent sheet with rounded ends."""
    line = [(0.25, 0.46), (0.22, 0.5), (-0.2, 0.47), (-0.27, 0.52), (-0.4, 0.92), (-0.43, 0.94)]
    points = [(x, side * 0.34 + y, z) for x, z in line for y in (-0.24, -0.2, 0.2, 0.24)]
    return Mesh(points, grid_triangles(len(line), 4))


def steering_wheel():
    rings = 12
    points, around = [], 5
    for i in range(rings):
        a = 2 * math.pi * i / rings
        for c, s in circle(around, 0.012):
            r = 0.19 + c
            points.append((r * math.cos(a), r * math.sin(a), s))
    torus = Mesh(points, grid_triangles(rings, around, True, True))
    return torus.moved(rotation("y", -60), (0.42, 0.34, 0.9))


def car():
    parts = [body(), floor(), bumper(True), bumper(False), steering_wheel()]
    for side in (1, -1):
        parts += [fender(True, side), fender(False, side), headlight(side), seat(side)]
        spin = np.eye(3) if side > 0 else rotation("z", 180)
        parts += [wheel().moved(spin, (x, side * TRACK, WHEEL_RADIUS)) for x in AXLES]
        parts.append(tube([(0.80, side * 0.70, 0.27), (0.3, side * 0.74, 0.26), (-0.3, side * 0.74, 0.26),
                           (-0.76, side * 0.72, 0.27)], [(0.05, 0.03)] * 4, 6))
    return merge(parts)
