"""A right hand of 21 bodies: palm and five fingers of four links each, 20 independent joints, and a free root.

The palm lies in the xy plane and grasps towards -z; fingers point along +x at the zero pose, the thumb sits on the +y
side. Lengths are those of an adult hand (a middle finger of 107 mm), ranges those of human fingers.
"""
import math

import numpy as np

from .mannequin import free_root
from .sdf import both, capsule, ellipsoid, half_space, rounded_box, surface, union
from .solids import circle, cross, loft, unit
from .urdf import Joint, Link, Robot, number

# Finger: knuckle's place, lengths of knuckle link, proximal, middle, distal; radius at the knuckle; direction at zero.
FINGERS = {
    "index": ((0.092, 0.033, 0.002), (0.012, 0.046, 0.029, 0.023), 0.0095, (1, 0, 0)),
    "middle": ((0.096, 0.011, 0.004), (0.012, 0.051, 0.032, 0.024), 0.0098, (1, 0, 0)),
    "ring": ((0.092, -0.011, 0.003), (0.012, 0.047, 0.030, 0.024), 0.0094, (1, 0, 0)),
    "little": ((0.085, -0.032, 0.0), (0.012, 0.037, 0.023, 0.021), 0.0083, (1, 0, 0)),
    "thumb": ((0.026, 0.047, -0.006), (0.012, 0.042, 0.032, 0.026), 0.0112, (0.6, 0.8, 0)),
}
PARTS = ("knuckle", "proximal", "middle", "distal")
SIDES, GAP = 18, 0.0008


def palm_field():
    slab = rounded_box((0.04, 0.0, 0.0), (0.046, 0.041, 0.011), 0.0105)
    heel = ellipsoid((0.012, -0.018, -0.005), (0.03, 0.024, 0.013))
    thenar = ellipsoid((0.02, 0.026, -0.008), (0.03, 0.02, 0.013))
    wrist = capsule((-0.045, 0, 0), (0.0, 0, 0), 0.021, 0.021)
    roots = [capsule((0.06, y, 0.0), (0.077 - 0.06 * abs(y - 0.01), y, 0.002), 0.011)
             for y in (0.033, 0.011, -0.011, -0.031)]
    solid = union(union(slab, heel, thenar, wrist, blend=0.018), *roots, blend=0.006)
    return both(solid, half_space((-1, 0, 0), 0.058), 0.004)


def bone(length, start, end, direction, tip=False):
    """A finger link along `direction`: a rounded end at its own joint, a waist, and a rounded end before the next."""
    along = np.array(unit(direction))
    side = cross((0, 0, 1), along)
    stop = length if tip else length - end - GAP
    stations = [(-start * math.cos(a), start * math.sin(a)) for a in (0.0, 0.45, 0.9, 1.35)]
    stations += [(0.3 * start, start), (0.45 * length, 0.88 * (start + end) / 2), (stop - 0.8 * end, 0.98 * end)]
    stations += [(stop - end * (1 - math.sin(a)) * 0.75, end * math.cos(a)) for a in (0.35, 0.75, 1.15, math.pi / 2)]
    rings = []
    for x, r in stations:
        if r < 1e-6:
            rings.append([x * along])
            continue
        rings.append([x * along + r * (c * side + 0.94 * s * np.array([0, 0, 1.0])) for c, s in circle(SIDES)])
    return loft(rings)


def saddle(radius, direction):
    """The short link between palm and finger that spreads it sideways."""
    along = np.array(unit(direction))
    side = cross((0, 0, 1), along)
    rings = []
    for x, r in ((-0.0035, 0), (-0.0035, 0.55), (-0.0022, 0.8), (0.0, 0.92), (0.0012, 0.92), (0.0018, 0.7),
                 (0.0018, 0)):
        if r == 0:
            rings.append([x * along])
        else:
            rings.append([x * along + radius * r * (c * side + s * np.array([0, 0, 1.0])) for c, s in circle(SIDES)])
    return loft(rings)


def finger(name):
    place, lengths, radius, direction = FINGERS[name]
    d = unit(direction)
    flex = " ".join(number(round(float(v), 6)) for v in cross((0, 0, 1), d))  # turns the finger towards -z
    meshes = [saddle(radius, direction)]
    radii = [radius, 0.93 * radius, 0.86 * radius, 0.72 * radius]
    meshes += [bone(lengths[k], radii[k - 1], radii[k], direction, k == 3) for k in (1, 2, 3)]
    ranges = [(-0.35, 0.35), (-0.2, 1.6), (0, 1.9), (0, 1.35)]
    axes = ["0 0 1", flex, flex, flex]
    kinds = ("spread", "flex", "middle_flex", "tip_flex")
    if name == "thumb":
        ranges = [(-0.9, 0.5), (-0.3, 1.3), (-0.2, 1.0), (-0.2, 1.4)]
    links, joints, parent = [], [], "palm"
    offset = place
    for k in range(4):
        child = f"{name}_{PARTS[k]}"
        links.append(Link(child, meshes[k], "skin" if k else "dark"))
        joints.append(Joint(f"{name}_{kinds[k]}", parent, child, offset, axes[k], ranges[k], 6, 2))
        offset = tuple(lengths[k] * float(v) for v in d)
        parent = child
    return links, joints


def robot():
    links, joints = free_root("palm", 2)
    links.append(Link("palm", surface(palm_field(), (-0.09, -0.08, -0.05), (0.13, 0.09, 0.05), 0.0062), "skin"))
    for name in FINGERS:
        more_links, more_joints = finger(name)
        links += more_links
        joints += more_joints
    # The palm and the first bone stand on both sides of a saddle of a few millimetres; neighbours meet when they close.
    never = [("palm", f"{name}_proximal") for name in FINGERS]
    names = [joint.name for joint in joints]
    return Robot("hand", links, joints, {"open": dict.fromkeys(names, 0.0)}, {"hand": names}, never)


def joint_names():
    names = [j.name for j in free_root("palm", 2)[1]]
    return names + [f"{f}_{k}" for f in FINGERS for k in ("spread", "flex", "middle_flex", "tip_flex")]
