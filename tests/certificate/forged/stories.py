"""Forgeries: what each claims, what is true, and how the verifiers must answer. STORIES.md is made of this."""

import math
import struct

from pccd import (BOXES, NONE, ROTATION, SHIFT, SPLIT_A, SPLIT_B, SPLIT_TIME, STILL, TURN, X, Y, Z, Body, Certificate, Collider, arm,
                  beside_a_box, cube, cube_collider, floater, in_a_box, leaf, line, move, slider, text, triangle)

STORIES = []  # chapter, claimed, true, check, maker; a check: what the refusal says, or ("told", what --show says...), or "honest"
chapter = ""


def row(claimed, true, check, maker):
    STORIES.append((chapter, claimed, true, check, maker))


def changed(certificate, how):
    how(certificate)
    return certificate


APART = "not proved apart"
chapter = "Motion"
row("a slide by 0.5 m ends before a wall at 1 m", "so it does", "honest", slider)
row("a slide by 1.5 m ends before the wall", "it goes through it", APART, lambda: slider(0.0, 1.5))
row("a slide by 1 m ends before the wall", "it touches it at the end", APART, lambda: slider(0.0, 1.0))
row("a slide from the wall back", "it touches it at the begin", APART, lambda: slider(1.0, -0.5))
row("a slide that ends where it began", "in between it is at 1.2 m", APART, lambda: slider(0.0, 4.8, -4.8))
row("the same, of degree 4", "at u = 1/2 alone it is at the wall", APART, lambda: slider(0.0, 0.0, 16.0, -32.0, 16.0))
row("a slide by 0.999 m", "the arm may be 2 mm off the curve", APART, lambda: slider(0.0, 0.999, tube=0.002))
row("a slide by 1.5e-12 of its curve", "times 1e12", APART, lambda: slider(0.0, 1.5e-12, multiplier=1e12))
row("a slide by 0.5 m", "from an offset of 0.6 m", APART, lambda: slider(0.0, 0.5, offset=0.6))
row("a slide by 0.5 m, 0.6 m from the wall", "it is 0.5 m away at the end", APART, lambda: slider(0.0, 0.5, margin=0.6))
row("a margin for the pair of exactly what is left", "more than that is claimed", APART, lambda: slider(0.0, 0.5, margin=0.5))
row("no direction separates", "a proof needs one", APART, lambda: changed(slider(), lambda c: setattr(c, "proof", leaf(0.0, 0.0, 0.0))))
row("a direction of 5e-324", "nothing is left of it after rounding", APART,
    lambda: changed(slider(0.0, 1.5), lambda c: setattr(c, "proof", leaf(5e-324, 0.0, 0.0))))
row("a direction of 1e12, by which rounding grows", "the hand passes the wall by 1e-15 m", APART,
    lambda: changed(slider(0.0, 1.0 + 1e-15), lambda c: setattr(c, "proof", leaf(1e12, 1.0, 1.0))))


def boxes_beside_a_wall(way):
    """The wall comes first in the file, and a triangle moves on from x = 0.2."""
    c = Certificate([Body(moves=[move(SHIFT, X)])], [triangle("wall", 0, 1.0), triangle("hand", 1, 0.2)], [([line(0.0, way)], [])])
    c.proof = BOXES
    return c


row("boxes that the motion stays in are apart", "so they are", "honest", lambda: boxes_beside_a_wall(0.5))
row("boxes that the motion stays in are apart", "it goes through the wall", APART, lambda: boxes_beside_a_wall(1.3))


def wheel(*angle, axis=Z):
    """A triangle at x = 1 is turned about z; a wall stands at x = -1."""
    c = Certificate([Body(moves=[move(ROTATION, axis)])], [triangle("hand", 1, 1.0), triangle("wall", 0, -1.0)], [([line(*angle)], [])])
    c.proof = leaf(-1.0, 0.0, 0.0)
    return c


