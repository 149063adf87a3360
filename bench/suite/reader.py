"""The reference reader of the suite, based on NumPy alone. `python3 reader.py DIR` checks a suite and lists its contents."""

import collections
import csv
import hashlib
import json
import pathlib
import sys

import numpy as np

import recipes


class Motion:
    """A motion q(t), 0 <= t <= 1: a straight line of two control points, or a Bezier curve of three; a row each. `errors`: the
    joints may be off by so much each, or None."""

    def __init__(self, points, errors=None):
        self.points, self.errors = np.array(points, dtype=float), errors
        self.degree = len(self.points) - 1

    def at(self, t):
        """q(t), without rounding for times on the suite's grid; of an array of times a row each."""
        t = np.asarray(t)[..., None]
        if self.degree == 1:
            return self.points[0] + t * (self.points[1] - self.points[0])
        a, b, c = self.points
        return (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c

    def until(self, t):
        """The part up to t, from 0 to 1 again."""
        a, b = self.points[0], self.points[1]
        return Motion([a, *([(1.0 - t) * a + t * b] if self.degree == 2 else []), self.at(t)], self.errors)


_NUMBERS = ("start", "middle", "end", "errors", "offset")


class Edge(Motion):
    """A motion and the truth about it."""

    def __init__(self, row):
        numbers = {k: np.array([float.fromhex(x) for x in row[k].split()]) for k in _NUMBERS if row[k]}
        super().__init__([numbers[k] for k in _NUMBERS[:3] if k in numbers], numbers.get("errors"))
        self.id, self.kind, self.world = int(row["id"]), row["class"], row["world"]
        self.hit = row["truth"] == "hit"
        self.t_free = float.fromhex(row["t_free"])  # proved free before
        self.t_hit = float.fromhex(row["t_hit"]) if self.hit else None  # two bodies intersect
        self.offset = numbers.get("offset")  # what the joints are off by there
        self.bodies = (row["a"], row["b"]) if self.hit else None
        self.inside = row["how"] == "inside"  # no surfaces meet there
        if row["truth"] not in ("free", "hit") or (self.hit and not 0.0 <= self.t_free <= self.t_hit <= 1.0):
            raise ValueError(f"edge {self.id}: the truth makes no sense")
        if self.offset is not None and not (self.hit and (abs(self.offset) <= self.errors).all()):
            raise ValueError(f"edge {self.id}: its joints are off by more than they may")


class World:
    """Files of a robot and its scene, and folders of packages; absolute paths. `here` is False where the robot must first be fetched."""

    def __init__(self, name, about, folder, root):
        self.name, self.joints = name, about["joints"]
        self.not_checked = {frozenset(pair) for pair in about["not checked"]}
        there = recipes.folder_of(about["recipe"], folder) if about.get("recipe") else None
        self.here = there is not None or not about.get("recipe")
        self.packages = {k: pathlib.Path(there or root, v) for k, v in about["packages"].items()}
        for kind in ("urdf", "srdf", "scene"):
            setattr(self, kind, None)
            if kind in about["files"] and self.here:
                where, file = about["files"][kind]
                path = {"project": pathlib.Path(root), "suite": folder, "recipe": there}[where] / file
                if hashlib.sha256(path.read_bytes()).hexdigest() != about["sha256"][kind]:
                    raise ValueError(f"{path}: is not the file that the suite was made with")
                setattr(self, kind, path)


def read(folder, root=pathlib.Path(__file__).resolve().parents[2]):
    """Worlds by name and a list of edges. `root`: folder of robots and scenes that are not part of the suite."""
    folder = pathlib.Path(folder)
    about = json.loads((folder / "suite.json").read_text())
    data = (folder / "edges.csv").read_bytes()
    if about["format"] != 3 or hashlib.sha256(data).hexdigest() != about["edges"]["sha256"]:
        raise ValueError(f"{folder}: the edges are not those of suite.json")
    worlds = {name: World(name, entry, folder, root) for name, entry in about["worlds"].items()}
    edges = [Edge(row) for row in csv.DictReader(data.decode("ascii").splitlines())]
    if len(edges) != about["edges"]["count"] or any(e.points.shape[1] != len(worlds[e.world].joints) for e in edges):
        raise ValueError(f"{folder}: edges are missing, or have other joints than their robot")
    return worlds, edges


if __name__ == "__main__":
    all_worlds, all_edges = read(sys.argv[1])
    counts = collections.Counter((e.kind, e.hit) for e in all_edges)
    for kind in dict.fromkeys(e.kind for e in all_edges):
        print(f"{kind:20s} {counts[kind, False]:6d} free {counts[kind, True]:6d} hit")
    for world in all_worlds.values():
        if not world.here:
            print(f"{world.name}: its robot is not here; python3 recipes.py fetch {sys.argv[1]}")
