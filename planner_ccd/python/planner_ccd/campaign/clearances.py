"""How near free edges come to anything: of each piece of a shard the edge that comes nearest, proved from both sides.

Asked for by the option `clearance`, the accuracy in metres. Distances are those of the motion itself: margins are not subtracted, nor
is the `pose_error` of an object. Every edge is measured by itself, so that the nearest one of a motion is the same however it is cut.
"""

import concurrent.futures
import os
import typing

import numpy as np

from .. import EdgeOptions, Trajectory, TrajectoryOptions


class Least(typing.NamedTuple):
    """The lesser of two is the one with the lower bound that holds for both; of equals the nearer one found, then the first edge."""

    lower: float  # [m] Nothing comes nearer than this anywhere on the edge.
    upper: float  # [m] `a` and `b` are this near at `t`; infinite without them.
    edge: int
    t: float
    a: str
    b: str


def bounds(checker, robot, start, end, options):
    """(lower, upper, t, a, b) of an edge."""
    motion = Trajectory(robot, np.stack([start, end]))
    search = EdgeOptions(**{k: options[k] for k in ("tolerance", "max_evaluations", "method", "leaf")})
    asked = {"edge": search, "check_limits": False, "clearance_accuracy": options["clearance"], "clearance_pairs": 1}
    report = checker.check_trajectory(motion, TrajectoryOptions(**asked))
    if report.clearance and report.evaluations < options["max_evaluations"]:
        found = report.clearance[0]
        return found.lower, found.upper, found.time, found.a, found.b
    # Some pair may not have been searched to the end, and the bound of the nearest pair says nothing of that one. A profile, here of
    # one piece, counts what is left open of every pair.
    piece = checker.check_trajectory(motion, TrajectoryOptions(profile_step=2.0, **asked)).profile[0]
    lower, upper = float(piece["lower"]), float(piece["upper"])
    if upper == np.inf:
        return lower, upper, np.nan, "", ""
    return lower, upper, float(piece["time"]), str(piece["a"]), str(piece["b"])


def least(checker, starts, ends, free, offset, options, threads):
    """The Least of the free edges of a batch; None when there is none. `offset`: the number of the first."""
    robot = checker.robot

    def of(edge):
        lower, upper, t, a, b = bounds(checker, robot, starts[edge], ends[edge], options)
        return Least(lower, upper, int(edge) + offset, t, a, b)

    edges = np.flatnonzero(free)
    if threads == 1:
        return min(map(of, edges), default=None)
    with concurrent.futures.ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        return min(pool.map(of, edges), default=None)
