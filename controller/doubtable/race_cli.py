"""Race records for people: as tables, with the time of day where it is known."""

import sys
import time
from collections.abc import Sequence
from typing import NamedTuple, TextIO

from doubtable.race import Record

S = 1_000_000_000


class Anchor(NamedTuple):
    """One moment on both clocks: ``monotonic`` ns of the table and ``wall`` ns since 1970. Whole numbers, no floats."""

    monotonic: int
    wall: int

    def wall_of(self, ns: int) -> int:
        """The time of day of a stamp, in ns since 1970."""
        return self.wall + ns - self.monotonic

    def shown(self, ns: int) -> str:
        """The time of day of a stamp as a clock in the room shows it, to the microsecond."""
        seconds, rest = divmod(self.wall_of(ns), S)
        return time.strftime("%H:%M:%S", time.localtime(seconds)) + f".{rest // 1000:06}"


def print_races(records: Sequence[Record], *, anchor: Anchor | None = None, out: TextIO | None = None) -> None:
    """Print each record as a table, the oldest first. ``anchor`` adds the time of day at which it was decided."""
    out = sys.stdout if out is None else out
    if not records:
        out.write("no race yet: nobody has doubted\n")
    for place, record in enumerate(records, 1):
        at = f", decided at {anchor.shown(record.decided)}" if anchor is not None else ""
        out.write(f"{'' if place == 1 else chr(10)}race {place} of {len(records)}{at}\n{record}\n")
