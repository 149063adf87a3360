"""Formats, as model.py reads them: numbers and poses, XML, YAML, meshes, points and cells of scans. Doubles are added and multiplied in
the order that FORMAT.md gives. What is not understood is refused."""

import json
import math
import os
import re
import struct
import urllib.parse
import xml.parsers.expat

import yaml

U = 2.0 ** -53
MOST = 1e7  # [m]


class NotRead(Exception):
    pass


def expect(holds, why):
    if not holds:
        raise NotRead(why)


# ---- numbers, vectors, poses (R by rows, t) -------------------------------------------------------------------------------

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
BLANKS = " \t\r\n\f\v"


def number(text, where):
    word = text.strip(BLANKS) if isinstance(text, str) else ""
    expect(NUMBER.match(word), "%s: %r is no finite number" % (where, text))
    value = float(word)
    expect(math.isfinite(value), "%s: %s is too large" % (where, word))
    return value if value else 0.0


def whole(text, where):
    expect(re.match(r"[+-]?\d+\Z", text.strip(BLANKS), re.ASCII), "%s: %r is no whole number" % (where, text))
    return int(text)


def words_of(text):
    return [w for w in re.split("[ \t\r\n\f\v]+", text) if w]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def minus(a, b):
    return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]


def norm4(q):
    """Of four numbers: evens, then odds."""
    return math.sqrt((q[0] * q[0] + q[2] * q[2]) + (q[1] * q[1] + q[3] * q[3]))


def times(R, v):
    """The third row adds its last two products first."""
    return [dot(R[0], v), dot(R[1], v), R[2][0] * v[0] + (R[2][1] * v[1] + R[2][2] * v[2])]


def transposed(R):
    return [list(c) for c in zip(*R)]


def product(A, B):
    return transposed([times(A, column) for column in transposed(B)])


EYE = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
HERE = (EYE, [0.0, 0.0, 0.0])


def compose(X, Y):
    p = times(X[0], Y[1])
    return product(X[0], Y[0]), [p[k] + X[1][k] for k in range(3)]


def place(X, p):
    (a, b, c), t = X
    x, y, z = p
    return (a[0] * x + a[1] * y + a[2] * z + t[0], b[0] * x + b[1] * y + b[2] * z + t[1], c[0] * x + c[1] * y + c[2] * z + t[2])


def determinant(R):
    def part(a, b, c):
        return R[0][a] * (R[1][b] * R[2][c] - R[1][c] * R[2][b])
    return part(0, 1, 2) - part(1, 0, 2) + part(2, 0, 1)


def quaternion_product(a, b):
    """w x y z"""
    return [(a[0] * b[0] - a[2] * b[2]) - (a[3] * b[3] + a[1] * b[1]), (a[0] * b[1] + a[2] * b[3]) - (a[3] * b[2] - a[1] * b[0]),
            (a[0] * b[2] + a[2] * b[0]) + (a[3] * b[1] - a[1] * b[3]), (a[0] * b[3] - a[2] * b[1]) + (a[3] * b[0] + a[1] * b[2])]


def unit(q):
    length = norm4([q[1], q[2], q[3], q[0]])
    return [x / length for x in q]


def matrix(q):
    w, x, y, z = q
    tx, ty, tz = 2.0 * x, 2.0 * y, 2.0 * z
    wx, wy, wz, xx, xy, xz, yy, yz, zz = tx * w, ty * w, tz * w, tx * x, ty * x, tz * x, ty * y, tz * y, tz * z
    return [[1.0 - (yy + zz), xy - wz, xz + wy], [xy + wz, 1.0 - (xx + zz), yz - wx], [xz - wy, yz + wx, 1.0 - (xx + yy)]]


def from_rpy(xyz, rpy):
    def about(axis, angle):
        return [math.cos(0.5 * angle)] + [math.sin(0.5 * angle) if k == axis else 0.0 for k in range(3)]
    roll, pitch, yaw = rpy
    return matrix(quaternion_product(quaternion_product(about(2, yaw), about(1, pitch)), about(0, roll))), list(xyz)


def raw_quaternion(R):
    q, trace = [0.0] * 4, R[0][0] + (R[1][1] + R[2][2])
    if trace > 0.0:
        t = math.sqrt(trace + 1.0)
        q[0] = 0.5 * t
        t = 0.5 / t
        q[1:] = [(R[2][1] - R[1][2]) * t, (R[0][2] - R[2][0]) * t, (R[1][0] - R[0][1]) * t]
    else:
        i = 1 if R[1][1] > R[0][0] else 0
        i = 2 if R[2][2] > R[i][i] else i
        j, k = (i + 1) % 3, (i + 2) % 3
        t = math.sqrt(R[i][i] - R[j][j] - R[k][k] + 1.0)
        q[1 + i] = 0.5 * t
        t = 0.5 / t
        q[0], q[1 + j], q[1 + k] = (R[k][j] - R[j][k]) * t, (R[j][i] + R[i][j]) * t, (R[k][i] + R[i][k]) * t
    return q


def as_quaternion(R, where):
    if R == EYE:
        return [1.0, 0.0, 0.0, 0.0]
    q = unit(raw_quaternion(R))
    back = matrix(q)
    expect(all(abs(back[r][c] - R[r][c]) <= 1e-12 for r in range(3) for c in range(3)), where + ": no rotation to 1e-12")
    return q


def defect(R):
    columns = transposed(R)
    return [[dot(a, b) - (i == j) for j, b in enumerate(columns)] for i, a in enumerate(columns)]


def rigid(X, where):
    """The rotation made orthonormal, by three steps of Newton's iteration, unless it is to rounding."""
    R, t = X
    off = max(abs(x) for row in defect(R) for x in row)
    expect(off < 1e-6 and determinant(R) > 0.0 and all(abs(x) <= MOST for x in t), where + ": the pose is not rigid")
    for _ in range(3 if off > 16.0 * U else 0):
        columns = transposed(R)
        D = [[3.0 * (i == j) - dot(a, b) for j, b in enumerate(columns)] for i, a in enumerate(columns)]
        R = [[0.5 * x for x in row] for row in product(R, D)]
    return R, list(t)


