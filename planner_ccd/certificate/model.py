#!/usr/bin/env python3
"""The third reader: what do these files say, and so what has a certificate to state? (FORMAT.md, "What is stated")

    model.py --robot R.urdf --path P [--srdf S.srdf] [--scene S.yaml] [--margin M] [--self-margin M] [--hold NAME=VALUE]...
             [--package NAME=DIR]... [--package-path DIR]... [--use-visual] [--dae-up-axis honour] [--list]

prints "statement SHA256". It shares no code with the library that writes certificates, nor with the two programs that verify them: only
the formats' definitions, io/README.md and FORMAT.md. Doubles are added and multiplied in the order that FORMAT.md gives, so that every
coordinate is the same to the bit. What it does not read it refuses, with exit code 2; it never guesses. Standard library and PyYAML.
"""

import hashlib
import math
import struct
import sys
from bisect import bisect_left, bisect_right
from fractions import Fraction
from functools import cmp_to_key

from model_files import (BLANKS, EYE, HERE, MOST, U, Files, NotRead, as_list, as_vector, check_keys, compose, cross, dot, from_rpy,
                         matrix, minus, norm4, number, place, positive, quaternion_product, raw_quaternion, as_quaternion, read_cloud,
                         read_octomap, read_text, read_xml, read_yaml, expect, rigid, times, unit, up, whole, words_of)

NONE = -1


# ---- which surfaces enclose something --------------------------------------------------------------------------------------
# Every triangle has two sides. About an edge a side goes on to the next triangle, at a border to the triangle's other side. What
# is connected so faces one cell of space. A part with several cells has an inside: all but the outermost one.

def orientation(a, b, c, d):
    """Sign of (a - d) . ((b - d) x (c - d)), reversed."""
    p, q, r = minus(a, d), minus(b, d), minus(c, d)
    value = dot(p, cross(q, r))
    bound = sum(abs(p[k]) * (abs(q[k - 2] * r[k - 1]) + abs(q[k - 1] * r[k - 2])) for k in range(3))
    if abs(value) <= 8.0 * U * bound:
        a, b, c, d = [[Fraction(x) for x in v] for v in (a, b, c, d)]
        value = dot(minus(a, d), cross(minus(b, d), minus(c, d)))
    return (value < 0) - (value > 0)


def orientation_2d(a, b, c, i, j):
    a, b, c = [[Fraction(x) for x in v] for v in (a, b, c)]
    value = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i])
    return (value > 0) - (value < 0)


class Sets:
    def __init__(self, count):
        self.above = list(range(count))

    def find(self, i):
        above = self.above
        while above[i] != i:
            above[i] = i = above[above[i]]
        return i

    def unite(self, i, j):
        self.above[self.find(i)] = self.find(j)


