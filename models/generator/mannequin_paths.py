"""Motions of the mannequin as waypoint files: exercising (with self contacts) and walking over the chess board."""
import math

from .mannequin import ANKLE, HIP, PELVIS_HEIGHT, SHIN, THIGH, joint_names, standing
from .path_text import path_text

SOLE = (-0.075, 0.185)  # [m] heel and toe along x from the ankle


def both_sides(**values):
    return {f"{side}_{name}": value for side in ("left", "right") for name, value in values.items()}


def one_side(side, **values):
    return {f"{side}_{name}": value for name, value in values.items()}


def crouch(depth):
    """Hip, knee and ankle of a squat with level feet, and the root's height."""
    hip, knee = 1.1 * depth, 1.9 * depth
    ankle = min(knee - hip, 0.43)
    height = root_height([(hip, knee, ankle)] * 2, 0.004)
    return {**both_sides(hip_pitch=hip, knee=knee, ankle_pitch=ankle), "root_z": height}


def root_height(legs, clearance):
    """Height of the root that keeps the lowest point of the soles `clearance` above the ground; legs are
    (hip, knee, ankle), and the foot's tilt is their sum."""
    deepest = 0.0
    for hip, knee, ankle in legs:
        tilt = hip - knee + ankle  # toes up
        down = -HIP[2] + THIGH * math.cos(hip) + SHIN * math.cos(hip - knee)
        deepest = max([deepest] + [down + ANKLE * math.cos(tilt) - x * math.sin(tilt) for x in SOLE])
    return deepest + clearance


def exercise():
    """Twelve key poses, each reached smoothly and left again: jumping jack, punches, hug, toe touch, squat, kick, ...

    The elbow that meets the knee, the hug, the crossed legs and the clap end in self contact; the rest is free."""
    up = both_sides(shoulder_roll=2.5, elbow=0.3)
    keys = [{**up, **both_sides(hip_roll=0.4)},
            {**one_side("right", shoulder_pitch=1.4, elbow=0.2, shoulder_roll=0.1),
             **one_side("left", shoulder_pitch=0.3, elbow=2.2), "waist_yaw": 0.5},
            {**one_side("left", shoulder_pitch=1.4, elbow=0.2, shoulder_roll=0.1),
             **one_side("right", shoulder_pitch=0.3, elbow=2.2), "waist_yaw": -0.5,
             **one_side("left", shoulder_pitch=0.75, elbow=1.5, shoulder_roll=-0.15)},
            {**one_side("left", hip_pitch=1.5, knee=1.7), **one_side("right", shoulder_pitch=1.5, elbow=1.2)},
            {**one_side("right", hip_pitch=2.0, knee=2.0), "waist_pitch": 0.6, "waist_yaw": -0.5,
             **one_side("left", shoulder_pitch=0.75, elbow=1.5, shoulder_roll=-0.15)},
            both_sides(shoulder_pitch=1.3, shoulder_yaw=-0.9, elbow=1.5, shoulder_roll=0.1),      # hug: forearms meet
            {"waist_pitch": 1.2, "root_pitch": 0.25,
             **both_sides(shoulder_pitch=1.75, hip_pitch=1.15, shoulder_roll=0.0, elbow=0.0)},
            {**crouch(1.0), **both_sides(shoulder_pitch=1.5, elbow=0.1, shoulder_roll=0.15)},
            {**one_side("left", hip_pitch=1.9, knee=0.15), **both_sides(shoulder_roll=1.4)},
            {"waist_roll": 0.45, **one_side("right", shoulder_roll=2.6, elbow=0.5), "neck_roll": 0.3,
             **one_side("left", hip_roll=-0.35, hip_pitch=0.1, knee=0.3)},
            {"waist_yaw": 0.6, "neck_yaw": 0.8, **both_sides(shoulder_roll=1.5, elbow=1.2)},
            both_sides(shoulder_pitch=1.5, shoulder_roll=-0.34, elbow=0.05)]                      # clap: hands meet
    names = joint_names()
    rest = standing(names)
    rest["root_z"] = PELVIS_HEIGHT + 0.25  # in the air: this motion is about the body itself
    rows, before = [[rest[name] for name in names]], rest
    for key in keys:
        pose = {**rest, **key}
        if "root_z" in key:
            pose["root_z"] = key["root_z"] + 0.25
        for target in (pose, rest):
            rows += [[before[n] + smooth((i + 1) / 12) * (target[n] - before[n]) for n in names] for i in range(12)]
            before = target
    return path_text(names, rows)


def smooth(t):
    return t * t * (3 - 2 * t)


def leg(phase):
    """(hip, knee, ankle) at a phase of the gait in [0, 1): the leg swings forward around 0, stands around 0.5."""
    hip = 0.12 + 0.40 * math.sin(2 * math.pi * phase)
    swing = max(0.0, math.cos(2 * math.pi * (phase + 0.06)))
    knee = 0.14 + 0.85 * swing * swing
    return hip, knee, min(max(knee - hip, -0.6), 0.40)


def walk(track, cycles=3.2, per_cycle=75):
    """Walks along track(s) -> (x, y), s in [0, 1], with a gait of `cycles` double steps."""
    names = joint_names()
    rows, count = [], int(cycles * per_cycle)
    for i in range(count + 1):
        s, phase = i / count, i / per_cycle
        (x, y), (xa, ya), (xb, yb) = track(s), track(s + 1e-3), track(s - 1e-3)
        legs = {"left": leg(phase), "right": leg(phase + 0.5)}
        pose = dict.fromkeys(names, 0.0)
        sway = math.sin(2 * math.pi * phase)
        pose.update(root_x=x, root_y=y, root_yaw=math.atan2(ya - yb, xa - xb), root_z=root_height(legs.values(), 0.012),
                    waist_yaw=-0.10 * sway, waist_pitch=0.06, neck_yaw=0.08 * sway, neck_pitch=0.12)
        for side, sign in (("left", -1), ("right", 1)):
            hip, knee, ankle = legs[side]
            pose.update(one_side(side, hip_pitch=hip, knee=knee, ankle_pitch=ankle, shoulder_roll=0.24,
                                 shoulder_pitch=0.38 * sign * sway, elbow=0.35 + 0.2 * sign * sway))
        rows.append([pose[n] for n in names])
    return path_text(names, rows)


def walk_lane():
    """Free: along the lane of the fifth rank."""
    return walk(lambda s: (-2.15 + 4.3 * s, 0.27 + 0.05 * math.sin(2 * math.pi * s)))


def walk_kick():
    """Contact: the same walk drifts towards the pawn on e4 and kicks it."""
    return walk(lambda s: (-2.15 + 4.3 * s, 0.27 - 0.42 * smooth(min(1.0, max(0.0, (s - 0.2) / 0.4)))))
