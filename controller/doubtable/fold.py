"""The table as a fold over stamped moments.

Theory. Edges of different lines may be delivered in any order, so the table keeps a settled state and a short list of
moments that are not final yet (presses, gestures, acts, each with its stamp). What shows is the settled state with the
moments applied in order of stamps. When an earlier stamp turns up, the list is folded anew: a start at 5.100 s is
undone by a doubt stamped 5.090 s, simply because the doubt is applied first and freezes the window. A moment becomes
final when nothing earlier can come any more; only then are its events told. So no rule of a game needs to know about
delays.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from doubtable import house
from doubtable.acts import attempt, awaited_still, enter
from doubtable.events import Event
from doubtable.games.base import Act, Game
from doubtable.moments import DOUBT_NEXT, Fold, Moment, Step
from doubtable.presses import gesture_end, press_down


def run(
    base: Fold, moments: tuple[Moment, ...], game: Game, now: int, done: Sequence[Step] = ()
) -> tuple[list[Step], int | None]:
    """``base`` with ``moments`` and every timer due by ``now`` applied in order of stamps, and the next timer's ns.

    ``done``: the steps of a run from the same base before; those that come before all that is new are kept.
    """
    ranked = sorted(moments, key=_place)
    steps, applied = _kept(done, ranked)
    fold = steps[-1].fold if steps else base
    for at, moment in enumerate(ranked[applied:], applied + 1):
        fold, _ = _timers(fold, game, _place(moment)[0], steps, moment)
        if moment.kind == "call" and _gives_way(fold, game, ranked[at:], moment.ns):
            steps.append(Step(moment.ns, moment, fold, ()))
            continue
        fold, events = _apply(fold, moment, game)
        steps.append(Step(moment.ns, moment, fold, events))
    _, timer = _timers(fold, game, now, steps)
    return steps, timer


def _place(moment: Moment) -> tuple[int, int, bool]:
    """Where ``moment`` stands among the others: a call where it was pressed, after doubts and before all that ends the
    window then.
    """
    return (moment.press, DOUBT_NEXT, True) if moment.kind == "call" else (moment.ns, moment.prio, False)


def _gives_way(fold: Fold, game: Game, following: Sequence[Moment], until: int) -> bool:
    """Whether a call gives way to a doubt of ``following`` up to ``until``, the end of the tie, which is settled first;
    a press of which it is not known yet may still be one.
    """
    for moment in (each for each in following if each.kind != "call"):
        if moment.ns > until:
            break
        fold, _ = _timers(fold, game, moment.ns, [], moment)
        fold, _ = _apply(fold, moment, game)
        meaning = fold.books[moment.seat - 1].meaning if moment.kind == "down" and not moment.outcome else None
        if fold.race or (meaning is not None and meaning.ns == moment.stamp and meaning.is_open):
            return True
    return False


def _kept(done: Sequence[Step], ranked: Sequence[Moment]) -> tuple[list[Step], int]:
    """The steps that ``ranked`` leaves as they were, and how many of its moments those have applied.

    What a call comes to rests on what follows it too: it is applied anew.
    """
    kept: list[Step] = []
    applied = 0
    for step in done:
        following = ranked[applied] if applied < len(ranked) else None
        if step.moment is not None:
            if step.moment is not following or step.moment.kind == "call":
                break
            applied += 1
        elif following is not None and step.ns >= _place(following)[0]:
            break  # of one stamp it depends on the game which comes first
        kept.append(step)
    return kept, applied


def next_timer(fold: Fold, game: Game) -> int | None:
    """When house or game next change by time alone; a window that is frozen by a race waits for its decision."""
    if fold.race and fold.game.window is not None:
        return None
    own = None if fold.house.rests else game.due(fold.game)
    waits = house.due(fold.house, game, fold.game)
    if waits is None:
        return own
    waits = max(waits, fold.closed)  # whoever is waited for could act only then
    return waits if own is None else min(own, waits)


def _timers(
    fold: Fold, game: Game, until: int, steps: list[Step], before: Moment | None = None
) -> tuple[Fold, int | None]:
    """The fold after the timers due by ``until``, and when the next one is due; ``before``: the moment that follows."""
    while (due := next_timer(fold, game)) is not None and due <= until:
        if due == until and before is not None and before.kind == "down" and game.gives_way(fold.game):
            break
        if not fold.house.rests and game.due(fold.game) == due:
            state, events = game.pass_time(fold.game, due)
        else:
            resting, state, events = house.pass_time(fold.house, game, fold.game, due)
            fold = replace(fold, house=resting)
        fold = awaited_still(enter(fold, state, due), game)
        steps.append(Step(due, None, fold, events))
    return fold, due


def _apply(fold: Fold, moment: Moment, game: Game) -> tuple[Fold, tuple[Event, ...]]:
    match moment.kind:
        case "down":
            return press_down(fold, moment, game)
        case "end":
            return gesture_end(fold, moment, game)
        case "call":
            if not _calls(fold, moment):
                return fold, ()
            return attempt(fold, Act(moment.seat, "wrong_rank"), moment.called, game)
        case _:
            assert moment.act is not None
            return attempt(fold, moment.act, moment.ns, game)


def _calls(fold: Fold, moment: Moment) -> bool:
    """Whether the call of ``moment`` is one: its press could call, and the claim is the one that was pressed at."""
    meaning, window = fold.books[moment.seat - 1].meaning_of(moment.press), fold.game.window
    could = moment.act is not None or (meaning is not None and meaning.is_open)
    return could and window is not None and bool(window.opened <= moment.press)
