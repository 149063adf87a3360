"""Organic shapes: fields of approximate signed distance [m], negative inside, and their surface by dual contouring on a
uniform grid ("surface nets": one vertex a cell, moved onto the surface by Newton steps).

Fields are functions of coordinate arrays (x, y, z). They use only + - * / sqrt, abs, min and max, which IEEE arithmetic
rounds the same everywhere, so the surface does not depend on the C library.
"""
import numpy as np

from .mesh import Mesh, snap


def ellipsoid(centre, radii):
    """The usual first-order distance k0 (k0 - 1) / k1; exact for spheres."""
    def field(x, y, z):
        u, v, w = (x - centre[0]) / radii[0], (y - centre[1]) / radii[1], (z - centre[2]) / radii[2]
        k0 = np.sqrt(u * u + v * v + w * w)
        u, v, w = u / radii[0], v / radii[1], w / radii[2]
        k1 = np.sqrt(u * u + v * v + w * w) + 1e-12
        return k0 * (k0 - 1.0) / k1
    return field


def sphere(centre, radius):
    return ellipsoid(centre, (radius, radius, radius))


def capsule(a, b, ra, rb=None):
    """Segment from a to b with radius blending linearly from ra to rb."""
    rb = ra if rb is None else rb
    d = [float(q - p) for p, q in zip(a, b)]
    length2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]

    def field(x, y, z):
        px, py, pz = x - a[0], y - a[1], z - a[2]
        t = np.minimum(np.maximum((px * d[0] + py * d[1] + pz * d[2]) / length2, 0.0), 1.0)
        px, py, pz = px - t * d[0], py - t * d[1], pz - t * d[2]
        return np.sqrt(px * px + py * py + pz * pz) - (ra + (rb - ra) * t)
    return field


def rounded_box(centre, half, radius):
    def field(x, y, z):
        q = [np.abs(c - m) - (h - radius) for c, m, h in zip((x, y, z), centre, half)]
        o = [np.maximum(v, 0.0) for v in q]
        outside = np.sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2])
        return outside + np.minimum(np.maximum(np.maximum(q[0], q[1]), q[2]), 0.0) - radius
    return field


def half_space(normal, offset):
    """Inside where normal . p < offset."""
    return lambda x, y, z: x * normal[0] + y * normal[1] + z * normal[2] - offset


def turned(field, rotation, centre=(0, 0, 0)):
    """The field's shape, rotated about `centre`."""
    m = np.asarray(rotation, dtype=np.float64)

    def result(x, y, z):
        p = (x - centre[0], y - centre[1], z - centre[2])
        local = [p[0] * m[0, i] + p[1] * m[1, i] + p[2] * m[2, i] + centre[i] for i in range(3)]
        return field(*local)
    return result


def union(*fields, blend=0.0):
    """Smallest of the fields; `blend` [m] rounds the seams."""
    def result(x, y, z):
        total = fields[0](x, y, z)
        for f in fields[1:]:
            total = _smooth_min(total, f(x, y, z), blend)
        return total
    return result


def minus(field, tool, blend=0.0):
    return lambda x, y, z: -_smooth_min(-field(x, y, z), tool(x, y, z), blend)


def both(field, other, blend=0.0):
    return lambda x, y, z: -_smooth_min(-field(x, y, z), -other(x, y, z), blend)


def _smooth_min(a, b, k):
    if k == 0:
        return np.minimum(a, b)
    h = np.maximum(k - np.abs(a - b), 0.0) / k
    return np.minimum(a, b) - h * h * (k * 0.25)


def rough(field, amplitude, cell, seed):
    """Adds two octaves of value noise."""
    def result(x, y, z):
        d = field(x, y, z)
        return d + amplitude * (noise(x / cell, y / cell, z / cell, seed)
                                + 0.5 * noise(2 * x / cell, 2 * y / cell, 2 * z / cell, seed + 1))
    return result


