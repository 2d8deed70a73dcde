"""How many presses every declaration of Liar Poker takes, counted on the game's own strip, as a page of docs.

``python -m games.liar_poker_presses > ../docs/liar-poker-presses.md``, in the folder tests, writes the page.
"""

import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from doubtable import entry, house
from doubtable.entry import Entry
from doubtable.games.base import Strip
from doubtable.games.liar_poker import LiarPoker
from doubtable.games.poker_hands import LEVELS, Declaration
from doubtable.house import House
from doubtable.timing import Timing


class Presses(NamedTuple):
    """So many taps, then so many holds in all."""

    taps: int
    holds: int

    def __str__(self) -> str:
        return f"{self.taps} + {self.holds}"


def rules(level: str) -> LiarPoker:
    return LiarPoker((1, 2), 2, {"detail": level}, Timing())


def strip_after(game: LiarPoker, declared: int) -> Strip:
    """The holder's strip when the declaration at this place stands, -1 when none does."""
    state, _ = game.begin(1, None, 0)
    state = replace(state, phase="declare", turn=1, holder=1, window=None, declared=declared)
    strip = house.strip(House(), game, state, 1, 0)
    assert strip is not None
    return strip


def presses(strip: Strip, path: tuple[str, ...]) -> Presses:
    """What leads from the strip's beginning to the act at ``path``."""
    at = entry.current(Entry(), strip)
    taps = holds = 0
    while True:
        labels = [item.label for item in entry.items(strip, at.chosen)]
        cursor = labels.index(path[len(at.chosen)])
        taps, holds = taps + cursor, holds + 1
        at, act = entry.hold(replace(at, cursor=cursor), strip)
        if act is not None:
            return Presses(taps, holds)


def path_of(declaration: Declaration) -> tuple[str, ...]:
    return (declaration.category, *declaration.ranks)


def raises(level: str) -> Iterator[tuple[str, Presses, Presses]]:
    """Every declaration: when nothing has been declared, and as the smallest raise."""
    game = rules(level)
    nothing = strip_after(game, -1)
    for place, declaration in enumerate(game.list):
        path = path_of(declaration)
        yield str(declaration), presses(nothing, path), presses(strip_after(game, place - 1), path)


def next_categories(level: str) -> Iterator[tuple[str, str, set[Presses]]]:
    """The lowest of every category but the first: what leads to it from the category before, its top left out."""
    game = rules(level)
    lowest: dict[str, int] = {}
    for place, declaration in enumerate(game.list):
        lowest.setdefault(declaration.category, place)
    starts = list(lowest.values())
    for before, start in pairwise(starts):
        path = path_of(game.list[start])
        found = {presses(strip_after(game, place), path) for place in range(before, start - 1)}
        yield game.list[before].category, str(game.list[start]), found


def page() -> str:
    """The whole page."""
    lines = [
        "# Liar Poker: presses per raise",
        "",
        "Taps + holds on the holder's one button. A tap moves the cursor, a hold chooses; a step with one choice is",
        "skipped. **First**: when nothing has been declared yet, which is the dearest case. **Smallest raise**: when",
        "the declaration just before it stands. A test counts this page on the table's own strip.",
    ]
    for level in LEVELS:
        lines += ["", f"## {level}: the lowest of the next category", "", "| from | to | presses |", "|---|---|---|"]
        for category, name, found in next_categories(level):
            lines.append(f"| any {category} but the highest | {name} | {' or '.join(map(str, sorted(found)))} |")
        lines += ["", f"## {level}: every declaration", "", "| declaration | first | smallest raise |", "|---|---|---|"]
        lines += [f"| {name} | {first} | {smallest} |" for name, first, smallest in raises(level)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
