class InputWarning(str):
    """Something about an input that a person should look at: a text with a kind.

    kind: 'implausible_size', 'not_read', 'no_geometry', ...: `planner_ccd help kinds` lists them. The check is of what the files
    say, which may not be what was meant.
    """

    kind: str

    def __new__(cls, text, kind):
        self = super().__new__(cls, text)
        self.kind = kind
        return self

    def __reduce__(self):
        return (InputWarning, (str(self), self.kind))


InputWarning.__module__ = "planner_ccd"
