"""Turns what is to be said into widgets of the right size in the right place: the tools that all scenes share.

A stage belongs to one panel, one number of seats and one language; it keeps nothing else, so a scene made twice is the
same twice.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from doubtable.screen import palette
from doubtable.screen.board import Align, Widget
from doubtable.screen.layout import Frame, frame
from doubtable.screen.lettering import Face, Lettering, Setting
from doubtable.screen.palette import Colour
from doubtable.screen.sizes import Box, Panel
from doubtable.screen.widgets import Bar, CardFace, Finish, Label, Pile, Slab, Strip, rim
from doubtable.screen.words import Words, sign

SHORTEST_NAME = 3  # letters that stay when a name has to give way to the rest of its line


class Want(msgspec.Struct, frozen=True):
    """How high a block wants to be, in units: at least and at most."""

    least: float
    most: float


def stacked(box: Box, unit: int, wants: Sequence[Want]) -> tuple[Box, ...]:
    """Blocks from top to bottom in a box: each at least as high as it wants, the room that is left shared out.

    What no block takes becomes equal space around them. Where there is too little room, all shrink alike.
    """
    least = [want.least * unit for want in wants]
    if sum(least) >= box.h:
        edges = [0.0]
        for height in least:
            edges.append(edges[-1] + height * box.h / sum(least))
        cuts = [box.y + round(edge) for edge in edges]
        return tuple(Box(box.x, top, box.w, low - top) for top, low in itertools.pairwise(cuts))
    room, stretch = box.h - sum(least), [(want.most - want.least) * unit for want in wants]
    share = min(1.0, room / sum(stretch)) if sum(stretch) else 0.0
    heights = [low + more * share for low, more in zip(least, stretch, strict=True)]
    gap = (box.h - sum(heights)) / (len(wants) + 1)
    made, top = [], box.y + gap
    for height in heights:
        made.append(Box(box.x, round(top), box.w, round(height)))
        top += height + gap
    return tuple(made)


class Stage:
    """The layout, letters and words for one picture. For the main thread only."""

    def __init__(self, panel: Panel, seats: int, words: Words, lettering: Lettering, first: int = 0) -> None:
        self.panel, self.words, self.letters = panel, words, lettering
        self.frame: Frame = frame(panel, seats, first)
        self.unit = self.frame.unit

    # Text -----------------------------------------------------------------------------------------------------------

    def set(self, text: str, room: Box, *, most: float = 1.0, lines: int = 1, face: Face = "bold") -> Setting:
        """The largest setting of a text in a box, capitals from one unit to ``most`` units."""
        return self.letters.setting(text, (room.w, room.h), (self.unit, round(self.unit * most)), lines, face)

    def label(
        self,
        row: Box,
        text: str,
        *,
        most: float = 1.0,
        lines: int = 1,
        colour: Colour = palette.INK,
        align: Align = "centre",
        face: Face = "bold",
    ) -> Label:
        """A text in a row."""
        return Label(row, self.set(text, row, most=most, lines=lines, face=face), colour, align, face)

    def say(self, row: Box, key: str, values: Mapping[str, object], lines: int, most: float) -> Setting:
        """A text of the catalogue set in a row; names in it are cut before the rest of it has to give way."""
        text = self.words.say(key, values)
        made = self.set(text, row, most=most, lines=lines)
        names = {
            place: value for place, value in values.items() if place in ("name", "other") and isinstance(value, str)
        }
        longest = max(map(len, names.values()), default=0)
        while made.cut and longest > SHORTEST_NAME:
            longest -= 1
            shorter = {place: _shortened(name, longest) for place, name in names.items()}
            made = self.set(self.words.say(key, {**values, **shorter}), row, most=most, lines=lines)
        return made

    def help(self, key: str, values: Mapping[str, object] | None = None) -> tuple[Widget, ...]:
        """The band with the help line."""
        band = self.frame.help
        room = band.inset(self.unit // 5, self.unit // 8)
        lines = 2 if self.frame.wide else 4
        made = (Slab(band),)
        return (*made, Label(room, self.say(room, key, values or {}, lines, 1.5))) if key else made

    # The middle -----------------------------------------------------------------------------------------------------

    @property
    def inner(self) -> Box:
        """The middle without the room for its outline."""
        return self.frame.middle.inset(self.unit // 3, self.unit // 6)

    def outline(self, permille: int | None = None) -> tuple[Widget, ...]:
        """The outline of the middle; with ``permille`` the part of it that is left of a window, clockwise."""
        thick = max(3, self.unit // 12)
        whole = tuple(Bar(bar, palette.LINE) for bar in rim(self.frame.middle, thick, 1000))
        left = () if permille is None else tuple(Bar(bar) for bar in rim(self.frame.middle, thick, permille))
        return (*whole, *left)

    def strip(self, row: Box, labels: Sequence[str], cursor: int, filled: int = 0) -> Strip:
        """Labels side by side, as many as fit around the cursor; the cursor's label is always whole."""
        pad, gap, arrow = self.unit * 6 // 10, max(4, self.unit // 6), self.unit // 2
        room = row.w - pad
        settings = [self.set(label, Box(0, 0, room, row.h), lines=2) for label in labels]
        widths = [
            max(self.unit * 11 // 10, max(self.letters.width(line, made.capital) for line in made.lines) + pad)
            for made in settings
        ]
        first, last = _around(widths, max(cursor, 0), row.w, gap, arrow)
        shown = range(first, last + 1)
        whole = sum(widths[number] for number in shown) + gap * (len(shown) - 1)
        x, items = row.x + (row.w - whole) // 2, []
        for number in shown:
            items.append((Box(x, row.y, widths[number], row.h), settings[number]))
            x += widths[number] + gap
        more = (first > 0, last < len(labels) - 1)
        return Strip(row, tuple(items), cursor - first if cursor >= 0 else -1, more, filled)

    def pile(self, row: Box, count: int) -> Pile:
        """The pile and its number of cards, as wide as it needs at the right end of a row."""
        setting = self.set(str(count), row)
        wide = row.h * 11 // 10 * 9 // 8 + self.letters.width(str(count), setting.capital) + 2
        wide = min(row.w, wide)
        return Pile(Box(row.right - wide, row.y, wide, row.h), setting, count == 0)

    def cards(self, row: Box, shown: Sequence[tuple[str, str, bool | None]], places: int = 0) -> tuple[CardFace, ...]:
        """Cards (rank, suit, right or wrong) in a row that has room for ``places`` of them."""
        count = max(len(shown), places, 1)
        gap = max(4, self.unit // 8)
        high = row.h
        wide = min(high * 7 // 10, (row.w - gap * (count - 1)) // count)
        high = min(high, wide * 16 // 10)
        left = row.x + (row.w - count * wide - gap * (count - 1)) // 2
        top = row.y + (row.h - high) // 2
        made = []
        for number, (rank, suit, ok) in enumerate(shown):
            box = Box(left + number * (wide + gap), top, wide, high)
            setting = self.letters.setting(sign(rank), (wide - wide // 6, high // 2), (self.unit // 2, self.unit * 3))
            made.append(CardFace(box, setting, suit, ok))
        return tuple(made)

    def finish(self, row: Box, rows: Iterable[tuple[str, str, int]], tied: int) -> tuple[Finish, ...]:
        """The photo finish: names with their margins and delays in thousandths of the scale."""
        lines = tuple(rows)[: max(1, int(row.h / (1.1 * self.unit)))]
        boxes = stacked(row, self.unit, [Want(1.15, 1.7)] * len(lines))
        by = [self.set(margin, row) for _, margin, _ in lines]
        margins = max(self.letters.width(made.lines[0], made.capital) for made in by)
        who = [self.set(name, Box(0, 0, row.w - margins - self.unit // 2, row.h)) for name, _, _ in lines]
        names = max(self.letters.width(made.lines[0], made.capital) for made in who)
        left, length = row.x + names + self.unit // 2, row.w - names - margins - self.unit
        made = []
        for number, box in enumerate(boxes):
            track = Box(left, box.y, length, box.h) if length >= 2 * self.unit else None
            made.append(Finish(box, track, who[number], by[number], lines[number][2], tied, number == 0))
        return tuple(made)


def _shortened(name: str, letters: int) -> str:
    return name if len(name) <= letters else name[:letters].rstrip() + "…"


def _around(widths: Sequence[int], cursor: int, room: int, gap: int, arrow: int) -> tuple[int, int]:
    """First and last of the labels that fit around the cursor, more after it than before it."""
    if sum(widths) + gap * (len(widths) - 1) <= room:
        return 0, len(widths) - 1
    first = last = cursor
    left = room - 2 * (arrow + gap) - widths[cursor]
    while True:
        after = last + 1 < len(widths) and widths[last + 1] + gap <= left
        before = first > 0 and widths[first - 1] + gap <= left
        if after and (last - cursor <= cursor - first or not before):
            last += 1
            left -= widths[last] + gap
        elif before:
            first -= 1
            left -= widths[first] + gap
        elif after:
            last += 1
            left -= widths[last] + gap
        else:
            return first, last
