"""Forgeries of what is inside of what, of seams and of words: more rows of stories.py."""

import math

import stories
from pccd import (NONE, SHIFT, STILL, TURN, X, Y, Z, Body, Certificate, Collider, arm, beside_a_box, cube, cube_collider, floater, in_a_box,
                  leaf, line, move, slider, triangle)
from stories import changed, row

OUTSIDE, TWICE = "is not proved to be outside", "has a triangle twice"
stories.chapter = "Inside"
row("a cube slides beside a box", "so it does", "honest", beside_a_box)
row("a ball is apart from the faces of a box of 2 m", "it is inside of it", OUTSIDE, lambda: in_a_box(cube_collider("box", 0, 2.0)))


def of_cubes(*cubes, sources=((0, 0.0),), closed=1):
    vertices, triangles = [], []
    for size, options in cubes:
        more, faces = cube(size, first=len(vertices), **options)
        vertices, triangles = vertices + more, triangles + faces
    return Collider("box", 0, vertices, triangles, sources, closed)


row("the same, the box inside out", "it is inside of it", OUTSIDE, lambda: in_a_box(of_cubes((2.0, {"inward": True}))))
row("a box is apart from a shell", "the shell goes round the box", OUTSIDE,
    lambda: in_a_box(Collider("box", 0, [(0.0, 0.0, 0.0)], [[0, 0, 0, 0, NONE]], [(0, 0.1)]), cube_collider("hand", 1, 2.0)))
row("a body of two parts is outside of a box", "its second part is inside of it", OUTSIDE,
    lambda: in_a_box(cube_collider("box", 0, 2.0),
                     Collider("hand", 1, [(5.0, 0.0, 0.0), (0.0, 0.0, 0.0)], [[0, 0, 0, 0, NONE], [1, 1, 1, 0, NONE]], [(0, 0.1)])))


def tied(third):
    """A rod far away and a ball in the box. Where a third vertex of the rod, which means nothing, is the ball's, they could be one."""
    c = in_a_box(cube_collider("box", 0, 2.0), Collider(
        "hand", 1, [(0.0, 0.0, 0.0), (9.0, 0.0, 0.0), (9.0, 0.0, 1.0)], [[1, 2, 2, 0, NONE], [0, 0, 0, 1, NONE]], [(1, 0.1), (0, 0.1)]))
    c.colliders[0].primitives[0][2] = third
    return c


row("a rod and a ball are outside", "the ball is inside", OUTSIDE, lambda: tied(2))
row("the same, as one piece", "a rod has two ends, and ties nothing", "a cylinder has two ends", lambda: tied(0))
row("the box is closed", "one of its triangles is not of it", "said to be closed is not",
    lambda: changed(in_a_box(cube_collider("box", 0, 2.0)), lambda c: c.colliders[1].primitives[0].__setitem__(4, NONE)))
row("the box is closed", "one of its triangles is turned", "said to be closed is not",
    lambda: changed(in_a_box(cube_collider("box", 0, 2.0)), lambda c: c.colliders[1].primitives[0].__setitem__(slice(0, 3), [3, 1, 0])))
row("a closed box goes round nothing", "each triangle is there both ways, and it winds about nothing", TWICE,
    lambda: in_a_box(Collider("box", 0, cube(2.0)[0], cube(2.0)[1] + cube(2.0, inward=True)[1], closed=1)))
row("the same, of vertices of its own", "each triangle is there both ways", TWICE, lambda: in_a_box(of_cubes((2.0, {}), (2.0, {"inward": True}))))
row("the same, of -0 and 0", "they are one number", TWICE, lambda: in_a_box(Collider(
    "box", 0, [(x - 1.0, y, z) for x, y, z in cube(2.0)[0]] + [(-0.0 if x == 1.0 else x - 1.0, y, z) for x, y, z in cube(2.0)[0]],
    cube(2.0)[1] + cube(2.0, inward=True, first=8)[1], closed=1),
    Collider("hand", 1, [(-1.0, 0.0, 0.0)], [[0, 0, 0, 0, NONE]], [(0, 0.1)])))
