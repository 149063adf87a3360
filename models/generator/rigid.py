"""Rigid bodies for the benchmarks: torus knot, gear, club, hammer, work piece, ball."""
import math

import numpy as np

from .mesh import Mesh, merge
from .prism import hole, layer, rounded_rectangle, stack
from .solids import circle, cross, dot, grid_triangles, loft, tube, unit


def torus_knot():
    """The (2, 3) knot, 576 stations of 30 points; it fits in a ball of 0.16 m."""
    stations, around, major, minor, thickness = 576, 30, 0.09, 0.04, 0.021

    def at(t):
        r = major + minor * math.cos(3 * t)
        return np.array([r * math.cos(2 * t), r * math.sin(2 * t), minor * math.sin(3 * t)])

    points = []
    for i in range(stations):
        t = 2 * math.pi * i / stations
        centre, core = at(t), np.array([major * math.cos(2 * t), major * math.sin(2 * t), 0.0])
        tangent = unit(at(t + 1e-4) - at(t - 1e-4))
        normal = centre - core  # from the torus' core circle: turns with the knot and comes back to itself
        normal = unit(normal - dot(normal, tangent) * tangent)
        binormal = cross(tangent, normal)
        points += [centre + thickness * (c * normal + s * binormal) for c, s in circle(around)]
    return Mesh(points, grid_triangles(stations, around, True, True))


TEETH, ROOT, TIP = 20, 0.087, 0.106


def _tooth_outline():
    """(angle, radius) round the gear; flanks follow an involute's first steps closely enough to look at."""
    shape = [(-0.5, 0.0), (-0.43, 0.0), (-0.36, 0.0), (-0.30, 0.02), (-0.265, 0.15), (-0.24, 0.35), (-0.205, 0.6),
             (-0.16, 0.85), (-0.12, 1.0), (0.0, 1.0), (0.12, 1.0), (0.16, 0.85), (0.205, 0.6), (0.24, 0.35),
             (0.265, 0.15), (0.30, 0.02)]
    return [(2 * math.pi * (k + u) / TEETH, ROOT + h * (TIP - ROOT)) for k in range(TEETH) for u, h in shape]


def gear():
    """Helical gear with a recessed web, a hub and a bore: a ring of 40 by 320 points."""
    # Rows of the upper half (z, radius or None for the toothed outline, share of the tooth's height), from the middle
    # of the teeth over rim, web and hub to the bore; the lower half mirrors them.
    upper = [(z, None, 1.0) for z in (0.0015, 0.0045, 0.008, 0.0115, 0.015, 0.0185)]
    upper += [(0.02, None, 0.93), (0.02, 0.085, 0.0)]
    upper += [(z, radius, 0.0) for z, radius in (
        (0.02, 0.079), (0.02, 0.074), (0.018, 0.072), (0.008, 0.070), (0.006, 0.067), (0.006, 0.055), (0.006, 0.043),
        (0.008, 0.038), (0.023, 0.034), (0.025, 0.032), (0.025, 0.021), (0.0235, 0.0195))]
    rows = upper + [(-z, radius, kept) for z, radius, kept in upper[::-1]]
    outline, points = _tooth_outline(), []
    for z, radius, kept in rows:
        for angle, r in outline:
            r = ROOT + kept * (r - ROOT) if radius is None else radius
            a = angle + 6.0 * z
            points.append((r * math.cos(a), r * math.sin(a), z))
    return Mesh(points, grid_triangles(len(rows), len(outline), True, True))


