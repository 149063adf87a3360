import enum


class Verdict(enum.Enum):
    """What is known of a motion; arrays hold the values.

    FREE (0): proved, clearance > margin everywhere. CONTACT (1): clearance <= margin + tolerance at the witness.
    UNDECIDED (2): the budget was spent; a planner must reject the edge.
    """

    FREE = 0
    CONTACT = 1
    UNDECIDED = 2

    def __reduce_ex__(self, protocol):
        return getattr, (Verdict, self.name)  # a flipped bit makes another verdict of a number, but not of a name


Verdict.__module__ = "planner_ccd"
