"""Hands that slap: make races of two to five presses that bounce, and play them on the lines of a simulated chip.

Run as a process of its own, ``python -m kernel.hands FOLDER`` reads one race per line from standard input, plays it at
once, and answers with a line that says between which two times every seat's contact first closed: the truth.
"""

import json
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from kernel.sim import BUTTONS, Wires

US = 1_000
MS = 1_000_000
NEAREST = 50 * US
OPEN = 5 * MS  # confirm_ms: a contact that opens for longer has been touched, and is pressed when it closes again
BOUNCING = 10 * MS
EARLY = 300 * US  # a sleep ends this much before it must: the rest is waited for with open eyes


class Touch(NamedTuple):
    """A contact closed, or opened, between these two ns: a process may be made to wait between clock and finger."""

    before: int
    after: int


class Move(NamedTuple):
    """A contact closes (1) or opens (0), so many ns after its race began."""

    after: int
    seat: int
    level: int


def bounce(rng: random.Random, after: int, seat: int, level: int, most: int) -> list[Move]:
    """A contact that reaches ``level`` with up to ``most`` bounces of 5 to 300 us."""
    moves = [Move(after, seat, level)]
    for _ in range(rng.randint(0, most)):
        for step in (1 - level, level):
            after += rng.randint(5, 300) * US
            moves.append(Move(after, seat, step))
    return moves


def make_race(rng: random.Random, seats: Sequence[int], bounces: int, hold: int) -> list[Move]:
    """Two to five of ``seats`` press, one 50 us to 5 ms after the other, and let go ``hold`` ns later; in time order.

    ``bounces``: the most that a contact makes; a cheap arcade switch makes eight.
    """
    moves: list[Move] = []
    after = 0
    for seat in rng.sample(seats, rng.randint(2, 5)):
        moves += bounce(rng, after, seat, 1, bounces)
        moves += bounce(rng, after + hold + rng.randint(0, 20) * MS, seat, 0, bounces)
        after += round(NEAREST * 100 ** rng.random())  # as many gaps between 50 and 500 us as between 0.5 and 5 ms
    return sorted(moves)


def play(wires: Wires, race: list[Move]) -> dict[int, Touch]:
    """Plays one race now. Seat -> when its contact first closed, in that order.

    A hand that was kept waiting in the middle of a bounce has let go: its press begins when it goes on. Where it does
    not know whether it was kept waiting for so long, its press began at one of the two.
    """
    first: dict[int, Touch] = {}
    planned: dict[int, int] = {}
    opened: dict[int, Touch] = {}
    start = time.monotonic_ns() + MS
    for after, seat, level in race:
        # Moves may have been late; two seats' first contacts are never closer than NEAREST for it.
        soonest = max((touch.before for touch in first.values()), default=0) + NEAREST if seat not in first else 0
        wait_until(max(start + after, soonest))
        before = time.monotonic_ns()
        if level:
            wires.press(BUTTONS[seat])
            touch = Touch(before, time.monotonic_ns())
            if seat in opened and after - planned[seat] < BOUNCING:
                if touch.before - opened[seat].after > OPEN:
                    del first[seat]
                elif touch.after - opened[seat].before > OPEN:
                    first[seat] = Touch(first[seat].before, touch.after)
            planned.setdefault(seat, after)
            first.setdefault(seat, touch)
        else:
            wires.release(BUTTONS[seat])
            opened[seat] = Touch(before, time.monotonic_ns())
    return first


def wait_until(ns: int) -> None:
    left = ns - time.monotonic_ns()
    if left > 2 * EARLY:
        time.sleep((left - EARLY) / 1e9)
    while time.monotonic_ns() < ns:
        pass


def main() -> None:
    wires = Wires(Path(sys.argv[1]))
    for seat in BUTTONS:  # opens what is written to: the first press must not be slower than the others
        wires.release(BUTTONS[seat])
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        truth = play(wires, [Move(*move) for move in json.loads(line)])
        sys.stdout.write(json.dumps(truth) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
