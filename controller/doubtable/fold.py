"""The table as a fold over stamped moments.

Theory. Edges of different lines may be delivered in any order, so the table keeps a settled state and a short list of
moments that are not final yet (presses, gestures, acts, each with its stamp). What shows is the settled state with the
moments applied in order of stamps. When an earlier stamp turns up, the list is folded anew: a start at 5.100 s is
undone
by a doubt stamped 5.090 s, simply because the doubt is applied first and freezes the window. A moment becomes final
when
nothing earlier can come any more; only then are its events told. So no rule of a game needs to know about delays.

At one and the same stamp a lock comes before a doubt (it opens the window), a doubt before all that ends a window.
"""

from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from doubtable import entry, house
from doubtable.entry import Entry
from doubtable.events import Event, event
from doubtable.games.base import LATE, QUIET, SLAP, SLAP_OR_CALL, STRIP, Act, Game, Refused
from doubtable.house import House
from doubtable.inputs import DEFAULT_SOURCE
from doubtable.race import Candidate, Voided, bump_seats

LOCK_FIRST, DOUBT_NEXT, END_LAST = 0, 1, 2
"""The order of moments with one stamp."""


class Moment(msgspec.Struct, frozen=True):
    """Something with a stamp that is not final: ``kind`` down, end (of a gesture), call (wrong rank) or act.

    ``press`` is the stamp of the gesture's press, ``at`` when it took effect. ``outcome`` of a down: "" (not known
    yet),
    tap, hold, or doubt for an act past the buttons. ``low`` as in Candidate: then ``ns`` is the earliest stamp that the
    press may have and ``at`` the read's time.
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
    uncertainty: int = 0

    @property
    def stamp(self) -> int:
        """The stamp under which a press is known: an inferred one is listed with its read's time."""
        return self.ns if self.low is None else self.at


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
    bound: int | None = None  # a start that an earlier doubt undid: later presses are no candidates all the same
    house: House = House()
    history: tuple[Any, ...] = ()  # game states from just before each lock, for undo


HISTORY = 12  # locks that an attendant can take back
MOST_VOIDS = 32  # in the evidence of one race
EMPTY = "empty"  # a mark: the press of a seat where nobody sits; its TAP sits down
NONE = ("-",)  # the item of a strip that does nothing


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
    """When house or game next change by time alone; a window that is frozen by a race waits for its decision."""
    if fold.race and fold.game.window is not None:
        return None
    own = None if fold.house.rests else game.due(fold.game)
    times = (own, house.due(fold.house, game, fold.game))
    return min((ns for ns in times if ns is not None), default=None)


def _timers(fold: Fold, game: Game, until: int, steps: list[Step]) -> Fold:
    while (due := next_timer(fold, game)) is not None and due <= until:
        if not fold.house.rests and game.due(fold.game) == due:
            state, events = game.pass_time(fold.game, due)
        else:
            resting, state, events = house.pass_time(fold.house, game, fold.game, due)
            fold = replace(fold, house=resting)
        fold = _awaited(enter(fold, state, due), game)
        steps.append(Step(due, None, fold, events))
    return fold


def _awaited(fold: Fold, game: Game) -> Fold:
    """Nobody waits any more for a seat that need not act."""
    vote = fold.house.vote
    if vote is None or vote.ends is not None or game.awaited(fold.game) == vote.act.of:
        return fold
    return replace(fold, house=replace(fold.house, vote=None))


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
        return replace(fold, knocks=(), bumped=False, voids=(), race=(), bound=None)
    return fold


def close(fold: Fold, ns: int) -> Fold:
    """``fold`` after a window that closed at ``ns``: the count of early presses begins anew."""
    books = tuple(replace(book, early=0) for book in fold.books)
    return replace(fold, books=books, closed=max(ns, fold.closed), knocks=(), bumped=False, race=(), bound=None)


