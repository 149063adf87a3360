"""A mannequin of 1.75 m: 15 bodies, 32 joints with human ranges, and a root of six joints. x forward, y left, z up; at
the zero pose it stands upright with hanging arms, all frames parallel, each at its joint.

Joints of several degrees of freedom are chains of one-dof joints through links without geometry. Ranges are those of
adult joint-mobility tables, rounded to 5 degrees.
"""
import math

from .sdf import both, capsule, ellipsoid, half_space, minus, surface, union
from .urdf import Joint, Link, Robot

THIGH, SHIN, ANKLE = 0.42, 0.40, 0.08
UPPER_ARM, FOREARM = 0.29, 0.25
HIP, SHOULDER = (0.0, 0.092, -0.05), (0.0, 0.2, 0.345)
WAIST, NECK = (0.0, 0.0, 0.095), (0.0, 0.0, 0.415)
PELVIS_HEIGHT = 0.95  # [m] of the root above the ground when standing


def pelvis():
    hips = [ellipsoid((-0.005, s * 0.06, -0.015), (0.095, 0.095, 0.085)) for s in (1, -1)]
    seat = [ellipsoid((-0.05, s * 0.055, -0.05), (0.07, 0.07, 0.065)) for s in (1, -1)]
    belly = ellipsoid((0.0, 0, 0.04), (0.095, 0.135, 0.05))
    return union(*hips, *seat, belly, blend=0.05)


def torso():
    ribs = ellipsoid((-0.005, 0, 0.2), (0.105, 0.145, 0.17))
    waist = ellipsoid((0.0, 0, 0.05), (0.088, 0.125, 0.055))
    chest = [ellipsoid((0.055, s * 0.06, 0.26), (0.055, 0.075, 0.06)) for s in (1, -1)]
    shoulders = capsule((-0.01, -0.125, 0.345), (-0.01, 0.125, 0.345), 0.05)
    back = [ellipsoid((-0.06, s * 0.07, 0.27), (0.05, 0.065, 0.09)) for s in (1, -1)]
    neck = capsule((-0.005, 0, 0.34), (0.0, 0, 0.415), 0.055, 0.048)
    return union(ribs, waist, *chest, *back, shoulders, neck, blend=0.05)


def head():
    skull = ellipsoid((-0.005, 0, 0.175), (0.096, 0.076, 0.1))
    jaw = ellipsoid((0.035, 0, 0.105), (0.058, 0.054, 0.055))
    neck = capsule((0.0, 0, 0.035), (0.0, 0, 0.09), 0.047, 0.05)
    nose = capsule((0.088, 0, 0.165), (0.106, 0, 0.135), 0.01, 0.015)
    brow = [capsule((0.082, s * 0.012, 0.182), (0.072, s * 0.045, 0.18), 0.012) for s in (1, -1)]
    ears = [ellipsoid((-0.005, s * 0.077, 0.15), (0.02, 0.011, 0.032)) for s in (1, -1)]
    lips = capsule((0.083, -0.016, 0.107), (0.083, 0.016, 0.107), 0.011)
    face = union(union(skull, jaw, neck, blend=0.04), nose, *brow, lips, blend=0.018)
    for s in (1, -1):
        face = minus(face, ellipsoid((0.098, s * 0.033, 0.158), (0.02, 0.017, 0.011)), 0.014)
    return union(face, *ears, blend=0.01)


def upper_arm():
    """Left side; the right one is its mirror image."""
    deltoid = ellipsoid((0, 0.005, -0.02), (0.055, 0.05, 0.075))
    bone = capsule((0, 0, -0.03), (0, 0, -UPPER_ARM + 0.055), 0.046, 0.036)
    biceps = ellipsoid((0.012, 0, -0.14), (0.042, 0.04, 0.08))
    return union(deltoid, bone, biceps, blend=0.03)


def forearm():
    elbow = ellipsoid((0, 0, 0.0), (0.037, 0.037, 0.04))
    muscle = ellipsoid((0.002, 0.004, -0.07), (0.042, 0.044, 0.085))
    bone = capsule((0, 0, -0.02), (0, 0, -FOREARM + 0.03), 0.038, 0.026)
    return union(elbow, muscle, bone, blend=0.03)


