#!/usr/bin/env python3
"""Checks a certificate (FORMAT.md) a second time: slowly, in Python alone, sharing no code with planner_ccd_verify.

The theorem is the first page of verifier/verify.hpp. Numbers are intervals of integers in units of 2^-192, every operation rounded
outwards, so that precision is no question. Poses are products of series in s = t - m cut after s^2, along the way from B to A alone;
nothing is known here of twists, and every corner of a volume is looked at for itself.

Exit codes: 0 verified, 1 refuted, 2 unreadable. Several files are the parts of one proof. Options are those of planner_ccd_verify, and
--sample K, which computes every K-th leaf alone and verifies nothing: 3 where these hold. --statement HEX demands what model.py or
planner_ccd statement made of your files.
"""

import argparse
import hashlib
import itertools
import math
import struct
import sys

P = 192
ONE = 1 << P
NONE, HALF_TIMES = 0xFFFFFFFF, 31
ROLES = ("robot", "srdf", "scene", "path", "limits", "mesh", "input")


class Unreadable(Exception):
    pass


class Refuted(Exception):
    pass


# ---- intervals: pairs of integers, in units of 2^-P ----------------------------------------------------------------------

def exact(x):
    """The double x."""
    n, d = x.as_integer_ratio()
    low = (n << P) // d
    return (low, low if (n << P) % d == 0 else low + 1)


def add(a, b):
    return (a[0] + b[0], a[1] + b[1])


def sub(a, b):
    return (a[0] - b[1], a[1] - b[0])


def neg(a):
    return (-a[1], -a[0])


def mul(a, b):
    p, q, r, s = a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]
    return (min(p, q, r, s) >> P, -(-max(p, q, r, s) >> P))


