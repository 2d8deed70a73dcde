"""A table with fingers, in virtual time: tests read as what guests do. ``press(2)`` is a tap, ``hold(2)`` a hold.

Every press goes through edges. ``say`` does an act past the buttons, as a tape's ``do``.
"""

from collections.abc import Mapping
from typing import Any

from doubtable import entry, house, view
from doubtable.cards import Card
from doubtable.events import Event
from doubtable.games import game_type
from doubtable.games.base import Act, Start, Strip
from doubtable.inputs import CardShown, Device, Do, Edge, Input, Order, Restart, Time
from doubtable.table import Table
from doubtable.timing import MS, timing_from

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eva", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou", "Max")
TAP, HOLD, LONG, REST = 100, 900, 3300, 100
SETTLED = 200  # ms: whatever is not final yet becomes final


class AtTable:
    """One table, its clock, and all that it has said. Times in ms; seats by number."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.ms = 0
        self.said: list[Event] = []
        self.marked = 0
        self.feed(Time(0))

    # What is done -------------------------------------------------------------------------------------------------

    def feed(self, given: Input) -> list[Event]:
        events = self.table.feed(given)
        self.said += events
        return events

    @property
    def ns(self) -> int:
        return self.ms * MS

    def wait(self, ms: int = SETTLED) -> None:
        """Time passes."""
        self.ms += ms
        self.feed(Time(self.ns))

    def edge(self, seat: int, level: int) -> None:
        self.feed(Edge(self.ns, seat, level))

    def press(self, seat: int, times: int = 1) -> None:
        """Taps."""
        for _ in range(times):
            self.edge(seat, 1)
            self.wait(TAP)
            self.edge(seat, 0)
            self.wait(REST)

    def hold(self, seat: int, times: int = 1, length: int = HOLD) -> None:
        """Holds, each until it has fired and a little longer."""
        for _ in range(times):
            self.edge(seat, 1)
            self.wait(length)
            self.edge(seat, 0)
            self.wait(REST)

    def slap(self, seat: int) -> None:
        """A press where it means a doubt, and long enough after it for the decision."""
        self.press(seat)
        self.wait(800)

    def pick(self, seat: int, *labels: str) -> None:
        """Tap to each of ``labels`` in turn, and hold on it."""
        for label in labels:
            self.to(seat, label)
            self.hold(seat)

    def to(self, seat: int, label: str) -> None:
        """Tap until the cursor stands on ``label``."""
        for _ in self.labels(seat):
            if self.cursor(seat) == label:
                return
            self.press(seat)
        assert self.cursor(seat) == label, self.labels(seat)

    def menu(self, seat: int, *labels: str) -> None:
        """The seat menu by its hold of three seconds, and what is wanted of it."""
        self.hold(seat, length=LONG)
        self.pick(seat, *labels)

    def show(self, *cards: str) -> None:
        """Cards are laid on the reader, one after the other."""
        for text in cards:
            self.wait(300)
            self.feed(CardShown(self.ns, self.card(text)))
        self.wait(0)

    def say(self, seat: int, act: str, **facts: Any) -> None:
        """An act past the buttons."""
        self.feed(Do(self.ns, seat, act, **facts))
        self.wait()

    def say_together(self, *acts: tuple[int, str]) -> None:
        """Acts past the buttons with one stamp, in this order."""
        for seat, act in acts:
            self.feed(Do(self.ns, seat, act))
        self.wait()

    def order(self, act: str, **facts: Any) -> None:
        """The attendant."""
        self.feed(Order(self.ns, act, **facts))
        self.wait()

    def reader(self, up: bool) -> None:
        self.feed(Device(self.ns, "reader", up))
        self.wait()

    def power_cut(self, gap_ms: int) -> None:
        self.feed(Restart(self.ns, gap_ms * MS))
        self.ms += gap_ms
        self.wait(0)

    @staticmethod
    def card(text: str) -> Card:
        """ "KS", or "KS'" for the second pack's."""
        return Card.parse(text[:2], 2 if text.endswith("'") else 1)

    @staticmethod
    def act(seat: int, name: str, **facts: Any) -> Act:
        return Act(seat, name, **facts)

    # What is seen -------------------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        return self.table.fold.game

    @property
    def phase(self) -> str:
        return str(self.state.phase)

    @property
    def rules(self) -> Any:
        """The game's rules, with all that only this game has."""
        return self.table.game

    @property
    def seats(self) -> list[int]:
        """The seats in the game."""
        return list(self.table.game.seats)

    @property
    def hands(self) -> list[int]:
        return list(self.state.hands)

    @property
    def view(self) -> view.View:
        return view.look(self.table, self.ns)

    def mark(self) -> None:
        """Only what is said from here on counts for `names`, `last` and `all`."""
        self.marked = len(self.said)

    def all(self, name: str) -> list[dict[str, Any]]:
        return [each.facts for each in self.said[self.marked :] if each.name == name]

    def last(self, name: str) -> dict[str, Any]:
        found = self.all(name)
        assert found, f"no {name}: {self.names()}"
        return found[-1]

    def names(self) -> list[str]:
        """What was said, buttons left aside."""
        quiet = ("press", "release", "tap", "hold", "read_levels")
        return [each.name for each in self.said[self.marked :] if each.name not in quiet]

    def lamp(self, seat: int) -> str:
        return self.view.seats[seat - 1].lamp

    def lamps(self) -> tuple[str, ...]:
        return tuple(seat.lamp for seat in self.view.seats)

    def strip(self, seat: int) -> Strip | None:
        fold = self.table.fold
        return house.strip(fold.house, self.table.game, fold.game, seat, self.ns)

    def labels(self, seat: int) -> tuple[str, ...]:
        """The labels of the step that the seat's strip shows; empty without a strip."""
        strip = self.strip(seat)
        if strip is None:
            return ()
        at = entry.current(self.table.fold.books[seat - 1].entry, strip)
        return tuple(item.label for item in entry.items(strip, at.chosen))

    def cursor(self, seat: int) -> str:
        """The label that a hold would do; "" without a strip."""
        strip = self.strip(seat)
        if strip is None:
            return ""
        return entry.under_cursor(entry.current(self.table.fold.books[seat - 1].entry, strip), strip).label


def at(
    game: str,
    seats: int | tuple[int, ...] = 4,
    *,
    size: int = 0,
    dealer: int = 0,
    options: Mapping[str, object] | None = None,
    timing: Mapping[str, object] | None = None,
    **start: Any,
) -> AtTable:
    """A table in the middle of ``game``. ``start`` as in a tape; without it a deal that is done. The dealer is the
    last seat, so that seat 1 begins.
    """
    taken = tuple(range(1, seats + 1)) if isinstance(seats, int) else seats
    size = size or max(taken)
    times = timing_from(timing or {}).for_seats(size)
    rules = game_type(game)(taken, size, options or {}, times)
    names = tuple(NAMES[seat - 1] if seat in taken else None for seat in range(1, size + 1))
    return AtTable(Table(rules, names, dealer or taken[-1], start=Start(**start) if start else None))


def evening(size: int = 6, timing: Mapping[str, object] | None = None) -> AtTable:
    """A table in the lobby, with nobody seated."""
    return AtTable(Table.evening(NAMES[:size], timing_from(timing or {})))
