"""When something is final, and what a race comes to when it is.

What is final is told and never taken back. A moment in an open window waits ``confirm`` + ``straggler`` ns from its
stamp, so that a doubt with an earlier stamp can still undo it, and longer for every burst that began by then and every
press whose meaning is open. A race waits likewise from t0 + tie; what does not settle within ``chatter`` ns more ends
it in "press again".
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from doubtable import acts
from doubtable.buttons import gestures, lines
from doubtable.buttons.gestures import Finger, Habits
from doubtable.buttons.lines import Line
from doubtable.events import Event, event
from doubtable.games.base import Game
from doubtable.moments import Fold, Step, WindowBook
from doubtable.race import Record, decide, is_certain, order, tie_width, uncertainties_of
from doubtable.sources import Missing
from doubtable.timing import Timing


class Wait(msgspec.Struct, frozen=True, gc=False):
    """Until when the first step waits (ns), and the seats whose bursts hold it up."""

    due: int
    chattering: tuple[int, ...]


class Around(msgspec.Struct, frozen=True):
    """What a wait depends on besides the steps: the unsettled lines by seat, habits, gaps that are not sure yet, and
    the time.
    """

    lines: Mapping[int, Line]
    habits: Sequence[Habits]
    missing: Sequence[Missing]
    now: int


def undoable(base: Fold, head: Step) -> bool:
    """Whether an earlier stamp could undo ``head``, the first step after ``base``: only in a window or a race."""
    return base.game.window is not None or bool(head.fold.race)


def waits(steps: Sequence[Step], around: Around, game: Game, declared: Mapping[str, int]) -> Wait:
    """When the first of ``steps``, which can be undone, becomes final. ``declared``: sources' uncertainties, ns."""
    head, timing = steps[0], game.timing
    race = head.fold.race
    limit = head.ns
    if race:
        race = steps[-1].fold.race
        limit = min(each.ns for each in race) + tie_width(timing, uncertainties_of(race, declared, timing).values())[0]
    meant, chattering = _meanings(steps, limit, around, timing)
    natural = max(limit + timing.confirm + timing.straggler, meant)
    for seat, line in around.lines.items():
        since = lines.unsettled_since(line)
        if since is not None and since <= limit:
            chattering.add(seat)
        elif line.read is not None and line.known < limit:
            natural = max(natural, line.read.ns + timing.straggler)
        for each in line.queue:
            if each.low is not None and each.low < limit:
                natural = max(natural, each.due)
    known_by = max(natural, around.now)
    for gap in around.missing:
        if gap.seen <= known_by:
            natural = max(natural, gap.seen + timing.straggler)
    return Wait(natural + timing.chatter if chattering else natural, tuple(sorted(chattering)))


def _meanings(steps: Sequence[Step], limit: int, around: Around, timing: Timing) -> tuple[int, set[int]]:
    """When every open press stamped up to ``limit`` is understood (ns), and the seats whose burst may tell it later.

    One that is understood already keeps its time: chatter is waited for from then on.
    """
    understood, chattering = 0, set()
    for step in steps:
        moment = step.moment
        if moment is None or moment.kind != "down" or moment.ns > limit:
            continue
        understood = max(understood, moment.known)
        meaning = step.fold.books[moment.seat - 1].meaning
        if moment.outcome or meaning is None or meaning.ns != moment.stamp or not meaning.is_open:
            continue
        known = gestures.open_until(moment.stamp, around.habits[moment.seat - 1], timing)
        understood = max(understood, known)
        line = around.lines.get(moment.seat)
        since = None if line is None else lines.unsettled_since(line)
        if since is not None and since < known:
            chattering.add(moment.seat)
    return understood, chattering


