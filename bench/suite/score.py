#!/usr/bin/env python3
"""Misses and cost of each checker: python3 score.py DIR [ADAPTER...] prints a table; README.md explains it."""

import concurrent.futures
import json
import multiprocessing
import pathlib
import resource
import sys
import time

import numpy as np

import reader
from adapters import ADAPTERS

COLUMNS = ("hit", "missed", "late", "free", "false", "undecided", "us an edge", "MB")


def score(adapter, worlds, edges):
    """For each class, the columns as a list; None where the adapter cannot answer."""
    rows = {}
    for kind in dict.fromkeys(e.kind for e in edges):
        chosen = [e for e in edges if e.kind == kind]
        if worlds[chosen[0].world].here:
            rows[kind] = score_class(adapter, worlds[chosen[0].world], chosen)
    return rows


def score_class(adapter, world, edges):
    """The columns of one class. Memory is what this process, or that of the checker, grew to more than before it was prepared."""
    edges = edges[: getattr(adapter, "most", None)]
    before = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    motions = np.array([e.points for e in edges])
    try:
        check = adapter(world)
        clock = getattr(check, "spent", None)
        check(motions[:1])
        began = clock() if clock else time.process_time()
        answers = check(motions)
        spent = clock() if clock else time.process_time() - began
    except NotImplementedError:
        return None
    memory = check.memory() if clock else 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    if len(answers) != len(edges):
        raise ValueError("an answer for each edge is needed")
    return [*judge(edges, answers), round(1e6 * spent / len(edges), 1), round(memory / 1e6)]


def judge(edges, answers):
    hits = [(e, a) for e, a in zip(edges, answers) if e.hit]
    missed = sum(verdict == "free" for _, (verdict, _) in hits)
    late = sum(verdict != "free" and t is not None and t > e.t_hit for e, (verdict, t) in hits)
    false = sum(verdict == "hit" for e, (verdict, _) in zip(edges, answers) if not e.hit)
    undecided = sum(verdict == "undecided" for verdict, _ in answers)
    return [len(hits), missed, late, len(edges) - len(hits), false, undecided]


def _alone(name, folder, kind):
    """One class in a process of its own, for its memory."""
    worlds, edges = reader.read(folder)
    return score(ADAPTERS[name], worlds, [e for e in edges if e.kind == kind]).get(kind)


def main():
    folder = pathlib.Path(sys.argv[1])
    kinds = list(dict.fromkeys(e.kind for e in reader.read(folder)[1]))
    told = {}
    for name in sys.argv[2:] or ADAPTERS:
        print(f"\n{name}\n\n| class | {' | '.join(COLUMNS)} |\n|---|" + "---|" * len(COLUMNS))
        told[name] = {}
        for kind in kinds:
            context = multiprocessing.get_context("spawn")
            with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
                row = pool.submit(_alone, name, str(folder), kind).result()
            if row is None:
                continue
            told[name][kind] = row
            print(f"| {kind} | {' | '.join(map(str, row))} |", flush=True)
    (folder / "scores.json").write_text(json.dumps({"columns": COLUMNS, "rows": told}, indent=1) + "\n")


if __name__ == "__main__":
    main()