row("a solid of 8 m^3", "a lump of 8 litres, 1000 times", TWICE, lambda: changed(beside_a_box(), lambda c: c.colliders.__setitem__(
    1, Collider("box", 0, cube(0.2)[0], 1000 * cube(0.2)[1], closed=1))))
row("a closed box of 2 m goes round nothing", "both ways by other diagonals: it winds about nothing",
    ("told", "'box' (link, body 0), vertices within 2 x 2 x 2; 24 triangles WITHOUT AN INSIDE"),
    lambda: in_a_box(of_cubes((2.0, {}), (2.0, {"inward": True, "other_diagonal": True}))))
row("the same, with a lump that is solid", "the lump alone holds anything",
    ("told", "vertices within 2 x 2 x 2; 36 triangles in 1 closed surfaces of about 0.001 m^3"),
    lambda: in_a_box(of_cubes((2.0, {}), (2.0, {"inward": True, "other_diagonal": True}), (0.1, {"at": (0.5, 0.5, 0.5)}))))
row("nothing is inside of a closed box of 2 m", "its walls are 1 um thick, and the ball is in their hollow",
    ("told", "24 triangles in 1 closed surfaces of about 2.4e-05 m^3", "What lies in a hollow"),
    lambda: in_a_box(of_cubes((2.000002, {}), (2.0, {"inward": True}))))
row("nothing is inside of a box of 2 m", "its triangles have a radius of 5e-324 m, and are of no closed surface",
    ("told", "12 triangles WITHOUT AN INSIDE"),
    lambda: in_a_box(Collider("box", 0, cube(2.0, group=NONE)[0], cube(2.0, group=NONE)[1], [(0, 5e-324)])))
row("the same, closed", "triangles with a radius are no closed surface", "only bare triangles",
    lambda: changed(in_a_box(cube_collider("box", 0, 2.0)), lambda c: c.colliders[1].sources[0].__setitem__(1, 5e-324)))
row("nothing is inside of a cage", "it is of rods of 5e-324 m",
    ("told", "12 balls, rods or cylinders, of radius 5e-324 or more", "between"),
    lambda: in_a_box(Collider("box", 0, cube(2.0)[0], [[a, b, b, 0, NONE] for a in range(8) for b in range(a) if (a ^ b) in (1, 2, 4)], [(0, 5e-324)])))
row("a triangle is of closed surface 5", "there is one, of number 0", "index is out of range",
    lambda: changed(beside_a_box(), lambda c: c.colliders[1].primitives[0].__setitem__(4, 5)))
row("4e9 closed surfaces", "the file has 600 bytes", "more closed surfaces than primitives", lambda: changed(slider(), lambda c: setattr(c.colliders[0], "closed", 0xFFFFFFFE)))

stories.chapter = "Seams"


def hop(first, second, **joint):
    c = slider(*first, **joint)
    c.segments.append(([line(*second)], []))
    c.proof = c.proof + leaf(math.copysign(1.0, 1.0 - second[0] * joint.get("multiplier", 1.0)), 0.0, 0.0)
    return c


row("two segments follow each other", "so they do", ("told", "no point of a collider jumps by more than 1e-09 m"), lambda: hop((0.0, 0.5), (0.5, 0.1)))
row("a joint moves by 2e-12", "times 1e12: the hand jumps by 2 m, through the wall",
    ("told", "jumps by more than 2.00001 m", "body 1 is shifted by 1e+12 times 'q0', plus 0"),
    lambda: hop((0.0,), (2e-12,), multiplier=1e12))
row("a joint does not move", "times 1e12, and by a rounding", ("told", "jumps by more than 1.50001 m"),
    lambda: hop((0.0,), (1.5e-12,), multiplier=1e12))