def perform(fold: Fold, act: Act, ns: int, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """``fold`` after ``act`` and what it implies. Raises Refused."""
    if fold.race and fold.game.window is not None:
        raise Refused("a doubt is being decided")
    events: tuple[Event, ...] = ()
    if act.name in house.HOUSE_ACTS and not (act.name == "sit" and fold.game.phase == "lobby"):
        resting, state, events = house.perform(fold.house, game, fold.game, act, ns)
        return enter(replace(fold, house=acted(resting, ns)), state, ns), events
    if fold.house.paused and not fold.house.parked and act.seat:
        raise Refused("the table pauses: go on first")
    fold = _unrest(fold, act, game, ns)
    implied = game.implied(fold.game, act)
    if implied is not None:
        state, events = game.act(fold.game, implied, ns)
        fold = enter(fold, state, ns)
    before = fold.game
    state, more = game.act(before, act, ns)
    fold = enter(fold, state, ns)
    if state.locks > before.locks:
        fold = replace(fold, history=(*fold.history, before)[-HISTORY:])
    return _awaited(fold, game), (*events, *more)


def acted(resting: House, ns: int) -> House:
    """Somebody has done something at ``ns``: nobody has to wait or to be parked before long."""
    return replace(resting, acted=max(ns, resting.acted))


def _unrest(fold: Fold, act: Act, game: Game, ns: int) -> Fold:
    """An act of the game ends a menu, a parking and the waiting for the seat that acts."""
    resting, vote = fold.house, fold.house.vote
    if resting.menu is not None or resting.parked:
        resting = replace(resting, menu=None, paused=False, parked=False)
    if vote is not None and vote.ends is None and act.seat == vote.act.of:
        resting = replace(resting, vote=None)
    resting, state = house.wake(acted(resting, ns), game, fold.game, ns)
    return replace(fold, house=resting, game=state)


def _bounds(fold: Fold, act: Act, ns: int, game: Game) -> Fold:
    """``fold`` with a race, after an act that an earlier doubt undoes: a start still bounds the candidates."""
    try:
        state, _ = game.act(fold.game, act, ns)
    except Refused:
        return fold
    ended = state.window is None or state.window.claimant != fold.game.window.claimant
    return replace(fold, bound=ns) if ended and fold.bound is None else fold


def _try(fold: Fold, act: Act, ns: int, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """An act that was allowed when it came; an earlier stamp may since have made it void."""
    if fold.race and fold.game.window is not None:
        return _bounds(fold, game.implied(fold.game, act) or act, ns, game), ()
    try:
        return perform(fold, act, ns, game)
    except Refused:
        return fold, ()


# Presses --------------------------------------------------------------------------------------------------------


def with_book(fold: Fold, seat: int, book: SeatBook) -> Fold:
    """``fold`` with one seat's book replaced."""
    return replace(fold, books=fold.books[: seat - 1] + (book,) + fold.books[seat:])


def _void(
    fold: Fold, moment: Moment, why: str, book: SeatBook, mark: Mark | None = None
) -> tuple[Fold, tuple[Event, ...]]:
    stamp, seat = moment.stamp, moment.seat
    book = replace(book, mark=mark or Mark(stamp, "void"), void_at=stamp)
    voids = (*fold.voids, Voided(seat, stamp, why))[-MOST_VOIDS:]
    return replace(with_book(fold, seat, book), voids=voids), (event("void", stamp, seat=seat, why=why),)


def _down(fold: Fold, moment: Moment, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """A button went down. What it means is decided by the state at its stamp."""
    seat, ns = moment.seat, moment.ns
    fold = replace(fold, house=acted(fold.house, ns))
    book, window = fold.books[seat - 1], fold.game.window
    if seat not in game.seats:
        return _void(fold, moment, "empty", book, Mark(moment.stamp, EMPTY))
    if window is None or ns < window.opened or ns <= fold.closed:
        return _outside(fold, moment, game)
    if not window.excludes(seat):
        fold = _knock(fold, moment, game)
    since = max(book.locked, window.opened + game.timing.banned if book.early >= 3 else window.opened)
    locks_out = moment.at < since if moment.low is not None else ns < since
    if locks_out:
        book = replace(book, locked=ns + game.timing.lockout)
    means = house.press(fold.house, game, fold.game, seat, ns)
    said: tuple[Event, ...] = ()
    if window.excludes(seat):
        fold, said = _void(fold, moment, "claimant", book)
        if means != STRIP or moment.outcome == "doubt":
            return fold, said
    if means is None or (moment.outcome == "doubt" and means == STRIP and not _may_doubt(fold, moment, game)):
        return _void(fold, moment, "not_yours", book)
    if means == SLAP or moment.outcome == "doubt":
        return _candidate(fold, moment, book, Mark(moment.stamp, SLAP, locked=locks_out), since)
    mark = _mark(fold, moment, game, means, locks_out)
    book = replace(fold.books[seat - 1] if said else book, mark=mark, entry=_entry(book, fold, game, seat, ns))
    fold = with_book(fold, seat, book)
    doubts = moment.outcome == ("tap" if mark.kind == SLAP_OR_CALL else "hold")
    if mark.is_open and doubts and _points_at_doubt(fold, game, seat, ns, mark):
        return _candidate(fold, moment, book, mark, since)
    return fold, said


def _outside(fold: Fold, moment: Moment, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """A press while no window is open, or before it opened."""
    seat, ns = moment.seat, moment.ns
    book, window = fold.books[seat - 1], fold.game.window
    if ns <= fold.closed:
        return _void(fold, moment, "late", book)
    means = house.press(fold.house, game, fold.game, seat, ns)
    if window is None and moment.outcome != "doubt" and means == STRIP:
        mark = _mark(fold, moment, game, STRIP, locked=False)
        return with_book(fold, seat, replace(book, mark=mark, entry=_entry(book, fold, game, seat, ns))), ()
    if window is not None and window.before in (QUIET, LATE):
        return _void(fold, moment, "late" if window.before == LATE else "early", book)
    idle = game.idle(fold.game)
    if window is None and idle != "early":
        return _void(fold, moment, idle, book) if idle else (fold, ())
    book = replace(book, early=book.early + 1, locked=ns + game.timing.lockout)
    return _void(fold, moment, "early", book)


def _candidate(fold: Fold, moment: Moment, book: SeatBook, mark: Mark, since: int) -> tuple[Fold, tuple[Event, ...]]:
    """A press that doubts, unless its seat is locked out. A seat that is a candidate already stays one, once."""
    window = fold.game.window
    if moment.seat in window.barred:
        return _void(fold, moment, "not_yours", book)
    if (fold.bound is not None and moment.ns > fold.bound) or (
        window.closes is not None and moment.ns >= window.closes
    ):
        return _void(fold, moment, "late", book)
    if mark.locked:
        return _void(fold, moment, "locked_out", book)
    fold = with_book(fold, moment.seat, replace(book, mark=replace(mark, at_press=False, kind=SLAP)))
    if any(each.seat == moment.seat for each in fold.race):
        return fold, ()
    added = Candidate(moment.seat, moment.stamp, moment.low, moment.source, moment.uncertainty, since)
    return replace(fold, race=(*fold.race, added)), ()


def _knock(fold: Fold, moment: Moment, game: Game) -> Fold:
    """Presses of many seats at once are no doubts but a knock on the table."""
    near = tuple(each for each in fold.knocks if each[0] >= moment.ns - game.timing.bump)
    knocks = (*near, (moment.ns, moment.seat))
    seats = len({seat for _, seat in knocks})
    bumped = fold.bumped or seats >= bump_seats(game.timing, len(game.seats))
    return replace(fold, knocks=knocks, bumped=bumped)


def _entry(book: SeatBook, fold: Fold, game: Game, seat: int, ns: int) -> Entry:
    strip = house.strip(fold.house, game, fold.game, seat, ns)
    return book.entry if strip is None else entry.current(book.entry, strip)


def _mark(fold: Fold, moment: Moment, game: Game, means: str, locked: bool) -> Mark:
    strip = house.strip(fold.house, game, fold.game, moment.seat, moment.ns) if means == STRIP else None
    if strip is None:
        return Mark(moment.stamp, means, locked=locked)
    cursor = entry.current(fold.books[moment.seat - 1].entry, strip)
    choice = entry.under_cursor(cursor, strip).choice
    return Mark(moment.stamp, means, strip.key, choice is not None and choice.at_press, locked)


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
    seat, at = moment.seat, moment.at
    book = fold.books[seat - 1]
    mark = book.mark
    if mark is None or mark.ns != moment.press:
        return fold, ()
    if moment.outcome == "long":
        return _long(fold, moment, game)
    if mark.kind == EMPTY and moment.outcome == "tap":
        return _try(fold, Act(seat, "sit"), at, game)
    strip = house.strip(fold.house, game, fold.game, seat, at) if mark.kind == STRIP else None
    if strip is None or strip.key != mark.key or (moment.outcome == "hold" and mark.at_press):
        return fold, ()
    old = entry.current(book.entry, strip)
    moved, act = entry.tap(old, strip) if moment.outcome == "tap" else entry.hold(old, strip)
    frozen = bool(fold.race) and fold.game.window is not None
    if not frozen:
        buzz = at if moved == old and act is None else book.buzz_at
        fold = with_book(fold, seat, replace(book, entry=moved, buzz_at=buzz))
    if act is None:
        return fold, ()
    fold, events = _try(fold, act, at, game)
    if moment.outcome == "tap" and events:
        fold = _entered(fold, moment, game)
    return fold, events


def _long(fold: Fold, moment: Moment, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """A hold of three seconds opens the seat menu; its press was no early one then."""
    seat = moment.seat
    if not house.opens_menu(fold.house, game, fold.game, seat, moment.at):
        return fold, ()
    book = fold.books[seat - 1]
    if book.mark is not None and book.mark.kind == "void":
        book = replace(book, early=max(0, book.early - 1), locked=-1)
    return _try(with_book(fold, seat, book), Act(seat, "menu"), moment.at, game)


def _entered(fold: Fold, moment: Moment, game: Game) -> Fold:
    """The tap that started a turn stands on the first number already."""
    strip = house.strip(fold.house, game, fold.game, moment.seat, moment.at)
    if strip is None or strip.choices[0].path != NONE:
        return fold
    first, _ = entry.tap(Entry(strip.key), strip)
    return with_book(fold, moment.seat, replace(fold.books[moment.seat - 1], entry=first))
