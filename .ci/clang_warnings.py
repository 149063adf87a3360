#!/usr/bin/env python3
"""clang_warnings.py BUILD FOLDER: clang's warnings for the sources in a folder of planner_ccd/, as errors if the build tree (of a
preset with clang) has them so. Nothing is generated: an interpreter without sanitizers could not load it.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

build, folder = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
root = pathlib.Path(__file__).resolve().parents[1]
entries = [e for e in json.loads((build / "compile_commands.json").read_text())
           if pathlib.Path(e["file"]).parent == root / "planner_ccd" / folder]
commands = [re.sub(r"^.*?(\S*clang\+\+\S*) (.*) -o \S+ -c ", r"\1 \2 -fsyntax-only ", e["command"]) for e in entries]
headers = sorted({m for c in commands for m in re.findall(r"-include-pch -Xclang (\S+)", c)})
if not commands or any("-fsyntax-only" not in c for c in commands):
    sys.exit(f"{build} does not compile planner_ccd/{folder} with clang")
if headers:
    subprocess.run(["ninja", "-C", build, *[os.path.relpath(h, build) for h in headers]], check=True)
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    failed = sum(pool.map(lambda c: subprocess.run(c, shell=True, cwd=build).returncode != 0, commands))
print(f"planner_ccd/{folder}: {len(commands)} files, {failed} with warnings")
sys.exit(1 if failed else 0)
