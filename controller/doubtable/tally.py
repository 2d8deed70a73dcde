"""An evening's sums, from public facts only: scores over deals, streaks, and the four awards.

Never from undoubted claims: the table cannot know whether they were true.
"""

from collections.abc import Collection, Iterable

import msgspec
from msgspec.structs import replace

from doubtable.events import Event
from doubtable.moments import HISTORY

STREAK = 3  # right doubts, or claims that stood a doubt, in a row that are worth a word
SUMMED = ("window", "doubt", "verdict", "over", "hands")  # and a game's own locks


class Tally(msgspec.Struct, frozen=True):
    """By seat: total scores, lies caught in, right doubts, and the fastest doubt in ns; the dearest pile taken.

    A penalty point counts as a chip lost. ``locks``: the sums from just before each of the last locks, for undo.
    """

    deals: int = 0
    totals: dict[int, int] = {}
    caught: dict[int, int] = {}
    nose: dict[int, int] = {}
    fastest: dict[int, int] = {}
    dearest: dict[int, int] = {}
    streaks: dict[int, int] = {}
    opened: int = 0  # when the window under way opened, ns
    locks: tuple["Tally", ...] = ()


def after(tally: Tally, events: Iterable[Event], locks: Collection[str]) -> Tally:
    """The sums after ``events`` of a game whose locks are told by the events named ``locks``."""
    for each in events:
        facts = each.facts
        match each.name:
            case "window" if facts["state"] == "open":
                tally = replace(tally, opened=each.ns)
            case "doubt":
                seat, took = facts["seat"], each.ns - tally.opened
                fastest = min(took, tally.fastest.get(seat, took))
                tally = replace(tally, fastest=tally.fastest | {seat: fastest})
            case "verdict":
                tally = _verdict(tally, facts["of"], facts["doubter"], facts["true"], facts["takes"], facts["cards"])
            case "over":
                sign = -1 if facts.get("penalty") else 1
                totals = dict(tally.totals)
                for seat, score in enumerate(facts["scores"], 1):
                    totals[seat] = totals.get(seat, 0) + sign * score
                tally = replace(tally, deals=tally.deals + 1, totals=totals)
            case name if name in locks:
                tally = replace(tally, locks=(*tally.locks, replace(tally, locks=()))[-HISTORY:])
            case "hands" if facts.get("undo"):
                *earlier, before = tally.locks or (tally,)
                tally = replace(before, locks=tuple(earlier))
            case _:
                pass
    return tally


def _verdict(tally: Tally, of: int, doubter: int, true: bool, takes: int, cards: int) -> Tally:
    won, lost = (of, doubter) if true else (doubter, of)
    return replace(
        tally,
        caught=tally.caught if true else tally.caught | {of: tally.caught.get(of, 0) + 1},
        nose=tally.nose if true else tally.nose | {doubter: tally.nose.get(doubter, 0) + 1},
        dearest=tally.dearest | {takes: max(cards, tally.dearest.get(takes, 0))},
        streaks=tally.streaks | {won: tally.streaks.get(won, 0) + 1, lost: 0},
    )


def awards(tally: Tally) -> dict[str, tuple[int, int]]:
    """Award -> (seat, number). A shared best is nobody's."""
    found: dict[str, tuple[int, int]] = {}
    for name, numbers, best in (
        ("Caught Most", tally.caught, max),
        ("Best Nose", tally.nose, max),
        ("Fastest Slap", tally.fastest, min),
        ("Dearest Pile", tally.dearest, max),
    ):
        if numbers:
            number = best(numbers.values())
            seats = [seat for seat, each in numbers.items() if each == number]
            if len(seats) == 1:
                found[name] = (seats[0], number)
    return found
