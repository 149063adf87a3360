"""Motions of the hand round a ball at the origin (scene ball): approaches from twelve directions, and closings in which
every finger has its own speed."""
import math

from .hand import FINGERS, joint_names
from .path_text import path_text
from .scenes import Lcg

BALL = (0.062, 0.010, -0.060)  # [m] the ball's centre in the palm's frame when it lies in the open hand
OPEN = {"thumb_spread": 0.1, "thumb_flex": 0.35}
CLOSED = {"flex": 1.15, "middle_flex": 1.1, "tip_flex": 0.6}


def rotate(yaw, pitch, roll, p):
    """Rz(yaw) Ry(pitch) Rx(roll) p."""
    x, y, z = p
    y, z = y * math.cos(roll) - z * math.sin(roll), y * math.sin(roll) + z * math.cos(roll)
    x, z = x * math.cos(pitch) + z * math.sin(pitch), -x * math.sin(pitch) + z * math.cos(pitch)
    return (x * math.cos(yaw) - y * math.sin(yaw), x * math.sin(yaw) + y * math.cos(yaw), z)


def palm_at(angles, ball, back=0.0, along=(0, 0, 1)):
    """Root joints that put the ball at `ball` in the palm's frame, moved `back` [m] along the palm's `along`."""
    p = rotate(*angles, tuple(back * a - b for a, b in zip(along, ball)))
    return dict(zip(("root_x", "root_y", "root_z", "root_yaw", "root_pitch", "root_roll"), (*p, *angles)))


def directions():
    """Twelve orientations spread over the sphere."""
    result = []
    for k in range(12):
        up = 1 - 2 * (k + 0.5) / 12
        result.append((((2.399963 * k + math.pi) % (2 * math.pi)) - math.pi, math.asin(up), 0.9 * math.sin(3.0 * k)))
    return result


def approach(k):
    """From 0.35 m away, half turned and with straight fingers, to the ball. Files 01, 03, ... stop with the ball in the
    open hand, free; files 02, 04, ... come 25 mm too close and touch. Every third comes in fingers first."""
    angles = directions()[k]
    ball = BALL if k % 2 == 0 else (BALL[0], BALL[1], BALL[2] + 0.025)
    far = palm_at((angles[0], angles[1], angles[2] + 0.5), ball, 0.35)
    near = palm_at(angles, ball, 0.10, (-1, 0, 0.3) if k % 3 == 2 else (0, 0, 1))
    end = palm_at(angles, ball)
    return rows_text([{**far}, {**near, **OPEN}, {**end, **OPEN}])


def closing(k):
    """From the ball in the open hand; finger f has closed after its own share of the time, drawn from 0.25 to 1."""
    draw = Lcg(100 + k)
    share = {finger: draw.uniform(0.25, 1.0) for finger in FINGERS}
    lean = {finger: draw.uniform(-0.15, 0.15) for finger in FINGERS}
    root, rows = palm_at(directions()[k], BALL), []
    for i in range(13):
        row = {**root, **OPEN}
        for finger in FINGERS:
            t = min(1.0, i / 12 / share[finger])
            for joint, value in CLOSED.items():
                start = OPEN.get(f"{finger}_{joint}", 0.0)
                row[f"{finger}_{joint}"] = start + t * ((0.8 * value if finger == "thumb" else value) - start)
            if k >= 4:  # the fingers also lean to a side, and neighbours may meet
                row[f"{finger}_spread"] = lean[finger] * t
        row["thumb_spread"] = 0.1 - 0.5 * min(1.0, i / 12 / share["thumb"])
        rows.append(row)
    return rows_text(rows)


def rows_text(rows):
    names = joint_names()
    return path_text(names, [[row.get(name, 0.0) for name in names] for row in rows])


def all_paths():
    """File name -> text."""
    result = {f"hand_approach_{k + 1:02d}": approach(k) for k in range(12)}
    result.update({f"hand_close_{k + 1:02d}": closing(k) for k in range(8)})
    return result
