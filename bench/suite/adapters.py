"""Checkers for the suite. Each is a function: adapter(world) prepares and returns check, and check(motions), an array n x 2 x dof of
straight lines or n x 3 x dof of Bezier curves, returns a pair for each: "free", "hit" or "undecided", and the time before which it is
claimed to be free (None: no claim). What cannot be answered raises NotImplementedError. A check that works in another process has
its processor time and memory as `spent()` in seconds and `memory()` in bytes. `most`: so many motions of a class are enough (slow ones)."""

import os
import pathlib
import subprocess

import numpy as np

import planner_ccd
import reader

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _checker(world):
    robot = planner_ccd.Robot(world.urdf, world.srdf, packages=world.packages)
    scene = planner_ccd.Scene.load(world.scene, robot) if world.scene else None
    return planner_ccd.PathChecker(robot, scene)


def ours(first_contact=True, **options):
    """Our methods, one motion after the other on one thread."""
    words = {planner_ccd.Verdict.FREE: "free", planner_ccd.Verdict.CONTACT: "hit", planner_ccd.Verdict.UNDECIDED: "undecided"}

    def adapter(world):
        checker = _checker(world)
        robot = checker.robot

        def curve(points):
            motion = planner_ccd.Trajectory.bezier(robot, points, 0, 1)
            return checker.check_trajectory(motion, check_limits=False, **options).edge

        def check(motions):
            if motions.shape[1] == 2:
                results = checker.check_edges(motions[:, 0], motions[:, 1], first_contact=first_contact, threads=1, **options)
            elif first_contact:
                results = [curve(points) for points in motions]
            else:
                raise NotImplementedError("Python asks for the first contact of curves")
            return [(words[r.verdict], r.t_free if first_contact else None) for r in results]

        return check

    return adapter


def sampled(step):
    """Configurations no farther apart than `step` (Euclidean, rad; of a curve along its control polygon), ends included, until the
    first in contact: like planners' discrete validators. Contact at a configuration is decided by planner_ccd, within 1e-6 m."""

    def adapter(world):
        checker = _checker(world)

        def check(motions):
            return [one(checker, reader.Motion(points)) for points in motions]

        return check

    def one(checker, motion):
        length = np.linalg.norm(np.diff(motion.points, axis=0), axis=1).sum()
        times = np.linspace(0.0, 1.0, 1 + max(1, int(np.ceil(length / step))))
        for first in range(0, len(times), 64):
            contact = checker.in_contact(motion.at(times[first : first + 64]), threads=1, tolerance=1e-6)
            if contact.any():
                return "hit", float(times[first + int(np.argmax(contact))])
        return "free", 1.0

    return adapter


class _Peer:
    """The program suite_peers (peers.cpp) with a world in it; it is in $SUITE_PEERS or build/release/bin."""

    def __init__(self, world, *method, curves=True):
        program = os.environ.get("SUITE_PEERS", ROOT / "build/release/bin/suite_peers")
        packages = [f"{name}={folder}" for name, folder in world.packages.items()]
        files = [str(f or "-") for f in (world.urdf, world.srdf, world.scene)]
        self._process = subprocess.Popen([program, ",".join(packages), *files, *map(str, method)], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True)
        self._curves = curves
        self.spent()

    def _ask(self, lines):
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()
        answers = [self._process.stdout.readline().split() for _ in lines]
        if not all(answers):
            raise RuntimeError("suite_peers ended")
        return answers

    def __call__(self, motions):
        if motions.shape[1] > 2 and not self._curves:
            raise NotImplementedError("straight motions alone")
        answers = []
        for first in range(0, len(motions), 50):  # less than fills a pipe
            lines = (" ; ".join(" ".join(float(x).hex() for x in row) for row in points) for points in motions[first : first + 50])
            answers += self._ask(list(lines))
        return [(word, None if t == "-" else float(t)) for word, t in answers]

    def spent(self):
        return float(self._ask(["spent"])[0][0])

    def memory(self):
        status = pathlib.Path(f"/proc/{self._process.pid}/status").read_text()
        return 1024 * int(status.split("VmHWM:")[1].split()[0])

    def __del__(self):
        self._process.stdin.close()
        self._process.wait()


def peer(*method, most=None, curves=True):
    def adapter(world):
        return _Peer(world, *method, curves=curves)

    adapter.most = most
    return adapter


ADAPTERS = {
    "planner_ccd, first contact": ours(),
    "planner_ccd, yes or no": ours(first_contact=False),
    "planner_ccd c2a, first contact": ours(method="c2a"),
    "planner_ccd catch, first contact": ours(method="catch"),
    "sampled at 0.1": sampled(0.1),
    "sampled at 0.02": sampled(0.02),
    "sampled at 0.005": sampled(0.005),
    "FCL sampled at 0.1": peer("fcl", 0.1),
    "FCL sampled at 0.02": peer("fcl", 0.02),
    "FCL sampled at 0.02, in order": peer("fcl_first", 0.02),
    "FCL continuousCollide": peer("fcl_ccd", most=10, curves=False),
    "OMPL discrete at 0.02, states by FCL": peer("ompl", 0.02, curves=False),
}
