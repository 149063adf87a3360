#!/usr/bin/env python3
"""Draws the benchmarks' plots, from the tables of results.md and from recorded rows.

usage: plots.py [--check | --record BENCH.json COMMIT]

--check draws without writing and fails where a plot differs from its figures. --record takes the rows that a plot needs from the --json output
of `./dev bench static` or `./dev bench growth`, measured at COMMIT, stores them beside this script, and draws.
"""

import datetime
import json
import pathlib
import re
import sys

from chart import Chart, Scale, number

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE.parent / "results.md"
KEPT = {"static": lambda row: re.fullmatch(r"knot_\d+k-itself(/close)?", row["case"]),
        "growth": lambda row: row["axis"] in GROWTH}
WIDTH = 880
GROWTH = {"obstacles": ("more clutter", "boxes in the same room", (10, 100, 1000)),
          "room": ("a larger cell", "boxes, as dense", (10, 100, 1000)),
          "triangles": ("finer meshes", "times the triangles", (1, 4, 16)),
          "dof": ("more joints", "joints", (3, 5, 10, 20))}


def recorded(bench):
    data = json.loads((HERE / f"{bench}.json").read_text(encoding="utf-8"))
    return data["rows"], f"{data['date']}, commit {data['commit']}; {data['how']}"


def record(file, commit):
    data = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    rows = [row for row in data["rows"] if KEPT[data["bench"]](row)]
    write_rows(data["bench"], datetime.date.today().isoformat(), commit, "processor time, a busy two-core machine", rows)


def write_rows(bench, date, commit, how, rows):
    lines = ",\n".join(json.dumps(row) for row in rows)
    head = json.dumps({"bench": bench, "date": date, "commit": commit, "how": how})[:-1]
    (HERE / f"{bench}.json").write_text(f'{head}, "rows": [\n{lines}\n]}}\n', encoding="utf-8")