def noise(x, y, z, seed):
    """Smooth value noise in [-1, 1] from hashed integer lattice values."""
    base = [np.floor(c) for c in (x, y, z)]
    f = [c - b for c, b in zip((x, y, z), base)]
    s = [t * t * (3 - 2 * t) for t in f]
    i, j, k = (b.astype(np.int64) for b in base)
    total = 0.0
    for a in (0, 1):
        for b in (0, 1):
            for c in (0, 1):
                weight = (s[0] if a else 1 - s[0]) * (s[1] if b else 1 - s[1]) * (s[2] if c else 1 - s[2])
                total = total + weight * _hash(i + a, j + b, k + c, seed)
    return total


def _hash(i, j, k, seed):
    """Integers to [-1, 1); 64-bit mixing with wrap-around, as in SplitMix64."""
    h = (i.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + j.astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)
         + k.astype(np.uint64) * np.uint64(0x165667B19E3779F9) + np.uint64(seed * 0x27D4EB2F165667C5 % 2**64))
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        h = (h ^ (h >> np.uint64(shift))) * np.uint64(factor)
    h ^= h >> np.uint64(31)
    return (h >> np.uint64(11)).astype(np.float64) * (2.0 / 2**53) - 1.0


def surface(field, low, high, cell, steps=3):
    """Closed mesh of field = 0 inside the box low..high, which must hold it all."""
    axes = [low[i] + cell * (np.arange(int((high[i] - low[i]) / cell) + 2) - 0.37) for i in range(3)]
    value = _sample(field, axes)
    while _fill_ambiguous(value, cell):
        pass
    inside = value < 0
    if inside[[0, -1]].any() or inside[:, [0, -1]].any() or inside[:, :, [0, -1]].any():
        raise ValueError("the shape reaches the border of its grid")
    points, number, corner = _cell_vertices(axes, value, inside, cell)
    for _ in range(steps):
        # A vertex stays in its cell, a little away from its walls: no triangle folds over or collapses.
        points = np.minimum(np.maximum(_project(field, points, cell), corner + 0.04 * cell), corner + 0.96 * cell)
    return Mesh(snap(points), _quads(inside, number, snap(points)))


def _fill_ambiguous(value, cell):
    """Where two sheets would pass through one cell (corners inside only across a diagonal), puts one more grid point
    inside, the one that is nearest to it. Returns whether there was any; repeated until none is left, the surface is a
    manifold."""
    found = False
    for first, second in _diagonals():
        span = [max(p[i] for p in first + second) for i in range(3)]
        views = [value[tuple(slice(o, n - s + o) for o, n, s in zip(p, value.shape, span))] for p in first + second]
        pair, others = views[:len(first)], views[len(first):]
        bad = np.ones(views[0].shape, dtype=bool)
        for v in pair:
            bad &= v < 0
        for v in others:
            bad &= v >= 0
        if bad.any():
            found = True
            nearest = others[0]
            for v in others[1:]:
                nearest = np.minimum(nearest, v)
            for v in others:
                v[bad & (v == nearest) & (v >= 0)] = -1e-6 * cell
    return found


def _diagonals():
    """(corners inside, corners outside) of the ambiguous patterns: face and body diagonals and their complements."""
    patterns = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        face = [tuple(a * (i == u) + b * (i == v) for i in range(3)) for a, b in ((0, 0), (1, 1), (0, 1), (1, 0))]
        patterns += [(face[:2], face[2:]), (face[2:], face[:2])]
    corners = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    for a in corners[:4]:
        ends = [a, tuple(1 - x for x in a)]
        rest = [c for c in corners if c not in ends]
        patterns += [(ends, rest), (rest, ends)]
    return patterns


def _sample(field, axes):
    """The field on the grid, a slab at a time to bound memory."""
    slabs = []
    y, z = np.meshgrid(axes[1], axes[2], indexing="ij")
    for x in axes[0]:
        slabs.append(field(np.full(y.shape, x), y, z))
    return np.stack(slabs)