# ---- files -----------------------------------------------------------------------------------------------------------------

class Element:
    def __init__(self, name, attributes, where):
        self.name, self.attributes, self.where = name, attributes, "%s: <%s %s>" % (where, name, attributes.get("name", ""))
        self.children, self.texts = [], []

    def all(self, name):
        return [c for c in self.children if c.name == name]

    def child(self, name):
        return next(iter(self.all(name)), None)

    def only(self, *names):
        for name in names:
            expect(len(self.all(name)) < 2, "%s: holds a second <%s>" % (self.where, name))

    def get(self, key):
        value = self.attributes.get(key)
        return None if value is None else value.strip(BLANKS)

    def need(self, key):
        expect(self.get(key), "%s: the attribute %r is missing or empty" % (self.where, key))
        return self.get(key)

    def number(self, key, preset=None):
        expect(preset is not None or self.get(key) is not None, "%s: %r is missing" % (self.where, key))
        return preset if self.get(key) is None else number(self.get(key), self.where)

    def vector(self, key, preset=None):
        if self.get(key) is None:
            return preset
        parts = [number(w, self.where) for w in words_of(self.get(key))]
        expect(len(parts) == 3, "%s: %r must be three numbers" % (self.where, key))
        return parts

    def numbers(self, count=None):
        out = [number(w, self.where) for w in words_of(" ".join(self.texts))]
        expect(count in (None, len(out)), "%s: needs %s numbers" % (self.where, count))
        return out

    def everything(self):
        yield self
        for c in self.children:
            yield from c.everything()


