#!/usr/bin/env python3
"""old_names.py COMPILER OPTION...: every old name in old_names_test.cpp is a warning that says what it is now."""

import pathlib
import re
import subprocess
import sys

NEW = {"open": "undecided_pair", "PathReport": "TrajectoryResult", "without_inside": "open_surfaces", "xyz": "position",
       "without_robot": "drop_robot", "without_region": "drop_region"}

test = pathlib.Path(__file__).with_name("old_names_test.cpp")
done = subprocess.run([*sys.argv[1:], "-DSHOW_WARNINGS", "-Wdeprecated-declarations", "-fsyntax-only", test], capture_output=True, text=True)
if done.returncode:
    sys.exit(done.stderr)
for old, new in NEW.items():
    if not re.search(rf"old_names_test\.cpp:\d+:\d+: warning: .*\b{old}\b.*\bis now {new}\b", done.stderr):
        sys.exit(f"{old} does not warn that it is now {new}")
