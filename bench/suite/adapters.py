"""Checkers for the suite. Each is a function: adapter(world) returns check, and check(starts, ends) returns a list with a pair for each
edge: "free", "hit" or "undecided", and the time before which it is claimed to be free (None: no claim)."""

import numpy as np

import planner_ccd


def _checker(world):
    robot = planner_ccd.Robot(world.urdf, world.srdf)
    scene = planner_ccd.Scene.load(world.scene, robot) if world.scene else None
    return planner_ccd.PathChecker(robot, scene)


def ours(first_contact=True, **options):
    """Our methods, one edge after the other on one thread."""
    words = {planner_ccd.Verdict.FREE: "free", planner_ccd.Verdict.CONTACT: "hit", planner_ccd.Verdict.UNDECIDED: "undecided"}

    def adapter(world):
        checker = _checker(world)

        def check(starts, ends):
            results = checker.check_edges(starts, ends, first_contact=first_contact, threads=1, **options)
            return [(words[r.verdict], r.t_free if first_contact else None) for r in results]

        return check

    return adapter


def sampled(step):
    """Configurations no farther apart than `step` (Euclidean, rad), ends included, until the first in contact: like planners'
    discrete validators. Contact at a configuration is decided by planner_ccd, within 1e-6 m."""

    def adapter(world):
        checker = _checker(world)

        def check(starts, ends):
            return [one(checker, start, end) for start, end in zip(starts, ends)]

        return check

    def one(checker, start, end):
        times = np.linspace(0.0, 1.0, 1 + max(1, int(np.ceil(np.linalg.norm(end - start) / step))))
        for first in range(0, len(times), 64):
            q = start + times[first : first + 64, None] * (end - start)
            free = checker.check_edges(q, q, threads=1, tolerance=1e-6).free
            if not free.all():
                return "hit", float(times[first + int(np.argmin(free))])
        return "free", 1.0

    return adapter


ADAPTERS = {
    "planner_ccd taylor, first contact": ours(),
    "planner_ccd taylor, yes or no": ours(first_contact=False),
    "planner_ccd c2a, first contact": ours(method="c2a"),
    "planner_ccd catch, first contact": ours(method="catch"),
    "sampled at 0.1": sampled(0.1),
    "sampled at 0.02": sampled(0.02),
    "sampled at 0.005": sampled(0.005),
}
