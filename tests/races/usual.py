"""The usual ways to tell who was first, given the very same edges.

- callback: the first press that the program is told of wins.
- debounced: a press is stamped when its contact has rested for 5 ms, as kernels and libraries do; the earliest wins.
- burst: what came within the same hundredth of a second is one burst, and the lowest pin of the first one wins, as
  interrupt handlers and loops that walk pins in ascending order have it.
"""

from races.rule import NOBODY
from races.truth import CONFIRM, Race
from races.wires import Told

TICK = 10_000_000


def callback(race: Race, told: list[Told]) -> int:
    """``told`` in the order of delivery."""
    rivals = set(race.rivals)
    for each in told:
        if each.level and each.seat in rivals and race.opens <= each.stamp and _open(race, each.stamp):
            return each.seat
    return NOBODY


def debounced(race: Race, told: list[Told]) -> int:
    best: tuple[int, int] | None = None
    rivals = set(race.rivals)
    by_seat: dict[int, list[Told]] = {}
    for each in told:
        if each.seat in rivals:
            by_seat.setdefault(each.seat, []).append(each)
    for seat, edges in by_seat.items():
        for each, after in zip(edges, [*edges[1:], None], strict=True):
            rested = each.stamp + CONFIRM
            if each.level and (after is None or after.stamp > rested) and race.opens <= rested and _open(race, rested):
                best = min(best or (rested, seat), (rested, seat))
                break
    return NOBODY if best is None else best[1]


def burst(race: Race, told: list[Told]) -> int:
    rivals = set(race.rivals)
    down = [
        ((each.stamp - race.opens) // TICK, each.seat)
        for each in told
        if each.level and each.seat in rivals and race.opens <= each.stamp and _open(race, each.stamp)
    ]
    return min(down)[1] if down else NOBODY


def _open(race: Race, ns: int) -> bool:
    return race.closes is None or ns < race.closes


WAYS = {"first callback wins": callback, "end-of-debounce stamps": debounced, "lowest pin in one burst": burst}
