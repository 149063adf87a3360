"""A campaign as a job array of a real Slurm with one node. Optional: Debian's slurmctld, slurmd, slurm-client and munge, as root."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time

import campaign_world
import pytest

from planner_ccd.campaign.__main__ import main

_MISSING = [program for program in ("munged", "slurmctld", "slurmd", "sbatch") if shutil.which(program) is None]
pytestmark = pytest.mark.skipif(
    bool(_MISSING) or os.geteuid() != 0,
    reason=f"Slurm cannot be started here (missing: {', '.join(_MISSING) or 'root'}): job arrays on Slurm are NOT TESTED",
)

_CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
NodeName={host} NodeAddr=127.0.0.1 CPUs=2
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE
"""


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """Slurm's processes, in the foreground, so that they can be ended by process id."""
    folder = tmp_path / "slurm"
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    (folder / "key").write_bytes(os.urandom(128))
    (folder / "key").chmod(0o600)
    ports = []
    for _ in range(2):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            ports.append(probe.getsockname()[1])
    host = socket.gethostname().split(".")[0]
    (folder / "slurm.conf").write_text(_CONFIGURATION.format(host=host, folder=folder, ports=ports))
    monkeypatch.setenv("SLURM_CONF", str(folder / "slurm.conf"))
    munge = ["munged", "--foreground", "--force"]
    munge += [f"--{what}-file={folder}/munge.{what}" for what in ("pid", "log", "seed")]
    munge += [f"--key-file={folder}/key", f"--socket={folder}/munge.socket"]
    processes = []
    for command in (munge, ["slurmctld", "-D", "-i"], ["slurmd", "-D"]):
        with open(folder / f"{command[0]}.out", "w") as log:
            processes.append(subprocess.Popen(command, stdout=log, stderr=log))
        time.sleep(1)
    try:
        deadline = time.monotonic() + 20
        while b"idle" not in subprocess.run(["sinfo", "-h"], capture_output=True).stdout:
            if time.monotonic() > deadline:
                pytest.skip("Slurm did not start here: job arrays on Slurm are NOT TESTED")
            time.sleep(0.5)
        yield folder
    finally:
        for process in reversed(processes):
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=20)


def test_a_job_array_does_a_campaign(slurm, tmp_path):
    file = campaign_world.write(tmp_path)
    assert main(["run", str(file), "--out", str(tmp_path / "alone")]) == 0
    assert main(["merge", str(file), "--out", str(tmp_path / "alone")]) == 0
    out = tmp_path / "out"
    run = f"{sys.executable} -m planner_ccd.campaign run {file} --out {out} --shard $SLURM_ARRAY_TASK_ID/3"
    subprocess.run(["sbatch", "--wait", "--array=0-2", f"--output={tmp_path}/job.%a", "--wrap", run], check=True, timeout=200)
    assert main(["merge", str(file), "--out", str(out)]) == 0
    assert (out / "merged.npz").read_bytes() == (tmp_path / "alone/merged.npz").read_bytes()
