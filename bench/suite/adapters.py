"""Checkers for the suite. Each is a function: adapter(world) prepares and returns check, and check(motions, errors), motions an array
n x 2 x dof of straight lines or n x 3 x dof of Bezier curves, errors None or n x dof, by how much joints may be off, returns for each
motion "free", "hit" or "undecided", the time before which it is claimed to be free (None: no claim), and processor seconds. What
cannot be answered raises NotImplementedError. A check that works in another process has its memory as `memory()` in bytes.
`most`: so many motions of a class are enough (slow ones)."""

import os
import pathlib
import subprocess
import time

import numpy as np

import planner_ccd
import reader

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _checker(world):
    robot = planner_ccd.Robot(world.urdf, world.srdf, packages=world.packages)
    scene = planner_ccd.Scene.load(world.scene, robot) if world.scene else None
    return planner_ccd.PathChecker(robot, scene)


def _options(robot, errors, words):
    named = None if errors is None else dict(zip(robot.joints, map(float, errors)))
    return planner_ccd.EdgeOptions(tracking_error=named, **words)


def _timed(ask):
    """Its answer, and processor seconds."""
    began = time.process_time_ns()
    answer = ask()
    return answer, 1e-9 * (time.process_time_ns() - began)


def ours(first_contact=True, **words):
    """Our methods, one motion after the other on one thread. Yes or no: what is not proved counts as a hit."""
    verdicts = {planner_ccd.Verdict.FREE: "free", planner_ccd.Verdict.CONTACT: "hit", planner_ccd.Verdict.UNDECIDED: "undecided"}

    def adapter(world):
        checker = None

        def one(points, errors):
            nonlocal checker
            if checker is None:
                checker = _checker(world)
                one(points, errors)  # memory of its own
            options = _options(checker.robot, errors, words)
            if len(points) > 2:
                motion = planner_ccd.Trajectory.bezier(checker.robot, points, 0, 1)
                asked = planner_ccd.TrajectoryOptions(edge=options, check_limits=False)
                report, seconds = _timed(lambda: checker.check_trajectory(motion, asked))
                return verdicts[report.edge.verdict], report.edge.t_free, seconds
            q0, q1 = points
            if first_contact:
                result, seconds = _timed(lambda: checker.first_contact(q0, q1, options))
                return verdicts[result.verdict], result.t_free, seconds
            free, seconds = _timed(lambda: checker.is_free(q0, q1, options))
            return "free" if free else "hit", None, seconds

        def check(motions, errors):
            if motions.shape[1] > 2 and not first_contact:
                raise NotImplementedError("Python asks for the first contact of curves")
            if errors is not None and "method" in words:
                raise NotImplementedError("searches for comparison know no errors")
            return [one(points, None if errors is None else errors[i]) for i, points in enumerate(motions)]

        return check

    return adapter


def sampled(step, offsets=None):
    """Configurations no farther apart than `step` (Euclidean, rad; of a curve along its control polygon), ends included, until the
    first in contact: like planners' discrete validators. Contact at a configuration is decided by planner_ccd, within 1e-6 m.
    `offsets`: of motions with errors, at each configuration also so many corners of what the joints may be off by, drawn."""

    def adapter(world):
        checker = _checker(world)
        signs = np.random.default_rng(1).choice([-1.0, 1.0], (offsets or 0, len(world.joints)))

        def check(motions, errors):
            if (errors is None) != (offsets is None):
                raise NotImplementedError("with errors, or without them")
            return [one(reader.Motion(points), None if errors is None else np.vstack([0.0 * errors[i], signs * errors[i]]))
                    for i, points in enumerate(motions)]

        def one(motion, off):
            length = np.linalg.norm(np.diff(motion.points, axis=0), axis=1).sum()
            times = np.linspace(0.0, 1.0, 1 + max(1, int(np.ceil(length / step))))
            (verdict, t), seconds = _timed(lambda: first_of(motion, times, off))
            return verdict, t, seconds

        def first_of(motion, times, off):
            together = 64 if off is None else max(1, 64 // len(off))
            for first in range(0, len(times), together):
                q = motion.at(times[first : first + together])
                states = q if off is None else (q[:, None] + off).reshape(-1, q.shape[1])
                contact = checker.in_contact(states, planner_ccd.EdgeOptions(tolerance=1e-6), threads=1).reshape(len(q), -1).any(axis=1)
                if contact.any():
                    return "hit", float(times[first + int(np.argmax(contact))])
            return "free", 1.0

        return check

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

    def _ask(self, lines):
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()
        answers = [self._process.stdout.readline().split() for _ in lines]
        if not all(answers):
            raise RuntimeError("suite_peers ended")
        return answers

    def __call__(self, motions, errors):
        if errors is not None or (motions.shape[1] > 2 and not self._curves):
            raise NotImplementedError("no errors, and of some straight motions alone")
        answers = []
        for first in range(0, len(motions), 50):  # less than fills a pipe
            lines = (" ; ".join(" ".join(float(x).hex() for x in row) for row in points) for points in motions[first : first + 50])
            answers += self._ask(list(lines))
        return [(word, None if t == "-" else float(t), float(seconds)) for word, t, seconds in answers]

    def memory(self):
        return int(self._ask(["memory"])[0][0])

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
    "sampled at 0.02, 16 corners": sampled(0.02, 16),
    "FCL sampled at 0.1": peer("fcl", 0.1),
    "FCL sampled at 0.02": peer("fcl", 0.02),
    "FCL sampled at 0.02, in order": peer("fcl_first", 0.02),
    "FCL continuousCollide": peer("fcl_ccd", most=10, curves=False),
    "OMPL discrete at 0.02, states by FCL": peer("ompl", 0.02, curves=False),
}
