"""Campaigns without a cluster: contents of shards, rejected input, and reports."""

import collections
import csv
import json
import random
import shutil
import subprocess
import sys

import campaign_world
import numpy as np
import pytest
from campaign_world import rewritten

import planner_ccd
from planner_ccd.campaign import config, motions, shards, work
from planner_ccd.campaign.__main__ import main


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """Campaign file, its plan, and the folder where it is run and merged."""
    folder = tmp_path_factory.mktemp("campaign")
    file = campaign_world.write(folder)
    assert main(["run", str(file), "--out", str(folder / "out")]) == 0
    assert main(["merge", str(file), "--out", str(folder / "out")]) == 0
    return file, shards.Plan(config.load(file)), folder / "out"


@pytest.fixture
def copy(done, tmp_path):
    """A copy that may be damaged."""
    file, plan, out = done
    shutil.copytree(out, tmp_path / "out")
    (tmp_path / "out/merged.npz").unlink()
    return file, plan, tmp_path / "out"


def act(action, file, out, *more):
    return main([action, str(file), "--out", str(out), *more])


def names(plan):
    return [plan.name(i) for i in range(plan.shards)]


def test_the_verdicts_are_those_of_check_edges(done, robot, scene):
    _, plan, out = done
    columns = np.load(out / "merged.npz")
    head = json.loads(columns["campaign.json"])
    assert head["shards"] == names(plan) and len(columns["verdict"]) == plan.edges == 4100
    calm = motions.Drawn(plan.campaign.runs[0].motions[0][1], robot.load_path(campaign_world.ROOT / "models/paths/puma_window.csv"))
    wild = motions.Drawn(plan.campaign.runs[0].motions[1][1], robot.load_path(campaign_world.ROOT / "models/paths/puma_fender.csv"))
    parts = [calm.rows(0, 2100), wild.rows(0, 1900)]
    starts, ends = (np.concatenate([p[i] for p in parts]) for i in (0, 1))
    checker = planner_ccd.PathChecker(robot, scene, cell_evaluations=0)
    results = checker.check_edges(starts, ends, first_contact=True)
    assert np.array_equal(columns["verdict"][:4000] == shards.FREE, results.free) and 200 < (~results.free).sum() < 1800
    told = {int(e): i for i, e in enumerate(columns["index"]) if e < 4000}
    assert sorted(told) == list(np.flatnonzero(~results.free))
    for edge, i in told.items():
        contact = results[edge].contact
        assert columns["t_free"][i] == results[edge].t_free and columns["t"][i] == contact.t
        assert (head["names"][columns["a"][i]], head["names"][columns["b"][i]]) == (contact.a, contact.b)


def test_a_perturbed_world_is_the_one_described(done, robot, fender):
    _, plan, out = done
    spec = plan.campaign.runs[1].spec["perturbation"]
    columns = np.load(out / "merged.npz")
    turned = 0
    for sample in range(20):
        scene = planner_ccd.Scene.load(campaign_world.ROOT / "models/scenes/puma_car.yaml", robot)
        u = 2.0 * motions.uniform(3, "object car", sample, 6) - 1.0
        w = 0.01 * u[3:]
        skew = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        turn = np.linalg.inv(np.eye(3) - skew) @ (np.eye(3) + skew)  # Cayley: the same rotation by another way
        pose = np.array(spec["objects"][0]["pose"])
        assert np.allclose(pose, [[0, -1, 0, 1.27], [1, 0, 0, -0.2], [0, 0, 1, -0.4], [0, 0, 0, 1]], atol=1e-6)
        pose[:3, :3] = turn @ pose[:3, :3]
        pose[:3, 3] += u[:3] * [0.02, 0.02, 0.0]
        scene.move("car", pose)
        offset = np.zeros(6)
        offset[1] = 0.002 * (2.0 * motions.uniform(3, "joints", sample, 6)[1] - 1.0)
        checker = planner_ccd.PathChecker(robot, scene, cell_evaluations=0)
        results = checker.check_edges(fender[:-1] + offset, fender[1:] + offset, first_contact=True)
        first = 4000 + 5 * sample
        assert np.array_equal(columns["verdict"][first : first + 5] == shards.FREE, results.free)
        for row in np.flatnonzero((columns["index"] >= first) & (columns["index"] < first + 5)):
            edge = int(columns["index"][row]) - first
            assert abs(columns["t"][row] - results[edge].contact.t) < 1e-6
            turned += edge == 3 and abs(columns["t"][row] - 0.573) > 1e-3
    assert turned > 5, "the objects have hardly moved"


