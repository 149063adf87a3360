#!/usr/bin/env python3
"""Checks that includes point one way: a folder of planner_ccd/ may use itself and the folders before it in ORDER.

Also: quoted includes of the project are written from the root, exist, and no third-party loader reaches the core or a
public header. Run without arguments; prints every offence as file:line and exits with 1 if there is any.
"""

import pathlib
import re
import sys

ORDER = ("math geometry triangle_ccd hierarchy robot motion advancement scene moving_pairs first_look query certificate papers io adapters "
         "python viewer cli").split()
# A certificate is checked by code that shares nothing with the search that wrote it.
FORBIDDEN = {"certificate/verif": ("advancement", "hierarchy")}
LOADERS = re.compile(r"^(urdf|assimp|yaml-cpp|nlohmann|tinyxml2|CLI)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')

root = pathlib.Path(__file__).resolve().parents[2]
offences = []


def check(path, number, quote, target):
    where = f"{path.relative_to(root)}:{number}: "
    parts = path.relative_to(root).parts
    folder = parts[1] if parts[0] == "planner_ccd" and len(parts) > 2 else None
    if target.startswith("planner_ccd/"):
        if quote == '"' and not (root / target).exists():
            offences.append(where + f"{target} does not exist")
        used = target.split("/")[1]
        if folder and used in ORDER and ORDER.index(used) > ORDER.index(folder):
            offences.append(where + f"{folder}/ comes before {used}/ and may not include it")
        for prefix, banned in FORBIDDEN.items():
            if "/".join(parts[1:]).startswith(prefix) and used in banned:
                offences.append(where + f"{prefix}* shares no code with {used}/")
    elif quote == '"' and folder:
        offences.append(where + f'write "planner_ccd/{folder}/{target}", from the root')
    if folder and LOADERS.match(target):
        if ORDER.index(folder) < ORDER.index("io"):
            offences.append(where + f"the core may not use {target}; loaders belong to io/")
        elif folder == "io" and path.suffix == ".hpp" and "detail" not in parts and not path.stem.endswith("_detail"):
            offences.append(where + f"{target} in a header that users include; keep it in a .cpp or in detail/")


for path in sorted((root / "planner_ccd").rglob("*.[hc]pp")):
    if len(path.relative_to(root).parts) > 2 and path.relative_to(root).parts[1] not in ORDER:
        offences.append(f"{path.relative_to(root)}: folder is not in ORDER of tests/lint/includes.py")
        continue
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            check(path, number, *match.groups())

print("\n".join(offences) if offences else "includes point one way")
sys.exit(1 if offences else 0)
