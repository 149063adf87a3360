"""Garden chess: a board of 4.8 m with pieces up to 1.1 m tall. Every kind of piece is stored once and placed by the
scene. Shapes are our own, after the Staunton pattern: turned on a lathe, the knight's head modelled."""
import math

import numpy as np

from .mesh import Mesh, merge
from .prism import layer, rectangle, stack
from .sdf import both, capsule, ellipsoid, half_space, minus, surface, turned, union
from .solids import loft, rotation

SQUARE = 0.6     # [m]
BOARD_TOP = 0.0
CLEARANCE = 0.0002  # [m] below the pieces, so that nothing touches


def _spline(points, count):
    """Catmull-Rom curve through (radius, z) points, `count` of them, evenly by arc length of the polygon."""
    p = [np.array(q, dtype=np.float64) for q in points]
    dense = []
    for k in range(len(p) - 1):
        p0, p1, p2, p3 = p[max(k - 1, 0)], p[k], p[k + 1], p[min(k + 2, len(p) - 1)]
        if k > 0 and abs(p0[1] - p1[1]) + abs(p0[0] - p1[0]) < 1e-9:
            p0 = p1
        for i in range(24):
            u = i / 24
            dense.append(0.5 * (2 * p1 + (p2 - p0) * u + (2 * p0 - 5 * p1 + 4 * p2 - p3) * u * u
                                + (3 * p1 - p0 - 3 * p2 + p3) * u * u * u))
    dense.append(p[-1])
    length = [0.0]
    for a, b in zip(dense, dense[1:]):
        length.append(length[-1] + math.hypot(b[0] - a[0], b[1] - a[1]))
    result, k = [], 0
    for i in range(count):
        s = length[-1] * i / (count - 1)
        while k < len(dense) - 2 and length[k + 1] < s:
            k += 1
        u = (s - length[k]) / (length[k + 1] - length[k])
        q = dense[k] + u * (dense[k + 1] - dense[k])
        result.append((max(float(q[0]), 0.0), float(q[1])))
    return result


def foot(radius):
    """Profile of the common base: a plinth with a ring; ends in the stem."""
    return [(radius, 0.0), (radius, 0.035), (0.94 * radius, 0.06), (0.80 * radius, 0.075), (0.82 * radius, 0.095),
            (0.66 * radius, 0.125)]


def turned_piece(profile, rows, around, shape=None):
    """Lathe of a profile with a flat underside; `shape(radius, z, angle)` may move points for slits and crowns."""
    rings = [[(0.0, 0.0, 0.0)]]
    for radius, z in _spline(profile, rows):
        ring = []
        for i in range(around):
            angle = 2 * math.pi * i / around
            r, h = (radius, z) if shape is None else shape(radius, z, angle)
            ring.append((r * math.cos(angle), r * math.sin(angle), h))
        rings.append(ring)
    top = rings.pop()
    rings.append([(0.0, 0.0, sum(p[2] for p in top) / around)])
    return loft(rings)


def pawn():
    profile = foot(0.17) + [(0.085, 0.19), (0.062, 0.29), (0.06, 0.335), (0.115, 0.352), (0.115, 0.366), (0.066, 0.382),
                            (0.095, 0.425), (0.103, 0.465), (0.088, 0.515), (0.045, 0.552), (0.0, 0.562)]
    return turned_piece(profile, 41, 32)


def rook():
    profile = foot(0.2) + [(0.125, 0.2), (0.108, 0.33), (0.11, 0.44), (0.15, 0.475), (0.155, 0.5), (0.152, 0.61),
                           (0.14, 0.613), (0.112, 0.61), (0.108, 0.57), (0.1, 0.54), (0.04, 0.54), (0.0, 0.54)]

    def battlements(radius, z, angle):
        gap = math.cos(6 * angle) < -0.35 and radius > 0.1 and z > 0.55
        return radius, 0.55 if gap else z
    return turned_piece(profile, 39, 42, battlements)


def bishop():
    profile = foot(0.19) + [(0.095, 0.22), (0.068, 0.4), (0.066, 0.47), (0.13, 0.49), (0.13, 0.505), (0.08, 0.525),
                            (0.105, 0.585), (0.112, 0.635), (0.095, 0.7), (0.055, 0.765), (0.03, 0.785), (0.04, 0.815),
                            (0.03, 0.84), (0.0, 0.852)]

    def mitre(radius, z, angle):
        distance = abs((z - 0.69) - 0.9 * radius * math.cos(angle) + 0.02)
        share = max(0.0, 1 - distance / 0.03) * max(0.0, math.cos(angle)) if z > 0.6 else 0.0
        return radius * (1 - 0.5 * share), z
    return turned_piece(profile, 51, 32, mitre)


def queen():
    profile = foot(0.21) + [(0.11, 0.25), (0.074, 0.5), (0.074, 0.62), (0.145, 0.645), (0.145, 0.66), (0.09, 0.685),
                            (0.105, 0.78), (0.15, 0.885), (0.152, 0.9), (0.13, 0.895), (0.085, 0.895), (0.05, 0.915),
                            (0.045, 0.95), (0.025, 0.975), (0.0, 0.98)]

    def crown(radius, z, angle):
        share = max(0.0, 1 - abs(z - 0.893) / 0.05) if radius > 0.08 else 0.0
        return radius, z - 0.028 * share * (0.5 - 0.5 * math.cos(9 * angle))
    return turned_piece(profile, 53, 36, crown)


