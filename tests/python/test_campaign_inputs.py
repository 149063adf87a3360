"""Inputs of campaigns: motions, perturbations and files, by content."""

import hashlib
import shutil

import campaign_world
import numpy as np
import pytest
import yaml

import planner_ccd
from planner_ccd.campaign import config, motions, shards
from planner_ccd.campaign.__main__ import main


def act(action, file, out):
    return main([action, str(file), "--out", str(out)])


def names(plan):
    return [plan.name(i) for i in range(plan.shards)]


def test_a_name_changes_with_everything_that_counts(tmp_path, monkeypatch):
    def names_after(change):
        return names(shards.Plan(config.load(campaign_world.write(tmp_path, change))))

    for file in (campaign_world.ROOT / "models/scenes/puma_car.yaml", campaign_world.ROOT / "urdf/puma.urdf"):
        text = file.read_text().replace("../", str(file.parent.parent) + "/")
        (tmp_path / file.name).write_text(text)
    (tmp_path / "car.glb").write_bytes((campaign_world.ROOT / "models/meshes/car/car.glb").read_bytes())

    def with_copies(data):
        data["robots"]["puma"]["urdf"] = str(tmp_path / "puma.urdf")
        data["scenes"]["car"] = str(tmp_path / "puma_car.yaml")

    before = names_after(lambda data: None)
    assert len(set(before)) == 6 and before == names_after(lambda data: data.update(campaign="renamed"))
    after = names_after(lambda data: data["options"].update(margin=0.001))
    assert not set(before) & set(after)
    assert not set(before) & set(names_after(lambda data: data["options"].update(tolerance=1e-5)))
    seed = names_after(lambda data: data["motions"]["wild"]["random"].update(seed=9))
    assert seed[:3] == before[:3] and not set(seed[3:]) & set(before[3:]), "what does not depend on it stays done"
    longer = names_after(lambda data: data["perturbations"]["moved"].update(samples=21))
    assert longer[:5] == before[:5]
    copied = names_after(with_copies)
    scene = yaml.safe_load((tmp_path / "puma_car.yaml").read_text())
    scene["objects"][0]["mesh"] = str(tmp_path / "car.glb")
    (tmp_path / "puma_car.yaml").write_text(yaml.safe_dump(scene))
    meshed = names_after(with_copies)
    data = bytearray((tmp_path / "car.glb").read_bytes())
    at = data.index(b'"generator"') if b'"generator"' in data else len(data) - 8
    data[at + 14] ^= 1
    (tmp_path / "car.glb").write_bytes(data)
    assert not set(meshed) & set(names_after(with_copies)), "a mesh has changed by one bit"
    assert len(copied) == len(meshed) == 6
    for what in ("version", "format", "proof"):
        with monkeypatch.context() as another:
            another.setitem(shards.VERSIONS, what, "9.9.9")
            assert not set(before) & set(names_after(lambda data: None)), what


def test_roadmaps_arrays_and_measured_worlds(tmp_path, robot, fender):
    np.save(tmp_path / "vertices.npy", fender)
    np.save(tmp_path / "edges.npy", np.array([[0, 1], [2, 3], [3, 4], [1, 0]]))
    np.save(tmp_path / "rows.npy", np.stack([fender[:-1], fender[1:]], axis=1))
    poses = np.tile(np.eye(4), (3, 1, 1))
    poses[:, 0, 3] = [1.27, 5.0, 50.0]
    np.savez(tmp_path / "measured.npz", pose_car=poses, joint_offsets=np.array([np.zeros(6), np.full(6, 1e-3), np.zeros(6)]))

    def change(data):
        data["motions"] = {
            "roadmap": {"roadmap": {"vertices": str(tmp_path / "vertices.npy"), "edges": str(tmp_path / "edges.npy")}},
            "rows": {"edges": str(tmp_path / "rows.npy")},
        }
        data["perturbations"] = {"measured": {"measured": str(tmp_path / "measured.npz")}}
        data["runs"] = [{"name": "r", "robot": "puma", "scene": "car", "motions": ["roadmap", "rows"], "perturbation": "measured"}]
        data["chunk"] = 4

    file = campaign_world.write(tmp_path, change)
    out = tmp_path / "out"
    assert act("run", file, out) == 0 and act("merge", file, out) == 0
    verdicts = np.load(out / "merged.npz")["verdict"].reshape(3, 9)
    for sample in range(3):
        scene = planner_ccd.Scene.load(campaign_world.ROOT / "models/scenes/puma_car.yaml", robot)
        scene.move("car", poses[sample])
        offset = 1e-3 if sample == 1 else 0.0
        q = fender + offset
        checker = planner_ccd.PathChecker(robot, scene)
        starts, ends = [0, 2, 3, 1, 0, 1, 2, 3, 4], [1, 3, 4, 0, 1, 2, 3, 4, 5]
        assert np.array_equal(verdicts[sample] == shards.FREE, checker.check_edges(q[starts], q[ends]).free)
    assert len({tuple(v) for v in verdicts}) > 1, "the car's place must matter"


