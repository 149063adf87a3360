"""Prisms stacked on one another, with steps, tapers, holes and pockets: one closed surface, exactly.

A stack is a list of layers along z. A layer has loops (outer ones counter-clockwise, holes clockwise) at its bottom and
its top. Between two layers the parts that only one of them covers are closed by flat faces: the directed edges of the
lower top loops and of the reversed upper bottom loops are added up, opposite edges cancel, and what is left bounds
those faces. Everything is decided in integers (multiples of GRID), so nothing depends on rounding.
"""
import math

import numpy as np

from .mesh import Mesh, snap
from .solids import circle

# Where a stack's own z axis points; each is a rotation, so the winding is kept.
DIRECTIONS = {"z": lambda x, y, z: (x, y, z), "x": lambda x, y, z: (z, x, y), "y": lambda x, y, z: (y, z, x),
              "-y": lambda x, y, z: (x, -z, y)}


def layer(z0, z1, loops, top=None):
    """One layer from z0 to z1; `top` has other loops of the same point counts for a taper."""
    return z0, z1, loops, loops if top is None else top


def stack(layers, direction="z"):
    """Closed mesh of a stack of layers."""
    points, triangles = {}, []

    def index(x, y, z):
        return points.setdefault(DIRECTIONS[direction](x, y, z), len(points))

    edges = {}
    heights = []
    for z0, z1, loops0, loops1 in layers:
        low, high = int(snap(z0)), int(snap(z1))
        heights += [low, high]
        for loop0, loop1 in zip(loops0, loops1):
            bottom, top = _grid(loop0), _grid(loop1)
            n = len(bottom)
            for i in range(n):
                a, b, c, d = bottom[i], bottom[(i + 1) % n], top[(i + 1) % n], top[i]
                ia, ib, ic, id_ = index(*a, low), index(*b, low), index(*c, high), index(*d, high)
                triangles += [(ia, ib, ic), (ia, ic, id_)]
                _add_edge(edges, low, b, a)
                _add_edge(edges, high, d, c)
    for z in sorted(set(heights)):
        for a, b, c in _faces(edges.get(z, {})):
            triangles.append((index(*a, z), index(*b, z), index(*c, z)))
    return Mesh(np.array(list(points), dtype=np.int64), triangles)


def _grid(loop):
    return [tuple(int(v) for v in row) for row in snap(loop)]


def _add_edge(edges, z, a, b):
    level = edges.setdefault(z, {})
    if (b, a) in level:
        del level[(b, a)]
    else:
        level[(a, b)] = True


def _faces(level):
    """Triangles of the flat regions that the directed edges bound, with the orientation that the edges demand."""
    loops = _chain(level)
    depth = [sum(_inside(loop, other) for other in loops if other is not loop) for loop in loops]
    result = []
    for i, outer in enumerate(loops):
        if depth[i] % 2:
            continue
        holes = [h for j, h in enumerate(loops) if depth[j] == depth[i] + 1 and _inside(h, outer)]
        if area2(outer) > 0:
            result += triangulate(outer, holes)
        else:
            result += [t[::-1] for t in triangulate(outer[::-1], [h[::-1] for h in holes])]
    return result


def _chain(level):
    following = {}
    for a, b in level:
        following.setdefault(a, []).append(b)
    loops = []
    while following:
        start = next(iter(following))
        loop, at = [], start
        while True:
            loop.append(at)
            choices = following[at]
            nxt = choices.pop(0)
            if not choices:
                del following[at]
            at = nxt
            if at == start:
                break
        loops.append(loop)
    return loops


