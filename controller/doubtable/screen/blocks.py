"""The middle of a scene as blocks from top to bottom: what must be there, and what gives way on a small screen."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from doubtable.screen import palette
from doubtable.screen.board import Align, Widget
from doubtable.screen.lettering import LEADING, Setting
from doubtable.screen.palette import Colour
from doubtable.screen.sizes import Box
from doubtable.screen.stage import Stage, Want, stacked
from doubtable.screen.widgets import Badge, Label, Plate, Tag

Text = tuple[str, Mapping[str, object]]

ONE_ROW = 1.15  # units
TAG_ROW = 1.45
LESSON_ROW = 1.35
MOST_LINES = 4
STAYS = 1  # what gives way no sooner than this does not give way to a notice


class Block(msgspec.Struct, frozen=True):
    """A part of the middle: how high it wants to be, what it paints, and when it gives way (0: never, 9: first)."""

    want: Want
    paint: Callable[[Box], Iterable[Widget]]
    gives_way: int = 0


def fill(stage: Stage, box: Box, blocks: Sequence[Block]) -> tuple[Widget, ...]:
    """The widgets of the blocks that have room in a box."""
    kept = list(blocks)
    while kept:
        first = max(kept, key=lambda block: block.gives_way)
        if first.gives_way == 0 or sum(block.want.least for block in kept) * stage.unit <= box.h:
            break
        kept.remove(first)
    boxes = stacked(box, stage.unit, [block.want for block in kept])
    return tuple(widget for block, row in zip(kept, boxes, strict=True) for widget in block.paint(row))


def line(
    stage: Stage,
    box: Box,
    text: str,
    *,
    most: float = 1.6,
    colour: Colour = palette.INK,
    align: Align = "centre",
    gives_way: int = 0,
) -> Block:
    """A text in one row, or in as many as it needs."""
    lines, want = _rows(stage, box, text, most)

    def paint(row: Box) -> Iterable[Widget]:
        yield stage.label(row, text, most=most, lines=lines, colour=colour, align=align)

    return Block(want, paint, gives_way)


def said(stage: Stage, box: Box, text: Text, *, most: float = 1.6, gives_way: int = 0) -> Block:
    """A text of the catalogue; for a long name it shrinks, then the name is cut."""
    key, values = text
    lines, want = _rows(stage, box, stage.words.say(key, values), most)

    def paint(row: Box) -> Iterable[Widget]:
        yield Label(row, stage.say(row, key, values, lines, most))

    return Block(want, paint, gives_way)


def _rows(stage: Stage, box: Box, text: str, most: float) -> tuple[int, Want]:
    """How many lines a text needs at the least size, and the height for them."""
    lines = min(MOST_LINES, stage.lines_of(text, box.w))
    least = ONE_ROW + (lines - 1) * LEADING
    return lines, Want(least, max(least, most * least))


def notice(stage: Stage, text: Text, beside: Sequence[Block]) -> Block | None:
    """A short word about something out of the ordinary, on a plate of its own beside the blocks that must stay; None
    when the middle has no room for it.
    """
    key, values = text
    wide = stage.letters.width(stage.words.say(key, values), stage.unit) + stage.unit
    high = TAG_ROW + sum(block.want.least for block in beside if block.gives_way <= STAYS)
    if wide > stage.inner.w or high * stage.unit > stage.inner.h:
        return None

    def paint(row: Box) -> Iterable[Widget]:
        setting = stage.say(row.inset(stage.unit // 2, 0), key, values, 1, 1.0)
        wide = stage.letters.width(setting.lines[0], setting.capital) + stage.unit
        yield Tag(Box(row.x + (row.w - wide) // 2, row.y + row.h // 20, wide, row.h - row.h // 10), setting)

    return Block(Want(TAG_ROW, 1.6), paint)


def lesson(stage: Stage, box: Box, lamp: str, key: str, *, beside: Sequence[str] = (), gives_way: int = 3) -> Block:
    """What a button with such a lamp wants: a plate of that look, and the words beside it; plates of several lessons
    (the texts ``beside``) stand one under the other.
    """
    gap = stage.unit // 2
    text, plate = stage.words.say(key), (stage.unit * 9 // 5, stage.unit * 6 // 5)
    lines = min(3, stage.letters.lines_at(text, box.w - plate[0] - gap, stage.unit))
    most = 1.0 if len(beside) > 1 else 1.2

    def paint(row: Box) -> Iterable[Widget]:
        room = Box(0, 0, row.w - plate[0] - gap, row.h)
        setting = stage.set(text, room, most=most, lines=lines)
        roomy = Box(0, 0, room.w, 9 * stage.unit)
        longest = [setting, *(stage.set(stage.words.say(each), roomy, most=most, lines=3) for each in beside)]
        wide = plate[0] + gap + max(stage.letters.width(each, made.capital) for made in longest for each in made.lines)
        high = min(plate[1], row.h)
        left = row.x + max(0, (row.w - wide) // 2)
        yield Plate(Box(left, row.centre[1] - high // 2, plate[0], high), Setting(("",), stage.unit), lamp)
        yield Label(Box(left + plate[0] + gap, row.y, row.w - plate[0] - gap, row.h), setting, align="left")

    least = LESSON_ROW + (lines - 1) * LEADING
    return Block(Want(least, least * 1.3), paint, gives_way)


def badge(stage: Stage, ok: bool, text: str) -> Block:
    """A tick or a cross beside a word."""

    def paint(row: Box) -> Iterable[Widget]:
        least = stage.letters.width(text, stage.unit) + stage.unit // 2
        high = min(row.h, round(stage.unit * 3), max(stage.unit, row.w - least))
        room = Box(0, 0, row.w - high - stage.unit // 2, row.h)
        setting = stage.set(text, room, most=2.2)
        wide = high + stage.unit // 2 + stage.letters.width(setting.lines[0], setting.capital)
        yield Badge(Box(row.x + (row.w - wide) // 2, row.y + (row.h - high) // 2, wide, high), ok, setting)

    return Block(Want(1.5, 3.0), paint)
