import enum


class Verdict(enum.Enum):
    """What is known of a motion; arrays hold the values.

    FREE (0): proved, clearance > margin everywhere. CONTACT (1): clearance <= margin + tolerance at the witness.
    UNDECIDED (2): the budget was spent; a planner must reject the edge.
    """

    FREE = 0
    CONTACT = 1
    UNDECIDED = 2


Verdict.__module__ = "planner_ccd"
