"""Moments: what has a stamp and is not final, and the value that they change.

At one and the same stamp a lock comes before a doubt (it opens the window), a doubt before a call, and both before all
that ends a window.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from doubtable.buttons.gestures import Gesture
from doubtable.buttons.lines import Settled
from doubtable.entry import Entry
from doubtable.events import Event
from doubtable.games.base import SLAP, SLAP_OR_CALL, Act, Window
from doubtable.house import House
from doubtable.inputs import DEFAULT_SOURCE
from doubtable.race import Candidate, Voided

LOCK_FIRST, DOUBT_NEXT, END_LAST = 0, 1, 2
"""The order of moments with one stamp."""


class Moment(msgspec.Struct, frozen=True):
    """Something with a stamp that is not final: ``kind`` down, end (of a gesture), call (wrong rank) or act.

    ``press`` is the stamp of the gesture's press. A call counts at its press, unless somebody doubts up to the end of
    the tie, ``ns``; it was made at ``called``. ``outcome`` of a down: "" (not known yet), tap, hold, or doubt for an
    act past the buttons; ``known`` when that of an open one became known. ``low`` as in Candidate: then ``ns`` is the
    earliest stamp that the press may have and ``read`` the time of the read that told it.
    """

    ns: int
    prio: int
    kind: str
    seat: int = 0
    press: int = 0
    outcome: str = ""
    known: int = 0
    act: Act | None = None
    called: int = 0
    low: int | None = None
    read: int = 0
    source: str = DEFAULT_SOURCE
    uncertainty: int = 0

    @property
    def stamp(self) -> int:
        """The stamp under which a press is known: an inferred one is listed with its read's time."""
        return self.ns if self.low is None else self.read


class Meaning(msgspec.Struct, frozen=True):
    """What a press could do, fixed at its stamp. ``kind`` SLAP, SLAP_OR_CALL, STRIP or "void"; ``label``: the item that
    a HOLD does.
    """

    ns: int
    kind: str
    key: str = ""
    label: str = ""
    at_press: bool = False
    locked: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the press may still turn out to be a doubt or a call."""
        return self.kind == SLAP_OR_CALL or self.at_press

    @property
    def is_spent(self) -> bool:
        """Whether a tap or a hold that ends the press does nothing: what it could do, the press itself has done."""
        return self.kind in ("void", SLAP)


class SeatBook(msgspec.Struct, frozen=True):
    """What the table remembers of a seat's presses; times in ns."""

    early: int = 0  # early presses since the last window closed
    locked: int = -1  # doubts are locked out before this
    meaning: Meaning | None = None
    before: Meaning | None = None  # of the press before: of two taps that are one hold, the first may do something
    entry: Entry = Entry()
    void_at: int = -1  # the last void press, of whatever window: from then on the lamp is dark for a moment
    buzz_at: int = -1  # the last move that did nothing

    def meant(self, meaning: Meaning) -> "SeatBook":
        """The book with the meaning of a press, or with a new one of the same press."""
        before = self.meaning if self.meaning is not None and self.meaning.ns != meaning.ns else self.before
        return replace(self, meaning=meaning, before=before)

    def meaning_of(self, press: int) -> Meaning | None:
        """The meaning of the press stamped ``press``, one of the last two; None when there is none."""
        if self.meaning is not None and self.meaning.ns == press:
            return self.meaning
        return self.before if self.before is not None and self.before.ns == press else None


class WindowBook(msgspec.Struct, frozen=True):
    """What the table remembers of one window's presses; a new window has a new one."""

    race: tuple[Candidate, ...] = ()
    knocks: tuple[tuple[int, int], ...] = ()  # the latest presses, (ns, seat)
    bumped: bool = False
    perhaps_knocks: tuple[tuple[int, int], ...] = ()  # inferred ones, (the latest ns they may have, seat)
    perhaps_bumped: bool = False
    bound: int | None = None  # a start that an earlier doubt undid: later presses are no candidates all the same
    voids: tuple[Voided, ...] = ()  # since it opened, until the next one opens

    def over(self) -> "WindowBook":
        """The book once the window has closed: only what did not count is still asked for."""
        return WindowBook(voids=self.voids)


class Fold(msgspec.Struct, frozen=True):
    """All that moments change."""

    game: Any
    books: tuple[SeatBook, ...]
    window_book: WindowBook = WindowBook()
    closed: int = -1  # when the last window closed
    turned: int = -1  # when the step began in which somebody has to act
    house: House = House()
    history: tuple[Any, ...] = ()  # game states from just before each lock, for undo

    @property
    def race(self) -> tuple[Candidate, ...]:
        """The candidates of a race that is not decided; empty = none."""
        return self.window_book.race


HISTORY = 12  # locks that an attendant can take back
MOST_VOIDS = 32  # in the evidence of one race
EMPTY = "empty"  # a meaning: the press of a seat where nobody sits; its TAP sits down
NONE = ("-",)  # the item of a strip that does nothing


class Step(msgspec.Struct, frozen=True):
    """One applied moment (None: a timer) with the fold after it and what it tells."""

    ns: int
    moment: Moment | None
    fold: Fold
    events: tuple[Event, ...]


def prio_of(seat: int, window: Window | None, corrects: bool) -> int:
    """The place of what ``seat`` does among moments of one stamp: what opens a window, as a claimant's correction does
    where it ``corrects``, comes before a doubt; what ends ``window``, after it.
    """
    opens = window is None or (corrects and window.excludes(seat))
    return LOCK_FIRST if opens else END_LAST


def pressed(seat: int, settled: Settled, window: Window | None) -> Moment:
    """A press as a moment. An inferred one stands where it may have been at the earliest in ``window``."""
    ns = settled.start
    if settled.low is not None and window is not None and window.opened <= ns:
        ns = max(settled.low + 1, window.opened)
    return Moment(
        ns,
        DOUBT_NEXT,
        "down",
        seat,
        low=settled.low,
        read=0 if settled.low is None else settled.start,
        source=settled.source,
        uncertainty=settled.uncertainty,
    )


def understood(moments: Iterable[Moment], seat: int, gesture: Gesture, known: int) -> tuple[Moment, ...]:
    """``moments`` once ``gesture`` tells what the press of ``seat`` under it was; ``known`` as in Moment."""
    return tuple(
        replace(each, outcome=gesture.kind, known=known)
        if each.kind == "down" and each.seat == seat and each.stamp == gesture.press and not each.outcome
        else each
        for each in moments
    )
