"""Certain contacts: two surfaces cross, or one body is inside another, at a configuration, by integer arithmetic alone.

Shares no code with planner_ccd. Real numbers are integers in units of 2^-256. Sines are computed by Taylor's series for arguments
halved ten times, and doubled back: an error of some units grows to at most 2^30 units, and along a chain of some dozen frames to
at most 2^50. So points are accurate to 2^-200 m, and, coordinates being below 2^7 m, determinants to 2^-180 m^3:
a determinant greater than 2^-150 in magnitude has a certain sign. Only such signs are used.
"""

import json
import pathlib
import struct
import xml.etree.ElementTree

import numpy as np
import yaml

_BITS = 256
_ONE = 1 << _BITS
_CERTAIN = 1 << (3 * _BITS - 150)


def fixed(x):
    """A double in units of 2^-256: exact for magnitudes of 2^-203 and more."""
    n, d = float(x).as_integer_ratio()
    return (n << _BITS) // d


def _times(a, b):
    return (a * b) >> _BITS


def _sin_cos(x):
    x >>= 10
    square, term, sine = _times(x, x), x, 0
    k = 1
    while term:
        sine += term
        term = -_times(term, square) // ((k + 1) * (k + 2))
        k += 2
    term, less = square // 2, 0  # 1 - cos, without the 1: small numbers stay small
    k = 2
    while term:
        less += term
        term = -_times(term, square) // ((k + 1) * (k + 2))
        k += 2
    for _ in range(10):
        sine, less = 2 * _times(sine, _ONE - less), 2 * _times(sine, sine)
    return sine, _ONE - less


class Frame:
    """Rotation (rows) and translation."""

    def __init__(self, rows, at):
        self.rows, self.at = rows, at

    def __matmul__(self, other):
        columns = list(zip(*other.rows))
        rows = [[sum(a * b for a, b in zip(row, column)) >> _BITS for column in columns] for row in self.rows]
        return Frame(rows, self.point(other.at))

    def point(self, p):
        return [(sum(a * b for a, b in zip(row, p)) >> _BITS) + t for row, t in zip(self.rows, self.at)]

    def floats(self):
        return tuple(np.array(x, dtype=object).astype(float) / float(_ONE) for x in (self.rows, self.at))


def turn(axis, angle):
    """About an axis of length 1 along a coordinate axis."""
    sine, cosine = _sin_cos(angle)
    k = next(i for i in range(3) if axis[i])
    if sorted(map(abs, axis)) != [0.0, 0.0, 1.0]:
        raise ValueError(f"axis {axis}: only coordinate axes")
    sine *= int(axis[k])
    i, j = (k + 1) % 3, (k + 2) % 3
    rows = [[0] * 3 for _ in range(3)]
    rows[k][k], rows[i][i], rows[j][j], rows[i][j], rows[j][i] = _ONE, cosine, cosine, -sine, sine
    return Frame(rows, [0, 0, 0])


def placed(xyz, rpy):
    out = Frame([[_ONE, 0, 0], [0, _ONE, 0], [0, 0, _ONE]], [fixed(x) for x in xyz])
    for axis, angle in zip(((0, 0, 1), (0, 1, 0), (1, 0, 0)), reversed(rpy)):
        out = out @ turn([float(a) for a in axis], fixed(angle))
    return out


class Body:
    """A mesh that is fixed in a frame of a link or object: `vertices` are doubles, `triangles` their numbers."""

    def __init__(self, vertices, triangles, place=None):
        self.vertices, self.triangles, self.place = vertices, triangles, place
        edges = {}
        for t in triangles:
            for a, b in ((t[0], t[1]), (t[1], t[2]), (t[2], t[0])):
                key = tuple(vertices[a]), tuple(vertices[b])
                edges[key] = edges.get(key, 0) + 1
        self.closed = all(edges.get((b, a), 0) == n for (a, b), n in edges.items())