row("a curve of 0 to 9", "times 0: nothing moves", ("told", "jumps by more than 1e-09 m", "shifted by 0 times 'q0', plus 0.25"),
    lambda: hop((0.0, 9.0), (3.0,), multiplier=0.0, offset=0.25))
row("a quaternion changes its sign", "it is the same orientation", ("told", "jumps by more than 1e-09 m"), lambda: turned(tuple(-x for x in STILL)))
row("a drone goes on as it ended", "it is turned by 180 degrees at the seam", ("told", "jumps by more than 3.46"), lambda: turned((0.0, 1.0, 0.0, 0.0)))
row("a turn goes on from another axis", "so it is stated, and does not jump", ("told", "jumps by more than 1e-09 m"), floater)
row("two hinges go on, one by a mimic", "so they do", "honest", arm)
row("a joint at 0 and one at a full turn", "they are one pose", ("told", "jumps by more than 1e-09 m"), lambda: revolved(2 * math.pi))
row("a joint at 0 and one at half a turn", "the hand jumps across", ("told", "jumps by more than 2.0"), lambda: revolved(math.pi))


def turned(quaternion):
    """A cube of 2 m that stands still, and then stands in another orientation."""
    c = Certificate([Body(moves=[move(TURN, 0)])], [cube_collider("drone", 1, 2.0), triangle("wall", 0, 9.0)],
                    [([line(0.0)], [(Z, STILL)]), ([line(0.0)], [(Z, quaternion)])], turns=1)
    return c.prove()


def revolved(angle):
    c = Certificate([Body(moves=[move(1, Z)])], [triangle("hand", 1, 1.0), Collider("wall", 0, [(0.0, 0.0, 3.0)], [[0, 0, 0, 0, NONE]])],
                    [([line(0.0)], []), ([line(angle)], [])])
    return c.prove()


stories.chapter = "Words and files"


def named(words):
    return lambda: changed(slider(), lambda c: setattr(c.colliders[0], "name", words))


row("a hand", "its name ends the line, and claims more", ("told", "'hand\\x0aCLAIM: nothing' (link"), named("hand\nCLAIM: nothing"))
row("a hand", "its name has an escape sequence of one byte (C1)", ("told", "'hand\\xc2\\x9b31m'"), named("hand\u009b31m"))
row("a hand", "its name turns the direction of writing", ("told", "'\\xe2\\x80\\xaednah'"), named("\u202ednah"))
row("a hand", "an a of its name is Cyrillic", ("told", "'h\\xd0\\xb0nd'"), named("h\u0430nd"))
row("a hand", "its name is no UTF-8", ("told", "'h\\xffnd'"), named(b"h\xffnd"))
row("a hand", "its name ends its quotes", ("told", "'hand\\x27 (link, body 0)' (link"), named("hand' (link, body 0)"))
row("a hand", "its name has what looks like an escape", ("told", "'h\\x5cx61nd'"), named("h\\x61nd"))
row("a refusal of a hand", "its name clears the screen", "segment 0, 'h.x1b.2Jnd' and 'wall'.* not proved apart",
    lambda: changed(slider(0.0, 1.5), lambda c: setattr(c.colliders[0], "name", "h\x1b[2Jnd")))
row("a note", "it ends the line, and claims more", ("told", "NOTE: 'calibrated\\x0d\\x0aCLAIM: safe'"), lambda: changed(slider(), lambda c: c.notes.append("calibrated\r\nCLAIM: safe")))
GIVEN = b"<robot/>"


def of_file(role, data):
    return lambda: changed(slider(), lambda c: c.inputs.append((role, "robot.urdf", data)))


row("--robot robot.urdf", "it is that file", ("told", "INPUT: 'robot' 'robot.urdf', 8 bytes"), of_file("robot", GIVEN))
row("--robot robot.urdf", "it was another file of that name", "robot.urdf is not the file 'robot'", of_file("robot", b"<robot/ >"))
row("--robot robot.urdf", "it was read as the scene", "robot.urdf is not the file 'robot'", of_file("scene", GIVEN))