def hand():
    palm = ellipsoid((0.004, 0, -0.055), (0.042, 0.018, 0.05))
    wrist = capsule((0, 0, -0.01), (0, 0, -0.03), 0.022, 0.022)
    fingers = [capsule((0.027 - 0.018 * k, 0, -0.085), (0.03 - 0.02 * k, -0.012, -0.16 - 0.01 * (k in (1, 2))),
                       0.011, 0.009) for k in range(4)]
    thumb = union(capsule((0.025, -0.005, -0.035), (0.062, -0.012, -0.075), 0.015, 0.012),
                  capsule((0.062, -0.012, -0.075), (0.07, -0.016, -0.108), 0.012, 0.01), blend=0.01)
    return union(union(palm, wrist, blend=0.02), *fingers, thumb, blend=0.01)


def thigh():
    top = ellipsoid((-0.005, 0.003, -0.04), (0.085, 0.076, 0.085))
    bone = capsule((0, 0, -0.06), (0, 0, -THIGH + 0.065), 0.078, 0.05)
    front = ellipsoid((0.02, 0, -0.17), (0.065, 0.066, 0.14))
    return union(top, bone, front, blend=0.05)


def shin():
    knee = ellipsoid((0.008, 0, 0.0), (0.052, 0.048, 0.055))
    calf = ellipsoid((-0.022, 0, -0.11), (0.052, 0.05, 0.11))
    bone = capsule((0.004, 0, -0.03), (0, 0, -SHIN + 0.045), 0.046, 0.032)
    return union(knee, calf, bone, blend=0.04)


def foot():
    ankle = ellipsoid((0, 0, -0.004), (0.034, 0.032, 0.034))
    heel = ellipsoid((-0.035, 0, -0.045), (0.036, 0.033, 0.034))
    instep = capsule((0.0, 0, -0.03), (0.1, 0.0, -0.055), 0.034, 0.026)
    ball = ellipsoid((0.125, 0.0, -0.062), (0.05, 0.043, 0.02))
    toes = [capsule((0.14, y, -0.066), (0.172 - 0.2 * abs(y + 0.02), 1.15 * y, -0.068), 0.0135, 0.011)
            for y in (-0.03, -0.01, 0.01, 0.03)]
    solid = union(union(ankle, heel, instep, ball, blend=0.035), *toes, blend=0.015)
    return both(solid, half_space((0, 0, -1), ANKLE), 0.004)


# Field, box that holds it, cell size; the cells give about 20,000 triangles together.
SHAPES = {
    "pelvis": (pelvis, (-0.2, -0.25, -0.2), (0.2, 0.25, 0.2), 0.0205),
    "torso": (torso, (-0.25, -0.3, -0.1), (0.25, 0.3, 0.55), 0.0215),
    "head": (head, (-0.2, -0.15, -0.06), (0.2, 0.15, 0.35), 0.0124),
    "upper_arm": (upper_arm, (-0.1, -0.1, -0.4), (0.1, 0.1, 0.12), 0.0158),
    "forearm": (forearm, (-0.1, -0.1, -0.32), (0.1, 0.1, 0.1), 0.0138),
    "hand": (hand, (-0.1, -0.1, -0.24), (0.12, 0.1, 0.06), 0.0097),
    "thigh": (thigh, (-0.15, -0.15, -0.5), (0.15, 0.15, 0.12), 0.0215),
    "shin": (shin, (-0.15, -0.15, -0.5), (0.15, 0.15, 0.12), 0.018),
    "foot": (foot, (-0.12, -0.1, -0.15), (0.25, 0.1, 0.08), 0.0138),
}

