#!/usr/bin/env python3
"""Forgeries written by hand: each certificate states something false, or asks for what no file may, in a way that a verifier could miss.

    forged.py VERIFY.PY PLANNER_CCD_VERIFY

The bodies of all of them are one triangle or a few, so that what is false can be seen. Both verifiers must give the answer that stands
beside each: 1 refuted, or 2 unreadable; of the last ones, which differ from a forgery in what made it false alone, 0.
"""

import hashlib
import math
import resource
import struct
import subprocess
import sys
import tempfile

NONE = 0xFFFFFFFF
STILL = (1.0, 0.0, 0.0, 0.0)
MEMORY = 1 << 30  # bytes that a verifier may ask for


def text(words):
    return struct.pack("<H", len(words)) + words.encode()


def many(items):
    return struct.pack("<I", len(items)) + b"".join(items)


def rotation(axis, curve, multiplier=1.0, offset=0.0):
    return struct.pack("<B3dI2d", 1, *axis, curve, multiplier, offset)


def translation(axis, curve, multiplier=1.0, offset=0.0):
    return struct.pack("<B3dI2d", 0, *axis, curve, multiplier, offset)


def body(parent, shift=(0.0, 0.0, 0.0), moves=()):
    return struct.pack("<I7dB", parent, *STILL, *shift, len(moves)) + b"".join(moves)


def collider(name, on, vertices, primitives, sources=((0, 0.0),), closed=0):
    """primitives: three vertices, source, closed surface."""
    return (text(name) + struct.pack("<IB", on, 1) + many([struct.pack("<3d", *v) for v in vertices]) +
            many([struct.pack("<Bd", *s) + text("") for s in sources]) + struct.pack("<I", closed) +
            many([struct.pack("<5I", *p) for p in primitives]))


def segment(curves):
    """Of each curve its coefficients; no tubes."""
    return struct.pack("<2d", 0.0, 1.0) + b"".join(struct.pack("<B%ddd" % len(c), len(c) - 1, *c, 0.0) for c in curves)


def ball(radius):
    """The volume of a whole collider: a point at its center."""
    return struct.pack("<3d", 0.0, 0.0, 0.0) + struct.pack("<B4f", 0, radius, 0.0, 0.0, 0.0)


PRIMITIVE = struct.pack("<3dB", 0.0, 0.0, 0.0, 3)  # the only one


def leaf(*n):
    return struct.pack("<B3d", 1, *n)


def certificate(bodies, colliders, curves, volumes, proof, units=(0, 1), pairs=((0, 1, 0.0),)):
    statement = (text("by hand") + text("a forgery") + struct.pack("<d", 0.0) +
                 many([text("q%d" % i) + struct.pack("<2d", -math.inf, math.inf) for i in range(len(curves))]) +
                 struct.pack("<I", 0) + many(bodies) + many(colliders) + many([struct.pack("<2Id", *p) for p in pairs]) +
                 many([]) + many([]) + many([]) + many([segment(curves)]))
    return (b"PCCDCERT" + struct.pack("<I", 1) + hashlib.sha256(statement).digest() + statement + b"".join(volumes) +
            struct.pack("<2Q", *units) + proof)


def triangle(x):
    return [(x, -0.1, -0.1), (x, 0.1, -0.1), (x, 0.0, 0.1)]


ONE = [(0, 1, 2, 0, NONE)]


def slider(way, proof=leaf(-1.0, 0.0, 0.0)):
    """A triangle at x = 0 is moved along x by `way`; another one stands at x = 1."""
    return certificate([body(0, moves=[translation((1.0, 0.0, 0.0), 0)])],
                       [collider("moved", 1, triangle(0.0), ONE), collider("wall", 0, triangle(1.0), ONE)],
                       [(0.0, way)], [PRIMITIVE, PRIMITIVE], proof)


def boxes_beside_a_wall(way):
    """The wall comes first in the file, and a triangle moves on from x = 0.2; the one leaf is boxes."""
    return certificate([body(0, moves=[translation((1.0, 0.0, 0.0), 0)])],
                       [collider("wall", 0, triangle(1.0), ONE), collider("moved", 1, triangle(0.2), ONE)],
                       [(0.0, way)], [PRIMITIVE, PRIMITIVE], struct.pack("<B", 5))


def turned_away(turns, value):
    """A chain of so many turns, each by an angle so large that nothing is known of it, and a triangle at the end, which may be anywhere.
    Intervals of poses grow at each of them, past all numbers that there are."""
    chain = [body(i, (0.1, 0.0, 0.0), [rotation((0.6, 0.0, 0.8), 0), rotation((0.0, 1.0, 0.0), 0)]) for i in range(turns)]
    return certificate(chain, [collider("hand", turns, triangle(0.0), ONE), collider("wall", 0, triangle(0.0), ONE)],
                       [(value,)], [PRIMITIVE, PRIMITIVE], leaf(1.0, 0.0, 0.0))


