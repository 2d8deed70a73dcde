"""Acts on the fold: what an act of a seat, of the house or of time does to the game, and what it undoes.

`perform` does an act whoever's it is: the house's own (`house.answer`), or the game's (`Game.apply`). `attempt` does
one again that was allowed when it came, wherever the fold is made anew.
"""

from typing import Any

from msgspec.structs import replace

from doubtable import house
from doubtable.events import Event
from doubtable.games.base import Act, Game, Refused
from doubtable.house import House
from doubtable.moments import HISTORY, Fold, SeatBook, WindowBook


def with_book(fold: Fold, seat: int, book: SeatBook) -> Fold:
    """``fold`` with one seat's book replaced."""
    return replace(fold, books=fold.books[: seat - 1] + (book,) + fold.books[seat:])


def awaited_still(fold: Fold, game: Game) -> Fold:
    """Nobody waits any more for a seat that need not act."""
    vote = fold.house.vote
    if vote is None or vote.ends is not None or game.awaited(fold.game) == vote.act.of:
        return fold
    return replace(fold, house=replace(fold.house, vote=None))


def enter(fold: Fold, state: Any, ns: int) -> Fold:
    """``fold`` with the game at ``state``: a window that closed or opened between the two is noted."""
    before, after = fold.game.window, state.window
    history = fold.history
    if state.card_shown and not fold.game.card_shown:
        history = ()
    was, now = fold.game, state
    turned = ns if (was.phase, was.turn, was.step) != (now.phase, now.turn, now.step) else fold.turned
    fold = replace(fold, game=state, history=history, turned=turned)
    if after is None and before is not None:
        return close(fold, ns)
    if after is not None and (before is None or after.opened != before.opened):
        return replace(fold, window_book=WindowBook())
    return fold


def close(fold: Fold, ns: int) -> Fold:
    """``fold`` after a window that closed at ``ns``: the count of early presses begins anew."""
    books = tuple(replace(book, early=0) for book in fold.books)
    return replace(fold, books=books, closed=max(ns, fold.closed), window_book=fold.window_book.over())


def perform(fold: Fold, act: Act, ns: int, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """``fold`` after ``act`` and what it implies. Raises Refused."""
    if _frozen(fold, act):
        raise Refused("a doubt is being decided")
    events: tuple[Event, ...] = ()
    if house.owns(act, fold.game):
        resting, state, events = house.answer(fold.house, game, fold.game, act, ns)
        return enter(replace(fold, house=acted(resting, ns)), state, ns), events
    if fold.house.paused and not fold.house.parked and act.seat:
        raise Refused("the table pauses: go on first")
    house.check_open(fold.house, act, fold.game)
    fold = _unrest(fold, act, game, ns)
    implied = game.implied(fold.game, act)
    if implied is not None:
        state, events = game.apply(fold.game, implied, ns)
        fold = enter(fold, state, ns)
    before = fold.game
    state, more = game.apply(before, act, ns)
    fold = enter(fold, state, ns)
    if state.locks > before.locks:
        fold = replace(fold, history=(*fold.history, before)[-HISTORY:])
    return awaited_still(fold, game), (*events, *more)


def _frozen(fold: Fold, act: Act) -> bool:
    """Whether a race that is not decided keeps ``act`` back; whoever sits down for the next deal has no part in it."""
    return bool(fold.race) and fold.game.window is not None and not (act.name == "sit" and house.owns(act, fold.game))


def acted(resting: House, ns: int) -> House:
    """Somebody has done something at ``ns``: nobody has to wait or to be parked before long."""
    return replace(resting, acted=max(ns, resting.acted))


def _unrest(fold: Fold, act: Act, game: Game, ns: int) -> Fold:
    """An act of the game ends a menu, a parking and the waiting for the seat that acts; a pause or a vote goes on."""
    resting, vote = fold.house, fold.house.vote
    if resting.menu is not None or resting.parked:
        resting = replace(resting, menu=None, paused=False, parked=False)
    if vote is not None and vote.ends is None and act.seat in (vote.act.of, 0):  # 0: a card was shown
        resting = replace(resting, vote=None)
    resting, state = house.wake(acted(resting, ns), game, fold.game, ns)
    resting, state = house.rested(resting, game, state, ns)
    return replace(fold, house=resting, game=state)


def _bounds(fold: Fold, act: Act, ns: int, game: Game) -> Fold:
    """``fold`` with a race, after an act that an earlier doubt undoes: a start still bounds the candidates."""
    try:
        state, _ = game.apply(fold.game, act, ns)
    except Refused:
        return fold
    ended = state.window is None or state.window.claimant != fold.game.window.claimant
    book = fold.window_book
    return replace(fold, window_book=replace(book, bound=ns)) if ended and book.bound is None else fold


def attempt(fold: Fold, act: Act, ns: int, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    """An act that was allowed when it came; an earlier stamp may since have made it void."""
    if _frozen(fold, act):
        return _bounds(fold, game.implied(fold.game, act) or act, ns, game), ()
    try:
        return perform(fold, act, ns, game)
    except Refused:
        return fold, ()
