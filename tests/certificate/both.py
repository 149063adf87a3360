#!/usr/bin/env python3
"""Both verifiers before the same files.

    both.py VERIFY.PY PLANNER_CCD_VERIFY true|false FOLDER     all certificates of the folder are, or none is, to be verified
"""

import pathlib
import subprocess
import sys


def main(verify, program, word, folder):
    expected = {"true": 0, "false": 1}[word]
    files = sorted(pathlib.Path(folder).glob("*.pccd"))
    wrong = 0
    for file in files:
        for command in ([program], [sys.executable, verify]):
            said = subprocess.run(command + [str(file)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if said.returncode != expected:
                wrong += 1
                print("%s: %s says %d: %s" % (file, command[-1], said.returncode, said.stdout.strip()[-300:]))
    print("%d certificates, %s by both verifiers, but for %d answers" % (len(files), "accepted" if word == "true" else "refused", wrong))
    return 1 if wrong or len(files) < 8 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
