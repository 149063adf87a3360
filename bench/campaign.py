#!/usr/bin/env python3
"""What a campaign costs beside `check_edges` alone: python3 bench/campaign.py [EDGES] (bench/README.md explains the rows)."""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import yaml

from planner_ccd.campaign import config, shards, work

ROOT = pathlib.Path(__file__).resolve().parents[1]
CHUNK = 100000


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


def alone(plan, inputs):
    """Processor time of check_edges, its edges made before, its answers thrown away."""
    run = plan.campaign.runs[0]
    motion, (checker, _) = inputs.motion(run.motions[0][1]), inputs.checker({"name": run.name, **run.spec}, 0)
    total = 0.0
    for first in range(0, plan.edges, work._BATCH):
        starts, ends = motion.rows(first, min(work._BATCH, plan.edges - first))
        before = time.process_time()
        checker.check_edges(starts, ends, threads=1, **config.query_of(run.spec["options"]))
        total += time.process_time() - before
    return total


def in_process(plan, inputs, folder):
    store, before = shards.Store(folder), time.process_time()
    for shard in range(plan.shards):
        spec = plan.spec(shard)
        store.write(shards.name_of(spec), *work.run_shard(spec, inputs))
    return time.process_time() - before


def command(file, folder, *options):
    """Processor time of a command and of all that it starts; the most memory that one of these takes [MB]."""
    before = spent(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "planner_ccd.campaign", "run", file, "--out", folder, *options], check=True)
    return spent(resource.RUSAGE_CHILDREN) - before


def main():
    edges = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1000000
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "campaign.yaml")
        pathlib.Path(file).write_text(yaml.safe_dump(campaign(edges)))
        plan = shards.Plan(config.load(file))
        inputs = work.Inputs(plan.campaign.bundle)
        work.run_shard(plan.spec(0), inputs)  # prepares the robot
        base = alone(plan, inputs)
        row("check_edges alone", base, edges, base)
        row("shards in one process", in_process(plan, inputs, folder + "/one"), edges, base)
        size = sum(p.stat().st_size for p in pathlib.Path(folder, "one/shards").iterdir())
        free = sum(int((np.load(p)["verdict"] == 1).sum()) for p in pathlib.Path(folder, "one/shards").iterdir())
        print(f"bytes an edge {size / edges:.4f}, {free / edges:.1%} free")
        small = os.path.join(folder, "small.yaml")
        pathlib.Path(small).write_text(yaml.safe_dump({**campaign(200), "chunk": 100}))
        start = command(small, folder + "/small", "--dask", "local", "--workers", "2")
        row("dask local: to start and end", start, edges, base)
        row("dask local: the shards", command(file, folder + "/dask", "--dask", "local", "--workers", "2") - start, edges, base)
        before = time.process_time()
        for shard in range(100):
            plan.name(shard % plan.shards)
        print(f"plan: {(time.process_time() - before) * 10:.3f} ms a shard")


def row(what, seconds, edges, base):
    print(f"{what:32s} {seconds:9.2f} s processor  {seconds / edges * 1e6:8.3f} us an edge  {seconds / base - 1:+8.1%}", flush=True)


if __name__ == "__main__":
    main()
