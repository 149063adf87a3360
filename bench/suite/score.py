#!/usr/bin/env python3
"""Misses and cost of each checker: python3 score.py DIR [ADAPTER...] prints a table; README.md explains it."""

import json
import pathlib
import sys
import time

import numpy as np

import reader
from adapters import ADAPTERS

COLUMNS = ("hit", "missed", "late", "free", "false", "undecided", "us an edge")


def score(adapter, worlds, edges):
    """For each class, the columns as a list."""
    rows = {}
    for kind in dict.fromkeys(e.kind for e in edges):
        chosen = [e for e in edges if e.kind == kind]
        check = adapter(worlds[chosen[0].world])
        starts, ends = (np.array([getattr(e, k) for e in chosen]) for k in ("start", "end"))
        check(starts[:1], ends[:1])
        began = time.process_time()
        answers = check(starts, ends)
        spent = time.process_time() - began
        if len(answers) != len(chosen):
            raise ValueError("an answer for each edge is needed")
        rows[kind] = [*judge(chosen, answers), round(1e6 * spent / len(chosen), 1)]
    return rows


def judge(edges, answers):
    hits = [(e, a) for e, a in zip(edges, answers) if e.hit]
    missed = sum(verdict == "free" for _, (verdict, _) in hits)
    late = sum(verdict != "free" and t is not None and t > e.t_hit for e, (verdict, t) in hits)
    false = sum(verdict == "hit" for e, (verdict, _) in zip(edges, answers) if not e.hit)
    undecided = sum(verdict == "undecided" for verdict, _ in answers)
    return [len(hits), missed, late, len(edges) - len(hits), false, undecided]


def main():
    folder = pathlib.Path(sys.argv[1])
    worlds, edges = reader.read(folder)
    told = {}
    for name in sys.argv[2:] or ADAPTERS:
        told[name] = score(ADAPTERS[name], worlds, edges)
        print(f"\n{name}\n\n| class | {' | '.join(COLUMNS)} |\n|---|" + "---|" * len(COLUMNS))
        for kind, row in told[name].items():
            print(f"| {kind} | {' | '.join(map(str, row))} |", flush=True)
    (folder / "scores.json").write_text(json.dumps({"columns": COLUMNS, "rows": told}, indent=1) + "\n")


if __name__ == "__main__":
    main()
