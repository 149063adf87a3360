"""python3 -m planner_ccd.campaign: see README.md beside this file."""

import argparse
import json
import os
import re
import sys
import time

import numpy as np

from .. import InputError
from . import certificates, clearances, config, merge, report, shards, work

DONE, CONTACT, BAD_INPUT, INCOMPLETE = 0, 1, 2, 3
_TIMED, _MEASURED = 500, 50  # edges of each motion that `plan` tries, and free ones whose clearance it measures


def main(arguments=None):
    options = _parser().parse_args(arguments)
    try:
        plan = shards.Plan(config.load(options.campaign))
        return options.action(plan, options)
    except InputError as error:
        say(f"error: {error}")
        return BAD_INPUT
    except merge.Refused as error:
        say(f"refused:\n{error}")
        return INCOMPLETE if error.incomplete else BAD_INPUT
    except OSError as error:  # no space left, and the like: what is done is done
        say(f"error: {error}")
        return INCOMPLETE


def say(text):
    print(text, file=sys.stderr, flush=True)


def show_plan(plan, options):
    inputs = work.Inputs(plan.campaign.bundle)
    total = 0.0
    for run in plan.campaign.runs:
        for name, spec in run.motions:
            motion, (checker, offsets) = inputs.motion(spec), inputs.checker({"name": run.name, **run.spec}, 0)
            count = min(_TIMED, spec["edges"])
            starts, ends = motion.rows(0, count)
            if offsets is not None:
                starts, ends = starts + offsets, ends + offsets
            began = time.perf_counter()
            free = checker.check_edges(starts, ends, threads=1, **config.query_of(run.spec["options"])).free
            each = (time.perf_counter() - began) / count
            print(f"{run.name}, {name}: {spec['edges']} edges x {run.samples}, {each * 1e6:.1f} us an edge (first {count})")
            measured = min(_MEASURED, int(free.sum()))
            if "clearance" in run.spec["options"] and measured:
                at = np.flatnonzero(free)[:measured]
                began = time.perf_counter()
                clearances.least(checker, starts[at], ends[at], free[at], 0, run.spec["options"], threads=1)
                more = (time.perf_counter() - began) / measured
                each += more * free.mean()
                print(f"    and {more * 1e6:.1f} us for the clearance of each free edge (first {measured})")
            total += each * spec["edges"] * run.samples
    print(f"{plan.edges} edges in {plan.shards} shards of {plan.campaign.chunk}; about {total / 3600:.3g} hours of one processor")
    for warning in plan.campaign.warnings:
        print(f"warning: {warning}")
    for name, source in sorted(plan.campaign.bundle.sources.items(), key=lambda item: item[1]):
        print(f"{name.split('.')[0][:16]}  {source}")
    return DONE


def wanted(plan, store, numbers, certificate):
    """(name, spec) of those shards that are not there, or without their certificates."""
    for shard in numbers:
        spec = plan.spec(shard)
        name = shards.name_of(spec)
        try:
            found = store.read(name)
            if found is not None and (not certificate or certificates.read(store, name, found[1]) is not None):
                continue
        except shards.DamagedShard as error:
            say(f"shard {shard} {error}; it is done again")
        yield name, spec


def run(plan, options):
    store = shards.Store(options.out)
    part, parts = options.shard
    numbers = range(part * plan.shards // parts, (part + 1) * plan.shards // parts)
    if options.dask:
        return run_on_dask(plan, options, wanted(plan, store, numbers, options.certificate), store)
    inputs = work.Inputs(plan.campaign.bundle)
    for name, spec in wanted(plan, store, numbers, options.certificate):
        certificates.keep(store, name, *work.run_shard(spec, inputs, options.threads, options.certificate))
    return DONE


def run_on_dask(plan, options, todo, store):
    try:
        from . import cluster
    except ImportError as error:
        raise InputError(f"--dask: {error}; Debian: python3-distributed") from None
    client, own = cluster.connect(options.dask, options.workers)
    try:
        return INCOMPLETE if cluster.run(client, plan.campaign.bundle, todo, store, say, options.certificate) else DONE
    except cluster.SchedulerLost as error:
        say(f"error: {error}; start again, and what is done stays done")
        return INCOMPLETE
    finally:
        client.close(timeout=2)
        if own is not None:
            own.close()


def status(plan, options):
    found = merge.Status(plan, shards.Store(options.out))
    print(f"{len(found.done)} of {plan.shards} shards are done")
    for line in found.problems():
        print(line)
    return INCOMPLETE if found.problems() else DONE


def merge_all(plan, options):
    print(merge.merge(plan, options.out))
    if options.certificate:
        print(merge.merge_certificates(plan, options.out))
    return DONE


def write_report(plan, options):
    told = report.write(plan, options.out)
    print(json.dumps({key: told[key] for key in ("verdict", "edges", "verdicts", "missing")}))
    return {"free": DONE, "contact": CONTACT}.get(told["verdict"], INCOMPLETE)


def _part(text):
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match or int(match[1]) >= int(match[2]):
        raise argparse.ArgumentTypeError("must be I/N with I from 0 to N - 1")
    return int(match[1]), int(match[2])


def _parser():
    parser = argparse.ArgumentParser(prog="python3 -m planner_ccd.campaign", description="Many edges, in shards.")
    actions = parser.add_subparsers(required=True)

    def add(name, action, text):
        command = actions.add_parser(name, help=text, description=text)
        command.add_argument("campaign", metavar="CAMPAIGN.yaml")
        command.set_defaults(action=action)
        if name != "plan":
            command.add_argument("--out", required=True, metavar="DIR", help="folder of the results")
        return command

    add("plan", show_plan, "How many shards, and how long they will take.")
    runs = add("run", run, "Do the shards that are not done.")
    where = runs.add_mutually_exclusive_group()
    where.add_argument("--shard", type=_part, default=(0, 1), metavar="I/N", help="only the I-th of N parts, from 0")
    where.add_argument("--dask", metavar="ADDRESS", help="on the workers of a scheduler, or of 'local'")
    runs.add_argument("--threads", type=int, default=0, help="of this process; 0: one per processor")
    runs.add_argument("--workers", type=int, default=os.cpu_count(), help="processes of --dask local")
    runs.add_argument("--certificate", action="store_true", help="with each shard the proofs of its free edges")
    add("status", status, "What is done, missing, damaged and given up.")
    merges = add("merge", merge_all, "One file of all shards; refuses when one is missing or wrong.")
    merges.add_argument("--certificate", action="store_true", help="also one index of all certificates")
    add("report", write_report, "Pages for people and programs.")
    return parser


if __name__ == "__main__":
    sys.exit(main())
