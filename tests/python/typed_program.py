"""A typed program that uses the stubs: checked by mypy --strict, never run."""

import numpy as np
from numpy.typing import NDArray

import planner_ccd
from planner_ccd import Contact, EdgeOptions, EdgeResult, EdgeResults, PathChecker, Robot, Scene, Trajectory, TrajectoryOptions, Verdict


def proved(checker: PathChecker, path: NDArray[np.float64]) -> bool:
    edges: EdgeResults = checker.check_edges(path[:-1], path[1:])
    one: EdgeResult = edges[0]
    some: EdgeResults = edges[1:]
    contact: Contact | None = one.contact
    where: float = contact.t if contact is not None else one.t_free
    return bool(edges.free.all()) and len(some) > 0 and where <= 1.0 and one.verdict is Verdict.FREE


def main() -> None:
    robot = Robot("urdf/puma.urdf", "urdf/puma.srdf")
    scene = Scene.load("models/scenes/puma_car.yaml", robot)
    scene.add_convex("wedge", [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    both = Robot.combine({"l_": robot, "r_": robot}, {"r_": np.eye(4)})
    checker = PathChecker(planner_ccd.PreparedRobot(robot), scene, margin=0.01)
    path: NDArray[np.float64] = robot.load_path("path.csv")
    report = checker.check_trajectory(Trajectory(both, path, times=[0.0, 1.0]), TrajectoryOptions(clearance_accuracy=1e-3))
    limit: float | None = checker.max_tracking_error(report.trajectory, TrajectoryOptions(edge=EdgeOptions(base_error=(0.01, 0.1)))).proved
    lines: list[str] = [f"{f.kind} of {f.joint or (f.contact.a if f.contact else '')}" for f in report.findings]
    low: NDArray[np.float64] = checker.clearance(path).lower
    scene.save("cell.yaml")
    parts: list[Trajectory] = list(planner_ccd.Log("run.mcap").motion(robot, topic="/joint_states"))
    made = checker.certify(parts[0], "run.pccd", inputs={"robot": "puma.urdf", "mesh": ["a.stl", "b.stl"]})
    links: list[str] = [link["name"] for link in robot.inspect()["links"]]
    print(limit, made.proved, links, scene.pose("wedge") @ np.eye(4))
    print(proved(checker, path), report.ok, lines, low, report.html(), planner_ccd.verify("run.pccd").verified)