def king():
    profile = foot(0.215) + [(0.115, 0.26), (0.08, 0.53), (0.08, 0.66), (0.15, 0.685), (0.15, 0.7), (0.095, 0.725),
                             (0.11, 0.82), (0.14, 0.925), (0.13, 0.945), (0.08, 0.965), (0.035, 0.985), (0.02, 0.988),
                             (0.0, 0.989)]
    cross = [(-0.014, 0.99), (0.014, 0.99), (0.017, 1.035), (0.055, 1.03), (0.055, 1.066), (0.017, 1.061), (0.02, 1.1),
             (-0.02, 1.1), (-0.017, 1.061), (-0.055, 1.066), (-0.055, 1.03), (-0.017, 1.035)]
    body = turned_piece(profile, 51, 36)
    return merge([body, stack([layer(-0.016, 0.016, [cross])], "-y")])


def knight_field():
    """Horse's head and neck, cut flat where they stand on the base."""
    neck = union(capsule((-0.02, 0, 0.10), (-0.055, 0, 0.36), 0.112, 0.098),
                 capsule((-0.055, 0, 0.36), (0.0, 0, 0.54), 0.098, 0.08), blend=0.06)
    chest = ellipsoid((0.045, 0, 0.25), (0.085, 0.08, 0.12))
    head = capsule((0.0, 0, 0.545), (0.15, 0, 0.45), 0.08, 0.052)
    muzzle = ellipsoid((0.165, 0, 0.436), (0.052, 0.05, 0.046))
    ears = [turned(ellipsoid((-0.01, s * 0.042, 0.64), (0.022, 0.02, 0.055)), rotation("y", -12), (0, 0, 0.6))
            for s in (1, -1)]
    mane = [ellipsoid((-0.135 + 0.012 * k + 0.0055 * k * k, 0, 0.24 + 0.066 * k), (0.042, 0.03, 0.042))
            for k in range(6)]
    horse = union(neck, chest, head, muzzle, blend=0.05)
    horse = union(horse, *mane, blend=0.02)
    horse = union(horse, *ears, blend=0.012)
    for s in (1, -1):
        horse = minus(horse, ellipsoid((0.05, s * 0.082, 0.545), (0.026, 0.018, 0.02)), 0.012)     # eye socket
        horse = union(horse, ellipsoid((0.05, s * 0.066, 0.545), (0.016, 0.012, 0.014)), blend=0.004)
        horse = minus(horse, ellipsoid((0.205, s * 0.035, 0.452), (0.018, 0.012, 0.012)), 0.01)    # nostril
    mouth = turned(ellipsoid((0.2, 0, 0.42), (0.05, 0.08, 0.009)), rotation("y", 28), (0.2, 0, 0.42))
    horse = minus(horse, mouth, 0.01)
    return both(horse, half_space((0, 0, -1), -0.128))


KNIGHT_CELL = 0.019


def knight():
    """The modelled head a little above a turned base, two closed surfaces."""
    head = surface(knight_field(), (-0.25, -0.2, 0.05), (0.27, 0.2, 0.75), KNIGHT_CELL)
    height = 0.1252 - float(head.vertices[:, 2].min())
    base = turned_piece(foot(0.2) + [(0.12, 0.125), (0.0, 0.125)], 18, 32)
    return merge([base, head.moved(translation=(0, 0, height))])


def board():
    """Frame, slab and 64 bevelled tiles a little apart; the tiles' tops are at z = 0."""
    half, edge = 4 * SQUARE, 4 * SQUARE + 0.1
    slab = [rectangle(-half, half, -half, half)]
    opening = rectangle(-half - 0.002, half + 0.002, -half - 0.002, half + 0.002)[::-1]
    frame = [rectangle(-edge, edge, -edge, edge), opening]
    inner = [rectangle(-edge + 0.02, edge - 0.02, -edge + 0.02, edge - 0.02), opening]
    parts = [stack([layer(-0.12, -0.0402, slab)]), stack([layer(-0.12, -0.01, frame), layer(-0.01, 0.0, frame, inner)])]
    for i in range(8):
        for j in range(8):
            x, y = SQUARE * (i - 4), SQUARE * (j - 4)
            gap, bevel = 0.002, 0.006
            low = rectangle(x + gap, x + SQUARE - gap, y + gap, y + SQUARE - gap)
            top = rectangle(x + bevel, x + SQUARE - bevel, y + bevel, y + SQUARE - bevel)
            parts.append(stack([layer(-0.04, -0.004, [low]), layer(-0.004, BOARD_TOP, [low], [top])]))
    return merge(parts)


PIECES = {"pawn": pawn, "rook": rook, "knight": knight, "bishop": bishop, "queen": queen, "king": king}

# A position from an open game: file and rank, the file a = 0. White first.
POSITION = {
    "white": ["king g1", "queen d1", "rook a1", "rook f1", "bishop c1", "bishop b3", "knight c3", "knight f3",
              "pawn a2", "pawn b2", "pawn c2", "pawn d3", "pawn e4", "pawn f2", "pawn g2", "pawn h3"],
    "black": ["king g8", "queen d8", "rook a8", "rook f8", "bishop e6", "bishop b6", "knight c6", "knight f6",
              "pawn a7", "pawn b7", "pawn c7", "pawn d6", "pawn e7", "pawn f7", "pawn g7", "pawn h6"]}


def placed():
    """(name, kind, x, y, yaw) of all 32 pieces; x runs along the files a to h, y along the ranks."""
    result = []
    for colour, pieces in POSITION.items():
        for text in pieces:
            kind, square = text.split()
            x = SQUARE * ("abcdefgh".index(square[0]) - 3.5)
            y = SQUARE * (int(square[1]) - 4.5)
            result.append((f"{colour}_{kind}_{square}", kind, x, y, math.pi / 2 if colour == "white" else -math.pi / 2))
    return result