def tetrahedron(size, at):
    x, y, z = at
    corners = [(x - size, y - size, z - size), (x + 3 * size, y - size, z - size), (x - size, y + 3 * size, z - size),
               (x - size, y - size, z + 3 * size)]
    return corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def swallowed(third):
    """A body of two parts, a rod far away and a triangle in the middle of a closed tetrahedron. A rod has two ends; where a third vertex
    of it, that means nothing, is one of the triangle's, the two parts could be taken for one."""
    corners, faces = tetrahedron(1.0, (0.0, 0.0, 0.0))
    vertices = [(x * 0.1, y * 0.1, z * 0.1) for x, y, z in triangle(0.0)] + [(9.0, 0.0, 0.0), (9.0, 0.0, 1.0)]
    two = collider("two parts", 1, vertices, [(0, 1, 2, 0, NONE), (3, 4, third, 1, NONE)], ((0, 0.0), (1, 0.01)))
    shell = collider("shell", 0, corners, [(*f, 0, 0) for f in faces], closed=1)

    def split(first, *parts):
        return struct.pack("<3dB4fI", 0.0, 0.0, 0.0, 4, 100.0, 0.0, 0.0, 0.0, first) + b"".join(parts)

    bare = struct.pack("<B", 3)
    pair = struct.pack("<B4fI", 4, 100.0, 0.0, 0.0, 0.0, 1) + bare + bare
    faces_apart = struct.pack("<B4fI", 4, 100.0, 0.0, 0.0, 0.0, 3) + bare + bare
    volumes = [split(1, bare, bare), split(2, pair, faces_apart)]
    # Faces: x + y + z = 1 is the last one, the others lie in z = -1, y = -1, x = -1.
    outward = [(0.0, 0.0, -1.0), (0.0, -1.0, 0.0), (-1.0, 0.0, 0.0), (1.0, 1.0, 1.0)]
    step_a, step_b = struct.pack("<B", 2), struct.pack("<B", 3)

    def against_faces(directions):
        a, b, c, d = [leaf(*n) for n in directions]
        return step_b + step_b + a + b + step_b + c + d

    rod = [(1.0, 0.0, 0.0)] * 4
    towards_rod = [tuple(-k for k in n) for n in rod]
    return certificate([body(0)], [two, shell], [], volumes, step_a + against_faces(outward) + against_faces(towards_rod))


def closed_surfaces(count):
    return certificate([body(0)], [collider("many", 1, triangle(0.0), ONE, closed=count), collider("wall", 0, triangle(1.0), ONE)],
                       [], [PRIMITIVE, PRIMITIVE], leaf(1.0, 0.0, 0.0))


CASES = [
    # name, certificate, the answers that are right
    ("a free slide", slider(0.5, leaf(1.0, 0.0, 0.0)), (0,)),
    ("a slide into the wall", slider(1.5, leaf(1.0, 0.0, 0.0)), (1,)),
    ("a slide to the wall exactly", slider(1.0, leaf(1.0, 0.0, 0.0)), (1,)),
    ("boxes beside a wall", boxes_beside_a_wall(0.5), (0,)),
    ("boxes that reach the wall", boxes_beside_a_wall(1.3), (1,)),
    ("no direction", slider(0.5, leaf(0.0, 0.0, 0.0)), (1,)),
    ("a direction of almost nothing", slider(1.5, leaf(5e-324, 0.0, 0.0)), (1,)),
    ("a chain of 200 turns by 1e12", turned_away(200, 1e12), (1, 2)),
    ("a chain of 290 turns by 1e12", turned_away(290, 1e12), (1, 2)),
    ("a chain of 2000 turns by 1e12", turned_away(2000, 1e12), (1, 2)),
    ("a part within a closed body", swallowed(4), (1,)),
    ("a part within a closed body, tied to a rod", swallowed(0), (1, 2)),
    ("4e9 closed surfaces", closed_surfaces(0xFFFFFFFE), (2,)),
]


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def answer_of(command, path):
    return subprocess.run(command + [path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limited, text=True)


def main(verify, program):
    wrong = 0
    with tempfile.NamedTemporaryFile(suffix=".pccd") as out:
        for name, data, right in CASES:
            out.seek(0)
            out.truncate()
            out.write(data)
            out.flush()
            for command in ([program], [sys.executable, verify]):
                said = answer_of(command, out.name)
                if said.returncode not in right:
                    wrong += 1
                    print("%s: %s says %d: %s" % (name, command[-1], said.returncode, said.stdout.strip()[-300:]))
                else:
                    print("%s: %d" % (name, said.returncode), said.stdout.strip()[:150])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