def read_bytes(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as why:
        raise NotRead("%s: %s" % (path, why.strerror))


def read_text(path):
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotRead(path + ": not UTF-8")


def read_xml(path):
    stack, roots = [], []
    parser = xml.parsers.expat.ParserCreate()

    def begin(name, attributes):
        element = Element(name, attributes, "%s:%d" % (os.path.basename(path), parser.CurrentLineNumber))
        (stack[-1].children if stack else roots).append(element)
        stack.append(element)

    def text(data):
        stack[-1].texts.append(data)

    def refuse(*_):
        raise NotRead(path + ": a DOCTYPE is not read")
    parser.buffer_text = True  # a number is not cut in two
    parser.buffer_size = 1 << 26
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = begin, lambda name: stack.pop(), text
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(read_text(path).lstrip().encode(), True)
    except xml.parsers.expat.ExpatError as why:
        raise NotRead("%s: not well-formed XML: %s" % (path, why))
    return roots[0]


def read_yaml(text, name):
    """Maps, lists, strings and None; numbers stay text."""
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

    def plain(node, depth):
        expect(depth < 64, name + ": too deep")
        if isinstance(node, yaml.ScalarNode):
            return None if not node.style and node.value in ("", "~", "null", "Null", "NULL") else node.value
        if isinstance(node, yaml.SequenceNode):
            return [plain(item, depth + 1) for item in node.value]
        out = {}
        for key, value in node.value:
            key = plain(key, depth + 1)
            expect(isinstance(key, str) and key not in out and key != "<<", "%s: the key %r" % (name, key))
            out[key] = plain(value, depth + 1)
        return out
    try:
        documents = [plain(n, 0) for n in yaml.compose_all(text, Loader=loader) if n is not None]
    except (yaml.YAMLError, RecursionError) as why:
        raise NotRead("%s: not well-formed YAML: %s" % (name, why))
    documents = [d for d in documents if d is not None]
    expect(len(documents) == 1, name + ": one document is expected")
    return documents[0]


def check_keys(node, known, where):
    expect(isinstance(node, dict), where + ": must be a map")
    for key in node:
        expect(key in known, "%s: %r is not read" % (where, key))


def as_list(node, where, size=None):
    expect(isinstance(node, list) and size in (None, len(node)), where + ": must be a list" + ("" if size is None else " of %d" % size))
    return node


def as_vector(node, where, size=3):
    return [number(x, where) for x in as_list(node, where, size)]


def positive(text, where):
    value = number(text, where)
    expect(0.0 < value <= MOST, where + ": must be positive")
    return value


class Files:
    """Where files are that others name, and the meshes that were read."""

    def __init__(self, options):
        self.options, self.meshes = options, {}

    def resolve(self, uri, named_in):
        """The file that another one names: from that one's folder, or its target's if it is a link."""
        beyond = [os.path.dirname(named_in) or "."] + ([os.path.dirname(os.path.realpath(named_in))] if os.path.islink(named_in) else [])
        for scheme in ("package://", "model://"):
            if uri.startswith(scheme):
                return self.in_package(uri, uri[len(scheme):], beyond)
        if uri.startswith("file:"):
            path = uri[5:]
            path = path[11:] if path.startswith("//localhost/") else path
            path = path[2:] if path.startswith("//") else path
            spellings = [path, urllib.parse.unquote(path)]
        else:
            expect("://" not in uri, uri + ": only package://, model://, file:// and plain paths are read")
            spellings = [uri]
        for path in spellings + [spellings[0].replace("\\", "/")]:
            for folder in beyond:
                if os.path.isfile(os.path.join(folder, path)):
                    return os.path.join(folder, path)
        raise NotRead("%s: not found from %s" % (uri, beyond[0]))

    def in_package(self, uri, tail, beyond):
        name, _, rest = tail.partition("/")
        expect(name and rest, uri + ": must read package://NAME/path")
        if name in self.options["packages"]:
            places = [os.path.join(self.options["packages"][name], rest)]
        else:
            above = []
            for folder in beyond:
                folder = os.path.realpath(folder)
                while folder not in above:
                    above.append(folder)
                    folder = os.path.dirname(folder)
            listed = [p for p in os.environ.get("ROS_PACKAGE_PATH", "").split(":") if p]
            places = []
            for folder in self.options["package_paths"] + above + listed:
                places.append(os.path.join(folder, name, rest))
                if os.path.basename(folder.rstrip("/")) == name:
                    places.append(os.path.join(folder, rest))
            places += [os.path.join(p, "share", name, rest) for p in os.environ.get("AMENT_PREFIX_PATH", "").split(":") if p]
            places += [os.path.join(folder, rest) for folder in above]
        for place_ in places:
            if os.path.isfile(place_):
                return place_
        raise NotRead("%s: not found; --package %s=DIR says where it is" % (uri, name))

    def mesh(self, uri, named_in, scale):
        """Vertices and triangles."""
        path = self.resolve(uri, named_in)
        key = os.path.realpath(path)
        if key not in self.meshes:
            kind = os.path.splitext(path)[1].lower()
            readers = {".stl": read_stl, ".stlb": read_stl, ".obj": read_obj, ".ply": read_ply, ".off": read_off, ".glb": Glb.read}
            expect(kind in readers or kind == ".dae", path + ": meshes of this kind are not read here")
            mesh = Dae(path, self.options["honour"]).mesh if kind == ".dae" else readers[kind](path)
            expect(mesh[1], path + ": the mesh has no triangles")
            self.meshes[key] = mesh
        vertices, triangles = self.meshes[key]
        expect(all(s != 0.0 for s in scale), path + ": the scale must not be 0")
        if scale != [1.0, 1.0, 1.0]:
            vertices = [(x * scale[0], y * scale[1], z * scale[2]) for x, y, z in vertices]
            if sum(s < 0.0 for s in scale) % 2:
                triangles = [(a, c, b) for a, b, c in triangles]
        expect(all(abs(x) <= MOST for v in vertices for x in v), path + ": a vertex lies beyond 1e7 m")
        return vertices, triangles


# ---- meshes ----------------------------------------------------------------------------------------------------------------

def lines_of(data):
    return re.split("\r\n|\n|\r", data.decode("latin-1"))


def read_stl(path):
    data = read_bytes(path)
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else None
    head = data[:4096].lower()
    ascii_ = (count is None or 84 + 50 * count != len(data)) and data[:256].strip(BLANKS.encode()).lower().startswith(b"solid") \
        and b"\0" not in head and (b"facet" in head or b"endsolid" in head)
    vertices, triangles = [], []
    if not ascii_:
        expect(count is not None and 84 + 50 * count <= len(data) < 84 + 50 * count + 50, path + ": not as long as its header says")
        for i in range(count):
            c = struct.unpack_from("<9f", data, 96 + 50 * i)
            vertices += [c[0:3], c[3:6], c[6:9]]
        expect(all(math.isfinite(x) for v in vertices for x in v), path + ": a vertex is not finite")
        return vertices, [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(count)]
    loop = 0
    for line in lines_of(data):
        words = words_of(line)
        i = 0
        while i < len(words):
            word = words[i].lower()
            if word in ("solid", "endsolid"):
                break
            if word == "vertex":
                expect(len(words) > i + 3 and loop < 3, path + ": a facet of three corners is expected")
                vertices.append(tuple(number(w, path) for w in words[i + 1:i + 4]))
                loop, i = loop + 1, i + 4
            elif word == "facet":
                i += 5 if i + 1 < len(words) and words[i + 1].lower() == "normal" else 1
            elif word == "endloop":
                expect(loop == 3, path + ": a facet with fewer than three corners")
                triangles.append((len(vertices) - 3, len(vertices) - 2, len(vertices) - 1))
                loop, i = 0, i + 1
            else:
                expect(word in ("outer", "loop", "endfacet"), "%s: %r is no word of an STL file" % (path, word))
                i += 1
    expect(loop == 0, path + ": the file ends inside a loop")
    return vertices, triangles


def add_polygon(mesh, corners):
    """A fan; a concave outline loses its ears first."""
    vertices, triangles = mesh
    corners = list(corners)

    def turn(normal, a, b, c):
        p = vertices[a]
        return dot(normal, cross(minus(vertices[b], p), minus(vertices[c], p)))
    if 3 < len(corners) <= 500:
        normal, origin = [0.0, 0.0, 0.0], vertices[corners[0]]
        for b, c in zip(corners[1:], corners[2:]):
            part = cross(minus(vertices[b], origin), minus(vertices[c], origin))
            normal = [normal[k] + part[k] for k in range(3)]
        n = len(corners)
        i = 0 if any(not turn(normal, corners[k], corners[(k + 1) % n], corners[(k + 2) % n]) >= 0.0 for k in range(n)) else n
        while i < len(corners) > 3:
            a, b, c = corners[i - 1], corners[i], corners[(i + 1) % len(corners)]
            if turn(normal, a, b, c) > 0.0 and not any(
                    turn(normal, a, b, p) >= 0.0 and turn(normal, b, c, p) >= 0.0 and turn(normal, c, a, p) >= 0.0
                    for p in corners if p not in (a, b, c)):
                triangles.append((a, b, c))
                del corners[i]
                i = 0
            else:
                i += 1
    triangles += [(corners[0], b, c) for b, c in zip(corners[1:], corners[2:])]


def add_line(mesh, corners):
    mesh[1].extend((a, b, b) for a, b in zip(corners, corners[1:]))


def read_obj(path):
    data = read_bytes(path)
    expect(b"\0" not in data, path + ": a binary file")
    mesh, joined = ([], []), ""
    for line in lines_of(data[3:] if data.startswith(b"\xef\xbb\xbf") else data) + [""]:
        if line.endswith("\\"):
            joined += line[:-1] + " "
            continue
        words = words_of((joined + line).partition("#")[0])
        joined = ""
        if not words:
            continue
        expect(words[0] not in ("surf", "curv", "curv2", "bzp", "bsp", "cdc", "cdp", "call", "csh"), path + ": curved surfaces")
        if words[0] == "v":
            expect(len(words) > 3, path + ": 'v' needs three numbers")
            p = [number(w, path) for w in words[1:4]]
            if len(words) == 5:
                w = number(words[4], path)
                expect(w != 0.0, path + ": a vertex with weight 0")
                p = [x / w for x in p]
            mesh[0].append(tuple(p))
        elif words[0] in ("f", "fo", "l"):
            corners = []
            for word in words[1:]:
                i = whole(word.partition("/")[0], path)
                corners.append(len(mesh[0]) + i if i < 0 else i - 1)
            expect(len(corners) >= (2 if words[0] == "l" else 3) and all(0 <= c < len(mesh[0]) for c in corners), path + ": a face")
            (add_line if words[0] == "l" else add_polygon)(mesh, corners)
    return mesh


def read_off(path):
    lines = [w for w in (words_of(line.partition("#")[0]) for line in lines_of(read_bytes(path))) if w]
    expect(lines and lines[0][0] in ("OFF", "COFF", "NOFF", "CNOFF"), path + ": an OFF file must begin with OFF")
    lines[0] = lines[0][1:]
    lines = lines if lines[0] else lines[1:]
    expect(lines and len(lines[0]) >= 2, path + ": the counts are missing")
    count, faces = whole(lines[0][0], path), whole(lines[0][1], path)
    expect(len(lines) == 1 + count + faces and count >= 0 and faces >= 0, path + ": other counts than the file holds")
    expect(all(len(w) >= 3 for w in lines[1:1 + count]), path + ": a vertex needs three numbers")
    mesh = ([tuple(number(x, path) for x in words[:3]) for words in lines[1:1 + count]], [])
    for words in lines[1 + count:]:
        n = whole(words[0], path)
        expect(1 <= n < len(words), path + ": a face must begin with its number of corners")
        corners = [whole(w, path) for w in words[1:1 + n]]
        expect(all(0 <= c < count for c in corners), path + ": no such vertex")
        add_polygon(mesh, corners)
    return mesh


PLY_TYPES = {"char": "b", "int8": "b", "uchar": "B", "uint8": "B", "short": "h", "int16": "h", "ushort": "H", "uint16": "H", "int": "i",
             "int32": "i", "uint": "I", "uint32": "I", "float": "f", "float32": "f", "double": "d", "float64": "d"}


def read_ply(path, points=False):
    data, at, elements, order = read_bytes(path), 0, [], ""
    for k in range(len(data)):
        end = data.find(b"\n", at)
        expect(end >= 0, path + ": the PLY header has no end")
        words, at = words_of(data[at:end].decode("latin-1")), end + 1
        expect(k > 0 or words == ["ply"], path + ": a PLY file must begin with 'ply'")
        if words[:1] == ["end_header"]:
            break
        if not words or words[0] in ("ply", "comment", "obj_info"):
            continue
        if words[0] == "format":
            orders = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
            expect(words[1] in orders, path + ": an unknown format")
            order = orders[words[1]]
        elif words[0] == "element":
            elements.append((words[1], whole(words[2], path), []))
        else:
            expect(words[0] == "property" and elements, path + ": a header that is not understood")
            is_list = words[1] == "list"
            expect(len(words) == (5 if is_list else 3) and all(w in PLY_TYPES for w in words[2 if is_list else 1:-1]), path + ": a property")
            elements[-1][2].append((words[-1], PLY_TYPES[words[2]] if is_list else None, PLY_TYPES[words[-2]]))
    texts = iter([] if order else words_of(data[at:].decode("latin-1")))

    def take(code):
        nonlocal at
        if not order:
            word = next(texts, None)
            expect(word is not None, path + ": cut short")
            return coordinate(word, path) if points else number(word, path)
        expect(at + struct.calcsize(code) <= len(data), path + ": cut short")
        value = struct.unpack_from(order + code, data, at)[0]
        at += struct.calcsize(code)
        return float(value)
    mesh = ([], [])
    for name, count, properties in elements:
        expect(name != "tristrips" or points, path + ": triangle strips are not read")
        for _ in range(count if properties else 0):
            here = {}
            for key, counted, code in properties:
                if counted is None:
                    here[key] = take(code)
                    continue
                items = [take(code) for _ in range(int(take(counted)))]
                if name == "face" and key in ("vertex_indices", "vertex_index") and not points:
                    expect(all(i == int(i) and 0 <= i < len(mesh[0]) for i in items), path + ": no such vertex")
                    add_polygon(mesh, [int(i) for i in items])
            if name == "vertex":
                expect(all(k in here for k in "xyz"), path + ": the vertices have no x, y and z")
                mesh[0].append((here["x"], here["y"], here["z"]))
    expect(next(texts, None) is None if not order else len(data) - at < 4 or not data[at:].strip(), path + ": more than its header promises")
    expect(points or all(math.isfinite(x) for v in mesh[0] for x in v), path + ": a vertex is not finite")
    return mesh


def add_instance(mesh, part, X):
    first = len(mesh[0])
    mesh[0].extend(place(X, p) for p in part[0])
    mirrors = determinant(X[0]) < 0.0
    mesh[1].extend((first + a, first + (c if mirrors else b), first + (b if mirrors else c)) for a, b, c in part[1])


class Glb:
    SIZES = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}

    @staticmethod
    def read(path):
        return Glb(path).mesh

    def __init__(self, path):
        self.path, self.mesh, self.visits = path, ([], []), 0
        data, text, self.binary = read_bytes(path), None, None
        expect(len(data) >= 20 and data[:4] == b"glTF" and struct.unpack_from("<2I", data, 4) >= (2, len(data)), path + ": not a GLB file")
        expect(struct.unpack_from("<I", data, 4)[0] == 2, path + ": only version 2 of GLB is read")
        at = 12
        while len(data) - at >= 8:
            length, kind = struct.unpack_from("<2I", data, at)
            expect(at + 8 + length <= len(data), path + ": cut short")
            chunk = data[at + 8:at + 8 + length]
            if kind == 0x4E4F534A and text is None:
                text = chunk
            if kind == 0x004E4942 and self.binary is None:
                self.binary = chunk
            at += 8 + length
        try:
            self.root = json.loads((text or b"").decode())
        except ValueError as why:
            raise NotRead("%s: %s" % (path, why))
        for extension in self.root.get("extensionsRequired", []):
            expect(re.match("KHR_materials_|KHR_texture_|KHR_lights_punctual$|KHR_mesh_quantization$", extension),
                    "%s: needs the extension %s" % (path, extension))
        nodes = self.root.get("nodes", [])
        children = {c for node in nodes for c in node.get("children", [])}
        scenes = self.root.get("scenes", [])
        roots = scenes[self.root.get("scene", 0)].get("nodes", []) if scenes else [i for i in range(len(nodes)) if i not in children]
        for i in roots:
            self.add_node(i, HERE, 0)

    def add_node(self, i, above, depth):
        self.visits += 1
        expect(depth < 64 and self.visits < 100000, self.path + ": its nodes form a circle")
        node = self.root["nodes"][i]
        expect("skin" not in node and "EXT_mesh_gpu_instancing" not in node.get("extensions", {}), self.path + ": skins, instancing")
        X = compose(above, self.transform(node))
        if "mesh" in node:
            mesh, part = self.root["meshes"][node["mesh"]], ([], [])
            expect(not any(node.get("weights", [])) and not any(mesh.get("weights", [])), self.path + ": morph targets")
            for primitive in mesh["primitives"]:
                self.add_primitive(primitive, part)
            add_instance(self.mesh, part, X)
        for child in node.get("children", []):
            self.add_node(child, X, depth + 1)

    def transform(self, node):
        if "matrix" in node:
            m = [float(x) for x in node["matrix"]]
            return [[m[4 * c + r] for c in range(3)] for r in range(3)], m[12:15]
        t, s = [[float(x) for x in node.get(key, preset)] for key, preset in (("translation", [0] * 3), ("scale", [1] * 3))]
        x, y, z, w = [float(v) for v in node.get("rotation", [0, 0, 0, 1])]
        expect(abs(norm4([x, y, z, w]) - 1.0) < 1e-3, self.path + ": no unit quaternion")
        return [[row[k] * s[k] for k in range(3)] for row in matrix(unit([w, x, y, z]))], t

    def numbers(self, index, width):
        a = self.root["accessors"][index]
        view = self.root["bufferViews"][a["bufferView"]]
        expect("sparse" not in a and a["type"] == ("VEC3" if width == 3 else "SCALAR") and view["buffer"] == 0 and
                "uri" not in self.root["buffers"][0], self.path + ": an accessor that is not read")
        code, normalized = self.SIZES[a["componentType"]], a.get("normalized", False)
        size = struct.calcsize("<%d%s" % (width, code))
        step, at = view.get("byteStride", size), view.get("byteOffset", 0) + a.get("byteOffset", 0)
        end = a.get("byteOffset", 0) + ((a["count"] - 1) * step + size if a["count"] else 0)
        expect(step >= size and end <= view["byteLength"] and view.get("byteOffset", 0) + view["byteLength"] <= len(self.binary or b""),
                self.path + ": an accessor beyond the file")
        rows = [struct.unpack_from("<%d%s" % (width, code), self.binary, at + i * step) for i in range(a["count"])]
        if normalized and code != "f":
            most = float({"b": 127, "B": 255, "h": 32767, "H": 65535, "I": 4294967295}[code])
            rows = [tuple(max(x / most, -1.0) for x in row) for row in rows]
        return rows, code == "f" or normalized

    def add_primitive(self, primitive, mesh):
        mode = primitive.get("mode", 4)
        expect(mode in range(7), self.path + ": an unknown mode")
        if mode == 0:
            return
        first = len(mesh[0])
        rows, _ = self.numbers(primitive["attributes"]["POSITION"], 3)
        mesh[0].extend(tuple(float(x) for x in row) for row in rows)
        expect(all(math.isfinite(x) for row in rows for x in row), self.path + ": a vertex is not finite")
        corners = list(range(first, first + len(rows)))
        if "indices" in primitive:
            indices, bad = self.numbers(primitive["indices"], 1)
            expect(not bad and all(0 <= i < len(rows) for i, in indices), self.path + ": no such vertex")
            corners = [first + i for i, in indices]
        if mode == 1:
            for pair in zip(corners[0::2], corners[1::2]):
                add_line(mesh, pair)
        elif mode <= 3:
            add_line(mesh, corners + corners[:1] if mode == 2 else corners)
        elif mode == 4:
            expect(len(corners) % 3 == 0, self.path + ": no whole triangles")
            mesh[1].extend(zip(corners[0::3], corners[1::3], corners[2::3]))
        else:
            for i, (a, b, c) in enumerate(zip(corners, corners[1:], corners[2:])):
                turned = mode == 5 and i % 2 == 1
                mesh[1].append((corners[0] if mode == 6 else a, c if turned else b, b if turned else c))


