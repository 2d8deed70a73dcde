"""One tape of presses that is played through every kind of button, and whether the same came of it.

Whoever plays it moves real or simulated contacts at the tape's times, hands what the adapter delivered to ``events``,
and compares with ``expected``: the same events for the same seats in the same order, and no stamp further off than the
source declares and the player is late.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from doubtable import tape
from doubtable.events import Event
from doubtable.inputs import Edge, Input, Levels, Time

TAPE = Path(__file__).with_suffix(".jsonl")
SEATS = range(1, 7)
NOT_COMPARED = ("record", "source", "tie_ns")  # which source it was and how well it knows the time


class Move(NamedTuple):
    """A seat's contact closes (1) or opens (0), ``ns`` after the tape's beginning."""

    ns: int
    seat: int
    level: int


def moves() -> list[Move]:
    """What the hands do."""
    given = [row.given for row in tape.load(TAPE).rows]
    return [Move(each.ns, each.seat, each.level) for each in given if isinstance(each, Edge)]


def end() -> int:
    """ns after the tape's beginning at which everything has been decided."""
    return max(row.given.ns for row in tape.load(TAPE).rows if row.given is not None)


def expected() -> list[Event]:
    """What comes of the tape itself."""
    found = tape.load(TAPE)
    return list(tape.replay(found, tape.table_of(found)))


def events(delivered: Iterable[Input], begun: int) -> list[Event]:
    """What comes of what an adapter delivered; ``begun`` (ns) is when the tape's time began."""
    table = tape.table_of(tape.load(TAPE))
    told: list[Event] = []
    for given in delivered:
        if isinstance(given, Levels):
            told += table.feed(replace(given, ns=max(0, given.ns - begun)))
        elif isinstance(given, Edge):
            told += table.feed(replace(given, ns=given.ns - begun))
    return told + list(table.feed(Time(end())))


def differences(found: Iterable[Event], tolerance: int) -> list[str]:
    """How ``found`` differs from ``expected``, a line for each event; a stamp may be off by ``tolerance`` ns."""
    mine = [event.to_line() for event in found if event.to_line()["event"] != "read_levels"]
    theirs = [event.to_line() for event in expected() if event.to_line()["event"] != "read_levels"]
    lines = [
        f"{one} instead of {other}"
        for one, other in zip(mine, theirs, strict=False)
        if not _same(one, other, tolerance)
    ]
    if len(mine) != len(theirs):
        lines.append(f"{len(mine)} events instead of {len(theirs)}")
    return lines


def _same(one: dict[str, Any], other: dict[str, Any], tolerance: int) -> bool:
    keys = (one.keys() | other.keys()) - {*NOT_COMPARED, "ns", "race"}
    if any(one.get(key) != other.get(key) for key in keys) or abs(one["ns"] - other["ns"]) > tolerance:
        return False
    pairs = list(zip(one.get("race", []), other.get("race", []), strict=False))
    same_seats = [seat for seat, _ in one.get("race", [])] == [seat for seat, _ in other.get("race", [])]
    return same_seats and all(abs(mine - theirs) <= tolerance for (_, mine), (_, theirs) in pairs)