def test_large_arrays_are_read_where_they_lie_and_held_against_their_hashes(tmp_path, robot, fender, monkeypatch):
    monkeypatch.setattr(motions, "_SENT", 0)
    monkeypatch.setattr(motions, "BLOCK", 8)
    rows = np.repeat(np.stack([fender[:2], fender[1:3]], axis=1), 20, axis=0)
    np.save(tmp_path / "rows.npy", rows)

    def change(data):
        data["motions"] = {"rows": {"edges": str(tmp_path / "rows.npy")}}
        data["runs"] = [{"name": "r", "robot": "puma", "scene": "car", "motions": ["rows"]}]
        data["chunk"] = 5

    campaign = config.load(campaign_world.write(tmp_path, change))
    spec = campaign.runs[0].motions[0][1]
    assert list(campaign.bundle.places) == [spec["data"]]
    motion = motions.motion_of(spec, lambda n: campaign.bundle.places.get(n) or write_out(campaign, n, tmp_path))
    for first, count in ((0, 40), (3, 9), (39, 1), (8, 8)):
        starts, ends = motion.rows(first, count)
        assert np.array_equal(starts, rows[first : first + count, 0]) and np.array_equal(ends, rows[first : first + count, 1])
    rows[20, 1, 2] += 1e-9
    np.save(tmp_path / "rows.npy", rows)
    motion = motions.motion_of(spec, lambda n: campaign.bundle.places.get(n) or write_out(campaign, n, tmp_path))
    motion.rows(0, 8)
    with pytest.raises(planner_ccd.InputError, match="have changed since they were planned"):
        motion.rows(17, 2)


def write_out(campaign, name, folder):
    (folder / name).write_bytes(campaign.bundle.files[name])
    return folder / name


def test_drawn_edges_are_the_same_for_ever_and_in_any_pieces(robot):
    spec = {"kind": "random", "seed": 5, "edges": 10000, "length": 0.5, "lower": [-1.0, 0.0], "upper": [1.0, 2.0], "near": None, "spread": None}
    drawn = motions.Drawn(spec, None)
    starts, ends = drawn.rows(0, 10000)
    assert np.all(np.linalg.norm(ends - starts, axis=1) <= 0.5 + 1e-12) and np.all((starts >= [-1, 0]) & (ends <= [1, 2]))
    for first, count in ((0, 1), (4095, 2), (4096, 4096), (9999, 1), (123, 8000)):
        a, b = drawn.rows(first, count)
        assert np.array_equal(a, starts[first : first + count]) and np.array_equal(b, ends[first : first + count])
    digest = hashlib.sha256(np.ascontiguousarray([starts, ends]).tobytes()).hexdigest()
    assert digest[:16] == "1d72d3236e955db6"


@pytest.mark.parametrize("length", [None, 0.5, 3.0])
def test_edges_near_waypoints_are_those_of_the_rule(length):
    """Step by step in NumPy: uniform numbers, a waypoint, an offset, and an edge no longer than `length`; bit for bit."""
    near = np.random.default_rng(3).uniform(-2.0, 2.0, (6, 5))
    spec = {"seed": 9, "edges": 5000, "length": length, "lower": [-1.0] * 5, "upper": [1.0] * 5, "spread": 0.3}
    starts, ends = motions.Drawn(spec, near).rows(0, 4096)
    u = motions.uniform(9, "edges", 0, 4096 * 12).reshape(12, 4096)
    start, end = (u[5 * i : 5 * i + 5].T * 0.6 - 0.3 + near[(u[10 + i] * 6).astype(int)] for i in (0, 1))
    if length is not None:
        square = np.zeros(4096)
        for joint in range(5):
            square += (end - start)[:, joint] ** 2
        end = (end - start) * np.minimum(1.0, length / np.sqrt(square))[:, None] + start
        assert length > 1.0 or np.mean(np.sqrt(square) > length) > 0.3, "some are cut"
    assert np.array_equal(starts, start) and np.array_equal(ends, end)
    with pytest.raises(planner_ccd.InputError, match="do not fit together"):
        motions.Drawn(spec, near[:, :4]).rows(0, 10)


