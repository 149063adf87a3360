"""report.html, report.json and not_free.csv: what a campaign found, and what it did not look at."""

import collections
import csv
import decimal
import html
import io
import json

import numpy as np

from . import shards, work
from .merge import Status, ranges
from .shards import CONTACT, FREE, UNDECIDED, VERDICTS, Store, write_whole

_LISTED = 1000  # contacts on the page and in the JSON; not_free.csv has all
_LEAST = 10  # clearances of each run
_COLUMNS = ["edge", "verdict", "run", "sample", "motion", "number", "t_free", "t", "distance", "a", "b"]


def write(plan, folder):
    """Writes the three files and returns what is in the JSON."""
    store = Store(folder)
    status = Status(plan, store)
    tally = _Tally(plan)
    write_whole(store.folder / "not_free.csv", lambda file: _list(plan, store, status, tally, file))
    told = tally.told(status)
    told["assumptions"] = _assumptions(plan)
    write_whole(store.folder / "report.json", json.dumps(told, indent=1).encode() + b"\n")
    write_whole(store.folder / "report.html", _page(told).encode())
    return told


def _list(plan, store, status, tally, file):
    text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for shard in status.done:
        name = plan.name(shard)
        head, columns = store.read(name)
        tally.time(shard, store.note("times", name))
        first, count = plan.range_of(shard)
        names = [*head["names"], ""]
        begin = 0
        for piece in plan.pieces(first, count):
            verdicts = columns["verdict"][begin : begin + piece.count]
            tally.piece(piece, verdicts)
            tally.nearest(piece, first, begin, columns, names)
            run = plan.campaign.runs[piece.run]
            low, high = np.searchsorted(columns["index"], [begin, begin + piece.count])
            for i in range(low, high):
                at = int(columns["index"][i])
                row = [first + at, VERDICTS[int(columns["verdict"][at])], run.name, piece.sample]
                row += [run.motions[piece.motion][0], piece.first + at - begin]
                t = float(columns["t"][i])
                row += [float(columns["t_free"][i])]
                row += ["", ""] if t != t else [t, float(columns["distance"][i])]
                row += [names[columns["a"][i]], names[columns["b"][i]]]
                rows.writerow(row)
                tally.row(row)
            begin += piece.count
    text.detach()


