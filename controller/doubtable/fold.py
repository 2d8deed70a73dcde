"""The table as a fold over stamped moments.

Theory. Edges of different lines may be delivered in any order, so the table keeps a settled state and a short list of
moments that are not final yet (presses, gestures, acts, each with its stamp). What shows is the settled state with the
moments applied in order of stamps. When an earlier stamp turns up, the list is folded anew: a start at 5.100 s is undone
by a doubt stamped 5.090 s, simply because the doubt is applied first and freezes the window. A moment becomes final when
nothing earlier can come any more; only then are its events told. So no rule of a game needs to know about delays.

At one and the same stamp a lock comes before a doubt (it opens the window), a doubt before all that ends a window.
"""

from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from doubtable import entry
from doubtable.entry import Entry
from doubtable.events import Event, event
from doubtable.games.base import LATE, QUIET, SLAP, SLAP_OR_CALL, STRIP, Act, Game, Refused
from doubtable.inputs import DEFAULT_SOURCE
from doubtable.race import Candidate, Voided, bump_seats

LOCK_FIRST, DOUBT_NEXT, END_LAST = 0, 1, 2
"""The order of moments with one stamp."""


class Moment(msgspec.Struct, frozen=True):
    """Something with a stamp that is not final: ``kind`` down, end (of a gesture), call (wrong rank) or act.

    ``press`` is the stamp of the gesture's press, ``at`` when it took effect. ``outcome`` of a down: "" (not known yet),
    tap, hold, or doubt for an act past the buttons. ``low`` as in Candidate.
    """

    ns: int
    prio: int
    kind: str
    seat: int = 0
    press: int = 0
    at: int = 0
    outcome: str = ""
    act: Act | None = None
    low: int | None = None
    source: str = DEFAULT_SOURCE


class Mark(msgspec.Struct, frozen=True):
    """What a press could do, fixed at its stamp. ``kind`` SLAP, SLAP_OR_CALL, STRIP or "void"."""

    ns: int
    kind: str
    key: str = ""
    at_press: bool = False
    locked: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the press may still turn out to be a doubt or a call."""
        return self.kind == SLAP_OR_CALL or self.at_press


class SeatBook(msgspec.Struct, frozen=True):
    """What the table remembers of a seat's presses; times in ns."""

    early: int = 0  # early presses since the last window closed
    locked: int = -1  # doubts are locked out before this
    mark: Mark | None = None
    entry: Entry = Entry()
    void_at: int = -1
    buzz_at: int = -1  # the last move that did nothing


class Fold(msgspec.Struct, frozen=True):
    """All that moments change. ``race``: the candidates of a race that is not decided; empty = none."""

    game: Any
    books: tuple[SeatBook, ...]
    race: tuple[Candidate, ...] = ()
    closed: int = -1  # when the last window closed
    knocks: tuple[tuple[int, int], ...] = ()  # the latest presses in the window, (ns, seat)
    bumped: bool = False
    voids: tuple[Voided, ...] = ()  # of this window
    history: tuple[Any, ...] = ()  # game states from just before each lock, for undo


HISTORY = 12  # locks that an attendant can take back


class Step(NamedTuple):
    """One applied moment (None: a timer) with the fold after it and what it tells."""

    ns: int
    moment: Moment | None
    fold: Fold
    events: tuple[Event, ...]


def run(base: Fold, moments: tuple[Moment, ...], game: Game, now: int) -> list[Step]:
    """``base`` with ``moments`` and every timer due by ``now`` applied in order of stamps."""
    steps: list[Step] = []
    fold = base
    for moment in sorted(moments, key=lambda each: (each.ns, each.prio)):
        fold = _timers(fold, game, moment.ns, steps)
        fold, events = _apply(fold, moment, game)
        steps.append(Step(moment.ns, moment, fold, events))
    _timers(fold, game, now, steps)
    return steps


def next_timer(fold: Fold, game: Game) -> int | None:
    """When the game next changes by time alone; a window that is frozen by a race waits for its decision."""
    due = game.due(fold.game)
    return None if due is None or (fold.race and fold.game.window is not None) else due


def _timers(fold: Fold, game: Game, until: int, steps: list[Step]) -> Fold:
    while (due := next_timer(fold, game)) is not None and due <= until:
        state, events = game.pass_time(fold.game, due)
        fold = enter(fold, state, due)
        steps.append(Step(due, None, fold, events))
    return fold