class Shells:
    """`of`: by triangle the shell that it is part of, or -1; `turned`: whether its normal points to the inside."""

    def __init__(self, vertices, triangles, where):
        self.v, self.t, n = vertices, triangles, len(triangles)
        edges = {}
        for i, t in enumerate(triangles):
            for k in range(3 if t[0] != t[1] and t[1] != t[2] and t[2] != t[0] else 0):
                a, b = t[k], t[(k + 1) % 3]
                edges.setdefault((min(a, b), max(a, b)), []).append((i, 1 if a < b else -1, sum(t) - a - b))
        self.edges = [(key, edges[key]) for key in sorted(edges)]
        self.original, self.opposite = list(range(n)), [False] * n
        for _, edge in self.edges:
            for i, x in enumerate(edge):
                y = next((y for y in edge[:i] if self.original[y[0]] == y[0] and y[2] == x[2]), None)
                if y:
                    self.original[x[0]], self.opposite[x[0]] = y[0], x[1] != y[1]
        self.parts, self.sides = Sets(n), Sets(2 * n)
        self.find_parts()
        balanced = self.find_sides()
        self.measure(n)
        self.collect(n, balanced)
        self.hollows = self.find_hollows(where)

    def sheets(self, edge):
        return [e for e in edge if self.original[e[0]] == e[0]]

    def find_parts(self):
        for _, edge in self.edges:
            here = self.sheets(edge)
            if len(here) == 2:
                self.parts.unite(here[0][0], here[1][0])
        self.patch = [self.parts.find(i) for i in range(len(self.t))]
        for _, edge in self.edges:
            here, odd = self.sheets(edge), None
            for s in here if len(here) > 2 else []:
                if sum(self.patch[o[0]] == self.patch[s[0]] for o in here) % 2:
                    if odd is not None:
                        self.parts.unite(odd, s[0])
                    odd = s[0]

    def find_sides(self):
        """Joins sides; returns the parts of which some edge is passed more often one way than the other."""
        unbalanced = set()
        for (lower, upper), edge in self.edges:
            by_part = {}
            for s in self.sheets(edge):
                by_part.setdefault(self.parts.find(s[0]), []).append(s)
            for part, here in by_part.items():
                if len(here) > 2:
                    here = self.around(lower, upper, here)
                for x, y in zip(here, here[1:] + here[:1]):
                    self.sides.unite(2 * x[0] + (x[1] < 0), 2 * y[0] + (y[1] > 0))
                if sum(e[1] for e in edge if self.parts.find(self.original[e[0]]) == part) != 0:
                    unbalanced.add(part)
        return unbalanced

    def around(self, lower, upper, here):
        a, b, c = self.v[lower], self.v[upper], self.v[here[0][2]]

        def sector(apex):
            d = self.v[apex]
            turn = orientation(a, b, c, d)
            if turn:
                return 1 if turn > 0 else 3
            for i, j in ((0, 1), (1, 2), (2, 0)):
                side = orientation_2d(a, b, c, i, j)
                if side:
                    return 2 if side * orientation_2d(a, b, d, i, j) < 0 else 0
            return 0
        sectors = {s[2]: sector(s[2]) for s in here}

        def compare(x, y):
            p, q = sectors[x[2]], sectors[y[2]]
            turn = orientation(a, b, self.v[x[2]], self.v[y[2]]) if p == q and p % 2 else 0
            left, right = (p, -turn, x[1], x[1] * self.patch[x[0]]), (q, 0, y[1], y[1] * self.patch[y[0]])
            return (left > right) - (left < right)
        return sorted(here, key=cmp_to_key(compare))

    def measure(self, n):
        self.cell, self.part = [0.0] * (2 * n), {}
        for i, t in enumerate(self.t):
            part = self.part.setdefault(self.parts.find(self.original[i]), {"first": None, "count": 0, "inside": False, "copies": False, "size": 0.0})
            if self.original[i] != i:
                part["copies"] = True
                continue
            part["first"] = i if part["first"] is None else part["first"]
            part["count"] += 1
            origin = self.v[self.t[part["first"]][0]]
            a, b, c = [minus(self.v[k], origin) for k in t]
            part["size"] += math.sqrt(dot(a, a)) * math.sqrt(dot(b, b)) * math.sqrt(dot(c, c))
            volume, front, back = dot(a, cross(b, c)) / 6.0, self.sides.find(2 * i), self.sides.find(2 * i + 1)
            self.cell[front] -= volume
            self.cell[back] += volume
            part["inside"] = part["inside"] or front != back
        for i in range(n):
            if self.original[i] == i:
                part = self.part[self.parts.find(i)]
                for side in (self.sides.find(2 * i), self.sides.find(2 * i + 1)):
                    if "outside" not in part or self.cell[side] < self.cell[part["outside"]]:
                        part["outside"] = side

    def collect(self, n, unbalanced):
        self.of, self.turned, self.volume, self.flat, self.start, known = [NONE] * n, [False] * n, [], [], [], {}
        for i, t in enumerate(self.t):
            if self.original[i] != i or len(set(t)) < 3:
                continue
            root = self.parts.find(i)
            part = self.part[root]
            as_given = not part["inside"] and not part["copies"] and root not in unbalanced
            if not part["inside"] and not as_given:
                continue
            if root not in known:
                known[root] = len(self.volume)
                self.volume.append(abs(self.cell[part["outside"]]))
                self.start.append(t[0])
                self.flat.append(self.volume[-1] <= (part["count"] + 32) * U * part["size"] and not as_given)
            front, back = [self.sides.find(2 * i + k) == part["outside"] for k in (0, 1)]
            if front != back or as_given:
                self.of[i], self.turned[i] = known[root], not as_given and back

    def facing(self, shell):
        if self.flat[shell]:
            return "flat"
        ways = {self.turned[o] == self.opposite[i] for i, o in enumerate(self.original) if self.of[o] == shell}
        return "mixed" if self.volume[shell] == 0.0 or len(ways) != 1 else "out" if ways == {True} else "in"

    def find_hollows(self, where):
        """Shells that face the other way than the outermost ones and lie in one of those, touching none: unless one does not, then none."""
        facings = [self.facing(s) for s in range(len(self.volume))]
        if "mixed" in facings or not {"out", "in"} <= set(facings):
            return set()
        of = {s: [] for s, f in enumerate(facings) if f != "flat"}
        for i, s in enumerate(self.of):
            if s in of:
                of[s].append(i)
        points = {s: [self.v[v] for i in of[s] for v in self.t[i]] for s in of}
        boxes = {s: [(min(p[k] for p in points[s]), max(p[k] for p in points[s])) for k in range(3)] for s in of}
        within = {}
        for s in of:
            p = self.v[self.start[s]]
            around = [o for o in of if o != s and all(low <= x <= high for x, (low, high) in zip(p, boxes[o]))]
            around = [o for o in around if self.winds(of[o], p, where)]
            within[s] = min(around, key=lambda o: self.volume[o]) if around else None
        outer = next((facings[s] for s in of if within[s] is None), None)
        found = {s for s in of if outer and facings[s] != outer}
        if any(within[s] is None or facings[within[s]] != outer for s in found):
            return set()
        for s in found:
            for o in of:
                if o != s and all(a[0] <= b[1] and b[0] <= a[1] for a, b in zip(boxes[s], boxes[o])) and self.touch(of[s], of[o], where):
                    return set()
        return found

    def winds(self, triangles, p, where):
        for d in ((0.77, 0.31, 0.557), (-0.61, 0.29, 0.737), (0.13, -0.83, 0.541), (0.37, 0.71, -0.599), (-0.43, -0.53, 0.731)):
            far = 4.0 * (sum(abs(x) for x in p) + max(abs(x) for i in triangles for v in self.t[i] for x in self.v[v]) + 1.0)
            q, winding = tuple(p[k] + far * d[k] for k in range(3)), 0
            for i in triangles:
                crossing = crosses(p, q, [self.v[v] for v in self.t[i]])
                if crossing is None:
                    break
                winding += -crossing if self.turned[i] else crossing
            else:
                return winding != 0
        raise NotRead(where + ": a shell that touches another one is not read here")

    def touch(self, one, two, where):
        """Whether two surfaces meet; what only touches is refused."""
        def bounded(triangles):
            for i in triangles:
                corners = [self.v[v] for v in self.t[i]]
                yield [min(c[k] for c in corners) for k in range(3)], [max(c[k] for c in corners) for k in range(3)], corners
        others = sorted(bounded(two), key=lambda x: x[0][0])
        widest = max(high[0] - low[0] for low, high, _ in others)
        lows = [low[0] for low, _, _ in others]
        for low, high, a in bounded(one):
            for k in range(bisect_left(lows, low[0] - widest), bisect_right(lows, high[0])):
                low_b, high_b, b = others[k]
                if any(low_b[j] > high[j] or low[j] > high_b[j] for j in range(3)):
                    continue
                if abs(sum(orientation(*b, p) for p in a)) == 3 or abs(sum(orientation(*a, p) for p in b)) == 3:
                    continue
                ends = [crosses(x[j - 1], x[j], y) for x, y in ((a, b), (b, a)) for j in range(3)]
                expect(None not in ends, where + ": shells that touch are not read here")
                if any(ends):
                    return True
        return False


def crosses(p, q, t):
    """How the segment passes the triangle: 0 not, 1 out of its front, -1 into it; None where it meets an edge, the plane or a corner."""
    ends = orientation(*t, p), orientation(*t, q)
    if ends[0] * ends[1] > 0:
        return 0
    sides = [orientation(p, q, t[j], t[(j + 1) % 3]) for j in range(3)]
    if 1 in sides and -1 in sides:
        return 0
    return None if 0 in sides or 0 in ends else -1 if ends[0] > 0 else 1


# ---- shapes as the statement has them --------------------------------------------------------------------------------------

class Solid:
    """The primitives of a collider: kind, radius and corners; those of its closed surfaces apart."""

    def __init__(self):
        self.loose, self.surfaces = [], []

    @staticmethod
    def raw(p):
        return struct.pack("<3d", *(x if x else 0.0 for x in p))

    def add_round(self, kind, radius, X, points):
        corners = sorted(self.raw(place(X, p)) for p in (points[:2] if kind else points))
        self.loose.append(struct.pack("<Bd", kind, radius) + b"".join(corners + corners[-1:] if kind else corners))

    def add_mesh(self, X, vertices, triangles, where, shells=None):
        welded, number_of, positions = {}, [], []
        for v in vertices:
            v = tuple(x + 0.0 for x in v)
            if v not in welded:
                welded[v] = len(positions)
                positions.append(v)
            number_of.append(welded[v])
        triangles = [(number_of[a], number_of[b], number_of[c]) for a, b, c in triangles]
        shells = shells or Shells(positions, triangles, where)
        solids = set(range(len(shells.volume))) - shells.hollows
        joined = {h: min(solids) for h in shells.hollows} if len(solids) == 1 else {}  # elsewhere a hollow counts as filled
        corners, surfaces, head = [self.raw(place(X, p)) for p in positions], {}, struct.pack("<Bd", 0, 0.0)
        for i, (a, b, c) in enumerate(triangles):
            if shells.of[i] == NONE:
                self.loose.append(head + b"".join(sorted((corners[a], corners[b], corners[c]))))
                continue
            turned, shell = shells.turned[i] != (shells.of[i] in joined), shells.of[i]
            t = [corners[a], corners[c], corners[b]] if turned else [corners[a], corners[b], corners[c]]
            k = t.index(min(t))
            surfaces.setdefault(joined.get(shell, shell), []).append(head + b"".join(t[k:] + t[:k]))
        self.surfaces += surfaces.values()

    def add_box(self, X, size):
        vertices = [tuple(0.5 * (s if i >> k & 1 else -s) for k, s in enumerate(size)) for i in range(8)]
        triangles = []
        for axis in range(3):
            a, b, c = 1 << axis, 1 << (axis + 1) % 3, 1 << (axis + 2) % 3
            triangles += [(0, c, b), (b, c, b + c), (a, a + b, a + c), (a + b, a + b + c, a + c)]
        self.add_mesh(X, vertices, triangles, "box", Closed)

    @staticmethod
    def listed(items):
        return struct.pack("<I", len(items)) + b"".join(sorted(items))

    def bytes(self):
        return self.listed(self.loose) + self.listed([self.listed(s) for s in self.surfaces])


