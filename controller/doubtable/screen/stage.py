"""Turns what is to be said into widgets of the right size in the right place: the tools that all scenes share.

A stage belongs to one panel, one number of seats and one language; it keeps nothing else, so a scene made twice is the
same twice.
"""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from doubtable.screen import palette
from doubtable.screen.board import Align, Widget
from doubtable.screen.cards_drawn import CardFace, CardSlot, Pile
from doubtable.screen.layout import Frame, frame
from doubtable.screen.lettering import Face, Lettering, Setting
from doubtable.screen.palette import Colour
from doubtable.screen.sizes import Box, Panel
from doubtable.screen.widgets import Bar, Finish, Label, Slab, Strip, rim, sunk
from doubtable.screen.words import Words, sign

SHRINK = 0.8  # so far a text that is too long shrinks before it is cut
SHRINK_WORD = 0.75  # and a single word, which cannot break
MOST_LABEL_LINES = 4
LOW = 4.2  # units
LABEL_SHARE = 62  # per cent of a strip's height that its letters take, where they need no more
FINISH_ROW = 1.25  # units
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
        """The largest setting of a text in a box with air above and below, capitals from one unit to ``most`` units.

        Where that is too large it shrinks a little before it is cut.
        """
        made = self._set(text, room, self.unit, most, lines, face=face)
        for share in (SHRINK,) if " " in text else (SHRINK, SHRINK_WORD):
            made = self._set(text, room, round(self.unit * share), most, lines, face=face) if made.cut else made
        return made

    def _set(self, text: str, room: Box, least: int, most: float, lines: int, *, face: Face = "bold") -> Setting:
        high = max(room.h * 82 // 100, min(room.h, self.letters.height(lines, least)))
        limits = ((room.w, high), (least, round(self.unit * most)), lines, face)
        made = self.letters.setting(text, *limits)
        if ": " in text and len(made.lines) > 1 + text.count("\n"):  # it breaks: after the name, and not within a claim
            apart = self.letters.setting(text.replace(": ", ":\n"), *limits)
            return made if apart.cut or len(apart.lines) > len(made.lines) else apart
        return made

    @property
    def low(self) -> bool:
        """Whether the middle has room for three rows only."""
        return self.inner.h < LOW * self.unit

    def lines_of(self, text: str, wide: int) -> int:
        """How many lines a text needs in a width at the least size."""
        return self.letters.lines_at(text, wide, self.unit)

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
        """A text of the catalogue set in a row. For a long name it shrinks a little, then the name is cut."""
        made = self.set(self.words.say(key, values), row, most=most, lines=lines)
        names = {place: each for place, each in values.items() if place in ("name", "other") and isinstance(each, str)}
        longest = max(map(len, names.values()), default=0)
        while made.cut and longest > SHORTEST_NAME:
            longest -= 1
            shorter = {place: _shortened(name, longest) for place, name in names.items()}
            made = self.set(self.words.say(key, {**values, **shorter}), row, most=most, lines=lines)
        return made

    def help(self, key: str, values: Mapping[str, object], *, urgent: bool = False) -> tuple[Widget, ...]:
        """The band with the help line; ``urgent`` turns its colours about."""
        band = self.frame.help
        room, airy = band.inset(self.unit // 5, self.unit // 8), band.inset(self.unit * 2 // 3, self.unit // 8)
        lines = 2 if self.frame.wide else 4
        ground, ink = (palette.INK, palette.GROUND) if urgent else (palette.PANEL, palette.INK)
        made = (Slab(band, ground),)
        if not key:
            return made
        setting = self.set(self.words.say(key, values), airy, most=1.5, lines=lines)
        if setting.cut or setting.capital < self.unit or len(setting.lines) > 1 + key.count("\n"):
            short = self.set(brief(self.words.say(key, values)), room, most=1.5, lines=lines)
            setting = self.say(room, key, values, lines, 1.5)
            if setting.capital < self.unit <= short.capital:
                setting = short
        return (*made, Label(room, setting, ink))

    # The middle -----------------------------------------------------------------------------------------------------

    @property
    def inner(self) -> Box:
        """The middle without the room for its outline."""
        return self.frame.middle.inset(self.unit // 7, self.unit // 10)

    def outline(self, permille: int | None = None) -> tuple[Widget, ...]:
        """The outline of the middle; with ``permille`` the part of it that is left of a window, clockwise."""
        thick = max(3, self.unit // 12)
        whole = tuple(Bar(bar, palette.LINE) for bar in rim(self.frame.middle, thick, 1000))
        left = () if permille is None else tuple(Bar(bar) for bar in rim(self.frame.middle, thick, permille))
        return (*whole, *left)

    def strip(self, row: Box, labels: Sequence[str], cursor: int, *, filled: int = 0, align: Align = "centre") -> Strip:
        """Labels side by side, as many as fit around the cursor; the cursor's label is always whole."""
        pad, gap, arrow = self.unit // 2, max(4, self.unit // 6), self.unit // 3
        settings, widths = self._labels(row, labels, pad, gap, arrow)
        apart = [
            2 * row.w if made.cut and number != cursor else width  # a label beside the cursor is whole or not there
            for number, (made, width) in enumerate(zip(settings, widths, strict=True))
        ]
        first, last = _around(apart, max(cursor, 0), row.w, gap, arrow)
        shown = range(first, last + 1)
        whole = sum(widths[number] for number in shown) + gap * (len(shown) - 1)
        more = (first > 0, last < len(labels) - 1)
        plate = row.inset(0, row.h // 20)
        if any(sunk(plate, settings[number]) for number in shown):
            plate = row
        x = row.x + ((row.w - whole) // 2 if align == "centre" else (arrow + gap) * more[0])
        items = []
        for number in shown:
            items.append((Box(x, plate.y, widths[number], plate.h), settings[number]))
            x += widths[number] + gap
        return Strip(row, tuple(items), cursor - first if cursor >= 0 else -1, more, filled)

    def _labels(
        self, row: Box, labels: Sequence[str], pad: int, gap: int, arrow: int
    ) -> tuple[list[Setting], list[int]]:
        """Settings and widths of a strip's labels: as large as lets all of them stand side by side."""
        room = Box(0, 0, row.w - pad - (2 * (arrow + gap) if len(labels) > 1 else 0), row.h * 88 // 100)
        deepest = min(MOST_LABEL_LINES, max(self.lines_of(label, room.w) for label in labels))
        least = self.letters.height(deepest, self.unit)
        room = Box(0, 0, room.w, max(row.h * LABEL_SHARE // 100, min(room.h, least)))
        for most in (1.5, 1.35, 1.2, 1.0):
            settings = [self.set(label, room, most=most, lines=MOST_LABEL_LINES) for label in labels]
            texts = [max(self.letters.width(line, made.capital) for line in made.lines) for made in settings]
            widths = [max(self.unit * 11 // 10, text + pad) for text in texts]
            same = len({made.capital for made in settings}) == 1
            if same and sum(widths) + gap * (len(widths) - 1) <= row.w:
                break
        return settings, widths

    def pile(self, row: Box, count: int, centred: bool = False) -> Pile:
        """The pile and its number of cards, at the right end of a row or in its middle."""
        setting = self.set(str(count), Box(0, 0, row.w - self.unit * 5 // 4, row.h), most=1.3)
        text = self.letters.width(str(count), setting.capital) + 2
        heap = min(row.h * 11 // 10, (row.w - text) * 8 // 9)
        wide, high = heap + heap // 8 + text, max(heap, setting.capital * 11 // 10)
        left = row.x + (row.w - wide) // 2 if centred else row.right - wide
        return Pile(Box(left, row.y + (row.h - high) // 2, wide, high), heap, setting, count == 0)

    def cards(self, row: Box, shown: Sequence[tuple[str, str, bool | None]], places: int = 0) -> tuple[Widget, ...]:
        """Cards (rank, suit, right or wrong) in a row, and empty places for those of ``places`` that are to come."""
        count = max(len(shown), places, 1)
        gap = max(4, self.unit // 8)
        wide = min(row.h * 7 // 10, (row.w - gap * (count - 1)) // count)
        high = min(row.h * 94 // 100, wide * 16 // 10)
        left = row.x + (row.w - count * wide - gap * (count - 1)) // 2
        top = row.y + (row.h - high) // 2
        made: list[Widget] = []
        for number in range(count):
            box = Box(left + number * (wide + gap), top, wide, high)
            if number >= len(shown):
                made.append(CardSlot(box))
                continue
            rank, suit, ok = shown[number]
            room = (wide * 8 // 10, max(high * 2 // 5, min(high // 2, self.unit)))
            setting = self.letters.setting(sign(rank), room, (self.unit // 3, self.unit * 3))
            made.append(CardFace(box, setting, suit, ok))
        return tuple(made)

    def finish(self, row: Box, rows: Iterable[tuple[str, str, int]], tied: int) -> tuple[Finish, ...]:
        """The photo finish: names with their margins and delays in thousandths of the scale."""
        lines = tuple(rows)[: max(1, int(row.h / (FINISH_ROW * self.unit) + 0.1))]
        boxes = stacked(row, self.unit, [Want(FINISH_ROW, 1.7)] * len(lines))
        by = [self.set(margin, row) for _, margin, _ in lines]
        margins = max(self.letters.width(made.lines[0], made.capital) for made in by)
        who = [self.set(name, Box(0, 0, row.w - margins - self.unit // 4, row.h)) for name, _, _ in lines]
        names = max(self.letters.width(made.lines[0], made.capital) for made in who)
        left, length = row.x + names + self.unit // 2, row.w - names - margins - self.unit
        made = []
        for number, box in enumerate(boxes):
            track = Box(left, box.y, length, box.h) if length >= 2 * self.unit else None
            made.append(Finish(box, track, who[number], by[number], lines[number][2], tied, number == 0))
        return tuple(made)


def brief(help_line: str) -> str:
    """A help line without what a HOLD of somebody means, which the line above it tells: for a name that is long."""
    return re.sub(r"(: [^\n=]+) = [^\n]*", r"\1", help_line) if "\n" in help_line else help_line


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
