#!/usr/bin/env python3
"""Checks that the code behind what is stored and later believed does not change without a decision about its version.

Versions stand in planner_ccd/math/stored_versions.hpp. stored_versions.txt holds a hash of every source that one of them rests on, comments and
layout left out, and the versions it was recorded with. When a hash differs, this fails until the change is recorded:

    tests/lint/stored_versions.py --record                      the versions were raised: what was stored before is refused from now on
    tests/lint/stored_versions.py --record --unchanged REASON   what was stored before is as true as it was, and REASON says why

Raise a version when bytes of before would be read as something else, or when what they say would not be proved today.
"""

import argparse
import ast
import hashlib
import pathlib
import re
import sys

HEADER = "planner_ccd/math/stored_versions.hpp"
TABLE = "tests/lint/stored_versions.txt"
CORE = "math geometry triangle_ccd hierarchy robot motion advancement scene moving_pairs"
# By version: folders of planner_ccd/ whose sources all count, and what in them does not.
FOLDERS = {"cells": CORE.split(), "verdicts": (CORE + " first_look query validation").split()}
OUTSIDE = {
    "cells": "scene/obstacle scene/obstacle_tree scene/object_rules scene/swept_box scene/body_volumes scene/grain_field scene/volumes "
             "scene/single scene/same_scene moving_pairs/moving_pairs "
             "motion/segment_part motion/trajectory_merge robot/mount advancement/search_method".split(),
    "verdicts": "validation/cloud_filters validation/deviation validation/suggest_pairs validation/timeline validation/tracking_limit "
                "validation/detail/world_events validation/moving_frame "
                "motion/segment_part motion/trajectory_merge robot/mount".split(),
}
# By version: sources that count, with a word those of a pattern that hold it.
ALONE = {
    "pickles": ["python/archive.hpp", "python/*.[hc]pp:describe(", "python/content.cpp", "geometry/shape.hpp", "math/verdict.hpp",
                "validation/assumptions.hpp", "validation/finding.hpp", "robot/collision_matrix.hpp", "robot/robot_spec.hpp"],
    "shards": ["python/planner_ccd/campaign/" + name + ".py"
               for name in ("certificates", "clearances", "config", "inputs", "motions", "perturbations", "shards", "work")],
    "certificates": ["certificate/verifier/*.[hc]pp", "certificate/verify.py"],
}
# The verifiers share nothing with the library, and so each says for itself which version it reads.
VERIFIERS = {"planner_ccd/certificate/verifier/model.cpp": r"version = in\.u32\(\); version != (\d+)\)",
             "planner_ccd/certificate/verify.py": r'if r\.one\("I"\) != (\d+):'}
INCLUDE = re.compile(r'^\s*#\s*include\s*"(planner_ccd/[^"]+)"', re.MULTILINE)
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|\d[\w\'.]*|\w+|\s+|.', re.DOTALL)


