"""The picture in docs/fairness.md, drawn from what a table really decided: ``python -m races.picture``.

One race of five seats: 5 is first and bounces, 3 is 7.2 ms behind and nearer to the claimant's left, 2 is nearest but
too late, and the line of 6 catches a pulse. Prints an SVG with no outside parts.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from doubtable.games.bare import RaceOnly
from doubtable.inputs import Edge, Input, Time
from doubtable.race import Record
from doubtable.table import Table
from doubtable.timing import MS, Timing

FILE = Path(__file__).parents[2] / "docs" / "fairness.svg"
NAMES = ("Ann", "Bob", "Cy", "Di", "Ed", "Flo")
CLAIMANT = 1
BEFORE, AFTER = 8, 78  # ms shown before and after t0
LEFT, TOP, STEP, SCALE, ROW, HEIGHT = 132, 96, 78, 9.2, 26, 470
INK, SOFT, TIE, WAIT = "#1b1b1b", "#555555", "#f3d9a4", "#e8ecef"


class Line(NamedTuple):
    """A seat's edges in ms after t0 (down first), and what is to be said of it."""

    seat: int
    edges: tuple[float, ...]
    says: str


LINES = (
    Line(5, (0, 0.5, 0.8, 1.5, 1.9), "first edge counts; bouncing is the same press"),
    Line(3, (7.2, 7.7, 8.3), "within the tie, nearest Ann's left: the doubter"),
    Line(2, (18.0, 18.4, 18.7), "nearest of all, but after the tie"),
    Line(6, (4.0, 4.12), "a pulse of 0.1 ms: no press"),
)


def played() -> Record:
    """The record of the race, as the table left it."""
    game = RaceOnly((1, 2, 3, 4, 5, 6), 6, {}, Timing(tie=10 * MS), CLAIMANT)
    table = Table(game, NAMES, 1)
    begin = 500 * MS
    inputs: list[Input] = [
        Edge(begin + round(at * MS), line.seat, 1 - place % 2) for line in LINES for place, at in enumerate(line.edges)
    ]
    inputs.append(Time(begin + 1000 * MS))
    events = [event for each in inputs for event in table.feed(each)]
    (doubt,) = [each for each in events if each.name == "doubt"]
    record = doubt.facts["record"]
    assert isinstance(record, Record)
    return record


def x(ms: float) -> float:
    return round(LEFT + (ms + BEFORE) * SCALE, 1)


def text(at: float, y: float, words: str, *, size: int = 15, fill: str = INK, anchor: str = "start") -> str:
    return f'<text x="{at}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}">{words}</text>'


def mark(ms: float, words: str, y: float, *, dashed: bool = False) -> Iterable[str]:
    style = ' stroke-dasharray="5 4"' if dashed else ""
    yield f'<line x1="{x(ms)}" y1="{y + 6}" x2="{x(ms)}" y2="{HEIGHT - 66}" stroke="{SOFT}"{style}/>'
    yield text(x(ms), y, words, size=14, anchor="middle")


def wave(line: Line, top: float) -> Iterable[str]:
    """The line's level as a path: high while the button is down."""
    low, high = top + ROW, top
    path, level = [f"M{x(-BEFORE)} {low}"], 0
    for at in line.edges:
        path.append(f"H{x(at)}V{low if level else high}")
        level = 1 - level
    path.append(f"H{x(AFTER)}")
    yield f'<path d="{"".join(path)}" fill="none" stroke="{INK}" stroke-width="2"/>'
    yield text(LEFT - 12, low - 4, f"{NAMES[line.seat - 1]}, seat {line.seat}", anchor="end")
    yield text(x(22), high - 5 if level else low - 8, line.says, size=14, fill=SOFT)


def drawn(record: Record) -> str:
    """The whole picture."""
    t0 = record.candidates[0].ns
    tie, decided = record.tie / MS, (record.decided - t0) / MS
    bottom = HEIGHT - 66
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 930 {HEIGHT}" font-family="DejaVu Sans, sans-serif" '
        f'role="img" aria-label="{aloud(record)}">',
        f'<rect width="930" height="{HEIGHT}" fill="#ffffff"/>',
        f'<rect x="{x(tie)}" y="70" width="{x(decided) - x(tie):.1f}" height="{bottom - 70}" fill="{WAIT}"/>',
        f'<rect x="{x(0)}" y="70" width="{x(tie) - x(0):.1f}" height="{bottom - 70}" fill="{TIE}"/>',
        text(14, 30, f"{NAMES[record.claimant - 1]} (seat {record.claimant}) claims. Who doubted first?", size=19),
        *mark(0, "t0", 64),
        *mark(tie, f"t0 + {tie:g} ms", 64, dashed=True),
        *mark(decided, f"decided: t0 + {decided:g} ms", 64),
    ]
    for place, line in enumerate(LINES):
        parts += wave(line, TOP + place * STEP)
    parts.append(text(x(0) + 4, bottom + 20, "tie", size=14))
    parts.append(text(x(tie) + 8, bottom + 20, "waiting for what is still on its way", size=14, fill=SOFT))
    parts.append(text(14, HEIGHT - 14, aloud(record)))
    return "\n".join([*parts, "</svg>"]) + "\n"


def aloud(record: Record) -> str:
    """The photo finish in one line."""
    t0 = record.candidates[0].ns
    order = [f"{NAMES[each.seat - 1]} +{(each.ns - t0) / MS:.1f} ms" for each in record.candidates]
    assert record.doubter is not None
    return f"{', '.join(order)}. Too close to call: {NAMES[record.doubter - 1]} sits nearest the claimant's left."


if __name__ == "__main__":
    sys.stdout.write(drawn(played()))
