"""How switches bounce: offsets in ns of a contact's edges from its first one. Lengths from published measurements.

- J. Ganssle, A Guide to Debouncing (ganssle.com/debouncing.htm): 16 switches bounced 1557 us on average and 6200 us at
  most; another one needed 157 ms to open.
- An arcade microswitch under a tapping machine came to rest after 564 us and 7 edges (making.arantius.com,
  KQ Button Tester, 2017).
- A button's log in adamfk/bouncy-button-data#12: 23 edges in 528 us, kept here as it is.
"""

import random
from typing import NamedTuple

US = 1_000
MS = 1_000_000
LONGEST_REST = 4_500 * US  # shorter than the 5 ms that end a burst: what rests longer is no bounce but a press anew

CAPTURE = tuple(
    each - 188_812
    for each in (
        *(188812, 196062, 421812, 424437, 428125, 431812, 437875, 500937, 507000, 547500, 559500, 635625, 642875),
        *(645375, 650250, 652750, 671875, 674375, 684125, 696125, 702187, 713000, 716687),
    )
)


class Switch(NamedTuple):
    """A kind of switch: mean and longest bounce in ns, most pairs of edges, how often it is met."""

    name: str
    mean: int
    most: int
    pairs: int
    share: float
    opening: int = 0  # longest bounce on opening, where it is another


CLEAN = Switch("clean", 0, 0, 0, 0.25)
ARCADE = Switch("arcade", 500 * US, 2_000 * US, 3, 0.40)
GANSSLE = Switch("ganssle", 1_557 * US, 6_200 * US, 4, 0.28)
CAPTURED = Switch("captured", 0, 0, 0, 0.06)
WORN = Switch("worn", 1_557 * US, 6_200 * US, 4, 0.01, opening=157 * MS)
SWITCHES = (CLEAN, ARCADE, GANSSLE, CAPTURED, WORN)
SHARES = [switch.share for switch in SWITCHES]


def bounce(rng: random.Random, switch: Switch, opening: bool) -> list[int]:
    """The offsets of one contact's edges: an odd number, 0 first; no two are further apart than LONGEST_REST."""
    if switch is CAPTURED and not opening:
        return list(CAPTURE)
    longest = switch.opening if opening and switch.opening else switch.most
    if not longest:
        return [0]
    if longest > 10 * MS:
        return _chatter(rng, round(rng.uniform(0.3, 1) * longest))
    length = min(round(rng.expovariate(1 / switch.mean)), longest)
    inner = sorted(1 + int(rng.random() * length) for _ in range(2 * int(rng.random() * (switch.pairs + 1))))
    offsets = [0, *inner]
    if any(after - before > LONGEST_REST or after == before for before, after in zip(offsets, inner, strict=False)):
        return [0]
    return offsets


def _chatter(rng: random.Random, length: int) -> list[int]:
    offsets = [0]
    while offsets[-1] < length:
        offsets.append(offsets[-1] + rng.randrange(50 * US, LONGEST_REST))
    return offsets if len(offsets) % 2 else offsets[:-1]
