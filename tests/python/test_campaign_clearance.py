"""Least clearances of campaigns: what is found, that it does not depend on shards, and that nothing else changes."""

import io
import json
import zipfile

import campaign_world
import numpy as np
import pytest
from campaign_world import rewritten

import planner_ccd
from planner_ccd.campaign import clearances, config, shards, work
from planner_ccd.campaign.__main__ import main

ACCURACY = 0.001


def small(chunk=50, **options):
    def change(data):
        data["options"].update(options)
        data["chunk"] = chunk
        data["motions"]["calm"]["random"]["edges"] = 42
        data["motions"]["wild"]["random"]["edges"] = 40
        data["perturbations"]["moved"]["samples"] = 2

    return change


def act(action, file, out):
    return main([action, str(file), "--out", str(out)])


def finish(folder, **options):
    """A campaign that has been run, merged and reported: its file, plan, folder, and what the report says."""
    folder.mkdir(exist_ok=True)
    file = campaign_world.write(folder, small(**options))
    out = folder / "out"
    assert act("run", file, out) == 0 and act("merge", file, out) == 0 and act("report", file, out) == 1
    return file, shards.Plan(config.load(file)), out, json.loads((out / "report.json").read_text())


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    return finish(tmp_path_factory.mktemp("clearance") / "c", clearance=ACCURACY)


def asked(plan):
    """By run, sample and motion of the plan: (bounds, edge, report, start, end, checker) of each free edge, asked one by one."""
    inputs, edge, found = work.Inputs(plan.campaign.bundle), 0, {}
    for r, run in enumerate(plan.campaign.runs):
        for sample in range(run.samples):
            checker, offsets = inputs.checker({"name": run.name, **run.spec}, sample)
            for name, spec in run.motions:
                starts, ends = inputs.motion(spec).rows(0, spec["edges"])
                for start, end in zip(starts, ends):
                    start, end = (start, end) if offsets is None else (start + offsets, end + offsets)
                    if checker.check_edges([start], [end]).free[0]:
                        motion = planner_ccd.Trajectory(checker.robot, [start, end])
                        report = checker.check_trajectory(motion, planner_ccd.TrajectoryOptions(clearance_accuracy=ACCURACY))
                        told = (report.clearance[0].lower, report.clearance[0].upper), edge, report, start, end, checker
                        found.setdefault((r, sample, name), []).append(told)
                    edge += 1
    return found


def test_the_least_clearances_are_those_of_every_edge_asked_by_itself(done):
    _, plan, out, told = done
    assert plan.shards == 2 and plan.edges == 92
    found = asked(plan)
    assert set(found) == {(0, 0, "calm"), (0, 0, "wild"), (1, 0, "fender"), (1, 1, "fender")} and sum(map(len, found.values())) > 70
    page = (out / "report.html").read_text()
    for r, run in enumerate(told["runs"]):
        expected = sorted(min(edges, key=lambda e: e[:2]) + key[1:] for key, edges in found.items() if key[0] == r)
        assert len(run["least clearances"]) == len(expected) == 2
        for row, ((lower, upper), edge, report, _, _, _, sample, motion) in zip(run["least clearances"], expected):
            nearest = report.clearance[0]
            assert (row["edge"], row["sample"], row["motion"]) == (edge, sample, motion)
            assert (row["lower"], row["upper"], row["t"], row["a"], row["b"]) == (lower, upper, nearest.time, nearest.a, nearest.b)
            assert f"<td>{row['number']}<td>{row['edge']}<td>" in page
    assert told["runs"][1]["least clearances"][0]["lower"] != told["runs"][1]["least clearances"][1]["lower"], "samples differ"
    assert "<h3>Least clearances</h3>" in page and "Lower bound: proved" in page


def test_nothing_comes_nearer_than_the_lower_bound_and_something_as_near_as_the_upper(done):
    """Distances at single configurations have no code of motions in them."""
    _, plan, _, told = done
    looked = 0
    for (r, sample, motion), edges in asked(plan).items():
        row = next(x for x in told["runs"][r]["least clearances"] if (x["sample"], x["motion"]) == (sample, motion))
        for _, edge, _, start, end, checker in edges:
            q = start + np.linspace(0.0, 1.0, 33)[:, None] * (end - start)
            assert (checker.clearance(q).upper >= row["lower"]).all()
            looked += len(q)
            if edge == row["edge"]:
                assert checker.clearance(start + row["t"] * (end - start)).lower <= row["upper"] + 1e-9
                assert row["upper"] - row["lower"] <= ACCURACY * (1 + 1e-9)
    assert looked > 2000


