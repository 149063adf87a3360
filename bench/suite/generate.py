#!/usr/bin/env python3
"""Generates motions with proved truth: python3 generate.py DIR [EDGES_A_CLASS] [CLASS...]; README.md describes the contents of DIR.

Each motion is either free, with a verified certificate for all of it, or a hit, with a time before which a verified
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
import reader
import recipes
import worlds

_BY_PYTHON = 100  # one in so many certificates is also verified by verify.py, which shares no code with the library
_VERIFY = worlds.ROOT / "planner_ccd/certificate/verify.py"


class Prover:
    """Everything needed to decide motions of one class."""

    def __init__(self, name, files):
        self.files = files
        self.robot = planner_ccd.Robot(files.urdf, files.srdf, packages=files.packages)
        scene = planner_ccd.Scene.load(files.scene, self.robot) if files.scene else None
        self.checker = planner_ccd.PathChecker(self.robot, scene)
        self._exact = exact.World(files.urdf, files.scene, files.packages)
        self._tick = worlds.TICK[worlds.CLASSES[name][3]]
        self._certificates = 0

    def trajectory(self, motion):
        return planner_ccd.Trajectory.bezier(self.robot, motion.points, 0, 1)

    def contact(self, motion):
        """The time before which a motion is free, and its contact or None; None if neither is known."""
        found = self.checker.check_trajectory(self.trajectory(motion), check_limits=False).edge if motion.degree > 1 else None
        found = found or self.checker.first_contact(*motion.points)
        return None if found.verdict is planner_ccd.Verdict.UNDECIDED else (found.t_free, found.contact)

    def is_proved(self, motion):
        """Whether all of a motion has a certificate that is accepted."""
        with tempfile.TemporaryDirectory() as scratch:
            file = pathlib.Path(scratch) / "edge.pccd"
            made = self.checker.certify(self.trajectory(motion) if motion.degree > 1 else motion.points, file)
            if not made.proved or not planner_ccd.verify(file).verified:
                return False
            self._certificates += 1
            if self._certificates % _BY_PYTHON == 1:
                subprocess.run([sys.executable, str(_VERIFY), str(file)], check=True, stdout=subprocess.DEVNULL)
        return True

    def settle(self, motion):
        """None, or (last time proved free, None) or (that, first time known to be hit, bodies, how they meet)."""
        found = self.contact(motion)
        if found is None:
            return None
        t_free, contact = found
        if contact is None:
            return (1.0, None, None, None) if self.is_proved(motion) else None
        hit = self._hit_after(motion, contact)
        if hit is None:
            return None
        back, free = 1, None
        while free is None:
            t = self._tick * (math.floor(t_free / self._tick) - back)
            if t <= 0.0:
                free = 0.0
            elif self.is_proved(motion.until(t)):
                free = t
            back *= 4
        return (free, *hit)

    def _hit_after(self, motion, contact):
        """The first of a few instants, at increasing distance from the contact, at which the two bodies intersect."""
        first = math.ceil(contact.t / self._tick)
        for step in (0, *(2**k for k in range(18))):
            t = min(1.0, self._tick * (first + step))
            how = self._exact.meet(contact.a, contact.b, self._exact.frames(self.robot.joints, motion.at(t)))
            if how is not None:
                return t, (contact.a, contact.b), how
            if t == 1.0:
                return None
        return None


def is_brief(checker, motion):
    """Whether a motion is proved to be free of contact at sixteen instants and its end."""
    return not checker.in_contact(motion.at(np.arange(17) / 16.0), threads=1).any()


def rows_of(name, prover, wanted):
    """`wanted` free motions, hits and brief hits, as far as they are found; and two grazing ones for each hit."""
    counts, number, left_out = collections.Counter(), 0, 0
    kinds, tick = ("free", "hit", "brief"), worlds.TICK[worlds.CLASSES[name][3]]
    while min(counts[kind] for kind in kinds) < wanted and number < 500 * wanted:
        motion = reader.Motion(worlds.draw(name, prover.robot, number))
        number += 1
        if name != "nested" and prover.checker.in_contact(motion.points[0]):
            continue
        found = prover.contact(motion)
        kind = "free" if found and found[1] is None else "brief" if is_brief(prover.checker, motion) else "hit"
        if counts[kind] >= wanted:
            continue
        truth = prover.settle(motion)
        if truth is None or (truth[1] is None) != (kind == "free"):
            left_out += 1
            continue
        free, hit, bodies, how = truth
        counts[kind] += 1
        yield "brief " + name if kind == "brief" else name, motion, free, hit, bodies, how
        if kind == "hit" and 0.0 < free and hit < 1.0 and hit - free < max(2.0**-10, 4.0 * tick):
            yield "grazing " + name, motion.until(free), 1.0, None, None, None
            floor = tick * max(0, math.floor(free / hit / tick) - 1)
            yield "grazing " + name, motion.until(hit), floor, 1.0, bodies, how
    told = ", ".join(f"{counts[kind]} {kind}" for kind in kinds)
    print(f"{name}: {told} of {number}; {left_out} left out for want of a proof", flush=True)


def about_world(name, prover, folder):
    """What suite.json says of a class."""
    files = prover.files
    recipe = recipes.folder_of(files.recipe, folder) if files.recipe else None

    def place(path):
        for where, base in (("recipe", recipe), ("project", worlds.ROOT), ("suite", folder.resolve())):
            if base and path.resolve().is_relative_to(pathlib.Path(base).resolve()):
                return [where, str(path.resolve().relative_to(pathlib.Path(base).resolve()))]
        raise ValueError(path)

    given = {kind: getattr(files, kind) for kind in ("urdf", "srdf", "scene") if getattr(files, kind)}
    base = recipe or worlds.ROOT
    return {
        "joints": prover.robot.joints,
        "files": {kind: place(path) for kind, path in given.items()},
        "sha256": {kind: sha256(path) for kind, path in given.items()},
        "packages": {k: str(pathlib.Path(v).relative_to(base)) for k, v in files.packages.items()},
        "recipe": files.recipe,
        "not checked": [[a, b] for a, b, _ in prover.robot.excluded],
    }


def sha256(file):
    return hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()


def main():
    folder = pathlib.Path(sys.argv[1])
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    folder.mkdir(parents=True, exist_ok=True)
    about = {"format": 2, "generator": planner_ccd.__version__, "worlds": {}}
    with open(folder / "edges.csv", "w", encoding="ascii") as out:
        out.write("id,class,world,truth,t_free,t_hit,a,b,how,start,middle,end\n")
        number = 0
        for name in sys.argv[3:] or worlds.CLASSES:
            files = worlds.files_of(name, folder)
            if files is None:
                print(f"{name}: NOT MADE: its robot is not here; python3 recipes.py fetch {folder} {worlds.CLASSES[name][0]}")
                continue
            prover = Prover(name, files)
            about["worlds"][name] = about_world(name, prover, folder)
            for kind, motion, free, hit, bodies, how in rows_of(name, prover, wanted):
                q = [" ".join(float(x).hex() for x in row) for row in motion.points]
                q.insert(1, "") if motion.degree == 1 else None
                truth = ["free" if hit is None else "hit", free.hex(), "" if hit is None else hit.hex(), *(bodies or ("", "")), how or ""]
                out.write(",".join([str(number), kind, name, *truth, *q]) + "\n")
                number += 1
    about["edges"] = {"count": number, "sha256": sha256(folder / "edges.csv")}
    (folder / "suite.json").write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
