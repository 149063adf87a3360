"""The benchmark suite: its exact witnesses, its files and its scores (bench/suite)."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest
import yaml

SUITE = pathlib.Path(__file__).resolve().parents[2] / "bench/suite"
sys.path.insert(0, str(SUITE))
exact = pytest.importorskip("exact")
import adapters  # noqa: E402
import reader  # noqa: E402
import score  # noqa: E402


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    folder = tmp_path_factory.mktemp("suite")
    subprocess.run([sys.executable, str(SUITE / "generate.py"), str(folder), "4", "nested", "needles"], check=True)
    return folder


def world_of(folder, *poses):
    """Boxes of 2 m with their centres at these places."""
    objects = [{"name": f"box{i}", "box": {"size": [2, 2, 2]}, "pose": {"xyz": list(at), "rpy": rpy}} for i, (at, rpy) in enumerate(poses)]
    objects.append({"name": "small", "box": {"size": [0.1, 0.1, 0.1]}, "pose": {"xyz": [0.1, 0.2, 0.3], "rpy": [0.4, 0.5, 0.6]}})
    (folder / "scene.yaml").write_text(yaml.safe_dump({"objects": objects}))
    (folder / "robot.urdf").write_text("<robot name='none'><link name='base'/></robot>")
    return exact.World(folder / "robot.urdf", folder / "scene.yaml")


def test_sines_are_exact_beyond_doubles():
    for x in (0.0, 1e-9, 0.5, -1.57, 3.0, 62.8, -71.3):
        sine, cosine = exact._sin_cos(exact.fixed(x))
        assert abs(sine / float(exact._ONE) - np.sin(x)) < 1e-15 and abs(cosine / float(exact._ONE) - np.cos(x)) < 1e-15
        assert abs(exact._times(sine, sine) + exact._times(cosine, cosine) - exact._ONE) < 1 << 30


def test_what_is_certain_is_said_and_nothing_else(tmp_path):
    turned = [0.3, 0.2, 0.1]
    world = world_of(tmp_path, ((0, 0, 0), [0, 0, 0]), ((1.9, 0.1, 0.2), turned), ((5, 0, 0), turned), ((2, 0, 0), [0, 0, 0]))
    frames = world.frames([], [])
    assert world.meet("box0", "box1", frames) == "cross" == world.meet("box1", "box0", frames)
    assert world.meet("box0", "box2", frames) is None
    assert world.meet("box0", "box3", frames) is None, "faces that touch prove nothing"
    assert world.meet("box0", "small", frames) == "inside" == world.meet("small", "box0", frames)
    assert world.meet("box2", "small", frames) is None
    near = world_of(tmp_path, ((0, 0, 0), [0, 0, 0]), ((2.0 - 1e-12, 0.3, 0.2), [1e-3, 0, 0]), ((2.0 + 1e-12, 0.3, 0.2), [1e-3, 0, 0]))
    frames = near.frames([], [])
    assert near.meet("box0", "box1", frames) == "cross" and near.meet("box0", "box2", frames) is None


def test_poses_are_those_of_the_library(robot, root):
    """At random configurations, the nearest points that planner_ccd names lie on the bodies as exact.py places them."""
    import planner_ccd

    world = exact.World(root / "urdf/puma.urdf", root / "models/scenes/puma_car.yaml")
    scene = planner_ccd.Scene.load(root / "models/scenes/puma_car.yaml", robot)
    checker = planner_ccd.PathChecker(robot, scene)
    draws, seen = np.random.default_rng(1), 0
    while seen < 20:
        q = draws.uniform(robot.lower, robot.upper)
        near = checker.clearance(q)
        if near.lower == 0.0:
            continue
        seen += 1
        frames = world.frames(robot.joints, q)
        for name, point in ((near.a, near.point_a), (near.b, near.point_b)):
            corners = exact._floats(world.bodies[name], frames[name])[world.bodies[name].triangles]
            normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            heights = np.abs(((point - corners[:, 0]) * normals).sum(1)) / np.maximum(np.linalg.norm(normals, axis=1), 1e-30)
            inside = (point >= corners.min(1) - 1e-9) & (point <= corners.max(1) + 1e-9)
            assert heights[inside.all(1)].min() < 1e-9


def test_every_edge_has_its_truth_and_we_miss_none(suite):
    worlds, edges = reader.read(suite)
    kinds = {(e.kind, e.hit) for e in edges}
    assert {("nested", True), ("nested", False), ("needles", True), ("brief needles", True), ("grazing needles", False)} <= kinds
    assert any(e.inside for e in edges) and all(e.t_free == 1.0 for e in edges if not e.hit)
    for kind, row in score.score(adapters.ours(), worlds, edges).items():
        counts = dict(zip(score.COLUMNS, row))
        assert counts["missed"] == counts["late"] == counts["undecided"] == 0
        assert counts["false"] == 0 or kind.startswith("grazing")
    coarse = score.score(adapters.sampled(10.0), worlds, edges)
    assert dict(zip(score.COLUMNS, coarse["brief needles"]))["missed"] > 0


def test_scores_count_what_they_say(suite):
    _, edges = reader.read(suite)
    hits = sum(e.hit for e in edges)
    columns = score.COLUMNS[:-1]

    def judged(answer):
        return dict(zip(columns, score.judge(edges, [answer(e) for e in edges])))

    truth = judged(lambda e: ("hit", e.t_free) if e.hit else ("free", 1.0))
    assert truth == {"hit": hits, "missed": 0, "late": 0, "free": len(edges) - hits, "false": 0, "undecided": 0}
    assert judged(lambda e: ("free", 1.0))["missed"] == hits
    assert judged(lambda e: ("hit", 1.0))["late"] == sum(e.hit and e.t_hit < 1.0 for e in edges) > 0
    assert judged(lambda e: ("hit", None))["false"] == len(edges) - hits
    assert judged(lambda e: ("undecided", None))["undecided"] == len(edges)


def test_a_suite_that_was_changed_is_refused(suite, tmp_path):
    for file in suite.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    reader.read(tmp_path)
    text = (tmp_path / "edges.csv").read_text()
    (tmp_path / "edges.csv").write_text(text.replace(",hit,", ",free,", 1))
    with pytest.raises(ValueError, match="are not those of suite.json"):
        reader.read(tmp_path)
    (tmp_path / "edges.csv").write_text(text)
    (tmp_path / "needles.yaml").write_text("objects: []")
    with pytest.raises(ValueError, match="is not the file"):
        reader.read(tmp_path)
