"""Campaigns on a real cluster whose processes are killed, stopped and starved: the result equals that of an undisturbed run."""

import collections
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import campaign_world
import pytest

from planner_ccd.campaign import config, shards
from planner_ccd.campaign.__main__ import main

pytest.importorskip("distributed", reason="Dask is absent (Debian: python3-distributed): campaigns on clusters are NOT TESTED")

_SETTINGS = {
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "2",
    "DASK_DISTRIBUTED__SCHEDULER__WORKER_SATURATION": "1.0",
    "DASK_DISTRIBUTED__SCHEDULER__WORK_STEALING": "false",
    "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "5s",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s",
}


class Cluster:
    """A scheduler and two workers that may be told to fail."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        self._processes = []
        self._environment = {**os.environ, **_SETTINGS, "CAMPAIGN_FAULTS": str(folder)}

    def start(self):
        fault = pathlib.Path(__file__).with_name("campaign_fault.py")
        self.scheduler = self._start("dask_scheduler", "--host", "127.0.0.1", "--port", str(self._port), "--no-dashboard")
        for _ in range(2):
            self._start("dask_worker", self.address, "--nthreads", "1", "--no-dashboard", "--memory-limit", "700MB",
                        "--preload", str(fault), "--local-directory", str(self.folder), "--death-timeout", "60")

    def _start(self, program, *arguments):
        log = open(self.folder / f"{program}.log", "a")
        process = subprocess.Popen([sys.executable, "-m", f"distributed.cli.{program}", *arguments], env=self._environment,
                                   stdout=log, stderr=log, start_new_session=True)
        self._processes.append(process)
        return process

    def stop(self):
        for process in self._processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._processes = []

    def fault(self, **fault):
        for name in ("begun", "committed", "fault.json"):
            (self.folder / name).unlink(missing_ok=True)
        if fault:
            (self.folder / "fault.json").write_text(json.dumps(fault))

    def begun(self):
        """How often each shard was begun; never when its file existed."""
        file = self.folder / "begun"
        lines = [line.split() for line in file.read_text().splitlines()] if file.exists() else []
        assert not [line for line in lines if "again" in line], "what is done is not done again"
        return collections.Counter(line[0] for line in lines)

    def committed(self):
        return [int(pid) for pid in (self.folder / "committed").read_text().split()]

    def client(self, file, out):
        (self.folder / "out").write_text(str(out))
        command = [sys.executable, "-m", "planner_ccd.campaign", "run", str(file), "--out", str(out), "--dask", self.address]
        return subprocess.Popen(command, env=self._environment, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("dask") / "cluster")
    cluster.start()
    yield cluster
    cluster.stop()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Campaign file, names of its shards, and the merged result of one process without a cluster."""
    folder = tmp_path_factory.mktemp("undisturbed")
    file = campaign_world.write(folder)
    plan = shards.Plan(config.load(file))
    assert main(["run", str(file), "--out", str(folder / "out")]) == 0
    return file, [plan.name(i) for i in range(plan.shards)], merged(file, folder / "out")


def merged(file, out):
    assert main(["merge", str(file), "--out", str(out)]) == 0
    return (out / "merged.npz").read_bytes()


def finish(client, code=0):
    _, told = client.communicate(timeout=60)
    assert client.returncode == code, told
    return told


def wait_for_shards(out, count, client):
    deadline = time.monotonic() + 40
    while len(list((out / "shards").glob("[0-9a-f]*.npz"))) < count:
        assert time.monotonic() < deadline and client.poll() is None, client.stderr.read() if client.poll() else "too slow"
        time.sleep(0.01)


def done(out):
    return {path.stem for path in (out / "shards").glob("[0-9a-f]*.npz")}


@pytest.mark.parametrize("kind", ["SIGKILL", "SIGSTOP", "memory"])
def test_a_worker_that_dies_stands_still_or_runs_out_of_memory_changes_nothing(cluster, undisturbed, tmp_path, kind):
    file, names, expected = undisturbed
    cluster.fault(shard=names[5], kind=kind, times=1)
    finish(cluster.client(file, tmp_path))
    assert merged(file, tmp_path) == expected
    assert cluster.begun()[names[5]] == 2 and len(cluster.committed()) >= 2
    if kind == "SIGSTOP":
        os.kill(cluster.committed()[0], signal.SIGKILL)  # its nanny starts another


def test_a_shard_that_always_crashes_is_named_after_three_tries_and_the_rest_completes(cluster, undisturbed, tmp_path, capsys):
    file, names, expected = undisturbed
    cluster.fault(shard=names[1], kind="SIGKILL", times=1000)
    told = finish(cluster.client(file, tmp_path), code=3)
    assert names[1][:16] in told and "left out after 3 tries: KilledWorker" in told
    assert done(tmp_path) == set(names) - {names[1]}
    assert cluster.begun()[names[1]] == 3
    assert main(["merge", str(file), "--out", str(tmp_path)]) == 3
    assert main(["report", str(file), "--out", str(tmp_path)]) == 1
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["not looked at"] == 700 and any("shard 1 was given up: KilledWorker" in line for line in report["missing"])
    assert not (tmp_path / "merged.npz").exists()
    cluster.fault()
    finish(cluster.client(file, tmp_path))
    assert merged(file, tmp_path) == expected and set(cluster.begun()) == {names[1]}


def test_a_client_that_is_killed_goes_on_where_it_was(cluster, undisturbed, tmp_path):
    file, names, expected = undisturbed
    cluster.fault(slow=0.3)
    client = cluster.client(file, tmp_path)
    wait_for_shards(tmp_path, 2, client)
    client.send_signal(signal.SIGKILL)
    finish(client, code=-signal.SIGKILL)
    kept = done(tmp_path)
    assert 2 <= len(kept) < len(names)
    cluster.fault()
    finish(cluster.client(file, tmp_path))
    assert merged(file, tmp_path) == expected and not kept & set(cluster.begun())


def test_a_scheduler_that_is_killed_ends_the_run_which_goes_on_with_another(undisturbed, tmp_path):
    file, names, expected = undisturbed
    cluster = Cluster(tmp_path / "cluster")
    try:
        cluster.start()
        cluster.fault(slow=0.3)
        out = tmp_path / "out"
        client = cluster.client(file, out)
        wait_for_shards(out, 2, client)
        cluster.scheduler.send_signal(signal.SIGKILL)
        assert "the scheduler is gone" in finish(client, code=3)
        kept = done(out)
        assert 2 <= len(kept) < len(names)
        cluster.stop()
        cluster.fault()
        cluster.start()
        finish(cluster.client(file, out))
        assert merged(file, out) == expected and not kept & set(cluster.begun())
    finally:
        cluster.stop()
