"""Puma 560. Frames stand parallel to the base at the zero pose (upper arm along +x, forearm up), each at its joint.

Kinematics: standard Denavit-Hartenberg table of Corke and Armstrong-Helouvry (ICRA 1994): shoulder height 0.67183,
a2 = 0.4318, d3 = 0.15005, a3 = 0.0203, d4 = 0.4318, d6 = 0.05625 [m]; zero pose and signs as there. Joint ranges: 320,
270, 270, 280, 200, 532 degrees. Torques: Armstrong, Khatib, Burdick (ICRA 1986). Shapes are drawn by us after the look
of the machine: column, shoulder drum, flat upper arm and forearm side by side, roll-pitch-roll wrist.
"""
from .prism import belt, layer, rectangle, rounded_rectangle, stack
from .solids import circle, lathe
from .urdf import Joint, Link, Robot

SHOULDER, A2, D3, A3, D4, D6 = 0.67183, 0.4318, 0.15005, 0.0203, 0.4318, 0.05625
UPPER_ARM = (0.2005, 0.2935)  # extent of the upper arm along -y


def base():
    profile = [(0.15, 0.0), (0.15, 0.025), (0.105, 0.035), (0.085, 0.06), (0.085, 0.49), (0.1, 0.51), (0.1, 0.57)]
    return lathe(profile, 14)


def shoulder():
    """Drum along y with a neck down to the column."""
    radius, n = 0.09, 16
    drum = circle(n, radius)
    neck_edge = [(drum[10][0], -0.098), (drum[14][0], -0.098)]
    keyhole = drum[14:] + drum[:11] + neck_edge
    boss = circle(n, 0.065)
    return stack([layer(-0.135, -0.125, [circle(n, 0.075)], [drum]), layer(-0.125, -0.08, [drum]),
                  layer(-0.08, 0.08, [keyhole]), layer(0.08, 0.175, [drum]), layer(0.175, 0.182, [boss])], "-y")


def upper_arm():
    y0, y1 = UPPER_ARM
    outline = belt((-0.02, 0), 0.118, (A2, 0), 0.078, 18)
    inset = belt((-0.02, 0), 0.102, (A2, 0), 0.062, 18)
    cover = circle(10, 0.05)
    return stack([layer(y0 - 0.015, y0, [circle(12, 0.068)]), layer(y0, y1 - 0.016, [outline]),
                  layer(y1 - 0.016, y1, [outline], [inset]), layer(y1, y1 + 0.008, [cover])], "-y")


def forearm():
    """Frame at the elbow axis in the plane of the wrist (offset d3); upper arm on the -y side."""
    outline = belt((-0.012, -0.02), 0.098, (A3, 0.262), 0.043, 18)
    inset = belt((-0.012, -0.02), 0.085, (A3, 0.262), 0.032, 18)
    boss = circle(12, 0.055)
    return stack([layer(-0.043, -0.03, [inset], [outline]), layer(-0.03, 0.043, [outline]),
                  layer(0.043, 0.047, [boss])], "-y")


def wrist_roll():
    """Tube from the forearm's end to a fork of two cheeks; frame at the wrist centre."""
    disc = circle(12, 0.042, 0.5)
    right = [p for p in disc if p[1] > 0.025]
    left = [p for p in disc if p[1] < -0.025]
    return stack([layer(-0.124, -0.112, [circle(12, 0.036, 0.5)], [disc]), layer(-0.112, -0.05, [disc]),
                  layer(-0.05, 0.012, [right, left]),
                  layer(0.012, 0.022, [right, left], [_narrow(right), _narrow(left)])])


def _narrow(cheek):
    return [(0.6 * x, y) for x, y in cheek]


def wrist_pitch():
    """Drum along y between the cheeks, with a neck up to the flange."""
    drum = circle(12, 0.0245)
    keyhole = drum[5:] + drum[:2] + [(drum[1][0], 0.0455), (drum[5][0], 0.0455)]
    return stack([layer(-0.0215, -0.013, [drum]), layer(-0.013, 0.013, [keyhole]), layer(0.013, 0.0215, [drum])], "-y")


def flange():
    return lathe([(0.026, 0.0475), (0.034, 0.0495), (0.034, D6)], 12)


def gripper():
    """Parallel jaw; frame on the flange."""
    palm = rounded_rectangle(0.1, 0.044, 0.01, 2)
    fingers = [rectangle(0.028, 0.042, -0.012, 0.012), rectangle(-0.042, -0.028, -0.012, 0.012)]
    pads = [rectangle(0.018, 0.034, -0.009, 0.009), rectangle(-0.034, -0.018, -0.009, 0.009)]
    return stack([layer(0.001, 0.036, [palm]), layer(0.036, 0.085, fingers), layer(0.085, 0.105, fingers, pads),
                  layer(0.105, 0.13, pads)])


def robot():
    degrees = 0.017453292519943295
    ranges = [(-160, 160), (-45, 225), (-225, 45), (-110, 170), (-100, 100), (-266, 266)]
    speeds, torques = [8, 10, 10, 5, 5, 5], [97.6, 186.4, 89.4, 24.2, 20.1, 21.3]
    origins = [(0, 0, SHOULDER), (0, 0, 0), (A2, -D3, 0), (A3, 0, D4), (0, 0, 0), (0, 0, 0)]
    axes = ["0 0 1", "0 -1 0", "0 -1 0", "0 0 1", "0 -1 0", "0 0 1"]
    parts = [("base_link", base()), ("shoulder", shoulder()), ("upper_arm", upper_arm()), ("forearm", forearm()),
             ("wrist_roll", wrist_roll()), ("wrist_pitch", wrist_pitch()), ("flange", flange()), ("gripper", gripper())]
    colours = {"gripper": "dark", "flange": "dark", "base_link": "grey"}
    links = [Link(name, mesh, colour=colours.get(name, "cream")) for name, mesh in parts]
    joints = []
    for i in range(6):
        lower, upper = (round(limit * degrees, 6) for limit in ranges[i])
        joints.append(Joint(f"joint{i + 1}", parts[i][0], parts[i + 1][0], origins[i], axes[i], (lower, upper),
                            speeds[i], torques[i]))
    joints.append(Joint("gripper_mount", "flange", "gripper", (0, 0, D6), kind="fixed"))
    home = {"joint1": 0.0, "joint2": 1.047198, "joint3": -2.268928, "joint4": 0.0, "joint5": -1.308997, "joint6": 0.0}
    zero = {f"joint{i + 1}": 0.0 for i in range(6)}
    # Kept apart by the joints between them in every pose within the limits (20,000 random ones tried).
    never = [("base_link", "upper_arm"), ("forearm", "wrist_pitch"), ("forearm", "flange"), ("wrist_roll", "flange"),
             ("wrist_pitch", "gripper")]
    names = [joint.name for joint in joints[:6]]
    return Robot("puma", links, joints, {"home": home, "zero": zero}, {"arm": names}, never)
