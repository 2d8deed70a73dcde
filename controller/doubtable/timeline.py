"""The table in time: edges become presses, moments become final, and races are decided.

Theory of time. Lines, fingers, windows and races each know when they next change by time alone. An edge fires only what
is due on its own line; every other input first fires everything due by its time, in order of due times, so the table
comes to the same events however often it is told that time passes. `deadline` says when the shell must tell it.

The fold (see fold.py) keeps what is not final. This file decides when it is: a moment in an open window, or the end of
one, is final ``confirm`` + ``straggler`` ns after its stamp, or later: it waits for every burst that began by then and
every press whose meaning is open. A race waits likewise from t0 + tie. What never settles ends after ``chatter`` ns in
"press again", and the seat is named.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from doubtable import fold as folds
from doubtable.buttons import gestures, lines
from doubtable.buttons.gestures import Finger, Gesture, Habits
from doubtable.buttons.lines import Line, Settled
from doubtable.cards import Card
from doubtable.events import Event, event
from doubtable.finality import Around, Wait, again, rule, waits
from doubtable.games import GAMES
from doubtable.games.base import Game, Setup, Start
from doubtable.inputs import Edge, Input, Levels, Time
from doubtable.moments import DOUBT_NEXT, END_LAST, LOCK_FIRST, Fold, Moment, SeatBook, Step
from doubtable.race import tie_width
from doubtable.readers import READERS, ReaderState, Sighting
from doubtable.sources import SourceBook, take_gap, take_seq
from doubtable.state import TableState
from doubtable.tally import SUMMED, after
from doubtable.timing import S, Timing

NOISE_EVERY = 60 * S
NEWS = ("doubt", "verdict", "press_again", "missing", "tag", "elsewhere", "win", "over", "point", "corrected")


def _without_record(news: Event) -> Event:
    """The event as it is kept to be seen: its evidence belongs to the log."""
    return replace(news, facts={key: value for key, value in news.facts.items() if key != "record"})


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
        self.timing: Timing = game.timing
        self.cards = dict(cards or {})
        self.strangers: Mapping[str, str] = {}  # tag -> the deck that is not in play: a word for the screen, no fact
        self.reader = READERS[reader]
        self.habits = habits or (Habits(),) * len(names)
        state, self._opening = game.begin(dealer, start, 0)
        size = len(names)
        base = Fold(state, (SeatBook(),) * size)
        setup = Setup(game.id, game.seats, dealer, dict(game.options)) if game.id in GAMES else None
        self.state = TableState(base, (Line(),) * size, (Finger(),) * size, noise=((0, -1),) * size, setup=setup)
        self._steps: list[Step] = []
        self._out: list[Event] = []

    # What the table is -------------------------------------------------------------------------------------------

    @property
    def fold(self) -> Fold:
        """All that has happened, what is not final included."""
        return self._steps[-1].fold if self._steps else self.state.base

    def public(self) -> dict[str, Any]:
        """What a tape's ``state`` line may ask for."""
        return self.game.public(self.fold.game)

    def deadline(self) -> int | None:
        """When the table has to be told the time, in ns; None when nothing is due by time alone."""
        due, _, _ = self._next()
        return due

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
        self._refold()

    # Feeding -----------------------------------------------------------------------------------------------------

    def feed(self, given: Input) -> list[Event]:
        """Take one input; returns the events it led to, in the order in which they were decided."""
        if not self.state.begun:
            self._out.extend(self._opening)
            self.state = replace(self.state, begun=True)
        if isinstance(given, Edge):
            self._edge(given)
        else:
            self._advance(given.ns)
            if not isinstance(given, Time):
                self._take(given)
                self._advance(given.ns)
        self.state = replace(self.state, latest=max(self.state.latest, given.ns, self.state.now))
        if not self._out:
            return []
        out, self._out = self._out, []
        news = {each.name: _without_record(each) for each in out if each.name in NEWS}
        if any(each.name in SUMMED for each in out):
            self.state = replace(self.state, tally=after(self.state.tally, out))
        if news:
            kept = tuple(each for each in self.state.news if each.name not in news)
            self.state = replace(self.state, news=kept + tuple(news.values()))
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
        until = max(until, self.state.now)
        while True:
            due, what, which = self._next()
            if due is None or due > until:
                break
            if due > self.state.now:
                self.state = replace(self.state, now=due)
            self._fire(what, which, due)
        self.state = replace(self.state, now=until)

    def _next(self) -> tuple[int | None, str, int]:
        """The next thing due by time: when, what, and of which seat."""
        best: tuple[int, int, int, str, int] | None = None
        wait = self._wait()
        timing = self.timing
        for place, (line, finger) in enumerate(zip(self.state.lines, self.state.fingers, strict=True)):
            alive = finger.since is not None or finger.tapped is not None
            if not alive and lines.rests(line):
                continue
            line_due = lines.due(line, timing)
            finger_due = gestures.due(finger, self.habits[place], timing) if alive else None
            if line_due is None and finger_due is None:
                continue
            since = lines.next_start(line)
            if finger_due is None or (
                line_due is not None and (line_due <= finger_due or lines.NEVER < since < finger_due)
            ):
                assert line_due is not None
                found = (line_due, 0, since, "line", place)
            else:
                found = (finger_due, 1, 0, "finger", place)
            if best is None or found < best:
                best = found
        for name, book in self.state.sources.items():
            if book.missing:
                found = (book.missing[0].seen + timing.straggler, 2, 0, f"gap {name}", 0)
                best = found if best is None or found < best else best
        for due, rank, what in (
            (self.reader.due(self.state.reader) if self.state.reader is not None else None, 3, "reader"),
            (folds.next_timer(self.fold, self.game), 4, "timer"),
            (None if wait is None else wait.due, 5, "final"),
        ):
            if due is not None and (best is None or (due, rank) < best[:2]):
                best = (due, rank, 0, what, 0)
        return (None, "", 0) if best is None else (best[0], best[3], best[4])

    def _fire(self, what: str, place: int, due: int) -> None:
        match what:
            case "line":
                line, settled = lines.take_due(self.state.lines[place], self.timing)
                self._set_line(place, line)
                self._settled(place, settled)
            case "finger":
                finger, gesture = gestures.take_due(self.state.fingers[place], self.habits[place], self.timing)
                self._set_finger(place, finger)
                self._gesture(place + 1, gesture)
            case "reader":
                assert self.state.reader is not None
                self._sightings(*self.reader.advance(self.state.reader, due))
            case "timer":
                self._refold()
            case "final":
                self._finalize()
            case _:
                self._gap(what.removeprefix("gap "), due)

    def _refold(self) -> None:
        self._steps = folds.run(self.state.base, self.state.moments, self.game, self.state.now)

    # Buttons -----------------------------------------------------------------------------------------------------

    def _set_line(self, place: int, line: Line) -> None:
        kept = self.state.lines
        self.state = replace(self.state, lines=kept[:place] + (line,) + kept[place + 1 :])

    def _set_finger(self, place: int, finger: Finger) -> None:
        kept = self.state.fingers
        self.state = replace(self.state, fingers=kept[:place] + (finger,) + kept[place + 1 :])

    def _edge(self, edge: Edge) -> None:
        place = edge.seat - 1
        book = take_seq(self.state.sources.get(edge.source, SourceBook()), edge)
        if book is not self.state.sources.get(edge.source):
            self.state = replace(self.state, sources=self.state.sources | {edge.source: book})
        if edge.uncertainty and edge.uncertainty != book.uncertainty and self.state.base.game.window is None:
            book = replace(book, uncertainty=edge.uncertainty)
            self.state = replace(self.state, sources=self.state.sources | {edge.source: book})
        if book.uncertainty and not edge.uncertainty:
            edge = replace(edge, uncertainty=book.uncertainty)
        line, late = lines.take_edge(self.state.lines[place], edge, self.timing)
        self._set_line(place, line)
        if self.state.fresh:
            self.state = replace(self.state, fresh=False)
        if late:
            self._out += [event("late_edge", edge.ns, seat=edge.seat), event("read_levels", edge.ns)]

    def _levels(self, given: Levels) -> None:
        fresh = self.state.fresh
        for seat, level in sorted(given.levels.items()):
            place = seat - 1
            if not fresh or self.state.lines[place].heard:
                self._set_line(place, lines.take_level(self.state.lines[place], given.ns, level))
                continue
            self._set_line(place, lines.start_level(given.ns, level))
            self._set_finger(place, Finger(since=given.ns, held=True) if level else Finger())

    def _settled(self, place: int, settled: Settled) -> None:
        """A line has come to something: tell it, and let the finger and the fold know."""
        seat = place + 1
        inferred = {} if settled.low is None else {"inferred": True, "after_ns": settled.low}
        if settled.kind == "press":
            self._out.append(event("press", settled.start, seat=seat, **inferred))
            self._set_finger(place, gestures.press(self.state.fingers[place], settled.start))
            self._press(seat, settled)
        elif settled.kind == "release":
            self._out.append(event("release", settled.start, seat=seat, **inferred))
            finger, made = gestures.release(self.state.fingers[place], settled.start, self.habits[place], self.timing)
            self._set_finger(place, finger)
            for gesture in made:
                self._gesture(seat, gesture)
        elif settled.kind == "noise":
            self._noise(place, settled)
        if settled.repeats:
            self._out.append(event("repeats", settled.start, seat=seat, count=settled.repeats))

    def _noise(self, place: int, settled: Settled) -> None:
        count, said = self.state.noise[place]
        due = said < 0 or settled.start - said >= NOISE_EVERY
        kept = self.state.noise
        entry = (count + 1, settled.start if due else said)
        self.state = replace(self.state, noise=kept[:place] + (entry,) + kept[place + 1 :])
        if due:
            self._out.append(event("noise", settled.start, seat=place + 1, count=count + 1))

    def _press(self, seat: int, settled: Settled) -> None:
        self._add(self._moment(seat, settled))
        window = self.fold.game.window
        if window is not None and settled.start >= window.opened and self.state.asked != window.opened:
            self.state = replace(self.state, asked=window.opened)
            self._out.append(event("read_levels", self.state.now))

    def _moment(self, seat: int, settled: Settled) -> Moment:
        """A press as a moment. An inferred one stands where it may have been at the earliest in the open window."""
        window, ns, at = self.state.base.game.window, settled.start, 0
        if settled.low is not None:
            at = settled.start
            if window is not None and window.opened <= at:
                ns = max(settled.low + 1, window.opened)
        return Moment(
            ns,
            DOUBT_NEXT,
            "down",
            seat,
            at=at,
            low=settled.low,
            source=settled.source,
            uncertainty=settled.uncertainty,
        )

    def _gesture(self, seat: int, gesture: Gesture) -> None:
        if gesture.kind in ("stuck", "unstuck"):
            self._out.append(event(gesture.kind, gesture.ns, seat=seat))
            return
        if gesture.kind == "long":
            self._add(Moment(gesture.ns, END_LAST, "end", seat, gesture.press, gesture.ns, "long"))
            return
        self._out.append(event(gesture.kind, gesture.ns, seat=seat))
        mark = self.fold.books[seat - 1].mark_of(gesture.press)
        known = self.state.now if mark is not None and mark.is_open else 0
        moments = tuple(
            replace(each, outcome=gesture.kind, known=known)
            if each.kind == "down" and each.seat == seat and each.stamp == gesture.press and not each.outcome
            else each
            for each in self.state.moments
        )
        self.state = replace(self.state, moments=moments)
        if gesture.kind == "hold" and mark is not None and mark.is_open:
            after_tie = gesture.press + self._tie()[0]
            self._add(Moment(after_tie, END_LAST, "call", seat, gesture.press, gesture.ns))
        else:
            prio = LOCK_FIRST if self.fold.game.window is None else END_LAST
            self._add(Moment(gesture.ns, prio, "end", seat, gesture.press, gesture.ns, gesture.kind))

    def _add(self, moment: Moment) -> None:
        self.state = replace(self.state, moments=(*self.state.moments, moment))
        self._refold()

    # What is final ------------------------------------------------------------------------------------------------

    def _uncertainties(self) -> dict[str, int]:
        return {name: book.uncertainty for name, book in self.state.sources.items() if book.up}

    def _tie(self) -> tuple[int, str]:
        return tie_width(self.timing, self._uncertainties().values())

    def _wait(self) -> Wait | None:
        if not self._steps:
            return None
        missing = [gap for book in self.state.sources.values() for gap in book.missing]
        around = Around(self.state.lines, self.habits, missing, self.state.now)
        return waits(self.state.base, self._steps, around, self.game, self._uncertainties())

    def _finalize(self) -> None:
        """Tell everything that is final by now, and decide the race that is due."""
        while (wait := self._wait()) is not None and wait.due <= self.state.now:
            head = self._steps[0]
            if head.fold.race:
                self._decide(wait.chattering)
                continue
            for seat in wait.chattering:
                self._out.append(event("fault", self.state.now, device=f"button {seat}", what="chatter", seat=seat))
            self._tell(head)
            kept = tuple(each for each in self.state.moments if each is not head.moment)
            self.state = replace(self.state, base=head.fold, moments=kept)
            del self._steps[0]
            if head.fold.game.launch is not None:
                self._launch(head.fold.game.launch)

    def _decide(self, chattering: tuple[int, ...]) -> None:
        for step in self._steps:
            self._tell(step)
        base, events = rule(self.fold, self.game, self.state.now, self._uncertainties(), chattering)
        self._settle(base, events)

    def _settle(self, base: Fold, events: Iterable[Event] = ()) -> None:
        """``base`` is final and nothing else is left."""
        self._steps = []
        self.state = replace(self.state, base=base, moments=())
        self._out.extend(events)
        self._refold()

    def _tell(self, step: Step) -> None:
        for each in step.events:
            late = each.name == "void" and each.facts["why"] == "late"
            delay = {"delay_ns": self.state.now - each.ns} if late else {}
            self._out.append(event(each.name, each.ns, **each.facts, **delay))
        if any(each.name == "window" and each.facts["state"] == "open" for each in step.events):
            self._tell_down(step)

    def _tell_down(self, step: Step) -> None:
        """At the lock: buttons that are down do not count until they are pressed anew."""
        window = step.fold.game.window
        for seat, finger in enumerate(self.state.fingers, 1):
            mark = step.fold.books[seat - 1].mark
            said = mark is not None and mark.kind == "void" and mark.ns == finger.since
            other = seat in self.game.seats and (window is None or not window.excludes(seat))
            before = finger.since is not None and finger.since < step.ns
            if before and other and (finger.stuck or finger.held or not said):
                self._out.append(event("void", step.ns, seat=seat, why="stuck" if finger.stuck else "held"))

    def _gap(self, name: str, ns: int) -> None:
        """Numbers of a source are missing for good: read the levels; a window that they may concern is
        pressed again.
        """
        book, gap = take_gap(self.state.sources[name])
        self.state = replace(self.state, sources=self.state.sources | {name: book})
        self._out += [
            event("gap", gap.seen, lost=gap.last - gap.first + 1, source=name),
            event("read_levels", ns),
        ]
        self._lost(gap.low, gap.seen, ns)

    def _lost(self, low: int, high: int, ns: int) -> None:
        """Edges between ``low`` and ``high`` got lost: if a window was open then, all press again at ``ns``."""
        for steps in ([step for step in self._steps if step.ns <= low], self._steps):
            fold = steps[-1].fold if steps else self.state.base
            window = fold.game.window
            if window is not None and window.opened <= high:
                for step in steps:
                    self._tell(step)
                base, events = again(fold, self.game, ns, "gap", self._uncertainties())
                self._settle(base, events)
                return
