#!/usr/bin/env python3
"""Checks that no function of planner_ccd/ is longer than 60 lines: it does one thing, and reads from top to bottom.

Counted are functions that begin in the first column, from their first line to the brace that closes them. Prints every longer one as
file:line: name (lines), and exits with 1 if there is any.
"""

import pathlib
import re
import subprocess
import sys

MOST = 60
HEAD = re.compile(r"^[A-Za-z_].*\)\s*(const|noexcept|override|\s)*\{\s*$")
LAST_OF_HEAD = re.compile(r"^\s+.*\)\s*(const|noexcept|override|\s)*\{\s*$")  # a head that clang-format broke
BEGIN_OF_HEAD = re.compile(r"^[A-Za-z_][^;{]*[(,]\s*[^;{]*$")

root = pathlib.Path(__file__).resolve().parents[2]


def lengths(text):
    """(line, its text, lines to the closing brace) of every function."""
    start = broken = None
    for number, line in enumerate(text.split("\n"), 1):
        if start is None and HEAD.match(line):
            start = number, line
        elif start is None and BEGIN_OF_HEAD.match(line):
            broken = number, line
        elif start is None and broken and LAST_OF_HEAD.match(line):
            start = broken
        elif line.startswith("}"):
            if start:
                yield start[0], start[1], number - start[0]
            start = broken = None
        elif start is None and (not line or line[0] != " "):
            broken = None


def main():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "planner_ccd/*.cpp", "planner_ccd/*.hpp"], cwd=root, check=True,
                            capture_output=True, text=True).stdout.split()
    files = [root / name for name in listed if (root / name).exists()]
    found = [(path, *one) for path in files for one in lengths(path.read_text(encoding="utf-8"))]
    if len(found) < 1000:
        sys.exit(f"only {len(found)} functions were found in planner_ccd/: this check does not know its code any more")
    long = [f"{path.relative_to(root)}:{line}: {head.split('(')[0].split()[-1]} ({count} lines)" for path, line, head, count in found if count > MOST]
    print("\n".join(long) if long else f"no function has more than {MOST} lines")
    return 1 if long else 0


sys.exit(main())
