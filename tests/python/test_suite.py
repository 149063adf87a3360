"""The benchmark suite: its exact witnesses, its files and its scores (bench/suite)."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest
import yaml

SUITE = pathlib.Path(__file__).resolve().parents[2] / "bench/suite"
sys.path.insert(0, str(SUITE))
exact = pytest.importorskip("exact")
import adapters  # noqa: E402
import generate  # noqa: E402
import reader  # noqa: E402
import recipes  # noqa: E402
import score  # noqa: E402


def make(folder):
    subprocess.run([sys.executable, str(SUITE / "generate.py"), str(folder), "12", "nested", "needles", "splines", "two robots", "tubes"], check=True)


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    folder = tmp_path_factory.mktemp("suite")
    make(folder)
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


def test_witnesses_are_contacts_of_the_library(tmp_path):
    """Of boxes here and there: whatever meets for certain is in contact, and what does not meet by 1e-6 m is never said to."""
    import planner_ccd

    draws, seen = np.random.default_rng(4), [0, 0]
    names = [f"box{k}" for k in range(4)]
    for _ in range(60):
        poses = [(draws.uniform(-2.0, 2.0, 3).round(6), [float(x) for x in draws.uniform(-3.0, 3.0, 3).round(6)]) for _ in names]
        world = world_of(tmp_path, *[([float(x) for x in at], rpy) for at, rpy in poses])
        frames = world.frames([], [], names)
        for a in range(len(names)):
            for b in range(a):
                how = world.meet(names[a], names[b], frames)
                scene = planner_ccd.Scene()
                scene.add_box("other", [2, 2, 2], pose_of(*poses[b]))
                robot = planner_ccd.Robot.from_string(robot_of(*poses[a]))
                contact = planner_ccd.PathChecker(robot, scene).in_contact([0.0], planner_ccd.EdgeOptions(tolerance=1e-9))
                assert how is None or contact, "a certain witness of no contact"
                assert how is not None or not contact, "boxes that overlap by chance do so for certain"
                seen[contact] += 1
    assert min(seen) > 60


def pose_of(at, rpy):
    """In the convention of URDFs."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    rotation = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ [[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]] @ [[1, 0, 0], [0, cr, -sr], [0, sr, cr]]
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = rotation, at
    return pose


def robot_of(at, rpy):
    place = f"<origin xyz='{at[0]} {at[1]} {at[2]}' rpy='{rpy[0]} {rpy[1]} {rpy[2]}'/>"
    box = f"<collision>{place}<geometry><box size='2 2 2'/></geometry></collision>"
    return ("<robot name='r'><link name='base'/><link name='body'>" + box + "</link><joint name='j' type='revolute'><parent link='base'/>"
            "<child link='body'/><axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>")


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
            (body,) = world.bodies[name]
            corners = exact._Placed(body, frames[name]).floats[body.triangles]
            normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            heights = np.abs(((point - corners[:, 0]) * normals).sum(1)) / np.maximum(np.linalg.norm(normals, axis=1), 1e-30)
            inside = (point >= corners.min(1) - 1e-9) & (point <= corners.max(1) + 1e-9)
            assert heights[inside.all(1)].min() < 1e-9


def test_every_edge_has_its_truth_and_we_miss_none(suite):
    worlds, edges = reader.read(suite)
    kinds = {(e.kind, e.hit) for e in edges}
    assert {("nested", True), ("nested", False), ("needles", True), ("brief needles", True), ("grazing needles", False)} <= kinds
    assert {(f"{kind}{name}", hit) for name in ("splines", "two robots") for kind, hit in (("", True), ("", False), ("brief ", True))} <= kinds
    assert {("tubes", True), ("tubes", False), ("brief tubes", True)} <= kinds
    assert {e.degree for e in edges} == {1, 2} and {len(w.joints) for w in worlds.values()} == {7, 14}
    assert any({n[:2] for n in e.bodies} == {"a_", "b_"} for e in edges if e.hit and e.world == "two robots"), "they meet each other"
    assert any(e.inside for e in edges) and all(e.t_free == 1.0 for e in edges if not e.hit)
    for kind, (row, _) in score.score(adapters.ours(), worlds, edges).items():
        counts = dict(zip(score.COLUMNS, row))
        assert counts["missed"] == counts["late"] == counts["undecided"] == 0
        assert counts["false"] == 0 or kind.startswith("grazing")
    coarse = score.score(adapters.sampled(10.0), worlds, edges)
    assert dict(zip(score.COLUMNS, coarse["brief needles"][0]))["missed"] > 0
    assert coarse["tubes"] is None, "sampling at the joint values themselves says nothing of others"
    (corners, _) = score.score(adapters.sampled(0.1, 4), worlds, [e for e in edges if e.world == "tubes"])["tubes"]
    assert corners[4] == 0, "no tube that is proved free has a corner in contact"


