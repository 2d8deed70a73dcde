"""From the truth to what the table is told: edges with their source's stamps and numbers, and when they are delivered.

A source's stamp is off by its clock's offset and by a jitter of its own, together never more than what it declares:
two of its own stamps are uncertain by its uncertainty, stamps of two sources by the sum. Jitter is one value per
movement of a finger, so the edges of one line stay in order.

Deliveries: what a source has queued is read in one go, 50 us to 3 ms late. Now and then a line hangs for up to 45 ms
and is then read at once; meanwhile time goes on (the order of delivery between lines is mixed up, and time runs ahead
of them). A line never starts to hang within a burst, nor does the next seat's: what time has passed over is no longer
one burst, and a finger that has not let go by then is holding.
"""

import random
from bisect import bisect_right
from operator import itemgetter
from typing import NamedTuple

from races.switches import MS, US, bounce
from races.truth import CONFIRM, Press, Race

HANGS = 45 * MS
READ = 2950 * US


class Told(NamedTuple):
    """One edge as it is delivered at ``wall``; ``source`` is the place of its source in the race."""

    wall: int
    stamp: int
    seat: int
    level: int
    source: int
    seq: int | None


class Wires(NamedTuple):
    """What is delivered, in that order, and what judges need besides.

    ``stamps``: (seat, begun, up) as stamped, by the press's place in the race. ``levels``: by seat the times at which
    its line changed (down first), as a level read sees them: the pins themselves, or what a panel or keyboard tells by
    its own clock. ``lost``: edges that never came. ``telling``: those whose
    numbers show it. ``before``: by source the number of its last edge before all this.
    """

    told: list[Told]
    stamps: list[tuple[int, int, int]]
    levels: dict[int, list[int]]
    lost: list[Told]
    telling: list[Told]
    before: list[int]

    def level(self, seat: int, ns: int) -> int:
        """What a read at ``ns`` finds on a seat's line."""
        return bisect_right(self.levels.get(seat, ()), ns) & 1


def lay(race: Race, seed: int) -> Wires:
    """The edges of ``race``."""
    rng = random.Random(~(seed * 0x1_0000_0000 + race.number))
    levels: dict[int, list[int]] = {}
    stamps: list[tuple[int, int, int]] = []
    raw: list[tuple[int, int, int, int]] = []  # stamp, seat, level, index
    for press in race.presses:
        stamps.append(_press(rng, race, press, levels, raw))
    for seat, start, width in race.spikes:
        index = race.source_of[seat - 1]
        off = _off(rng, race, index)
        down = sum(1 for press in race.presses if press.seat == seat and press.down < start < press.up)
        raw += [(start + off, seat, 1 - down, index), (start + width + off, seat, down, index)]
        levels.setdefault(seat, []).extend((start, start + width))
    raw.sort(key=itemgetter(0, 1))
    for seat, times in levels.items():
        if race.sources[race.source_of[seat - 1]].name != "gpio":
            times[:] = [each[0] for each in raw if each[1] == seat]
        times.sort()
    before = [rng.randrange(1, 1000) for _ in race.sources]
    told = _deliver(rng, race, raw, list(before))
    kept, lost = _lose(rng, race, told)
    telling = [each for each in kept if any(_tells(each, gone) for gone in lost)]
    kept.sort(key=itemgetter(0))
    return Wires(kept, stamps, levels, lost, telling, before)


def _tells(each: Told, gone: Told) -> bool:
    """Whether the number of ``each`` shows that ``gone`` is missing."""
    return each.source == gone.source and each.seq is not None and gone.seq is not None and each.seq > gone.seq


def _off(rng: random.Random, race: Race, index: int) -> int:
    source = race.sources[index]
    if not source.uncertainty:
        return 0
    half = source.uncertainty // 4
    return source.offset + int((2 * rng.random() - 1) * half)


