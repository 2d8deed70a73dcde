"""What can be wrong with a journal for its owner."""


class JournalError(Exception):
    """A journal that cannot be used: ``place`` (the file), ``what`` is wrong, ``way_out`` (what to do). One line.

    ``stops``: playing on would do harm or hide a mistake (another table writes it, another program's file, a newer
    schema). Otherwise it is the disk, and a table may play on without saving.
    """

    def __init__(self, place: str, what: str, way_out: str, *, stops: bool = True) -> None:
        super().__init__(f"{place}: {what}; {way_out}")
        self.place = place
        self.what = what
        self.way_out = way_out
        self.stops = stops