def _apply(fold: Fold, moment: Moment, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    match moment.kind:
        case "down":
            return _down(fold, moment, game)
        case "end":
            return _end(fold, moment, game)
        case "call":
            mark = fold.books[moment.seat - 1].mark
            known = moment.act is not None or (mark is not None and mark.ns == moment.press and mark.is_open)
            return _try(fold, Act(moment.seat, "wrong_rank"), moment.at, game) if known else (fold, ())
        case _:
            assert moment.act is not None
            return _try(fold, moment.act, moment.ns, game)


def enter(fold: Fold, state: Any, ns: int) -> Fold:
    """``fold`` with the game at ``state``: a window that closed or opened between the two is noted."""
    before, after = fold.game.window, state.window
    history = fold.history
    if state.card_shown and not fold.game.card_shown:
        history = ()
    fold = replace(fold, game=state, history=history)
    if after is None and before is not None:
        return close(fold, ns)
    if after is not None and (before is None or after.opened != before.opened):
        return replace(fold, knocks=(), bumped=False, voids=(), race=())
    return fold


def close(fold: Fold, ns: int) -> Fold:
    """``fold`` after a window that closed at ``ns``: the count of early presses begins anew."""
    books = tuple(replace(book, early=0) for book in fold.books)
    return replace(fold, books=books, closed=max(ns, fold.closed), knocks=(), bumped=False, race=())


def perform(fold: Fold, act: Act, ns: int, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """``fold`` after ``act`` and what it implies. Raises Refused."""
    if fold.race and fold.game.window is not None:
        raise Refused("a doubt is being decided")
    implied = game.implied(fold.game, act)
    events: tuple[Event, ...] = ()
    if implied is not None:
        state, events = game.act(fold.game, implied, ns)
        fold = enter(fold, state, ns)
    before = fold.game
    state, more = game.act(before, act, ns)
    fold = enter(fold, state, ns)
    if state.locks > before.locks and state.window is not None:
        fold = replace(fold, history=(*fold.history, before)[-HISTORY:])
    return fold, (*events, *more)


def _try(fold: Fold, act: Act, ns: int, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """An act that was allowed when it came; an earlier stamp may since have made it void."""
    try:
        return perform(fold, act, ns, game)
    except Refused:
        return fold, ()


# Presses --------------------------------------------------------------------------------------------------------


def with_book(fold: Fold, seat: int, book: SeatBook) -> Fold:
    """``fold`` with one seat's book replaced."""
    return replace(fold, books=fold.books[: seat - 1] + (book,) + fold.books[seat:])


def _void(fold: Fold, moment: Moment, why: str, book: SeatBook) -> tuple[Fold, tuple[Event, ...]]:
    book = replace(book, mark=Mark(moment.ns, "void"), void_at=moment.ns)
    voids = (*fold.voids, Voided(moment.seat, moment.ns, why))[-32:]
    return replace(with_book(fold, moment.seat, book), voids=voids), (
        event("void", moment.ns, seat=moment.seat, why=why),
    )


def _down(fold: Fold, moment: Moment, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """A button went down. What it means is decided by the state at its stamp."""
    seat, ns = moment.seat, moment.ns
    book, window = fold.books[seat - 1], fold.game.window
    if seat not in game.seats:
        return _void(fold, moment, "empty", book)
    if window is None or ns < window.opened:
        return _outside(fold, moment, game)
    if seat != window.claimant:
        fold = _knock(fold, moment, game)
    locks_out = ns < book.locked or (book.early >= 3 and ns < window.opened + game.timing.banned)
    if locks_out:
        book = replace(book, locked=ns + game.timing.lockout)
    means = game.press(fold.game, seat, ns)
    said: tuple[Event, ...] = ()
    if seat == window.claimant:
        fold, said = _void(fold, moment, "claimant", book)
        if means != STRIP or moment.outcome == "doubt":
            return fold, said
    if means is None or (moment.outcome == "doubt" and means == STRIP and not _may_doubt(fold, moment, game)):
        return _void(fold, moment, "not_yours", book)
    if means == SLAP or moment.outcome == "doubt":
        return _candidate(fold, moment, book, Mark(ns, SLAP, locked=locks_out))
    mark = _mark(fold, moment, game, means, locks_out)
    book = replace(fold.books[seat - 1] if said else book, mark=mark, entry=_entry(book, fold, game, seat, ns))
    fold = with_book(fold, seat, book)
    doubts = moment.outcome == ("tap" if mark.kind == SLAP_OR_CALL else "hold")
    if mark.is_open and doubts and _points_at_doubt(fold, game, seat, ns, mark):
        return _candidate(fold, moment, book, mark)
    return fold, said


def _outside(fold: Fold, moment: Moment, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """A press while no window is open, or before it opened."""
    seat, ns = moment.seat, moment.ns
    book, window = fold.books[seat - 1], fold.game.window
    if ns < fold.closed:
        return _void(fold, moment, "late", book)
    if window is None and moment.outcome != "doubt" and game.press(fold.game, seat, ns) == STRIP:
        mark = _mark(fold, moment, game, STRIP, locked=False)
        return with_book(fold, seat, replace(book, mark=mark, entry=_entry(book, fold, game, seat, ns))), ()
    if window is not None and window.before in (QUIET, LATE):
        return _void(fold, moment, "late" if window.before == LATE else "early", book)
    idle = game.idle(fold.game)
    if window is None and idle != "early":
        return _void(fold, moment, idle, book) if idle else (fold, ())
    book = replace(book, early=book.early + 1, locked=ns + game.timing.lockout)
    return _void(fold, moment, "early", book)


def _candidate(fold: Fold, moment: Moment, book: SeatBook, mark: Mark) -> tuple[Fold, tuple[Event, ...]]:
    """A press that doubts, unless its seat is locked out. A seat that is a candidate already stays one, once."""
    if moment.seat in fold.game.window.barred:
        return _void(fold, moment, "not_yours", book)
    if mark.locked:
        return _void(fold, moment, "locked_out", book)
    fold = with_book(fold, moment.seat, replace(book, mark=replace(mark, at_press=False, kind=SLAP)))
    if any(each.seat == moment.seat for each in fold.race):
        return fold, ()
    return replace(fold, race=(*fold.race, Candidate(moment.seat, moment.ns, moment.low, moment.source))), ()


def _knock(fold: Fold, moment: Moment, game: Game) -> Fold:
    """Presses of many seats at once are no doubts but a knock on the table."""
    near = tuple(each for each in fold.knocks if each[0] >= moment.ns - game.timing.bump)
    knocks = (*near, (moment.ns, moment.seat))
    seats = len({seat for _, seat in knocks})
    bumped = fold.bumped or seats >= bump_seats(game.timing, len(game.seats))
    return replace(fold, knocks=knocks, bumped=bumped)


def _entry(book: SeatBook, fold: Fold, game: Game, seat: int, ns: int) -> Entry:
    strip = game.strip(fold.game, seat, ns)
    return book.entry if strip is None else entry.current(book.entry, strip)


def _mark(fold: Fold, moment: Moment, game: Game, means: str, locked: bool) -> Mark:
    strip = game.strip(fold.game, moment.seat, moment.ns) if means == STRIP else None
    if strip is None:
        return Mark(moment.ns, means, locked=locked)
    cursor = entry.current(fold.books[moment.seat - 1].entry, strip)
    choice = entry.under_cursor(cursor, strip).choice
    return Mark(moment.ns, means, strip.key, choice is not None and choice.at_press, locked)


def _choice_act(fold: Fold, game: Game, seat: int, ns: int) -> str:
    strip = game.strip(fold.game, seat, ns)
    if strip is None:
        return ""
    choice = entry.under_cursor(entry.current(fold.books[seat - 1].entry, strip), strip).choice
    return "" if choice is None or choice.act is None else choice.act.name


def _points_at_doubt(fold: Fold, game: Game, seat: int, ns: int, mark: Mark) -> bool:
    return mark.kind == SLAP_OR_CALL or _choice_act(fold, game, seat, ns) == "doubt"


def _may_doubt(fold: Fold, moment: Moment, game: Game) -> bool:
    """Whether a doubt stands on the seat's strip."""
    strip = game.strip(fold.game, moment.seat, moment.ns)
    return strip is not None and any(each.act is not None and each.act.name == "doubt" for each in strip.choices)


def _end(fold: Fold, moment: Moment, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """A tap or hold is known: it moves the strip that its press began on, if that step is still there."""
    book = fold.books[moment.seat - 1]
    mark = book.mark
    if mark is None or mark.ns != moment.press or mark.kind != STRIP or (fold.race and fold.game.window is not None):
        return fold, ()
    strip = game.strip(fold.game, moment.seat, moment.at)
    if strip is None or strip.key != mark.key or (moment.outcome == "hold" and mark.at_press):
        return fold, ()
    old = entry.current(book.entry, strip)
    moved, act = entry.tap(old, strip) if moment.outcome == "tap" else entry.hold(old, strip)
    book = replace(book, entry=moved, buzz_at=moment.at if moved == old and act is None else book.buzz_at)
    fold = with_book(fold, moment.seat, book)
    if act is None:
        return fold, ()
    fold, events = _try(fold, act, moment.at, game)
    if moment.outcome == "tap" and events:
        fold = _entered(fold, moment, game)
    return fold, events


def _entered(fold: Fold, moment: Moment, game: Game) -> Fold:
    """The tap that started a turn stands on the first number already."""
    strip = game.strip(fold.game, moment.seat, moment.at)
    if strip is None:
        return fold
    first, _ = entry.tap(Entry(strip.key), strip)
    return with_book(fold, moment.seat, replace(fold.books[moment.seat - 1], entry=first))