def rule(
    fold: Fold, game: Game, ns: int, declared: Mapping[str, int], chattering: Iterable[int]
) -> tuple[Fold, list[Event]]:
    """The race of ``fold`` is over at ``ns``: a doubter, or press again. The fold after it and what it tells."""
    candidates = order(fold.race)
    window = fold.game.window
    uncertainties = uncertainties_of(candidates, declared, game.timing)
    tie, _ = tie_width(game.timing, uncertainties.values())
    faulty = list(chattering)
    if faulty:
        settled, told = again(fold, game, ns, "chatter", declared)
        return settled, [
            event("fault", ns, device=f"button {seat}", what="chatter", seat=seat) for seat in faulty
        ] + told
    if fold.window_book.bumped:
        return again(fold, game, ns, "bump", declared)
    ends = [
        at for at in (fold.window_book.bound, None if window.closes is None else window.closes - 1) if at is not None
    ]
    certain = is_certain(candidates, window.claimant, game.size, tie, min(ends, default=None))
    if fold.window_book.perhaps_bumped or not certain:
        return again(fold, game, ns, "inferred", declared)
    decision = decide(candidates, window.claimant, game.size, tie)
    evidence = record(fold, game, ns, declared, "doubt", doubter=decision.doubter)
    facts = {
        "ns": decision.ns,
        "race": {
            "tie": decision.tie,
            "tie_ns": tie,
            "race": [list(each) for each in decision.race],
            "record": evidence,
        },
    }
    state, events = game.decided(fold.game, decision.doubter, ns, facts)
    return acts.close(acts.enter(fold, state, ns), ns), list(events)


def again(fold: Fold, game: Game, ns: int, why: str, declared: Mapping[str, int]) -> tuple[Fold, list[Event]]:
    """Nobody is taken from what is left: the window reopens at ``ns`` for its full time."""
    evidence = record(fold, game, ns, declared, "press_again", why=why)
    state, events = game.again(fold.game, ns)
    books = tuple(replace(book, early=0) for book in fold.books)
    reopened = replace(acts.enter(replace(fold, books=books), state, ns), window_book=WindowBook())
    return reopened, [event("press_again", ns, why=why, record=evidence), *events]


def record(
    fold: Fold,
    game: Game,
    ns: int,
    declared: Mapping[str, int],
    outcome: str,
    *,
    why: str = "",
    doubter: int | None = None,
) -> Record:
    """The evidence of the race in ``fold``, as it stood at ``ns``."""
    window = fold.game.window
    candidates = order(fold.race)
    uncertainties = uncertainties_of(candidates, declared, game.timing)
    tie, because = tie_width(game.timing, uncertainties.values())
    return Record(
        outcome=outcome,
        claimant=window.claimant,
        size=game.size,
        opened=window.opened,
        decided=ns,
        candidates=candidates,
        tie=tie,
        tie_why=because,
        uncertainties=uncertainties,
        voids=fold.window_book.voids,
        why=why,
        doubter=doubter,
    )


def told(step: Step, fingers: Sequence[Finger], game: Game, now: int) -> list[Event]:
    """What ``step`` tells when it is final, at ``now``; at a lock also which buttons are down and do not count."""
    out: list[Event] = []
    for each in step.events:
        if each.name == "void" and each.facts["why"] == "late":
            out.append(replace(each, facts=each.facts | {"delay_ns": now - each.ns}))
        else:
            out.append(each)
    if any(each.name == "window" and each.facts["state"] == "open" for each in out):
        out += _down_at_lock(step, fingers, game)
    return out


def _down_at_lock(step: Step, fingers: Sequence[Finger], game: Game) -> Iterator[Event]:
    """Buttons that are down do not count until they are pressed anew. A call's window opens when its HOLD fires, not
    when the call takes effect.
    """
    window = step.fold.game.window
    lock = step.ns if window is None else window.opened
    for seat, finger in enumerate(fingers, 1):
        meaning = step.fold.books[seat - 1].meaning
        said = meaning is not None and meaning.kind == "void" and meaning.ns == finger.since
        other = seat in game.seats and (window is None or not window.excludes(seat))
        before = finger.since is not None and finger.since < step.ns
        if before and other and (finger.stuck or finger.held or not said):
            yield event("void", lock, seat=seat, why="stuck" if finger.stuck else "held")
