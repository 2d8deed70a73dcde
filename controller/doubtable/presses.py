"""Presses and gestures on the fold: what a button that goes down means, and what its tap or hold does.

What a press can do is fixed at its stamp by the state and the cursor that its seat had then: a doubt at once (a steady
lamp), a move on the seat's strip, or nothing. If the step has ended when the tap or hold takes effect, it does nothing.
"""

from msgspec.structs import replace

from doubtable import entry, house
from doubtable.acts import acted, attempt, with_book
from doubtable.entry import Entry
from doubtable.events import Event, event
from doubtable.games.base import LATE, QUIET, SLAP, SLAP_OR_CALL, STRIP, Act, Game
from doubtable.moments import EMPTY, MOST_VOIDS, NONE, Fold, Meaning, Moment, SeatBook
from doubtable.race import Candidate, Voided, bump_seats


def _void(
    fold: Fold, moment: Moment, why: str, book: SeatBook, meaning: Meaning | None = None
) -> tuple[Fold, tuple[Event, ...]]:
    stamp, seat = moment.stamp, moment.seat
    book = replace(book.meant(meaning or Meaning(stamp, "void")), void_at=stamp)
    kept = fold.window_book
    kept = replace(kept, voids=(*kept.voids, Voided(seat, stamp, why))[-MOST_VOIDS:])
    return replace(with_book(fold, seat, book), window_book=kept), (event("void", stamp, seat=seat, why=why),)


