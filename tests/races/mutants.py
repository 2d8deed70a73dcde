"""Broken copies of the product's way. Each must come out wrong in some race, or the judge is blind."""

import sys
from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from doubtable import race as races
from doubtable.buttons import lines
from doubtable.race import Candidate, Decision, distance, order
from races import feeding

NAMES = ("end_stamp", "chained", "delivery", "lowest_seat", "no_straggler")


def _everywhere(name: str, original: object, broken: object) -> None:
    """Put ``broken`` wherever a module of the product holds ``original`` under its ``name``."""
    for key, module in list(sys.modules.items()):
        if key.startswith("doubtable") and getattr(module, name, None) is original:
            setattr(module, name, broken)


def _end_stamp() -> None:
    """A press is stamped when its bouncing has ended."""
    settle: Callable[..., Any] = lines.take_due

    def late(line: Any, timing: Any) -> Any:
        line, settled = settle(line, timing)
        return line, replace(settled, start=max(settled.start, settled.due - timing.confirm))

    _everywhere("take_due", lines.take_due, late)


def _tied(ranked: tuple[Candidate, ...], tie: int) -> list[Candidate]:
    return [each for each in ranked if each.ns <= ranked[0].ns + tie]


def _decision(ranked: tuple[Candidate, ...], first: Candidate, tied: int) -> Decision:
    return Decision(first.seat, first.ns, tied > 1, tuple((each.seat, each.ns - ranked[0].ns) for each in ranked))


def _chained() -> None:
    """The tie is measured from each press to the next."""

    def decide(candidates: Iterable[Candidate], claimant: int, size: int, tie: int) -> Decision:
        ranked = order(candidates)
        chain = [ranked[0]]
        for each in ranked[1:]:
            if each.ns > chain[-1].ns + tie:
                break
            chain.append(each)
        return _decision(ranked, min(chain, key=lambda each: distance(claimant, each.seat, size)), len(chain))

    _everywhere("decide", races.decide, decide)


def _lowest_seat() -> None:
    """Of a tie the lowest number wins."""

    def decide(candidates: Iterable[Candidate], claimant: int, size: int, tie: int) -> Decision:
        ranked = order(candidates)
        tied = _tied(ranked, tie)
        return _decision(ranked, min(tied, key=lambda each: each.seat), len(tied))

    _everywhere("decide", races.decide, decide)


def _no_straggler() -> None:
    """Nothing waits for what is on its way."""
    table_of = feeding.table_of

    def impatient(race: Any) -> Any:
        table = table_of(race)
        table.timing = replace(table.timing, straggler=0)
        table.game.timing = table.timing
        return table

    feeding.table_of = impatient


def put_in(name: str) -> bool:
    """Break this process's copy of the product; True when edges are to be stamped as they are delivered."""
    if name == "delivery":
        return True
    {"end_stamp": _end_stamp, "chained": _chained, "lowest_seat": _lowest_seat, "no_straggler": _no_straggler}[name]()
    return False
