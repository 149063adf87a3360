"""Edges by number: any range of a motion, without what comes before it.

A motion is described by a `spec`, plain data that names all that its edges depend on; motion_of(spec, files) gives the
edges back, on any machine, bit for bit.
"""

import hashlib
import io
import math
import pathlib

import numpy as np

from .. import InputError, _core

BLOCK = 65536  # edges that share a hash
_SENT = 64 << 20  # [bytes] Rows up to this size are sent to workers; larger files are read in place.
_DRAWN = 4096  # edges that are drawn together


def stream(seed, label, block, count):
    """Random words of 64 bits: a function of the arguments alone. Only the raw stream is used: NumPy keeps that for ever."""
    seed = int.from_bytes(hashlib.sha256(f"{seed} {label} {block}".encode()).digest(), "little")
    return np.random.SFC64(np.random.SeedSequence(seed)).random_raw(count)


def uniform(seed, label, block, count):
    """Doubles in [0, 1), of the upper 53 bits of the words."""
    raw = stream(seed, label, block, count)
    raw >>= np.uint64(11)
    out = raw.astype(np.float64)
    out *= 2.0**-53
    return out


def _digest(rows):
    return hashlib.blake2b(rows, digest_size=32).digest()  # takes two thirds of the time of SHA-256


class Rows:
    """Edges that are written down, `array` n x 2 x dof; every row is held against the hash of its block when it is read."""

    def __init__(self, array, blocks):
        self._array, self._blocks = array, blocks
        self.edges = len(array)

    def rows(self, first, count):
        parts = []
        for block in range(first // BLOCK, -(-(first + count) // BLOCK)):
            rows = np.ascontiguousarray(self._array[block * BLOCK : (block + 1) * BLOCK], dtype="<f8")
            if _digest(rows) != self._blocks[32 * block : 32 * (block + 1)]:
                raise InputError(f"edges {block * BLOCK} and following have changed since they were planned")
            parts.append(rows[max(0, first - block * BLOCK) : first + count - block * BLOCK])
        out = np.concatenate(parts) if parts else np.empty((0, *self._array.shape[1:]))
        return out[:, 0], out[:, 1]


class Drawn:
    """Edges between configurations drawn at random: within the limits, or near given ones."""

    def __init__(self, spec, near):
        self.edges = spec["edges"]
        self._seed, self._length = spec["seed"], -1.0 if spec["length"] is None else spec["length"]
        lower, upper = np.array(spec["lower"]), np.array(spec["upper"])
        self._near = None if near is None else np.ascontiguousarray(near)
        self._factor = upper - lower if near is None else np.full(len(lower), 2.0 * spec["spread"])
        self._shift = lower if near is None else np.full(len(lower), -spec["spread"])

    def rows(self, first, count):
        dof = len(self._factor)
        starts, ends = np.empty((2, count, dof))
        for block in range(first // _DRAWN, -(-(first + count) // _DRAWN)):
            begin, end = max(first, block * _DRAWN), min(first + count, (block + 1) * _DRAWN)
            raw = stream(self._seed, "edges", block, _DRAWN * (2 * dof + 2)).reshape(2 * dof + 2, _DRAWN)
            to = slice(begin - first, end - first)
            _core._drawn_edges(raw, begin - block * _DRAWN, self._factor, self._shift, self._near, self._length, starts[to], ends[to])
        return starts, ends


def motion_of(spec, files):
    """`files(name)` gives the path of a file of the bundle."""
    if spec["kind"] == "rows":
        array = np.load(files(spec["data"]), mmap_mode="r", allow_pickle=False)
        if array.shape != (spec["edges"], 2, spec["dof"]):
            raise InputError("the edges have changed since they were planned")
        return Rows(array, pathlib.Path(files(spec["blocks"])).read_bytes())
    near = None if spec["near"] is None else np.load(files(spec["near"]), allow_pickle=False)
    return Drawn(spec, near)


def describe(entry, robot, folder, bundle, where):
    """The spec of a motion of a campaign file, its files added to the bundle."""
    if "random" in entry:
        return _describe_random(entry["random"], robot, folder, bundle, where)
    if "path" in entry:
        waypoints = robot.load_path(folder / entry["path"])
        if len(waypoints) < 2:
            raise InputError(f"{where}: the path has no segment")
        return _describe_rows(np.stack([waypoints[:-1], waypoints[1:]], axis=1), None, robot, bundle, where)
    if "roadmap" in entry:
        vertices = _load(folder / entry["roadmap"]["vertices"], where)
        edges = _load(folder / entry["roadmap"]["edges"], where)
        if vertices.ndim != 2 or edges.ndim != 2 or edges.shape[1] != 2 or edges.dtype.kind not in "iu":
            raise InputError(f"{where}: vertices must be n x joints, edges m x 2 whole numbers")
        if len(edges) and not (0 <= edges.min() and edges.max() < len(vertices)):
            raise InputError(f"{where}: an edge names a vertex that is not there")
        return _describe_rows(vertices[edges], None, robot, bundle, where)
    return _describe_rows(_load(folder / entry["edges"], where), folder / entry["edges"], robot, bundle, where)


def _describe_rows(array, file, robot, bundle, where):
    if array.ndim != 3 or array.shape[1:] != (2, robot.dof) or array.dtype.kind != "f" or len(array) == 0:
        raise InputError(f"{where}: must be an array of floats, n x 2 x {robot.dof}: starts and ends of edges")
    blocks = b""
    for first in range(0, len(array), BLOCK):
        rows = np.ascontiguousarray(array[first : first + BLOCK], dtype="<f8")
        if not np.isfinite(rows).all():
            raise InputError(f"{where}: holds a number that is not finite")
        blocks += _digest(rows)
    spec = {"kind": "rows", "edges": len(array), "dof": robot.dof, "blocks": bundle.keep(blocks, ".blocks", where)}
    if file is not None and array.nbytes > _SENT:
        spec["data"] = hashlib.sha256(blocks).hexdigest() + ".npy"
        bundle.places[spec["data"]] = str(file.resolve())
    else:
        spec["data"] = _keep_array(np.ascontiguousarray(array, dtype="<f8"), bundle, where)
    return spec


def _describe_random(entry, robot, folder, bundle, where):
    near = spread = None
    if "near" in entry:
        near = _keep_array(np.ascontiguousarray(robot.load_path(folder / entry["near"])), bundle, where)
        spread = float(entry.get("spread", 0.1))
    elif "spread" in entry:
        raise InputError(f"{where}: 'spread' needs 'near', a path")
    return {
        "kind": "random",
        "seed": entry["seed"],
        "edges": entry["edges"],
        "length": entry.get("length"),
        "lower": [float(max(x, -math.pi)) for x in robot.lower],
        "upper": [float(min(x, math.pi)) for x in robot.upper],
        "near": near,
        "spread": spread,
    }


def _keep_array(array, bundle, where):
    data = io.BytesIO()
    np.save(data, array, allow_pickle=False)
    return bundle.keep(data.getvalue(), ".npy", where)


def _load(path, where):
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise InputError(f"{where}: {path}: {error}") from None
