#!/usr/bin/env python3
"""Generates motions with proved truth: python3 generate.py DIR [EDGES_A_CLASS] [CLASS...] [--jobs N]; README.md describes the
contents of DIR.

Each motion is either free, with a verified certificate for all of it, or a hit, with a time before which a verified
certificate proves it free and a time at which exact.py finds two bodies intersecting. Edges with neither are excluded.
Motions are drawn in blocks. What became of a block is a file in DIR/parts, and a run that was ended goes on behind the last one.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import math
import multiprocessing
import os
import pathlib

import numpy as np

import planner_ccd
import prover
import reader
import recipes
import worlds

KINDS = ("free", "hit", "brief")
MOST = 200  # draws for each edge wanted
COLUMNS = "id,class,world,truth,t_free,t_hit,a,b,how,start,middle,end,errors,offset"


def hexadecimal(x):
    """As C's %a writes it."""
    mantissa, p, exponent = float(x).hex().partition("p")
    return mantissa.rstrip("0").rstrip(".") + p + exponent if "." in mantissa else mantissa + p + exponent


def row(kind, name, motion, free, hit, bodies, how, offset):
    q = [" ".join(map(hexadecimal, x)) for x in motion.points]
    q.insert(1, "") if motion.degree == 1 else None
    q += ["" if x is None else " ".join(map(hexadecimal, x)) for x in (motion.errors, offset)]
    truth = ["free" if hit is None else "hit", hexadecimal(free), "" if hit is None else hexadecimal(hit), *(bodies or ("", "")), how or ""]
    return ",".join([kind, name, *truth, *q])


def rows_of(name, kind, motion, truth, tick):
    """Of a motion; and two grazing ones of a hit."""
    free, hit, bodies, how, offset = truth
    yield row("brief " + name if kind == "brief" else name, name, motion, *truth)
    if kind == "hit" and 0.0 < free and hit < 1.0 and hit - free < max(2.0**-10, 4.0 * tick):
        yield row("grazing " + name, name, motion.until(free), 1.0, None, None, None, None)
        floor = tick * max(0, math.floor(free / hit / tick) - 1)
        yield row("grazing " + name, name, motion.until(hit), floor, 1.0, bodies, how, offset)


def do_block(name, proofs, block, wanted):
    """Rows of a block, with its share of free motions, hits and brief hits, at most `wanted` of each kind."""
    points, errors = worlds.draw(name, proofs.robot, block)
    motions = [reader.Motion(p, None if errors is None else e) for p, e in zip(points, points[:, 0] if errors is None else errors)]
    if name != "nested":
        within = proofs.checker.in_contact(points[:, 0], threads=1)
        motions = [m for m, hit in zip(motions, within) if not hit]
    found = proofs.found(motions)
    known = [(m, f) for m, f in zip(motions, found) if f is not None]
    brief = iter(proofs.brief([m for m, f in known if f[1] is not None]))
    kinds = ["free" if f[1] is None else "brief" if next(brief) else "hit" for _, f in known]
    chosen = []
    for kind in KINDS:
        chosen += [i for i, k in enumerate(kinds) if k == kind][: wanted[kind]]
    chosen.sort()
    proofs.begin(block)
    truths = proofs.settle([known[i][0] for i in chosen], [known[i][1] for i in chosen])
    counts, rows = collections.Counter(), []
    for i, truth in zip(chosen, truths):
        counts[kinds[i] if truth is not None else "left out"] += 1
        if truth is not None:
            rows += rows_of(name, kinds[i], known[i][0], truth, proofs.tick)
    return {"counts": counts, "rows": rows}


