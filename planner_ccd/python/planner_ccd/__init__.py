"""Continuous collision checking of robot motions: a proof, or the first contact.

In short::

    robot = planner_ccd.Robot("robot.urdf", "robot.srdf")
    scene = planner_ccd.Scene.load("scene.yaml")
    checker = planner_ccd.PathChecker(robot, scene)
    checker.is_free(q0, q1)          # True only when proved
    checker.first_contact(q0, q1)    # verdict, time, links, points
    checker.check_path(path)         # the same of a path
    checker.check_edges(starts, ends).free
    checker.certify(path, "run.pccd")    # a proof as a file, that anyone can check:
    planner_ccd.verify("run.pccd").verified
"""

import warnings

from ._verdict import Verdict  # _core needs these
from ._warning import InputWarning
from ._core import (
    Assumption,
    CertificateResult,
    Contact,
    EdgeOptions,
    EdgeResult,
    EdgeResults,
    Finding,
    InputError,
    InputFile,
    Log,
    LogMotion,
    MotionLimits,
    NearestPair,
    PairClearance,
    PairSuggestion,
    PathChecker,
    PathResult,
    PreparedRobot,
    Roadmap,
    RoadmapUpdate,
    Robot,
    RobotFilter,
    Scene,
    Timeline,
    TrackingLimit,
    Trajectory,
    TrajectoryOptions,
    TrajectoryResult,
    Verification,
    __version__,
    leaf_queries,
    verify,
)

__all__ = [
    "__version__",
    "Assumption",
    "CertificateResult",
    "Contact",
    "EdgeOptions",
    "EdgeResult",
    "EdgeResults",
    "Finding",
    "InputError",
    "InputFile",
    "InputWarning",
    "leaf_queries",
    "Log",
    "LogMotion",
    "MotionLimits",
    "NearestPair",
    "PairClearance",
    "PairSuggestion",
    "PathChecker",
    "PathResult",
    "PreparedRobot",
    "Roadmap",
    "RoadmapUpdate",
    "Robot",
    "RobotFilter",
    "Scene",
    "Timeline",
    "TrackingLimit",
    "Trajectory",
    "TrajectoryOptions",
    "TrajectoryResult",
    "Verdict",
    "Verification",
    "verify",
]



def __getattr__(name):
    """Old names, for one minor version; the table is in CHANGELOG.md."""
    if name == "PathReport":
        _was_renamed("PathReport is now TrajectoryResult")
        return TrajectoryResult
    if name == "check":
        _was_renamed("planner_ccd.check(robot, path, scene) is now PathChecker(robot, scene).check_path(path)")
        return _check
    raise AttributeError(f"module 'planner_ccd' has no attribute {name!r}")


def _was_renamed(text):
    warnings.warn("planner_ccd: " + text, DeprecationWarning, stacklevel=3)


def _check(robot, path, scene=None, *, margin=0.0, self_margin=0.0, **options):
    return PathChecker(robot, scene, margin=margin, self_margin=self_margin).check_path(path, **options)
