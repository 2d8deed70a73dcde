"""The photo finish once more: whoever has the table's keyboard leafs through the races that the journal holds.

What is shown lies over the picture of the game, which goes on below. Somebody's next doubt is more important than the
last one: as long as a window is open, the game's own picture is shown.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from msgspec.structs import replace

from doubtable.journal.gate import NOT_SAVED
from doubtable.journal.reading import Race
from doubtable.timing import S
from doubtable.view import SeatView, Text, View

LOOK = 20 * S  # so long a race is shown
DOUBT, AGAIN = "doubt", "press_again"


class LookBack:
    """Which race is looked at. ``races`` gives those that are at hand, the latest last. Main thread only."""

    def __init__(self, races: Callable[[], Sequence[Race]]) -> None:
        self._races = races
        self._looked_at: Race | None = None
        self._until = 0  # ns of the table's time

    def turn(self, by: int, ns: int) -> None:
        """The race ``by`` places later (earlier: negative) than the one that is shown at ``ns``, or the latest."""
        found = self._decided()
        if not found:
            return
        at = len(found) - 1
        if self._looked_at is not None and ns < self._until:
            at = found.index(self._looked_at) + by if self._looked_at in found else 0
        self._looked_at, self._until = found[min(max(at, 0), len(found) - 1)], ns + LOOK

    def leave(self) -> None:
        """The game's picture again."""
        self._looked_at = None

    def over(self, view: View, ns: int) -> View:
        """``view``, or in its place the race that is looked at."""
        if self._looked_at is None or ns >= self._until or view.window is not None:
            self._looked_at = None
            return view
        found = self._decided()
        place = found.index(self._looked_at) + 1 if self._looked_at in found else 0
        return finish(view, self._looked_at, (f"{place} / {len(found)}", {}), named=self._of_today(found))

    def _decided(self) -> list[Race]:
        return [each for each in self._races() if each.record.outcome in (DOUBT, AGAIN)]

    def _of_today(self, found: Sequence[Race]) -> bool:
        """Whether the people of the race that is looked at are those of the latest game."""
        return self._looked_at is not None and self._looked_at.game == found[-1].game


def finish(view: View, race: Race, help_line: Text, *, named: bool) -> View:
    """The photo finish of a recorded race; ``named``: its seats are called as in ``view``, else by their numbers."""
    record = race.record
    first = record.candidates[0].ns if record.candidates else 0
    seats = len(view.seats)
    decided = record.outcome == DOUBT
    told: Text = (" ".join((f"#{race.game}" if race.game else "", _when(race))).strip(), {})
    return replace(
        view,
        scene="reveal" if decided else "press_again",
        seats=tuple(_seat(each, race, named=named) for each in view.seats),
        headline=told if decided else ("PRESS AGAIN", {}),
        help=help_line if decided else (f"{told[0]}\n{help_line[0]}", {}),
        strips=(),
        holds=(),
        claim=None,
        declaration=None,
        cards=(),
        notices=tuple(each for each in view.notices if each == NOT_SAVED),  # what is true now, not of this game
        verdict=None,
        finish=tuple((each.seat, each.ns - first) for each in record.candidates if each.seat <= seats),
        tie=record.tie,
        tied=len(record.candidates) > 1 and record.candidates[1].ns - first <= record.tie,
    )


def _seat(seat: SeatView, race: Race, *, named: bool) -> SeatView:
    roles = {race.record.claimant: ("claimant",), race.record.doubter: ("doubter",)}
    return replace(seat, name=seat.name if named else None, roles=roles.get(seat.seat, ()), void="")


def _when(race: Race) -> str:
    if race.wall is None or not race.is_set:
        return ""
    return datetime.fromtimestamp(race.wall // S).strftime("%Y-%m-%d %H:%M")
