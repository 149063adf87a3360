"""Continuous collision checking of robot motions: a proof, or the first contact.

In short::

    robot = planner_ccd.Robot("robot.urdf", "robot.srdf")
    scene = planner_ccd.Scene.load("scene.yaml")
    checker = planner_ccd.PathChecker(robot, scene)
    checker.is_free(q0, q1)          # True only when proved
    checker.first_contact(q0, q1)    # verdict, time, links, points
    checker.check_edges(starts, ends).free
    checker.certify(path, "run.pccd")    # a proof as a file, that anyone can check:
    planner_ccd.verify("run.pccd").verified
"""

from ._verdict import Verdict  # _core needs these
from ._warning import InputWarning
from ._core import (
    Assumption,
    CertificateResult,
    Contact,
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
    PathReport,
    PathResult,
    PreparedRobot,
    Roadmap,
    RoadmapUpdate,
    Robot,
    RobotFilter,
    Scene,
    Timeline,
    Trajectory,
    Verification,
    __version__,
    leaf_queries,
    verify,
)

__all__ = [
    "__version__",
    "Assumption",
    "CertificateResult",
    "check",
    "Contact",
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
    "PathReport",
    "PathResult",
    "PreparedRobot",
    "Roadmap",
    "RoadmapUpdate",
    "Robot",
    "RobotFilter",
    "Scene",
    "Timeline",
    "Trajectory",
    "Verdict",
    "Verification",
    "verify",
]


def check(robot, path, scene=None, *, margin=0.0, self_margin=0.0, **options):
    """Check a path (waypoints in rows) of a robot in a scene, to its first contact: a PathResult.

    margin, self_margin: metres. For more than one question about the same robot and scene, make a PathChecker and
    keep it.

        >>> planner_ccd.check(robot, path[:4], scene).free
        True
    """
    return PathChecker(robot, scene, margin=margin, self_margin=self_margin).check(path, **options)
