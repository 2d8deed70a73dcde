"""The pieces that scenes are made of: text, plates with lamps, marks, cards, piles, strips.

Every piece is a frozen value (board.Widget). A lamp is told by the shape of its plate, not by its colour: steady is a
solid plate, pulsing a hollow one with a thick rim, fast a solid one with a notched edge, off a dim plate, dark one that
is struck through.
"""

from functools import lru_cache
from typing import Literal

import msgspec
from pygame import SRCALPHA, Surface
from pygame.transform import rotozoom

from doubtable.screen import palette, shapes
from doubtable.screen.board import Align, Canvas
from doubtable.screen.lettering import Face, Setting
from doubtable.screen.palette import Colour
from doubtable.screen.seats import Side
from doubtable.screen.sizes import Box

Lamp = Literal["off", "steady", "pulsing", "fast", "dark"]
Role = Literal["", "claimant", "next", "doubter", "turn", "dealer"]

# What letters reach beyond their capitals, in capitals: accents above, tails and commas below.
ACCENT, TAIL = 0.29, 0.2


class Label(msgspec.Struct, frozen=True):
    """Text in a row of the picture; accents and tails may reach out of the row."""

    row: Box
    setting: Setting
    colour: Colour = palette.INK
    align: Align = "centre"
    face: Face = "bold"

    @property
    def box(self) -> Box:
        capital, lines = self.setting.capital, len(self.setting.lines)
        block = capital + round((lines - 1) * capital * 1.3)
        top = self.row.y + (self.row.h - block) // 2
        ink = Box(
            self.row.x, round(top - ACCENT * capital) - 1, self.row.w, 2 + round(block + (ACCENT + TAIL) * capital)
        )
        return self.row.around(ink)

    def paint(self, canvas: Canvas) -> None:
        canvas.text(self.row, self.setting, self.colour, self.align, self.face)


class Slab(msgspec.Struct, frozen=True):
    """A plain coloured rectangle: the ground of a band."""

    box: Box
    colour: Colour = palette.PANEL

    def paint(self, canvas: Canvas) -> None:
        canvas.fill(self.box, self.colour)