class Closed:
    of, turned, volume, hollows = [0] * 12, [False] * 12, [1.0], set()


def solid(shapes, X, where):
    """Of a link or an object: its shapes, each with a pose, placed by X."""
    out = Solid()
    for shape, Y in shapes:
        kind, Z = shape[0], rigid(compose(X, Y), where)
        if kind == "mesh":
            out.add_mesh(Z, *shape[1], where)
        elif kind == "box":
            out.add_box(Z, shape[1])
        elif kind == "sphere":
            out.add_round(0, shape[1], Z, [(0.0, 0.0, 0.0)] * 3)
        elif kind in ("cylinder", "capsule"):
            half = 0.5 * shape[2]
            out.add_round(int(kind == "cylinder"), shape[1], Z, [(-0.0, -0.0, -half), (0.0, 0.0, half), (0.0, 0.0, half)])
        elif kind == "cloud":
            for p in shape[1][0]:
                out.add_round(0, shape[1][1], Z, [p] * 3)
        else:
            for center, edge in shape[1]:
                p = times(Z[0], center)
                out.add_box(rigid((Z[0], [p[k] + Z[1][k] for k in range(3)]), where), [edge] * 3)
    return out


# ---- the robot -------------------------------------------------------------------------------------------------------------

SIZES = {"fixed": 0, "revolute": 1, "continuous": 1, "prismatic": 1, "planar": 3, "floating": 7}


class Robot:
    def __init__(self, path, files, use_visual):
        root, self.path = read_xml(path), path
        expect(root.name == "robot" and not root.child("include"), path + ": a URDF must begin with <robot>")
        for element in root.everything():
            expect(not element.name.startswith("xacro:") and not any("${" in v or "$(" in v for v in element.attributes.values()),
                    path + ": a xacro, not a URDF")
        self.files, self.name = files, root.get("name") or "robot"
        self.links, self.joints = {}, []
        for e in root.all("link"):
            name = e.need("name")
            expect(name not in self.links and name != "*", e.where + ": the name is there twice")
            shapes = [s for c in e.all("collision") for s in self.shapes(c)]
            if not shapes and use_visual:
                shapes = [s for c in e.all("visual") for s in self.shapes(c)]
            shapes = [(shape, rigid(X, e.where)) for shape, X in shapes]
            self.links[name] = {"name": name, "shapes": shapes, "joint": None, "body": None, "X": None}
        expect(self.links, path + ": no links")
        for e in root.all("joint"):
            self.joints.append(self.read_joint(e))
        self.by_name = {j["name"]: j for j in self.joints}
        expect(len(self.by_name) == len(self.joints), path + ": a joint's name is there twice")
        self.number_coordinates()
        self.place_bodies()

    def origin(self, e):
        o = e.child("origin")
        expect(o is None or set(o.attributes) <= {"xyz", "rpy"}, e.where + ": an origin is 'xyz' and 'rpy'")
        return from_rpy(o.vector("xyz", [0.0] * 3), o.vector("rpy", [0.0] * 3)) if o else (EYE, [0.0] * 3)

    def shapes(self, e):
        e.only("geometry", "origin")
        expect(e.child("geometry") and e.child("geometry").children, e.where + ": has no shape")
        X = self.origin(e)
        for g in e.child("geometry").children:
            if e.name == "visual" and g.name == "box" and g.vector("size") == [0.0] * 3:
                continue
            yield self.shape(g), X

    def shape(self, g):
        def length(key, zero=False):
            value = g.number(key)
            expect(0.0 < value <= MOST or (zero and value == 0.0), "%s: %r must be positive" % (g.where, key))
            return value
        if g.name == "mesh":
            scale = words_of(g.get("scale") or "1")
            scale = [number(w, g.where) for w in (scale * 3 if len(scale) == 1 else scale)]
            expect(len(scale) == 3, g.where + ": 'scale'")
            return "mesh", self.files.mesh(g.need("filename"), self.path, scale)
        if g.name == "box":
            size = g.vector("size")
            expect(size and all(0.0 < s <= MOST for s in size), g.where + ": 'size'")
            return "box", size
        if g.name == "sphere":
            return "sphere", length("radius")
        expect(g.name in ("cylinder", "capsule", "drake:capsule"), g.where + ": an unknown shape")
        kind = g.name.replace("drake:", "")
        return kind, length("radius"), length("length", kind == "capsule")

    def read_joint(self, e):
        e.only("parent", "child", "origin", "axis", "limit", "mimic")
        j = {"name": e.need("name"), "type": e.need("type"), "axis": [1.0, 0.0, 0.0], "lower": -math.inf, "upper": math.inf,
             "X": rigid(self.origin(e), e.where), "mimic": None, "multiplier": 1.0, "offset": 0.0, "errors": (0.0, 0.0)}
        expect(j["type"] in SIZES, e.where + ": an unknown type")
        for role in ("parent", "child"):
            expect(e.child(role) and e.child(role).need("link") in self.links, "%s: %s" % (e.where, role))
            j[role] = e.child(role).need("link")
        child = self.links[j["child"]]
        expect(child["joint"] is None and j["child"] != j["parent"], e.where + ": the link has a parent already")
        child["joint"] = j
        if e.child("axis") and j["type"] not in ("fixed", "floating"):
            axis = e.child("axis").vector("xyz")
            expect(axis and 1e-9 < math.sqrt(dot(axis, axis)) and max(abs(x) for x in axis) <= 1e9, e.where + ": the axis")
            length = math.sqrt(dot(axis, axis))
            j["axis"] = [x / length for x in axis]
        if j["type"] in ("revolute", "prismatic"):
            expect(e.child("limit"), e.where + ": has no <limit>")
            j["lower"], j["upper"] = e.child("limit").number("lower", 0.0), e.child("limit").number("upper", 0.0)
            expect(j["lower"] <= j["upper"], e.where + ": the limits")
        mimic = e.child("mimic")
        if mimic and j["type"] != "fixed":
            expect(SIZES[j["type"]] == 1, e.where + ": only a joint of one value can mimic")
            j["mimic"] = (mimic.need("joint"), mimic.number("multiplier", 1.0), mimic.number("offset", 0.0))
        return j

    def number_coordinates(self):
        """A list of (name, lower, upper, joint) and, of each joint, the first of its own or its master's: -1 if there is none."""
        self.coordinates = []
        names = {"planar": ["/x", "/y", "/theta"], "floating": ["/trans_" + k for k in "xyz"] + ["/rot_" + k for k in "xyzw"]}
        for j in self.joints:
            j["q"] = len(self.coordinates) if SIZES[j["type"]] and not j["mimic"] else NONE
            for k in range(SIZES[j["type"]] if not j["mimic"] else 0):
                self.coordinates.append((j["name"] + names.get(j["type"], [""])[k], j["lower"], j["upper"], j))
        self.index = {c[0]: i for i, c in enumerate(self.coordinates)}
        expect(len(self.index) == len(self.coordinates), "a name would mean values of two joints")
        for j in self.joints:
            master, steps = j, 0
            while master["mimic"]:
                name, multiplier, offset = master["mimic"]
                expect(name in self.by_name and steps < len(self.joints), "joint %s mimics nothing, or itself" % j["name"])
                j["offset"] += j["multiplier"] * offset
                j["multiplier"] *= multiplier
                master, steps = self.by_name[name], steps + 1
            if steps and master["type"] == "fixed":
                j["multiplier"], j["q"] = 0.0, NONE
            elif steps:
                expect(SIZES[master["type"]] == 1, "joint %s mimics one of several values" % j["name"])
                j["q"] = master["q"]

    def place_bodies(self):
        self.bodies, below, queue = [None], {}, []
        for j in self.joints:
            below.setdefault(j["parent"], []).append(j)
        for link in self.links.values():
            if link["joint"] is None:
                link["body"], link["X"], link["root"] = 0, HERE, link["name"]
                queue.append(link)
        for link in queue:
            for j in below.get(link["name"], []):
                child, j["X"] = self.links[j["child"]], compose(link["X"], j["X"])
                child["root"] = link["root"]
                if j["type"] == "fixed":
                    child["body"], child["X"] = link["body"], j["X"]
                else:
                    child["body"], child["X"] = len(self.bodies), HERE
                    self.bodies.append((link["body"], j))
                queue.append(child)
        expect(len(queue) == len(self.links), "links are in a loop of joints")

    def moves(self, j):
        """(kind, axis) of each; kind 0 shifts, 1 turns."""
        if j["type"] == "planar":
            x, y = plane_axes(j["axis"])
            return [(0, x), (0, y), (1, j["axis"])]
        return [(0 if j["type"] == "prismatic" else 1, j["axis"])]