class _Tally:
    def __init__(self, plan):
        self._plan = plan
        self._by_motion = collections.defaultdict(lambda: np.zeros(4, dtype=np.int64))
        self._by_sample = collections.Counter()
        self._pairs, self._near = {}, {}
        self._times, self._listed = {}, []

    def piece(self, piece, verdicts):
        counts = np.bincount(verdicts, minlength=4)
        self._by_motion[piece.run, piece.motion] += counts
        if counts[FREE] < len(verdicts):
            self._by_sample[piece.run, piece.sample] += len(verdicts) - int(counts[FREE])

    def nearest(self, piece, first, begin, columns, names):
        """`begin`: of the piece in the shard, whose first edge is `first`."""
        near = columns.get("near", np.empty(0))
        i = int(np.searchsorted(near, begin))
        if i == len(near) or near[i] >= begin + piece.count:
            return
        lower, upper, t = (float(columns["near_" + name][i]) for name in ("lower", "upper", "t"))
        a, b = names[columns["near_a"][i]], names[columns["near_b"][i]]
        at, key = int(near[i]), (piece.run, piece.sample, piece.motion)
        found = lower, upper, first + at, piece.first + at - begin, t, a, b
        if np.isfinite(lower):  # infinite: nothing is checked against anything
            self._near[key] = min(self._near.get(key, found), found)

    def _least(self, r):
        """Of a run, by motion of a sample, the edges that come nearest."""
        told = []
        for (q, sample, m), (lower, upper, edge, number, t, a, b) in self._near.items():
            if q == r:
                known = {"upper": upper, "t": t, "a": a, "b": b} if a else {"upper": None, "t": None, "a": "", "b": ""}
                motion = self._plan.campaign.runs[r].motions[m][0]
                told.append({"lower": lower, **known, "sample": sample, "motion": motion, "number": number, "edge": edge})
        return sorted(told, key=lambda row: (row["lower"], row["upper"] is None, row["upper"], row["edge"]))[:_LEAST]

    def row(self, row):
        row = dict(zip(_COLUMNS, row))
        if len(self._listed) < _LISTED:
            self._listed.append(row)
        if row["a"]:
            pair = self._pairs.setdefault((row["a"], row["b"]), {"edges": 0, "first": row})
            pair["edges"] += 1

    def time(self, shard, times):
        if times is not None:
            self._times[shard] = times

    def told(self, status):
        plan = self._plan
        runs, totals = [], np.zeros(4, dtype=np.int64)
        for r, run in enumerate(plan.campaign.runs):
            motions = []
            for m, (name, spec) in enumerate(run.motions):
                counts = self._by_motion[r, m]
                totals += counts
                motions.append({"name": name, "edges": spec["edges"] * run.samples, **_counts(counts)})
                motions[-1]["not looked at"] = motions[-1]["edges"] - int(counts.sum())
            worst = [(s, n) for (q, s), n in self._by_sample.items() if q == r]
            worst.sort(key=lambda item: (-item[1], item[0]))
            told = {"name": run.name, "samples": run.samples, "motions": motions}
            if run.spec["perturbation"] is not None:
                told["samples not free"] = len(worst)
                told["worst samples"] = [{"sample": s, "edges not free": n} for s, n in worst[:10]]
            if "clearance" in run.spec["options"]:
                told["least clearances"] = self._least(r)
            runs.append(told)
        missing = plan.edges - int(totals.sum())
        verdict = "free"
        if missing or status.others:
            verdict = "incomplete"
        elif totals[UNDECIDED]:
            verdict = "undecided"
        if totals[CONTACT]:
            verdict = "contact"
        seconds = sorted(t["seconds"] for t in self._times.values())
        pairs = sorted(self._pairs.items(), key=lambda item: (-item[1]["edges"], item[0]))
        return {
            "campaign": plan.campaign.name,
            "verdict": verdict,
            "edges": plan.edges,
            "verdicts": _counts(totals),
            "not looked at": missing,
            "missing": status.problems(),
            "shards": {"planned": plan.shards, "done": len(status.done), "missing": ranges(status.missing)},
            "runs": runs,
            "pairs": [{"a": a, "b": b, **rest} for (a, b), rest in pairs],
            "not free": self._listed,
            "not free, all": "not_free.csv",
            "seconds": {
                "total": sum(seconds),
                "processor": sum(t["processor"] for t in self._times.values()),
                "checking": sum(t["checking"] for t in self._times.values()),
                "least": seconds[0] if seconds else None,
                "median": seconds[len(seconds) // 2] if seconds else None,
                "most": seconds[-1] if seconds else None,
                "shards": [[shard, t["seconds"], t["host"]] for shard, t in sorted(self._times.items())],
            },
        }


def _counts(counts):
    return {word: int(counts[number]) for number, word in VERDICTS.items()}


def _assumptions(plan):
    """What every answer relies on, by run."""
    inputs = work.Inputs(plan.campaign.bundle)
    told = {}
    for run in plan.campaign.runs:
        spec = {**run.spec, "options": {**run.spec["options"], "cell_evaluations": 0}}
        checker, _ = inputs.checker(spec, 0)
        told[run.name] = [repr(a)[len("<planner_ccd.Assumption: ") : -1] for a in checker.assumptions]
    return told


_STYLE = """body{font:15px sans-serif;max-width:70em;margin:2em auto;padding:0 1em}table{border-collapse:collapse;margin:1em 0}
td,th{border:1px solid #bbb;padding:.2em .6em;text-align:right}th{background:#eee}.free{color:#060}.contact{color:#a00}
.undecided,.incomplete{color:#960}"""


def _page(told):
    name = html.escape(told["campaign"])
    out = [f"<!doctype html><meta charset=utf-8><title>{name}</title><style>{_STYLE}</style><h1>{name}</h1>"]
    out.append(f"<h2 class={told['verdict']}>{told['verdict']}</h2>")
    counts = ", ".join(f"{n} {word}" for word, n in told["verdicts"].items())
    out.append(f"<p>{told['edges']} edges: {counts}, {told['not looked at']} not looked at.")
    out.extend(f"<p class=incomplete>{html.escape(line)}" for line in told["missing"])
    rows = [
        [run["name"], run["samples"], *(motion[k] for k in ("name", "edges", *VERDICTS.values(), "not looked at"))]
        for run in told["runs"]
        for motion in run["motions"]
    ]
    out.append(_table("Runs", ["run", "samples", "motion", "edges", *VERDICTS.values(), "not looked at"], rows))
    rows = [
        [run["name"], f"{run['samples not free']} of {run['samples']}", w["sample"], w["edges not free"]]
        for run in told["runs"]
        for w in run.get("worst samples", [])
    ]
    out.append(_table("Worst perturbations", ["run", "samples not free", "sample", "edges not free"], rows))
    out.append(_least_clearances(told["runs"]))
    rows = [[p["a"], p["b"], p["edges"], p["first"]["edge"], f"{p['first']['t']:.6g}"] for p in told["pairs"]]
    out.append(_table("Pairs in contact", ["a", "b", "edges", "first edge", "t"], rows))
    rows = [[row[k] for k in _COLUMNS] for row in told["not free"]]
    title = f"Not free: the first {len(rows)}, all in not_free.csv" if rows else "Not free"
    out.append(_table(title, _COLUMNS, rows))
    rows = [[s, f"{seconds:.3f}", host] for s, seconds, host in told["seconds"]["shards"][:_LISTED]]
    out.append(_table(f"Time per shard, {told['seconds']['total']:.1f} s in all", ["shard", "seconds", "host"], rows))
    for run, lines in told["assumptions"].items():
        items = "".join(f"<li>{html.escape(line)}" for line in lines)
        out.append(f"<h3>What the answers of {html.escape(run)} rely on</h3><ul>{items}</ul>")
    return "\n".join(out) + "\n"


_ABOUT_LEAST = """<p>Metres; of each motion of each sample the free edge with the least bounds, ten of a run. Lower bound: proved, at
no time on any free edge of that motion looked at does anything come nearer. Upper bound: a and b come as near as this at t. Edges that are not
free are not in it; margins and errors of poses are not subtracted."""


def _least_clearances(runs):
    columns = ["run", "sample", "motion", "number", "edge", "lower", "upper", "t", "a", "b"]
    rows = []
    for run in runs:
        for row in run.get("least clearances", []):
            told = {**row, "run": run["name"], "lower": _rounded(row["lower"], decimal.ROUND_FLOOR)}
            told["upper"] = "" if row["upper"] is None else _rounded(row["upper"], decimal.ROUND_CEILING)
            told["t"] = "" if row["t"] is None else f"{row['t']:.6g}"
            rows.append([told[column] for column in columns])
    table = _table("Least clearances", columns, rows)
    return table and table + "\n" + _ABOUT_LEAST


def _rounded(metres, way):
    """To micrometres, so that a bound stays one."""
    return decimal.Decimal(metres).quantize(decimal.Decimal("1e-6"), way)


def _table(title, columns, rows):
    if not rows:
        return ""
    head = "".join(f"<th>{html.escape(c)}" for c in columns)
    body = "\n".join("<tr>" + "".join(f"<td>{html.escape(str(v))}" for v in row) for row in rows)
    return f"<h3>{html.escape(title)}</h3><table><tr>{head}\n{body}</table>"
