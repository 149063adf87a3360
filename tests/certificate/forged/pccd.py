"""Certificates by hand: a statement as Python objects, a small prover for it, and the bytes that FORMAT.md asks for."""

import hashlib
import importlib.util
import math
import pathlib
import struct
import tempfile

NONE = 0xFFFFFFFF
ROOT = pathlib.Path(__file__).resolve().parents[3]
SHIFT, ROTATION, TURN = 0, 1, 2
STILL = (1.0, 0.0, 0.0, 0.0)
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
BARE = [(0, 0.0)]

spec = importlib.util.spec_from_file_location("verify", ROOT / "planner_ccd/certificate/verify.py")
verify = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verify)


def text(words):
    raw = words if isinstance(words, bytes) else words.encode()
    return struct.pack("<H", len(raw)) + raw


def many(items):
    return struct.pack("<I", len(items)) + b"".join(items)


class Body:
    def __init__(self, parent=0, shift=(0.0, 0.0, 0.0), quaternion=STILL, moves=()):
        self.parent, self.shift, self.quaternion, self.moves = parent, shift, quaternion, [list(m) for m in moves]

    def bytes(self):
        """A move: kind, axis or turn, curve, multiplier, offset."""
        moves = [struct.pack("<B", kind) + (struct.pack("<I", axis) if kind == TURN else struct.pack("<3d", *axis)) +
                 struct.pack("<I2d", curve, multiplier, offset) for kind, axis, curve, multiplier, offset in self.moves]
        return struct.pack("<I7dB", self.parent, *self.quaternion, *self.shift, len(moves)) + b"".join(moves)


def move(kind, axis, curve=0, multiplier=1.0, offset=0.0):
    return [kind, axis, curve, multiplier, offset]


class Collider:
    """A primitive: three vertices, source, closed surface."""

    def __init__(self, name, body, vertices, primitives, sources=BARE, closed=0, link=1):
        self.name, self.body, self.vertices, self.link = name, body, [tuple(v) for v in vertices], link
        self.primitives, self.sources, self.closed = [list(p) for p in primitives], [list(s) for s in sources], closed
        self.tree = None  # bytes in place of its volumes

    def bytes(self):
        return (text(self.name) + struct.pack("<IB", self.body, self.link) + many([struct.pack("<3d", *v) for v in self.vertices]) +
                many([struct.pack("<Bd", *s) + text("") for s in self.sources]) + struct.pack("<I", self.closed) +
                many([struct.pack("<5I", *p) for p in self.primitives]))

    def volumes(self):
        return struct.pack("<3d", 0.0, 0.0, 0.0) + (self.part(0, len(self.primitives)) if self.tree is None else self.tree)

    def part(self, first, last):
        """A ball of what holds the primitives, down to each of them."""
        if last - first == 1:
            return struct.pack("<B", 3)
        held = [(self.vertices[v], self.sources[p[3]][1]) for p in self.primitives[first:last] for v in p[:3]]
        center = [(min(v[k] for v, _ in held) + max(v[k] for v, _ in held)) / 2 for k in range(3)]
        radius = max(math.dist(v, center) + r for v, r in held) * 1.001 + 1e-6
        middle = (first + last) // 2
        return struct.pack("<B4fI", 4, radius, *center, middle) + self.part(first, middle) + self.part(middle, last)


def triangle(name, body, x, **more):
    return Collider(name, body, [(x, -0.1, -0.1), (x, 0.1, -0.1), (x, 0.0, 0.1)], [(0, 1, 2, 0, NONE)], **more)


def cube(size, at=(0.0, 0.0, 0.0), group=0, other_diagonal=False, inward=False, first=0):
    """Vertices and triangles of a cube with its outside outside."""
    h = size / 2
    vertices = [tuple(a + h * s for a, s in zip(at, signs)) for signs in
                [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]]
    triangles = []
    for a, b, c, d in ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)):
        for t in ((b, c, d), (b, d, a)) if other_diagonal else ((a, b, c), (a, c, d)):
            triangles.append([first + v for v in (reversed(t) if inward else t)] + [0, group])
    return vertices, triangles


def cube_collider(name, body, size, at=(0.0, 0.0, 0.0), **more):
    vertices, triangles = cube(size, at)
    return Collider(name, body, vertices, triangles, closed=1, **more)