def code_of(path):
    """Its code without comments and layout."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        tree = ast.parse(text)
        for node in ast.walk(tree):  # docstrings are comments
            if hasattr(node, "body") and isinstance(node.body, list):
                node.body = [s for s in node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))] or [ast.Pass()]
        return ast.dump(tree)
    tokens = [t for t in TOKEN.findall(text) if not t.isspace() and not t.startswith(("//", "/*"))]
    return "\n".join(tokens).replace('"\n"', "")  # a text may be broken anywhere


def sources(root):
    """By name of a source: its hash and the versions that rest on it."""
    top, files = root / "planner_ccd", {}
    for version, folders in FOLDERS.items():
        outside = {top / name for name in OUTSIDE[version]}
        for folder in folders:
            for file in (top / folder).rglob("*.[hc]pp"):
                if file.with_suffix("") not in outside and file != root / HEADER:
                    files.setdefault(file, set()).add(version)
    for version, patterns in ALONE.items():
        for pattern in patterns:
            name, _, word = pattern.partition(":")
            for file in top.glob(name):
                if word in file.read_text(encoding="utf-8"):
                    files.setdefault(file, set()).add(version)
    return {file.relative_to(root).as_posix(): (hashlib.sha256(code_of(file).encode()).hexdigest()[:16], rest) for file, rest in files.items()}


def leaks(root, found):
    """Sources that count and include what does not."""
    for name, (_, rest) in sorted(found.items()):
        included = INCLUDE.findall((root / name).read_text(encoding="utf-8"))
        for version in sorted(rest & set(OUTSIDE)):
            for header in included:
                if header.removeprefix("planner_ccd/").removesuffix(".hpp") in OUTSIDE[version]:
                    yield f"{name}: includes {header}, which stored_versions.py leaves out of '{version}'"


def versions(root):
    text = (root / HEADER).read_text(encoding="utf-8")
    return {name.lower(): int(number) for name, number in re.findall(r"constexpr int k(\w+)\s*=\s*(\d+);", text)}


def read_table(root):
    """By name of a source: hash, versions, reason."""
    table = {}
    for line in (root / TABLE).read_text(encoding="utf-8").splitlines() if (root / TABLE).exists() else []:
        fields, _, reason = line.partition(" | ")
        if line and not line.startswith("#"):
            name, digest, *numbers = fields.split()
            table[name] = digest, {k: int(v) for k, v in (n.split("=") for n in numbers)}, reason
    return table


def changes(found, table):
    """Name, why, and the versions that rest on it, of each source that is not as recorded."""
    for name in sorted(set(found) | set(table)):
        digest, rest = found.get(name, (None, set()))
        old, recorded, _ = table.get(name, (None, {}, ""))
        if digest != old or rest != set(recorded):
            why = "new" if old is None else "no longer there" if digest is None else "changed" if digest != old else "rests elsewhere"
            yield name, why, rest | set(recorded)


def offences(root):
    now = versions(root)
    if set(now) != set(FOLDERS) | set(ALONE):
        yield f"{HEADER}: its versions are not those that stored_versions.py knows"
        return
    for name, pattern in VERIFIERS.items():
        told = re.search(pattern, (root / name).read_text(encoding="utf-8"))
        if told is None or int(told[1]) != now["certificates"]:
            yield f"{name}: reads another version of certificates than {HEADER} writes"
    found = sources(root)
    yield from leaks(root, found)
    changed = list(changes(found, read_table(root)))
    for name, why, rest in changed:
        yield f"{name}: {why}; behind what is stored as: {', '.join(sorted(rest))}"
    if changed:
        yield (f"Raise the versions in {HEADER} if what was stored before may be wrong or is read otherwise, and run\n"
               f"  tests/lint/stored_versions.py --record\nor, where it is as true as it was,\n"
               f'  tests/lint/stored_versions.py --record --unchanged "why"')


def record(root, unchanged):
    """Writes the table; returns what stands in the way."""
    found, table, now = sources(root), read_table(root), versions(root)
    for name, why, rest in list(changes(found, table)):
        recorded = table.get(name, (None, {}, ""))[1]
        same = [v for v in sorted(rest) if recorded.get(v) == now[v]]
        if why == "changed" and same and not unchanged:
            return f"{name}: changed, and the version of {', '.join(same)} was not raised since; raise it, or say --unchanged REASON"
        table.pop(name, None)
        if name in found:
            table[name] = found[name][0], {v: now[v] for v in found[name][1]}, unchanged or ""
    lines = ["# Written by stored_versions.py: sources of what is stored, the hash of their code, the versions they were recorded with, and why no"
             " version was raised."]
    for name, (digest, numbers, reason) in sorted(table.items()):
        told = " ".join(f"{v}={n}" for v, n in sorted(numbers.items()))
        lines.append(f"{name} {digest} {told}" + (f" | {reason}" if reason else ""))
    (root / TABLE).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--unchanged", metavar="REASON")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    given = parser.parse_args()
    if given.unchanged is not None and (not given.record or len(given.unchanged.split()) < 3):
        parser.error("--unchanged REASON goes with --record, and REASON is a sentence")
    found = [record(given.root, given.unchanged)] if given.record else []
    found = [f for f in found if f] or list(offences(given.root))
    print("\n".join(found) if found else "what is stored names the version of what it rests on")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
