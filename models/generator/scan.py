"""A depth camera: rays cast at our own meshes, with noise, and what they tell as a cloud and as an octomap.

Only operations that IEEE arithmetic rounds the same on every machine (no BLAS, no sine), and our own random numbers, so that the
files have the same bytes everywhere.
"""
import struct

import numpy as np

from .scenes import Lcg
from .solids import cross, unit

MIDDLE = 1 << 15  # of octomap's keys of 16 bits
LEVELS = 16


def _dot(a, b):
    return a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2]


def _cross(a, b):
    return np.stack([a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1], a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2],
                     a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]], axis=-1)


class Camera:
    """A pinhole at `eye` that looks at `target`, with Z up in its picture; `focal` in pixels."""

    def __init__(self, eye, target, columns, rows, focal):
        self.eye = np.array(eye, dtype=np.float64)
        forward = unit(np.array(target) - self.eye)
        right = unit(cross(forward, np.array([0.0, 0.0, 1.0])))
        down = cross(forward, right)
        v, u = np.indices((rows, columns))
        x, y = (u.ravel() + 0.5 - columns / 2) / focal, (v.ravel() + 0.5 - rows / 2) / focal
        rays = np.stack([forward[k] + x * right[k] + y * down[k] for k in range(3)], axis=1)
        self.rays = rays / np.sqrt(_dot(rays, rays))[:, None]

    def distances(self, meshes):
        """[m] Along each ray to the first triangle; infinite where there is none."""
        nearest = np.full(len(self.rays), np.inf)
        for mesh in meshes:
            seen = self._towards(*mesh.bounds())
            corners = [mesh.vertices[mesh.triangles[:, i]] for i in range(3)]
            for begin in range(0, len(seen), 64):
                rays = seen[begin:begin + 64]
                nearest[rays] = np.minimum(nearest[rays], self._first(self.rays[rays][:, None], corners))
        return nearest

    def _towards(self, low, high):
        """The rays that meet a box."""
        with np.errstate(divide="ignore", invalid="ignore"):
            a, b = (low - self.eye) / self.rays, (high - self.eye) / self.rays
        enter, leave = np.fmax.reduce(np.fmin(a, b), axis=1), np.fmin.reduce(np.fmax(a, b), axis=1)
        return np.nonzero((enter <= leave) & (leave > 0))[0]

    def _first(self, rays, corners):
        """Moller and Trumbore, all rays against all triangles."""
        e1, e2, s = corners[1] - corners[0], corners[2] - corners[0], self.eye - corners[0]
        p = _cross(rays, e2[None])
        with np.errstate(divide="ignore", invalid="ignore"):
            f = 1.0 / _dot(p, e1[None])
            u = f * _dot(p, s[None])
            q = _cross(s, e1)
            v = f * _dot(rays, q[None])
            t = f * _dot(e2, q)[None]
            hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0)
        return np.where(hit, t, np.inf).min(axis=1)


def with_noise(distances, sigma, seed):
    """Each distance with an error of about that standard deviation: the sum of four uniform ones."""
    draw = Lcg(seed)
    width = sigma * 3**0.5
    return np.array([d + sum(draw.uniform(-width, width) for _ in range(4)) / 2 for d in distances])


class Map:
    """Cells of an octomap within a box of keys: 0 unknown, 1 free, 2 occupied."""

    def __init__(self, low, high, resolution):
        self.resolution = resolution
        self.low = np.array([round(x / resolution) for x in low])
        self.cells = np.zeros([round(x / resolution) - k for x, k in zip(high, self.low)], dtype=np.uint8)

    def _index(self, points):
        index = np.floor(points / self.resolution).astype(np.int64) - self.low
        inside = ((index >= 0) & (index < self.cells.shape)).all(axis=-1)
        return tuple(index[inside].T)

    def see(self, eye, rays, distances, reach):
        """What a ray passes is free, up to `reach` where it meets nothing; the cell of its end is occupied, whatever passes it."""
        steps = np.arange(0.0, reach, self.resolution / 5)
        for ray, distance in zip(rays, distances):
            passed = steps[steps < min(distance, reach)]
            self.cells[self._index(eye + passed[:, None] * ray)] |= 1
        met = np.isfinite(distances)
        self.cells[self._index(eye + distances[met, None] * rays[met])] = 2
        self.cells[self.cells == 3] = 2

    def file(self):
        """octomap's .bt: for each cube two bits for each of its eight parts, then those that have parts themselves."""
        data, nodes = bytearray(), [1]

        def kinds(corner, size):
            begin = np.clip(corner - MIDDLE - self.low, 0, self.cells.shape)
            end = np.clip(corner + size - MIDDLE - self.low, 0, self.cells.shape)
            part = self.cells[begin[0]:end[0], begin[1]:end[1], begin[2]:end[2]]
            found = set(np.unique(part).tolist())
            return found | {0} if part.size < size**3 else found

        def write(corner, level):
            half, bits, inner = 1 << (level - 1), 0, []
            for i in range(8):
                child = corner + half * np.array([i & 1, i >> 1 & 1, i >> 2])
                found = kinds(child, half)
                bits |= (found.pop() if len(found) == 1 else 3) << 2 * i
                if bits >> 2 * i == 3:
                    inner.append(child)
                nodes[0] += bits >> 2 * i != 0
            data.extend(struct.pack("<H", bits))
            for child in inner:
                write(child, level - 1)

        write(np.array([0, 0, 0]), LEVELS)
        head = f"# Octomap OcTree binary file\n# Made by models/generate.py\nid OcTree\nsize {nodes[0]}\nres {self.resolution}\ndata\n"
        return head.encode() + bytes(data)


def cloud_file(points):
    """An N x 3 NumPy array of float32, in text of fixed length and without numpy's version in it."""
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(points)}, 3), }}"
    head += " " * (63 - (len(head) + 10) % 64) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode() + points.astype("<f4").tobytes()