def plane_axes(n):
    length = math.sqrt(dot(n, n))
    n = [x / length for x in n]
    cosine = dot(n, [0.0, 0.0, 1.0])
    expect(cosine > -1.0 + 1e-12, "a planar joint whose normal is -z is not read here")
    axis, s = cross([0.0, 0.0, 1.0], n), math.sqrt((1.0 + cosine) * 2.0)
    inverse = 1.0 / s
    q, w = [x * inverse for x in axis], s * 0.5

    def turned(v):
        uv = [2.0 * x for x in cross(q, v)]
        more = cross(q, uv)
        return [v[k] + w * uv[k] + more[k] for k in range(3)]
    return turned([1.0, 0.0, 0.0]), turned([0.0, 1.0, 0.0])


# ---- scene -----------------------------------------------------------------------------------------------------------------

SHAPES = ("mesh", "box", "cylinder", "sphere", "capsule", "convex", "cloud", "octomap", "height_field")


class Scene:
    def __init__(self, path, robot, files):
        self.objects, self.held, self.allow, self.margins, self.padding = [], [], [], [], {}
        if path is None:
            return
        self.path, self.files, self.robot = path, files, robot
        expect(not path.endswith(".scene"), path + ": scenes of RViz are not read here")
        root = read_yaml(read_text(path), path)
        check_keys(root, ("objects", "attached", "allow", "margins", "padding"), path)
        for node in root.get("objects") or []:
            self.objects.append(self.read_object(node, ()))
        for node in root.get("attached") or []:
            o = self.read_object(node, ("link", "touch_links"))
            o["link"], o["touch"] = node.get("link"), as_list(node.get("touch_links", []), path)
            expect(all(link in robot.links for link in [o["link"]] + o["touch"]), path + ": no such link")
            self.held.append(o)
        names = [o["name"] for o in self.objects + self.held]
        expect(len(set(names)) == len(names) and not set(names) & set(robot.links), path + ": a name is there twice")
        known = set(names) | set(robot.links) | {"*"}
        for node in root.get("allow") or []:
            self.allow.append(tuple(as_list(node, path, 2)))
        for node in root.get("margins") or []:
            a, b, m = as_list(node, path, 3)
            self.margins.append((a, b, number(m, path)))
        expect(all(a in known and b in known and (a != b or a == "*") for a, b, *_ in self.allow + self.margins), path + ": no such pair")
        expect(len({frozenset(m[:2]) for m in self.margins}) == len(self.margins), path + ": two margins of a pair")
        self.padding = {name: number(p, path) for name, p in (root.get("padding") or {}).items()}
        expect(all(n in known and n not in [o["name"] for o in self.objects] for n in self.padding), path + ": no such padding")
        expect(all(0.0 <= m <= MOST for m in [m[2] for m in self.margins] + list(self.padding.values())), path + ": a margin")

    def read_object(self, node, more):
        check_keys(node, ("name", "pose", "pose_error", "scale", "shapes") + SHAPES + more, self.path)
        name = node.get("name")
        where = "%s: object %s" % (self.path, name)
        expect(isinstance(name, str) and name not in ("", "*") and "pose_error" not in node, where + ": no name, or an error of its pose")
        if "shapes" in node:
            expect(not any(k in node for k in SHAPES + ("scale",)), where + ": a shape beside 'shapes'")
            shapes = []
            for one in as_list(node["shapes"], where):
                check_keys(one, ("pose", "scale") + SHAPES, where)
                shapes.append((self.shape(one, where), self.pose(one, where)))
            expect(shapes and (len(shapes) == 1 or not any(s[0][0] in ("cloud", "octomap") for s in shapes)), where + ": no shapes")
        else:
            shapes = [(self.shape(node, where), HERE)]
        return {"name": name, "shapes": [(s, rigid(X, where)) for s, X in shapes], "X": rigid(self.pose(node, where), where)}

    def pose(self, node, where):
        if "pose" not in node:
            return from_rpy([0.0] * 3, [0.0] * 3)
        node = node["pose"]
        check_keys(node, ("xyz", "rpy", "quaternion", "rotation"), where)
        expect(len(set(node) - {"xyz"}) <= 1, where + ": several rotations")
        zero = ["0"] * 3
        X = from_rpy(as_vector(node.get("xyz", zero), where), as_vector(node.get("rpy", zero), where))
        if "quaternion" in node:
            x, y, z, w = as_vector(node["quaternion"], where, 4)
            expect(abs(norm4([x, y, z, w]) - 1.0) < 1e-3, where + ": the quaternion")
            X = (matrix(unit([w, x, y, z])), X[1])
        if "rotation" in node:
            X = ([as_vector(row, where) for row in as_list(node["rotation"], where, 3)], X[1])
        return X

    def shape(self, node, where):
        kinds = [k for k in SHAPES if k in node]
        expect(len(kinds) == 1 and ("scale" not in node or kinds[0] in ("mesh", "convex")), where + ": one shape is expected")
        kind, value = kinds[0], node[kinds[0]]
        expect(kind not in ("convex", "height_field"), "%s: %s is not read here" % (where, kind))
        if kind == "mesh":
            scale = node.get("scale", "1")
            scale = as_vector(scale, where) if isinstance(scale, list) else [number(scale, where)] * 3
            expect(isinstance(value, str), where + ": the mesh's file")
            return kind, self.files.mesh(value, self.path, scale)
        keys = {"box": ("size",), "sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length"),
                "cloud": ("file", "radius"), "octomap": ("file", "unknown", "region")}[kind]
        check_keys(value, keys, where)
        if kind == "box":
            size = as_vector(value.get("size"), where)
            expect(all(0.0 < s <= MOST for s in size), where + ": 'size'")
            return kind, size
        if kind == "octomap":
            region = value.get("region")
            if region is not None:
                check_keys(region, ("min", "max"), where)
                region = as_vector(region.get("min"), where), as_vector(region.get("max"), where)
            expect(value.get("unknown", "occupied") in ("occupied", "free"), where + ": 'unknown'")
            return kind, read_octomap(self.files.resolve(value.get("file"), self.path), region, value.get("unknown") == "free")
        radius = positive(value.get("radius"), where)
        if kind == "cloud":
            return kind, read_cloud(self.files.resolve(value.get("file"), self.path), radius)
        if kind == "sphere":
            return kind, radius
        length = number(value.get("length"), where)
        expect(0.0 < length <= MOST or (kind == "capsule" and length == 0.0), where + ": 'length'")
        return kind, radius, length