row("a quarter of a turn, away from a wall behind", "so it is", "honest", lambda: wheel(0.0, 0.1))
row("a whole turn ends where it began", "it sweeps the wall behind", APART, lambda: wheel(0.0, 2 * math.pi))
row("a turn by 1e12", "nothing is known of where it ends", APART, lambda: wheel(1e12))
row("a turn about another axis, from the proof of one by 0.1", "it sweeps the wall", APART, lambda: wheel(0.0, 3.2, axis=(0.0, 0.6, 0.8)))


def turned_away(turns):
    """A chain of turns by 1e12, and a triangle at the end, which may be anywhere: intervals of poses grow at each, past all numbers."""
    chain = [Body(i, (0.1, 0.0, 0.0), moves=[move(ROTATION, (0.6, 0.0, 0.8)), move(ROTATION, Y)]) for i in range(turns)]
    c = Certificate(chain, [triangle("hand", turns, 0.0), triangle("wall", 0, 0.0)], [([line(1e12)], [])])
    c.proof = leaf(1.0, 0.0, 0.0)
    return c


row("a chain of 99 turns by 1e12 is away from a wall", "it may be anywhere", APART, lambda: turned_away(99))
row("a chain of 290 turns by 1e12 is away from a wall", "it may be anywhere", "more than 300 bodies and moves", lambda: turned_away(290))
row("the same, of 2000", "a leaf would cost 6000 steps", "more than 300 bodies and moves", lambda: turned_away(2000))
row("the child of a turned arm keeps off", "its parent turns it into the wall", APART,
    lambda: changed(arm(), lambda c: c.segments[1][0].__setitem__(0, line(0.6, -3.0))))
row("a mimic joint follows by 0.5", "it follows by -40", APART, lambda: changed(arm(), lambda c: c.bodies[1].moves[0].__setitem__(3, -40.0)))
row("a joint is placed where the proof has it", "the post stands where the hand is at the end", APART,
    lambda: changed(arm(), lambda c: setattr(c.colliders[3], "vertices", [(0.55, 0.5, 0.0), (0.55, 0.5, 1.0)])))
row("a drone turns about z", "it flies through the wall", APART, lambda: changed(floater(), lambda c: c.segments[1][0].__setitem__(0, line(0.3, 0.9))))
row("a drone turns from an orientation that has no bearing", "its arm then sweeps the wall", APART,
    lambda: changed(floater(), lambda c: setattr(c.colliders[0], "vertices", [(8 * x, y, z) for x, y, z in c.colliders[0].vertices])))

chapter = "Proof"
row("both halves of the time are proved", "the second is missing", "ends too early",
    lambda: changed(slider(), lambda c: setattr(c, "proof", SPLIT_TIME + c.proof)))
row("the first half of the time is enough", "the second goes through the wall", APART,
    lambda: changed(slider(0.0, 1.5), lambda c: setattr(c, "proof", SPLIT_TIME + 2 * c.proof)))
row("a proof, and more behind it", "what follows belongs to no unit", "something follows", lambda: changed(slider(), lambda c: setattr(c, "behind", b"\0")))
row("a triangle is split", "it has no parts", "split that has no parts", lambda: changed(slider(), lambda c: setattr(c, "proof", SPLIT_A)))
row("the other triangle is split", "it has no parts", "split that has no parts", lambda: changed(slider(), lambda c: setattr(c, "proof", SPLIT_B)))
row("time is split 32 times", "an instant would be left, and no interval", "split too often",
    lambda: changed(slider(), lambda c: setattr(c, "proof", 32 * SPLIT_TIME + 33 * c.proof)))