def test_hits_of_tubes_are_within_their_errors(suite):
    """At t_hit, and off by `offset`, the joints are where the bodies intersect; those called brief do not meet without errors."""
    worlds, edges = reader.read(suite)
    hits = [e for e in edges if e.world == "tubes" and e.hit]
    assert all((np.abs(e.offset) <= e.errors).all() for e in hits) and any(e.offset.any() for e in hits)
    world = exact.World(worlds["tubes"].urdf, worlds["tubes"].scene, worlds["tubes"].packages)
    for e in hits:
        frames = world.frames(worlds["tubes"].joints, e.at(e.t_hit) + e.offset, e.bodies)
        assert world.meet(*e.bodies, frames) == ("inside" if e.inside else "cross")
    only = [e for e in hits if world.meet(*e.bodies, world.frames(worlds["tubes"].joints, e.at(e.t_hit), e.bodies)) is None]
    assert only, "there are hits that the motion itself does not have at that time"
    row = next(line for line in (suite / "edges.csv").read_text().splitlines() if ",tubes," in line and ",hit," in line).split(",")
    names = generate.COLUMNS.split(",")
    row[names.index("offset")] = " ".join(["0x1p+0"] * 7)
    with pytest.raises(ValueError, match="off by more than they may"):
        reader.Edge(dict(zip(names, row)))


def test_a_run_goes_on_where_it_ended(suite, tmp_path):
    """Blocks that are there are read, others are made again to the same rows."""
    shutil.copytree(suite, tmp_path / "again")
    parts = sorted((tmp_path / "again").glob("parts/*/*/*.json"))
    assert len(parts) >= 4
    for part in (parts[0], parts[-1]):
        part.unlink()
    kept = {p: p.stat().st_mtime_ns for p in parts[1:-1]}
    make(tmp_path / "again")
    assert (tmp_path / "again/edges.csv").read_bytes() == (suite / "edges.csv").read_bytes()
    assert {p: p.stat().st_mtime_ns for p in kept} == kept and parts[0].exists() and parts[-1].exists()


def test_numbers_on_the_grid_are_not_rounded(suite):
    """q(t) of the reader, against fractions."""
    from fractions import Fraction

    _, edges = reader.read(suite)
    for e in edges:
        for t in (e.t_free, e.t_hit or 0.0):
            if e.kind.startswith("grazing") and t not in (0.0, 1.0):
                continue
            s, p = Fraction(t), [[Fraction(x) for x in row] for row in e.points]
            if e.degree == 1:
                exactly = [a + s * (b - a) for a, b in zip(*p)]
            else:
                exactly = [(1 - s) ** 2 * a + 2 * s * (1 - s) * b + s**2 * c for a, b, c in zip(*p)]
            assert [Fraction(x) for x in e.at(t)] == exactly
            assert np.array_equal(e.until(t).at(1.0), e.at(t)) and np.array_equal(e.until(t).points[0], e.points[0])


