"""An evening on a virtual clock with a real journal: random fingers and random cards at a table of four.

The fingers know nothing of cards, so they can go on after any cut; what they press is a game all the same.
"""

import heapq
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from doubtable.app import App
from doubtable.devices.simulated import SimulatedButtons, SimulatedLamps
from doubtable.events import Event
from doubtable.inputs import Do, TagGone, TagSeen
from doubtable.journal import Journal
from doubtable.journal.clock import Clocks
from doubtable.players import simulated_tags
from doubtable.recovery import Recovered, recover
from doubtable.simulation import simulated_table
from doubtable.table import Table
from doubtable.timing import MS, S, Timing
from doubtable.view import View

SEATS = 4
NAMES = ("Ann", "Bob", "Cy", "Dee")
HOUR = 3600 * S
WALL = 1_900_000_000 * S  # ns since 1970 when the virtual clock stands at 0
QUICK = Timing(doubt=400 * MS, last_call=1500 * MS, last_call_min=500 * MS, missing=1000 * MS)
TAGS = tuple(simulated_tags(1))


def new_table(*, lobby: bool = False) -> Table:
    """The table of every test here: four seats, short windows; a deal that is done, or the lobby."""
    if lobby:
        return Table.evening(NAMES, QUICK, cards=simulated_tags(1))
    return simulated_table("classic", SEATS, timing=QUICK)


class Virtual:
    """A machine with a clock that jumps."""

    def __init__(self, mono: int = 0, boot: str = "boot-1", *, is_set: bool = True, wall: int = WALL) -> None:
        self.ns = mono
        self.wall_at_0 = wall
        self.is_set = is_set
        self.boot = boot

    def mono(self) -> int:
        return self.ns

    def clocks(self) -> Clocks:
        return Clocks(self.boot, self.mono, lambda: self.wall_at_0 + self.ns, lambda: self.is_set)


class SeenScreen:
    """A screen that hands on every view it is given, unless it is marked as not saved."""

    def __init__(self, seen: Callable[[View], None]) -> None:
        self._seen = seen
        self.unsaved = 0
        self.last: View | None = None

    def show(self, view: View, ns: int) -> None:
        self.last = view
        if any(key == "NOT SAVED" for key, _ in view.notices):
            self.unsaved += 1
        else:
            self._seen(view)

    def close(self) -> None:
        """Nothing is held."""


