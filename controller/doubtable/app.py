"""The shell around the core: one inbox, one main loop, and devices that have owners.

    device threads --> inbox --> Table.feed --> events --> log, tape, people
                                     '-- look() --> lamps at once; screen and speaker after them

Whatever the core knows comes in through the inbox, in the order of delivery. Time is fed only up to where every live
source of edges has been drained, and only when the table has asked for it. An input that lets time pass (all but an
edge) waits for that too, and whatever was delivered after it waits behind it: else a card on the reader could overtake
an edge that is stamped before it. The table's clock counts from the start of the program.
"""

import queue
from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol

from msgspec.structs import replace

from doubtable import tape
from doubtable.devices.ports import ButtonSource, Clock, LampBoard
from doubtable.events import Event
from doubtable.footprint import give_back
from doubtable.foresight import Foresight, foresee
from doubtable.inputs import Device, Edge, Input, Time
from doubtable.journal.gate import LOOK_AGAIN, Gate, with_code
from doubtable.journal.looking_back import LookBack
from doubtable.journal.unsaved import Unsaved
from doubtable.journal.waiting import Waiting
from doubtable.journal.writer import Journal
from doubtable.table import Table
from doubtable.timing import MS, S
from doubtable.view import View, lamp_on, lamps, look, next_blink

WINDOW_WAIT = 5 * MS  # with a window the loop looks at its keys so often
IDLE_WAIT = 100 * MS
LOOK_EVERY = 25 * MS  # a view changes by an input, by a lamp's rhythm, or by time: a verdict that has been seen
LOOK_SELDOM = 1 * S  # at a table that is still, where only tips take turns
STILL_AFTER = 5 * S  # without an input: whatever is shown for a moment (a verdict, a void press) has been seen by then
DRAIN_WAIT = 1 * MS  # what is due waits for a source that is not drained yet: look again so soon
QUIET = 1 * MS  # so long after the last input: while a contact bounces, each edge makes void what was foreseen
FORESEEN = 100 * MS  # what is due so soon is foreseen; the longest time that confirms a press is 50 ms


class Screen(Protocol):
    """What shows the view."""

    def show(self, view: View, ns: int) -> None:
        """Draw what has changed since the last view."""

    def close(self) -> None:
        """Give the screen back. May be called twice."""


class Voice(Protocol):
    """What sounds."""

    def follow(self, view: View, ns: int, events: Iterable[Event] = ()) -> None:
        """Play what has changed since the last view; ``events`` are those since then."""

    def close(self) -> None:
        """Give the loudspeaker back. May be called twice."""


