"""Two organic bodies: a sitting hare (70k triangles) and a duck (26k). Height about 0.3 m, standing on z = 0."""
from .sdf import capsule, ellipsoid, minus, rough, surface, turned, union
from .solids import product, rotation

HARE_CELL = 0.00273088  # [m] chosen for the triangle counts
DUCK_CELL = 0.0048


def _pair(make):
    """A part and its mirror image across y = 0."""
    return [make(1), make(-1)]


def hare_field():
    body = [ellipsoid((-0.03, 0, 0.085), (0.095, 0.07, 0.08)), ellipsoid((0.03, 0, 0.12), (0.06, 0.052, 0.085))]
    head = [ellipsoid((0.068, 0, 0.205), (0.05, 0.037, 0.038)), ellipsoid((0.108, 0, 0.193), (0.022, 0.021, 0.019))]
    haunch = _pair(lambda s: ellipsoid((-0.045, s * 0.055, 0.06), (0.06, 0.028, 0.055)))
    hind_foot = _pair(lambda s: capsule((-0.05, s * 0.06, 0.016), (0.04, s * 0.058, 0.014), 0.016, 0.013))
    fore_leg = _pair(lambda s: capsule((0.06, s * 0.03, 0.1), (0.075, s * 0.03, 0.014), 0.018, 0.013))
    paw = _pair(lambda s: capsule((0.075, s * 0.03, 0.012), (0.095, s * 0.031, 0.011), 0.013, 0.011))
    tail = [ellipsoid((-0.13, 0, 0.075), (0.026, 0.024, 0.024))]
    cheeks = _pair(lambda s: ellipsoid((0.082, s * 0.02, 0.19), (0.024, 0.018, 0.02)))
    solid = union(*body, *head, *haunch, *hind_foot, *fore_leg, *paw, *tail, *cheeks, blend=0.022)
    ears = _pair(lambda s: _leaning(ellipsoid((0.045, s * 0.024, 0.285), (0.012, 0.02, 0.065)), s))
    dents = _pair(lambda s: _leaning(ellipsoid((0.057, s * 0.025, 0.288), (0.008, 0.011, 0.045)), s))
    eyes = _pair(lambda s: ellipsoid((0.086, s * 0.031, 0.214), (0.008, 0.005, 0.008)))
    eared = union(solid, *ears, blend=0.012)
    dented = minus(minus(eared, dents[0], blend=0.006), dents[1], blend=0.006)
    return rough(union(dented, *eyes, blend=0.002), 0.0011, 0.012, seed=11)


def _leaning(field, side):
    """An ear, leaning back and to its side."""
    return turned(field, product(rotation("x", -side * 12), rotation("y", -14)), (0.045, side * 0.02, 0.235))


def hare():
    return surface(hare_field(), (-0.18, -0.11, -0.02), (0.16, 0.11, 0.38), HARE_CELL)


def duck_field():
    body = ellipsoid((0, 0, 0.08), (0.125, 0.085, 0.075))
    breast = ellipsoid((0.06, 0, 0.085), (0.075, 0.07, 0.07))
    neck = capsule((0.075, 0, 0.11), (0.085, 0, 0.2), 0.045, 0.04)
    head = ellipsoid((0.095, 0, 0.225), (0.058, 0.05, 0.05))
    bill = ellipsoid((0.158, 0, 0.212), (0.042, 0.03, 0.011))
    tail = turned(ellipsoid((-0.14, 0, 0.11), (0.06, 0.04, 0.02)), rotation("y", 35), (-0.11, 0, 0.1))
    wings = _pair(lambda s: turned(ellipsoid((-0.03, s * 0.085, 0.1), (0.085, 0.016, 0.042)), rotation("y", 10)))
    feet = _pair(lambda s: ellipsoid((0.03, s * 0.04, 0.006), (0.045, 0.03, 0.01)))
    eyes = _pair(lambda s: ellipsoid((0.125, s * 0.037, 0.243), (0.008, 0.006, 0.008)))
    solid = union(body, breast, neck, head, tail, *feet, blend=0.03)
    return rough(union(union(union(solid, *wings, blend=0.012), bill, blend=0.008), *eyes, blend=0.002), 0.0007, 0.02,
                 seed=23)


def duck():
    return surface(duck_field(), (-0.21, -0.12, -0.02), (0.22, 0.12, 0.3), DUCK_CELL)
