#!/usr/bin/env python3
"""Misses and cost of each checker: python3 score.py DIR [ADAPTER...] [--most N] [--jobs N] prints tables; README.md explains them.

What has been measured is kept in DIR/scores: a run that was ended goes on, and tables are printed again at no cost."""

import argparse
import concurrent.futures
import hashlib
import json
import multiprocessing
import os
import pathlib

import numpy as np

import reader
from adapters import ADAPTERS

COUNTS = ("hit", "missed", "late", "free", "false", "undecided")
COLUMNS = (*COUNTS, "us an edge", "median", "MB")


def score(adapter, worlds, edges, most=None):
    """For each class, the columns as a list and seconds of all its edges; None where the adapter cannot answer."""
    rows = {}
    for name in dict.fromkeys(e.world for e in edges):
        if worlds[name].here:
            rows.update(score_world(adapter, worlds[name], [e for e in edges if e.world == name], most))
    return rows


def score_world(adapter, world, edges, most=None):
    """The classes of one world. Memory is what this process, or that of the checker, grew to more than before it was prepared."""
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # forgets how much it once was
    before = _memory("VmRSS")
    most = min([n for n in (most, getattr(adapter, "most", None)) if n] or [len(edges)])
    rows = {}
    try:
        check = adapter(world)
        for kind in dict.fromkeys(e.kind for e in edges):
            chosen = [e for e in edges if e.kind == kind][:most]
            motions = np.array([e.points for e in chosen])
            errors = None if chosen[0].errors is None else np.array([e.errors for e in chosen])
            check(motions[:1], errors)
            answers = check(motions, errors)
            if len(answers) != len(chosen):
                raise ValueError("an answer for each edge is needed")
            seconds = np.array([a[2] for a in answers])
            rows[kind] = [*judge(chosen, answers), round(1e6 * seconds.mean(), 1), round(1e6 * float(np.median(seconds)), 1)], seconds
    except NotImplementedError:
        return dict.fromkeys((e.kind for e in edges))
    memory = check.memory() if hasattr(check, "memory") else _memory("VmHWM") - before
    return {kind: ([*row, round(memory / 1e6)], seconds) for kind, (row, seconds) in rows.items()}


def _memory(entry):
    return 1024 * int(pathlib.Path("/proc/self/status").read_text().split(entry + ":")[1].split()[0])


def judge(edges, answers):
    hits = [(e, a) for e, a in zip(edges, answers) if e.hit]
    missed = sum(verdict == "free" for _, (verdict, *_) in hits)
    late = sum(verdict != "free" and t is not None and t > e.t_hit for e, (verdict, t, *_) in hits)
    false = sum(verdict == "hit" for e, (verdict, *_) in zip(edges, answers) if not e.hit)
    undecided = sum(verdict == "undecided" for verdict, *_ in answers)
    return [len(hits), missed, late, len(edges) - len(hits), false, undecided]


def _alone(name, world, edges, most, folder):
    """One world in a process of its own, for its memory. What is known already, of the same edges, is read from `folder`."""
    digest = hashlib.sha256(b"".join(np.concatenate([e.points.ravel(), [e.hit, e.t_free]]).tobytes() for e in edges)).hexdigest()
    file = folder / f"{name}, {world.name}, {most or 'all'}, {digest[:16]}.json"
    if file.exists():
        rows = json.loads(file.read_text())
    else:
        rows = score(ADAPTERS[name], {world.name: world}, edges, most)
        rows = {kind: row and (row[0], [round(1e9 * x) for x in row[1]]) for kind, row in rows.items()}
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = file.with_suffix(f".{os.getpid()}")
        unfinished.write_text(json.dumps(rows))
        unfinished.replace(file)
    return {kind: row and (row[0], 1e-9 * np.array(row[1])) for kind, row in rows.items()}


def group_of(kind):
    """What README.md puts together."""
    first = kind.split()[0]
    return "tubes" if kind.endswith("tubes") else first if first in ("brief", "grazing") else "turns" if kind == "turns" else "random"


def summary(told):
    """A line of a checker: counts of groups of classes, and what an edge costs."""
    if not told:
        return {"MB": 0}
    groups = {}
    for kind, (row, seconds) in told.items():
        counts, times = groups.setdefault(group_of(kind), (np.zeros(len(COUNTS), dtype=int), []))
        counts += row[: len(COUNTS)]
        times.append(seconds)
    out = {}
    for group, (counts, times) in groups.items():
        seconds = 1e6 * np.concatenate(times)
        out[group] = {**dict(zip(COUNTS, map(int, counts))), "us": round(float(seconds.mean()), 1), "median": round(float(np.median(seconds)), 1)}
    return {**out, "MB": max(row[-1] for row, _ in told.values())}


GROUPS = ("random", "turns", "brief", "grazing", "tubes")


def line(name, told):
    """A row of README.md's table: missed of the hits and false of the free edges of each group, microseconds of the mean and the median edge."""
    def share(group, what, of):
        return f"{told[group][what]:,} of {told[group][of]:,}" if told.get(group, {}).get(of) else ""

    cost = [f"{told[g]['us']:,} ({told[g]['median']:,})" if g in told else "" for g in GROUPS if g != "grazing"]
    cells = [name, *(share(g, "missed", "hit") for g in GROUPS), *(share(g, "false", "free") for g in GROUPS if g != "brief"), *cost, str(told["MB"])]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("folder", metavar="DIR", type=pathlib.Path)
    parser.add_argument("adapters", metavar="ADAPTER", nargs="*")
    parser.add_argument("--most", type=int, help="so many edges of each class, the first ones")
    parser.add_argument("--jobs", type=int, default=1, help="worlds at a time")
    options = parser.parse_intermixed_args()
    worlds, edges = reader.read(options.folder)
    file = options.folder / "scores.json"
    told = json.loads(file.read_text()) if file.exists() else {}
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:
        made = {}
        for name in options.adapters or ADAPTERS:
            made[name] = [pool.submit(_alone, name, world, [e for e in edges if e.world == world.name], options.most, options.folder / "scores")
                          for world in worlds.values() if world.here]
        for name, parts in made.items():
            rows = {kind: row for part in parts for kind, row in part.result().items() if row is not None}
            print(f"\n{name}\n\n| class | {' | '.join(COLUMNS)} |\n|---|" + "---|" * len(COLUMNS))
            for kind, (row, _) in rows.items():
                print(f"| {kind} | {' | '.join(map(str, row))} |")
            told[name] = {"most": options.most, "rows": {kind: row for kind, (row, _) in rows.items()}, "summary": summary(rows)}
            print(json.dumps(told[name]["summary"]), flush=True)
            file.write_text(json.dumps({**told, "columns": COLUMNS}, indent=1) + "\n")
    heads = ["checker", *(f"missed, {g}" for g in GROUPS), *(f"false, {g}" for g in GROUPS if g != "brief"),
             *(f"us, {g}" for g in GROUPS if g != "grazing"), "MB"]
    print("\n| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|")
    for name in made:
        print(line(name, told[name]["summary"]))


if __name__ == "__main__":
    main()
