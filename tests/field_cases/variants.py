"""A field case is played as it was reported and in other clothes: other seats, mirrored, at other times of the clock.

``Case`` gives its inputs in seats and ns as reported; `play` feeds them through a variant and turns the events back, so
that every expectation is written once, in the case's own seats and times. Who is nearest the claimant's left depends on
the direction, so `nearest` works it out anew for each variant.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pytest

from doubtable.events import Event
from doubtable.games.bare import Buttons, RaceOnly
from doubtable.games.base import Game
from doubtable.inputs import Edge, Input, Levels, Source, Time
from doubtable.table import Table
from doubtable.timing import MS, Timing

SEATS = 13


class Variant(NamedTuple):
    """Seats rotated by ``turned`` after they were mirrored or not, and every stamp later by ``later`` ns."""

    name: str
    turned: int = 0
    mirrored: bool = False
    later: int = 0

    def seat(self, seat: int, size: int) -> int:
        at = size - seat if self.mirrored else seat - 1
        return (at + self.turned) % size + 1

    def back(self, seat: int, size: int) -> int:
        at = (seat - 1 - self.turned) % size
        return size - at if self.mirrored else at + 1


VARIANTS = (
    Variant("as reported"),
    Variant("other seats", turned=5),
    Variant("mirrored", mirrored=True),
    Variant("2^32 ns later", later=2**32),
    Variant("2^62 ns later", later=2**62),
    Variant("mirrored, other seats, 2^62 ns later", turned=3, mirrored=True, later=2**62),
)
in_every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda each: each.name.replace(" ", "-"))


class Case:
    """A table of ``size`` seats at which a variant of a case is played. ``claimant`` makes it one race."""

    def __init__(
        self,
        variant: Variant,
        size: int = SEATS,
        *,
        claimant: int | None = None,
        opens: int = 0,
        closes: int | None = None,
        timing: Timing | None = None,
    ) -> None:
        self.variant, self.size = variant, size
        times = timing or Timing(tie=20 * MS)
        seats = tuple(range(1, size + 1))
        game: Game
        if claimant is None:
            game = Buttons(seats, size, {}, times)
        else:
            until = None if closes is None else closes + variant.later
            game = RaceOnly(seats, size, {}, times, variant.seat(claimant, size), opens + variant.later, until)
        self.claimant = claimant
        self.table = Table(game, tuple(f"Seat {seat}" for seat in seats), 1)
        self.events: list[Event] = []

    def feed(self, *inputs: Input) -> list[Event]:
        """Feed ``inputs``, written in the case's seats and times; what came of them, written likewise."""
        new = [self._back(each) for given in inputs for each in self.table.feed(self._there(given))]
        self.events += new
        return new

    def edges(self, edges: Iterable[tuple[int, int, int]], source: str = "gpio") -> list[Event]:
        """(ns, seat, level) in the order of their delivery."""
        return self.feed(*(Edge(ns, seat, level, source) for ns, seat, level in edges))

    def until(self, ns: int) -> list[Event]:
        return self.feed(Time(ns))

    def of(self, name: str, seat: int | None = None) -> list[Event]:
        """The events so far with that name (and seat)."""
        return [each for each in self.events if each.name == name and seat in (None, each.facts.get("seat"))]

    def stamps(self, name: str, seat: int | None = None) -> list[int]:
        return [each.ns for each in self.of(name, seat)]

    def nearest(self, *seats: int) -> int:
        """Of ``seats`` the one that sits nearest the claimant's left in this variant."""
        assert self.claimant is not None
        there = self.variant.seat(self.claimant, self.size)
        return min(seats, key=lambda seat: (self.variant.seat(seat, self.size) - there) % self.size)

    def doubter(self) -> tuple[int, bool]:
        """The one doubt's seat, and whether it was a tie."""
        (doubt,) = self.of("doubt")
        return doubt.facts["seat"], doubt.facts["tie"]

    def _there(self, given: Input) -> Input:
        ns = given.ns + self.variant.later
        if isinstance(given, Edge):
            return Edge(ns, self._seat(given.seat), given.level, given.source, given.seq, given.uncertainty)
        if isinstance(given, Levels):
            return Levels(ns, {self._seat(seat): level for seat, level in given.levels.items()})
        if isinstance(given, Source):
            return Source(ns, given.source, given.up, given.uncertainty)
        assert isinstance(given, Time), given
        return Time(ns)

    def _seat(self, seat: int) -> int:
        return self.variant.seat(seat, self.size)

    def _back(self, event: Event) -> Event:
        facts: dict[str, Any] = dict(event.facts)
        for key in ("seat", "of"):
            if key in facts:
                facts[key] = self.variant.back(facts[key], self.size)
        if "race" in facts:
            facts["race"] = [[self.variant.back(seat, self.size), offset] for seat, offset in facts["race"]]
        if "after_ns" in facts:
            facts["after_ns"] -= self.variant.later
        return Event(event.name, event.ns - self.variant.later, facts)


Build = Callable[[Variant], Case]


def ms(value: float) -> int:
    """Milliseconds, at most three decimals, as ns."""
    return round(value * 1000) * 1000