class World:
    """A robot of a URDF and objects; all shapes are meshes or boxes. packages: folders of package://NAME."""

    def __init__(self, urdf, scene, packages={}):
        root = xml.etree.ElementTree.parse(urdf).getroot()
        folder = pathlib.Path(urdf).parent
        self.bodies, self._joints, self._fixed, self._placed = {}, {}, {}, {}
        for link in root.iter("link"):
            parts = [_element(c, folder, packages) for c in link.findall("collision")]
            if parts:
                self.bodies[link.get("name")] = parts
        for joint in root.iter("joint"):
            if joint.get("type") is None:
                continue
            axis = [float(x) for x in joint.find("axis").get("xyz").split()] if joint.find("axis") is not None else None
            ends = joint.find("parent").get("link"), joint.find("child").get("link")
            self._joints[ends[1]] = joint.get("name"), joint.get("type"), ends[0], _origin(joint), axis
        objects = yaml.safe_load(pathlib.Path(scene).read_text())["objects"] if scene else []
        for entry in objects:
            pose = {"xyz": [0, 0, 0], "rpy": [0, 0, 0], **(entry.get("pose") or {})}
            self._fixed[entry["name"]] = placed(pose["xyz"], pose["rpy"])
            shape = read_mesh(pathlib.Path(scene).parent / entry["mesh"]) if "mesh" in entry else _box(entry["box"]["size"])
            self.bodies[entry["name"]] = [Body(*shape)]

    def frames(self, names, q, bodies=None):
        """Frames of links and objects, of all or of some; `names`: of the joints in the order of q."""
        values, frames = dict(zip(names, q)), {}
        for name in self.bodies if bodies is None else bodies:
            self._frame(name, values, frames)
        return frames

    def _frame(self, name, values, frames):
        if name not in frames:
            if name in self._fixed:
                frames[name] = self._fixed[name]
            elif name not in self._joints:
                frames[name] = placed([0, 0, 0], [0, 0, 0])
            else:
                joint, kind, parent, origin, axis = self._joints[name]
                frame = self._frame(parent, values, frames) @ origin
                if kind in ("revolute", "continuous"):
                    frame = frame @ turn(axis, fixed(values[joint]))
                elif kind == "prismatic":
                    frame = frame @ Frame([[_ONE, 0, 0], [0, _ONE, 0], [0, 0, _ONE]], [int(a) * fixed(values[joint]) for a in axis])
                elif kind != "fixed":
                    raise ValueError(kind)
                frames[name] = frame
        return frames[name]

    def meet(self, a, b, frames):
        """'cross' or 'inside' if certain, else None."""
        pairs = [(p, q) for p in self._at(a, frames) for q in self._at(b, frames)]
        for first, second in [*pairs, *((q, p) for p, q in pairs)]:
            if any(_crosses(first, second, *found) for found in _candidates(first, second)):
                return "cross"
        for inner, outer in [*pairs, *((q, p) for p, q in pairs)]:
            if outer.body.closed and _inside(inner, outer):
                return "inside"
        return None

    def _at(self, name, frames):
        """The bodies of a link or object, placed; of objects, which stand still, once."""
        if name not in self._fixed:
            return [_Placed(body, frames[name]) for body in self.bodies[name]]
        if name not in self._placed:
            self._placed[name] = [_Placed(body, frames[name]) for body in self.bodies[name]]
        return self._placed[name]


def _origin(element):
    origin = element.find("origin")
    return placed(*([float(x) for x in ((origin.get(k) if origin is not None else None) or "0 0 0").split()] for k in ("xyz", "rpy")))