# ---- pairs -----------------------------------------------------------------------------------------------------------------

def ordered(a, b):
    return (a, b) if a < b else (b, a)


def excluded_links(robot, srdf_path):
    """By two links' names: the reason."""
    out, solids = {}, [link for link in robot.links.values() if link["shapes"]]
    for i, a in enumerate(solids):
        for b in solids[i + 1:]:
            if a["body"] == b["body"]:
                out[ordered(a["name"], b["name"])] = "same body: joined by fixed joints"
    for link in solids:
        moving, at = [], link
        while at["joint"] is not None:
            j = at["joint"]
            if j["type"] in ("planar", "floating"):
                break
            if j["type"] != "fixed":
                hinges = moving and all(x["type"] in ("revolute", "continuous") for x in (j, moving[-1]))
                if moving and not (hinges and math.sqrt(dot(moving[-1]["X"][1], moving[-1]["X"][1])) < 1e-6):
                    break
                moving.append(j)
            at = robot.links[j["parent"]]
            if at["shapes"]:
                out.setdefault(ordered(at["name"], link["name"]), "adjacent: through" + ",".join(" " + m["name"] for m in reversed(moving)))
                break
    if srdf_path is None:
        return out
    root = read_xml(srdf_path)
    expect(root.name == "robot" and not root.child("link"), srdf_path + ": an SRDF must begin with <robot>")
    disabled, enabled = [], set()
    for e in root.children:
        if e.name in ("disable_collisions", "enable_collisions"):
            a, b = e.need("link1"), e.need("link2")
            expect(a != b, e.where + ": a link with itself")
            if a in robot.links and b in robot.links:
                if e.name == "enable_collisions":
                    enabled.add(ordered(a, b))
                    if out.get(ordered(a, b), "").startswith("adjacent"):
                        del out[ordered(a, b)]
                else:
                    disabled.append((a, b, e.get("reason")))
    for a, b, reason in disabled:
        out.setdefault(ordered(a, b), "disabled: SRDF" + (": " + reason if reason else ""))
    for e in root.all("disable_default_collisions"):
        for other in robot.links if e.need("link") in robot.links else []:
            if other != e.need("link") and ordered(other, e.need("link")) not in enabled:
                out.setdefault(ordered(other, e.need("link")), "disabled: SRDF: default of " + e.need("link"))
    return out


def find_pairs(robot, scene, colliders, by_links, margin, self_margin):
    """Of colliders' numbers: those to be proved apart, with their margins; the others, with the reason."""
    out, number_of = {}, {c["name"]: i for i, c in enumerate(colliders)}

    def exclude(a, b, reason):
        if a != b and colliders[a]["body"] != colliders[b]["body"]:
            out.setdefault(ordered(a, b), reason)
    for (a, b), reason in by_links.items():
        if a in number_of and b in number_of:
            exclude(number_of[a], number_of[b], reason)
    for a, b in scene.allow:
        both = [list(range(len(colliders))) if n == "*" else [number_of[n]] if n in number_of else [] for n in (a, b)]
        for i in both[0]:
            for k in both[1]:
                exclude(i, k, "allowed: allowed by the scene: %s and %s" % (a, b))
    for o in scene.held:
        for link in o["touch"]:
            if link in number_of:
                exclude(number_of[o["name"]], number_of[link], "touch link: touch link of the attached object")
    exact, general = {}, {}
    for order, (a, b, m) in enumerate(scene.margins):
        if "*" in (a, b):
            general[b if a == "*" else a] = (order, m)
        else:
            exact[ordered(a, b)] = m

    def margin_of(a, b):
        told = exact.get(ordered(a["name"], b["name"]))
        if a["robot"] is not None and a["robot"] == b["robot"]:
            return self_margin if told is None else told
        rules = [general[n] for n in (a["name"], b["name"], "*") if n in general]
        m = told if told is not None else max(rules)[1] if rules else margin
        pads = [scene.padding.get(c["name"], 0.0) for c in (a, b)]
        pad = pads[0] if pads[1] == 0.0 else up(pads[0] + pads[1])
        return m if pad == 0.0 else up(m + pad)
    pairs = {}
    for i, a in enumerate(colliders):
        for k in range(i + 1, len(colliders)):
            b = colliders[k]
            if a["body"] == b["body"] or (i, k) in out:
                continue
            pairs[i, k] = margin_of(a, b) if a["body"] else margin_of(b, a)  # what rests is the second
            expect(not a["body"] or not b["body"] or pairs[i, k] == margin_of(b, a), "paddings of two robots are not read here")
    return pairs, out


# ---- the motion ------------------------------------------------------------------------------------------------------------

