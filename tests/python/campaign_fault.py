"""For dask-worker --preload: records which shards are begun and whether their files existed, and causes the fault requested in a
file in the middle of a shard."""

import json
import os
import pathlib
import signal
import time

from planner_ccd.campaign import shards, work

_FOLDER = pathlib.Path(os.environ["CAMPAIGN_FAULTS"])
if not hasattr(work, "sound"):  # Dask may run this file twice in one process
    work.sound = work.run_shard, work._answers
_current = None


def run_shard(spec, inputs, threads=1, certificate=False):
    global _current
    _current = shards.name_of(spec)
    with open(_FOLDER / "begun", "a") as log:
        log.write(f"{_current} {'again' if pathlib.Path((_FOLDER / 'out').read_text(), 'shards', _current + '.npz').exists() else ''}\n")
    return work.sound[0](spec, inputs, threads, certificate)


def answers(*arguments):
    result = work.sound[1](*arguments)
    file = _FOLDER / "fault.json"
    fault = json.loads(file.read_text()) if file.exists() else {}
    if fault.get("slow"):
        time.sleep(fault["slow"])
    if fault.get("shard") == _current:
        committed = _FOLDER / "committed"
        with open(committed, "a") as log:
            log.write(f"{os.getpid()}\n")
        if len(committed.read_text().split()) <= fault["times"]:
            if fault["kind"] == "memory":
                hoard = bytearray(os.urandom(1 << 20)) * 1500
                time.sleep(60 + len(hoard) % 2)
            time.sleep(0.3)  # by now the client has received everything finished before
            os.kill(os.getpid(), getattr(signal, fault["kind"]))
    return result


work.run_shard, work._answers = run_shard, answers
