"""The pictures of the documentation, drawn with the module itself. --check draws without writing: is what they show still true?"""

import pathlib
import sys

import numpy as np

import planner_ccd

ROOT = pathlib.Path(__file__).resolve().parents[1]
WIDTH, HEIGHT, LEFT, BOTTOM = 860, 330, 60, 40


def distance_over_time():
    """Sampled distances of the Puma's way through the car's window, and what is proved between the samples."""
    robot = planner_ccd.Robot(ROOT / "urdf/puma.urdf", ROOT / "urdf/puma.srdf")
    scene = planner_ccd.Scene.load(ROOT / "models/scenes/puma_car.yaml", robot)
    checker = planner_ccd.PathChecker(robot, scene)
    motion = planner_ccd.Trajectory(robot, robot.load_path(ROOT / "models/paths/puma_window.csv"))
    pieces = checker.check_trajectory(motion, clearance_accuracy=1e-3, profile_step=motion.duration / 40).profile
    times = np.linspace(motion.begin, motion.end, 600)
    met = checker.clearance(motion.at(times)).upper
    coarse = np.linspace(motion.begin, motion.end, 9)
    samples = checker.clearance(motion.at(coarse)).upper
    piece = np.clip(np.searchsorted(pieces["end"], times), 0, len(pieces) - 1)
    if not np.all(pieces["lower"][piece] <= met):
        sys.exit("a sample lies below what is proved")
    top = 1.1 * met.max()

    def place(t, d):
        x = LEFT + (WIDTH - LEFT - 15) * (t - motion.begin) / motion.duration
        return f"{x:.1f},{HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 15) * d / top:.1f}"

    proved = " ".join(place(t, p["lower"]) for p in pieces for t in (p["begin"], p["end"]))
    floor = f"{place(motion.end, 0)} {place(motion.begin, 0)}"
    curve = " ".join(place(t, d) for t, d in zip(times, met))
    dots = "".join('<circle cx="{}" cy="{}" r="4" fill="#d9480f"/>'.format(*place(t, d).split(",")) for t, d in zip(coarse, samples))
    marks = "".join(text(*place(motion.begin, d).split(","), f"{1000 * d:.0f}", "end", -8, 4) for d in np.linspace(0, top / 1.1, 5))
    return svg(f'<polygon points="{proved} {floor}" fill="#2b8a3e" fill-opacity="0.25"/>'
               f'<polyline points="{proved}" fill="none" stroke="#2b8a3e" stroke-width="1.5"/>'
               f'<polyline points="{curve}" fill="none" stroke="#1971c2" stroke-width="1.5"/>{dots}{marks}'
               + text(WIDTH / 2, HEIGHT - 8, "along the path") + text(LEFT - 44, 14, "mm", "start"))


def text(x, y, words, anchor="middle", dx=0, dy=0):
    return f'<text x="{float(x) + dx:.1f}" y="{float(y) + dy:.1f}" text-anchor="{anchor}">{words}</text>'


def svg(inside):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13" fill="#868e96">'
            f"{inside}</svg>\n")


if __name__ == "__main__":
    drawn = distance_over_time()
    if "--check" not in sys.argv:
        (ROOT / "docs/distance.svg").write_text(drawn, encoding="utf-8")