def _element(collision, folder, packages):
    """A <collision> as a Body."""
    shape = collision.find("geometry")[0]
    if shape.tag == "box":
        mesh = _box([float(x) for x in shape.get("size").split()])
    elif shape.tag == "mesh" and shape.get("scale") in (None, "1 1 1"):
        name = shape.get("filename")
        if name.startswith("package://"):
            package, _, rest = name[len("package://") :].partition("/")
            mesh = read_mesh(pathlib.Path(packages[package]) / rest)
        else:
            mesh = read_mesh(folder / name)
    else:
        raise ValueError(f"{shape.tag}: only meshes without a scale, and boxes")
    return Body(*mesh, None if collision.find("origin") is None else _origin(collision))


class _Placed:
    """A body somewhere: `floats` of its vertices for a first look, `low` and `high` of its triangles, `point` for exact ones."""

    def __init__(self, body, frame):
        self.body, self.frame = body, frame if body.place is None else frame @ body.place
        rotation, at = self.frame.floats()
        self.floats = body.vertices @ rotation.T + at
        corners = self.floats[body.triangles]
        self.low, self.high = corners.min(axis=1), corners.max(axis=1)
        self._points = {}

    def point(self, vertex):
        vertex = int(vertex)
        if vertex not in self._points:
            self._points[vertex] = self.frame.point([fixed(x) for x in self.body.vertices[vertex]])
        return self._points[vertex]

    def near(self, low, high):
        """The triangles whose boxes meet this one."""
        return self.body.triangles[((self.low <= high) & (self.high >= low)).all(axis=1)]


def _crosses(first, second, edge, triangle):
    p, q = (first.point(v) for v in edge)
    a, b, c = (second.point(v) for v in triangle)
    ends = _sign(a, b, c, p), _sign(a, b, c, q)
    around = {_sign(p, q, a, b), _sign(p, q, b, c), _sign(p, q, c, a)}
    return ends[0] * ends[1] < 0 and len(around) == 1 and 0 not in around


_FAR = np.array([101.6180339, 57.7215664, 83.1415926])


def _inside(inner, outer):
    """A vertex of `inner` inside `outer`: a segment from it to far away crosses the surface an odd number of times. Looked at are
    the triangles whose shadow along the segment comes within 1e-6 m of it in doubles, which err by less than 1e-12 m: it meets no other."""
    vertex = inner.body.triangles[0][0]
    at = inner.floats[vertex]
    if (at < outer.low.min(axis=0) - 1e-6).any() or (at > outer.high.max(axis=0) + 1e-6).any():
        return False
    across = np.linalg.svd(_FAR[None])[2][1:]
    shadow = ((outer.floats - at) @ across.T)[outer.body.triangles]
    met = ((shadow.min(axis=1) <= 1e-6) & (shadow.max(axis=1) >= -1e-6)).all(axis=1)
    p = inner.point(vertex)
    far = [x + fixed(float(d)) for x, d in zip(p, _FAR)]
    count = 0
    for t in outer.body.triangles[met]:
        a, b, c = (outer.point(v) for v in t)
        ends = _sign(a, b, c, p), _sign(a, b, c, far)
        if 0 in ends:
            return False
        if ends[0] == ends[1]:
            continue
        around = {_sign(p, far, a, b), _sign(p, far, b, c), _sign(p, far, c, a)}
        if 0 in around:
            return False
        count += len(around) == 1
    return count % 2 == 1


def _sign(a, b, c, d):
    """The sign of a tetrahedron's volume; 0 when it is not certain."""
    u, v, w = ([x - y for x, y in zip(p, d)] for p in (a, b, c))
    det = u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0])
    return 0 if abs(det) <= _CERTAIN else 1 if det > 0 else -1


