#!/usr/bin/env python3
"""assumptions.py ASSUMPTIONS.V OUTPUT: what coqc printed of each theorem, a line each: its name and the axioms that it rests on."""

import re
import sys


def main(asked, printed):
    names = re.findall(r"^Print Assumptions (\S+)\.$", open(asked).read(), re.M)
    blocks = re.split(r"^(?=Axioms:|Closed under the global context)", open(printed).read(), flags=re.M)
    if blocks[0].strip() or len(blocks) - 1 != len(names):
        sys.exit("assumptions.py: %d theorems, %d answers" % (len(names), len(blocks) - 1))
    for name, block in zip(names, blocks[1:]):
        axioms = re.findall(r"^([A-Za-z]\S*)\s*:?", block.split("\n", 1)[1], re.M)
        print("%s: %s" % (name, ", ".join(sorted(axioms)) or "no axiom"))


if __name__ == "__main__":
    main(*sys.argv[1:])
