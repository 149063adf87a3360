#!/usr/bin/env python3
"""Generates edges with proved truth: python3 generate.py DIR [EDGES_A_CLASS] [CLASS...]; README.md describes the contents of DIR.

Each edge is either free, with a verified certificate for all of it, or a hit, with a time before which a verified
certificate proves it free and a time at which exact.py finds two bodies intersecting. Edges with neither are excluded.
"""

import collections
import hashlib
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import exact
import planner_ccd
import worlds

_TICK = 2.0**-20
_BY_PYTHON = 100  # one in so many certificates is also verified by verify.py, which shares no code with the library
_VERIFY = worlds.ROOT / "planner_ccd/certificate/verify.py"


class Prover:
    """Everything needed to decide edges of one class."""

    def __init__(self, name, folder):
        robot_name, scene_name, _ = worlds.CLASSES[name]
        self.urdf, self.srdf = (worlds.ROOT / f"urdf/{robot_name}.{kind}" for kind in ("urdf", "srdf"))
        self.scene = worlds.scene_of(scene_name, folder)
        self.robot = planner_ccd.Robot(self.urdf, self.srdf)
        scene = planner_ccd.Scene.load(self.scene, self.robot) if self.scene else None
        self.checker = planner_ccd.PathChecker(self.robot, scene)
        self._exact = exact.World(self.urdf, self.scene)
        self._certificates = 0

    def is_proved(self, start, end):
        """Whether the straight edge has a certificate that is accepted."""
        with tempfile.TemporaryDirectory() as scratch:
            file = pathlib.Path(scratch) / "edge.pccd"
            if not self.checker.certify(np.array([start, end]), file).proved or not planner_ccd.verify(file).verified:
                return False
            self._certificates += 1
            if self._certificates % _BY_PYTHON == 1:
                subprocess.run([sys.executable, str(_VERIFY), str(file)], check=True, stdout=subprocess.DEVNULL)
        return True

    def settle(self, start, end):
        """None, or (last time proved free, None) or (that, first time known to be hit, bodies, how they meet)."""
        found = self.checker.first_contact(start, end)
        if found.free:
            return (1.0, None, None, None) if self.is_proved(start, end) else None
        if found.contact is None:
            return None
        hit = self._hit_after(start, end, found.contact)
        if hit is None:
            return None
        back, free = 1, None
        while free is None:
            t = _TICK * (math.floor(found.t_free / _TICK) - back)
            if t <= 0.0:
                free = 0.0
            elif self.is_proved(start, start + t * (end - start)):
                free = t
            back *= 4
        return (free, *hit)

    def _hit_after(self, start, end, contact):
        """The first of a few instants, at increasing distance from the contact, at which the two bodies intersect."""
        first = math.ceil(contact.t / _TICK)
        for step in (0, *(2**k for k in range(18))):
            t = min(1.0, _TICK * (first + step))
            frames = self._exact.frames(self.robot.joints, start + t * (end - start))
            how = self._exact.meet(contact.a, contact.b, frames)
            if how is not None:
                return t, (contact.a, contact.b), how
            if t == 1.0:
                return None
        return None


def is_brief(checker, start, end):
    """Whether an edge is proved to be free of contact at sixteen instants and its end."""
    q = start + np.arange(17)[:, None] / 16.0 * (end - start)
    return bool(checker.check_edges(q, q, threads=1).free.all())


def rows_of(name, prover, wanted):
    """`wanted` free edges, hits and brief hits, as far as they are found; and two grazing edges for each hit."""
    counts, number, left_out = collections.Counter(), 0, 0
    kinds = ("free", "hit", "brief")
    while min(counts[kind] for kind in kinds) < wanted and number < 500 * wanted:
        start, end = worlds.draw(name, prover.robot, number)
        number += 1
        if name != "nested" and prover.checker.in_contact(start):
            continue
        kind = "free" if prover.checker.is_free(start, end) else "brief" if is_brief(prover.checker, start, end) else "hit"
        if counts[kind] >= wanted:
            continue
        truth = prover.settle(start, end)
        if truth is None or (truth[1] is None) != (kind == "free"):
            left_out += 1
            continue
        free, hit, bodies, how = truth
        counts[kind] += 1
        yield "brief " + name if kind == "brief" else name, start, end, free, hit, bodies, how
        if kind == "hit" and 0.0 < free and hit < 1.0 and hit - free < 2.0**-10:
            yield "grazing " + name, start, start + free * (end - start), 1.0, None, None, None
            floor = _TICK * max(0, math.floor(free / hit / _TICK) - 1)
            yield "grazing " + name, start, start + hit * (end - start), floor, 1.0, bodies, how
    told = ", ".join(f"{counts[kind]} {kind}" for kind in kinds)
    print(f"{name}: {told} of {number}; {left_out} left out for want of a proof", flush=True)


def sha256(file):
    return hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()


def main():
    folder = pathlib.Path(sys.argv[1])
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    folder.mkdir(parents=True, exist_ok=True)
    about = {"format": 1, "generator": planner_ccd.__version__, "worlds": {}}
    with open(folder / "edges.csv", "w", encoding="ascii") as out:
        out.write("id,class,world,truth,t_free,t_hit,a,b,how,start,end\n")
        number = 0
        for name in sys.argv[3:] or worlds.CLASSES:
            prover = Prover(name, folder)
            files = {"urdf": prover.urdf, "srdf": prover.srdf, "scene": prover.scene}
            about["worlds"][name] = {
                "joints": prover.robot.joints,
                "files": {k: str(f.relative_to(worlds.ROOT) if f.is_relative_to(worlds.ROOT) else f.name) for k, f in files.items() if f},
                "sha256": {k: sha256(f) for k, f in files.items() if f},
                "not checked": [[a, b] for a, b, _ in prover.robot.excluded],
            }
            for kind, start, end, free, hit, bodies, how in rows_of(name, prover, wanted):
                q = [" ".join(float(x).hex() for x in row) for row in (start, end)]
                truth = ["free" if hit is None else "hit", free.hex(), "" if hit is None else hit.hex(), *(bodies or ("", "")), how or ""]
                out.write(",".join([str(number), kind, name, *truth, *q]) + "\n")
                number += 1
    about["edges"] = {"count": number, "sha256": sha256(folder / "edges.csv")}
    (folder / "suite.json").write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