def _candidates(first, second, most=4):
    """Edges of A and triangles of B that cross according to doubles: the clearest first."""
    P, Q = first.floats, second.floats
    near = first.near(second.low.min(axis=0), second.high.max(axis=0))
    other = second.near(P[near].min(axis=(0, 1)), P[near].max(axis=(0, 1))) if len(near) else ()
    if not len(other):
        return []
    near = first.near(Q[other].min(axis=(0, 1)), Q[other].max(axis=(0, 1)))
    if not len(near):
        return []
    edges = np.unique(np.sort(np.concatenate([near[:, [0, 1]], near[:, [1, 2]], near[:, [2, 0]]]), axis=1), axis=0)
    i, j = _boxes_that_meet(P[edges], Q[other])
    (p, q), (a, b, c) = (P[edges[i, k]] for k in range(2)), (Q[other[j, k]] for k in range(3))

    def volume(w, x, y, z):
        u, v, d = x - z, y - z, w - z
        return (d[:, 0] * (u[:, 1] * v[:, 2] - u[:, 2] * v[:, 1]) + d[:, 1] * (u[:, 2] * v[:, 0] - u[:, 0] * v[:, 2])
                + d[:, 2] * (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]))

    ends = volume(a, b, c, p), volume(a, b, c, q)
    around = volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)
    same = (np.sign(around[0]) == np.sign(around[1])) & (np.sign(around[1]) == np.sign(around[2]))
    cross = np.flatnonzero((ends[0] * ends[1] < 0) & same)
    clear = np.abs([x[cross] for x in (*ends, *around)]).min(axis=0)
    best = cross[np.argsort(-clear, kind="stable")[:most]]
    return [(edges[i[k]], other[j[k]]) for k in best]


def _boxes_that_meet(first, second):
    """Numbers of rows of points whose boxes, along the axes, meet."""
    low, high, found = second.min(axis=1), second.max(axis=1), []
    for start in range(0, len(first), 256):
        part = first[start : start + 256]
        meet = np.ones((len(part), len(second)), dtype=bool)
        for k in range(3):
            meet &= (part[:, :, k].min(axis=1)[:, None] <= high[:, k]) & (part[:, :, k].max(axis=1)[:, None] >= low[:, k])
        i, j = np.nonzero(meet)
        found.append((i + start, j))
    return tuple(np.concatenate(x) for x in zip(*found))


def _box(size):
    corners = np.array([[(i >> k & 1) - 0.5 for k in range(3)] for i in range(8)]) * np.array(size, dtype=float)
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return corners, np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])


def read_mesh(path):
    """Vertices and triangles of a binary STL, of an OBJ of triangles, or of a GLB with one mesh."""
    data = pathlib.Path(path).read_bytes()
    if str(path).lower().endswith(".obj"):
        lines = [line.split() for line in data.decode().splitlines()]
        faces = [[int(corner.split("/")[0]) - 1 for corner in line[1:]] for line in lines if line[:1] == ["f"]]
        if any(len(face) != 3 or min(face) < 0 for face in faces):
            raise ValueError(f"{path}: only triangles, counted from the start")
        return np.array([[float(x) for x in line[1:4]] for line in lines if line[:1] == ["v"]]), np.array(faces)
    if str(path).lower().endswith(".stl"):
        raw = np.frombuffer(data, dtype=np.dtype([("n", "<3f4"), ("v", "<9f4"), ("a", "<u2")]), offset=84)
        vertices, numbers = np.unique(raw["v"].reshape(-1, 3), axis=0, return_inverse=True)
        return vertices.astype(float), numbers.reshape(-1, 3)
    length = struct.unpack_from("<I", data, 12)[0]
    head = json.loads(data[20 : 20 + length])
    body = data[28 + length :]

    def array(number):
        accessor = head["accessors"][number]
        view = head["bufferViews"][accessor["bufferView"]]
        kind = {5126: "<f4", 5123: "<u2", 5125: "<u4"}[accessor["componentType"]]
        width = {"VEC3": 3, "SCALAR": 1}[accessor["type"]]
        return np.frombuffer(body, kind, accessor["count"] * width, view.get("byteOffset", 0)).reshape(-1, width)

    primitive = head["meshes"][0]["primitives"][0]
    vertices, numbers = array(primitive["attributes"]["POSITION"]), array(primitive["indices"])
    return vertices.astype(float), numbers.reshape(-1, 3).astype(np.int64)
