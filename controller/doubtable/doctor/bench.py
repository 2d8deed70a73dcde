"""Buttons on the bench: what their edges say about contacts and cables (pure).

It reads edges as the table does (doubtable.buttons.lines), and keeps what the table has no use for: how long a contact
bounced, how often a cable caught something.
"""

from collections.abc import Collection

from doubtable.buttons import lines
from doubtable.buttons.lines import DOWN, Line, Settled
from doubtable.inputs import Edge, Input, Levels, Source
from doubtable.timing import Timing


class Seat:
    """One button: ``presses`` seen whole, the longest ``bounce`` of a press in ns, spikes of ``noise``."""

    def __init__(self) -> None:
        self.line = Line()
        self.heard = False  # whether its level is known
        self.presses = 0
        self.noise = 0
        self.bounce = 0
        self.held = False  # down when it was first looked at, and ever since

    @property
    def down(self) -> bool:
        """Whether the button is down now, as far as it has come to rest."""
        return self.line.level == DOWN


class Bench:
    """The buttons of ``seats``. ``hear`` and ``advance`` give the presses that came to rest by it: (seat, bounce)."""

    def __init__(self, seats: Collection[int], timing: Timing) -> None:
        self.seats = {seat: Seat() for seat in sorted(seats)}
        self.lost: set[str] = set()  # sources that are gone
        self._timing = timing

    def hear(self, given: Input) -> None:
        """An edge, or levels that were read."""
        if isinstance(given, Edge) and given.seat in self.seats:
            seat = self.seats[given.seat]
            seat.line, _ = lines.take_edge(seat.line, given, self._timing)
            seat.heard = True
        elif isinstance(given, Levels):
            for number, level in given.levels.items():
                if number in self.seats:
                    self._level(self.seats[number], given.ns, level)
        elif isinstance(given, Source):
            self.lost.discard(given.source)
            self.lost |= set() if given.up else {given.source}

    def _level(self, seat: Seat, ns: int, level: int) -> None:
        if not seat.heard:
            seat.heard, seat.held = True, level == DOWN
            seat.line = lines.start_level(ns, level)
        else:
            seat.line = lines.take_level(seat.line, ns, level)

    def advance(self, ns: int) -> list[tuple[int, int]]:
        """All edges up to ``ns`` have been heard."""
        return [(number, bounce) for number, seat in self.seats.items() for bounce in self._settle(seat, ns)]

    def _settle(self, seat: Seat, ns: int) -> list[int]:
        presses: list[int] = []
        while (due := lines.due(seat.line, self._timing)) is not None and due <= ns:
            seat.line, settled = lines.take_due(seat.line, self._timing)
            if settled.kind == "press":
                seat.presses += 1
                presses.append(self._bounce(settled))
                seat.bounce = max(seat.bounce, presses[-1])
            elif settled.kind == "release":
                seat.held = False
            elif settled.kind == "noise":
                seat.noise += 1
        return presses

    def _bounce(self, settled: Settled) -> int:
        """From the first edge to the last; nothing for a press that was only inferred."""
        return 0 if settled.low is not None else max(0, settled.due - self._timing.confirm - settled.start)
