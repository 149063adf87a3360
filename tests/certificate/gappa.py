#!/usr/bin/env python3
"""Rounding bounds of the verifier's straight lines of code, proved by Gappa.

    gappa.py VERIFIER_FOLDER      77 where there is no gappa

Each claim quotes the code that it is about, which must stand in the file, and has a stronger one that is false, and must not be proved.
Rounding to nearest commutes with powers of 2 where nothing underflows, so that one binade stands for all; what underflows is off by
2^-1075, and 2^-300 is added.
"""

import pathlib
import shutil
import subprocess
import sys

HEAD = "@rnd = float<ieee_64, ne>;\n"
TINY = "t in [0, 1b-300]"


def series(odd):
    """p2 is what series(z, odd) computes, P2 what it would compute without rounding."""
    text, p, exact = HEAD, "1", "1"
    for n in range(18, 1, -2):
        text += "C%d = 1 / %d;\nc%d = rnd(C%d);\n" % (n, n * (n + odd), n, n)
        text += "p%d rnd= 1 - z * %s * c%d;\nP%d = 1 - z * %s * C%d;\n" % (n, p, n, n, exact, n)
        p, exact = "p%d" % n, "P%d" % n
    return text + "{ z in [0, 0.6401] -> |p2 - P2| <= 1b-51 }\n"


SERIES = ["double p = 1.0;", "for (int n = 18; n > 0; n -= 2) p = 1.0 - z * p * (1.0 / (n * (n + kOdd)));"]
CLAIMS = [
    # name, file, code, claim, what in it to change, to what: then it is false
    ("up is above what was rounded (down by symmetry)", "near.hpp",
     ["inline double up(double x) { return x + (std::abs(x) * 0x1p-51 + kTiny); }",
      "inline double down(double x) { return x - (std::abs(x) * 0x1p-51 + kTiny); }", "inline constexpr double kTiny = 0x1p-300;"],
     HEAD + """x = rnd(r);
v = rnd(x * 1b-51);
w = rnd(v + t);
u = rnd(x + w);
{ r in [1, 2] /\\ %s -> u - r >= 0 }
u - r -> (u - (x + w)) + (x - r) + w;
""" % TINY, "1b-51", "1b-54"),
    ("above is above what up to 30 roundings have left", "near.hpp",
     ["inline double above(double sum) { return sum * (1.0 + 0x1p-47) + kTiny; }"],
     HEAD + """x = r * (1 - e);
c = rnd(x * (1 + 1b-47));
y = rnd(c + t);
{ r in [1, 2] /\ e in [0, 31b-53] /\ %s -> y - r >= 0 }
y - r -> (y - (c + t)) + (c - x * (1 + 1b-47)) + r * ((1 - e) * (1 + 1b-47) - 1) + t;
""" % TINY, "31b-53", "1b-46"),
    # M, the sum of magnitudes, is at most 2, and so are the sums without signs.
    ("three products and their sum are rounded by less than 8 u of the sum of their magnitudes", "near.hpp",
     ["return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];",
      "return above(a.size() * (b.error + b.size() * 0x1p-50) + a.error * (b.size() + b.error));"],
     HEAD + """px = rnd(X);
py = rnd(Y);
pz = rnd(Z);
sxy = rnd(px + py);
s = rnd(sxy + pz);
M = |X| + |Y| + |Z|;
{ X in [-2, 2] /\ Y in [-2, 2] /\ Z in [-2, 2] /\ M in [1, 2] /\ |X + Y| <= 2 /\ |X + Y + Z| <= 2
  -> |s - (X + Y + Z)| <= 1b-50 }
px + py -> (px - X) + (py - Y) + (X + Y);
sxy + pz -> (sxy - (px + py)) + (px - X) + (py - Y) + (pz - Z) + (X + Y + Z);
s - (X + Y + Z) -> (s - (sxy + pz)) + (sxy - (px + py)) + (px - X) + (py - Y) + (pz - Z);
""", "1b-50", "1b-53"),
    ("an offset is rounded by less than 8 u of the sum of magnitudes, of a corner, a base and two edges", "volume.cpp",
     ["point[0] - base.x[0]", "off[k] -= s * edge.x[k];",
      "const double error = above(base.error + sizes * 0x1p-50);"],
     HEAD + """x = rnd(p - b);
y = rnd(E);
z = rnd(x - y);
w = rnd(F);
o = rnd(z - w);
{ |p| + |b| + |E| + |F| in [1, 2] /\ |p - b| <= 2 /\ |E| <= 2 /\ |F| <= 2 /\ |p - b - E| <= 2 /\ |p - b - E - F| <= 2
  -> |o - (p - b - E - F)| <= 1b-50 }
x - y -> (x - (p - b)) - (y - E) + (p - b - E);
z - w -> (z - (x - y)) + (x - (p - b)) - (y - E) - (w - F) + (p - b - E - F);
o - (p - b - E - F) -> (o - (z - w)) + (z - (x - y)) + (x - (p - b)) - (y - E) - (w - F);
""", "1b-50", "1b-53"),
    ("the series of a sine, rounded", "near.hpp", SERIES, series(1), "1b-51", "1b-54"),
    ("the series of a cosine, rounded", "near.hpp", SERIES, series(-1), "1b-51", "1b-54"),
    ("half of the square of a power of 2 is exact", "proof.cpp",
     ["const double half_square = 0.5 * t * t;", "gap_with(0.5 * h * h * r.second.at(va.reach))"],
     HEAD + "{ @FLT(h, 1) /\\ h in [1b-32, 1b-1] -> rnd(rnd(0.5 * h) * h) - 0.5 * h * h in [0, 0] }\n", "@FLT(h, 1)", "@FLT(h, 53)"),
]


def proved(script):
    try:
        return subprocess.run(["gappa"], input=script, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True,
                              timeout=120).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def main(folder):
    if shutil.which("gappa") is None:
        print("SKIPPED: the rounding bounds of the verifier are not proved, for there is no gappa (Debian: gappa)")
        return 77
    wrong = 0
    for name, file, code, claim, part, stronger in CLAIMS:
        source = " ".join((pathlib.Path(folder) / file).read_text(encoding="utf-8").split())
        for line in code:
            if line not in source:
                wrong += 1
                print("%s: the code that this is about is not in %s any more: %s" % (name, file, line))
        if not proved(claim):
            wrong += 1
            print("%s: not proved" % name)
        if part not in claim or proved(claim.replace(part, stronger)):
            wrong += 1
            print("%s: what is false is proved as well" % name)
    print("%d claims, %d wrong" % (len(CLAIMS), wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
