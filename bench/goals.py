#!/usr/bin/env python3
"""Compares the JSON of the motion benchmarks with their goals.

usage: goals.py edges.json rigid.json growth.json ...   (any of them, or the array that `./dev bench --json FILE` writes)

Prints one line per goal: the figure, the goal, and whether it is met. Ratios are of the same edges in the same run.
"""

import json
import sys

OURS = ("taylor", "hca", "c2a", "catch", "undirected")


def load(files):
    rows = {}
    for name in files:
        with open(name, encoding="utf-8") as f:
            content = json.load(f)
        for bench in content if isinstance(content, list) else [content]:
            rows.setdefault(bench["bench"], []).extend(bench["rows"])
    return rows


def pick(rows, **wanted):
    return [r for r in rows if all(r.get(k) == v for k, v in wanted.items())]


def report(what, figure, goal, at_least=False, unit="x"):
    if figure is None:
        return
    met = figure >= goal if at_least else figure <= goal
    print(f"{'met   ' if met else 'MISSED'}  {what}: {figure:.3g}{unit}, goal {'>=' if at_least else '<='} {goal:.3g}{unit}")


def over(rows, column, ours, theirs):
    """The ratio of our figure to theirs; if they ran fewer edges, that of the means on their edges; None when a row is missing."""
    a, b = pick(rows, method="taylor", **ours), pick(rows, **theirs)
    if not a or not b:
        return None
    return a[0][column] / b[0][column] if a[0]["count"] == b[0]["count"] else 1 / b[0]["times_taylor"]


def times_taylor(rows, method, **wanted):
    """Mean time of `method` over taylor's, over all edges that it ran, free and hit."""
    chosen = pick(rows, method=method, **wanted)
    theirs = sum(r["count"] * r["mean_us"] for r in chosen)
    ours = sum(r["count"] * r["mean_us"] / r["times_taylor"] for r in chosen)
    return theirs / ours if chosen else None


def edges(rows):
    wrong = sum(r["missed"] + r["false_alarms"] for r in rows if r["method"] in OURS)
    report("edges missed or false, all methods of ours", wrong, 0, unit="")
    for scenario in ("arm_clutter", "panda_clutter", "ur5_clutter"):
        for length, step, share in (("medium", "0.05", 8), ("long", "0.05", 16), ("medium", "0.01", 40), ("long", "0.01", 70)):
            same = dict(scenario=scenario, set=length, mode="is_free", verdict="free")
            report(f"{scenario}, free {length} edges, median over FCL at {step}",
                   over(rows, "median_us", same, dict(same, method=f"fcl_discrete_{step}")), 1 / share)
        for length in ("short", "medium", "long"):
            same = dict(scenario=scenario, set=length, mode="is_free", verdict="hit")
            report(f"{scenario}, hits {length}, median over FCL at 0.05",
                   over(rows, "median_us", same, dict(same, method="fcl_discrete_0.05")), 0.7)
            same = dict(same, mode="first_contact")
            report(f"{scenario}, first contact {length}, median over FCL in order at 0.01",
                   over(rows, "median_us", same, dict(same, method="fcl_discrete_0.01")), 1 / 8)
    for scenario in ("puma_car", "mannequin_exercise", "mannequin_walk", "grasp"):
        for mode in ("is_free", "first_contact"):
            report(f"{scenario}, the paper's motion, {mode}: our HCA over taylor",
                   times_taylor(rows, "hca", scenario=scenario, set="paper", mode=mode), 20, at_least=True)


def rigid(rows):
    wrong = sum(r["missed"] + r["false_alarms"] for r in rows if r["method"] in OURS)
    report("rigid motions missed or false, all methods of ours", wrong, 0, unit="")
    for scenario in dict.fromkeys(r["scenario"] for r in rows):
        for verdict, mode in (("hit", "first_contact"), ("free", "first_contact")):
            for method, share in (("fcl_distance_bisection", 4), ("c2a", 12)):
                ratio = times_taylor(rows, method, scenario=scenario, verdict=verdict, mode=mode)
                report(f"{scenario}, {verdict}, {mode}: {method} over taylor", ratio, share, at_least=True)


def growth(rows):
    def grows(axis, last, first, limit):
        a, b = (pick(rows, axis=axis, value=v, method="taylor") for v in (last, first))
        if a and b:
            report(f"{axis} {first} -> {last}, median", a[0]["median_us"] / b[0]["median_us"], limit)
            report(f"{axis} {first} -> {last}, mean", a[0]["mean_us"] / b[0]["mean_us"], limit)

    grows("triangles", 16, 1, 2)
    grows("obstacles", 1000, 10, 3)
    grows("room", 1000, 10, 3)
    one, two = (pick(rows, axis="threads", value=v) for v in (1, 2))
    if one and two:
        report("two threads", one[0]["least_us"] / two[0]["least_us"], 1.9, at_least=True)


def main():
    rows = load(sys.argv[1:])
    for bench, judge in (("edges", edges), ("rigid", rigid), ("growth", growth)):
        if bench in rows:
            judge(rows[bench])


if __name__ == "__main__":
    main()
