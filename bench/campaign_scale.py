#!/usr/bin/env python3
"""Where campaigns on Dask stop scaling: python3 bench/campaign_scale.py [SHARDS] (bench/README.md explains the rows).

1. Measured: processor time that a shard costs the client, the scheduler and a worker's own loop, each a process of its own (shards of a
   few edges, so that nearly all of it is overhead), and what another edge costs the client (shards of 100,000 beside them).
2. Simulated: 10^10 edges on up to 4,000 workers. The client and the scheduler each serve one shard after the other, in the measured
   time; workers take what checking takes, each shard up to a quarter more or less, one in a hundred four times as long.
"""

import heapq
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import yaml

from campaign import campaign
from planner_ccd.campaign import cluster

US_AN_EDGE = 8.0  # of checking: bench/README.md
SETTINGS = {"DASK_" + k.replace(".", "__").replace("-", "_").upper(): str(v) for k, v in cluster.SETTINGS.items()}


def processor_time(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(pid):
    """The most that a process had, in MiB."""
    return int(pathlib.Path(f"/proc/{pid}/status").read_text().split("VmHWM:")[1].split()[0]) / 1024


class Cluster:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, folder):
        environment = {**os.environ, **SETTINGS}
        file = pathlib.Path(folder, "scheduler.json")
        log = open(os.devnull, "w")
        start = lambda *words: subprocess.Popen([sys.executable, "-m", *words], env=environment, stdout=log, stderr=log, cwd=folder)  # noqa: E731
        self.scheduler = start("distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        while not file.exists():
            time.sleep(0.1)
        self.address = yaml.safe_load(file.read_text())["address"]
        self.workers = [start("distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard") for _ in range(2)]

    def spent(self):
        return processor_time(self.scheduler.pid), sum(processor_time(w.pid) for w in self.workers)

    def close(self):
        for process in (*self.workers, self.scheduler):
            process.terminate()
            process.wait()


def run(cluster, folder, edges, chunk):
    """Processor seconds of client, scheduler and workers for a campaign."""
    file = pathlib.Path(folder, f"{edges}_{chunk}.yaml")
    file.write_text(yaml.safe_dump({**campaign(edges), "chunk": chunk}))
    before = cluster.spent()
    code = ("import resource, sys, yaml; from planner_ccd.campaign import __main__ as command\n"
            "status = command.main(sys.argv[1:])\n"
            "used = resource.getrusage(resource.RUSAGE_SELF)\n"
            "print('CLIENT', used.ru_utime + used.ru_stime, used.ru_maxrss / 1024); sys.exit(status)")
    words = ["run", str(file), "--out", str(folder / f"out_{edges}_{chunk}"), "--dask", cluster.address]
    done = subprocess.run([sys.executable, "-c", code, *words], check=True, capture_output=True, text=True)
    after, (seconds, memory) = cluster.spent(), map(float, done.stdout.split("CLIENT")[1].split())
    print(f"{edges:,} edges in {-(-edges // chunk):,} shards: the client's memory grew to {memory:.0f} MiB, the scheduler's to "
          f"{memory_of(cluster.scheduler.pid):.0f}", flush=True)
    return seconds, after[0] - before[0], after[1] - before[1]


def measure(shards, folder):
    """Seconds a shard of client, scheduler and worker without checking, and seconds that the client takes for another edge of a shard."""
    cluster = Cluster(folder)
    try:
        run(cluster, folder, 20, 10)  # robots are prepared
        start, many = run(cluster, folder, 40, 10), run(cluster, folder, 10 * shards, 10)
        large = run(cluster, folder, 10 * 100000, 100000)
    finally:
        cluster.close()
    per_shard = [max(0.0, (b - a) / (shards - 4)) for a, b in zip(start, many)]
    return *per_shard, max(0.0, (large[0] - start[0]) / 10 - per_shard[0]) / 100000


def simulate(workers, shards, edges, client, scheduler, worker, seed=1):
    """Seconds until all shards are written: two of a worker's are in flight, client and scheduler serve in turn."""
    draw = random.Random(seed)
    free_client = free_scheduler = 0.0
    left, running, waiting = shards, [], 0
    at_worker = [0] * workers

    def hand_out(now, who):
        nonlocal left, free_scheduler
        left -= 1
        free_scheduler = max(free_scheduler, now) + scheduler
        begin = max(free_scheduler, at_worker[who])
        length = edges * US_AN_EDGE * 1e-6 * (4.0 if draw.random() < 0.01 else draw.uniform(0.75, 1.25)) + worker
        at_worker[who] = begin + length
        heapq.heappush(running, (at_worker[who], who))

    for _ in range(2):
        for who in range(workers):
            if left:
                hand_out(0.0, who)
    while running:
        now, who = heapq.heappop(running)
        free_client = max(free_client, now) + client  # fetches the result, submits another shard, writes the file
        if left:
            hand_out(free_client, who)
    return free_client


def main():
    shards = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with tempfile.TemporaryDirectory() as folder:
        client, scheduler, worker, an_edge = measure(shards, pathlib.Path(folder))
    print(f"a shard costs the client {1e3 * client:.2f} ms + {1e9 * an_edge:.1f} ns an edge, the scheduler {1e3 * scheduler:.2f} ms, "
          f"a worker's loop {1e3 * worker:.2f} ms")
    total, headers = 10**10, (10**5, 10**6, 4 * 10**6)
    print("\n| workers | " + " | ".join(f"shards of {chunk:,}" for chunk in headers) + " |\n|---|" + "---|" * len(headers))
    for workers in (2, 10, 100, 300, 1000, 2000, 4000):
        cells = []
        for chunk in headers:
            seconds = simulate(workers, total // chunk, chunk, client + an_edge * chunk, scheduler, worker)
            cells.append(f"{seconds:,.0f} s, {total * US_AN_EDGE * 1e-6 / workers / seconds:.0%}")
        print(f"| {workers:,} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
