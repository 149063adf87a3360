"""A campaign on Dask. Dask places, repeats and survives; here is only what it must be told.

The bundle goes to every worker once, as a plugin: to those that come later and those that come again, too. Tasks are
shards, a few more at a time than there are threads, so that neither client nor scheduler holds more than these. The client
alone writes files; workers need no common file system.
"""

import itertools

import dask
import distributed
from distributed.comm import CommClosedError

from . import certificates, shards, work

TRIES = 3
# Settings for campaigns: used by `--dask local`; set them for others as in README.md. A thread has at most one task, so that a worker
# that dies loses only its current one; a worker that hangs is given up. Nobody reads profiles, and what is looked at every 20 or
# 100 ms without them takes a twentieth of a processor. Memory once had is kept (Dask's own setting gives it back at every turn): asking
# the system for the pages of every array again takes as long as drawing its numbers.
SETTINGS = {
    "distributed.nanny.pre-spawn-environ": {
        "MALLOC_TRIM_THRESHOLD_": str(1 << 30), "MALLOC_MMAP_THRESHOLD_": str(1 << 30),
        "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
    },
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.limit": "30s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.worker.memory.monitor-interval": "500ms",
    "distributed.scheduler.allowed-failures": TRIES - 1,  # deaths of workers that a task survives
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.worker-ttl": "60s",
}


class SchedulerLost(Exception):
    pass


class Files(distributed.WorkerPlugin):
    """Gives each worker the campaign's files before its first task."""

    def __init__(self, bundle):
        self.bundle = bundle
        self.name = "planner_ccd-" + bundle.digest

    def setup(self, worker):
        work.install(self.bundle)


def task(spec, digest, certificate):
    try:
        return work.run_shard(spec, work.installed(digest), threads=1, certificate=certificate)
    except Exception as error:  # a plain one: a client that cannot unpickle an exception waits for ever
        message = f"{type(error).__name__}: {error}"
    raise RuntimeError(message)


def connect(address, workers):
    """A client and the cluster that it started, or None: `address` may be 'local'."""
    if address != "local":
        return distributed.Client(address, timeout="30s", set_as_default=False), None
    dask.config.set(SETTINGS)
    cluster = distributed.LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None)
    return distributed.Client(cluster, set_as_default=False), cluster


def run(client, bundle, wanted, store, say, certificate=False):
    """`wanted`: (name, spec) of shards, an iterator that is read as it is needed. Returns the names of quarantined ones."""
    plugin = Files(bundle)
    client.register_worker_plugin(plugin)
    wanted, quarantined, underway = iter(wanted), [], {}
    finished = distributed.as_completed(loop=client.loop)

    def submit():
        room = 2 * max(1, sum(client.nthreads().values())) - len(underway)
        for name, spec in itertools.islice(wanted, max(0, room)):
            future = client.submit(task, spec, bundle.digest, certificate, key="planner_ccd-" + name, retries=TRIES - 1, pure=False)
            underway[future.key] = name
            finished.add(future)

    try:
        submit()
        for future in finished:
            if future.status in ("pending", "lost"):  # its worker died before the result was fetched: Dask repeats it
                finished.add(future)
                continue
            name = underway.pop(future.key)
            if future.status == "finished":
                data, times, proofs = future.result()
                future.release()  # otherwise it would be repeated if its worker died now
                submit()  # before waiting for the disk
                certificates.keep(store, name, data, times, proofs)
            elif future.status == "error":
                error = future.exception()
                store.quarantine(name, {"tries": TRIES, "error": f"{type(error).__name__}: {error}"})
                quarantined.append(name)
                say(f"shard {name[:16]} is left out after {TRIES} tries: {type(error).__name__}: {error}")
            else:
                raise SchedulerLost("the scheduler is gone")
            submit()
    except (CommClosedError, OSError, distributed.CancelledError, TimeoutError) as error:
        if client.status == "running" and isinstance(error, OSError) and not isinstance(error, CommClosedError):
            raise  # of our own files
        raise SchedulerLost(f"the scheduler is gone: {error}") from None
    client.unregister_worker_plugin(plugin.name)
    return quarantined
