#!/usr/bin/env python3
"""What is around a verifier: how it is compiled, what it takes, what it says.

    options.py PLANNER_CCD_VERIFY COMPILER

With -ffast-math or -Ofast the C++ verifier, compiled by hand, took numbers that are none; verify.py said "verified" of a colliding motion
whose leaves it had not all computed.
"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "forged"))
from pccd import ROOT, SPLIT_TIME, slider  # noqa: E402

VERIFY = str(ROOT / "planner_ccd/certificate/verify.py")
failed = []


def expect(what, holds, told=""):
    if not holds:
        failed.append(what)
        print("%s: FAILED %s" % (what, told))


def run(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def compiled(compiler):
    source = ["-x", "c++", str(ROOT / "planner_ccd/certificate/verifier/near.hpp")]
    for option in ("-Ofast", "-ffast-math", "-ffinite-math-only", "-fassociative-math -fno-signed-zeros -fno-trapping-math",
                   "-freciprocal-math", "-fno-signed-zeros"):
        code, said = run(compiler, "-std=c++20", "-I", str(ROOT), *option.split(), "-fsyntax-only", *source)
        if "clang" not in run(compiler, "--version")[1] or option in ("-Ofast", "-ffast-math", "-ffinite-math-only"):
            expect("compiled with " + option, code != 0 and "what is no number" in said, said)
    for option in ("-O0", "-O3", "-O2 -fno-fast-math"):
        code, said = run(compiler, "-std=c++20", "-I", str(ROOT), *option.split(), "-fsyntax-only", *source)
        expect("compiled with " + option, code == 0, said)


def asked(program):
    with tempfile.TemporaryDirectory() as folder:
        file, given = pathlib.Path(folder, "x.pccd"), pathlib.Path(folder, "robot.urdf")
        c = slider(0.0, 1.5)  # its first half is free, the second goes through the wall
        c.proof = SPLIT_TIME + 2 * c.proof
        given.write_bytes(b"<robot/>")
        c.inputs.append(("robot", "robot.urdf", b"<robot/>"))
        file.write_bytes(c.bytes())
        code, said = run(sys.executable, VERIFY, str(file), "--sample", "2")
        expect("a sample says nothing of the rest", code == 3 and "NOT VERIFIED" in said and "verified" not in said, said)
        expect("all leaves", run(sys.executable, VERIFY, str(file))[0] == 1)
        c = slider()
        c.inputs.append(("robot", "robot.urdf", b"<robot/>"))
        file.write_bytes(c.bytes())
        for sample in ("1", "2"):
            code, said = run(sys.executable, VERIFY, str(file), "--sample", sample)
            expect("a sample of every %s. leaf" % sample, code == 3 and "NOT VERIFIED" in said, said)
        for verifier in ([program], [sys.executable, VERIFY]):
            for role, right in (("--input", 0), ("--robot", 0), ("--scene", 1)):
                code, said = run(*verifier, str(file), role, str(given))
                expect("%s %s" % (verifier[-1], role), code == right and (right == 0 or "is not the file 'scene'" in said), said)
            code, said = run(*verifier, str(file), "--input", str(file))
            expect("%s of another file" % verifier[-1], code == 1 and "that is meant" in said, said)
            expect("%s of no file" % verifier[-1], run(*verifier, str(file), "--input", folder + "/none")[0] == 2)
            expect("%s without a file" % verifier[-1], run(*verifier)[0] == 2)
            expect("%s and an option that is none" % verifier[-1], run(*verifier, str(file), "--unchecked")[0] == 2)


if __name__ == "__main__":
    asked(sys.argv[1])
    compiled(sys.argv[2])
    print("%d expectations failed" % len(failed))
    sys.exit(1 if failed else 0)
