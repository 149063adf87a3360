"""Solids made of rings: lathe, loft, tube, and small geometry helpers. All closed, outside counter-clockwise."""
import math

import numpy as np

from .mesh import Mesh


def rotation(axis, degrees):
    """Rotation matrix about 'x', 'y' or 'z'; multiples of 90 degrees are exact."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    if degrees % 90 == 0:
        c, s = float(round(c)), float(round(s))
    return np.array({"x": [[1, 0, 0], [0, c, -s], [0, s, c]],
                     "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
                     "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis], dtype=np.float64)


def product(a, b):
    """Matrix product of two rotations, in a fixed order of operations (BLAS has none)."""
    return np.array([[a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] for j in range(3)] for i in range(3)])


def unit(v):
    v = [float(x) for x in v]
    length = math.sqrt(sum(x * x for x in v))
    return np.array([x / length for x in v])


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def dot(a, b):
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


def circle(n, radius=1.0, phase=0.0, centre=(0.0, 0.0)):
    """n points of a circle, counter-clockwise; phase in steps."""
    angles = [2 * math.pi * (i + phase) / n for i in range(n)]
    return [(centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles]


def grid_triangles(rows, columns, close_rows=False, close_columns=False):
    """Triangles over vertices (row, column) -> row * columns + column; the diagonal alternates like a herringbone."""
    triangles = []
    for r in range(rows if close_rows else rows - 1):
        for c in range(columns if close_columns else columns - 1):
            r1, c1 = (r + 1) % rows, (c + 1) % columns
            a, b, d, e = r * columns + c, r * columns + c1, r1 * columns + c1, r1 * columns + c
            triangles += [(a, b, d), (a, d, e)] if (r + c) % 2 == 0 else [(a, b, e), (b, d, e)]
    return triangles


def loft(rings, caps="fan"):
    """Skin through rings of equally many points, each counter-clockwise seen from the last ring's side.

    caps: 'fan' closes the ends with triangles of the ring's own points, 'centre' with a point in the middle, 'none'
    leaves them open. A first or last ring of one point is a pole.
    """
    rings = [np.atleast_2d(np.asarray(r, dtype=np.float64)) for r in rings]
    bottom = rings[0] if len(rings[0]) == 1 else None
    top = rings[-1] if len(rings[-1]) == 1 else None
    body = rings[(bottom is not None):len(rings) - (top is not None)]
    n = len(body[0])
    vertices = np.concatenate(body)
    triangles = grid_triangles(len(body), n, close_columns=True)
    last = (len(body) - 1) * n
    for start, pole, ring, flip in ((0, bottom, body[0], True), (last, top, body[-1], False)):
        if pole is None and caps == "centre":
            pole = np.atleast_2d([sum(float(p[i]) for p in ring) / n for i in range(3)])
        if pole is not None:
            fan = [(start + i, start + (i + 1) % n, len(vertices)) for i in range(n)]
            vertices = np.concatenate([vertices, pole])
        elif caps == "fan":
            fan = zip_cap(start, n)
        else:
            continue
        triangles += [t[::-1] for t in fan] if flip else fan
    return Mesh(vertices, triangles)


def zip_cap(start, n):
    """A convex polygon as a strip zigzagging between its two sides: better shaped than a fan from one corner."""
    low, high, triangles = 0, n - 1, []
    while high - low > 1:
        triangles.append((start + low, start + low + 1, start + high))
        low += 1
        if high - low > 1:
            triangles.append((start + low, start + high - 1, start + high))
            high -= 1
    return triangles


def lathe(profile, n, phase=0.0):
    """Surface of revolution about z of a profile [(radius, z), ...] going up; radius 0 at an end is a pole."""
    rings = []
    for radius, z in profile:
        rings.append([(0, 0, z)] if radius == 0 else [(x, y, z) for x, y in circle(n, radius, phase)])
    return loft(rings)


def box(size, centre=(0, 0, 0)):
    """Twelve triangles."""
    x, y, z = (s / 2 for s in size)
    rings = [[(centre[0] + a, centre[1] + b, centre[2] + c) for a, b in ((-x, -y), (x, -y), (x, y), (-x, y))]
             for c in (-z, z)]
    return loft(rings)


def frames(path, closed=False):
    """Tangent, normal, binormal at each point of a polyline, carried along it without twist."""
    path = [np.asarray(p, dtype=np.float64) for p in path]
    count = len(path)
    tangents = []
    for i in range(count):
        before = path[i - 1] if i > 0 or closed else path[i]
        after = path[(i + 1) % count] if i + 1 < count or closed else path[i]
        tangents.append(unit(after - before))
    seed = np.array([0.0, 0.0, 1.0]) if abs(tangents[0][2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    normal = unit(cross(cross(tangents[0], seed), tangents[0]))
    result = []
    for t in tangents:
        normal = unit(normal - dot(normal, t) * t)
        result.append((t, normal, cross(t, normal)))
    return result


def tube(path, radii, n, caps="fan", phase=0.0):
    """Round tube along a polyline; radii one per point (a pair gives an ellipse along normal and binormal)."""
    rings = []
    for p, radius, (_, normal, binormal) in zip(path, radii, frames(path)):
        if radius == 0:
            rings.append([p])
            continue
        a, b = radius if isinstance(radius, tuple) else (radius, radius)
        rings.append([np.asarray(p) + a * x * normal + b * y * binormal for x, y in circle(n, 1.0, phase)])
    return loft(rings, caps)
