#!/usr/bin/env python3
"""Certificates that were tampered with, before both verifiers.

    tamper.py VERIFY.PY PLANNER_CCD_VERIFY COUNT FILE.pccd... [--seed N] [--seconds N]

Each mutation changes a certificate and makes its SHA-256 good again, as a forger would. What it may do:

  proof      directions, steps, volumes, units: the statement stays what it was, which is true; accepted means that the changed proof is
             one as well (a direction has some freedom)
  statement  a number of the statement: accepted means that the old proof proves the new statement too
  planted    a vertex of a body is put onto a vertex of another one, at some instant: the statement is false, and must be refused
  dropped    a pair is taken from the list of pairs, or a unit from the proofs: unproved, must be refused
  text       a byte of the statement: texts, counts, indices, kinds
  hash       one bit without a new SHA-256: must be refused or unreadable

Both verifiers must give one answer, and none may end otherwise than by 0, 1 or 2. Prints how many of each kind were accepted; fails
when a false or unproved claim was accepted, the verifiers differ, or a kind was never refused (a test that cannot fail). Several
programs with seeds of their own share a campaign; each ends after so many seconds, whatever COUNT is.
"""

import argparse
import hashlib
import importlib.util
import random
import struct
import subprocess
import sys
import tempfile
import time


def load(path):
    spec = importlib.util.spec_from_file_location("verify", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Marks:
    """Where the parts of a certificate lie: the verifier's own reader, watched."""

    def __init__(self, verify, path):
        self.data = open(path, "rb").read()
        self.numbers, self.vertices, self.pairs = [], [], []
        reader = verify.Reader(path)
        size = len(self.data)
        original_numbers, original_collider = reader.numbers, verify.read_collider

        def numbers(form, *limits):
            at = size - reader.left
            if form.endswith("d"):
                self.numbers += [at + 8 * i for i in range(struct.calcsize("<" + form) // 8)]
            return original_numbers(form, *limits)

        def collider(r, s):
            begin = size - r.left
            c = original_collider(r, s)
            at = begin + 2 + struct.unpack_from("<H", self.data, begin)[0] + 5  # name, body, kind
            self.vertices.append((at + 4, len(c["vertices"])))
            self.pair_list = size - r.left  # follows the last one
            return c

        reader.numbers, verify.read_collider = numbers, collider
        try:
            self.statement = verify.read_statement(reader)
        finally:
            verify.read_collider = original_collider
        self.end_of_statement = size - reader.left
        self.in_statement = [at for at in self.numbers if at < self.end_of_statement]
        verify.read_volumes(reader, self.statement)
        self.proofs = size - reader.left


def rehash(data, end):
    data[12:44] = hashlib.sha256(data[44:end]).digest()
    return bytes(data)


def mutate_proof(m, rng, verify):
    data = bytearray(m.data)
    how = rng.randrange(5)
    first = m.proofs + 16
    if how == 0:  # any byte of the proofs
        data[rng.randrange(first, len(data))] = rng.randrange(256)
    elif how == 1:  # a step: drop some bytes, or say some twice
        at, n = rng.randrange(first, len(data)), rng.choice([1, 7, 8])
        if rng.random() < 0.5:
            del data[at:at + n]
        else:
            data[at:at] = data[at:at + n]
    elif how == 2:  # a volume
        at = rng.randrange(m.end_of_statement, m.proofs)
        data[at] ^= 1 << rng.randrange(8)
    elif how == 3:  # steps change places
        i, k = sorted(rng.sample(range(first, len(data) - 7), 2)) if len(data) - 7 - first > 1 else (first, first)
        data[i:i + 7], data[k:k + 7] = data[k:k + 7], data[i:i + 7]
    else:  # a leaf's direction, turned round
        at = rng.randrange(first, max(first + 1, len(data) - 6))
        for i in range(at, min(at + 6, len(data))):
            data[i] ^= 0xFF
    return bytes(data), False


def mutate_statement(m, rng, verify):
    data = bytearray(m.data)
    at = rng.choice(m.in_statement)
    x = struct.unpack_from("<d", data, at)[0]
    y = rng.choice([-x, x * rng.uniform(0.5, 2.0), x + rng.uniform(-1, 1), x + rng.gauss(0, 1e-3), 0.0, x + 10.0])
    struct.pack_into("<d", data, at, y)
    return rehash(data, m.end_of_statement), False


def mutate_planted(m, rng, verify):
    """At u the vertex v of A is where in B's frame? There a vertex of B is put."""
    s = m.statement
    a, b, _ = rng.choice(s["pairs"])
    segment = rng.randrange(len(s["segments"]))
    t = rng.randrange((1 << 31) + 1)
    ca, cb = s["colliders"][a], s["colliders"][b]
    (R, p), _ = verify.Motion(s, segment).relative(ca["body"], cb["body"], t, t)
    corners, source, _ = rng.choice(ca["primitives"])
    v = ca["vertices"][corners[0]]
    place = verify.plus([verify.dot(row, v) for row in R[0]], p[0])
    onto = rng.choice(cb["primitives"])[0][0]
    data = bytearray(m.data)
    for k in range(3):
        struct.pack_into("<d", data, m.vertices[b][0] + 24 * onto + 8 * k, sum(place[k]) / 2.0 / verify.ONE)
    # Rounded to doubles, the two vertices are a hair apart: with a margin, or a ball, that is a contact still; else a margin of
    # 1 mm for the pair makes it one.
    index = [i for i, q in enumerate(s["pairs"]) if q[:2] == (a, b)][0]
    at = m.pair_list + 4 + 16 * index + 8
    struct.pack_into("<d", data, at, max(1e-3, struct.unpack_from("<d", data, at)[0]))
    return rehash(data, m.end_of_statement), True


def mutate_dropped(m, rng, verify):
    data = bytearray(m.data)
    if rng.random() < 0.5:  # a pair
        n = len(m.statement["pairs"])
        i = rng.randrange(n)
        del data[m.pair_list + 4 + 16 * i:m.pair_list + 20 + 16 * i]
        struct.pack_into("<I", data, m.pair_list, n - 1)
        return rehash(data, m.end_of_statement - 16), True
    first, last = struct.unpack_from("<2Q", data, m.proofs)  # a unit, said not to be there
    struct.pack_into("<2Q", data, m.proofs, *rng.choice([(first, last - 1), (first + 1, last), (last, last)]))
    return bytes(data), True


def mutate_text(m, rng, verify):
    data = bytearray(m.data)
    data[rng.randrange(44, m.end_of_statement)] = rng.randrange(256)
    return rehash(data, m.end_of_statement), False


def mutate_hash(m, rng, verify):
    data = bytearray(m.data)
    data[rng.randrange(m.end_of_statement)] ^= 1 << rng.randrange(8)
    return bytes(data), True


KINDS = {"proof": mutate_proof, "statement": mutate_statement, "planted": mutate_planted, "dropped": mutate_dropped, "text": mutate_text, "hash": mutate_hash}


def python_answer(verify, path):
    try:
        verify.verify([path])
    except verify.Refuted:
        return 1
    except verify.Unreadable:
        return 2
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("verify")
    parser.add_argument("program")
    parser.add_argument("count", type=int)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    chosen = parser.parse_args()
    verify, rng, end = load(chosen.verify), random.Random(chosen.seed), time.monotonic() + chosen.seconds
    program, files = chosen.program, chosen.files
    for f in files:
        if python_answer(verify, f) != 0 or subprocess.run([program, f], stdout=subprocess.DEVNULL).returncode != 0:
            print(f + ": refused as it was written")
            return 1
    marks = [Marks(verify, f) for f in files]
    tally, wrong = {kind: [0, 0, 0] for kind in KINDS}, 0
    with tempfile.NamedTemporaryFile(suffix=".pccd") as out:
        for i in range(chosen.count):
            if time.monotonic() > end:
                print("out of time after %d mutations" % i)
                break
            kind = list(KINDS)[i % len(KINDS)]
            m = marks[rng.randrange(len(marks))]
            data, false = KINDS[kind](m, rng, verify)
            if data == m.data:
                continue
            out.seek(0)
            out.truncate()
            out.write(data)
            out.flush()
            answer = subprocess.run([program, out.name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
            second = python_answer(verify, out.name)
            if answer not in (0, 1, 2) or answer != second or (false and answer == 0):
                wrong += 1
                kept = "/tmp/tampered_%s_%d_%d.pccd" % (kind, chosen.seed, i)
                open(kept, "wb").write(data)
                print("mutation %d (%s): %s says %d, verify.py says %d; kept as %s" % (i, kind, program, answer, second, kept))
                if answer not in (0, 1, 2):
                    continue
            tally[kind][answer] += 1
    for kind, (accepted, refuted, unreadable) in tally.items():
        print("%-10s accepted %5d refuted %5d unreadable %5d" % (kind, accepted, refuted, unreadable))
        if refuted + unreadable == 0:
            wrong += 1
            print(kind + ": none was refused; the test is not one")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