row("a step of kind 6", "there is none", "no known kind", lambda: changed(slider(), lambda c: setattr(c, "proof", b"\x06")))
row("a direction that is no number", "no direction separates", "beyond its limits", lambda: changed(slider(), lambda c: setattr(c, "proof", leaf(math.nan, 1.0, 0.0))))
row("two units", "there is one", "units that do not exist", lambda: changed(slider(), lambda c: setattr(c, "units", (0, 2))))
row("units from 1 to 0", "that is none", "units that do not exist", lambda: changed(slider(), lambda c: setattr(c, "units", (1, 0))))
row("no unit is proved", "one is stated", "unit 0 of 1 is not proved",
    lambda: changed(slider(), lambda c: (setattr(c, "units", (1, 1)), setattr(c, "proof", b""))))
row("the last segment is left to another part", "there is none", "is not proved", lambda: changed(floater(), lambda c: (setattr(c, "units", (0, 1)), setattr(c, "proof", c.proof[:7]))))
row("two parts, each of all units", "each unit must be proved once", "is proved twice", lambda: [slider(), slider()])
row("two parts of one motion", "the second states another one", "states something else", lambda: [slider(), slider(0.0, 0.4)])

chapter = "Volumes"


def with_tree(certificate, index, tree):
    certificate.colliders[index].tree = tree
    return certificate


def ball(radius, *center, kind=0, edges=()):
    return struct.pack("<B4f", kind, radius, *(center or (0.0, 0.0, 0.0))) + struct.pack("<%df" % len(edges), *edges)


row("a ball of 0.1 m holds the hand", "its corners are 0.141 m away", "does not hold", lambda: with_tree(slider(), 0, ball(0.1)))
row("a ball holds the hand, to the last bit of what it needs", "rounding must not decide", "does not hold",
    lambda: with_tree(slider(), 0, ball(0.14142133)))
row("a ball holds the hand", "it lies beside it", "does not hold", lambda: with_tree(slider(), 0, ball(0.2, -0.5, 0.0, 0.0)))
row("a bar of 1e12 m holds the hand and reaches no wall", "it does", APART,
    lambda: with_tree(slider(), 0, ball(0.2, kind=1, edges=(1e12, 0.0, 0.0))))
row("a bar of two edges that cancel each other", "a parallelogram is more than its far corner", APART,
    lambda: with_tree(slider(), 0, ball(0.2, kind=2, edges=(9.0, 0.0, 0.0, -9.0, 0.0, 0.0))))
row("a split hands on both parts", "one of them has nothing", "is split badly",
    lambda: with_tree(beside_a_box(), 0, ball(9.0, kind=4) + struct.pack("<I", 0)))
row("a split hands on both parts", "the second begins behind the last primitive", "is split badly",
    lambda: with_tree(beside_a_box(), 0, ball(9.0, kind=4) + struct.pack("<I", 12)))
row("12 triangles are one primitive", "they are 12", "has more than one", lambda: with_tree(beside_a_box(), 0, b"\3"))
row("a ball of radius -1 m", "it holds nothing", "beyond its limits", lambda: with_tree(slider(), 0, ball(-1.0)))
row("a ball of a radius that is no number", "it holds nothing", "beyond its limits", lambda: with_tree(slider(), 0, ball(math.nan)))
row("a volume of kind 7", "there is none", "no known kind", lambda: with_tree(slider(), 0, b"\7"))
row("a ball holds a fat triangle", "it holds the thin one alone", "does not hold",
    lambda: with_tree(changed(slider(), lambda c: c.colliders[0].sources[0].__setitem__(1, 0.1)), 0, ball(0.2)))


def rod(radius):
    c = slider()
    c.colliders[0] = Collider("hand", 1, [(0.0, 0.0, 0.0), (0.1, 0.0, 0.0)], [[0, 1, 1, 0, NONE]], [(1, radius)])
    return c


row("a cylinder reaches as far as its axis", "it is as wide as the wall is away", APART,
    lambda: changed(rod(0.6), lambda c: setattr(c.colliders[0], "vertices", [(0.0, 0.0, 0.0), (0.0, 0.1, 0.0)])))
row("a ball holds a cylinder", "it holds its axis alone", "does not hold", lambda: with_tree(rod(0.2), 0, ball(0.15)))

