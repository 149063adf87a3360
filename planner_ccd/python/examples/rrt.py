"""A path planner in twenty lines, around the project's own Puma and car: every edge of the path is proved free.

Run in the root of planner_ccd:  python3 planner_ccd/python/examples/rrt.py [PATH.csv]
"""

import pathlib
import sys

import numpy as np

import planner_ccd

root = pathlib.Path(__file__).resolve().parents[3]


def rrt(checker, robot, start, goal, seed=0, step=0.5, most=5000):
    """RRT-Connect: waypoints in rows from start to goal, or None."""
    random = np.random.default_rng(seed)
    trees = [{tuple(start): None}, {tuple(goal): None}]  # every configuration with its parent

    def extend(tree, target):
        near = min(tree, key=lambda q: np.linalg.norm(np.subtract(q, target)))
        way = np.subtract(target, near)
        length = np.linalg.norm(way)
        new = tuple(target if length <= step else near + way * (step / length))
        if not checker.is_free(near, new):
            return None
        tree.setdefault(new, near)
        return new

    def branch(tree, q):
        return [] if q is None else [q] + branch(tree, tree[q])

    for turn in range(most):
        one, other = trees[turn % 2], trees[1 - turn % 2]
        new = extend(one, random.uniform(robot.lower, robot.upper))
        while new and (met := extend(other, new)):
            if met == new:
                return np.array(branch(trees[0], new)[::-1] + branch(trees[1], new)[1:])
    return None


def main():
    robot = planner_ccd.Robot(root / "urdf/puma.urdf", root / "urdf/puma.srdf")
    scene = planner_ccd.Scene.load(root / "models/scenes/puma_car.yaml", robot)
    checker = planner_ccd.PathChecker(robot, scene)
    window = robot.load_path(root / "models/paths/puma_window.csv")
    path = rrt(checker, robot, window[0], window[len(window) // 2])
    assert path is not None, "no path was found"
    result = checker.check_path(path)
    print(f"{len(path)} waypoints; {result}")
    assert result.free
    if len(sys.argv) > 1:
        robot.save_path(sys.argv[1], path)


if __name__ == "__main__":
    main()