def club():
    """A mace: gripped handle, head with spikes in a golden-angle spiral; 262 rings of 200 points and two poles."""
    around, centre, head = 200, 0.52, 0.075
    spikes = []
    for i in range(44):
        up = 1 - 2 * (i + 0.5) / 44
        a, flat = 2.399963 * i, math.sqrt(1 - up * up)
        spikes.append(np.array([flat * math.cos(a), flat * math.sin(a), up]))
    spikes = [s for s in spikes if s[2] > -0.86]
    rings = [[(0.0, 0.0, -0.012)]]
    for i in range(262):
        radius, z = _club_profile((i + 0.5) / 262, centre, head)
        ring = []
        for c, s in circle(around, 1.0, 0.5 * (i % 2)):
            p = np.array([radius * c, radius * s, z])
            if z > centre - 0.9 * head:
                direction = unit(p - (0, 0, centre))
                height = max(_spike(dot(direction, spike)) for spike in spikes)
                p = p + height * direction
            ring.append(p)
        rings.append(ring)
    return loft(rings + [[(0.0, 0.0, centre + head + _spike(max(s[2] for s in spikes)))]])


def _spike(cosine):
    """Height of a spike at an angle from its axis: a steep cone with a softened foot."""
    angle = math.acos(min(1.0, cosine))
    t = max(0.0, 1 - angle / 0.235)
    return 0.034 * t * t * (0.6 + 0.4 * t) + 0.004 * max(0.0, 1 - angle / 0.3)


def _club_profile(t, centre, head):
    """(radius, z): pommel, grip with rings, shaft, head; half of the rings serve the head."""
    if t < 0.08:  # pommel
        a = math.pi * (t / 0.08) * 0.86
        return 0.026 * math.sin(a) + 0.0002, 0.014 - 0.026 * math.cos(a)
    if t < 0.32:  # grip
        u = (t - 0.08) / 0.24
        return 0.0145 + 0.002 * abs(math.sin(9 * math.pi * u)) - 0.003 * (1 - u) * u, 0.0385 + 0.14 * u
    if t < 0.45:  # shaft, with a collar under the head
        u = (t - 0.32) / 0.13
        collar = 0.009 * max(0.0, 1 - abs(u - 0.9) / 0.07)
        return 0.0145 + 0.003 * u + collar, 0.1785 + (centre - 0.97 * head - 0.1785) * u
    u = (t - 0.45) / 0.55
    a = math.pi * (0.077 + 0.923 * u)
    return head * math.sin(a) + 1e-5, centre - head * math.cos(a)


def hammer():
    """Cross-peen hammer: a steel head along x, and a wooden handle that ends 0.2 mm under it; both closed."""
    # Stations of the head: x, half height, half width, squareness, height of the centre.
    stations = [(-0.060, 0.0125, 0.0125, 2, 0), (-0.058, 0.0145, 0.0145, 2, 0), (-0.044, 0.015, 0.015, 2, 0),
                (-0.041, 0.012, 0.012, 2.2, 0), (-0.032, 0.011, 0.011, 2.5, 0), (-0.024, 0.0125, 0.0125, 4, 0),
                (-0.019, 0.0145, 0.014, 6, 0), (-0.012, 0.015, 0.0145, 6, 0), (0, 0.015, 0.0145, 6, 0),
                (0.012, 0.015, 0.0145, 6, 0), (0.019, 0.0145, 0.014, 6, 0), (0.024, 0.0125, 0.0132, 5, 0),
                (0.034, 0.0098, 0.0135, 4, 0.0005), (0.046, 0.0065, 0.0138, 4, 0.001),
                (0.056, 0.0038, 0.014, 4, 0.0012),
                (0.062, 0.0022, 0.014, 4, 0.0014), (0.064, 0.0012, 0.0136, 4, 0.0014)]
    rings = []
    for x, height, width, power, z in stations:
        rings.append([(x, width * math.copysign(abs(c) ** (2 / power), c),
                       z + height * math.copysign(abs(s) ** (2 / power), s)) for c, s in circle(29, 1.0, 0.5)])
    head = loft(rings, caps="centre")
    stops = [(-0.0152, 0.0085, 0.0125), (-0.03, 0.0085, 0.0125), (-0.05, 0.0075, 0.0105), (-0.09, 0.0072, 0.0098),
             (-0.13, 0.0085, 0.0118), (-0.17, 0.0102, 0.0142), (-0.21, 0.0108, 0.0152), (-0.25, 0.0108, 0.0152),
             (-0.28, 0.011, 0.0158), (-0.297, 0.0118, 0.017), (-0.304, 0.0105, 0.0155), (-0.307, 0.007, 0.011)]
    handle = tube([(0, 0, z) for z, _, _ in stops], [(w, h) for _, h, w in stops], 29, caps="centre")
    return merge([head, handle])