def test_the_same_shard_has_the_same_bytes_however_it_is_done(done, tmp_path):
    file, plan, out = done
    for part in (2, 0, 1):
        assert act("run", file, tmp_path, "--threads", "1", "--shard", f"{part}/3") == 0
    for name in names(plan):
        assert (tmp_path / f"shards/{name}.npz").read_bytes() == (out / f"shards/{name}.npz").read_bytes()
    assert act("merge", file, tmp_path) == 0
    assert (tmp_path / "merged.npz").read_bytes() == (out / "merged.npz").read_bytes()
    with pytest.raises(SystemExit):
        act("run", file, tmp_path, "--shard", "3/3")


def test_free_edges_cost_next_to_nothing(done):
    _, plan, out = done
    for name in names(plan)[:3]:
        size = (out / f"shards/{name}.npz").stat().st_size
        assert size < 700 + 4096, "one byte an edge, and the description"


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


_SPOILS = [
    lambda data: data[: len(data) // 2],
    lambda data: data[:-1],
    lambda data: b"",
    lambda data: flipped(data, 60),
    lambda data: flipped(data, len(data) // 2),
    lambda data: rewritten(data, "verdict", lambda v: np.where(v == 2, 1, v).astype("u1")),
    lambda data: rewritten(data, "verdict", lambda v: np.zeros_like(v)),
    lambda data: rewritten(data, "verdict", lambda v: v[:-1]),
    lambda data: rewritten(data, "t", lambda t: t / 2),
    lambda data: rewritten(data, "index", lambda i: i.astype("<i8")),
]


def test_a_damaged_shard_is_refused_and_done_again_alone(copy, done, capsys):
    file, plan, out = copy
    name = names(plan)[4]
    path = out / f"shards/{name}.npz"
    sound = path.read_bytes()
    shards.decode(sound, name)
    for spoil in _SPOILS:
        with pytest.raises(shards.DamagedShard):
            shards.decode(spoil(sound), name)
    path.write_bytes(_SPOILS[5](sound))
    assert act("merge", file, out) == 2 and not (out / "merged.npz").exists()
    assert "shard 4 is damaged: it has been changed" in capsys.readouterr().err
    times = {p.name: p.stat().st_mtime_ns for p in (out / "shards").iterdir()}
    assert act("run", file, out) == 0
    again = {p.name for p in (out / "shards").iterdir() if times[p.name] != p.stat().st_mtime_ns}
    assert again == {path.name}
    assert act("merge", file, out) == 0
    assert (out / "merged.npz").read_bytes() == (done[2] / "merged.npz").read_bytes()


def test_no_damaged_shard_is_read_as_another(done):
    _, plan, out = done
    draw, accepted, tries = random.Random(26), 0, 0
    for name in names(plan)[:2]:
        sound = (out / f"shards/{name}.npz").read_bytes()
        head, columns = shards.decode(sound, name)
        for _ in range(2500):
            i, k = sorted(draw.sample(range(len(sound)), 2))
            kind = draw.randrange(5)
            bad = (sound[:i] + bytes([sound[i] ^ 1 << draw.randrange(8)]) + sound[i + 1:], sound[:i] + sound[k:], sound[:k] + sound[i:],
                   sound[:i] + sound[i:k][::-1] + sound[k:], sound[:k])[kind]
            tries += bad != sound
            try:
                other, numbers = shards.decode(bad, name)
            except shards.DamagedShard:
                continue
            accepted += bad != sound  # a date of the archive, say
            assert other == head and all(np.array_equal(numbers[c], columns[c], equal_nan=c != "verdict") for c in columns)
    assert tries > 4900 and accepted < 0.1 * tries


def test_a_shard_of_another_version_is_not_run(done):
    _, plan, _ = done
    for what in ("version", "format", "proof"):
        with pytest.raises(planner_ccd.InputError, match=f"whose {what} is 9; here it is"):
            work.run_shard({**plan.spec(0), what: 9}, None)
        spec = plan.spec(0)
        del spec[what]
        with pytest.raises(planner_ccd.InputError, match=f"whose {what} is None"):
            work.run_shard(spec, None)


def test_a_verdict_that_nobody_gave_is_never_written(done):
    _, plan, out = done
    head, columns = shards.Store(out).read(names(plan)[0])
    columns = {**columns, "verdict": columns["verdict"].copy()}
    columns["verdict"][5] = 0
    with pytest.raises(shards.DamagedShard, match="nobody checked"):
        shards.encode(head["spec"], columns, head["names"])


def test_gaps_and_shards_of_others_are_refused(copy, capsys):
    file, plan, out = copy
    paths = [out / f"shards/{name}.npz" for name in names(plan)]
    paths[1].rename(out / "kept")
    assert act("merge", file, out) == 3 and "missing: 1" in capsys.readouterr().err
    assert act("status", file, out) == 3 and "5 of 6 shards are done" in capsys.readouterr().out
    shutil.copy(paths[2], paths[1])  # replaces another one: an overlap
    assert act("merge", file, out) == 2 and "shard 1 is damaged: it is of other inputs" in capsys.readouterr().err
    (out / "kept").replace(paths[1])
    other = campaign_world.write(out, lambda data: data["options"].update(margin=0.01))
    assert act("run", other, out, "--shard", "0/6") == 0
    assert act("merge", file, out) == 2 and "of other inputs; move it away" in capsys.readouterr().err
    assert not (out / "merged.npz").exists()


_ON_A_SMALL_DISK = """
import resource, sys
from planner_ccd.campaign import __main__, shards
write, limit = shards.Store.write, int(sys.argv[1])
def limited(*arguments):  # the inputs have been unpacked by now
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    write(*arguments)
shards.Store.write = limited
sys.exit(__main__.main(sys.argv[2:]))
"""


def test_a_full_disk_ends_the_run_and_leaves_nothing_half_written(done, tmp_path):
    file, plan, out = done
    sizes = {name: (out / f"shards/{name}.npz").stat().st_size for name in names(plan)}
    limit = min(sizes.values()) + 1
    command = [sys.executable, "-c", _ON_A_SMALL_DISK, str(limit), "run", str(file), "--out", str(tmp_path)]
    ended = subprocess.run(command, stderr=subprocess.PIPE)
    assert ended.returncode == 3 and b"File too large" in ended.stderr
    left = {p.name for p in (tmp_path / "shards").iterdir()}
    first_too_large = next(i for i, name in enumerate(names(plan)) if sizes[name] > limit)
    assert 0 < first_too_large < len(sizes)
    assert left == {name + ".npz" for name in names(plan)[:first_too_large]}
    assert act("run", file, tmp_path) == 0 and act("merge", file, tmp_path) == 0
    assert (tmp_path / "merged.npz").read_bytes() == (out / "merged.npz").read_bytes()


def test_certificates_prove_the_free_edges(tmp_path, root, capsys):
    """With --certificate each shard has its proofs, which both verifiers accept; merge has one index, and refuses what is missing or changed."""
    def small(data):
        data["motions"]["calm"]["random"]["edges"] = 300
        data["motions"]["wild"]["random"]["edges"] = 60
        data["perturbations"]["moved"]["samples"] = 2
        data["chunk"] = 200

    file, out = campaign_world.write(tmp_path, small), tmp_path / "out"

    def act(action, *words):
        return main([action, str(file), "--out", str(out), *words])

    assert act("run") == 0 and act("merge", "--certificate") == 3
    assert "has no certificates" in capsys.readouterr().err
    before = {p.name: p.read_bytes() for p in (out / "shards").iterdir()}
    assert act("run", "--certificate") == 0 and act("merge", "--certificate") == 0
    assert {p.name: p.read_bytes() for p in (out / "shards").iterdir()} == before
    told = json.loads((out / "certificates.json").read_text())
    verdict = np.load(out / "merged.npz")["verdict"]
    numbers = [s["first"] + n for s in told["shards"] for f in s["files"] for n in f["edges"]]
    free = set(np.flatnonzero(verdict == shards.FREE))
    assert set(numbers) <= free and len(numbers) == told["proved"] == len(free) - told["without"] and told["proved"] > 0.9 * len(free)
    files = sorted((out / "certificates").glob("*/*.pccd"))
    assert len(files) == sum(len(s["files"]) for s in told["shards"])
    assert all(planner_ccd.verify(f).verified for f in files)
    assert subprocess.run([sys.executable, root / "planner_ccd/certificate/verify.py", "--sample", "50", files[0]]).returncode == 3  # every leaf that was computed holds
    stamps = {f: f.stat().st_mtime_ns for f in files}
    assert act("run", "--certificate") == 0 and {f: f.stat().st_mtime_ns for f in files} == stamps, "what is done is not done again"
    data = files[0].read_bytes()
    files[0].write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert act("merge", "--certificate") == 2 and "has been changed" in capsys.readouterr().err
    assert act("run", "--certificate") == 0 and files[0].read_bytes() == data, "done again, to the same bytes"
    campaign_world.write(tmp_path, lambda data: data["options"].update(angles="wrap"))
    assert act("run", "--certificate") == 2 and "literal angles" in capsys.readouterr().err


def test_the_report_names_all_that_is_not_proved_free(copy):
    file, plan, out = copy
    assert act("report", file, out) == 1
    told = json.loads((out / "report.json").read_text())
    columns = np.load(out / f"shards/{names(plan)[0]}.npz")
    rows = list(csv.DictReader((out / "not_free.csv").open()))
    counts = told["verdicts"]
    assert told["verdict"] == "contact" and told["not looked at"] == 0 and sum(counts.values()) == 4100
    assert len(rows) == counts["contact"] + counts["undecided"] == 4100 - counts["free"]
    assert {"gripper", "car"} == {told["pairs"][0]["a"], told["pairs"][0]["b"]} and len(columns["verdict"]) == 700
    shaken = told["runs"][1]
    per_sample = collections.Counter(int(row["sample"]) for row in rows if row["run"] == "shaken")
    assert shaken["samples not free"] == len(per_sample) > 10
    assert shaken["worst samples"][0] == {"sample": min(s for s in per_sample if per_sample[s] == max(per_sample.values())),
                                          "edges not free": max(per_sample.values())}
    for row in rows:
        if row["run"] == "shaken":
            assert int(row["edge"]) == 4000 + 5 * int(row["sample"]) + int(row["number"]) and row["motion"] == "fender"
    assert any("base_link - shoulder" in line for line in told["assumptions"]["shaken"])
    page = (out / "report.html").read_text()
    assert "<h2 class=contact>" in page and "Worst perturbations" in page and "Time per shard" in page


def only_calm(data):
    data["runs"] = [{"name": "calm", "robot": "puma", "scene": "car", "motions": ["calm"]}]


def test_undecided_and_missing_are_not_free(tmp_path):
    file = campaign_world.write(tmp_path, only_calm)
    assert act("run", file, tmp_path / "out") == 0
    assert act("report", file, tmp_path / "out") == 0
    shard = next((tmp_path / "out/shards").iterdir())
    shard.unlink()
    assert act("report", file, tmp_path / "out") == 3
    told = json.loads((tmp_path / "out/report.json").read_text())
    assert told["verdict"] == "incomplete" and told["not looked at"] == 700 and told["missing"] == ["missing: " + told["shards"]["missing"]]

    def stingy(data):
        only_calm(data)
        data["options"]["max_evaluations"] = 1

    file = campaign_world.write(tmp_path, stingy)
    assert act("run", file, tmp_path / "stingy") == 0
    assert act("report", file, tmp_path / "stingy") == 3
    told = json.loads((tmp_path / "stingy/report.json").read_text())
    assert told["verdict"] == "undecided" and told["verdicts"]["undecided"] > 0 and told["not free"][0]["t"] == ""