def test_the_size_of_shards_changes_nothing(done, tmp_path):
    _, _, out, told = done
    least = [run["least clearances"] for run in told["runs"]]
    for chunk in (5, 1000):
        _, plan, other, again = finish(tmp_path / str(chunk), chunk=chunk, clearance=ACCURACY)
        assert plan.shards == -(-92 // chunk)
        assert [run["least clearances"] for run in again["runs"]] == least
    whole, merged = np.load(other / "merged.npz"), np.load(out / "merged.npz")
    assert [row["edge"] for rows in least for row in sorted(rows, key=lambda row: row["edge"])] == list(whole["near"])
    assert set(whole["near"]) <= set(merged["near"]), "one row a piece: cut finer, there are more"
    names = json.loads(whole["campaign.json"])["names"]
    for rows in least:
        for row in rows:
            i = list(whole["near"]).index(row["edge"])
            assert (whole["near_lower"][i], names[whole["near_a"][i]], names[whole["near_b"][i]]) == (row["lower"], row["a"], row["b"])


def test_of_equal_lower_bounds_the_edge_found_nearer_is_told(tmp_path):
    """With a coarse accuracy the lower bounds of most edges are 0."""
    told = []
    for chunk in (5, 1000):
        _, plan, _, report = finish(tmp_path / str(chunk), chunk=chunk, clearance=0.05)
        told.append([run["least clearances"] for run in report["runs"]])
    assert told[0] == told[1]
    inputs, run = work.Inputs(plan.campaign.bundle), plan.campaign.runs[0]
    checker, _ = inputs.checker({"name": run.name, **run.spec}, 0)
    starts, ends = inputs.motion(run.motions[0][1]).rows(0, 42)
    free = np.flatnonzero(checker.check_edges(starts, ends).free)
    bounds = [clearances.bounds(checker, checker.robot, starts[i], ends[i], run.spec["options"])[:2] for i in free]
    assert sum(lower == 0.0 for lower, _ in bounds) > 20
    row = next(row for row in told[0][0] if row["motion"] == "calm")
    assert row["lower"] == 0.0 and row["upper"] == min(upper for _, upper in bounds)


def test_threads_and_batches_do_not_change_the_bytes(done, monkeypatch):
    _, plan, out, _ = done
    inputs = work.Inputs(plan.campaign.bundle)
    for threads, batch in ((1, 65536), (3, 65536), (1, 10)):
        monkeypatch.setattr(work, "_BATCH", batch)
        for shard in range(2):
            data = work.run_shard(plan.spec(shard), inputs, threads=threads)[0]
            assert data == (out / f"shards/{plan.name(shard)}.npz").read_bytes()


def test_without_the_option_shards_are_what_they_were(done, tmp_path):
    _, asked_plan, asked_out, _ = done
    _, plan, out, told = finish(tmp_path / "plain")
    assert all("least clearances" not in run for run in told["runs"]) and "Least clearances" not in (out / "report.html").read_text()
    spec = plan.spec(0)
    assert set(spec["runs"][0]["options"]) == {"margin", "self_margin", "cell_evaluations", "first_contact", "tolerance", "max_evaluations",
                                               "angles", "method", "leaf"}
    bare = ["shard.json", "verdict.npy", "index.npy", "t_free.npy", "t.npy", "distance.npy", "a.npy", "b.npy"]
    for shard in range(2):
        data = (out / f"shards/{plan.name(shard)}.npz").read_bytes()
        assert zipfile.ZipFile(io.BytesIO(data)).namelist() == bare and plan.name(shard) != asked_plan.name(shard)
        head, columns = shards.decode(data, plan.name(shard))
        _, more = shards.decode((asked_out / f"shards/{asked_plan.name(shard)}.npz").read_bytes(), asked_plan.name(shard))
        for name in shards.COLUMNS:
            if name not in "ab":  # numbers of names, of which there are more
                assert np.array_equal(columns[name], more[name], equal_nan=name != "verdict"), name


def without(data, member):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            if name != member:
                new.writestr(name, old.read(name))
    return out.getvalue()


def test_a_changed_missing_or_additional_column_is_refused(done, tmp_path, capsys):
    file, plan, out, _ = done
    name = plan.name(0)
    sound = (out / f"shards/{name}.npz").read_bytes()
    shards.decode(sound, name)
    for column, change in (("near", lambda x: x + np.uint64(1)), ("near_lower", lambda x: x + 1e-9), ("near_upper", lambda x: x * 2),
                           ("near_t", lambda x: x / 2), ("near_a", lambda x: x[::-1] + np.int32(0)), ("near_b", lambda x: x * 0)):
        bad = rewritten(sound, column, change)
        with pytest.raises(shards.DamagedShard, match="has been changed"):
            shards.decode(bad, name)
        with pytest.raises(shards.DamagedShard, match="does not hold what a shard holds"):
            shards.decode(without(sound, column + ".npy"), name)
    _, bare_plan, bare_out, _ = finish(tmp_path / "plain")
    bare_name = bare_plan.name(0)
    bare = (bare_out / f"shards/{bare_name}.npz").read_bytes()
    with zipfile.ZipFile(bare_out / "more.npz", "w") as new, zipfile.ZipFile(io.BytesIO(bare)) as old:
        for member in old.namelist():
            new.writestr(member, old.read(member))
        new.writestr("near.npy", zipfile.ZipFile(io.BytesIO(sound)).read("near.npy"))
    with pytest.raises(shards.DamagedShard, match="does not hold what a shard holds"):
        shards.decode((bare_out / "more.npz").read_bytes(), bare_name)
    (out / f"shards/{name}.npz").write_bytes(rewritten(sound, "near_lower", lambda x: x + 1e-9))
    try:
        assert act("merge", file, out) == 2 and "shard 0 is damaged: it has been changed" in capsys.readouterr().err
        assert act("run", file, out) == 0 and (out / f"shards/{name}.npz").read_bytes() == sound, "done again, to the same bytes"
    finally:
        (out / f"shards/{name}.npz").write_bytes(sound)


def test_clearances_that_cannot_be_are_never_written(done):
    """With hashes that fit: what a faulty worker might send."""
    _, plan, out, _ = done
    head, columns = shards.Store(out).read(plan.name(1))
    shards.encode(head["spec"], columns, head["names"])
    not_free = columns["index"][:1]
    count = len(columns["near"])
    assert count == 3 and len(not_free) == 1  # wild, and two samples of fender
    spoils = [
        ("not one free edge", {name: columns[name][1:] for name in shards.NEAR}),
        ("not one free edge", {"near": np.concatenate([not_free, columns["near"][1:]])}),
        ("not one free edge", {"near": columns["near"][[0, 0, 2]]}),
        ("not one free edge", {"near": columns["near"] + np.uint64(2**63)}),
        ("differ in length", {"near_t": columns["near_t"][:-1]}),
        ("cannot be", {"near_lower": columns["near_upper"] + 1e-6}),
        ("cannot be", {"near_lower": np.full(count, np.nan)}),
        ("cannot be", {"near_lower": np.full(count, -1e-3)}),
        ("cannot be", {"near_upper": np.full(count, np.inf)}),
        ("cannot be", {"near_t": np.full(count, 1.5)}),
        ("cannot be", {"near_b": np.full(count, len(head["names"]), dtype="<i4")}),
        ("not of its type", {"near_a": columns["near_a"].astype("<i8")}),
    ]
    for why, change in spoils:
        with pytest.raises(shards.DamagedShard, match=why):
            shards.encode(head["spec"], {**columns, **change}, head["names"])


def test_a_bound_holds_where_the_search_is_cut_short(done):
    """The nearest pair found then says nothing of the others: another one may come nearer."""
    _, plan, _, _ = done
    cut = other = 0
    for edges in asked(plan).values():
        for _, _, _, start, end, checker in edges[::2]:
            q = start + np.linspace(0.0, 1.0, 65)[:, None] * (end - start)
            least = checker.clearance(q).upper.min()
            for most in (1, 20, 100):
                options = {"tolerance": 1e-4, "max_evaluations": most, "method": "taylor", "leaf": "inclusion", "clearance": ACCURACY}
                lower, upper, t, a, b = clearances.bounds(checker, checker.robot, start, end, options)
                assert lower <= least and lower <= upper and a and b
                assert checker.clearance(start + t * (end - start)).lower <= upper + 1e-9
                cut += upper - lower > 1.01 * ACCURACY
                other += upper > least + ACCURACY
    assert cut > 10 and other > 2, "no search was cut short"


def test_wrong_options_are_refused(tmp_path, capsys):
    for options, why in (({"clearance": 0}, "options: clearance: must be a number above 0"),
                         ({"clearance": None}, "options: clearance: must be a number above 0"),
                         ({"clearance": "fine"}, "options: clearance: must be a number above 0"),
                         ({"clearance": 1e-9}, "runs: entry 1: the accuracy of a clearance must be at least 1e-6 metres"),
                         ({"clearance": 0.001, "angles": "wrap"}, "leave out 'clearance', or 'angles: wrap'")):
        file = campaign_world.write(tmp_path, small(**options))
        assert main(["plan", str(file)]) == 2
        assert why in capsys.readouterr().err


def test_the_plan_measures_what_clearances_take(tmp_path, capsys):
    assert main(["plan", str(campaign_world.write(tmp_path, small(clearance=ACCURACY)))]) == 0
    assert capsys.readouterr().out.count(" us for the clearance of each free edge (first ") == 3
    assert main(["plan", str(campaign_world.write(tmp_path, small()))]) == 0
    assert "clearance" not in capsys.readouterr().out