def test_columns_of_shards_are_those_of_the_results(checker, fender):
    starts, ends = np.repeat(fender[:-1], 3, axis=0), np.repeat(fender[1:], 3, axis=0)
    for evaluations in (1000000, 1):
        results = checker.check_edges(starts, ends, planner_ccd.EdgeOptions(max_evaluations=evaluations), first_contact=True)
        verdict, index, t_free, t, distance, a, b, there = results._shard_columns()
        assert np.array_equal(verdict == shards.FREE, results.free) and verdict.dtype == np.uint8
        assert np.array_equal(index, np.flatnonzero(~results.free)) and np.array_equal(t_free, results.t_free[index])
        contacts, rows = results.contacts, verdict[index] == shards.CONTACT
        contacts = contacts[results.verdict[contacts["edge"]] == planner_ccd.Verdict.CONTACT.value]
        assert np.array_equal(index[rows], contacts["edge"]) and len(set(there)) == len(there)
        assert np.array_equal(t[rows], contacts["t"]) and np.array_equal(distance[rows], contacts["distance"])
        assert [there[i] for i in a[rows]] == list(contacts["a"]) and [there[i] for i in b[rows]] == list(contacts["b"])
        assert np.isnan(t[~rows]).all() and np.isnan(distance[~rows]).all() and (a[~rows] == -1).all() and (b[~rows] == -1).all()
        assert rows.any() if evaluations > 1 else (verdict == shards.UNDECIDED).any()


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda d: d.update(chunks=5), "'chunks' is not known"),
        (lambda d: d.pop("runs"), "'runs' is missing"),
        (lambda d: d["options"].update(margin=-1), "options: margin: must be a number, 0 or more"),
        (lambda d: d["options"].update(angles="degrees"), "angles"),
        (lambda d: d["runs"][0].update(robot="kuka"), "there is no robot 'kuka'; there are: puma"),
        (lambda d: d["runs"][0].update(motions=["calm", "calm"]), "'calm' is named twice"),
        (lambda d: d["runs"].append(d["runs"][0]), "there is already a run 'drawn'"),
        (lambda d: d["motions"]["wild"]["random"].update(edges=0), "edges: must be a whole number, 1 or more"),
        (lambda d: d["motions"]["wild"]["random"].pop("near"), "'spread' needs 'near'"),
        (lambda d: d["motions"]["fender"].update(path="nowhere.csv"), "nowhere.csv"),
        (lambda d: d["scenes"].update(car="nowhere.yaml"), "nowhere.yaml: No such file"),
        (lambda d: d["perturbations"]["moved"]["objects"].update(cat={"xyz": [0, 0, 1]}), "objects: cat: no such object stands"),
        (lambda d: d["perturbations"]["moved"]["joints"].update(joint9=1.0), "the robot has no joint 'joint9'"),
    ],
)
def test_what_is_wrong_with_a_campaign_is_said(tmp_path, change, message, capsys):
    file = campaign_world.write(tmp_path, change)
    assert main(["plan", str(file)]) == 2
    assert message in capsys.readouterr().err


def test_documents_cannot_name_files_that_are_not_hashed(tmp_path, capsys):
    outside = tmp_path / "outside.stl"
    shutil.copy(campaign_world.ROOT / "models/meshes/puma/gripper.stl", outside)
    link = '<link name="{}"><collision><geometry><mesh {}/></geometry></collision></link>'
    robot = "<robot name='r'>" + link.format("a", f'filename="{outside}"') + "</robot>"
    (tmp_path / "r.urdf").write_text(robot)
    bundle = config.Bundle()
    text = bundle.files[bundle.add_urdf(tmp_path / "r.urdf", {})].decode()
    assert str(tmp_path) not in text and len(bundle.files) == 2
    (tmp_path / "r.urdf").write_text(robot.replace(" filename=", " scale='1 1 1' other='>' filename="))
    with pytest.raises(planner_ccd.InputError, match="was not recognised"):
        config.Bundle().add_urdf(tmp_path / "r.urdf", {})
    (tmp_path / "s.yaml").write_text("objects: [{name: a, mesh: /nowhere/a.stl}]")
    with pytest.raises(planner_ccd.InputError, match="s.yaml:1: /nowhere/a.stl: there is no such file"):
        config.Bundle().add_scene(tmp_path / "s.yaml", {})


def test_plan_tells_shards_time_and_inputs(tmp_path, capsys):
    assert main(["plan", str(campaign_world.write(tmp_path))]) == 0
    told = capsys.readouterr().out
    assert "4100 edges in 6 shards of 700" in told and "hours of one processor" in told and "car.glb" in told


def test_a_campaign_of_nothing_is_refused(tmp_path):
    """Every edge of a robot without collision geometry was free."""
    bare = tmp_path / "bare.urdf"
    bare.write_text("<robot name='bare'><link name='base'/><link name='arm'/><joint name='j' type='prismatic'><parent link='base'/>"
                    "<child link='arm'/><axis xyz='1 0 0'/><limit lower='0' upper='1' velocity='1' effort='1'/></joint></robot>")

    def without_geometry(data):
        data["robots"]["puma"] = {"urdf": str(bare)}
        data["motions"] = {"any": {"random": {"seed": 1, "edges": 10}}}
        data["runs"] = [{"name": "alone", "robot": "puma", "motions": ["any"]}]
        del data["scenes"], data["perturbations"]

    with pytest.raises(planner_ccd.InputError, match="no pair of bodies is left to check"):
        config.load(campaign_world.write(tmp_path, without_geometry))