def area2(loop):
    """Twice the signed area."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(loop, loop[1:] + loop[:1]))


def _inside(loop, other):
    """Whether `loop` lies inside `other` (they may touch in corners, not cross)."""
    on_other = set(other)
    for p in loop:
        if p not in on_other:
            return _point_inside(p, other)
    return False


def _point_inside(p, loop):
    inside = False
    for a, b in zip(loop, loop[1:] + loop[:1]):
        if (a[1] > p[1]) != (b[1] > p[1]):
            side = _turn(a, b, p)
            if (side > 0) == (b[1] > a[1]):
                inside = not inside
    return inside


def _turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def triangulate(outer, holes=()):
    """Ear clipping, shortest diagonal first. Outer loop counter-clockwise, holes clockwise; each hole is first joined
    to the outer loop by the shortest bridge that crosses nothing."""
    polygon = list(outer)
    waiting = [list(h) for h in holes]
    while waiting:
        bridges = sorted((_squared(p, q), k, i, j) for k, h in enumerate(waiting) for i, p in enumerate(polygon)
                         for j, q in enumerate(h))
        for _, k, i, j in bridges:
            if _bridge_is_clear(polygon[i], waiting[k][j], [polygon] + waiting):
                break
        hole = waiting.pop(k)
        polygon = polygon[:i + 1] + hole[j:] + hole[:j + 1] + polygon[i:]
    return _clip_ears(polygon)


def _squared(a, b):
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _bridge_is_clear(p, q, loops):
    for loop in loops:
        for a, b in zip(loop, loop[1:] + loop[:1]):
            if p in (a, b) or q in (a, b):
                continue
            if _turn(p, q, a) * _turn(p, q, b) <= 0 and _turn(a, b, p) * _turn(a, b, q) <= 0:
                return False
    return True


def _is_ear(polygon, i):
    a, b, c = polygon[i - 1], polygon[i], polygon[(i + 1) % len(polygon)]
    if _turn(a, b, c) <= 0:
        return False
    return not any(p not in (a, b, c) and _turn(a, b, p) >= 0 and _turn(b, c, p) >= 0 and _turn(c, a, p) >= 0
                   for p in polygon)


def _clip_ears(polygon):
    polygon, triangles = list(polygon), []
    while len(polygon) > 3:
        n = len(polygon)
        order = sorted(range(n), key=lambda k: (_squared(polygon[k - 1], polygon[(k + 1) % n]), k))
        ear = next((k for k in order if _is_ear(polygon, k)), None)
        if ear is None:
            raise ValueError("polygon cannot be triangulated: its loops cross or touch")
        triangles.append((polygon[ear - 1], polygon[ear], polygon[(ear + 1) % n]))
        del polygon[ear]
    triangles.append(tuple(polygon))
    return triangles


def reverse(loop):
    return list(loop)[::-1]


def belt(c0, r0, c1, r1, n):
    """Outline of two circles and their outer tangents, counter-clockwise, of about n points."""
    dx, dy = c1[0] - c0[0], c1[1] - c0[1]
    distance, heading = math.hypot(dx, dy), math.atan2(dy, dx)
    spread = math.acos((r0 - r1) / distance)
    n0 = max(3, round(n * (math.pi - spread) / math.pi))
    n1 = max(3, n - n0)
    loop = [(c1[0] + r1 * math.cos(heading - spread + 2 * spread * i / (n1 - 1)),
             c1[1] + r1 * math.sin(heading - spread + 2 * spread * i / (n1 - 1))) for i in range(n1)]
    sweep = 2 * (math.pi - spread)
    loop += [(c0[0] + r0 * math.cos(heading + spread + sweep * i / (n0 - 1)),
              c0[1] + r0 * math.sin(heading + spread + sweep * i / (n0 - 1))) for i in range(n0)]
    return loop


def rounded_rectangle(width, height, radius, corner_points, centre=(0.0, 0.0)):
    """Counter-clockwise, corner_points >= 2 per corner."""
    loop = []
    for k, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        cx, cy = centre[0] + sx * (width / 2 - radius), centre[1] + sy * (height / 2 - radius)
        for i in range(corner_points):
            a = math.pi / 2 * (k + i / (corner_points - 1))
            loop.append((cx + radius * math.cos(a), cy + radius * math.sin(a)))
    return loop


def rectangle(x0, x1, y0, y1):
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def hole(n, radius, centre=(0.0, 0.0), phase=0.0):
    return reverse(circle(n, radius, phase, centre))