def press_down(fold: Fold, moment: Moment, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """A button went down. What it means is decided by the state at its stamp."""
    seat, ns = moment.seat, moment.ns
    fold = replace(fold, house=acted(fold.house, ns))
    book, window = fold.books[seat - 1], fold.game.window
    if seat not in game.occupied(fold.game):
        return _void(fold, moment, "empty", book, Meaning(moment.stamp, EMPTY))
    if window is None or ns < window.opened or ns <= fold.closed:
        return _outside(fold, moment, game)
    if not window.excludes(seat) and not _too_late(fold, ns):
        fold = _knock(fold, moment, game)
    since = max(book.locked, window.opened + game.timing.banned if book.early >= 3 else window.opened)
    locks_out = moment.stamp < since
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
        return _candidate(fold, moment, book, Meaning(moment.stamp, SLAP, locked=locks_out), since)
    meaning = _meaning(fold, moment, game, means, locks_out)
    book = (fold.books[seat - 1] if said else book).meant(meaning)
    book = replace(book, entry=_entry(book, fold, game, seat, ns))
    fold = with_book(fold, seat, book)
    doubts = moment.outcome == ("tap" if meaning.kind == SLAP_OR_CALL else "hold")
    if meaning.is_open and doubts and _points_at_doubt(fold, game, seat, ns, meaning):
        return _candidate(fold, moment, book, meaning, since)
    return fold, said


def _outside(fold: Fold, moment: Moment, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """A press while no window is open, or before it opened."""
    seat, ns = moment.seat, moment.ns
    book, window = fold.books[seat - 1], fold.game.window
    if ns <= fold.closed:
        return _void(fold, moment, "late", book)
    means = house.press(fold.house, game, fold.game, seat, ns)
    if window is None and moment.outcome != "doubt" and means == STRIP:
        if ns < fold.turned and seat == fold.game.turn:  # the step that it was pressed in has ended
            return with_book(fold, seat, book.meant(Meaning(moment.stamp, "void"))), ()
        meaning = _meaning(fold, moment, game, STRIP, locked=False)
        return with_book(fold, seat, replace(book.meant(meaning), entry=_entry(book, fold, game, seat, ns))), ()
    if window is not None and window.before in (QUIET, LATE):
        return _void(fold, moment, "late" if window.before == LATE else "early", book)
    idle = game.idle(fold.game)
    if window is None and idle != "early":
        untold = with_book(fold, seat, book.meant(Meaning(moment.stamp, "void")))
        return _void(fold, moment, idle, book) if idle else (untold, ())
    book = replace(book, early=book.early + 1, locked=ns + game.timing.lockout)
    return _void(fold, moment, "early", book)


def _candidate(
    fold: Fold, moment: Moment, book: SeatBook, meaning: Meaning, since: int
) -> tuple[Fold, tuple[Event, ...]]:
    """A press that doubts, unless its seat is locked out. A seat that is a candidate already stays one, once."""
    window = fold.game.window
    if moment.seat in window.barred:
        return _void(fold, moment, "not_yours", book)
    if _too_late(fold, moment.ns):
        return _void(fold, moment, "late", book)
    if meaning.locked:
        return _void(fold, moment, "locked_out", book)
    fold = with_book(fold, moment.seat, book.meant(replace(meaning, at_press=False, kind=SLAP)))
    if any(each.seat == moment.seat for each in fold.race):
        return fold, ()
    added = Candidate(moment.seat, moment.stamp, moment.low, moment.source, moment.uncertainty, since)
    return replace(fold, window_book=replace(fold.window_book, race=(*fold.race, added))), ()


def _too_late(fold: Fold, ns: int) -> bool:
    """Whether ``ns`` is after the window's end, be it one that an earlier doubt undid."""
    closes, bound = fold.game.window.closes, fold.window_book.bound
    return (bound is not None and ns > bound) or (closes is not None and ns >= closes)


def _knock(fold: Fold, moment: Moment, game: Game) -> Fold:
    """Presses of many seats at once are no doubts but a knock on the table.

    An inferred press is noted with the end of its interval, and alone makes it only possible that there was a knock.
    """
    since = moment.ns - game.timing.bump
    book = fold.window_book
    known, guessed = (tuple(each for each in row if each[0] >= since) for row in (book.knocks, book.perhaps_knocks))
    if moment.low is None:
        known = (*known, (moment.ns, moment.seat))
    else:
        guessed = (*guessed, (moment.read, moment.seat))
    enough = bump_seats(game.timing, len(game.occupied(fold.game)))
    seats = {seat for _, seat in known}
    bumped = book.bumped or len(seats) >= enough
    perhaps = book.perhaps_bumped or len(seats | {seat for _, seat in guessed}) >= enough
    book = replace(book, knocks=known, perhaps_knocks=guessed, bumped=bumped, perhaps_bumped=perhaps)
    return replace(fold, window_book=book)


def _entry(book: SeatBook, fold: Fold, game: Game, seat: int, ns: int) -> Entry:
    strip = house.strip(fold.house, game, fold.game, seat, ns)
    return book.entry if strip is None else entry.current(book.entry, strip)


def _meaning(fold: Fold, moment: Moment, game: Game, means: str, locked: bool) -> Meaning:
    strip = house.strip(fold.house, game, fold.game, moment.seat, moment.ns) if means == STRIP else None
    if strip is None:
        return Meaning(moment.stamp, means, locked=locked)
    cursor = entry.current(fold.books[moment.seat - 1].entry, strip)
    item = entry.under_cursor(cursor, strip)
    at_press = item.choice is not None and item.choice.at_press
    return Meaning(moment.stamp, means, strip.key, item.label, at_press, locked)


def _choice_act(fold: Fold, game: Game, seat: int, ns: int) -> str:
    strip = game.strip(fold.game, seat, ns)
    if strip is None:
        return ""
    choice = entry.under_cursor(entry.current(fold.books[seat - 1].entry, strip), strip).choice
    return "" if choice is None or choice.act is None else choice.act.name


def _points_at_doubt(fold: Fold, game: Game, seat: int, ns: int, meaning: Meaning) -> bool:
    return meaning.kind == SLAP_OR_CALL or _choice_act(fold, game, seat, ns) == "doubt"


def _may_doubt(fold: Fold, moment: Moment, game: Game) -> bool:
    """Whether a doubt stands on the seat's strip."""
    strip = game.strip(fold.game, moment.seat, moment.ns)
    return strip is not None and any(each.act is not None and each.act.name == "doubt" for each in strip.choices)


def gesture_end(fold: Fold, moment: Moment, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """A tap or hold is known: it moves the strip that its press began on, if that step is still there."""
    seat, ns = moment.seat, moment.ns
    book = fold.books[seat - 1]
    meaning = book.meaning_of(moment.press)
    if meaning is None:
        return fold, ()
    if moment.outcome == "long":
        return _long(fold, moment, game)
    if meaning.kind == EMPTY and moment.outcome == "tap":
        return attempt(fold, Act(seat, "sit"), ns, game)
    before, resting = fold, fold.house
    over_menu = moment.outcome == "hold" and resting.menu not in (None, seat)
    if over_menu:  # its press was there first: a lock that still comes closes the menu, all else waits
        resting = replace(resting, menu=None)
    strip = house.strip(resting, game, fold.game, seat, ns) if meaning.kind == STRIP else None
    if strip is None or strip.key != meaning.key or (moment.outcome == "hold" and meaning.at_press):
        return fold, ()
    old = entry.current(book.entry, strip)
    if moment.outcome == "hold" and meaning.label not in ("", entry.under_cursor(old, strip).label):
        return fold, ()  # what it pointed at is gone
    moved, act = entry.tap(old, strip) if moment.outcome == "tap" else entry.hold(old, strip)
    frozen = bool(fold.race) and fold.game.window is not None
    if not frozen:
        buzz = ns if moved == old and act is None else book.buzz_at
        fold = with_book(fold, seat, replace(book, entry=moved, buzz_at=buzz))
    if act is None:
        return (before if over_menu else fold), ()
    fold, events = attempt(fold, act, ns, game)
    if over_menu and fold.game.locks == before.game.locks:
        return before, ()
    if moment.outcome == "tap" and events:
        fold = _entered(fold, moment, game)
    return fold, events


def _long(fold: Fold, moment: Moment, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """A hold of three seconds opens the seat menu; its press was no early one then."""
    seat = moment.seat
    if not house.opens_menu(fold.house, game, fold.game, seat, moment.ns):
        return fold, ()
    book = fold.books[seat - 1]
    own = game.strip(fold.game, seat, moment.ns)
    at = None if own is None else entry.current(book.entry, own)
    if at is not None and (at.chosen or at.cursor):
        return fold, ()  # something is entered
    if book.meaning is not None and book.meaning.kind == "void":
        book = replace(book, early=max(0, book.early - 1), locked=-1)
    return attempt(with_book(fold, seat, book), Act(seat, "menu"), moment.ns, game)


def _entered(fold: Fold, moment: Moment, game: Game) -> Fold:
    """The tap that started a turn stands on the first number already."""
    strip = house.strip(fold.house, game, fold.game, moment.seat, moment.ns)
    if strip is None or strip.choices[0].path != NONE:
        return fold
    first, _ = entry.tap(Entry(strip.key), strip)
    return with_book(fold, moment.seat, replace(fold.books[moment.seat - 1], entry=first))