class Table:
    """What a file of a motion says: coordinates, points (time, values, velocities, accelerations), or finished curves."""

    def __init__(self, path, robot):
        self.path, self.robot, self.start, self.curves, self.rows, self.timed = path, robot, {}, None, [], True
        text = read_text(path)
        expect("\0" not in text, path + ": a binary file; logs are not read here")
        self.coordinates = []
        if self.is_csv(text):
            self.read_csv(text)
        else:
            self.find_message(read_yaml(text, path), 0)
        expect(len(set(self.coordinates)) == len(self.coordinates), path + ": a joint is there twice")

    @staticmethod
    def is_csv(text):
        for line in text.split("\n"):
            line = line.strip(BLANKS)
            if line and line[0] != "#":
                key = ":" in line and line[line.index(":") + 1:line.index(":") + 2] in ("", " ")
                return line[0] not in "{[%" and not line.startswith("---") and not key and not line.startswith("- ")
        return True

    def coordinate(self, name):
        expect(name in self.robot.index, "%s: %r is no joint of the robot" % (self.path, name))
        return self.robot.index[name]

    def read_csv(self, text):
        columns = None
        for line in text.split("\n"):
            line = line.strip(BLANKS)
            if not line or line[0] == "#":
                continue
            cells = [c.strip(BLANKS) for c in line.split(",")]
            cells = [c[1:-1].strip(BLANKS) if len(c) > 1 and c[0] == c[-1] == '"' else c for c in cells]
            if columns is None:
                columns = [self.column(c) for c in cells]
                expect(len(set(columns)) == len(columns), self.path + ": a column is there twice")
                self.coordinates = [i for what, i in columns if what == "position"]
                kinds = {what for what, _ in columns}
                self.timed = "time" in kinds
                for what in kinds & {"velocity", "acceleration"}:
                    expect(self.timed and sorted(i for w, i in columns if w == what) == sorted(self.coordinates), self.path + ": " + what)
                expect("acceleration" not in kinds or "velocity" in kinds, self.path + ": accelerations without velocities")
                continue
            expect(len(cells) == len(columns), self.path + ": a row is not as long as the header")
            row = {"time": 0.0}
            for (what, i), cell in zip(columns, cells):
                if what == "time":
                    row["time"] = number(cell, self.path)
                else:
                    row.setdefault(what, {})[i] = number(cell, self.path)
            self.rows.append(row)
        expect(self.rows, self.path + ": there is no waypoint")

    def column(self, cell):
        if cell == "time":
            return "time", NONE
        for suffix in (".velocity", ".acceleration", ".error"):
            if cell.endswith(suffix) and cell not in self.robot.index:
                expect(suffix != ".error", self.path + ": columns of errors: certificates know none")
                return suffix[1:], self.coordinate(cell[:-len(suffix)])
        return "position", self.coordinate(cell)

    def find_message(self, node, depth):
        expect(isinstance(node, dict) and depth <= 8, self.path + ": no trajectory here")
        for key in ("trajectory_start", "start_state"):
            if node.get(key):
                self.read_start(node[key])
        if node.get("points") is not None:
            return self.read_points(node)
        if "joint_trajectory" in node or "multi_dof_joint_trajectory" in node:
            joints, frames = node.get("joint_trajectory") or {}, node.get("multi_dof_joint_trajectory") or {}
            if joints.get("points") or not frames.get("points"):
                self.read_points(joints)
            return self.read_frames(frames) if frames.get("points") else None
        for key, read in (("bezier", self.read_bezier), ("b_spline", self.read_b_spline)):
            if key in node:
                return read(node[key])
        for key in ("trajectory", "planned_trajectory", "solution", "goal", "request", "motion_plan_response"):
            if key in node:
                inner = node[key]
                expect(not isinstance(inner, list) or len(inner) == 1, self.path + ": several trajectories")
                return self.find_message(inner[0] if isinstance(inner, list) else inner, depth + 1)
        raise NotRead(self.path + ": no trajectory here")

    def read_start(self, state):
        joints, frames = state.get("joint_state") or {}, state.get("multi_dof_joint_state") or {}
        names, transforms = frames.get("joint_names") or [], frames.get("transforms") or []
        expect(len(names) == len(transforms), self.path + ": transforms of other joints")
        for name, transform in zip(names, transforms):
            if self.robot.by_name.get(name, {"type": ""})["type"] in ("planar", "floating"):
                self.start.update(self.frame(self.robot.by_name[name], transform))
        for name, value in zip(joints.get("name") or [], joints.get("position") or []):
            if name in self.robot.index:
                self.start[self.robot.index[name]] = number(value, self.path)

    def read_points(self, message):
        check_keys(message, ("header", "joint_names", "points"), self.path)
        self.coordinates = [self.coordinate(n) for n in as_list(message.get("joint_names"), self.path)]
        for point in as_list(message.get("points"), self.path):
            check_keys(point, ("positions", "velocities", "accelerations", "effort", "effort_values", "time_from_start"), self.path)
            row = {"time": self.time(point.get("time_from_start"))}
            for key, what in (("positions", "position"), ("velocities", "velocity"), ("accelerations", "acceleration")):
                if point.get(key) or key == "positions":
                    row[what] = dict(zip(self.coordinates, as_vector(point.get(key), self.path, len(self.coordinates))))
            expect("acceleration" not in row or "velocity" in row, self.path + ": accelerations without velocities")
            self.rows.append(row)
        expect(self.rows, self.path + ": the trajectory has no points")

    def frame(self, j, transform):
        """Values by coordinate."""
        check_keys(transform, ("translation", "rotation"), self.path)
        x, y, z, qx, qy, qz, qw = [number(transform[part].get(k), self.path) for part, keys in (("translation", "xyz"), ("rotation", "xyzw")) for k in keys]
        if j["type"] == "floating":
            return {j["q"] + i: value for i, value in enumerate((x, y, z, qx, qy, qz, qw))}
        expect(j["axis"] == [0.0, 0.0, 1.0] and z == 0.0 and abs(qx) + abs(qy) <= 1e-9, self.path + ": a planar joint leaves its plane")
        return {j["q"]: x, j["q"] + 1: y, j["q"] + 2: 2.0 * math.atan2(qz, qw)}

    def read_frames(self, message):
        check_keys(message, ("header", "joint_names", "points"), self.path)
        joints = [self.robot.by_name.get(n) for n in as_list(message.get("joint_names"), self.path)]
        expect(all(j and j["type"] in ("planar", "floating") for j in joints), self.path + ": no planar or floating joint")
        self.coordinates += [j["q"] + i for j in joints for i in range(SIZES[j["type"]])]
        points, alone = as_list(message["points"], self.path), not self.rows
        self.rows = self.rows or [{"position": {}, "time": self.time(p.get("time_from_start"))} for p in points]
        expect(len(points) == len(self.rows), self.path + ": as many points are expected")
        for point, row in zip(points, self.rows):
            check_keys(point, ("transforms", "velocities", "accelerations", "time_from_start"), self.path)
            expect(not point.get("velocities") and not point.get("accelerations") and (
                alone or row["time"] == self.time(point.get("time_from_start"))), self.path + ": velocities of frames, or other times")
            for j, transform in zip(joints, as_list(point.get("transforms"), self.path, len(joints))):
                row["position"].update(self.frame(j, transform))

    def time(self, node):
        if not isinstance(node, dict):
            return number(node, self.path)
        seconds, nanoseconds = ("secs", "nsecs") if "secs" in node else ("sec", "nanosec")
        check_keys(node, (seconds, nanoseconds), self.path)
        s, ns = whole(node.get(seconds, ""), self.path), whole(node.get(nanoseconds, ""), self.path)
        expect(0 <= ns < 10 ** 9, self.path + ": nanoseconds")
        return float(s) + float(ns) * 1e-9

    def control_points(self, node):
        """By coordinate: its control values."""
        points = [as_vector(p, self.path, len(self.coordinates)) for p in as_list(node, self.path)]
        return {c: [p[k] for p in points] for k, c in enumerate(self.coordinates)}, len(points)

    def read_bezier(self, node):
        check_keys(node, ("joint_names", "pieces"), self.path)
        self.coordinates, self.curves = [self.coordinate(n) for n in as_list(node.get("joint_names"), self.path)], []
        last = None
        for piece in as_list(node.get("pieces"), self.path):
            check_keys(piece, ("from", "to", "control_points"), self.path)
            values, n = self.control_points(piece.get("control_points"))
            t0, t1, first = number(piece.get("from"), self.path), number(piece.get("to"), self.path), [v[0] for v in values.values()]
            expect(2 <= n <= 6 and t0 < t1 and last in (None, (t0, first)), self.path + ": a piece that does not go on from the last")
            last = t1, [v[-1] for v in values.values()]
            self.curves.append((t0, t1, {c: from_bezier(v) + (most_error(v),) for c, v in values.items()}))
        expect(self.curves, self.path + ": there are no pieces")

    def read_b_spline(self, node):
        check_keys(node, ("joint_names", "degree", "knots", "control_points"), self.path)
        self.coordinates, self.curves = [self.coordinate(n) for n in as_list(node.get("joint_names"), self.path)], []
        degree, knots = whole(node.get("degree", ""), self.path), [number(k, self.path) for k in as_list(node.get("knots"), self.path)]
        values, n = self.control_points(node.get("control_points"))
        expect(1 <= degree <= 5 and n > degree and len(knots) == n + degree + 1 and knots == sorted(knots) and not any(
            knots[i] == knots[i + degree] for i in range(1, len(knots) - 1 - degree)), self.path + ": the knots")
        for k in range(degree, n):
            a, b = knots[k], knots[k + 1]
            if a < b:
                self.curves.append((a, b, {c: from_bezier([blossom(v, knots, k, [a] * (degree - j) + [b] * j) for j in range(degree + 1)]) +
                                           (most_error(v),) for c, v in values.items()}))
        expect(self.curves, self.path + ": the knots leave it no time")


