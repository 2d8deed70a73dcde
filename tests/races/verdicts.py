"""Right or wrong: one race's answer of the table against the rule's."""

from collections import Counter
from itertools import pairwise

from races import feeding
from races.rule import NOBODY, Answer, answer, answers
from races.truth import HOLD, Race, make
from races.usual import WAYS
from races.wires import Wires, lay

WRONG, UNKNOWABLE = "wrong", "unknowable"
CLOSE = 10_000_000
BOUNCING = 12_000_000  # a spike before it, and the longest bounce of a contact that closes


def judge(race: Race, wires: Wires, said: feeding.Said, true: Answer, stamped: Answer) -> str:
    """One word for what the table said: right, within, again, unknowable or wrong."""
    bumps = {true.bump, stamped.bump}
    if said.outcome == "press_again":
        if said.why == "bump":
            return "again" if bumps != {""} or wires.lost else WRONG
        return "again"
    if bumps == {"sure"} and not wires.lost:
        return WRONG
    if said.seat == true.seat:
        return "right"
    if said.seat == stamped.seat:
        return "within"
    return _lossy(race, wires, said) if wires.lost or race.gone else WRONG


def _lossy(race: Race, wires: Wires, said: feeding.Said) -> str:
    """With lost edges only the right seat or "press again" is right, unless nothing told of the loss by then.

    Numbers tell of it, and so does a read that finds another level than the edges tell. Where a seat's loss was told by
    neither, the answer without that press is all that anybody can know.
    """
    if any(each.wall < said.wall and each.stamp <= said.ns for each in wires.telling):
        return WRONG
    if race.gone is not None and race.gone[0] + feeding.SETTLE < said.wall:
        return WRONG
    lost = {each.seat for each in wires.lost}
    shown = {seat for seat in lost for ns in said.reads if _contradicts(race, wires, seat, ns)}
    hidden = [
        place
        for place, (seat, begun, up) in enumerate(wires.stamps)
        if seat in lost - shown and any(each.seat == seat and begun <= each.stamp < up for each in wires.lost)
    ]
    known = [_as_told(race, wires, said, each) for place, each in enumerate(wires.stamps) if place not in hidden]
    if hidden and said.seat == NOBODY:
        return UNKNOWABLE
    if known != wires.stamps and said.seat == answer(race, known).seat:
        return UNKNOWABLE
    return WRONG if shown else UNKNOWABLE


def _as_told(race: Race, wires: Wires, said: feeding.Said, press: tuple[int, int, int]) -> tuple[int, int, int]:
    """A press of the next seat whose release got lost, and that no read found up, is held for all that is known."""
    seat, begun, up = press
    let_go = any(each.seat == seat and each.level == 0 and each.stamp >= up for each in wires.lost)
    told = (each for each in wires.told if each.seat == seat and each.wall < said.wall)
    seen_up = any(each.stamp >= up for each in told) or any(ns >= up for ns in said.reads)
    if race.kind == "turn" and seat == race.next_seat and let_go and not seen_up:
        return seat, begun, max(up, begun + HOLD)
    return press


def _contradicts(race: Race, wires: Wires, seat: int, ns: int) -> bool:
    """Whether the level read at ``ns`` is another than the delivered edges tell, by more than the source is unsure.

    Not where a read found a button up that only bounced: that tells of a loss, but of no press.
    """
    if not wires.level(seat, ns) and any(
        who == seat and begun <= ns < begun + BOUNCING for who, begun, _ in wires.stamps
    ):
        return False
    unsure = race.sources[race.source_of[seat - 1]].uncertainty
    edges = [each for each in wires.told if each.seat == seat and each.stamp <= ns + unsure]
    told = edges[-1].level if edges else 0
    return wires.level(seat, ns) != told and not any(abs(each.stamp - ns) <= unsure for each in edges)


def run(seed: int, numbers: range, by_delivery: bool = False) -> tuple[Counter[str], list[int]]:
    """Races ``numbers`` of ``seed``: counts by name, and the numbers of the wrong ones."""
    tally: Counter[str] = Counter()
    wrong: list[int] = []
    for number in numbers:
        race = make(seed, number)
        wires = lay(race, seed)
        said = feeding.play(race, wires, by_delivery=by_delivery)
        true, stamped = answers(race, wires.stamps)
        verdict = judge(race, wires, said, true, stamped)
        if verdict == WRONG:
            wrong.append(number)
        _count(tally, race, said, verdict, true.seat != stamped.seat)
        if race.kind == "slaps" and not race.loss and not race.bump and NOBODY != true.seat == stamped.seat:
            _compare(tally, race, wires, true)
    return tally, wrong


def _count(tally: Counter[str], race: Race, said: feeding.Said, verdict: str, matters: bool) -> None:
    tally["races"] += 1
    tally[verdict] += 1
    tally[said.outcome] += 1
    honest = not race.loss and not race.bump
    tally["honest"] += honest
    tally["close"] += is_close(race)
    tally["spiked"] += any(press.spike for press in race.presses)
    tally["matters"] += matters
    tally["lost"] += bool(race.loss)
    tally["knocked"] += race.bump
    if race.eager:
        tally["eager"] += 1
        tally["eager bump"] += said.why == "bump"
    if said.outcome == "press_again":
        tally[f"again {said.why}"] += 1
        tally[f"honest again {said.why}"] += honest
        tally["honest again"] += honest


def _compare(tally: Counter[str], race: Race, wires: Wires, true: Answer) -> None:
    """What the usual ways make of the same edges."""
    tally["compared"] += 1
    for name, way in WAYS.items():
        seat = way(race, wires.told)
        tally[f"{name}: another"] += seat != true.seat
        tally[f"{name}: late"] += seat not in true.tied


def is_close(race: Race) -> bool:
    """Whether two seats pressed within 10 ms of each other."""
    presses = race.presses
    return any(after.down - before.down <= CLOSE and after.seat != before.seat for before, after in pairwise(presses))
