"""Continuous collision checking of robot motions: a proof, or the first contact.

    robot = planner_ccd.Robot("robot.urdf", "robot.srdf")
    scene = planner_ccd.Scene.load("scene.yaml")
    checker = planner_ccd.PathChecker(robot, scene)
    checker.is_free(q0, q1)          # True only when proved
    checker.first_contact(q0, q1)    # verdict, time, links, points
    checker.check_edges(starts, ends).free
    checker.certify(path, "run.pccd")    # a proof as a file, that anyone can check:
    planner_ccd.verify("run.pccd").verified
"""

from ._core import (
    Assumption,
    CertificateResult,
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
    Verification,
    __version__,
    verify,
)

__all__ = [
    "Assumption",
    "CertificateResult",
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
    "Verification",
    "check",
    "verify",
    "__version__",
]


def check(robot, path, scene=None, *, margin=0.0, self_margin=0.0, **options):
    """Check a path (waypoints in rows) of a robot in a scene, to its first contact: a PathResult.

    For more than one question about the same robot and scene, make a PathChecker and keep it.
    """
    return PathChecker(robot, scene, margin=margin, self_margin=self_margin).check(path, **options)