class App:
    """One table with its devices. ``deliver`` may be called from any thread, all else belongs to the main thread."""

    def __init__(
        self,
        table: Table,
        buttons: ButtonSource,
        lamps: LampBoard,
        *,
        clock: Clock,
        screen: Screen | None = None,
        heard: Callable[[list[Event], int], None] = lambda events, ns: None,
        record: Callable[[str], object] | None = None,
        inbox: queue.SimpleQueue[Input] | None = None,
        journal: Journal | Unsaved | None = None,
        waiting: Waiting | None = None,
        voice: Voice | None = None,
    ) -> None:
        self.table = table
        self.voice = voice
        self._told: list[Event] = []  # since the last view that sounded
        self.buttons, self.lamps, self.screen = buttons, lamps, screen
        self.inbox: queue.SimpleQueue[Input] = queue.SimpleQueue() if inbox is None else inbox
        self.origin = clock()
        self.number = 0 if journal is None else max(0, journal.committed)
        self.view: View | None = None
        self._waiting: deque[Input] = deque()  # delivered, not fed yet
        self._look_at = 0  # ns: the view is made anew
        self._still_from = STILL_AFTER  # ns
        self._lamps_up = True
        self._clock = clock
        self._heard = heard
        self._record = record
        self._shown: dict[int, bool] = {}
        self._foresight: Foresight | None = None  # of the table as it is
        self._over = False  # a game has just ended: nobody is in a hurry
        self.journal = journal
        self._gate = Gate()
        self.look_back = LookBack(lambda: () if self.journal is None else self.journal.races)
        self._cut = waiting  # the table stands as a power cut left it, until somebody goes on
        self._feeding = False
        if journal is not None and waiting is None:
            journal.set_origin(self.origin)

    @property
    def stands_still(self) -> bool:
        """Whether the table stands as a power cut left it, until somebody goes on."""
        return self._cut is not None

    def deliver(self, given: Input) -> None:
        """An input for the table, stamped by the machine's clock. Any thread."""
        self.inbox.put(given)

    def now(self) -> int:
        """The table's time: ns since the start."""
        return self._clock() - self.origin

    def step(self, wait: int = 0) -> None:
        """Take what is in the inbox (waiting at most ``wait`` ns for the first), let time pass, show what there is.

        A loop that has waited in vain has time to look ahead: its next wait may end with lamps that are known already.
        """
        number = self.number
        self._take(wait)
        until = min(self.now(), self.buttons.drained_to() - self.origin)
        self._take()  # after the look at the sources: all edges stamped up to `until` are in our hands now
        while self._waiting and (isinstance(self._waiting[0], Edge) or self._waiting[0].ns <= until):
            self._feed(self._waiting.popleft())
        due = self._deadline()
        if not self._waiting and due is not None and due <= until:
            if self._foresight is not None:
                self._light(self._foresight.lit)
            self._feed(Time(until))
        self.show()
        if self._over:
            self._over = False
            give_back()
        if wait > 0 and self.number == number and (due := self._to_foresee()) is not None:
            self._foresight = foresee(self.table, due)

    def _deadline(self) -> int | None:
        return self.table.deadline() if self._cut is None else self._cut.deadline()

    def _take(self, wait: int = 0) -> None:
        try:
            given = self.inbox.get(timeout=wait / 1e9) if wait > 0 else self.inbox.get_nowait()
            while True:
                self._waiting.append(replace(given, ns=max(0, given.ns - self.origin)))
                given = self.inbox.get_nowait()
        except queue.Empty:
            return

    def _to_foresee(self) -> int | None:
        """What is due soon and has not been foreseen, in ns."""
        if self._foresight is not None or self._cut is not None or self._waiting:
            return None
        due, now = self.table.deadline(), self.now()
        return due if due is not None and now < due <= now + FORESEEN else None

    def _feed(self, given: Input) -> None:
        self._look_at = 0
        self._foresight = None
        self._still_from = self.now() + STILL_AFTER
        if self._cut is not None:
            held = self._cut.feed(given)
            if held is not None:
                self._go_on(self._cut, held)
            return
        self.number += 1
        if self._record is not None:
            self._record(tape.input_line(given))
        self._feeding = True  # until the table has it whole: a state in between is no checkpoint
        if self.journal is not None:
            due = self.table.deadline() if isinstance(given, Time) else given.ns
            self.journal.take(self.number, given, quiet=due is None or due > given.ns)
        events = self.table.feed(given)
        self._feeding = False
        self._over = self._over or any(each.name == "over" for each in events)
        if self.journal is not None and self.journal.hear(self.number, events):
            self.journal.point(self.number, self.table.dump())
        if any(each.name == "read_levels" for each in events):
            self.buttons.read_levels()
        if self.voice is not None:
            self._told += events
        if events:
            self._heard(events, max(given.ns, self.table.state.now))

    def _go_on(self, cut: Waiting, held: Event) -> None:
        """Somebody held a button until ``held``: the table's clock goes on from there, after the gap."""
        self._cut = None
        restart = cut.restart(self.origin + held.ns)
        on = restart.ns + restart.gap
        self.origin += held.ns - on
        self._waiting = deque(replace(each, ns=each.ns + on - held.ns) for each in self._waiting)
        if self.journal is not None:
            self.journal.set_origin(self.origin)
        for given in (restart, *cut.before(on, held.facts["seat"])):
            self._feed(given)
        self.buttons.read_levels()

    def show(self) -> None:
        """Lamps first: they are the starting gun. Then screen and speaker, once their input is committed."""
        ns = self.now()
        if self.view is None or ns >= self._look_at:
            cut = self._cut
            if cut is None:
                lit = lamps(self.table, ns)
                self._switch_lamps(dict(enumerate(lit, 1)), ns)
                self.view = look(self.table, ns, self.number, lit)
            else:
                self.view = cut.view(self.number)
                self._switch_lamps({seat.seat: seat.lamp for seat in self.view.seats}, ns)
            every = LOOK_SELDOM if self._is_still(ns) else LOOK_EVERY
            self._look_at = min(ns + every, next_blink(self.view, ns) or ns + every)
        seen: View | None = self.view
        if self.journal is not None and (self.screen is not None or self.voice is not None):
            seen = self._gate.pick(with_code(self.view, self.journal.over), self.journal.committed, ns)
        if seen is None:
            return
        if self.screen is not None:
            self.screen.show(self.look_back.over(seen, ns), ns)
        if self.voice is not None:
            self.voice.follow(seen, ns, self._told)
            self._told = []

    def _switch_lamps(self, lamps: dict[int, str], ns: int) -> None:
        self._light({seat: lamp_on(lamp, ns) for seat, lamp in lamps.items()})

    def _light(self, lit: dict[int, bool]) -> None:
        if lit != self._shown or not self._lamps_up:  # a board that is lost is looked for again by being told
            self.lamps.show(lit)
            self._shown = lit
            up = self.lamps.fault is None
            if up != self._lamps_up:
                self._lamps_up = up
                self.deliver(Device(self._clock(), "lamps", up))

    def _is_still(self, ns: int) -> bool:
        """Whether nothing runs at the table: no window empties, no ring fills, no heart beats, and no news is fresh.

        What the table itself does by time is an input (Time), after which it is not still.
        """
        if self._cut is not None:
            return True
        if self.view is None or ns < self._still_from:
            return False
        return self.table.fold.game.window is None and not (
            self.view.window or self.view.holds or self.view.scene == "reveal"
        )

    def next_wake(self) -> int | None:
        """When the loop has something to do by time alone: ns of the table's clock."""
        due = self._deadline()
        blink = None if self.view is None else next_blink(self.view, self.now())
        return min((ns for ns in (due, blink) if ns is not None), default=None)

    def wait_time(self, longest: int) -> int:
        """How long the loop may sleep, in ns."""
        if self._waiting:
            return DRAIN_WAIT
        if self._gate.waits:
            longest = min(longest, LOOK_AGAIN)
        if not self._is_still(self.now()):
            longest = min(longest, LOOK_EVERY)
        if self._to_foresee() is not None:
            longest = min(longest, QUIET)
        wake = self.next_wake()
        if wake is None:
            return longest
        left = wake - self.now()
        return min(longest, left) if left > 0 else DRAIN_WAIT

    def close(self) -> None:
        """Lamps off, lines released, screen given back, journal written to its end. May be called twice."""
        self.lamps.show(dict.fromkeys(self._shown, False))
        self._shown = {}
        self.lamps.close()  # before the buttons: a panel is both
        self.buttons.close()
        if self.voice is not None:
            self.voice.close()
        if self.screen is not None:
            self.screen.close()
        journal, self.journal = self.journal, None
        if journal is not None:
            if self._cut is None and not self._feeding:
                journal.point(self.number, self.table.dump())
            journal.close()
