"""When something is final, and what a race comes to when it is.

What is final is told and never taken back. A moment in an open window waits ``confirm`` + ``straggler`` ns from its
stamp, so that a doubt with an earlier stamp can still undo it, and longer for every burst that began by then and every
press whose meaning is open. A race waits likewise from t0 + tie; what does not settle within ``chatter`` ns more ends
it in "press again".
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from doubtable import fold as folds
from doubtable.buttons import gestures, lines
from doubtable.buttons.gestures import Habits
from doubtable.buttons.lines import Line
from doubtable.events import Event, event
from doubtable.fold import Fold, Step
from doubtable.games.base import Game
from doubtable.race import Record, decide, is_certain, order, tie_width


class Wait(NamedTuple):
    """Until when the first step waits (ns), and the seats whose bursts hold it up."""

    due: int
    chattering: tuple[int, ...]


def waits(
    base: Fold, steps: Sequence[Step], lined: Sequence[Line], habits: Sequence[Habits], game: Game, tie: int
) -> Wait | None:
    """When the first of ``steps`` becomes final; None when there is none. ``tie`` in ns."""
    if not steps:
        return None
    head, timing = steps[0], game.timing
    if base.game.window is None and not head.fold.race:
        return Wait(head.ns, ())
    limit = head.fold.race[0].ns + tie if head.fold.race else head.ns
    natural = limit + timing.confirm + timing.straggler
    for step in steps:
        moment = step.moment
        if moment is None or moment.kind != "down" or moment.outcome or moment.ns > limit:
            continue
        mark = step.fold.books[moment.seat - 1].mark
        if mark is not None and mark.ns == moment.ns and mark.is_open:
            natural = max(natural, gestures.open_until(moment.ns, habits[moment.seat - 1], timing))
    chattering = []
    for seat, line in enumerate(lined, 1):
        since = lines.unsettled_since(line)
        if since is not None and since <= limit:
            chattering.append(seat)
        elif line.read is not None and line.known < limit:
            natural = max(natural, line.read.ns + timing.straggler)
    return Wait(natural + timing.chatter if chattering else natural, tuple(chattering))


def rule(
    fold: Fold, game: Game, ns: int, uncertainties: dict[str, int], chattering: Iterable[int]
) -> tuple[Fold, list[Event]]:
    """The race of ``fold`` is over at ``ns``: a doubter, or press again. The fold after it and what it tells."""
    candidates = order(fold.race)
    window = fold.game.window
    tie, _ = tie_width(game.timing, uncertainties.values())
    faulty = list(chattering)
    if faulty:
        settled, told = again(fold, game, ns, "chatter", uncertainties)
        return settled, [
            event("fault", ns, device=f"button {seat}", what="chatter", seat=seat) for seat in faulty
        ] + told
    if fold.bumped:
        return again(fold, game, ns, "bump", uncertainties)
    if not is_certain(candidates, window.claimant, game.size, tie, window.opened):
        return again(fold, game, ns, "inferred", uncertainties)
    decision = decide(candidates, window.claimant, game.size, tie)
    evidence = record(fold, game, ns, uncertainties, "doubt", doubter=decision.doubter)
    facts = {
        "ns": decision.ns,
        "race": {
            "tie": decision.tie,
            "race": [list(each) for each in decision.race],
            "record": evidence,
        },
    }
    state, events = game.decided(fold.game, decision.doubter, ns, facts)
    return folds.close(replace(folds.enter(replace(fold, race=()), state, ns)), ns), list(events)


def again(fold: Fold, game: Game, ns: int, why: str, uncertainties: dict[str, int]) -> tuple[Fold, list[Event]]:
    """Nobody is taken from what is left: the window reopens at ``ns`` for its full time."""
    evidence = record(fold, game, ns, uncertainties, "press_again", why=why)
    state, events = game.again(fold.game, ns)
    books = tuple(replace(book, early=0) for book in fold.books)
    reopened = folds.enter(replace(fold, race=(), books=books), state, ns)
    return reopened, [event("press_again", ns, why=why, record=evidence), *events]


def record(
    fold: Fold,
    game: Game,
    ns: int,
    uncertainties: dict[str, int],
    outcome: str,
    why: str = "",
    doubter: int | None = None,
) -> Record:
    """The evidence of the race in ``fold``, as it stood at ``ns``."""
    window = fold.game.window
    tie, because = tie_width(game.timing, uncertainties.values())
    return Record(
        outcome=outcome,
        claimant=window.claimant,
        size=game.size,
        opened=window.opened,
        decided=ns,
        candidates=order(fold.race),
        tie=tie,
        tie_why=because,
        uncertainties=uncertainties,
        voids=fold.voids,
        why=why,
        doubter=doubter,
    )