def _cell_vertices(axes, value, inside, cell):
    """Mean of the edge crossings of every cell the surface passes through; the cells' numbers and lower corners."""
    shape = tuple(n - 1 for n in value.shape)
    corner = {(a, b, c): (slice(a, a + shape[0]), slice(b, b + shape[1]), slice(c, c + shape[2]))
              for a in (0, 1) for b in (0, 1) for c in (0, 1)}
    full = np.ones(shape, dtype=bool)
    some = np.zeros(shape, dtype=bool)
    for s in corner.values():
        full &= inside[s]
        some |= inside[s]
    active = np.nonzero(some & ~full)
    number = np.full(shape, -1, dtype=np.int64)
    number[active] = np.arange(len(active[0]))
    total, count = np.zeros((len(active[0]), 3)), np.zeros(len(active[0]))
    for start in corner:
        for axis in range(3):
            if start[axis]:
                continue
            end = tuple(v + (i == axis) for i, v in enumerate(start))
            v0, v1 = value[corner[start]][active], value[corner[end]][active]
            crosses = (v0 < 0) != (v1 < 0)
            t = v0 / np.where(crosses, v0 - v1, 1.0)
            for i in range(3):
                total[:, i] += np.where(crosses, start[i] + (t if i == axis else 0.0), 0.0)
            count += crosses
    corner = np.stack([axes[i][active[i]] for i in range(3)], axis=1)
    return corner + cell * (total / count[:, None]), number, corner


def _project(field, points, cell):
    """One Newton step along the gradient, at most half a cell long."""
    x, y, z = points[:, 0], points[:, 1], points[:, 2]
    h = 0.05 * cell
    value = field(x, y, z)
    g = [(field(x + h, y, z) - field(x - h, y, z)) / (2 * h), (field(x, y + h, z) - field(x, y - h, z)) / (2 * h),
         (field(x, y, z + h) - field(x, y, z - h)) / (2 * h)]
    step = value / np.maximum(g[0] * g[0] + g[1] * g[1] + g[2] * g[2], 1e-3)
    length = np.abs(step) * np.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    step = step * np.minimum(1.0, 0.5 * cell / np.maximum(length, 1e-12))
    return np.stack([x - step * g[0], y - step * g[1], z - step * g[2]], axis=1)


def _quads(inside, number, grid):
    """Two triangles for every grid edge that crosses the surface, split along the shorter diagonal."""
    triangles = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        low, high = [slice(None)] * 3, [slice(None)] * 3
        low[axis], high[axis] = slice(0, -1), slice(1, None)
        for s in (low, high):
            s[u], s[v] = slice(1, -1), slice(1, -1)
        a, b = inside[tuple(low)], inside[tuple(high)]
        at = list(np.nonzero(a != b))
        rising = a[tuple(at)]  # inside to outside along +axis: the face looks along +axis
        at[u], at[v] = at[u] + 1, at[v] + 1
        corners = []
        for du, dv in ((1, 1), (0, 1), (0, 0), (1, 0)):
            c = list(at)
            c[u], c[v] = at[u] - du, at[v] - dv
            corners.append(number[tuple(c)])
        q = np.stack(corners, axis=1)
        q = np.where(rising[:, None], q, q[:, ::-1])
        p = grid[q]
        d02 = ((p[:, 0] - p[:, 2]) ** 2).sum(axis=1)
        d13 = ((p[:, 1] - p[:, 3]) ** 2).sum(axis=1)
        first = (d02 <= d13)[:, None]
        triangles.append(np.where(first, q[:, [0, 1, 2]], q[:, [0, 1, 3]]))
        triangles.append(np.where(first, q[:, [0, 2, 3]], q[:, [1, 2, 3]]))
    return np.concatenate(triangles)
