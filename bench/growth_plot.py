#!/usr/bin/env python3
"""Draws costs against triangle count, log-log, from the JSON of `./dev bench static`.

usage: growth_plot.py static.json growth.svg

Reads the rows whose case is knot_<N>k-itself: building (query "build") and both queries in the poses named in PANELS.
"""

import json
import math
import re
import sys

PANELS = [("build", "", 1e6, "build [ms]"), ("collide", "close", 1e3, "collide, 1e-4 of the size apart [us]"),
          ("distance", "close", 1e3, "distance, 1e-4 of the size apart [us]")]
COLOURS = {"planner_ccd": "#0b6e4f", "fcl_rss": "#c44536", "fcl_obbrss": "#e09f3e"}
WIDTH, HEIGHT, LEFT, TOP, GAP = 300, 260, 60, 36, 75


def series(rows, query, pose, unit):
    """{method: [(triangles, value)]}"""
    result = {}
    for row in rows:
        match = re.fullmatch(r"knot_(\d+)k-itself(?:/(\w+))?", row["case"])
        if match and row["query"] == query and (match[2] or "") == pose:
            result.setdefault(row["method"], []).append((1000 * int(match[1]), row["median_ns"] / unit))
    return result


def decades(values):
    return range(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))) + 1)


def label(exponent):
    return f"{10 ** exponent:g}" if -3 <= exponent <= 3 else f"1e{exponent}"


def panel(data, title, x0):
    points = [p for curve in data.values() for p in curve]
    xs, ys = decades([p[0] for p in points]), decades([p[1] for p in points])
    px = lambda v: x0 + WIDTH * (math.log10(v) - xs[0]) / max(1, xs[-1] - xs[0])
    py = lambda v: TOP + HEIGHT * (1 - (math.log10(v) - ys[0]) / max(1, ys[-1] - ys[0]))
    out = [f'<text x="{x0}" y="{TOP - 14}" font-weight="bold">{title}</text>',
           f'<rect x="{x0}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>']
    for e in xs:
        out.append(f'<line x1="{px(10 ** e):.1f}" x2="{px(10 ** e):.1f}" y1="{TOP}" y2="{TOP + HEIGHT}" stroke="#ddd"/>'
                   f'<text x="{px(10 ** e):.1f}" y="{TOP + HEIGHT + 16}" text-anchor="middle">1e{e}</text>')
    for e in ys:
        out.append(f'<line x1="{x0}" x2="{x0 + WIDTH}" y1="{py(10 ** e):.1f}" y2="{py(10 ** e):.1f}" stroke="#ddd"/>'
                   f'<text x="{x0 - 6}" y="{py(10 ** e) + 4:.1f}" text-anchor="end">{label(e)}</text>')
    for method, curve in data.items():
        path = " ".join(f"{px(x):.1f},{py(y):.1f}" for x, y in sorted(curve))
        out.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[method]}" stroke-width="2"/>')
        out += [f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="3" fill="{COLOURS[method]}"/>' for x, y in curve]
    return out


def main():
    bench = json.load(open(sys.argv[1], encoding="utf-8"))
    objects = bench if isinstance(bench, list) else [bench]
    rows = [row for b in objects if b["bench"] == "static" for row in b["rows"]]
    total = LEFT + len(PANELS) * (WIDTH + GAP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{TOP + HEIGHT + 62}" '
           'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>']
    for i, (query, pose, unit, title) in enumerate(PANELS):
        out += panel(series(rows, query, pose, unit), title, LEFT + i * (WIDTH + GAP))
    for i, (method, colour) in enumerate(COLOURS.items()):
        x, y = LEFT + i * 130, TOP + HEIGHT + 46
        out.append(f'<line x1="{x}" x2="{x + 24}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="2"/>'
                   f'<text x="{x + 30}" y="{y}">{method}</text>')
    out.append(f'<text x="{LEFT + 420}" y="{TOP + HEIGHT + 46}">triangles of a torus knot, against itself</text></svg>')
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        f.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
