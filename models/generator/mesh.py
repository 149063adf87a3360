"""Triangle meshes on a grid of one micrometre, their checks, and the two file formats that we write.

Why a grid: sine, cosine and powers may differ in the last bit between C libraries. Every coordinate is therefore
rounded to a multiple of GRID before anything is decided or written, so that the files have the same bytes everywhere.
The rounding is shifted a little off the half (SHIFT), because designed dimensions like to fall on halves exactly.
"""
import json
import struct

import numpy as np

GRID = 1e-6      # [m]
PER_METRE = 1e6  # exact inverse of GRID
SHIFT = 0.50137  # of a grid step


def snap(points):
    """Coordinates [m] to integer multiples of GRID."""
    return np.floor(np.asarray(points, dtype=np.float64) * PER_METRE + SHIFT).astype(np.int64)


class Mesh:
    """Vertices [m] as integer multiples of GRID, welded, and triangles that index them, outside counter-clockwise."""

    def __init__(self, vertices, triangles):
        grid = vertices if np.asarray(vertices).dtype == np.int64 else snap(vertices)
        triangles = np.asarray(triangles, dtype=np.int64).reshape(-1, 3)
        grid, triangles = _weld(np.asarray(grid).reshape(-1, 3), triangles)
        self.grid = grid
        self.triangles = triangles

    @property
    def vertices(self):
        return self.grid / PER_METRE

    def __len__(self):
        return len(self.triangles)

    def moved(self, rotation=None, translation=(0, 0, 0)):
        """The mesh under x -> rotation x + translation; a rotation of determinant -1 (a mirror) flips the winding."""
        r = np.eye(3) if rotation is None else np.asarray(rotation, dtype=np.float64)
        v = self.vertices
        columns = [v[:, 0] * r[i, 0] + v[:, 1] * r[i, 1] + v[:, 2] * r[i, 2] + translation[i] for i in range(3)]
        triangles = self.triangles if np.linalg.det(r) > 0 else self.triangles[:, ::-1]
        return Mesh(np.stack(columns, axis=1), triangles)

    def mirrored_y(self):
        return self.moved(np.diag([1.0, -1.0, 1.0]))

    def volume(self):
        """[m^3] signed; positive when the triangles face outwards."""
        a, b, c = (self.vertices[self.triangles[:, i]] for i in range(3))
        return float(np.sum(a * np.cross(b, c)) / 6.0)

    def closed(self):
        """True when every directed edge occurs once and its opposite once: a closed, consistently oriented surface."""
        n = np.int64(len(self.grid))
        t = self.triangles
        start = np.concatenate([t[:, 0], t[:, 1], t[:, 2]])
        end = np.concatenate([t[:, 1], t[:, 2], t[:, 0]])
        forward, backward = np.sort(start * n + end), np.sort(end * n + start)
        return bool(np.all(forward[1:] != forward[:-1]) and np.array_equal(forward, backward))

    def bounds(self):
        return self.vertices.min(axis=0), self.vertices.max(axis=0)


def merge(meshes):
    """Several meshes as one."""
    offsets = np.cumsum([0] + [len(m.grid) for m in meshes])
    return Mesh(np.concatenate([m.grid for m in meshes]),
                np.concatenate([m.triangles + o for m, o in zip(meshes, offsets)]))


def _weld(grid, triangles):
    """Joins equal vertices in order of first use by a triangle; drops unused vertices and collapsed triangles."""
    _, first, inverse = np.unique(grid, axis=0, return_index=True, return_inverse=True)
    t = first[inverse.reshape(-1)][triangles]
    t = t[(t[:, 0] != t[:, 1]) & (t[:, 1] != t[:, 2]) & (t[:, 2] != t[:, 0])]
    used, where, inverse = np.unique(t.reshape(-1), return_index=True, return_inverse=True)
    order = np.argsort(where, kind="stable")
    rank = np.empty(len(used), dtype=np.int64)
    rank[order] = np.arange(len(used))
    return grid[used[order]], rank[inverse.reshape(-1)].reshape(-1, 3)


def positions_f32(mesh):
    """Vertices as written to files: nearest float32, no negative zero."""
    return (mesh.grid / PER_METRE).astype("<f4") + np.float32(0)


def stl_bytes(mesh):
    """Binary STL; the header does not begin with 'solid', normals are zero (readers compute them from the winding)."""
    record = np.zeros(len(mesh), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    record["corners"] = positions_f32(mesh)[mesh.triangles]
    return b"planner_ccd binary STL, metres".ljust(80, b" ") + struct.pack("<I", len(mesh)) + record.tobytes()


def glb_bytes(mesh):
    """Minimal glTF 2.0 binary: one node without a transform, one indexed primitive. Coordinates as they are (Z up)."""
    points = positions_f32(mesh)
    index_type, component = ("<u2", 5123) if len(points) <= 65535 else ("<u4", 5125)
    indices = mesh.triangles.astype(index_type).tobytes()
    body = points.tobytes() + indices + b"\0" * (-len(indices) % 4)
    document = {
        "asset": {"version": "2.0", "generator": "planner_ccd models/generate.py"},
        "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 4}]}],
        "buffers": [{"byteLength": len(body)}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 12 * len(points), "target": 34962},
            {"buffer": 0, "byteOffset": 12 * len(points), "byteLength": len(indices), "target": 34963}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3",
             "min": [float(x) for x in points.min(axis=0)], "max": [float(x) for x in points.max(axis=0)]},
            {"bufferView": 1, "componentType": component, "count": 3 * len(mesh), "type": "SCALAR"}]}
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    total = 12 + 8 + len(text) + 8 + len(body)
    return (struct.pack("<4sII", b"glTF", 2, total) + struct.pack("<I4s", len(text), b"JSON") + text
            + struct.pack("<I4s", len(body), b"BIN\0") + body)