# Chains: (parent, child, place of the joint, [(name, axis, lower, upper)]); axes of the left side.
TRUNK = [
    ("pelvis", "torso", WAIST, [("waist_pitch", "0 1 0", -30, 70), ("waist_roll", "1 0 0", -30, 30),
                                 ("waist_yaw", "0 0 1", -45, 45)]),
    ("torso", "head", NECK, [("neck_yaw", "0 0 1", -75, 75), ("neck_pitch", "0 1 0", -50, 55),
                             ("neck_roll", "1 0 0", -40, 40)]),
]
SIDE = [
    ("torso", "upper_arm", SHOULDER, [("shoulder_pitch", "0 -1 0", -60, 170), ("shoulder_roll", "1 0 0", -20, 160),
                                      ("shoulder_yaw", "0 0 1", -80, 80)]),
    ("upper_arm", "forearm", (0, 0, -UPPER_ARM), [("elbow", "0 -1 0", 0, 145)]),
    ("forearm", "hand", (0, 0, -FOREARM), [("wrist_twist", "0 0 1", -80, 80), ("wrist_pitch", "1 0 0", -70, 75),
                                           ("wrist_roll", "0 1 0", -25, 35)]),
    ("pelvis", "thigh", HIP, [("hip_pitch", "0 -1 0", -30, 120), ("hip_roll", "1 0 0", -25, 45),
                              ("hip_yaw", "0 0 1", -45, 45)]),
    ("thigh", "shin", (0, 0, -THIGH), [("knee", "0 1 0", 0, 145)]),
    ("shin", "foot", (0, 0, -SHIN), [("ankle_pitch", "0 -1 0", -50, 25), ("ankle_roll", "1 0 0", -20, 20)]),
]
ROOT = [("root_x", "prismatic", "1 0 0"), ("root_y", "prismatic", "0 1 0"), ("root_z", "prismatic", "0 0 1"),
        ("root_yaw", "revolute", "0 0 1"), ("root_pitch", "revolute", "0 1 0"), ("root_roll", "revolute", "1 0 0")]


def mirrored(axis):
    """A joint's axis on the right side, so that equal values are mirror images: rotations about x and z turn round."""
    return {"1 0 0": "-1 0 0", "0 0 1": "0 0 -1"}.get(axis, axis)


def free_root(first, reach):
    """Six joints from link 'world' to `first`, through links without geometry."""
    links, joints, parent = [Link("world")], [], "world"
    for i, (name, kind, axis) in enumerate(ROOT):
        child = first if i == 5 else f"{name}_link"
        limits = (-reach, reach) if kind == "prismatic" else (-3.141593, 3.141593)
        joints.append(Joint(name, parent, child, (0, 0, 0), axis, limits, 3, 1000, kind))
        if i < 5:
            links.append(Link(child))
        parent = child
    return links, joints


def add_chain(links, joints, meshes, chain, side):
    parent, child, place, axes = chain
    prefix = f"{side}_" if side else ""
    parent = prefix + parent if parent not in ("pelvis", "torso") else parent
    place = (place[0], -place[1], place[2]) if side == "right" else place
    for i, (name, axis, low, high) in enumerate(axes):
        last = i == len(axes) - 1
        below = prefix + child if last else f"{prefix}{name}_link"
        links.append(Link(below, meshes[prefix + child] if last else None, "skin"))
        limits = (round(math.radians(low), 6), round(math.radians(high), 6))
        axis = mirrored(axis) if side == "right" else axis
        joints.append(Joint(prefix + name, parent, below, place if i == 0 else (0, 0, 0), axis, limits, 6, 200))
        parent = below


def robot():
    meshes = {}
    for name, (field, low, high, cell) in SHAPES.items():
        mesh = surface(field(), low, high, cell)
        if name in ("pelvis", "torso", "head"):
            meshes[name] = mesh
        else:
            meshes[f"left_{name}"], meshes[f"right_{name}"] = mesh, mesh.mirrored_y()
    links, joints = free_root("pelvis", 10)
    links.append(Link("pelvis", meshes["pelvis"], "blue"))
    for chain in TRUNK:
        add_chain(links, joints, meshes, chain, "")
    for side in ("left", "right"):
        for chain in SIDE:
            add_chain(links, joints, meshes, chain, side)
    names = [joint.name for joint in joints]
    return Robot("mannequin", links, joints, {"stand": standing(names)}, {"body": names})


def standing(names):
    """Upright, a millimetre above the ground, arms a little away from the body."""
    pose = dict.fromkeys(names, 0.0)
    pose["root_z"] = PELVIS_HEIGHT + 0.001
    for side in ("left", "right"):
        pose[f"{side}_shoulder_roll"], pose[f"{side}_elbow"] = 0.25, 0.2
    return pose


def joint_names():
    """In the order of the robot's joints."""
    names = [name for name, _, _ in ROOT] + [axis[0] for chain in TRUNK for axis in chain[3]]
    return names + [f"{side}_{axis[0]}" for side in ("left", "right") for chain in SIDE for axis in chain[3]]