def divide(a, b):
    """b > 0."""
    ends = [(x << P, y) for x in a for y in b]
    return (min(x // y for x, y in ends), max(-(-x // y) for x, y in ends))


def square(a):
    least = a[0] if a[0] > 0 else (-a[1] if a[1] < 0 else 0)
    most = max(-a[0], a[1])
    return (least * least >> P, -(-most * most >> P))


def root(a):
    return (math.isqrt(max(0, a[0]) << P), math.isqrt(max(0, a[1]) << P) + 1)


ZERO, UNIT = (0, 0), (ONE, ONE)


def total(items):
    low = high = 0
    for a in items:
        low += a[0]
        high += a[1]
    return (low, high)


def dot(a, b):
    return total(mul(x, y) for x, y in zip(a, b))


def norm(a):
    return root(total(square(x) for x in a))


PI = 0x3243F6A8885A308D313198A2E03707344A4093822299F31D0  # and 0.03...
HALF_PI = (PI // 2, PI // 2 + 1)


def sine_cosine(x):
    k = round((x[0] + x[1]) / (2 * HALF_PI[0]))
    r = sub(x, (min(k * HALF_PI[0], k * HALF_PI[1]), max(k * HALF_PI[0], k * HALF_PI[1])))
    if max(-r[0], r[1]) > ONE or max(-x[0], x[1]) >= 10 ** 9 << P:  # the second as planner_ccd_verify
        return (-ONE, ONE), (-ONE, ONE)
    z, series = square(r), [UNIT, UNIT]
    for first in (0, 1):  # 0: sine / r, 1: cosine; |r| <= 1, so that what is left out is below 1/60! < 2^-270
        for n in range(29, 0, -1):
            number = 2 * n * (2 * n + 1) if first == 0 else 2 * n * (2 * n - 1)
            fraction = mul(z, series[first])
            series[first] = sub(UNIT, (fraction[0] // number, -(-fraction[1] // number)))
    s, c = mul(r, series[0]), series[1]
    s, c = (s[0] - 1, s[1] + 1), (c[0] - 1, c[1] + 1)
    return [(s, c), (c, neg(s)), (neg(s), neg(c)), (neg(c), s)][k % 4]


# ---- the file ------------------------------------------------------------------------------------------------------------

class Reader:
    def __init__(self, path):
        self.file = open(path, "rb")
        self.file.seek(0, 2)
        self.left = self.file.tell()
        self.file.seek(0)
        self.hash, self.texts = None, 0

    def bytes(self, n):
        if n > self.left:
            raise Unreadable("the file ends too early")
        self.left -= n
        data = self.file.read(n)
        if self.hash is not None:
            self.hash.update(data)
        return data

    def take(self, form):
        return struct.unpack("<" + form, self.bytes(struct.calcsize("<" + form)))

    def one(self, form):
        return self.take(form)[0]

    def numbers(self, form, least=-1e12):
        values = self.take(form)
        if not all(least <= x <= 1e12 for x in values):
            raise Unreadable("a number is beyond its limits")
        return values

    def vector(self):
        return [exact(x) for x in self.numbers("3d")]

    def text(self):
        """In quotes; whatever is no printable ASCII, and ' and \\, as \\xHH."""
        raw = self.bytes(self.one("H"))
        self.texts += len(raw) + 32
        if self.texts > 64000000:
            raise Unreadable("the texts are beyond the limit of 64 MB")
        return "'" + "".join(chr(b) if 32 <= b < 127 and b not in b"'\\" else "\\x%02x" % b for b in raw) + "'"

    def count(self, least_bytes, most=NONE):
        n = self.one("I")
        if n * least_bytes > self.left:
            raise Unreadable("a count is greater than the file")
        if n > most:
            raise Unreadable("a count is beyond the limit of %d" % most)
        return n

    def index(self, below, or_none=False):
        i = self.one("I")
        if i >= below and not (or_none and i == NONE):
            raise Unreadable("an index is out of range")
        return i


def unit(v):
    length = norm(v)
    return [divide(x, length) for x in v]


def read_direction(r):
    v = r.numbers("3d")
    if not 1e-6 <= max(map(abs, v)) <= 1e6:
        raise Unreadable("an axis is zero, or its length beyond the limits")
    return unit([exact(x) for x in v])


def read_rotation(r):
    numbers = r.numbers("4d")
    if not 1e-3 <= max(map(abs, numbers)) <= 1e3:
        raise Unreadable("a quaternion is zero, or its length beyond the limits")
    w, x, y, z = [exact(a) for a in numbers]
    squares = total(square(a) for a in (w, x, y, z))
    rotated = []
    for v in ([UNIT, ZERO, ZERO], [ZERO, UNIT, ZERO], [ZERO, ZERO, UNIT]):
        # q v q*, by products of quaternions
        a = neg(total((mul(x, v[0]), mul(y, v[1]), mul(z, v[2]))))
        b = total((mul(w, v[0]), mul(y, v[2]), neg(mul(z, v[1]))))
        c = total((mul(w, v[1]), mul(z, v[0]), neg(mul(x, v[2]))))
        d = total((mul(w, v[2]), mul(x, v[1]), neg(mul(y, v[0]))))
        column = [total((neg(mul(a, x)), mul(b, w), neg(mul(c, z)), mul(d, y))),
                  total((neg(mul(a, y)), mul(b, z), mul(c, w), neg(mul(d, x)))),
                  total((neg(mul(a, z)), neg(mul(b, y)), mul(c, x), mul(d, w)))]
        rotated.append([divide(e, squares) for e in column])
    return [[rotated[k][i] for k in range(3)] for i in range(3)]


def read_body(r, s):
    body = {"parent": r.index(len(s["bodies"])), "R": read_rotation(r), "p": r.vector(), "moves": []}
    body["distance"] = norm(body["p"])[1]
    for _ in range(r.one("B")):
        kind = r.one("B")
        if kind > 2:
            raise Unreadable("a move is of no known kind")
        move = {"kind": kind}
        if kind == 2:
            move["turn"] = r.index(s["turns"])
        else:
            move["axis"] = read_direction(r)
        move["curve"] = r.index(len(s["curves"]), True)
        move["stated"] = r.numbers("2d")
        move["multiplier"], move["offset"] = [exact(x) for x in move["stated"]]
        body["moves"].append(move)
    body["steps"] = s["bodies"][body["parent"]]["steps"] + 1 + len(body["moves"])
    if body["steps"] > 300:
        raise Unreadable("a body is more than 300 bodies and moves away from the world")
    return body


def read_collider(r, s):
    c = {"name": r.text(), "body": r.index(len(s["bodies"])), "link": r.one("B")}
    c["stated"] = stated = [r.numbers("3d") for _ in range(r.count(24))]
    c["vertices"] = [[exact(x) for x in v] for v in stated]
    c["shapes"] = sources = [(r.one("B") != 0, r.numbers("d", 0.0)[0], r.text())[:2] for _ in range(r.count(11))]
    c["sources"] = [(cylinder, exact(radius)) for cylinder, radius in sources]
    c["groups"] = r.one("I")
    c["primitives"] = []
    for _ in range(r.count(20)):
        a, b, d = [r.index(len(stated)) for _ in range(3)]
        source, group = r.index(len(sources)), r.index(c["groups"], True)
        if sources[source][0] and d != b:
            raise Unreadable("a cylinder has two ends")
        if sources[source][0] and not max(abs(x - y) for x, y in zip(stated[a], stated[b])) > 1e-9:
            raise Unreadable("a cylinder is too short to have an axis")
        if group != NONE and sources[source] != (False, 0):
            raise Unreadable("only bare triangles make a closed surface")
        c["primitives"].append(((a, b, d), source, group))
    if not c["primitives"]:
        raise Unreadable("a collider has no primitives")
    if c["groups"] > len(c["primitives"]):
        raise Unreadable("there are more closed surfaces than primitives")
    balance, known = {}, set()
    for corners, _, group in c["primitives"]:
        triangle = (group, *sorted(stated[v] for v in corners))
        if group != NONE and triangle in known:
            raise Refuted(c["name"] + ": a closed surface has a triangle twice")
        known.add(triangle)
        for k in range(3):
            i, j = corners[k], corners[(k + 1) % 3]
            if group != NONE and i != j:
                edge = (group, min(i, j), max(i, j))
                balance[edge] = balance.get(edge, 0) + (1 if i < j else -1)
    if any(balance.values()):
        raise Refuted(c["name"] + ": a surface that is said to be closed is not")
    return c


def read_segment(r, s):
    clock, curves, turns = r.numbers("2d"), [], []
    for _ in s["curves"]:
        degree = r.one("B")
        if degree > 5:
            raise Unreadable("the degree of a curve is above 5")
        stated = r.numbers("%dd" % (degree + 1))
        tube = r.numbers("d", 0.0)[0]
        curves.append(([exact(x) for x in stated], exact(tube), stated, tube))
    for _ in range(s["turns"]):
        axis = read_direction(r)
        turns.append((axis, read_rotation(r)))
    return curves, turns, clock


def read_statement(r):
    if r.bytes(8) != b"PCCDCERT":
        raise Unreadable("this is no certificate: it does not begin with PCCDCERT")
    if r.one("I") != 1:
        raise Unreadable("this version of the format is unknown")
    claimed = r.bytes(32)
    r.hash = hashlib.sha256()
    s = {"producer": r.text(), "title": r.text(), "margin": r.numbers("d", 0.0)[0], "curves": [], "bodies": [{"steps": 0}]}
    for _ in range(r.count(18)):
        s["curves"].append((r.text(), *r.take("2d")))
        if any(math.isnan(x) for x in s["curves"][-1][1:]):
            raise Unreadable("a number is beyond its limits")
    s["turns"] = r.count(0, 100000)
    for _ in range(r.count(61)):
        s["bodies"].append(read_body(r, s))
    n = r.count(39, 20000)
    s["colliders"] = [read_collider(r, s) for _ in range(n)]
    s["pairs"] = [(r.index(n), r.index(n), r.numbers("d", 0.0)[0]) for _ in range(r.count(16))]
    s["excluded"] = [(r.index(n), r.index(n), r.text()) for _ in range(r.count(10))]
    s["notes"] = [r.text() for _ in range(r.count(2))]
    s["inputs"] = [(r.text(), r.text(), r.one("Q"), r.bytes(32)) for _ in range(r.count(44))]
    s["segments"] = [read_segment(r, s) for _ in range(r.count(16 + 17 * len(s["curves"]) + 56 * s["turns"]))]
    if not s["segments"]:
        raise Unreadable("there is no motion in it")
    s["digest"] = r.hash.digest()
    r.hash = None
    if s["digest"] != claimed:
        raise Refuted("the statement was altered: its SHA-256 is not the one that stands before it")
    require_all_pairs(s)
    return s


def require_all_pairs(s):
    if not s["pairs"]:
        raise Refuted("no pair of bodies is stated to be apart: this proves nothing")
    body, known = [c["body"] for c in s["colliders"]], set()
    for a, b, _ in s["pairs"] + s["excluded"]:
        if (min(a, b), max(a, b)) in known:
            raise Refuted("a pair is there twice")
        known.add((min(a, b), max(a, b)))
    if any(body[a] == body[b] for a, b, _ in s["pairs"]):
        raise Refuted("a pair is of one body")
    on = {}
    for b in body:
        on[b] = on.get(b, 0) + 1
    met = [on[b] for b in body]
    for a, b in known:
        if body[a] != body[b]:
            met[a], met[b] = met[a] + 1, met[b] + 1
    for a in (a for a in range(len(body)) if met[a] < len(body)):
        for b in range(len(body)):
            if body[a] != body[b] and (min(a, b), max(a, b)) not in known:
                raise Refuted("%s and %s are neither checked nor excluded" % tuple(s["colliders"][i]["name"] for i in (a, b)))


def read_volumes(r, s):
    for c in s["colliders"]:
        center = r.vector()
        c["nodes"] = nodes = []
        todo = [(0, len(c["primitives"]), None, None)]
        while todo:
            first, last, parent, side = todo.pop()
            kind = r.one("B")
            if kind > 6:
                raise Unreadable("a volume is of no known kind")
            node = {"first": first, "last": last, "left": None, "right": None, "kind": kind & 3, "corners": None}
            if parent is not None:
                nodes[parent][side] = len(nodes)
            if node["kind"] == 3:
                if last - first != 1:
                    raise Unreadable("a volume that is a primitive has more than one")
            else:
                values = [exact(x) for x in r.numbers("f", 0.0) + r.numbers("%df" % (3 + 3 * node["kind"]))]
                node["radius"] = values[0]
                node["base"] = [add(center[k], values[1 + k]) for k in range(3)]
                node["edges"] = [values[4 + 3 * i:7 + 3 * i] for i in range(node["kind"])]
            nodes.append(node)
            if kind & 4:
                middle = r.one("I")
                if not first < middle < last:
                    raise Unreadable("a volume is split badly")
                todo.append((middle, last, len(nodes) - 1, "right"))
                todo.append((first, middle, len(nodes) - 1, "left"))


def meaning(path, statement):
    """The SHA-256 of the canonical form (FORMAT.md, "What is stated"), read anew; `statement`: of the bytes that were read before."""
    r = Reader(path)
    r.bytes(44)
    r.hash = hashlib.sha256()

    def put(form, count=1):
        """-0 counts as 0."""
        values = r.take("%d%s" % (count, form))
        return struct.pack("<%d%s" % (count, form), *(x if x else 0 for x in values))

    def words():
        size = r.one("H")
        return struct.pack("<H", size) + r.bytes(size)

    def each(read):
        return listed([read() for _ in range(r.one("I"))])

    def listed(items):
        return struct.pack("<I", len(items)) + b"".join(items)

    def body():
        out = put("I") + put("d", 7) + put("B")
        for _ in range(out[-1]):
            kind = put("B")
            out += kind + (put("I") if kind == b"\2" else put("d", 3)) + put("I") + put("d", 2)
        return out

    def collider():
        name, on, kind = words(), put("I"), put("B")
        bodies.append(on)
        vertices = [put("d", 3) for _ in range(r.one("I"))]
        sources = [(put("B") + put("d"), words())[0] for _ in range(r.one("I"))]
        r.one("I")
        loose, closed = [], {}
        for _ in range(r.one("I")):
            corners, source, group = [vertices[r.one("I")] for _ in range(3)], sources[r.one("I")], r.one("I")
            least = corners.index(min(corners))
            if group != NONE:
                corners = corners[least:] + corners[:least]
            else:
                corners = sorted(corners) if source[0] == 0 else sorted(corners[:2]) + [max(corners)]
            (loose if group == NONE else closed.setdefault(group, [])).append(source + b"".join(corners))
        return name + on + kind + listed(sorted(loose)) + listed(sorted(listed(sorted(s)) for s in closed.values()))

    def pairs(read):
        known = {}
        for _ in range(r.one("I")):
            a, b = sorted(r.take("2I"))
            known[a, b] = struct.pack("<2I", a, b) + read()
        return listed([known[p] for p in sorted(known) if bodies[p[0]] != bodies[p[1]]])

    def segment():
        out = put("d", 2)
        for _ in range(curves):
            degree = put("B")
            out += degree + put("d", degree[0] + 2)
        return out + b"".join(put("d", 7) for _ in range(turns))

    bodies, out = [], b"PCCDSTM1"
    words(), words()
    out += put("d")
    stated = each(lambda: words() + put("d", 2))
    curves, turns = struct.unpack_from("<I", stated)[0], r.one("I")
    out += stated + struct.pack("<I", turns) + each(body) + each(collider) + pairs(lambda: put("d")) + pairs(words)
    each(words), each(lambda: words() + words() + put("d", 5))
    out += each(segment)
    if r.hash.digest() != statement:
        raise Unreadable("the file has changed while it was read")
    return hashlib.sha256(out).hexdigest()


# ---- volumes -------------------------------------------------------------------------------------------------------------

def plus(a, b):
    return [add(x, y) for x, y in zip(a, b)]


def minus(a, b):
    return [sub(x, y) for x, y in zip(a, b)]


def times(f, a):
    return [mul(f, x) for x in a]


def check_volume(c, index):
    """The node as corners, discs' radius and axis, ball radius and reach; Refuted unless it holds its primitives."""
    node = c["nodes"][index]
    if node["corners"] is not None:
        return node
    if node["kind"] == 3:
        corners, source, _ = c["primitives"][node["first"]]
        cylinder, radius = c["sources"][source]
        node["corners"] = [c["vertices"][v] for v in (corners[:2] if cylinder else corners)]
        node["ball"], node["disc"] = (ZERO, radius) if cylinder else (radius, None)
        if cylinder:
            node["axis"] = unit(minus(node["corners"][1], node["corners"][0]))
        node["reach"] = max(norm(x)[1] for x in node["corners"]) + (radius[1] if cylinder else 0)
        return node
    corners = [node["base"]]
    for edge in node["edges"]:
        corners += [plus(x, edge) for x in corners]
    node["ball"], node["disc"] = node["radius"], None
    node["reach"] = max(norm(x)[1] for x in corners)
    for i in range(node["first"], node["last"]):
        vertices, source, _ = c["primitives"][i]
        cylinder, radius = c["sources"][source]
        for v in set(vertices[:2] if cylinder else vertices):
            off = nearest_offset(node, c["vertices"][v])
            needed = add(norm(off), radius)
            if cylinder:
                axial = dot(unit(minus(c["vertices"][vertices[1]], c["vertices"][vertices[0]])), off)
                across = root(sub(total(square(x) for x in off), square(axial)))
                needed = root(add(square(axial), square(add(across, radius))))
            if needed[1] > node["radius"][0]:
                raise Refuted("%s: volume %d does not hold primitive %d" % (c["name"], index, i))
    node["corners"] = corners
    return node


def nearest_offset(node, point):
    """From some point of the generator, about the nearest, to the point."""
    off = from_base = minus(point, node["base"])
    for edge in node["edges"]:
        squares = total(square(x) for x in edge)[0]
        share = min(ONE, max(0, (dot(from_base, edge)[0] << P) // squares)) if squares > 0 else 0
        off = minus(off, times((share, share), edge))
    return off


def supports(node, g):
    """g . x at the corners, or the most on each disc."""
    values = [dot(g, x) for x in node["corners"]]
    if node["disc"] is None:
        return values
    across = root(sub(total(square(x) for x in g), square(dot(g, node["axis"]))))
    return [add(v, mul(node["disc"], across)) for v in values]


# ---- motion --------------------------------------------------------------------------------------------------------------
# A series is three intervals: of 1, s, s^2. Matrices and vectors of series are lists of three matrices or vectors.

def transposed(m):
    return [[m[k][i] for k in range(3)] for i in range(3)]


def matrix_product(a, b):
    columns = transposed(b)
    return [[dot(row, column) for column in columns] for row in a]


def matrix_sum(a, b):
    return [plus(x, y) for x, y in zip(a, b)]


IDENTITY = [[UNIT, ZERO, ZERO], [ZERO, UNIT, ZERO], [ZERO, ZERO, UNIT]]
NO_MATRIX = [[ZERO] * 3] * 3
NO_VECTOR = [ZERO] * 3


def compose(X, Y):
    """X Y of two poses that are series: R = (R0, R1, R2), p = (p0, p1, p2)."""
    (Rx, px), (Ry, py) = X, Y
    R, p = [NO_MATRIX] * 3, [list(v) for v in px]
    for i in range(3):
        for j in range(3 - i):
            if Rx[i] is NO_MATRIX:
                continue
            if Ry[j] is not NO_MATRIX:
                product = matrix_product(Rx[i], Ry[j])
                R[i + j] = product if R[i + j] is NO_MATRIX else matrix_sum(R[i + j], product)
            p[i + j] = plus(p[i + j], [dot(row, py[j]) for row in Rx[i]])
    return R, p


def fixed(R, p):
    return [R, NO_MATRIX, NO_MATRIX], [p, NO_VECTOR, NO_VECTOR]


def inverse_fixed(R, p):
    T = transposed(R)
    return fixed(T, [neg(dot(row, p)) for row in T])


def rotation_series(axis, q):
    """Rodrigues: R = I + sin K + (1 - cos) K^2, for the angle q0 + q1 s + q2 s^2."""
    x, y, z = axis
    K = [[ZERO, neg(z), y], [z, ZERO, neg(x)], [neg(y), x, ZERO]]
    K2 = matrix_product(K, K)
    sine, cosine = sine_cosine(q[0])
    half = square(q[1])
    half = (half[0] // 2, -(-half[1] // 2))
    sines = [sine, mul(cosine, q[1]), sub(mul(cosine, q[2]), mul(sine, half))]
    cosines = [sub(UNIT, cosine), mul(sine, q[1]), add(mul(sine, q[2]), mul(cosine, half))]
    series = [matrix_sum([times(a, row) for row in K], [times(b, row) for row in K2]) for a, b in zip(sines, cosines)]
    series[0] = matrix_sum(series[0], IDENTITY)
    return series


class Motion:
    def __init__(self, s, segment):
        self.s, (self.curves, self.turns, _) = s, s["segments"][segment]
        self.known = {}

    def value(self, move, t0, t1):
        """Of the move: its series about the middle; bounds of |q|, |q'|, |q''|, |q'''| over the interval; the tube. Of u = t / 2^31."""
        if move["curve"] == NONE:
            return [move["offset"], ZERO, ZERO], [max(-move["offset"][0], move["offset"][1]), 0, 0, 0], 0
        coefficients, tube, *_ = self.curves[move["curve"]]
        m = (t0 + t1) << (P - 32)
        half = (t1 - t0) << (P - 32)
        shifted = list(coefficients)  # of the powers of u - m, by repeated division
        for i in range(len(shifted)):
            for k in range(len(shifted) - 2, i - 1, -1):
                shifted[k] = add(shifted[k], mul(shifted[k + 1], (m, m)))
        shifted = [mul(move["multiplier"], x) for x in shifted] + [ZERO] * 3
        shifted[0] = add(shifted[0], move["offset"])
        bounds = []
        for order in range(4):
            bound, power = 0, ONE
            for k in range(order, len(shifted)):
                bound += -(-max(-shifted[k][0], shifted[k][1]) * math.perm(k, order) * power >> P)
                power = -(-power * half >> P)
            bounds.append(bound)
        factor = max(-move["multiplier"][0], move["multiplier"][1])
        return shifted[:3], bounds, -(-factor * tube[1] >> P)

    def pose_of_move(self, move, q, inverse):
        if move["kind"] == 0:
            sign = neg if inverse else (lambda x: x)
            return [IDENTITY, NO_MATRIX, NO_MATRIX], [times(sign(x), move["axis"]) for x in q]
        axis, start = (move["axis"], None) if move["kind"] == 1 else self.turns[move["turn"]]
        R = rotation_series(axis, [neg(x) for x in q] if inverse else q)
        if start is not None:
            R = [matrix_product(transposed(start), x) if inverse else matrix_product(x, start) for x in R]
        return R, [NO_VECTOR] * 3

    def relative(self, a, b, t0, t1):
        """A from B as series, and bounds (constant, per metre of reach) of |x''|, |x'''| and of what the tube moves."""
        key = (a, b, t0, t1)
        if key not in self.known:
            if len(self.known) > 2000:
                self.known.clear()
            self.known[key] = self.find(a, b, t0, t1)
        return self.known[key]

    def find(self, a, b, t0, t1):
        bodies, up, down = self.s["bodies"], [], []
        while a != b:
            if a > b:
                down.insert(0, a)
                a = bodies[a]["parent"]
            else:
                up.append(b)
                b = bodies[b]["parent"]
        X, way = fixed(IDENTITY, NO_VECTOR), []  # way: a placement's length, or (is a rotation, bounds, tube)
        for body in up:
            for move in reversed(bodies[body]["moves"]):
                q, bounds, tube = self.value(move, t0, t1)
                X = compose(X, self.pose_of_move(move, q, True))
                way.append((move["kind"] > 0, bounds, tube))
            X = compose(X, inverse_fixed(bodies[body]["R"], bodies[body]["p"]))
            way.append(bodies[body]["distance"])
        for body in down:
            X = compose(X, fixed(bodies[body]["R"], bodies[body]["p"]))
            way.append(bodies[body]["distance"])
            for move in bodies[body]["moves"]:
                q, bounds, tube = self.value(move, t0, t1)
                X = compose(X, self.pose_of_move(move, q, False))
                way.append((move["kind"] > 0, bounds, tube))
        return X, bound_way(way)


def bound_way(way):
    """(M): from A to B. Every quantity is (constant, per metre of reach), rounded up."""
    def grow(target, factor, by):
        return (target[0] - (-factor * by[0] >> P), target[1] - (-factor * by[1] >> P))

    lever, first, second, third, tubes = (0, ONE), (0, 0), (0, 0), (0, 0), (0, 0)
    for step in reversed(way):
        if isinstance(step, int):
            lever = (lever[0] + step, lever[1])
            continue
        rotates, (value, w, a, j), tube = step
        if not rotates:
            lever = (lever[0] + value + tube, lever[1])
            first, second, third = (first[0] + w, first[1]), (second[0] + a, second[1]), (third[0] + j, third[1])
            tubes = (tubes[0] + tube, tubes[1])
            continue
        ww = -(-w * w >> P)
        third = grow(grow(third, 3 * w, second), 3 * (ww + a), first)
        third = grow(third, -(-w * (ww + 3 * a) >> P) + j, lever)
        second = grow(grow(second, 2 * w, first), ww + a, lever)
        first = grow(first, w, lever)
        tubes = grow(tubes, tube, lever)
    return second, third, tubes


# ---- the proof -----------------------------------------------------------------------------------------------------------

def farthest(node, relative, task, n, length, curved):
    """No point of the volume goes beyond this along n over the interval, by (a), or if `curved` by (b)."""
    (R, p), bounds = relative
    second, third, tube = [x[0] - (-x[1] * node["reach"] >> P) for x in bounds]
    h = (task[3] - task[2]) << (P - 32)
    rows = [[dot(n, column) for column in transposed(m)] for m in R]  # n . R_i
    shift, values = [dot(n, v) for v in p], []
    for t in ((-h, -h), (h, h)):
        tt = square(t)
        g, at = plus(rows[0], times(t, rows[1])), add(shift[0], mul(t, shift[1]))
        values.append(max(x[1] for x in supports(node, g)) + at[1])
        if curved:
            values.append(max(x[1] for x in supports(node, plus(g, times(tt, rows[2])))) + add(at, mul(tt, shift[2]))[1])
    rest = -(-(-(-h ** 3 // (6 << (2 * P)))) * third >> P) if curved else -(-(-(-h * h >> (P + 1))) * second >> P)
    return max(values) - (-length * (node["ball"][1] + tube + rest) >> P)


def gap_along(motion, ca, cb, margin, task, n):
    """(L)"""
    va, vb = check_volume(ca, task[0]), check_volume(cb, task[1])
    n = [exact(float(x)) for x in n]
    length = norm(n)[1]
    relative = motion.relative(ca["body"], cb["body"], task[2], task[3])
    least = -max(x[1] for x in supports(vb, [neg(x) for x in n])) - (-(-length * (vb["ball"][1] + margin[1]) >> P))
    return least - min(farthest(va, relative, task, n, length, curved) for curved in (False, True))


def gap_of_boxes(motion, ca, cb, margin, task):
    """(W)"""
    ends = [[], []]
    for c, index, box in ((ca, task[0], ends[0]), (cb, task[1], ends[1])):
        node, relative = check_volume(c, index), motion.relative(c["body"], 0, task[2], task[3])
        for axis in IDENTITY:
            box.append((-farthest(node, relative, task, [neg(x) for x in axis], ONE, False),
                        farthest(node, relative, task, axis, ONE, False)))
    return max(max(b[0] - a[1], a[0] - b[1]) for a, b in zip(*ends)) - margin[1]


def pieces(c):
    if "pieces" not in c:
        leader = list(range(len(c["vertices"])))

        def find(v):
            while leader[v] != v:
                leader[v] = leader[leader[v]]
                v = leader[v]
            return v
        for vertices, _, _ in c["primitives"]:
            for v in vertices[1:]:
                leader[find(v)] = find(vertices[0])
        c["pieces"] = sorted({find(vertices[0]) for vertices, _, _ in c["primitives"]})
    return c["pieces"]


DIRECTIONS = [[exact(x) for x in d] for d in ((0.77, 0.31, 0.557), (-0.61, 0.29, 0.737), (0.13, -0.83, 0.541), (0.37, 0.71, -0.599),
                                              (-0.43, -0.53, 0.731), (0.97, -0.19, -0.151), (-0.07, 0.17, 0.983))]


def determinant(a, b, c):
    return dot(a, [sub(mul(b[1], c[2]), mul(b[2], c[1])), sub(mul(b[2], c[0]), mul(b[0], c[2])), sub(mul(b[0], c[1]), mul(b[1], c[0]))])


def sign(x):
    return 1 if x[0] > 0 else (-1 if x[1] < 0 else 0)


def windings(c, point, d):
    """Of every closed surface about the point, along a ray; None where the ray meets an edge."""
    winding = [0] * c["groups"]
    for vertices, _, group in c["primitives"]:
        if group == NONE:
            continue
        x, y, z = [minus(c["vertices"][v], point) for v in vertices]
        signs = []
        for u, v in ((x, y), (y, z), (z, x)):
            signs.append(sign(determinant(d, u, v)))
            if 1 in signs and -1 in signs:
                break
        if 1 in signs and -1 in signs:
            continue
        if 0 in signs:
            return None
        ahead = sign(determinant(x, y, z))
        if ahead == 0:
            return None
        if ahead == signs[0]:
            winding[group] += ahead
    return winding


def require_outside(holder, point, held, where):
    if holder["groups"] == 0:
        return
    for k in range(3):
        if all(v[k][1] < point[k][0] for v in holder["vertices"]) or all(v[k][0] > point[k][1] for v in holder["vertices"]):
            return
    for d in DIRECTIONS:
        winding = windings(holder, point, d)
        if winding is None:
            continue
        if not any(winding):
            return
        break
    raise Refuted("%s, t = 0: a part of %s is not proved to be outside of %s" % (where, held["name"], holder["name"]))


def check_pair(r, s, motion, segment, pair, sample, tally):
    a, b, margin = pair[0], pair[1], exact(pair[2])
    ca, cb = s["colliders"][a], s["colliders"][b]
    where = "segment %d, %s and %s" % (segment, ca["name"], cb["name"])
    todo, nested = [(0, 0, 0, 1 << HALF_TIMES)], True
    while todo:
        task = todo.pop()
        x, y, t0, t1 = task
        what = r.one("B")
        if what in (0, 1, 5):
            n = None if what == 5 else r.take("3h") if what == 0 else r.numbers("3d")
            if tally[0] % sample == 0:
                gap = gap_of_boxes(motion, ca, cb, margin, task) if n is None else gap_along(motion, ca, cb, margin, task, n)
                if gap <= 0:
                    raise Refuted("%s, volumes %d and %d, u from %.9g to %.9g: they are not proved apart"
                                  % (where, x, y, t0 / 2.0 ** HALF_TIMES, t1 / 2.0 ** HALF_TIMES))
            tally[0] += 1
            nested = nested and (x, y) != (0, 0)
        elif what in (2, 3):
            node = (ca if what == 2 else cb)["nodes"][x if what == 2 else y]
            if node["left"] is None:
                raise Unreadable(where + ": a volume is split that has no parts")
            for side in ("right", "left"):
                todo.append((node[side], y, t0, t1) if what == 2 else (x, node[side], t0, t1))
        elif what == 4:
            if t1 - t0 < 2:
                raise Unreadable(where + ": time is split too often")
            todo += [(x, y, (t0 + t1) // 2, t1), (x, y, t0, (t0 + t1) // 2)]
        else:
            raise Unreadable(where + ": a step of no known kind")
    if nested:
        (R, p), _ = motion.relative(ca["body"], cb["body"], 0, 0)
        for v in pieces(ca):
            require_outside(cb, plus([dot(row, ca["vertices"][v]) for row in R[0]], p[0]), ca, where)
        for v in pieces(cb):
            require_outside(ca, [dot(row, minus(cb["vertices"][v], p[0])) for row in transposed(R[0])], cb, where)


def check_proofs(r, s, sample, tally):
    first, last = r.take("2Q")
    pairs = len(s["pairs"])
    if first > last or last > pairs * len(s["segments"]):
        raise Unreadable("the proofs are of units that do not exist")
    motion, of = None, None
    for u in range(first, last):
        if u // pairs != of:
            of = u // pairs
            motion = Motion(s, of)
        check_pair(r, s, motion, of, s["pairs"][u % pairs], sample, tally)
    if r.left:
        raise Unreadable("something follows the last proof")
    return first, last


# ---- what is said of it: the same as verifier/show.cpp ---------------------------------------------------------------------

def said(x):
    """With so many digits that no other double is meant."""
    return next(text for text in ("%.*g" % (n, x) for n in range(1, 18)) if float(text) == x)


def at_most(x):
    least = x * (1.0 + 1e-9) + 1e-12
    z = max(least, 1e-9)
    while float("%.6g" % z) < least:
        z += 1e-6 * z
    return "%.6g" % z


def greatest_jump(s):
    """Of a point from the end of one segment to the begin of the next. [m]"""
    most, motions = 0, [Motion(s, i) for i in range(len(s["segments"]))]
    for c in (c for c in s["colliders"] if c["body"]):
        reach = max(norm(v)[1] for v in c["vertices"]) + max(r[1] for _, r in c["sources"])
        for before, after in zip(motions, motions[1:]):
            (R, p), _ = before.relative(c["body"], 0, 1 << HALF_TIMES, 1 << HALF_TIMES)
            (S, q), _ = after.relative(c["body"], 0, 0, 0)
            half = total(square(x) for r0, r1 in zip(R[0], S[0]) for x in minus(r0, r1))[1] // 2 + 1
            most = max(most, norm(minus(p[0], q[0]))[1] - (-root((half, half))[1] * reach >> P))
    return most / ONE


def show_motion(s):
    segments, first, last = s["segments"], s["segments"][0], s["segments"][-1]
    yield ("MOTION: %d segments, of each all u in [0, 1]; on a clock, no part of the proof, from %s to %s"
           % (len(segments), said(first[2][0]), said(last[2][1])))
    yield "  Between one segment and the next no point of a collider jumps by more than %s m." % at_most(greatest_jump(s))
    for k, (name, lower, upper) in enumerate(s["curves"]):
        yield ("  %s: from %.9g to %.9g, limits %s to %s (no part of the proof); within %s of the stated curve"
               % (name, first[0][k][2][0], list(itertools.accumulate(reversed(last[0][k][2])))[-1], said(lower), said(upper),
                  said(max(segment[0][k][3] for segment in segments))))
    for b, body in enumerate(s["bodies"][1:], 1):
        for move in body["moves"]:
            if move["curve"] != NONE and move["stated"] != (1.0, 0.0):
                how, (multiplier, offset) = "turned" if move["kind"] else "shifted", move["stated"]
                yield "  body %d is %s by %s times %s, plus %s" % (b, how, said(multiplier), s["curves"][move["curve"]][0], said(offset))


def volume(corners):
    six = total(determinant(*[minus(v, corners[0][0]) for v in triangle]) for triangle in corners)
    box = [[side(v[k][0] for triangle in corners for v in triangle) / ONE for k in range(3)] for side in (min, max)]
    least = max(six[0], -six[1]) / ONE
    return least / 6.0 if least > 6e-9 * math.dist(*box) ** 3 else 0.0


def show_collider(c):
    stated, shapes = c["stated"], [c["shapes"][source] for _, source, _ in c["primitives"]]
    surfaces = {}
    for v, _, group in c["primitives"]:
        surfaces.setdefault(group, []).append([c["vertices"][i] for i in v])
    surfaces.pop(NONE, None)
    volumes = [volume(surfaces[group]) for group in sorted(surfaces)]
    closed = sum(len(surfaces[group]) for group, v in zip(sorted(surfaces), volumes) if v > 0.0)
    solid = [radius for (v, _, _), (cylinder, radius) in zip(c["primitives"], shapes)
             if cylinder or radius != 0.0 and len({stated[i] for i in v}) < 3]
    text = "  %s (%s, body %d), vertices within %s" % (
        c["name"], "link" if c["link"] else "object", c["body"],
        " x ".join("%.4g" % (max(v[k] for v in stated) - min(v[k] for v in stated)) for k in range(3)))
    counts = (("%d triangles in {} closed surfaces of about {:.3g} m^3".format(sum(v > 0.0 for v in volumes), sum(volumes)), closed),
              ("%d balls, rods or cylinders, of radius " + said(min(solid, default=0.0)) + " or more", len(solid)),
              ("%d triangles WITHOUT AN INSIDE", len(shapes) - closed - len(solid)))
    return text + "".join("; " + words % count for words, count in counts if count)


def show(s):
    names = [c["name"] for c in s["colliders"]]
    yield ("CLAIM: at every instant of every segment, all pairs but those listed as not checked are more than %s m apart"
           " (or the pair's other margin), and no part of one is inside of the other." % said(s["margin"]))
    yield "OF: %s; written by %s" % (s["title"], s["producer"])
    yield from show_motion(s)
    yield ("BODIES: %d colliders on %d rigid bodies. Inside is where a closed surface winds about; volumes count a region as often as that,"
           "\n  with its sign. What lies in a hollow, between balls and rods, or behind triangles WITHOUT AN INSIDE, is not inside."
           % (len(names), len(s["bodies"])))
    yield from map(show_collider, s["colliders"])
    yield "PAIRS: %d proved apart, %d not checked; nor are colliders on one rigid body." % (len(s["pairs"]), len(s["excluded"]))
    yield from ("  other margin, %s: %s and %s" % (said(m), names[a], names[b]) for a, b, m in s["pairs"] if m != s["margin"])
    yield from ("  not checked: %s and %s, %s" % (names[a], names[b], reason) for a, b, reason in s["excluded"])
    yield from ("NOTE: " + note for note in s["notes"])
    yield from ("INPUT: %s %s, %d bytes, SHA-256 %s" % (role, name, n, digest.hex()) for role, name, n, digest in s["inputs"])
    yield "STATEMENT SHA-256: " + s["meaning"]


def compare_inputs(s, given):
    for role, path in given:
        with open(path, "rb") as file:
            data = file.read()
        if not any(role in (r[1:-1], "input") and (n, d) == (len(data), hashlib.sha256(data).digest()) for r, _, n, d in s["inputs"]):
            raise Refuted("%s is not the file%s that is meant: its SHA-256 is %s"
                          % (path, "" if role == "input" else " '%s'" % role, hashlib.sha256(data).hexdigest()))


def verify(files, sample=1, given=(), told=None):
    """The number of leaves, and the statement's SHA-256; raises Refuted or Unreadable. `told` gets what is stated, in words."""
    tally, proved, digest, units = [0], [], None, 0
    if not files:
        raise Unreadable("no file is given")
    for path in files:
        r = Reader(path)
        s = read_statement(r)
        if digest is None:
            stated = s["meaning"] = meaning(path, s["digest"])
            if told is not None:
                told += show(s)
            compare_inputs(s, given)
        elif digest != s["digest"]:
            raise Refuted(path + " states something else than the first file")
        digest, units = s["digest"], len(s["pairs"]) * len(s["segments"])
        read_volumes(r, s)
        proved.append(check_proofs(r, s, sample, tally))
    reached = 0
    for first, last in sorted(proved):
        if first < reached:
            raise Refuted("unit %d is proved twice: the parts overlap" % first)
        if first > reached:
            break
        reached = last
    if reached < units:
        raise Refuted("unit %d of %d is not proved" % (reached, units))
    return tally[0], stated


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE.pccd")
    parser.add_argument("--show", action="store_const", const=[])
    parser.add_argument("--sample", type=int, metavar="K")
    parser.add_argument("--statement", metavar="HEX")
    for role in ROLES:
        parser.add_argument("--" + role, action="append", default=[], metavar="FILE")
    chosen = parser.parse_args()
    given = [(role, path) for role in ROLES for path in getattr(chosen, role)]
    bound = "not bound to files: nothing says what should have been proved (see --help)"
    try:
        if chosen.statement is not None:
            bound = "bound to statement " + chosen.statement
            if len(chosen.statement) != 64 or set(chosen.statement) - set("0123456789abcdef"):
                raise Unreadable("--statement needs a SHA-256: 64 digits of 0-9 and a-f")
        leaves, statement = verify(chosen.files, max(1, chosen.sample or 1), given, chosen.show)
        if chosen.statement not in (None, statement):
            raise Refuted("it proves something else, statement " + statement)
        code, answer = 0, "verified: %d leaves; statement %s" % (leaves, statement)
        if chosen.sample is not None:
            code, answer = 3, "NOT VERIFIED: only every %d. leaf was computed; these hold" % max(1, chosen.sample)
    except Refuted as why:
        code, answer = 1, "refuted: %s" % why
    except (Unreadable, OSError, MemoryError) as why:
        code, answer = 2, "unreadable: %s" % why
    print(bound, *chosen.show or [], answer, sep="\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
