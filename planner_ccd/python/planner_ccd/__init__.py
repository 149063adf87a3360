"""Continuous collision checking of robot motions: a proof, or the first contact.

    robot = planner_ccd.Robot("robot.urdf", "robot.srdf")
    scene = planner_ccd.Scene.load("scene.yaml")
    checker = planner_ccd.PathChecker(robot, scene)
    checker.is_free(q0, q1)          # True only when proved
    checker.first_contact(q0, q1)    # verdict, time, links, points
    checker.check_edges(starts, ends).free
"""

from ._core import (
    Assumption,
    Contact,
    EdgeResult,
    EdgeResults,
    InputError,
    NearestPair,
    PathChecker,
    PreparedRobot,
    PathResult,
    Robot,
    Scene,
    Verdict,
    __version__,
)

__all__ = [
    "Assumption",
    "NearestPair",
    "Contact",
    "EdgeResult",
    "EdgeResults",
    "InputError",
    "PathChecker",
    "PreparedRobot",
    "PathResult",
    "Robot",
    "Scene",
    "Verdict",
    "check",
    "__version__",
]


def check(robot, path, scene=None, *, margin=0.0, **options):
    """Check a path (waypoints in rows) of a robot in a scene, to its first contact: a PathResult.

    For more than one question about the same robot and scene, make a PathChecker and keep it.
    """
    return PathChecker(robot, scene, margin=margin).check(path, **options)