class Dae:
    def __init__(self, path, honour):
        self.path, self.mesh, self.known, self.visits = path, ([], []), {}, 0
        self.root = read_xml(path)
        expect(self.root.name == "COLLADA", path + ": a DAE file must begin with <COLLADA>")
        self.ids = {}
        for element in self.root.everything():
            if "id" in element.attributes:
                self.ids.setdefault(element.attributes["id"], element)
        asset = self.root.child("asset")
        unit_, up = (asset and asset.child("unit")), (asset and asset.child("up_axis"))
        metres = unit_.number("meter", 1.0) if unit_ else 1.0
        expect(metres > 0.0, path + ": 'meter' must be positive")
        X = ([[metres * x for x in row] for row in EYE], [0.0, 0.0, 0.0])
        axis = "".join(up.texts).strip(BLANKS) if up else ""
        expect(axis in ("", "X_UP", "Y_UP", "Z_UP") and (axis or not up), path + ": up_axis")
        if honour and axis != "Z_UP":
            turn = [[0, -1, 0], [0, 0, -1], [1, 0, 0]] if axis == "X_UP" else [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
            X = compose(X, ([[float(x) for x in row] for row in turn], [0.0, 0.0, 0.0]))
        scene, library = self.root.child("scene"), self.root.child("library_visual_scenes")
        instance = scene and scene.child("instance_visual_scene")
        visual = self.referred(instance, "url") if instance else library and library.child("visual_scene")
        if visual:
            self.add_children(visual, X, 0)
        else:
            library = self.root.child("library_geometries")
            for element in library.all("geometry") if library else []:
                add_instance(self.mesh, self.geometry(element), X)

    def referred(self, element, key):
        url = element.need(key)
        expect(url[0] == "#" and url[1:] in self.ids, "%s: refers to %s" % (element.where, url))
        return self.ids[url[1:]]

    def add_children(self, parent, X, depth):
        self.visits += 1
        expect(depth < 64 and self.visits < 100000, self.path + ": the nodes refer to each other in a circle")
        for e in parent.children:
            expect(e.name != "instance_controller", e.where + ": bones or morphs")
            if e.name in ("node", "instance_node"):
                node = e if e.name == "node" else self.referred(e, "url")
                self.add_children(node, compose(X, self.transform(node)), depth + 1)
            elif e.name == "instance_geometry":
                add_instance(self.mesh, self.geometry(self.referred(e, "url")), X)

    def transform(self, node):
        X = HERE
        for e in node.children:
            expect(e.name not in ("skew", "lookat"), e.where + ": not read here")
            if e.name == "matrix":
                m = e.numbers(16)
                X = compose(X, ([m[0:3], m[4:7], m[8:11]], [m[3], m[7], m[11]]))
            elif e.name == "translate":
                moved = times(X[0], e.numbers(3))
                X = (X[0], [moved[k] + X[1][k] for k in range(3)])
            elif e.name == "scale":
                s = e.numbers(3)
                X = ([[row[k] * s[k] for k in range(3)] for row in X[0]], X[1])
            elif e.name == "rotate":
                v = e.numbers(4)
                most = max(abs(x) for x in v[:3])
                expect(most > 0.0, e.where + ": the axis is zero")
                short = [x / most for x in v[:3]]
                length = math.sqrt(dot(short, short)) * most
                X = (product(X[0], about_axis([x / length for x in v[:3]], v[3] * math.pi / 180.0)), X[1])
        return X

    def geometry(self, element):
        if id(element) in self.known:
            return self.known[id(element)]
        expect(element.name == "geometry", element.where + ": a geometry is expected")
        mesh, ranges = ([], []), {}
        for e in element.children:
            expect(e.name not in ("convex_mesh", "spline", "brep"), e.where + ": only <mesh> is read")
            for primitive in e.children if e.name == "mesh" else []:
                if primitive.name in ("triangles", "polylist", "polygons", "trifans", "tristrips", "lines", "linestrips"):
                    self.add_primitive(primitive, mesh, ranges)
        self.known[id(element)] = mesh
        return mesh

    def positions(self, vertices, mesh):
        inputs = [e for e in vertices.all("input") if e.need("semantic") == "POSITION"]
        expect(inputs, vertices.where + ": no positions")
        source = self.referred(inputs[0], "source")
        expect(source.child("float_array"), source.where + ": no <float_array>")
        values = source.child("float_array").numbers()
        stride, offset, at = 3, 0, {"X": 0, "Y": 1, "Z": 2}
        accessor = source.child("technique_common") and source.child("technique_common").child("accessor")
        if accessor:
            stride, offset = whole(accessor.get("stride") or "1", accessor.where), whole(accessor.get("offset") or "0", accessor.where)
            for i, param in enumerate(accessor.all("param")):
                if param.get("name") in at:
                    at[param.get("name")] = i
            expect(max(at.values()) < stride and offset >= 0, accessor.where + ": not three numbers each")
        first = len(mesh[0])
        for i in range(offset, len(values) - max(at.values()), stride):
            mesh[0].append((values[i + at["X"]], values[i + at["Y"]], values[i + at["Z"]]))
        return first, len(mesh[0]) - first

    def add_primitive(self, primitive, mesh, ranges):
        width, vertex, kind = 0, None, primitive.name
        for e in primitive.all("input"):
            offset = whole(e.get("offset") or "0", e.where)
            expect(0 <= offset <= 1000, e.where + ": 'offset'")
            width = max(width, offset + 1)
            if e.need("semantic") == "VERTEX":
                vertices = self.referred(e, "source")
                if id(vertices) not in ranges:
                    ranges[id(vertices)] = self.positions(vertices, mesh)
                vertex, (first, count) = offset, ranges[id(vertices)]
        runs = [e if e.name == "p" else e.child("p") for e in primitive.children if e.name in ("p", "ph")]
        expect(vertex is not None or not runs, primitive.where + ": no vertices")
        for p in filter(None, runs):
            corners = [whole(w, p.where) for w in words_of(" ".join(p.texts))[vertex::width]]
            expect(all(0 <= c < count for c in corners), p.where + ": no such vertex")
            corners = [first + c for c in corners]
            expect(kind != "triangles" or len(corners) % 3 == 0, p.where + ": no whole triangles")
            if kind == "polylist" and primitive.child("vcount"):
                counts = [int(c) for c in primitive.child("vcount").numbers()]
                expect(sum(counts) == len(corners) and min(counts, default=0) >= 0, p.where + ": other counts")
                for c in counts:
                    self.add_run(kind, corners[:c], mesh)
                    del corners[:c]
            else:
                self.add_run(kind, corners, mesh)

    @staticmethod
    def add_run(kind, run, mesh):
        if kind == "triangles":
            mesh[1].extend(zip(run[0::3], run[1::3], run[2::3]))
        elif kind == "tristrips":
            mesh[1].extend((a, c, b) if i % 2 else (a, b, c) for i, (a, b, c) in enumerate(zip(run, run[1:], run[2:])))
        elif kind == "lines":
            for pair in zip(run[0::2], run[1::2]):
                add_line(mesh, pair)
        elif kind == "linestrips":
            add_line(mesh, run)
        elif kind == "trifans":
            mesh[1].extend((run[0], b, c) for b, c in zip(run[1:], run[2:]))
        elif run:
            add_polygon(mesh, run)


def about_axis(n, angle):
    sine, cosine = math.sin(angle), math.cos(angle)
    s, c = [sine * x for x in n], [(1.0 - cosine) * x for x in n]
    xy, xz, yz = c[0] * n[1], c[0] * n[2], c[1] * n[2]
    return [[c[0] * n[0] + cosine, xy - s[2], xz + s[1]], [xy + s[2], c[1] * n[1] + cosine, yz - s[0]],
            [xz - s[1], yz + s[0], c[2] * n[2] + cosine]]


# ---- points and cells ------------------------------------------------------------------------------------------------------

def coordinate(text, where):
    """A number, or NaN for what a sensor did not see."""
    if re.match(r"[+-]?(nan|inf|infinity)\Z", text.strip(BLANKS), re.IGNORECASE | re.ASCII):
        return math.nan
    return number(text, where)


def read_xyz(path):
    points, columns, first = [], [0, 1, 2], True
    for line in read_text(path).split("\n"):
        line = line.strip(BLANKS)
        if not line or line[0] == "#" or line.startswith("//"):
            continue
        mark = "," if "," in line else ";" if ";" in line else None
        cells = [c.strip(BLANKS) for c in line.split(mark)] if mark else words_of(line)
        if first and not re.match(r"[+-]?(nan|inf)", cells[0].lower()) and not NUMBER.match(cells[0]):
            names = [c.lower().strip('"') for c in cells]
            expect(all(k in names for k in "xyz"), path + ": no columns x, y and z")
            columns = [names.index(k) for k in "xyz"]
        else:
            expect(max(columns) < len(cells), path + ": a point needs three numbers")
            points.append(tuple(coordinate(cells[k], path) for k in columns))
        first = False
    return points


def read_pcd(path):
    data, at, head = read_bytes(path), 0, {}
    while "DATA" not in head:
        end = data.find(b"\n", at)
        expect(end >= 0, path + ": the PCD header has no DATA")
        words, at = words_of(data[at:end].decode("latin-1").partition("#")[0]), end + 1
        if words:
            head[words[0]] = words[1:]
    names = head.get("FIELDS", head.get("COLUMNS", []))
    sizes, counts = [[whole(w, path) for w in head.get(key, [preset] * len(names))] for key, preset in (("SIZE", "4"), ("COUNT", "1"))]
    types, kind = head.get("TYPE", ["F"] * len(names)), head["DATA"][0]
    n = whole(head["WIDTH"][0], path) * whole(head.get("HEIGHT", ["1"])[0], path) if "WIDTH" in head else whole(head["POINTS"][0], path)
    expect("POINTS" not in head or whole(head["POINTS"][0], path) == n, path + ": POINTS is not WIDTH times HEIGHT")
    expect(all(k in names for k in "xyz") and len(sizes) == len(counts) == len(types) == len(names), path + ": the FIELDS")
    if kind == "ascii":
        rows = [w for w in (words_of(line) for line in data[at:].decode("latin-1").split("\n")) if w]
        expect(len(rows) == n and all(len(r) == sum(counts) for r in rows), path + ": other points than its header promises")
        place_ = [sum(counts[:names.index(k)]) for k in "xyz"]
        return [tuple(coordinate(r[k], path) for k in place_) for r in rows]
    expect(kind in ("binary", "binary_compressed"), "%s: DATA %s is not known" % (path, kind))
    packed = kind == "binary_compressed"
    begins, step = [sum(s * c for s, c in zip(sizes[:names.index(k)], counts)) for k in "xyz"], sum(s * c for s, c in zip(sizes, counts))
    codes = [{4: "<f", 8: "<d"}.get(sizes[names.index(k)] if types[names.index(k)] == "F" else 0) for k in "xyz"]
    if packed:
        size, full = struct.unpack_from("<2I", data, at)
        expect(at + 8 + size == len(data) and full == n * step, path + ": other bytes than its header promises")
        data, at = unpacked(data[at + 8:], full, path), 0
    expect(all(codes) and 0 <= len(data) - at - n * step < step, path + ": other points than its header promises")
    if packed:  # field after field, each of all points
        return [tuple(struct.unpack_from(c, data, b * n + i * struct.calcsize(c))[0] for c, b in zip(codes, begins)) for i in range(n)]
    return [tuple(struct.unpack_from(c, data, at + i * step + b)[0] for c, b in zip(codes, begins)) for i in range(n)]


def unpacked(data, size, path):
    """LZF: a byte below 32 and so many more are meant as they stand; any other begins a copy of what was there."""
    out, at = bytearray(), 0
    while at < len(data):
        control, at = data[at], at + 1
        if control < 32:
            out += data[at:at + control + 1]
            at += control + 1
            continue
        length = control >> 5
        if length == 7:
            length, at = 7 + data[at], at + 1
        back, at = ((control & 31) << 8) + data[at] + 1, at + 1
        expect(back <= len(out), path + ": what is packed is damaged")
        for _ in range(length + 2):
            out.append(out[-back])
    expect(len(out) == size and at == len(data), path + ": what is packed is damaged")
    return bytes(out)


def read_npy(path):
    data = read_bytes(path)
    expect(data[:6] == b"\x93NUMPY" and data[6] in (1, 2, 3), path + ": not a NumPy array")
    begin = 10 if data[6] == 1 else 12
    end = begin + struct.unpack_from("<H" if data[6] == 1 else "<I", data, 8)[0]
    head = re.search(rb"'descr': '<f([48])', 'fortran_order': (True|False), 'shape': \((\d+), 3\)", data[begin:end])
    expect(head, path + ": N x 3 numbers of float32 or float64 are expected")
    size, n = int(head[1]), int(head[3])
    expect(len(data) == end + 3 * n * size, path + ": other numbers than its header promises")
    values = struct.unpack_from("<%d%s" % (3 * n, "f" if size == 4 else "d"), data, end)
    return list(zip(values[:n], values[n:2 * n], values[2 * n:]) if head[2] == b"True" else zip(values[0::3], values[1::3], values[2::3]))


def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def up(x):
    return x + (U * (1.0 + 2.0 * U) * abs(x) + 5e-324)


def read_cloud(path, radius):
    """Points, in single precision about the middle where they are not so already, and a radius that holds the difference."""
    kind = os.path.splitext(path)[1].lower()
    readers = {".xyz": read_xyz, ".csv": read_xyz, ".txt": read_xyz, ".pcd": read_pcd, ".npy": read_npy}
    expect(kind in readers or kind == ".ply", path + ": clouds of this kind are not read")
    points = read_ply(path, True)[0] if kind == ".ply" else readers[kind](path)
    points = [p for p in points if all(math.isfinite(x) for x in p)]
    expect(points and all(abs(x) <= MOST for p in points for x in p), path + ": no points, or some beyond 1e7 m")
    if all(single(x) == x for p in points for x in p):
        return points, radius
    middle = [0.5 * (min(p[k] for p in points) + max(p[k] for p in points)) for k in range(3)]
    kept = [tuple(middle[k] + single(p[k] - middle[k]) for k in range(3)) for p in points]
    moved = max((abs(a[0] - b[0]) + abs(a[1] - b[1])) + abs(a[2] - b[2]) for a, b in zip(kept, points))
    return kept, up(radius + moved * (1.0 + 2.0 ** -40)) if moved > 0.0 else radius


def read_octomap(path, region, unknown_is_free):
    """Boxes: centre and edge of each cell that is an obstacle."""
    data, at, head = read_bytes(path), 0, {}
    while "data" not in head:
        end = data.find(b"\n", at)
        expect(end >= 0, path + ": the header has no 'data'")
        words, at = words_of(data[at:end].decode("latin-1")), end + 1
        if words:
            head.setdefault(words[0], words[1:])
    expect(head.get("#") in (["Octomap", "OcTree", "binary", "file"], ["Octomap", "OcTree", "file"]), path + ": not a map of octomap")
    binary, kind, res = len(head["#"]) == 4, head["id"][0], number(head["res"][0], path)
    expect(kind == "OcTree" or (kind == "ColorOcTree" and not binary), path + ": a map of another kind")
    expect(unknown_is_free == (region is None), path + ": give a region, or say 'unknown: free'")
    low = high = None
    if region:
        def cells(x, outwards):
            x /= res
            near = math.floor(x + 0.5) if x >= 0 else math.ceil(x - 0.5)
            return int(near if abs(x - near) < 1e-9 else outwards(x)) + 32768
        low, high = [cells(x, math.floor) for x in region[0]], [cells(x, math.ceil) for x in region[1]]
        expect(all(a < b for a, b in zip(*region)) and min(low) >= 0 and max(high) <= 65536, path + ": the region")
    found, nodes = [], 0

    def child(key, level, i):
        return [key[k] + ((i >> k & 1) << (level - 1)) for k in range(3)]

    def unknown(key, level):
        if unknown_is_free or any(key[k] + (1 << level) <= low[k] or key[k] >= high[k] for k in range(3)):
            return
        if all(key[k] >= low[k] and key[k] + (1 << level) <= high[k] for k in range(3)):
            found.append((key, level))
            return
        for i in range(8):
            unknown(child(key, level, i), level - 1)

    def take(code):
        nonlocal at
        expect(at + struct.calcsize(code) <= len(data), path + ": cut short")
        value = struct.unpack_from(code, data, at)
        at += struct.calcsize(code)
        return value[0]

    def children(key, level):
        nonlocal nodes
        expect(level > 0, path + ": deeper than 16 levels")
        bits = take("<H")
        kinds = [bits >> 2 * i & 3 for i in range(8)]
        nodes += sum(k != 0 for k in kinds)
        for i, what in enumerate(kinds):
            if what == 0:
                unknown(child(key, level, i), level - 1)
            elif what == 2:
                found.append((child(key, level, i), level - 1))
        for i, what in enumerate(kinds):
            if what == 3:
                children(child(key, level, i), level - 1)

    def node(key, level):
        nonlocal nodes, at
        nodes += 1
        odds = take("<f")
        at += 3 if kind == "ColorOcTree" else 0
        parts = take("B")
        if parts == 0 and odds >= 0.0:
            found.append((key, level))
        for i in range(8 if parts else 0):
            expect(level > 0, path + ": deeper than 16 levels")
            (node if parts >> i & 1 else unknown)(child(key, level, i), level - 1)
    if whole(head["size"][0], path) == 0:
        unknown([0, 0, 0], 16)
    elif binary:
        nodes = 1
        children([0, 0, 0], 16)
    else:
        node([0, 0, 0], 16)
    expect(nodes == whole(head["size"][0], path) and at == len(data) and found, path + ": other nodes than its header promises")
    boxes = []
    for key, level in found:
        center = [(key[k] - 32768 + math.ldexp(0.5, level)) * res for k in range(3)]
        boxes.append((center, 2.0 * up(math.ldexp(res, level - 1) + 2.0 * U * max(abs(x) for x in center))))
    return boxes