class Plate(msgspec.Struct, frozen=True):
    """A seat on the map: its number of cards (or what the scene has to say of it) and its lamp.

    ``filled`` is how much of the hold ring is full, 0 to 100. A seat that nobody sits on is a dot.
    """

    box: Box
    setting: Setting
    lamp: Lamp = "off"
    occupied: bool = True
    quiet: bool = False  # out of the game: its number recedes
    filled: int = 0

    def paint(self, canvas: Canvas) -> None:
        size, unit = (self.box.w, self.box.h), max(2, self.box.h // 12)
        radius, ink = self.box.h // 4, palette.INK
        if not self.occupied:
            canvas.stamp_middle(shapes.disc(max(6, self.box.h // 5), palette.LINE), self.box)
            return
        if self.lamp == "steady":
            canvas.stamp(shapes.slab(size, palette.LAMP, radius), self.box.x, self.box.y)
            ink = palette.LAMP_INK
        elif self.lamp == "fast":
            canvas.stamp(shapes.notched(size, palette.LAMP, unit), self.box.x, self.box.y)
            ink = palette.LAMP_INK
        elif self.lamp == "pulsing":
            canvas.stamp(shapes.slab(size, palette.PANEL, radius), self.box.x, self.box.y)
            canvas.stamp(shapes.frame(size, palette.LAMP, radius, unit), self.box.x, self.box.y)
        else:
            canvas.stamp(shapes.slab(size, palette.PANEL, radius), self.box.x, self.box.y)
            ink = palette.MUTED if self.quiet else palette.INK
        if self.filled:
            colour = palette.GROUND if self.lamp in ("steady", "fast") else palette.INK
            hold_ring(canvas, self.box, colour, radius, thick=unit + 2, filled=self.filled)
        canvas.text(self.box, self.setting, ink)
        if self.lamp == "dark":
            struck = shapes.stroke(size, palette.INK, ((0.1, 0.86), (0.9, 0.14)), unit)
            canvas.stamp(struck, self.box.x, self.box.y)


def hold_ring(canvas: Canvas, box: Box, colour: Colour, radius: int, *, thick: int, filled: int) -> None:
    """A ring along the inside of a rounded box, clockwise from the middle of its top, ``filled`` of 100."""
    picture = shapes.frame((box.w, box.h), colour, radius, thick)
    for bar in rim(box, max(thick, radius), filled * 10):
        canvas.stamp_part(picture, box, bar)


class Mark(msgspec.Struct, frozen=True):
    """What a seat is just now, between its plate and the middle of the table.

    The claimant speaks (the tip of the middle's speech bubble points at its plate), the next seat is pointed at by one
    arrow, the seat on turn by a double one, the doubter has an exclamation mark, the dealer a small pack of cards.
    """

    box: Box
    side: Side
    role: Role

    def paint(self, canvas: Canvas) -> None:
        wide, high = self.box.w, self.box.h
        colour = palette.MUTED if self.role in ("dealer", "next") else palette.LAMP
        turned = {"below": 0, "left": 90, "above": 180, "right": 270}[
            self.side
        ]  # drawn for "below": the seat is under it
        if self.role == "claimant":
            self._polygon(canvas, colour, ((0.1, 0.0), (0.5, 1.0), (0.9, 0.0)), turned)
        elif self.role == "next":
            self._stroke(canvas, colour, (((0.3, 0.25), (0.5, 0.8), (0.7, 0.25)),), turned)
        elif self.role == "turn":
            self._stroke(
                canvas, colour, (((0.3, 0.1), (0.5, 0.5), (0.7, 0.1)), ((0.3, 0.5), (0.5, 0.9), (0.7, 0.5))), turned
            )
        elif self.role == "doubter":
            side = min(wide, high)
            spot = Box(self.box.x + (wide - side) // 2, self.box.y + (high - side) // 2, side, side)
            bar = shapes.stroke((side, side), colour, ((0.5, 0.08), (0.5, 0.56)), max(3, side / 4))
            canvas.stamp(bar, spot.x, spot.y)
            dot = shapes.disc(max(3, side // 4), colour)
            canvas.stamp(dot, spot.x + (side - dot.get_width()) // 2, spot.bottom - dot.get_height())
        elif self.role == "dealer":
            side = min(wide, high)
            for number in (0, 1, 2):
                card = shapes.frame((side * 2 // 3, side * 7 // 10), colour, 2, max(1, side // 12))
                shift = number * side // 8
                canvas.stamp(card, self.box.x + (wide - side) // 2 + shift, self.box.y + (high - side) // 2 + shift)

    def _polygon(self, canvas: Canvas, colour: Colour, points: tuple[shapes.Point, ...], turned: int) -> None:
        picture = shapes.polygon((self.box.w, self.box.h), colour, tuple(_turned(point, turned) for point in points))
        canvas.stamp(picture, self.box.x, self.box.y)

    def _stroke(self, canvas: Canvas, colour: Colour, lines: tuple[tuple[shapes.Point, ...], ...], turned: int) -> None:
        thick = max(3.0, min(self.box.w, self.box.h) / 5)
        for line in lines:
            points = tuple(_turned(point, turned) for point in line)
            canvas.stamp(shapes.stroke((self.box.w, self.box.h), colour, points, thick), self.box.x, self.box.y)


def _turned(point: shapes.Point, degrees: int) -> shapes.Point:
    x, y = point
    return {0: (x, y), 90: (1 - y, x), 180: (1 - x, 1 - y), 270: (y, 1 - x)}[degrees]


class Bar(msgspec.Struct, frozen=True):
    """One side of a ring, so that a ring that empties repaints only the side that changes."""

    box: Box
    colour: Colour = palette.LAMP

    def paint(self, canvas: Canvas) -> None:
        canvas.fill(self.box, self.colour)


def rim(box: Box, thick: int, permille: int) -> tuple[Box, ...]:
    """The ring along the inside of ``box``, clockwise from the middle of its top, as far as ``permille`` of it goes."""
    if permille <= 0:
        return ()
    half, wide, high = box.w // 2, box.w, box.h
    left = round((2 * wide + 2 * high) * min(permille, 1000) / 1000)
    bars: list[Box] = []
    for number, length in enumerate((wide - half, high, wide, high, half)):
        run = min(left, length)
        if run <= 0:
            break
        bars.append(
            (
                Box(box.x + half, box.y, run, thick),
                Box(box.right - thick, box.y, thick, run),
                Box(box.right - run, box.bottom - thick, run, thick),
                Box(box.x, box.bottom - run, thick, run),
                Box(box.x, box.y, run, thick),
            )[number]
        )
        left -= run
    return tuple(bars)


class CardFace(msgspec.Struct, frozen=True):
    """A card shown: rank and suit, with a tick or a cross below where a verdict hangs on it."""

    box: Box
    rank: Setting
    suit: str
    ok: bool | None = None

    def paint(self, canvas: Canvas) -> None:
        size, colour = (self.box.w, self.box.h), palette.CARD_RED if self.suit in "HD" else palette.CARD_BLACK
        radius = max(4, self.box.w // 10)
        canvas.stamp(shapes.slab(size, palette.CARD, radius), self.box.x, self.box.y)
        canvas.stamp(shapes.frame(size, palette.CARD_EDGE, radius, max(1, self.box.w // 50)), self.box.x, self.box.y)
        top, bottom = self.box.inset(self.box.w // 12, self.box.h // 16).rows(1, 1)
        canvas.text(top, self.rank, colour)
        sign = min(bottom.w, bottom.h) * 9 // 10
        if self.ok is None:
            canvas.stamp_middle(shapes.suit(self.suit, sign, colour), bottom)
            return
        left, right = bottom.columns(1, 1)
        sign = min(left.w, left.h)
        canvas.stamp_middle(shapes.suit(self.suit, sign, colour), left)
        canvas.stamp_middle(tick_or_cross(sign, self.ok, palette.CARD_BLACK), right)


def tick_or_cross(size: int, ok: bool, colour: Colour) -> Surface:
    """A tick for right, a cross for wrong."""
    thick = max(3.0, size / 7)
    if ok:
        return shapes.stroke((size, size), colour, ((0.14, 0.56), (0.4, 0.82), (0.86, 0.2)), thick)
    first = shapes.stroke((size, size), colour, ((0.2, 0.2), (0.8, 0.8)), thick).copy()
    first.blit(shapes.stroke((size, size), colour, ((0.2, 0.8), (0.8, 0.2)), thick), (0, 0))
    return first


@lru_cache(maxsize=64)
def card_back(wide: int, high: int, degrees: int = 0) -> Surface:
    """The back of a card, turned by some degrees."""
    fine = Surface((wide * 2, high * 2), SRCALPHA)
    fine.fill((*palette.CARD, 0))
    radius, edge = max(6, wide // 5), max(4, wide // 8)
    fine.blit(shapes.slab((wide * 2, high * 2), palette.CARD, radius), (0, 0))
    inner = (wide * 2 - 2 * edge, high * 2 - 2 * edge)
    fine.blit(shapes.slab(inner, palette.CARD_BACK, max(2, radius - edge)), (edge, edge))
    fine.blit(shapes.frame(inner, palette.CARD, max(2, radius - edge), max(2, edge // 3), edge), (edge, edge))
    return rotozoom(fine, degrees, 0.5)


class CardBack(msgspec.Struct, frozen=True):
    """A card that lies face down."""

    box: Box

    def paint(self, canvas: Canvas) -> None:
        canvas.stamp(card_back(self.box.w, self.box.h), self.box.x, self.box.y)


class Pile(msgspec.Struct, frozen=True):
    """The pile: a few cards lying crosswise, and how many there are."""

    box: Box
    count: Setting
    empty: bool

    def paint(self, canvas: Canvas) -> None:
        high = self.box.h * 8 // 10
        wide, side = high * 7 // 10, self.box.h * 11 // 10
        heap = Box(self.box.x, self.box.y, side, self.box.h)
        if self.empty:
            canvas.stamp_middle(shapes.frame((wide, high), palette.LINE, wide // 8, max(2, wide // 16)), heap)
        else:
            for degrees in (-38, 24, -6):
                canvas.stamp_middle(card_back(wide, high, degrees), heap)
        text = Box(self.box.x + side + side // 8, self.box.y, self.box.w - side - side // 8, self.box.h)
        canvas.text(text, self.count, palette.INK, "left")


class Strip(msgspec.Struct, frozen=True):
    """The choices of the seat that has to choose, side by side, the cursor on one; ``filled`` is its hold ring, 0-100.

    ``items`` are those that fit around the cursor, each with its box; ``more`` says whether some are hidden before and
    after them.
    """

    box: Box
    items: tuple[tuple[Box, Setting], ...]
    cursor: int  # index in items, -1: on none of them
    more: tuple[bool, bool] = (False, False)
    filled: int = 0

    def paint(self, canvas: Canvas) -> None:
        thick = max(3, self.box.h // 14)
        for number, (box, setting) in enumerate(self.items):
            size, radius = (box.w, box.h), box.h // 5
            if number == self.cursor:
                canvas.stamp(shapes.slab(size, palette.LAMP, radius), box.x, box.y)
                canvas.text(box, setting, palette.LAMP_INK)
                hold_ring(canvas, box, palette.GROUND, radius, thick=thick + 2, filled=self.filled)
            else:
                canvas.stamp(shapes.slab(size, palette.PANEL, radius), box.x, box.y)
                canvas.text(box, setting, palette.INK)
        arrow = (max(6, self.box.h // 5), self.box.h // 2)
        for hidden, points, x in (
            (self.more[0], ((0.9, 0.1), (0.1, 0.5), (0.9, 0.9)), self.box.x),
            (self.more[1], ((0.1, 0.1), (0.9, 0.5), (0.1, 0.9)), self.box.right - arrow[0]),
        ):
            if hidden:
                picture = shapes.polygon(arrow, palette.MUTED, points)
                canvas.stamp(picture, x, self.box.y + (self.box.h - arrow[1]) // 2)


class Tray(msgspec.Struct, frozen=True):
    """The reader's tray with the shape of a card in it; struck through when the reader is not there."""

    box: Box
    present: bool = True

    def paint(self, canvas: Canvas) -> None:
        size, radius, thick = (self.box.w, self.box.h), max(6, self.box.h // 8), max(3, self.box.h // 24)
        canvas.stamp(
            shapes.frame(size, palette.INK if self.present else palette.LINE, radius, thick), self.box.x, self.box.y
        )
        high = self.box.h * 6 // 10
        card = (high * 7 // 10, high)
        hole = Box(self.box.centre[0] - card[0] // 2, self.box.centre[1] - card[1] // 2, *card)
        canvas.stamp(shapes.frame(card, palette.MUTED, card[0] // 8, max(2, thick // 2)), hole.x, hole.y)
        waves = Box(hole.x, hole.y + card[1] // 4, card[0], card[1] // 2)
        for number in range(3):
            wide = waves.w * (number + 1) // 4
            canvas.fill(Box(waves.centre[0] - wide // 2, waves.y + waves.h * number // 3, wide, thick), palette.MUTED)
        if not self.present:
            canvas.stamp(
                shapes.stroke(size, palette.INK, ((0.08, 0.9), (0.92, 0.1)), thick + 2), self.box.x, self.box.y
            )


class ClaimSpot(msgspec.Struct, frozen=True):
    """The CLAIM spot with the packet on it: as many backs as were announced, lying crosswise to the pile."""

    box: Box
    count: int

    def paint(self, canvas: Canvas) -> None:
        size, thick = (self.box.w, self.box.h), max(2, self.box.h // 30)
        canvas.stamp(shapes.frame(size, palette.LINE, self.box.h // 8, thick), self.box.x, self.box.y)
        high = self.box.h - 6 * thick
        wide = high * 7 // 10
        room = self.box.w - 6 * thick - wide
        step = min(wide * 4 // 10, room // max(1, self.count - 1)) if self.count > 1 else 0
        left = self.box.centre[0] - (wide + step * (self.count - 1)) // 2
        for number in range(self.count):
            CardBack(Box(left + number * step, self.box.y + 3 * thick, wide, high)).paint(canvas)


class Finish(msgspec.Struct, frozen=True):
    """One line of the photo finish: who, a spot as far to the right as the delay, and the margin.

    ``share`` is the delay in thousandths of the track's length, ``tied`` the width of the tie window on the same
    scale, which is drawn as a shaded zone. ``track`` is where spot and zone lie, None where there is no room.
    """

    box: Box
    track: Box | None
    name: Setting
    margin: Setting
    share: int
    tied: int
    first: bool

    def paint(self, canvas: Canvas) -> None:
        ink = palette.LAMP if self.first else palette.INK
        canvas.text(self.box, self.name, ink, "left")
        canvas.text(self.box, self.margin, ink, "right")
        if self.track is None:
            return
        track, high = self.track, self.track.h
        zone = max(2, track.w * self.tied // 1000)
        canvas.fill(Box(track.x, track.y + high // 10, zone, high * 8 // 10), palette.PANEL)
        axis = max(2, high // 24)
        canvas.fill(Box(track.x, track.y + high // 2 - axis // 2, track.w, axis), palette.LINE)
        spot = shapes.disc(max(8, high * 4 // 10), ink)
        run = (track.w - spot.get_width()) * min(1000, self.share) // 1000
        canvas.stamp(spot, track.x + run, track.y + (high - spot.get_height()) // 2)
