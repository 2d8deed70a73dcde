"""A whole table without hardware in virtual time: the same app, core, edges and serial bytes, and a clock that jumps.

The demonstration, tests and measurements run through it. A game without end is cut off after `most_claims`.
"""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from doubtable import tape
from doubtable.app import App, Screen
from doubtable.devices.reader_emulators import RdmEmulator, VirtualReader
from doubtable.devices.simulated import SimulatedButtons, SimulatedLamps
from doubtable.events import Event
from doubtable.games import game_type
from doubtable.players import People, simulated_tags
from doubtable.readers import READERS
from doubtable.table import Table
from doubtable.timing import MS, WRITTEN, Timing

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eva", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou", "Max")
USUAL_PEOPLE = 4
STALLED = 900_000 * MS  # people who have not made a claim for so long never will
LULL = 50 * MS  # with nothing due the clock moves on so far


def simulated_table(
    game: str, people: int, options: Mapping[str, object] | None = None, timing: Timing | None = None
) -> Table:
    """A table of ``people`` simulated seats with a simulated deck. Raises OptionError."""
    rules = game_type(game)
    table_timing = (timing or Timing()).for_seats(people)
    built = rules(tuple(range(1, people + 1)), people, options or {}, table_timing)
    names = NAMES[:people]
    return Table(built, names, people, cards=simulated_tags(), reader="rdm6300")


def usual_people(game: str) -> int:
    """How many play where nobody says it: four, or the nearest number that the game allows."""
    least, most = game_type(game).players
    return min(max(USUAL_PEOPLE, least), most)


def header_of(table: Table) -> dict[str, Any]:
    """The header of a tape that is recorded at ``table``."""
    game = table.game
    return {
        "game": game.id,
        "seats": list(table.names),
        "dealer": table.fold.game.dealer,
        "options": {key: value for key, value in game.options.items() if value != game.options_known[key].default},
        "timing": dict(_written(game.timing)),
        "cards": {tag: {"card": str(card), "pack": card.pack} for tag, card in table.cards.items()},
        "reader": table.reader.name,
    }


def _written(timing: Timing) -> Iterator[tuple[str, int | Decimal]]:
    """The times that differ from the usual ones, as a tape writes them; the tie always, it depends on the seats."""
    for name, (field, unit, _, _) in WRITTEN.items():
        value = getattr(timing, field)
        if value != getattr(Timing(), field):
            yield name, value // unit if value % unit == 0 else Decimal(value) / unit


class Simulation:
    """A table, its app and its people on one virtual clock. ``screen`` may be None."""

    def __init__(
        self,
        table: Table,
        seed: int,
        *,
        style: str | dict[int, str] = "",
        deals: int = 1,
        screen: Screen | None = None,
        heard: Callable[[list[Event], int], None] = lambda events, ns: None,
        record: Callable[[str], object] | None = None,
    ) -> None:
        self.ns = 0
        self.table = table
        self.claims = 0
        self._heard = heard
        clock = self._clock
        self.buttons = SimulatedButtons(table.game.seats, self._deliver, clock=clock, source="gpio", uncertainty=0)
        self.lamps = SimulatedLamps(table.game.seats, clock=clock)
        self.app = App(table, self.buttons, self.lamps, clock=clock, screen=screen, heard=self._hear, record=record)
        self.reader = VirtualReader(READERS["rdm6300"], RdmEmulator(), self._deliver)
        self.people = People(table, table.game.seats, self._press, self._tray, seed, style, deals)
        if record is not None:
            record(tape.header_line(header_of(table)))
        self.lamps.start()
        self.buttons.start()

    def _clock(self) -> int:
        return self.ns

    def _deliver(self, given: Any) -> None:
        self.app.deliver(given)

    def _press(self, seat: int, down: bool, ns: int) -> None:
        self.buttons.press(seat, down, ns)

    def _tray(self, tag: str | None, ns: int) -> None:
        self.reader.lift()
        if tag is not None:
            self.reader.put(tag)

    def _hear(self, events: list[Event], ns: int) -> None:
        self.claims += sum(each.name in self.table.game.lock_events for each in events)
        self.people.hear(events, ns)
        self._heard(events, ns)

    @property
    def over(self) -> bool:
        """Whether the deal is over and nobody wants another."""
        return bool(self.table.fold.game.phase == "over") and self.table.state.tally.deals >= self.people.deals

    def run(self, most_claims: int = 500) -> None:
        """Play until the deal is over, ``most_claims`` claims have been made, or nobody does anything for long."""
        claims, since = self.claims, self.ns
        while not self.over and self.claims < most_claims and self.ns - since < STALLED:
            self.step()
            if self.claims > claims:
                claims, since = self.claims, self.ns

    def step(self) -> None:
        """Jump to the next moment at which something happens, and let it happen."""
        wakes = [self.people.due(self.ns), self._wake(), self.reader.emulator.due()]
        ahead = [ns for ns in wakes if ns is not None and ns > self.ns]
        self.ns = min(ahead, default=self.ns + LULL)
        self.reader.advance(self.ns - 1)  # a tag that is laid now is not read before
        self.people.act(self.ns)
        self.reader.advance(self.ns)
        self.app.step()

    def _wake(self) -> int | None:
        """When the table has something to do; lamps that nobody sees need not be watched as they blink."""
        return self.table.deadline() if self.app.screen is None else self.app.next_wake()

    def close(self) -> None:
        """End the devices. May be called twice."""
        self.app.close()
        self.reader.close()