def work_piece():
    """Milled block: two levels, stepped pockets, counterbored holes, slots, a boss with a bore; 0.2 x 0.14 x 0.06 m."""
    corners = [(x, y) for x in (-0.084, 0.084) for y in (-0.054, 0.054)]
    block = rounded_rectangle(0.2, 0.14, 0.012, 6)
    waist = rounded_rectangle(0.196, 0.136, 0.010, 6)
    through = [hole(12, 0.0045, c) for c in corners]
    counterbores = [hole(12, 0.008, c) for c in corners]
    slots = [rounded_rectangle(0.012, 0.05, 0.0059, 4, (x, 0))[::-1] for x in (-0.065, -0.045)]
    dowels = [hole(10, 0.003, (x, y)) for x, y in ((-0.03, 0.054), (0.03, -0.054), (0.0, 0.054), (0.0, -0.054))]
    pocket = rounded_rectangle(0.052, 0.062, 0.008, 5, (-0.002, 0))[::-1]
    deep = rounded_rectangle(0.036, 0.046, 0.006, 5, (-0.002, 0))[::-1]
    spot, bore = (0.052, 0.0), 0.011
    blind = [hole(8, 0.0025, (spot[0] + 0.015 * math.cos(a), 0.015 * math.sin(a))) for a in
             (math.pi * (2 * k + 1) / 6 for k in range(6))]
    centre_hole = hole(20, bore, spot)
    layers = [layer(0.0, 0.002, [waist] + through + slots + [centre_hole], [block] + through + slots + [centre_hole]),
              layer(0.002, 0.014, [block] + through + slots + [centre_hole]),
              layer(0.014, 0.020, [block] + through + slots + [centre_hole, deep]),
              layer(0.020, 0.026, [block] + counterbores + slots + dowels + [centre_hole, pocket]),
              layer(0.026, 0.030, [block] + counterbores + slots + dowels + [centre_hole, pocket])]
    boss = circle(28, 0.026, 0, spot)
    layers += [layer(0.030, 0.044, [boss, centre_hole]), layer(0.044, 0.058, [boss, centre_hole] + blind),
               layer(0.058, 0.060, [boss, centre_hole] + blind, [circle(28, 0.024, 0, spot), centre_hole] + blind)]
    return stack(layers)


def ball(radius=0.035, frequency=10):
    """Geodesic sphere: every face of an icosahedron in frequency^2 triangles."""
    golden = (1 + math.sqrt(5)) / 2
    corners = [np.array(p, dtype=np.float64) for p in
               ((-1, golden, 0), (1, golden, 0), (-1, -golden, 0), (1, -golden, 0), (0, -1, golden), (0, 1, golden),
                (0, -1, -golden), (0, 1, -golden), (golden, 0, -1), (golden, 0, 1), (-golden, 0, -1), (-golden, 0, 1))]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6),
             (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10),
             (8, 6, 7), (9, 8, 1)]
    points, triangles = [], []
    for a, b, c in faces:
        start = len(points)
        row = [start + i * (i + 1) // 2 for i in range(frequency + 2)]
        for i in range(frequency + 1):
            for j in range(i + 1):
                points.append(radius * unit((frequency - i) * corners[a] + (i - j) * corners[b] + j * corners[c]))
        for i in range(frequency):
            for j in range(i + 1):
                triangles.append((row[i] + j, row[i + 1] + j, row[i + 1] + j + 1))
                if j < i:
                    triangles.append((row[i] + j, row[i + 1] + j + 1, row[i] + j + 1))
    return Mesh(points, triangles)