def _press(
    rng: random.Random, race: Race, press: Press, levels: dict[int, list[int]], raw: list[tuple[int, int, int, int]]
) -> tuple[int, int, int]:
    """One press's edges; returns its seat and what its stamps are."""
    seat = press.seat
    index, switch = race.source_of[seat - 1], race.switches[seat - 1]
    down_off, up_off = _off(rng, race, index), _off(rng, race, index)
    closing = [press.down + each for each in bounce(rng, switch, opening=False)]
    if closing[-1] + 6 * MS > press.up:
        closing = [press.down]
    if press.spike:
        width = rng.randrange(20 * US, 500 * US)
        closing = [press.begun, press.begun + width, *closing]
    opening = [press.up + each for each in bounce(rng, switch, opening=True)]
    raw.extend((ns + down_off, seat, 1 - place % 2, index) for place, ns in enumerate(closing))
    raw.extend((ns + up_off, seat, place % 2, index) for place, ns in enumerate(opening))
    levels.setdefault(seat, []).extend((*closing, *opening))
    return seat, press.begun + down_off, press.up + up_off


def _deliver(rng: random.Random, race: Race, raw: list[tuple[int, int, int, int]], counts: list[int]) -> list[Told]:
    """Numbers in the order of the kernel's queue, and the times of the reads."""
    held = race.next_seat if race.kind == "turn" else 0
    hanging = _hangs(rng, race, [each for each in raw if each[1] != held]) if rng.random() < 0.5 else {}
    reads = [0] * len(race.sources)
    last: dict[int, int] = {}
    told = []
    for stamp, seat, level, index in raw:
        counts[index] += 1
        if stamp > reads[index]:
            reads[index] = stamp + 50 * US + int(rng.random() * READ)
        wall = reads[index]
        if seat in hanging:
            begin, end = hanging[seat]
            if begin <= stamp < end:
                wall = end
        wall = last[seat] = max(wall, last.get(seat, 0))
        told.append(Told(wall, stamp, seat, level, index, counts[index] if race.numbered else None))
    return told


def _hangs(rng: random.Random, race: Race, raw: list[tuple[int, int, int, int]]) -> dict[int, tuple[int, int]]:
    """Lines that hang: from when to when, never from within a burst; mostly some of the first in the window."""
    hanging: dict[int, tuple[int, int]] = {}
    first = [each for each in raw if each[2] and each[0] >= race.opens][:8] if rng.random() < 0.8 else raw
    for _ in range(rng.randint(1, 3) if first else 0):
        stamp, seat = rng.choice(first)[:2]
        begin = stamp - rng.randrange(1, 10 * MS)
        mine = [each[0] for each in raw if each[1] == seat]
        before = [ns for ns in mine if ns < begin]
        if not before or before[-1] + CONFIRM + 3 * MS < begin:
            hanging[seat] = (begin, begin + rng.randrange(5 * MS, HANGS))
    return hanging


def _lose(rng: random.Random, race: Race, told: list[Told]) -> tuple[list[Told], list[Told]]:
    """What gets lost within the window: a run of one source's events, or one edge of two that came together.

    A queue that overflows is one that numbers its events; what hardware forgets was never numbered.
    """
    inside = [each for each in told if each.level == 1 and each.stamp >= race.opens]
    if race.loss == "overflow" and race.numbered and inside:
        near = rng.choice(inside)
        mine = [each for each in told if each.source == near.source and each.stamp >= race.opens]
        start = max(0, mine.index(near) - rng.randint(0, 3))
        lost = mine[start : start + rng.choice((1, 2, 4, 16))]
        dropped = {id(each) for each in lost}
        return [each for each in told if id(each) not in dropped], lost
    if race.loss == "twin" and len(inside) >= 2:
        gone = rng.choice(sorted(inside, key=lambda each: each.stamp)[:2])
        return [_renumbered(each, gone) for each in told if each is not gone], [gone._replace(seq=None)]
    return told, []


def _renumbered(each: Told, gone: Told) -> Told:
    """``each`` as it is numbered when ``gone`` never had a number."""
    if each.seq is None or gone.seq is None or each.source != gone.source or each.seq < gone.seq:
        return each
    return each._replace(seq=each.seq - 1)
