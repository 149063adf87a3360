"""The pictures of the documentation, drawn with the module itself. --check draws without writing: is what they show still true?"""

import pathlib
import sys

import numpy as np

import planner_ccd

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench/plots"))
from chart import Chart, Scale  # noqa: E402


def distance_over_time():
    """Sampled distances of the Puma's way through the car's window, and what is proved between the samples."""
    robot = planner_ccd.Robot(ROOT / "urdf/puma.urdf", ROOT / "urdf/puma.srdf")
    scene = planner_ccd.Scene.load(ROOT / "models/scenes/puma_car.yaml", robot)
    checker = planner_ccd.PathChecker(robot, scene)
    motion = planner_ccd.Trajectory(robot, robot.load_path(ROOT / "models/paths/puma_window.csv"))
    pieces = checker.check_trajectory(motion, planner_ccd.TrajectoryOptions(clearance_accuracy=1e-3, profile_step=motion.duration / 40)).profile
    times = np.linspace(motion.begin, motion.end, 600)
    met = checker.clearance(motion.at(times)).upper
    coarse = np.linspace(motion.begin, motion.end, 9)
    samples = checker.clearance(motion.at(coarse)).upper
    piece = np.clip(np.searchsorted(pieces["end"], times), 0, len(pieces) - 1)
    if not np.all(pieces["lower"][piece] <= met):
        sys.exit("a sample lies below what is proved")
    chart = Chart(880, 380, "How near the Puma comes to anything on its way through the window",
                  f"models/paths/puma_window.csv; more than {np.floor(1e4 * pieces['lower'].min()) / 10:.1f} mm at every instant")
    x, y = Scale(motion.begin, motion.end, 80, 850, linear=True), Scale(0, 40, 315, 80, linear=True)
    chart.axes(x, y, range(int(motion.end) + 1), range(0, 41, 10), "segments of the path", "distance [mm]")
    proved = [(x(t), y(1000 * p["lower"])) for p in pieces for t in (p["begin"], p["end"])]
    chart.area(proved + [(x.high, y.low), (x.low, y.low)], "fourth")
    chart.line(proved, "fourth")
    chart.line([(x(t), y(1000 * d)) for t, d in zip(times, met)], "first")
    for t, d in zip(coarse, samples):
        chart.mark(x(t), y(1000 * d), "second")
    chart.text(x(4.5), y(34), "distance, sampled densely", "first", "middle")
    chart.text(x(coarse[5]) + 10, y(1000 * samples[5]) - 14, "what nine samples see", "second")
    chart.text(x(7), y(13), "proved for every instant", "fourth", "middle")
    return chart.svg()


def intervals_that_cover():
    """One corner on one turning joint passes a wall: what few evaluations prove of the whole way, by the inequality of docs/proof.md."""
    radius, wall, begin, turn = 0.6, 0.65, -1.1, 2.0  # m, m, rad, rad in all
    gap = lambda t: wall - radius * np.cos(begin + turn * t)
    rate = lambda t: radius * turn * np.sin(begin + turn * t)  # of the gap; the corner comes nearer at -rate
    bound = radius * turn**2  # B_2: no point of the body is accelerated more

    def proved(t, s):
        return gap(t) + s * rate(t) - s**2 / 2 * bound

    def reach(t):
        root = np.sqrt(rate(t) ** 2 + 2 * bound * gap(t))
        return t + (rate(t) - root) / bound, t + (rate(t) + root) / bound

    instants = [0.0]
    while reach(instants[-1])[1] < 1:  # the latest one whose interval begins a little before the last one ends
        end = reach(instants[-1])[1] - 0.02
        instants.append(max(t for t in np.linspace(end, 1, 1001) if reach(t)[0] <= end))
    chart = Chart(880, 400, "A corner turns past a wall: what is proved from a few instants",
                  f"{len(instants)} evaluations prove all of [0, 1]; the corner turns by {turn:g} rad, {radius:g} m from its joint")
    x, y = Scale(0, 1, 80, 850, linear=True), Scale(0, 400, 300, 80, linear=True)
    chart.axes(x, y, (0, 0.25, 0.5, 0.75, 1), range(0, 401, 100), "t, the way from begin to end", "gap [mm]")
    for k, instant in enumerate(instants):
        a, b = np.clip(reach(instant), 0, 1)
        times = np.linspace(a, b, 60)
        below = [(x(t), y(max(0.0, 1000 * proved(instant, t - instant)))) for t in times]
        if not np.all(proved(instant, times - instant) <= gap(times) + 1e-12):
            sys.exit("a parabola lies above the gap")
        chart.area([*below, (x(b), y.low), (x(a), y.low)], "fourth")
        chart.line(below, "fourth")
        chart.line([(x(a), 352 + 9 * (k % 2)), (x(b), 352 + 9 * (k % 2))], "fourth")
    times = np.linspace(0, 1, 200)
    chart.line([(x(t), y(1000 * gap(t))) for t in times], "first")
    for instant in instants:
        chart.mark(x(instant), y(1000 * gap(instant)), "second")
    chart.text(x(0.1), y(320), "the gap", "first")
    chart.text(x(0.5), y(150), "evaluated here: gap and velocity", "second", "middle")
    chart.text(x(0.03), y(60), "proved: at least this", "fourth")
    chart.text(80, 384, "the intervals proved cover the whole way", "fourth")
    return chart.svg()


if __name__ == "__main__":
    drawn = {"distance": distance_over_time(), "intervals": intervals_that_cover()}
    if "--check" not in sys.argv:
        for name, picture in drawn.items():
            (ROOT / f"docs/{name}.svg").write_text(picture, encoding="utf-8")