chapter = "Pairs"
row("hand and wall are all that there is", "a post is in no pair", "neither checked nor excluded",
    lambda: changed(arm(), lambda c: c.pairs.pop()))
row("a pair is proved, and again", "it stands in the place of another one", "a pair is there twice",
    lambda: changed(arm(), lambda c: c.pairs.__setitem__(1, list(c.pairs[0]))))
row("a pair, and the same the other way round", "it stands in the place of another one", "a pair is there twice",
    lambda: changed(arm(), lambda c: c.pairs.__setitem__(1, [c.pairs[0][1], c.pairs[0][0], 0.01])))
row("a pair is checked", "and said not to be", "a pair is there twice", lambda: changed(arm(), lambda c: c.excluded.append([0, 2, "never"])))
row("wall and post are apart", "they are one rigid body, and that says nothing", "a pair is of one body",
    lambda: changed(arm(), lambda c: c.pairs.append([2, 3, 0.0])))
row("nothing meets", "no pair is stated", "this proves nothing",
    lambda: changed(slider(), lambda c: (c.pairs.clear(), c.excluded.append([0, 1, "never"]), setattr(c, "proof", b""))))
row("all pairs keep 1 m", "each has a margin of its own, which is 1 cm", ("told", "other margin, 0.01: 'hand' and 'wall'"),
    lambda: changed(arm(), lambda c: setattr(c, "margin", 1.0)))
row("hand and wall are apart", "the hand goes through the wall, and the pair is not checked", ("told", "not checked: 'hand' and 'wall', 'never'"),
    lambda: changed(arm(), lambda c: (c.pairs.pop(0), c.excluded.append([0, 2, "never"]), c.segments[1][0].__setitem__(0, line(0.6, 0.3)), c.prove())))
row("hand and wall are more than 0.01 m apart", "their margin is 0.0099999996 m",
    ("told", "are more than 0.0099999996 m apart"), lambda: slider(margin=0.0099999996))

chapter = "Numbers and bytes"
LIMITS = "beyond its limits"
row("this very statement", "a bit of its SHA-256 is another one", "was altered", lambda: changed(slider(), lambda c: setattr(c, "digest", b"\0" * 32)))
row("a certificate", "it begins with other letters", "this is no certificate", lambda: changed(slider(), lambda c: setattr(c, "magic", b"PCCDCERS")))
row("version 2", "no verifier knows what it means", "version of the format", lambda: changed(slider(), lambda c: setattr(c, "version", 2)))
row("a margin of -1 m", "that is none", LIMITS, lambda: slider(margin=-1.0))
row("a margin that is no number", "every comparison with it fails", LIMITS, lambda: slider(margin=math.nan))
row("a margin that is infinite", "nothing is so far away", LIMITS, lambda: slider(margin=math.inf))
row("a coefficient that is no number", "the hand is nowhere", LIMITS, lambda: slider(0.0, math.nan))
row("a coefficient of 1e300", "its square is infinite", LIMITS, lambda: slider(0.0, 1e300))
row("a tube of -2 m", "it makes room where there is none", LIMITS, lambda: slider(0.0, 1.5, tube=-2.0))
row("a multiplier that is no number", "the hand is nowhere", LIMITS, lambda: slider(multiplier=math.nan))
row("a vertex that is no number", "the wall is nowhere", LIMITS, lambda: changed(slider(), lambda c: c.colliders[1].vertices.__setitem__(0, (math.nan, 0.0, 0.0))))
row("a ball of radius -0.6 m is taken from the wall", "it is at 1 m", LIMITS, lambda: changed(slider(0.0, 1.5), lambda c: c.colliders[1].sources[0].__setitem__(1, -0.6)))
row("a limit that is no number", "nobody can tell it", LIMITS, lambda: changed(slider(), lambda c: c.curves.__setitem__(0, ("q0", math.nan, 1.0))))
row("a curve of degree 6", "five is the highest", "degree", lambda: slider(0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0))
row("an axis of 0", "nothing moves along it", "an axis is zero", lambda: changed(slider(), lambda c: c.bodies[0].moves[0].__setitem__(1, (0.0, 0.0, 0.0))))
row("an axis of 9e-7", "too short for its direction to be sure", "an axis is zero", lambda: changed(slider(), lambda c: c.bodies[0].moves[0].__setitem__(1, (9e-7, 0.0, 0.0))))
row("an axis of 1e-6", "just long enough", "honest", lambda: changed(slider(), lambda c: c.bodies[0].moves[0].__setitem__(1, (1e-6, 0.0, 0.0))))
row("a quaternion of 0", "it turns into nothing", "a quaternion is zero", lambda: changed(slider(), lambda c: setattr(c.bodies[0], "quaternion", (0.0,) * 4)))
row("a quaternion of 9e-4", "too short", "a quaternion is zero", lambda: changed(slider(), lambda c: setattr(c.bodies[0], "quaternion", (9e-4, 0.0, 0.0, 0.0))))
row("a quaternion of 1e3", "its direction is what counts", "honest", lambda: changed(slider(), lambda c: setattr(c.bodies[0], "quaternion", (1e3, 0.0, 0.0, 0.0))))
row("the proof of a body that is not turned", "it is turned about z, towards the wall", APART,
    lambda: changed(slider(), lambda c: (setattr(c.bodies[0], "quaternion", (0.0, 0.0, 0.0, 1.0)), c.segments.__setitem__(0, ([line(0.0, -1.5)], [])))))
