"""Waypoints as CSV (planner_ccd/io/README.md): a header of joint names, a row a waypoint."""
from .urdf import number


def path_text(names, rows):
    """Values are rounded to 1e-5 rad or m."""
    lines = [",".join(names)] + [",".join(number(round(v, 5)) for v in row) for row in rows]
    return "\n".join(lines) + "\n"
