"""Scenes: what stands around a robot, as YAML (planner_ccd/io/README.md). Poses and sizes are designed or drawn from our own
generator of pseudo-random numbers, so they are the same everywhere."""
import math

from . import chess
from .urdf import number


class Lcg:
    """Knuth's 64-bit linear congruential generator; the upper bits make a double in [0, 1)."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self, low=0.0, high=1.0):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return low + (high - low) * (self.state >> 11) / 2**53


def entry(name, shape, xyz=(0, 0, 0), rpy=(0, 0, 0)):
    numbers = [", ".join(number(round(v, 6)) for v in values) for values in (xyz, rpy)]
    return f"  - {{name: {name}, {shape}, pose: {{xyz: [{numbers[0]}], rpy: [{numbers[1]}]}}}}"


def box(size):
    return "box: {size: [" + ", ".join(number(round(v, 6)) for v in size) + "]}"


def mesh(path):
    return f"mesh: {path}"


def scene_text(comment, entries, allow=()):
    lines = ["# Made by models/generate.py: change it there.", f"# {comment}", "objects:"] + entries
    if allow:
        lines.append("allow: [" + ", ".join(f"[{a}, {b}]" for a, b in allow) + "]")
    return "\n".join(lines) + "\n"


def arm_clutter():
    """16 boxes, 4 plates of one millimetre and the hare around the 7R arm, most of them 0.5 to 1 m from its base."""
    draw = Lcg(2024)
    entries = [entry("pedestal", box((0.34, 0.24, 0.3)), (0.72, 0.1, 0.15)),
               entry("hare", mesh("../meshes/rigid/hare_70k.glb"), (0.72, 0.1, 0.308), (0, 0, 2.6))]
    for i in range(15):
        angle = 2 * math.pi * (i + 0.6 * draw.uniform()) / 15 + 0.35
        radius, z = draw.uniform(0.55, 0.95), draw.uniform(0.05, 1.25)
        size = [draw.uniform(0.06, 0.24) for _ in range(3)]
        turn = (draw.uniform(-0.5, 0.5), draw.uniform(-0.5, 0.5), draw.uniform(-3.1, 3.1))
        place = (radius * math.cos(angle), radius * math.sin(angle), z)
        entries.append(entry(f"box_{i + 1:02d}", box(size), place, turn))
    plates = [((0.62, -0.5, 0.75), (0.3, 0.2, 0.9)), ((-0.55, 0.45, 0.7), (1.4, 0.1, 0.4)),
              ((-0.2, -0.75, 0.5), (0.2, 1.3, 0.3)), ((0.1, 0.7, 1.0), (0.1, 0.3, 1.2))]
    for i, (xyz, rpy) in enumerate(plates):
        entries.append(entry(f"plate_{i + 1}", box((0.4, 0.3, 0.001)), xyz, rpy))
    return scene_text("Clutter for urdf/arm7.urdf; base at the origin.", entries)


def puma_car():
    """The car's left side in front of the Puma, which stands on a box; the door's window is at about x = 0.57."""
    entries = [entry("car", mesh("../meshes/car/car.glb"), (1.27, -0.2, -0.4), (0, 0, math.pi / 2)),
               entry("pedestal", box((0.4, 0.4, 0.4)), (0, 0, -0.2)),
               entry("floor", box((6, 6, 0.1)), (1, 0, -0.451))]
    return scene_text("A car in front of urdf/puma.urdf, whose base stands on a pedestal at the origin.", entries,
                      [("base_link", "pedestal")])


def chess_board():
    """The board and its 32 pieces."""
    entries = [entry("board", mesh("../meshes/chess/board.glb"))]
    entries += [entry(name, mesh(f"../meshes/chess/{kind}.glb"), (x, y, chess.CLEARANCE), (0, 0, yaw))
                for name, kind, x, y, yaw in chess.placed()]
    return scene_text("A chess board for urdf/mannequin.urdf to walk on; squares of 0.6 m, centred.", entries)


def ball():
    return scene_text("A ball for urdf/hand.urdf to grasp.", [entry("ball", mesh("../meshes/rigid/ball.glb"))])
