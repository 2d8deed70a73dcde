"""Races of thirteen bouncing buttons as rows of edges: the same ones for all that are measured."""

from random import Random
from typing import NamedTuple

from doubtable.timing import MS, S

SEATS = 13
OPENS = S
RACE = 3 * S
READ = MS  # what comes within one millisecond is read at once


class Press(NamedTuple):
    """One change of a contact: when (ns), which seat, 1 = down."""

    ns: int
    seat: int
    level: int


def race(random: Random) -> list[Press]:
    """Everybody slaps once within 0.3 s and lets go 80 to 160 ms later.

    Each closing and opening bounces up to eight times, 5 to 300 us apart.
    """
    made: list[Press] = []
    for seat in range(1, SEATS + 1):
        down = OPENS + random.randrange(20 * MS, 320 * MS)
        made += _bouncing(random, seat, down, 1)
        made += _bouncing(random, seat, down + random.randrange(80 * MS, 160 * MS), 0)
    return sorted(made)


def _bouncing(random: Random, seat: int, ns: int, level: int) -> list[Press]:
    made = [Press(ns, seat, level)]
    for _ in range(random.randrange(9)):
        for back in (1 - level, level):
            ns += random.randrange(5_000, 300_000)
            made.append(Press(ns, seat, back))
    return made


def races(count: int, seed: int = 1) -> list[list[Press]]:
    """``count`` races."""
    random = Random(seed)
    return [race(random) for _ in range(count)]


def reads(race: list[Press]) -> list[tuple[int, list[Press]]]:
    """A race as a program reads it: when (ns), and all edges since the read before."""
    made: list[tuple[int, list[Press]]] = []
    for press in race:
        at = (press.ns // READ + 1) * READ
        if not made or made[-1][0] != at:
            made.append((at, []))
        made[-1][1].append(press)
    return made
