#!/usr/bin/env python3
"""The verified checker and verify.py before the same certificates.

    verdicts.py VERIFIED_CHECKER ROOT [MUTATIONS]

The certificates are the corpus of the fuzz target and, where the release build has written them, the samples of the tests; and mutations of
the corpus: a byte, or eight that are a number, of the statement (whose SHA-256 is then made right) or of what follows it. The two
answers must be the same but for one difference that is known: verify.py also asks whether one body is inside of another. An answer of the verified checker that is more generous in any other way is an error in one of the two; one that is
stricter is too little precision.
"""

import hashlib
import importlib.util
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

FALSE = {"closed.pccd": "inside", "turns.pccd": "refuted"}  # of the corpus; the others are true


def load(path):
    spec = importlib.util.spec_from_file_location("verify", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def second_opinion(verify, path):
    try:
        verify.verify([str(path)])
        return 0, ""
    except verify.Refuted as why:
        return 1, str(why)
    except (verify.Unreadable, OSError, MemoryError) as why:
        return 2, str(why)


def statement_end(verify, path):
    reader = verify.Reader(str(path))
    verify.read_statement(reader)
    return path.stat().st_size - reader.left


def mutate(data, end, draw):
    data = bytearray(data)
    at = draw.randrange(44, len(data))
    if draw.random() < 0.4 and at + 8 <= len(data):
        value, = struct.unpack_from("<d", data, at)
        struct.pack_into("<d", data, at, draw.choice((value * 2, value + 0.1, -value, 0.0, 1.0)) if abs(value) < 1e6 else 0.5)
    else:
        data[at] = draw.choice((data[at] ^ (1 << draw.randrange(8)), draw.randrange(256)))
    data[12:44] = hashlib.sha256(data[44:end]).digest()
    return bytes(data)


def ask(checker, files):
    """Their exit codes, one process for all."""
    said = subprocess.run([checker] + [str(f) for f in files], stdout=subprocess.PIPE, text=True).stdout.splitlines()
    words = {"accepted": 0, "refuted": 1, "unreadable": 2}
    return [words[line.split(": ")[1]] for line in said]


def main(checker, root, mutations="200"):
    root = pathlib.Path(root)
    verify = load(root / "planner_ccd/certificate/verify.py")
    corpus = sorted((root / "tests/fuzz/corpus/certificate").glob("*.pccd"))
    samples = sorted((root / "build/release/tests/certificate/samples").glob("*.pccd"))
    wrong = 0
    for file, code in zip(corpus + samples, ask(checker, corpus + samples)):
        expected = 1 if FALSE.get(file.name) == "refuted" else 0
        if code != expected:
            wrong += 1
            print("%s: %d instead of %d" % (file, code, expected))
    draw = random.Random(29)
    tally = {}
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for k in range(int(mutations)):
            file = draw.choice([f for f in corpus if FALSE.get(f.name) != "refuted"])
            path = pathlib.Path(folder) / ("%d_%s" % (k, file.name))
            path.write_bytes(mutate(file.read_bytes(), statement_end(verify, file), draw))
            files.append(path)
        for path, code in zip(files, ask(checker, files)):
            other, why = second_opinion(verify, path)
            inside = "is not proved to be outside of" in why
            tally[code, "inside" if inside else other] = tally.get((code, "inside" if inside else other), 0) + 1
            if (code == 0) != (other == 0) and not (code == 0 and inside):
                wrong += 1
                print("%s: %d, verify.py says %d: %s" % (path.name, code, other, why))
    print("%d certificates and %s mutations, %d answers that differ; (verified checker, verify.py): %s" %
          (len(corpus + samples), mutations, wrong, ", ".join("%s %d" % x for x in sorted(tally.items(), key=str))))
    return 1 if wrong or len(corpus) < 6 or not tally.get((1, 1)) or not tally.get((0, 0)) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