def test_fcl_and_ompl_answer(suite):
    if not pathlib.Path(os.environ.get("SUITE_PEERS", adapters.ROOT / "build/release/bin/suite_peers")).exists():
        pytest.skip("suite_peers is not built (preset bench): FCL and OMPL are NOT TESTED")
    worlds, edges = reader.read(suite)
    fine, coarse = (score.score(adapters.ADAPTERS[name], worlds, edges) for name in ("FCL sampled at 0.02", "FCL sampled at 0.1"))
    first = score.score(adapters.ADAPTERS["FCL sampled at 0.02, in order"], worlds, edges)
    for kind in fine:
        if kind.endswith("tubes"):
            assert fine[kind] is coarse[kind] is None
            continue
        told, less = (dict(zip(score.COLUMNS, rows[kind][0])) for rows in (fine, coarse))
        assert told["false"] == 0 and told["us an edge"] >= told["median"] / 3 > 0 and told["MB"] > 0
        assert told["missed"] <= less["missed"] and first[kind][0][1] == told["missed"], "the same states in another order"
    missed = [score.summary({k: row for k, row in rows.items() if row is not None})["brief"]["missed"] for rows in (coarse, fine)]
    assert missed[0] > missed[1] >= 0
    ompl = score.score(adapters.ADAPTERS["OMPL discrete at 0.02, states by FCL"], worlds, edges)
    assert ompl["splines"] is None and ompl["needles"][0][4] == 0
    continuous = score.score(adapters.ADAPTERS["FCL continuousCollide"], worlds, [e for e in edges if e.world == "needles"][:4])
    assert sum(row[0] + row[3] for row, _ in continuous.values()) == 4


def test_scores_count_what_they_say(suite):
    _, edges = reader.read(suite)
    hits = sum(e.hit for e in edges)

    def judged(answer):
        return dict(zip(score.COUNTS, score.judge(edges, [answer(e) for e in edges])))

    truth = judged(lambda e: ("hit", e.t_free) if e.hit else ("free", 1.0))
    assert truth == {"hit": hits, "missed": 0, "late": 0, "free": len(edges) - hits, "false": 0, "undecided": 0}
    assert judged(lambda e: ("free", 1.0))["missed"] == hits
    assert judged(lambda e: ("hit", 1.0))["late"] == sum(e.hit and e.t_hit < 1.0 for e in edges) > 0
    assert judged(lambda e: ("hit", None))["false"] == len(edges) - hits
    assert judged(lambda e: ("undecided", None))["undecided"] == len(edges)


def test_a_suite_that_was_changed_is_refused(suite, tmp_path):
    for file in (f for f in suite.iterdir() if f.is_file()):
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


def test_recipes_take_only_what_was_meant(tmp_path, monkeypatch):
    monkeypatch.setenv("PLANNER_CCD_DATA", str(tmp_path))
    source = tmp_path / "source"
    files = {"r.urdf": b"<robot name='r'><link name='l'/></robot>", "meshes/m.obj": b"v 0 0 0\n"}
    for name, data in files.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(data)
    recipe = {"source": source.as_uri() + "/", "files": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}}
    monkeypatch.setitem(recipes.RECIPES, "r", recipe)
    assert recipes.folder_of("r", tmp_path) is None
    recipes.fetch(tmp_path, "r")
    assert recipes.folder_of("r", tmp_path) == tmp_path / "recipes/r"
    (tmp_path / "recipes/r/r.urdf").write_bytes(b"another robot")
    assert recipes.folder_of("r", tmp_path) is None
    (source / "r.urdf").write_bytes(b"another robot")
    with pytest.raises(ValueError, match="another content than expected"):
        recipes.fetch(tmp_path, "r")


def test_robots_of_recipes_get_their_truth(tmp_path):
    if recipes.folder_of("panda", tmp_path) is None:
        pytest.skip("shared data is absent: the Panda of the suite is NOT TESTED")
    subprocess.run([sys.executable, str(SUITE / "generate.py"), str(tmp_path), "2", "panda"], check=True)
    worlds, edges = reader.read(tmp_path)
    assert {("panda", True), ("panda", False), ("brief panda", True)} <= {(e.kind, e.hit) for e in edges}
    for row, _ in score.score(adapters.ours(), worlds, edges).values():
        assert row[1] == row[2] == 0