def most_error(values):
    return 2048.0 * U * max(abs(x) for x in values)


def trimmed(c):
    while len(c) > 1 and c[-1] == 0.0:
        c.pop()
    return c


def from_bezier(b):
    n, c, binomial = len(b) - 1, [], 1.0
    for i in range(n + 1):
        c.append(binomial * b[0])
        b = [y - x for x, y in zip(b, b[1:])]
        binomial = binomial * (n - i) / (i + 1)
    return (trimmed(c),)


def blossom(values, knots, k, arguments):
    n = len(arguments)
    d = [values[j + k - n] for j in range(n + 1)]
    for level in range(1, n + 1):
        for j in range(n, level - 1, -1):
            low, high = knots[j + k - n], knots[j + 1 + k - level]
            w = (arguments[level - 1] - low) / (high - low)
            d[j] = (1.0 - w) * d[j - 1] + w * d[j]
    return d[n]


def between(p, q, T, i, floating):
    """The coordinate's polynomial from one point to the next, and what its rounding may be."""
    a, b = p["position"][i], q["position"][i]
    d = b - a
    if floating or T <= 0.0 or "velocity" not in p or "velocity" not in q:
        return [a] if d == 0.0 else [a, d], 4.0 * U * (abs(a) + abs(b))
    v0, v1 = p["velocity"].get(i, 0.0) * T, q["velocity"].get(i, 0.0) * T
    weight = abs(a) + abs(b) + 31.0 * abs(d) + 18.0 * (abs(v0) + abs(v1))
    if "acceleration" not in p or "acceleration" not in q:
        return trimmed([a, v0, 3.0 * d - (2.0 * v0 + v1), -2.0 * d + (v0 + v1)]), 32.0 * U * weight
    a0, a1 = p["acceleration"].get(i, 0.0) * T * T, q["acceleration"].get(i, 0.0) * T * T
    weight += 4.0 * (abs(a0) + abs(a1))
    return trimmed([a, v0, 0.5 * a0, 10.0 * d - (6.0 * v0 + 4.0 * v1) - 0.5 * (3.0 * a0 - a1),
                    -15.0 * d + (8.0 * v0 + 7.0 * v1) + 0.5 * (3.0 * a0 - 2.0 * a1), 6.0 * d - 3.0 * (v0 + v1) - 0.5 * (a0 - a1)]), \
        32.0 * U * weight


def read_motion(path, robot, hold):
    """Segments: begin, end, of each coordinate (coefficients, tube)."""
    table, n = Table(path, robot), len(robot.coordinates)
    base = {}
    for i, (name, *_) in enumerate(robot.coordinates):
        held = table.start.get(i, hold.get(name))
        expect(i in table.coordinates or held is not None, "%s: %r is missing; hold it at a value (--hold NAME=VALUE)" % (path, name))
        if held is not None:
            base[i] = held
    expect(all(name in robot.index for name in hold), path + ": a held joint is none of the robot's")
    if table.curves is not None:
        return [(t0, t1, [curves[i] if i in curves else ([base[i]], 0.0) for i in range(n)]) for t0, t1, curves in table.curves]
    rows = table.rows
    for k, row in enumerate(rows):
        row["position"] = {**base, **row["position"]}
        row["time"] = row["time"] if table.timed else float(k)
        for j in robot.joints:
            if j["type"] == "floating":
                q = [row["position"][j["q"] + 3 + i] for i in range(4)]
                expect(abs(norm4(q) - 1.0) < 1e-3, "%s: the quaternion of %s" % (path, j["name"]))
                row["position"].update((j["q"] + 3 + i, x / norm4(q)) for i, x in enumerate(q))
    floating = [c[3]["type"] == "floating" for c in robot.coordinates]
    return [(p["time"], q["time"], [between(p, q, q["time"] - p["time"], i, floating[i]) for i in range(n)])
            for p, q in (zip(rows, rows[1:]) if len(rows) > 1 else [(rows[0], rows[0])])]


def slerp(a, b, t):
    """Quaternions x y z w."""
    d = (a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3])
    if abs(d) >= 1.0 - 2.0 * U:
        s0, s1 = 1.0 - t, t
    else:
        theta = math.acos(abs(d))
        s0, s1 = math.sin((1.0 - t) * theta) / math.sin(theta), math.sin(t * theta) / math.sin(theta)
    s1 = -s1 if d < 0.0 else s1
    return [s0 * x + s1 * y for x, y in zip(a, b)]