def table(heading, first):
    """The rows of the table under this heading whose first column is `first`: {name: [cell, ...]}."""
    section = re.split(r"^##+ ", RESULTS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = next(part for part in section if part.startswith(heading)).split("\n")
    begin = next(i for i, line in enumerate(lines) if line.startswith(f"| {first} |"))
    rows = {}
    for line in lines[begin + 2:]:
        if not line.startswith("|"):
            break
        name, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows[name] = cells
    return rows


def first_number(cell):
    return float(re.search(r"\d+(?:\.\d+)?", cell)[0])


def curves(chart, x, y, series):
    """{kind: [(value, value)]} as lines with marks."""
    for kind, points in series.items():
        places = [(x(a), y(b)) for a, b in sorted(points)]
        chart.line(places, kind)
        for place in places:
            chart.mark(*place, kind)


def trees():
    """Time to build and query trees of one mesh, over its number of triangles."""
    rows, source = recorded("static")
    kinds = {"planner_ccd": "first", "fcl_rss": "second", "fcl_obbrss": "third"}
    names = {"first": "ours", "second": "FCL, RSS", "third": "FCL, OBBRSS"}
    beside = {"first": (8, 16, "start"), "second": (-8, -8, "end"), "third": (-8, -8, "end")}  # of the fifth mark
    chart = Chart(WIDTH, 350, "A mesh against itself: building its trees, do they collide, how far apart are they", source)
    panels = [("build", "build [ms]", 1e6, (1, 10, 100, 1000, 10000)), ("collide", "do they collide? [µs]", 1e3, (10, 100, 1000)),
              ("distance", "distance [µs]", 1e3, (10, 100, 1000, 10000))]
    for i, (query, name, unit, marks) in enumerate(panels):
        left = 66 + 278 * i
        x, y = Scale(1, 1000, left, left + 208), Scale(marks[0] / (2 if i == 0 else 1), marks[-1], 285, 90)
        chart.text(left, 76, name, "head")
        chart.axes(x, y, (1, 10, 100, 1000), marks, "thousand triangles", " ")
        series = {}
        for row in rows:
            if row["query"] == query:
                size = float(re.match(r"knot_(\d+)k", row["case"])[1])
                series.setdefault(kinds[row["method"]], []).append((size, row["median_ns"] / unit))
        curves(chart, x, y, series)
        for k, (kind, points) in enumerate(series.items()):
            size, value = sorted(points)[4]
            across, down, anchor = beside[kind]
            chart.text(x(size) + across, y(value) + down - (24 if len(series) > 2 and kind == "third" else 0), names[kind], kind, anchor)
    return chart.svg()


def growth():
    """Time of a free edge, over obstacles, triangles and joints."""
    rows, source = recorded("growth")
    kinds = {"taylor": "first", "fcl_discrete_0.05": "second"}
    chart = Chart(WIDTH, 350, "Is this edge free? What the answer costs, as things grow", f"median of {rows[0]['count']} free edges, {source}")
    y = Scale(1, 1000, 285, 90)
    for i, (axis, (head, name, marks)) in enumerate(GROWTH.items()):
        x = Scale(marks[0], marks[-1], 72 + 180 * i, 72 + 180 * i + 140)
        chart.axes(x, y, marks, (1, 10, 100, 1000), name, None if i else "µs an edge")
        series = {}
        for row in rows:
            if row["axis"] == axis:
                series.setdefault(kinds[row["method"]], []).append((row["value"], row["median_us"]))
        curves(chart, x, y, series)
        chart.text(x.low, 76, head, "head")
        for kind, points in series.items():
            for end, across, anchor in ((min, 4, "start"), (max, 2, "end")):
                value, us = end(points)
                chart.text(x(value) + across, y(us) - 10, number(us), kind, anchor)
    for kind, words in (("first", ("ours:", "a proof")), ("second", ("FCL: samples", "0.05 rad apart"))):
        height = y(max(series[kind])[1])
        for k, line in enumerate(words):
            chart.text(x.high + 12, height + 17 * k, line, kind)
    return chart.svg()


def motions():
    """The single motions of a planner: how many times faster than sampling."""
    rows = table("The single motions", "scenario")
    chart = Chart(WIDTH, 320, "The motions that RRT-Connect asks for, one by one", "medians on the same motions in the same run; 2026-11-20, commit 5d4c9f9; a busy two-core machine")
    names = {"panda_mbm": "Panda", "ur5_mbm": "UR5", "arm_clutter": "our arm in clutter", "puma_car": "Puma at the car"}
    for i, (name, column) in enumerate((("free", 0), ("hit", 2))):
        x, y = Scale(1, 300, 150 + 370 * i, 470 + 370 * i), Scale(0, 5, 90, 265, linear=True)
        chart.text(x.low, 78, {"free": "motions that are free", "hit": "motions that hit"}[name], "head")
        for mark in (1, 3, 10, 30, 100):
            chart.segment(x(mark), y.low, x(mark), y.high, "axis" if mark == 1 else "grid")
            chart.text(x(mark), y.high + 18, f"{mark}", "dim", "middle")
        chart.text((x.low + x.high) / 2, y.high + 40, "times faster than FCL's samples 0.05 rad apart", "dim", "middle")
        for k, (scenario, cells) in enumerate(rows.items()):
            plain, prepared = 1 / first_number(cells[column]), 1 / first_number(cells[column + 1])
            height = y(k + 1)
            if i == 0:
                chart.text(x.low - 14, height + 4, names[scenario], "", "end")
            chart.line([(x(plain), height), (x(prepared), height)], "first")
            chart.mark(x(plain), height, "first", hollow=True)
            chart.mark(x(prepared), height, "first")
            chart.text(x(plain) - 10, height + 4, number(plain), "dim", "end")
            chart.text(x(prepared) + 10, height + 4, number(prepared), "first")
            if i == 0 and k == 0:
                chart.text(x(plain) + 8, height - 12, "as it is", "dim", "end")
                chart.text(x(prepared) - 8, height - 12, "prepared", "first")
    return chart.svg()


def plans():
    """Time of a whole plan, and whether the plan collides."""
    rows = table("planning", "scenario")
    kinds = {"first": "proved", "second": "FCL, 0.05 rad", "third": "0.01 rad"}
    chart = Chart(WIDTH, 330, "A plan by RRT-Connect, its motions proved or sampled",
                  "median of 7 problems, the same seeds; 2026-11-18, commit 29d23d2; processor time, a busy two-core machine")
    names = {"puma_car": "Puma at the car", "arm_clutter": "our arm in clutter", "panda_mbm": "Panda", "ur5_mbm": "UR5"}
    x, y = Scale(0.1, 100, 150, 620), Scale(0, 5, 100, 275, linear=True)
    for mark in (0.1, 1, 10, 100):
        chart.segment(x(mark), y.low, x(mark), y.high, "grid")
        chart.text(x(mark), y.high + 18, number(mark), "dim", "middle")
    chart.text((x.low + x.high) / 2, y.high + 40, "ms a plan", "dim", "middle")
    columns = dict(zip(kinds, (700, 760, 820)))
    chart.text(760, 78, "paths of 7 that collide", "head", "middle")
    for kind, words in kinds.items():
        chart.text(columns[kind], 100, words.split()[-2] if " " in words else words, kind, "middle")
    for k, (scenario, cells) in enumerate(rows.items()):
        height = y(k + 1)
        chart.text(x.low - 14, height + 4, names[scenario], "", "end")
        chart.segment(x(first_number(cells[0])), height, x(first_number(cells[2])), height, "axis")
        for kind, cell, refuted in zip(kinds, cells, cells[3].split(",")):
            ms = first_number(cell)
            chart.mark(x(ms), height, kind)
            chart.text(x(ms), height - 10, number(ms), kind, "middle")
            chart.text(columns[kind], height + 4, f"{first_number(refuted):.0f}", f"{kind} head", "middle")
            if k == 3:
                chart.text(x(ms), height + 22, kinds[kind], kind, "middle")
    return chart.svg()


PLOTS = {"trees": trees, "growth": growth, "motions": motions, "plans": plans}


def main():
    words = sys.argv[1:]
    if words[:1] == ["--record"]:
        record(*words[1:])
    stale = []
    for name, draw in PLOTS.items():
        file, drawn = HERE / f"{name}.svg", draw()
        if "--check" not in words:
            file.write_text(drawn, encoding="utf-8")
        elif file.read_text(encoding="utf-8") != drawn:
            stale.append(name)
    if stale:
        sys.exit(f"not what their figures say: {', '.join(stale)}; run bench/plots/plots.py")


if __name__ == "__main__":
    main()
