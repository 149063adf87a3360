"""Two motions of the Puma beside the car (scene puma_car): in and out of the door's window, and into a fender."""
import math

from .path_text import path_text
from .puma import A2, A3, D4, SHOULDER

NAMES = [f"joint{i}" for i in range(1, 7)]


def reach(turn, out, height, pitch, roll=0.0):
    """Joint values, elbow up: joint 1 at `turn`, wrist centre `out` [m] from axis 1 in the arm's plane, `height` above
    the base, tool at elevation `pitch`; angles in degrees."""
    x, z = out, height - SHOULDER
    fore = math.hypot(D4, A3)
    distance = math.hypot(x, z)
    bend = math.acos((A2 * A2 + distance * distance - fore * fore) / (2 * A2 * distance))
    upper = math.atan2(z, x) + bend
    forearm = math.atan2(z - A2 * math.sin(upper), x - A2 * math.cos(upper)) - math.atan2(D4, A3)
    return [math.radians(turn), upper, forearm - upper, 0.0, math.radians(pitch) - math.pi / 2 - forearm,
            math.radians(roll)]


def window():
    """Free: from beside the car to the window, inside, down to the seat, to the dashboard, and out again."""
    rows = [reach(-95, 0.45, 0.75, -40), reach(-60, 0.4, 0.9, -20), reach(-25, 0.34, 0.85, -5), reach(0, 0.33, 0.74, 0),
            reach(0, 0.46, 0.735, 0), reach(0, 0.6, 0.735, 0, 45), reach(0, 0.7, 0.735, -10, 90),
            reach(-4, 0.74, 0.72, -30, 90), reach(4, 0.74, 0.74, -30, 60), reach(5, 0.74, 0.76, 10, 0),
            reach(0, 0.64, 0.74, 0, 0), reach(0, 0.46, 0.74, 0), reach(0, 0.33, 0.78, 0), reach(30, 0.32, 0.9, 0),
            reach(80, 0.4, 0.95, -20)]
    return path_text(NAMES, rows)


def fender():
    """Contact: from the window along the side of the car towards the bonnet, low enough to strike the front fender."""
    rows = [reach(-20, 0.33, 0.8, 0), reach(10, 0.34, 0.78, -10), reach(40, 0.42, 0.6, -35), reach(58, 0.6, 0.42, -40),
            reach(66, 0.74, 0.3, -30), reach(75, 0.6, 0.6, -10)]
    return path_text(NAMES, rows)
