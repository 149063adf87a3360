#!/usr/bin/env python3
"""Checks that roundoffs and rounding factors are defined only in math/rounding.hpp and math/tolerances.hpp.

An offence is a power of two from 2^-1 to 2^-99 as a hexadecimal literal, in the library or the papers: pads of certified
numbers must be multiples of a constant of tolerances.hpp. Smaller ones guard against underflow. Prints every offence as file:line and
exits with 1 if there is any.
"""

import pathlib
import re
import sys

ROUNDOFF = re.compile(r"\b0x1p-\d{1,2}f?\b")
HOMES = {"math/rounding.hpp", "math/tolerances.hpp"}
NO_PROOFS = {"viewer", "cli", "python", "io"}
VERIFIER = "certificate/verifier/"  # shares nothing with the library, constants included

root = pathlib.Path(__file__).resolve().parents[2] / "planner_ccd"
offences = []
for path in sorted(root.rglob("*.[hc]pp")):
    name = path.relative_to(root)
    if name.as_posix() in HOMES or name.parts[0] in NO_PROOFS or name.as_posix().startswith(VERIFIER):
        continue
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for literal in ROUNDOFF.findall(line):
            offences.append(f"planner_ccd/{name}:{number}: {literal} belongs to math/tolerances.hpp; name what it is a multiple of")

print("\n".join(offences) if offences else "constants stand in math/tolerances.hpp")
sys.exit(1 if offences else 0)
