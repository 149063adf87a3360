#!/usr/bin/env python3
"""The cost of a campaign on top of `check_edges`: python3 bench/campaign.py [EDGES] [--dask] (bench/README.md explains the rows).
--dask: only through Dask."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import yaml

from planner_ccd.campaign import certificates, config, shards, work

ROOT = pathlib.Path(__file__).resolve().parents[1]
CHUNK = 1000000


def campaign(edges):
    near = str(ROOT / "models/paths/arm_free.csv")
    return {
        "chunk": CHUNK,
        "robots": {"arm7": {"urdf": str(ROOT / "urdf/arm7.urdf"), "srdf": str(ROOT / "urdf/arm7.srdf")}},
        "scenes": {"clutter": str(ROOT / "models/scenes/arm_clutter.yaml")},
        "motions": {"drawn": {"random": {"seed": 1, "edges": edges, "near": near, "spread": 0.3, "length": 1.0}}},
        "runs": [{"name": "arm", "robot": "arm7", "scene": "clutter", "motions": ["drawn"]}],
    }


def spent(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def in_process(plan, inputs, folder):
    """Processor time of check_edges, with edges made before and answers discarded; and of the same edges as shards."""
    run, store = plan.campaign.runs[0], shards.Store(folder)
    motion, (checker, _) = inputs.motion(run.motions[0][1]), inputs.checker({"name": run.name, **run.spec}, 0)
    alone = in_shards = 0.0
    for shard in range(plan.shards):  # in turns: the machine may be busy
        starts, ends = motion.rows(*plan.range_of(shard))
        before = time.process_time()
        for at in range(0, len(starts), work._BATCH):
            part = slice(at, at + work._BATCH)
            checker.check_edges(starts[part], ends[part], threads=1, **config.query_of(run.spec["options"]))
        between = time.process_time()
        spec = plan.spec(shard)
        certificates.keep(store, shards.name_of(spec), *work.run_shard(spec, inputs))
        alone, in_shards = alone + between - before, in_shards + time.process_time() - between
    return alone, in_shards


def on_dask(file, folder):
    """Processor time of a run on two workers: of all processes; in shards; in check_edges."""
    before = spent(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "planner_ccd.campaign", "run", file, "--out", folder, "--dask", "local", "--workers", "2"]
    subprocess.run(command, check=True)
    times = [json.loads(p.read_bytes()) for p in pathlib.Path(folder, "times").iterdir()]
    return spent(resource.RUSAGE_CHILDREN) - before, *(sum(t[key] for t in times) for key in ("processor", "checking"))


def main():
    words = [w for w in sys.argv[1:] if w != "--dask"]
    edges = int(float(words[0])) if words else 1000000
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "campaign.yaml")
        pathlib.Path(file).write_text(yaml.safe_dump(campaign(edges)))
        plan = shards.Plan(config.load(file))
        if "--dask" not in sys.argv:
            in_one_process(plan, edges, folder)
        small = os.path.join(folder, "small.yaml")
        pathlib.Path(small).write_text(yaml.safe_dump({**campaign(200), "chunk": 100}))
        start, *_ = on_dask(small, folder + "/small")
        began = time.perf_counter()
        total, in_shards, base = on_dask(file, folder + "/dask")
        took = time.perf_counter() - began
        row("dask: check_edges", base, edges, base)
        row("dask: all in shards", in_shards, edges, base)
        row("dask: all processes, but starting", total - start, edges, base)
        print(f"dask: {took:.1f} s by the clock; {start:.2f} s of processor to start and end, then "
              f"{1e3 * (total - start - in_shards) / plan.shards:.1f} ms a shard beside it")
        before = time.process_time()
        for shard in range(100):
            plan.name(shard % plan.shards)
        print(f"plan: {(time.process_time() - before) * 10:.3f} ms a shard")


def in_one_process(plan, edges, folder):
    inputs = work.Inputs(plan.campaign.bundle)
    work.run_shard(plan.spec(0), inputs)  # prepares the robot
    base, in_shards = in_process(plan, inputs, folder + "/one")
    row("check_edges alone", base, edges, base)
    row("as shards in one process", in_shards, edges, base)
    files = list(pathlib.Path(folder, "one/shards").iterdir())
    size, free = sum(p.stat().st_size for p in files), sum(int((np.load(p)["verdict"] == 1).sum()) for p in files)
    print(f"bytes an edge {size / edges:.4f}, {free / edges:.1%} free")


def row(what, seconds, edges, base):
    print(f"{what:32s} {seconds:9.2f} s processor  {seconds / edges * 1e6:8.3f} us an edge  {seconds / base - 1:+8.1%}", flush=True)


if __name__ == "__main__":
    main()
