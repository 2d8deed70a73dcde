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
from doubtable.moments import Fold, Moment, Step
from doubtable.presses import gesture_end, press_down


def run(
    base: Fold, moments: tuple[Moment, ...], game: Game, now: int, done: Sequence[Step] = ()
) -> tuple[list[Step], int | None]:
    """``base`` with ``moments`` and every timer due by ``now`` applied in order of stamps, and the next timer's ns.

    ``done``: the steps of a run from the same base before; those that come before all that is new are kept.
    """
    ranked = sorted(moments, key=lambda each: (each.ns, each.prio))
    steps, applied = _kept(done, ranked)
    fold = steps[-1].fold if steps else base
    for moment in ranked[applied:]:
        fold, _ = _timers(fold, game, moment.ns, steps, moment)
        fold, events = _apply(fold, moment, game)
        steps.append(Step(moment.ns, moment, fold, events))
    _, timer = _timers(fold, game, now, steps)
    return steps, timer


def _kept(done: Sequence[Step], ranked: Sequence[Moment]) -> tuple[list[Step], int]:
    """The steps that ``ranked`` leaves as they were, and how many of its moments those have applied."""
    kept: list[Step] = []
    applied = 0
    for step in done:
        following = ranked[applied] if applied < len(ranked) else None
        if step.moment is not None:
            if step.moment is not following:
                break
            applied += 1
        elif following is not None and step.ns >= following.ns:
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
    if moment.act is not None:
        return True
    meaning, window = fold.books[moment.seat - 1].meaning_of(moment.press), fold.game.window
    return meaning is not None and meaning.is_open and window is not None and window.opened <= moment.press