def line(*coefficients, tube=0.0):
    return (list(coefficients), tube)


def leaf(*n):
    return struct.pack("<B3d", 1, *n)


BOXES, SPLIT_A, SPLIT_B, SPLIT_TIME = b"\x05", b"\x02", b"\x03", b"\x04"


class Certificate:
    def __init__(self, bodies, colliders, segments, margin=0.0, turns=0):
        """A segment: curves, and (axis, quaternion) of each turn."""
        self.magic, self.version, self.producer, self.title, self.margin = b"PCCDCERT", 1, "by hand", "a forgery", margin
        self.bodies, self.colliders, self.turns = bodies, colliders, turns
        self.segments = [(list(curves), list(turned)) for curves, turned in segments]
        self.curves = [("q%d" % i, -math.inf, math.inf) for i in range(len(segments[0][0]))]
        n = len(colliders)
        self.pairs = [[a, b, margin] for a in range(n) for b in range(a + 1, n) if colliders[a].body != colliders[b].body]
        self.excluded, self.notes, self.inputs = [], [], []
        self.units, self.proof, self.behind, self.digest = None, b"", b"", None

    def statement(self):
        segments = [struct.pack("<2d", i, i + 1.0) +
                    b"".join(struct.pack("<B%ddd" % len(c), len(c) - 1, *c, tube) for c, tube in curves) +
                    b"".join(struct.pack("<7d", *axis, *quaternion) for axis, quaternion in turned)
                    for i, (curves, turned) in enumerate(self.segments)]
        return (text(self.producer) + text(self.title) + struct.pack("<d", self.margin) +
                many([text(name) + struct.pack("<2d", lower, upper) for name, lower, upper in self.curves]) +
                struct.pack("<I", self.turns) + many([b.bytes() for b in self.bodies]) + many([c.bytes() for c in self.colliders]) +
                many([struct.pack("<2Id", *p) for p in self.pairs]) +
                many([struct.pack("<2I", *p[:2]) + text(p[2]) for p in self.excluded]) + many([text(n) for n in self.notes]) +
                many([text(role) + text(name) + struct.pack("<Q", len(data)) + hashlib.sha256(data).digest()
                      for role, name, data in self.inputs]) + many(segments))

    def bytes(self):
        statement = self.statement()
        units = self.units or (0, len(self.pairs) * len(self.segments))
        return (self.magic + struct.pack("<I", self.version) + (self.digest or hashlib.sha256(statement).digest()) + statement +
                b"".join(c.volumes() for c in self.colliders) + struct.pack("<2Q", *units) + self.proof + self.behind)

    def prove(self):
        """Writes a proof that the pairs are apart, whatever is inside of what: raises ValueError where none is found."""
        groups = [(p, p[4]) for c in self.colliders for p in c.primitives]
        for p, _ in groups:
            p[4] = NONE
        with tempfile.NamedTemporaryFile() as file:
            file.write(self.bytes())
            file.flush()
            reader = verify.Reader(file.name)
            s = verify.read_statement(reader)
            verify.read_volumes(reader, s)
        for p, group in groups:
            p[4] = group
        self.proof = b""
        for i in range(len(self.segments)):
            motion = verify.Motion(s, i)
            for a, b, margin in s["pairs"]:
                sides = s["colliders"][a], s["colliders"][b]
                self.proof += prove_part(motion, *sides, verify.exact(margin), (0, 0, 0, 1 << 31), 0)
        return self


DIRECTIONS = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) != (0, 0, 0)]


