#!/usr/bin/env python3
"""Checks that includes point one way: a folder of planner_ccd/ may use itself and the folders before it in ORDER.

Also: quoted includes of the project are written from the root, exist, and no third-party loader reaches the core. A header that
is installed (public_headers of planner_ccd/CMakeLists.txt) includes others of them, Eigen and the standard library alone (in
adapters/ also what is adapted): users compile it with options of their own, so it may not reach the arithmetic of proofs
(math/rounding.hpp, math/interval.hpp, ...), which is not in that list. Run without arguments; prints every offence as file:line and exits with 1 if there is any.
"""

import pathlib
import re
import sys

ORDER = ("math geometry triangle_ccd hierarchy robot motion advancement scene moving_pairs first_look query validation roadmap certificate papers io adapters "
         "report viewer cli python").split()
# A certificate is checked by code that shares nothing with the search that wrote it.
FORBIDDEN = {"certificate/verif": ("advancement", "hierarchy")}
LOADERS = re.compile(r"^(urdf|assimp|yaml-cpp|nlohmann|tinyxml2|CLI)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')

root = pathlib.Path(__file__).resolve().parents[2]
PUBLIC = set(re.findall(r"^ *([\w/]+\.hpp)$", (root / "planner_ccd/CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE))
PUBLIC_ALSO = {"planner_ccd/version.hpp"}  # made by CMake
PROOFS = {"math/rounding.hpp", "math/interval.hpp", "math/tolerances.hpp"}
offences = []
if len(PUBLIC) < 30 or PUBLIC & PROOFS:
    offences.append("planner_ccd/CMakeLists.txt: public_headers is not the list of headers that users include")


def check(path, number, quote, target):
    where = f"{path.relative_to(root)}:{number}: "
    parts = path.relative_to(root).parts
    folder = parts[1] if parts[0] == "planner_ccd" and len(parts) > 2 else None
    if target.startswith("planner_ccd/"):
        if quote == '"' and not (root / target).exists() and target not in PUBLIC_ALSO:
            offences.append(where + f"{target} does not exist")
        used = target.split("/")[1]
        if folder and used in ORDER and ORDER.index(used) > ORDER.index(folder):
            offences.append(where + f"{folder}/ comes before {used}/ and may not include it")
        for prefix, banned in FORBIDDEN.items():
            if "/".join(parts[1:]).startswith(prefix) and used in banned:
                offences.append(where + f"{prefix}* shares no code with {used}/")
    elif quote == '"' and folder:
        offences.append(where + f'write "planner_ccd/{folder}/{target}", from the root')
    if folder and LOADERS.match(target) and ORDER.index(folder) < ORDER.index("io"):
        offences.append(where + f"the core may not use {target}; loaders belong to io/")
    if "/".join(parts[1:]) in PUBLIC:
        if target.startswith("planner_ccd/"):
            if target.removeprefix("planner_ccd/") not in PUBLIC and target not in PUBLIC_ALSO:
                offences.append(where + f"users include this header, and {target} is not installed (public_headers)")
        elif not re.match(r"(Eigen/)?\w+$", target) and not (folder == "adapters" and re.match("(ompl|fcl|urdf_model)/", target)):
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