def make_class(name, folder, parts, wanted):
    """All blocks of a class: what there is already is read."""
    proofs, counts, rows, block = prover.Prover(name, worlds.files_of(name, folder)), collections.Counter(), [], 0
    parts = parts / name
    parts.mkdir(parents=True, exist_ok=True)
    while min(counts[kind] for kind in KINDS) < wanted and block * worlds.BLOCK < MOST * wanted:
        file = parts / f"{block:06d}.json"
        if file.exists():
            done = json.loads(file.read_text())
        else:
            before = dict(proofs.certificates)
            done = do_block(name, proofs, block, {kind: wanted - counts[kind] for kind in KINDS})
            done["certificates"] = {k: n - before[k] for k, n in proofs.certificates.items()}
            unfinished = file.with_suffix(f".{os.getpid()}")
            unfinished.write_text(json.dumps(done))
            unfinished.replace(file)
        counts.update(done["counts"])
        counts.update(done["certificates"])
        rows += done["rows"]
        block += 1
    told = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS)
    print(f"{name}: {told} of {block * worlds.BLOCK}; {counts['left out']} left out for want of a proof; {counts['C++']} certificates, "
          f"{counts['Python']} seen by both verifiers", flush=True)
    return rows, about_world(name, proofs, folder)


def about_world(name, proofs, folder):
    """What suite.json says of a class."""
    files = proofs.files
    recipe = recipes.folder_of(files.recipe, folder) if files.recipe else None

    def place(path):
        for where, base in (("recipe", recipe), ("project", worlds.ROOT), ("suite", folder.resolve())):
            if base and path.resolve().is_relative_to(pathlib.Path(base).resolve()):
                return [where, str(path.resolve().relative_to(pathlib.Path(base).resolve()))]
        raise ValueError(path)

    given = {kind: getattr(files, kind) for kind in ("urdf", "srdf", "scene") if getattr(files, kind)}
    base = recipe or worlds.ROOT
    return {
        "joints": proofs.robot.joints,
        "files": {kind: place(path) for kind, path in given.items()},
        "sha256": {kind: sha256(path) for kind, path in given.items()},
        "packages": {k: str(pathlib.Path(v).relative_to(base)) for k, v in files.packages.items()},
        "recipe": files.recipe,
        "not checked": [[a, b] for a, b, _ in proofs.robot.excluded],
    }


def sha256(*files):
    digest = hashlib.sha256()
    for file in files:
        digest.update(pathlib.Path(file).read_bytes())
    return digest.hexdigest()


def version(wanted):
    """Of everything that the rows of a block depend on: parts made with anything else are not read."""
    modules = (prover, prover.exact, prover.verify, reader, recipes, worlds, planner_ccd._core)
    return f"{wanted}-{sha256(__file__, *(m.__file__ for m in modules))[:16]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", metavar="DIR", type=pathlib.Path)
    parser.add_argument("wanted", metavar="EDGES_A_CLASS", nargs="?", type=int, default=200)
    parser.add_argument("classes", metavar="CLASS", nargs="*", choices=[*worlds.CLASSES, []])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="classes at a time")
    options = parser.parse_args()
    folder, names = options.folder, []
    folder.mkdir(parents=True, exist_ok=True)
    for name in options.classes or worlds.CLASSES:
        if worlds.files_of(name, folder) is None:
            print(f"{name}: NOT MADE: its robot is not here; python3 recipes.py fetch {folder} {worlds.CLASSES[name][0]}")
        else:
            names.append(name)
    parts = folder / "parts" / version(options.wanted)
    about = {"format": 3, "generator": planner_ccd.__version__, "worlds": {}}
    number = 0
    with (open(folder / "edges.csv", "w", encoding="ascii") as out,
          concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=multiprocessing.get_context("spawn")) as pool):
        out.write(COLUMNS + "\n")
        made = [pool.submit(make_class, name, folder, parts, options.wanted) for name in names]
        for future in concurrent.futures.as_completed(made):
            if future.exception() is not None:
                pool.shutdown(cancel_futures=True)
                raise future.exception()
        for name, future in zip(names, made):
            rows, about["worlds"][name] = future.result()
            for line in rows:
                out.write(f"{number},{line}\n")
                number += 1
    about["edges"] = {"count": number, "sha256": sha256(folder / "edges.csv")}
    (folder / "suite.json").write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