def prove_part(motion, a, b, margin, task, depth):
    for n in DIRECTIONS:
        if verify.gap_along(motion, a, b, margin, task, n) > 0:
            DIRECTIONS.remove(n)
            DIRECTIONS.insert(0, n)  # likely to be the next one's, too
            return struct.pack("<B3h", 0, *n)
    if depth > 40:
        raise ValueError("no proof is found")
    x, y, t0, t1 = task
    left_a, left_b = a["nodes"][x]["left"], b["nodes"][y]["left"]
    if depth % 3 == 2 or (left_a is None and left_b is None):
        parts, step = [(x, y, t0, (t0 + t1) // 2), (x, y, (t0 + t1) // 2, t1)], SPLIT_TIME
    elif left_a is not None and (left_b is None or depth % 2 == 0):
        parts, step = [(a["nodes"][x][side], y, t0, t1) for side in ("left", "right")], SPLIT_A
    else:
        parts, step = [(x, b["nodes"][y][side], t0, t1) for side in ("left", "right")], SPLIT_B
    return step + b"".join(prove_part(motion, a, b, margin, part, depth + 1) for part in parts)


# ---- honest ones ---------------------------------------------------------------------------------------------------------

def slider(*coefficients, margin=0.0, tube=0.0, multiplier=1.0, offset=0.0):
    """A triangle is moved along x from 0 by `coefficients`; another one stands at x = 1. Honest by 0.5."""
    c = Certificate([Body(moves=[move(SHIFT, X, 0, multiplier, offset)])], [triangle("hand", 1, 0.0), triangle("wall", 0, 1.0)],
                    [([line(*(coefficients or (0.0, 0.5)), tube=tube)], [])], margin)
    c.proof = struct.pack("<B3h", 0, 1, 0, 0)
    return c


def arm():
    """Two hinges, a hand of a cube with a ball on it and a rod along the forearm; a wall, a post and a triangle in its world; two segments,
    one of them a curve; a margin of 1 cm."""
    bodies = [Body(shift=(0.0, 0.0, 0.5), moves=[move(ROTATION, Z, 0)]),
              Body(1, (0.4, 0.0, 0.0), (0.9, 0.1, 0.2, 0.3), [move(ROTATION, (0.0, 1.0, 1.0), 1, 0.5, 0.1)])]
    vertices, triangles = cube(0.1, (0.3, 0.0, 0.0))
    hand = Collider("hand", 2, vertices + [(0.3, 0.0, 0.1), (0.05, 0.0, 0.0), (0.2, 0.0, 0.0)],
                    triangles + [[8, 8, 8, 1, NONE], [9, 10, 10, 2, NONE]], [(0, 0.0), (0, 0.03), (1, 0.02)], 1)
    forearm = Collider("forearm", 1, [(0.1, 0.0, 0.0), (0.25, 0.0, 0.0)], [[0, 1, 1, 0, NONE]], [(0, 0.04)])
    wall = cube_collider("wall", 0, 1.0, (0.0, -1.5, 0.5), link=0)
    post = Collider("post", 0, [(-0.5, 0.5, 0.0), (-0.5, 0.5, 1.0)], [[0, 1, 1, 0, NONE]], [(1, 0.05)], link=0)
    segments = [([line(0.0, 0.6), line(0.0, 0.5, 0.2, tube=1e-4)], []),
                ([line(0.6, 0.3, -0.2, 0.1), line(0.7, 0.0, 0.0, 0.0, 0.0, -0.3)], [])]
    c = Certificate(bodies, [hand, forearm, wall, post], segments, 0.01)
    c.excluded, c.pairs = [[0, 1, "adjacent"]], [p for p in c.pairs if p[:2] != [0, 1]]
    return c.prove()


def floater():
    """Turns about an axis of its own in each of two segments, and flies on."""
    half = math.sqrt(0.5)
    c = Certificate([Body(moves=[move(SHIFT, X, 0), move(TURN, 0, 1)])], [cube_collider("drone", 1, 0.2), triangle("wall", 0, 1.0)],
                    [([line(0.0, 0.3), line(0.0, math.pi / 2)], [(Z, STILL)]),
                     ([line(0.3, 0.1), line(0.0, 0.2)], [(Y, (half, 0.0, 0.0, half))])], turns=1)
    return c.prove()


def beside_a_box():
    """A closed cube of 0.2 m slides beside one of 2 m."""
    c = Certificate([Body(moves=[move(SHIFT, Z, 0)])], [cube_collider("hand", 1, 0.2, (1.7, 0.0, 0.0)), cube_collider("box", 0, 2.0)],
                    [([line(0.0, 0.1)], [])])
    return c.prove()


def in_a_box(box, hand=None):
    """The hand, a ball of 0.2 m, slides in the middle of `box`, whose faces are apart from it all the way."""
    hand = hand or Collider("hand", 1, [(0.0, 0.0, 0.0)], [[0, 0, 0, 0, NONE]], [(0, 0.1)])
    c = Certificate([Body(moves=[move(SHIFT, Z, 0)])], [hand, box], [([line(0.0, 0.1)], [])])
    return c.prove()