class Evening:
    """App, journal, buttons, lamps and fingers. ``wall`` keeps what the screen showed, ``events`` what was decided."""

    def __init__(
        self,
        path: Path | None,
        seed: int,
        *,
        machine: Virtual | None = None,
        table: Table | None = None,
        seen: Callable[[View], None] = lambda view: None,
        retry: float = 0.001,
        keep_days: int = 0,
    ) -> None:
        self.random = Random(seed)
        self.machine = machine or Virtual()
        self.events: list[Event] = []
        table = table or new_table()
        self.recovered = Recovered(table, None, 0, ())
        journal = None
        if path is not None:
            journal = Journal(path, clocks=self.machine.clocks(), retry=retry, linger=0, keep_days=keep_days)
            try:
                self.recovered = recover(journal, table)
            except BaseException:
                journal.close()
                raise
        self.journal = journal
        self.table = self.recovered.table
        clock = self.machine.mono
        self.buttons = SimulatedButtons(range(1, SEATS + 1), self._deliver, clock=clock, source="gpio", uncertainty=0)
        self.lamps = SimulatedLamps(range(1, SEATS + 1), clock=clock)
        self.screen = SeenScreen(seen)
        self.app = App(
            self.table,
            self.buttons,
            self.lamps,
            clock=clock,
            screen=self.screen,
            heard=lambda events, ns: self.events.extend(events),
            journal=journal,
            waiting=self.recovered.waiting,
        )
        self._edges: list[tuple[int, int, bool]] = []
        self.lamps.start()
        self.buttons.start()

    def _deliver(self, given: Any) -> None:
        self.app.deliver(given)

    # Fingers --------------------------------------------------------------------------------------------------------

    def hold(self, seat: int) -> None:
        """A button is held for nearly a second, and everything that follows happens."""
        self._finger(seat, 950 * MS)
        self.run_to(self.machine.ns + 1200 * MS)

    def tap(self, seat: int) -> None:
        """A button is tapped."""
        self._finger(seat, 120 * MS)
        self.run_to(self.machine.ns + 300 * MS)

    def _finger(self, seat: int, length: int) -> None:
        at = self.machine.ns
        for down, start in ((True, at), (False, at + length)):
            for bounce in range(self.random.randrange(3)):
                heapq.heappush(self._edges, (start + bounce * 300_000, seat, down))
                heapq.heappush(self._edges, (start + bounce * 300_000 + 100_000, seat, not down))
            heapq.heappush(self._edges, (start + 900_000, seat, down))

    def show_tag(self, tag: str) -> None:
        """A card is laid on the reader and lifted."""
        self.app.deliver(TagSeen(self.machine.ns, tag))
        self.step()
        self.run_to(self.machine.ns + 200 * MS)
        self.app.deliver(TagGone(self.machine.ns, tag))

    def go_on(self) -> None:
        """Somebody holds a button at a table that stands still."""
        self.run_to(self.machine.ns + 100 * MS)
        self.hold(1)

    # Time -----------------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Everything due now happens."""
        while self._edges and self._edges[0][0] <= self.machine.ns:
            ns, seat, down = heapq.heappop(self._edges)
            self.buttons.press(seat, down, ns)
        self.app.step()

    def run_to(self, ns: int) -> None:
        """Everything due until ``ns`` of the machine's clock happens."""
        while self.machine.ns < ns:
            wake = self.app.next_wake()
            times = [self._edges[0][0]] if self._edges else []
            times += [wake + self.app.origin] if wake is not None else []
            ahead = [each for each in times if self.machine.ns < each < ns]
            self.machine.ns = min(ahead, default=ns)
            self.step()

    def play(self, acts: int) -> Iterator[int]:
        """Random acts, one by one; yields their numbers."""
        for number in range(acts):
            self.act()
            yield number

    def act(self) -> None:
        """One random act, mostly where a lamp is lit: a slap, a tap, a hold, two slaps at once, a card, or a while."""
        random, view = self.random, self.app.view
        lamps = {} if view is None else {seat.seat: seat.lamp for seat in view.seats}
        lit = [seat for seat, lamp in lamps.items() if lamp in ("steady", "pulsing")]
        seat = random.choice(lit) if lit and random.randrange(100) < 85 else random.randrange(1, SEATS + 1)
        kind = random.randrange(100)
        if "fast" in lamps.values() and kind < 60:
            self.show_tag(random.choice(TAGS))
        elif kind < 10:
            self._finger(seat, 90 * MS)
            self._finger(seat % SEATS + 1, 90 * MS)
            self.run_to(self.machine.ns + 300 * MS)
        elif kind < 15:
            self.run_to(self.machine.ns + 2 * S)
        elif lamps.get(seat) == "steady" or kind < 55:
            self.tap(seat)
        else:
            self.hold(seat)

    def play_out(self) -> None:
        """Nobody doubts any more and everybody lays four cards at a time, until somebody has won."""
        for _ in range(300):
            state = self.table.public()
            if state["phase"] == "over":
                return
            seat = state["turn"] if state["phase"] == "claim" else state["turn"] % SEATS + 1
            count = min(4, state["hands"][seat - 1])
            act = {"last_call": "let_go", "reveal": "give_in"}.get(state["phase"], "claim")
            self.app.deliver(Do(self.machine.ns, state["doubter"] or seat, act, count if act == "claim" else None))
            self.step()
            self.run_to(self.machine.ns + 1100 * MS)
        raise AssertionError(f"the game does not end: {self.table.public()}")

    def close(self) -> None:
        """The table is switched off in order."""
        self.app.close()


def fact(view: View) -> str:
    """What a guest has seen for sure: all that a view tells but what passes with time."""
    return json.dumps(
        [
            view.game,
            view.phase,
            [[seat.count, seat.score, seat.place, seat.gone] for seat in view.seats],
            view.pile,
            view.claim,
            view.cards,
            view.wanted,
            view.scores,
            view.dealer,
        ]
    )


def lines(events: list[Event]) -> list[str]:
    """Events as ``doubtable replay`` prints them."""
    from doubtable.tape import event_line  # noqa: PLC0415 - one use

    return [event_line(each) for each in events]