def floating_curves(values, q):
    """Of a floating joint: three lines with their tubes, the angle with its tube, the axis, the start quaternion."""
    def at(u):
        x = []
        for c, _ in values[q:q + 7]:
            x.append(c[0] if len(c) == 1 else c[1] * u + c[0])
        return x
    ends = [at(0.0), at(1.0)]
    both = [[x / norm4(e[3:]) for x in e[3:]] for e in ends]
    turns = [slerp(both[0], both[1], u) for u in (0.0, 1.0)]
    r0, r1 = [unit([t[3], t[0], t[1], t[2]]) for t in turns]
    turn = quaternion_product(r1, [r0[0], -r0[1], -r0[2], -r0[3]])
    turn = [-x for x in turn] if turn[0] < 0.0 else turn
    sine, shift = math.sqrt(dot(turn[1:], turn[1:])), minus(ends[1][:3], ends[0][:3])
    distance = math.sqrt(dot(shift, shift))
    axis = [x / distance for x in shift] if distance > 0.0 else [1.0, 0.0, 0.0]
    turn_axis = [x / sine for x in turn[1:]] if sine > 0.0 else [1.0, 0.0, 0.0]
    tube = 0.0
    for _, error in values[q:q + 3]:
        tube += error
    turn_tube = 0.0
    for _, error in values[q + 3:q + 7]:
        turn_tube += 4.0 * error
    lines = [[ends[0][k], axis[k] * distance] for k in range(3)]
    lines = [(c, tube + 8.0 * U * ((abs(c[0]) + abs(c[1])) * (1.0 + 64.0 * U) + sys.float_info.min)) for c in lines]
    angle = 2.0 * math.atan2(sine, turn[0])
    return lines, ([0.0] if angle == 0.0 else [0.0, angle], turn_tube + 64.0 * U), turn_axis, raw_quaternion(matrix(r0))


# ---- the statement ---------------------------------------------------------------------------------------------------------

def doubles(*values):
    return struct.pack("<%dd" % len(values), *(x if x else 0.0 for x in values))


def text(words):
    raw = words.encode()
    return struct.pack("<H", len(raw)) + raw


def many(items):
    return struct.pack("<I", len(items)) + b"".join(items)


def statement(options):
    files = Files(options)
    robot = Robot(options["robot"], files, options["use_visual"])
    scene = Scene(options["scene"], robot, files)
    colliders = [{"name": link["name"], "body": link["body"], "robot": link["root"], "link": 1, "solid": solid(link["shapes"], link["X"], link["name"])}
                 for link in robot.links.values() if link["shapes"]]
    for o in scene.objects:
        colliders.append({"name": o["name"], "body": 0, "robot": None, "link": 0, "solid": solid(o["shapes"], o["X"], o["name"])})
    for o in scene.held:
        link = robot.links[o["link"]]
        colliders.append({"name": o["name"], "body": link["body"], "robot": link["root"], "link": 0,
                          "solid": solid(o["shapes"], compose(link["X"], o["X"]), o["name"])})
    pairs, excluded = find_pairs(robot, scene, colliders, excluded_links(robot, options["srdf"]), options["margin"], options["self_margin"])
    segments = read_motion(options["path"], robot, options["hold"])
    # A floating joint has a curve for each of three lengths, and one for the angle in place of its quaternion.
    curves, number_of, turn_of = [], {}, {}
    for i, (name, lower, upper, j) in enumerate(robot.coordinates):
        if j["type"] == "floating" and i == j["q"] + 3:
            turn_of[j["name"]] = len(curves)
            curves.append(text(j["name"] + "/turn") + doubles(-math.inf, math.inf))
        if j["type"] != "floating" or i < j["q"] + 3:
            number_of[i] = len(curves)
            curves.append(text(name) + doubles(lower, upper))
    bodies, turns = [], []
    for parent, j in robot.bodies[1:]:
        if j["type"] == "floating":
            moves = [struct.pack("<B", 0) + doubles(*EYE[k]) + struct.pack("<I", number_of[j["q"] + k]) + doubles(1.0, 0.0) for k in range(3)]
            moves.append(struct.pack("<BII", 2, len(turns), turn_of[j["name"]]) + doubles(1.0, 0.0))
            turns.append(j)
        else:
            moves = [struct.pack("<B", kind) + doubles(*axis) + struct.pack("<I", 0xFFFFFFFF if j["q"] < 0 else number_of[j["q"] + k]) +
                     doubles(j["multiplier"], j["offset"]) for k, (kind, axis) in enumerate(robot.moves(j))]
        bodies.append(struct.pack("<I", parent) + doubles(*as_quaternion(j["X"][0], j["name"]), *j["X"][1]) +
                      struct.pack("<B", len(moves)) + b"".join(moves))
    shapes = [text(c["name"]) + struct.pack("<IB", c["body"], c["link"]) + c["solid"].bytes() for c in colliders]
    out = [b"PCCDSTM1", doubles(options["margin"]), many(curves), struct.pack("<I", len(turns)), many(bodies), many(shapes),
           many([struct.pack("<2I", *p) + doubles(pairs[p]) for p in sorted(pairs)]),
           many([struct.pack("<2I", *p) + text(excluded[p]) for p in sorted(excluded)])]
    states = []
    for t0, t1, values in segments:
        stated, ends = {number_of[i]: v for i, v in enumerate(values) if i in number_of}, []
        for j in turns:
            lines, angle, axis, start = floating_curves(values, j["q"])
            stated.update({number_of[j["q"] + k]: lines[k] for k in range(3)})
            stated[turn_of[j["name"]]] = angle
            ends.append(doubles(*axis, *start))
        states.append(doubles(t0, t1) + b"".join(struct.pack("<B", len(c) - 1) + doubles(*c, tube) for _, (c, tube) in sorted(stated.items())) +
                      b"".join(ends))
    out.append(many(states))
    return hashlib.sha256(b"".join(out)).hexdigest(), colliders, pairs, excluded, segments


def read_options(words):
    options = {"robot": None, "srdf": None, "scene": None, "path": None, "margin": 0.0, "self_margin": 0.0, "hold": {}, "packages": {},
               "package_paths": [], "use_visual": False, "honour": False, "list": False}
    words = iter(words)
    for word in words:
        if word in ("--use-visual", "--list"):
            options[word[2:].replace("-", "_")] = True
            continue
        value = next(words, None)
        expect(value is not None and word.startswith("--"), "%r is not expected, or needs a value" % word)
        if word in ("--robot", "--srdf", "--scene", "--path"):
            expect(options[word[2:]] is None, word + " is given twice: several are not read here")
            options[word[2:]] = value
        elif word in ("--margin", "--self-margin"):
            options[word[2:].replace("-", "_")] = number(value, word)
        elif word == "--hold":
            name, _, x = value.partition("=")
            options["hold"][name] = number(x, word)
        elif word == "--package":
            name, _, folder = value.partition("=")
            options["packages"][name] = folder
        elif word == "--package-path":
            options["package_paths"].append(value)
        else:
            expect(word == "--dae-up-axis" and value in ("ignore", "honour"), "there is no option %s %s" % (word, value))
            options["honour"] = value == "honour"
    expect(options["robot"] and options["path"], "--robot and --path are needed")
    return options


def main(words):
    if not words or "--help" in words:
        print(__doc__)
        return 2
    try:
        options = read_options(words)
        digest, colliders, pairs, excluded, segments = statement(options)
    except (NotRead, RecursionError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, struct.error) as why:
        print("model.py: %s" % (why if isinstance(why, NotRead) else "the files are not as expected: %r" % why), file=sys.stderr)
        return 2
    print("model.py read %d colliders, %d pairs, %d more that are not checked, %d segments" % (len(colliders), len(pairs), len(excluded), len(segments)))
    for (a, b), reason in sorted(excluded.items()) if options["list"] else []:
        print("not checked: %s and %s (%s)" % (colliders[a]["name"], colliders[b]["name"], reason))
    print("statement " + digest)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
