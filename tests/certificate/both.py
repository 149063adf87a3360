#!/usr/bin/env python3
"""Both verifiers before the same files.

    both.py VERIFY.PY PLANNER_CCD_VERIFY true|false FOLDER     all certificates of the folder are, or none is, to be verified

What they say is claimed (--show) must be the same, letter by letter.
"""

import pathlib
import subprocess
import sys


def main(verify, program, word, folder):
    expected = {"true": 0, "false": 1}[word]
    files = sorted(pathlib.Path(folder).glob("*.pccd"))
    wrong = 0
    for file in files:
        claims = set()
        for command in ([program], [sys.executable, verify]):
            said = subprocess.run(command + [str(file), "--show"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            claims.add(said.stdout[said.stdout.find("CLAIM:"):].rstrip("\n").rpartition("\n")[0])
            if said.returncode != expected:
                wrong += 1
                print("%s: %s says %d: %s" % (file, command[-1], said.returncode, said.stdout.strip()[-300:]))
        if len(claims) != 1 or "PAIRS: " not in min(claims):
            wrong += 1
            print("%s: the claims are not told alike:\n%s" % (file, "\n---\n".join(claims)))
    print("%d certificates, %s by both verifiers, but for %d answers or claims" % (len(files), "accepted" if word == "true" else "refused", wrong))
    return 1 if wrong or len(files) < 8 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