row("a move of kind 3", "there is none", "no known kind", lambda: changed(slider(), lambda c: c.bodies[0].moves[0].__setitem__(0, 3)))
row("a turn of number 1", "there is one, of number 0", "index is out of range", lambda: changed(floater(), lambda c: c.bodies[0].moves[1].__setitem__(1, 1)))
row("a curve of number 7", "there is one, of number 0", "index is out of range", lambda: changed(slider(), lambda c: c.bodies[0].moves[0].__setitem__(2, 7)))
row("a body on itself", "it is nowhere", "index is out of range", lambda: changed(slider(), lambda c: setattr(c.bodies[0], "parent", 1)))
row("a triangle of a vertex that is not there", "it is nowhere", "index is out of range", lambda: changed(slider(), lambda c: c.colliders[0].primitives[0].__setitem__(0, 3)))
row("a collider of nothing", "nothing is anywhere", "has no primitives", lambda: changed(slider(), lambda c: (c.colliders[0].primitives.clear(), setattr(c.colliders[0], "tree", b"\3"))))
row("no motion", "nothing is proved of none", "no motion", lambda: changed(slider(), lambda c: c.segments.clear()))
row("a cylinder of no length", "it has no axis", "too short to have an axis", lambda: changed(rod(0.1), lambda c: c.colliders[0].vertices.__setitem__(1, (1e-9, 0.0, 0.0))))
row("100,001 turns", "more than any verifier holds", "beyond the limit of 100000", lambda: changed(slider(), lambda c: setattr(c, "turns", 100001)))
row("2 million notes", "each would take 32 bytes, and is of none", "texts are beyond the limit", lambda: changed(slider(), lambda c: setattr(c, "notes", [""] * 2_000_000)))
row("20,001 colliders", "each two would be looked at", "beyond the limit of 20000",
    lambda: changed(slider(), lambda c: (setattr(c, "colliders", c.colliders[:1] * 20_001))))
row("a file of half its size", "it was cut", "than the file|ends too early", lambda: arm().bytes()[:900])
row("4e9 bodies", "the file has 600 bytes", "count is greater than the file", lambda: slider().bytes().replace(
    struct.pack("<2I", 0, 1) + Body().bytes()[:36], struct.pack("<2I", 0, 0xFFFFFFF0) + Body().bytes()[:36]))
