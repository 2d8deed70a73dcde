"""The table in time: edges become presses, moments become final, and races are decided.

Theory of time. Lines, fingers, windows and races each know when they next change by time alone. An edge fires only what
is due on its own line; every other input first fires everything due by its time, in order of due times, so the table
comes to the same events however often it is told that time passes. `deadline` says when the shell must tell it.

The fold (see fold.py) keeps what is not final. This file decides when it is: a moment in an open window, or the end of
one, is final ``confirm`` + ``straggler`` ns after its stamp, or later: it waits for every burst that began by then and
every press whose meaning is open. A race waits likewise from t0 + tie. What never settles ends after ``chatter`` ns in
"press again", and the seat is named.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any, Self

import msgspec
from msgspec.structs import replace

from doubtable import fold as folds
from doubtable.buttons.bank import NEVER_DUE, Bank, Due
from doubtable.buttons.gestures import Gesture, Habits
from doubtable.buttons.lines import Settled
from doubtable.cards import Card
from doubtable.events import Event, event
from doubtable.finality import Around, Wait, again, rule, told, undoable, waits
from doubtable.games import GAMES
from doubtable.games.base import Game, Setup, Start
from doubtable.inputs import Edge, Input, Levels, Time
from doubtable.moments import END_LAST, Fold, Moment, SeatBook, Step, pressed, prio_of, understood
from doubtable.race import tie_width
from doubtable.readers import READERS, ReaderState, Sighting
from doubtable.sources import NOTHING_YET, SourceBook, missing_of, said_before, take_gap, take_seq
from doubtable.state import TableState, after_events
from doubtable.timing import S, Timing

NOISE_EVERY = 60 * S
NEW_SOURCE = SourceBook(since=NOTHING_YET)


class Timeline:
    """Lines, fingers and the fold of one table. `Table` adds what is fed besides edges. Not thread-safe."""

    def __init__(
        self,
        game: Game,
        names: tuple[str | None, ...],
        dealer: int,
        *,
        start: Start | None = None,
        cards: Mapping[str, Card] | None = None,
        reader: str = "rdm6300",
        habits: tuple[Habits, ...] = (),
    ) -> None:
        self.game = game
        self.names = names
        self.timing: Timing = game.timing  # what every game here starts from; its own differs in `doubt` alone
        self.cards = dict(cards or {})
        self.strangers: Mapping[str, str] = {}  # tag -> the deck that is not in play: a word for the screen, no fact
        self.reader = READERS[reader]
        self.habits = habits or (Habits(),) * len(names)
        state, self._opening = game.begin(dealer, start, 0)
        size = len(names)
        base = Fold(state, (SeatBook(),) * size)
        setup = Setup(game.id, game.seats, dealer, dict(game.options)) if game.id in GAMES else None
        self._bank = Bank(size, self.habits, self.timing)
        self._state = TableState(base, *self._bank.freeze(), noise=((0, -1),) * size, setup=setup)
        self._steps: list[Step] = []
        self._sources: dict[str, SourceBook] = {}
        self._timer = folds.next_timer(base, game)
        self._wait: Wait | None = None  # of the first step; None: to be found anew
        self._due: Due | None = None  # what comes next; None: to be found anew
        self._out: list[Event] = []

    # What the table is -------------------------------------------------------------------------------------------

    @property
    def state(self) -> TableState:
        """All that the table knows, as one frozen value. What edges change is only put into it when it is asked for."""
        if self._bank.changed:
            lines, fingers = self._bank.freeze()
            self._state = replace(self._state, lines=lines, fingers=fingers, sources=dict(self._sources))
        return self._state

    @state.setter
    def state(self, state: TableState) -> None:
        if state.lines is not self._state.lines or state.fingers is not self._state.fingers:
            self._bank.put(state.lines, state.fingers)
        self._sources = dict(state.sources)
        self._state = state

    @property
    def fold(self) -> Fold:
        """All that has happened, what is not final included."""
        return self._steps[-1].fold if self._steps else self._state.base

    def public(self) -> dict[str, Any]:
        """What a tape's ``state`` line may ask for."""
        return self.game.public(self.fold.game)

    def deadline(self) -> int | None:
        """When the table has to be told the time, in ns; None when nothing is due by time alone."""
        due = self._next()
        return None if due is NEVER_DUE else due[0]

    def dump(self) -> dict[str, Any]:
        """The state as plain JSON values."""
        plain: dict[str, Any] = msgspec.to_builtins(self.state, str_keys=True)
        return plain

    def load(self, plain: Mapping[str, Any]) -> None:
        """The table as it was when ``dump`` gave ``plain``."""
        state = msgspec.convert(plain, TableState, str_keys=True)
        if state.setup is not None:
            self.game = self.game_for(state.setup)
        kind = self.game.state_type
        base = replace(
            state.base,
            game=msgspec.convert(state.base.game, kind, str_keys=True),
            history=tuple(msgspec.convert(each, kind, str_keys=True) for each in state.base.history),
        )
        self.state = replace(state, base=base)
        self._due = None
        self._refold()

    def twin(self) -> Self:
        """A table in the same state: what is fed to one changes nothing of the other."""
        other = copy(self)
        other._bank = Bank(len(self.names), self.habits, self.timing)
        other._bank.put(self.state.lines, self.state.fingers)
        other._sources = dict(self._sources)
        other._steps, other._out = list(self._steps), []
        return other

    # Feeding -----------------------------------------------------------------------------------------------------

    def feed(self, given: Input) -> list[Event]:
        """Take one input; returns the events it led to, in the order in which they were decided."""
        if not self._state.begun:
            self._out.extend(self._opening)
            self._state = replace(self._state, begun=True)
        if isinstance(given, Edge):
            self._edge(given)
            self._due = None
        else:
            self._advance(given.ns)
            if not isinstance(given, Time):
                self._take(given)
                self._due = self._wait = None
                self._advance(given.ns)
        if not self._out:
            return []
        out, self._out = self._out, []
        self._state = after_events(self._state, out, self.game.lock_events)
        return out

    def game_for(self, setup: Setup) -> Game:
        """The rules that ``setup`` names."""
        raise NotImplementedError

    def _launch(self, setup: Setup) -> None:
        """The table goes on with ``setup``."""
        raise NotImplementedError

    def _take(self, given: Input) -> None:
        """What an input other than an edge does once everything due by its time has happened."""
        raise NotImplementedError

    def _sightings(self, state: ReaderState, sightings: Iterable[Sighting]) -> None:
        """Tags came onto the reader or left it."""
        raise NotImplementedError

    # Time --------------------------------------------------------------------------------------------------------

    def _advance(self, until: int) -> None:
        """Fire everything due by ``until``, in order of due times."""
        until = max(until, self._state.now)
        due = self._next()
        while due[0] <= until:
            ns, _, _, what, place = due
            if ns > self._state.now:
                self._state = replace(self._state, now=ns)
            self._fire(what, place, ns)
            if self._steps and self._steps[0].ns < ns and not undoable(self._state.base, self._steps[0]):
                self._finalize()  # nothing else is due so early: no need to look for what is next
            due = self._due = self._found_next()
        if until > self._state.now:
            self._state = replace(self._state, now=until)
            if missing_of(self._sources):
                self._due = None  # what a wait makes of a gap depends on the time

    def _next(self) -> Due:
        """The next thing due by time."""
        if self._due is None:
            self._due = self._found_next()
        return self._due

    def _found_next(self) -> Due:
        best = self._bank.next()
        for name, book in self._sources.items():
            if book.missing:
                best = min(best, (book.missing[0].seen + self.game.timing.straggler, 2, 0, f"gap {name}", 0))
        reader = None if self._state.reader is None else self.reader.due(self._state.reader)
        if reader is not None and reader < best[0]:
            best = reader, 3, 0, "reader", 0
        if self._timer is not None and self._timer < best[0]:
            best = self._timer, 4, 0, "timer", 0
        if self._steps and (final := self._waits(self._steps).due) < best[0]:
            best = final, 5, 0, "final", 0
        return best

    def _fire(self, what: str, place: int, due: int) -> None:
        match what:
            case "line":
                self._settled(place, self._bank.take_line(place))
            case "finger":
                self._gesture(place + 1, self._bank.take_finger(place))
            case "reader":
                assert self._state.reader is not None
                self._sightings(*self.reader.advance(self._state.reader, due))
            case "timer":
                self._refold(self._steps)
            case "final":
                self._finalize()
            case _:
                self._gap(what.removeprefix("gap "), due)

    def _refold(self, done: Sequence[Step] = ()) -> None:
        """Fold anew; ``done``: steps from the same base, of which those that are still true stay."""
        self._steps, self._timer = folds.run(self._state.base, self._state.moments, self.game, self._state.now, done)
        self._wait = None

    # Buttons -----------------------------------------------------------------------------------------------------

    def _edge(self, edge: Edge) -> None:
        book = take_seq(self._sources.get(edge.source) or NEW_SOURCE, edge)
        if edge.uncertainty != book.uncertainty or edge.ns < book.since:
            said = book.before(edge.ns + 1)
            if said and not edge.uncertainty:
                edge = replace(edge, uncertainty=said)
            elif said != edge.uncertainty:
                book = book.hears(edge.ns, edge.uncertainty)
                self._wait = None
        self._sources[edge.source] = book
        if self._state.fresh:
            self._state = replace(self._state, fresh=False)
        if self._bank.take_edge(edge):
            self._out += [event("late_edge", edge.ns, seat=edge.seat), event("read_levels", edge.ns)]

    def _levels(self, given: Levels) -> None:
        for seat, level in sorted(given.levels.items()):
            if self._state.fresh and not self._bank.lines[seat - 1].heard:
                self._bank.start_level(seat - 1, given.ns, level)
            else:
                self._bank.take_level(seat - 1, given.ns, level)

    def _settled(self, place: int, settled: Settled) -> None:
        """A line has come to something: tell it, and let the finger and the fold know."""
        seat = place + 1
        inferred = {} if settled.low is None else {"inferred": True, "after_ns": settled.low}
        if settled.kind == "press":
            self._out.append(event("press", settled.start, seat=seat, **inferred))
            self._bank.press(place, settled.start)
            self._press(seat, settled)
        elif settled.kind == "release":
            self._out.append(event("release", settled.start, seat=seat, **inferred))
            for gesture in self._bank.release(place, settled.start):
                self._gesture(seat, gesture)
        elif settled.kind == "noise":
            self._noise(place, settled)
        if settled.repeats:
            self._out.append(event("repeats", settled.start, seat=seat, count=settled.repeats))

    def _noise(self, place: int, settled: Settled) -> None:
        count, said = self._state.noise[place]
        due = said < 0 or settled.start - said >= NOISE_EVERY
        kept = self._state.noise
        entry = (count + 1, settled.start if due else said)
        self._state = replace(self._state, noise=kept[:place] + (entry,) + kept[place + 1 :])
        if due:
            self._out.append(event("noise", settled.start, seat=place + 1, count=count + 1))

    def _press(self, seat: int, settled: Settled) -> None:
        self._add(pressed(seat, settled, self._state.base.game.window))
        window = self.fold.game.window
        if window is not None and settled.start >= window.opened and self._state.asked != window.opened:
            self._state = replace(self._state, asked=window.opened)
            self._out.append(event("read_levels", self._state.now))

    def _gesture(self, seat: int, gesture: Gesture) -> None:
        if gesture.kind in ("stuck", "unstuck"):
            self._out.append(event(gesture.kind, gesture.ns, seat=seat))
            return
        if gesture.kind == "long":
            self._add(Moment(gesture.ns, END_LAST, "end", seat, gesture.press, "long"))
            return
        self._out.append(event(gesture.kind, gesture.ns, seat=seat))
        meaning = self.fold.books[seat - 1].meaning_of(gesture.press)
        if not self._state.moments and (meaning is None or meaning.is_spent):
            return  # the press is final, so its meaning is too
        known = self._state.now if meaning is not None and meaning.is_open else 0
        self._state = replace(self._state, moments=understood(self._state.moments, seat, gesture, known))
        if gesture.kind == "hold" and meaning is not None and meaning.is_open:
            after_tie = gesture.press + self._tie()[0]
            self._add(Moment(after_tie, END_LAST, "call", seat, gesture.press, called=gesture.ns))
        else:
            prio = prio_of(seat, self.fold.game.window, self.game.corrects)
            self._add(Moment(gesture.ns, prio, "end", seat, gesture.press, gesture.kind))

    def _add(self, moment: Moment) -> None:
        self._state = replace(self._state, moments=(*self._state.moments, moment))
        self._refold(self._steps)

    # What is final ------------------------------------------------------------------------------------------------

    def _uncertainties(self) -> dict[str, int]:
        """What the sources had said before the window under way opened."""
        window = self.fold.game.window or self._state.base.game.window
        opened = self._state.now + 1 if window is None else window.opened
        return said_before(self._sources, opened)

    def _tie(self) -> tuple[int, str]:
        return tie_width(self.game.timing, self._uncertainties().values())

    def _waits(self, steps: Sequence[Step]) -> Wait:
        """Until when the first of ``steps`` waits: found anew unless nothing happened but that bursts went on."""
        if not undoable(self._state.base, steps[0]):
            at, timing = steps[0].ns, self.game.timing
            unsure = self._bank.unsure(at)  # one of these may be the lock that comes first
            return Wait(at + timing.confirm + timing.straggler + timing.chatter if unsure else at, unsure)
        missing = missing_of(self._sources)
        if self._wait is None or missing or not self._bank.as_before:
            around = Around(self._bank.unsettled(), self.habits, missing, self._state.now)
            self._wait = waits(steps, around, self.game, self._uncertainties())
            self._bank.as_before = True
        return self._wait

    def _finalize(self) -> None:
        """Tell everything that is final by now, and decide the race that is due."""
        while self._steps and (wait := self._waits(self._steps)).due <= self._state.now:
            head = self._steps[0]
            if head.fold.race:
                self._decide(wait.chattering)
                continue
            for seat in wait.chattering:
                self._out.append(event("fault", self._state.now, device=f"button {seat}", what="chatter", seat=seat))
            self._tell(head)
            kept = tuple([each for each in self._state.moments if each is not head.moment])
            self._state = replace(self._state, base=head.fold, moments=kept)
            del self._steps[0]
            self._wait = None
            if head.fold.game.launch is not None:
                self._launch(head.fold.game.launch)

    def _decide(self, chattering: tuple[int, ...]) -> None:
        for step in self._steps:
            self._tell(step)
        base, events = rule(self.fold, self.game, self._state.now, self._uncertainties(), chattering)
        self._settle(base, events)

    def _settle(self, base: Fold, events: Iterable[Event] = ()) -> None:
        """``base`` is final and nothing else is left."""
        self._state = replace(self._state, base=base, moments=())
        self._out.extend(events)
        self._refold()

    def _tell(self, step: Step) -> None:
        if step.events:
            self._out += told(step, self._bank.fingers, self.game, self._state.now)

    def _gap(self, name: str, ns: int) -> None:
        """Numbers of a source are missing for good: read the levels; a window that they may concern is
        pressed again.
        """
        book, gap = take_gap(self._sources[name])
        self.state = replace(self.state, sources=self._sources | {name: book})
        self._wait = None
        self._out += [
            event("gap", gap.seen, lost=gap.last - gap.first + 1, source=name),
            event("read_levels", ns),
        ]
        self._lost(gap.low, gap.seen, ns)

    def _lost(self, low: int, high: int, ns: int) -> None:
        """Edges between ``low`` and ``high`` got lost: if a window was open then, all press again at ``ns``."""
        for steps in ([step for step in self._steps if step.ns <= low], self._steps):
            fold = steps[-1].fold if steps else self._state.base
            window = fold.game.window
            if window is not None and window.opened <= high:
                for step in steps:
                    self._tell(step)
                base, events = again(fold, self.game, ns, "gap", self._uncertainties())
                self._settle(base, events)
                return
