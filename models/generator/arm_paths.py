"""Motions of the 7R arm: two in the clutter, waypoints found by sampling and kept here as numbers; and reaching forward."""
from .path_text import path_text

NAMES = [f"joint{i}" for i in range(1, 8)]
WAYPOINTS = [
    (0, 0, 0, 0, 0, 0, 0), (-0.5, -0.33, -0.82, -0.09, 1.08, 0.56, -0.18), (-1.07, -0.04, -0.06, -0.52, 0.12, 0.2, -0.75),
    (-1.16, 0.51, -1.06, 0.14, 0.88, -0.27, -0.91), (-0.31, 0.51, -0.42, 0.48, 0.18, -0.55, -0.05),
    (0.72, 0.06, -0.77, 0.45, -0.44, 0.23, 0.4), (-0.07, 0.22, 0.36, 0.23, -0.67, -0.49, 0.51),
    (-0.17, -0.27, 0.84, 0.51, 0.35, -0.44, -0.47)]
BEHIND_A_PLATE = (1.36, 0.85, 1.67, -0.61, 0.15, 0.1, -1.08)


def free():
    return path_text(NAMES, WAYPOINTS)


def plate():
    """Contact: the same, and then one more edge. Both its ends are free; it passes through a plate of one millimetre."""
    return path_text(NAMES, WAYPOINTS + [BEHIND_A_PLATE])


def pick():
    """On a clock: turn to the front, reach down, back. Two arms face to face that both do so meet, unless one waits."""
    aside, above, down = (-0.9, -0.2, 0, -1.3, 0, 1.2, 0), (0, 0.4, 0, -1.2, 0, 1.2, 0), (0, 0.55, 0, -1.3, 0, 1.2, 0)
    times = ((0, aside), (0.5, aside), (2, above), (2.6, down), (3.2, above), (4.7, aside))
    return path_text(["time"] + NAMES, [(time, *values) for time, values in times])
