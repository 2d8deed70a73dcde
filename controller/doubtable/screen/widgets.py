"""The pieces that scenes are made of: text, plates with lamps, marks, rings, strips, tables.

Every piece is a frozen value (board.Widget). A lamp is told by the shape of its plate, not by its colour: steady is a
solid plate, pulsing a hollow one with a thick rim, fast a solid one with toothed ends, off a dim plate, dark one that
is struck through.
"""

from unicodedata import normalize

import msgspec

from doubtable.screen import palette, shapes
from doubtable.screen.board import Align, Canvas
from doubtable.screen.cards_drawn import tick_or_cross
from doubtable.screen.lettering import LEADING, Face, Setting
from doubtable.screen.palette import Colour
from doubtable.screen.seats import Side
from doubtable.screen.sizes import Box

# What letters reach beyond their capitals, in capitals: accents above, tails and commas below.
ACCENT, TAIL = 0.29, 0.2


def with_ink(row: Box, setting: Setting) -> Box:
    """The row and all that a text set in its middle reaches out of it, above and below."""
    capital, lines = setting.capital, len(setting.lines)
    block = capital + round((lines - 1) * capital * LEADING)
    top = row.y + (row.h - block) // 2
    above = round(top - ACCENT * capital) - 1
    return row.around(Box(row.x, above, row.w, 3 + round(block + (ACCENT + TAIL) * capital)))


def sunk(box: Box, setting: Setting) -> int:
    """How far below the middle of a plate a text stands, so that the accents of its first line are on the plate too."""
    if not any(len(normalize("NFD", sign)) > 1 for sign in setting.lines[0]):
        return 0
    capital, lines = setting.capital, len(setting.lines)
    top = (box.h - capital - round((lines - 1) * capital * LEADING)) // 2
    reach = round(ACCENT * capital)
    return max(0, min(reach // 2, reach + 1 - top))


class Label(msgspec.Struct, frozen=True):
    """Text in a row of the picture; accents and tails may reach out of the row."""

    row: Box
    setting: Setting
    colour: Colour = palette.INK
    align: Align = "centre"
    face: Face = "bold"

    @property
    def box(self) -> Box:
        return with_ink(self.row, self.setting)

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
    lamp: str = "off"  # off, steady, pulsing, fast, dark
    occupied: bool = True
    quiet: bool = False  # out of the game: its number recedes
    filled: int = 0

    def paint(self, canvas: Canvas) -> None:
        size, unit = (self.box.w, self.box.h), max(2, self.box.h // 15)
        radius, ink = self.box.h // 4, palette.INK
        if not self.occupied:
            canvas.stamp_middle(shapes.disc(max(6, self.box.h // 5), palette.LINE), self.box)
            return
        if self.lamp == "steady":
            canvas.stamp(shapes.slab(size, palette.LAMP, radius), self.box.x, self.box.y)
            ink = palette.LAMP_INK
        elif self.lamp == "fast":
            canvas.stamp(shapes.notched(size, palette.LAMP, 2 * unit), self.box.x, self.box.y)
            ink = palette.LAMP_INK
        elif self.lamp == "pulsing":
            canvas.stamp(shapes.slab(size, palette.PANEL, radius), self.box.x, self.box.y)
            canvas.stamp(shapes.frame(size, palette.LAMP, radius, unit), self.box.x, self.box.y)
        else:
            canvas.stamp(shapes.slab(size, palette.PANEL, radius), self.box.x, self.box.y)
            ink = palette.MUTED if self.quiet else palette.INK
        if self.filled:
            colour = palette.GROUND if self.lamp in ("steady", "fast") else palette.INK
            hold_ring(canvas, self.box, colour, radius, thick=unit + 1, filled=self.filled)
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
    """What a seat is just now, between its plate and the middle of the table, as long as the plate's edge.

    The claimant speaks (one broad tip, that of the middle's speech bubble, points at its plate), the seat on turn is
    pointed at by three arrowheads, the next seat by an open one, the doubter strikes sparks into the middle, the dealer
    has a row of cards.
    """

    box: Box
    side: Side
    role: str  # claimant, next, doubter, turn, dealer

    def paint(self, canvas: Canvas) -> None:
        # Drawn for "below", where the seat is under its mark, and turned about to the side on which it is.
        turned = {"below": 0, "left": 90, "above": 180, "right": 270}[self.side]
        size = (self.box.w, self.box.h)
        if self.role == "next":
            points = tuple(_turned(point, turned) for point in ((0.22, 0.14), (0.5, 0.86), (0.78, 0.14)))
            picture = shapes.stroke(size, palette.INK, points, max(3.0, min(size) / 4))
            canvas.stamp(picture, self.box.x, self.box.y)
            return
        if self.role == "dealer":
            self._pack(canvas)
            return
        for outline in MARK_SHAPES[self.role]:
            picture = shapes.polygon(size, palette.LAMP, tuple(_turned(point, turned) for point in outline))
            canvas.stamp(picture, self.box.x, self.box.y)

    def _pack(self, canvas: Canvas) -> None:
        """Three cards, upright wherever the seat is: side by side, or one over the other."""
        row = self.box.w > self.box.h
        high = self.box.h - 2 if row else min((self.box.w - 2) * 7 // 5, self.box.h // 3 - 2)
        wide, gap = high * 5 // 7, max(2, high // 5)
        card, (x, y) = shapes.slab((wide, high), palette.INK, max(1, wide // 6)), self.box.centre
        for number in (-1, 0, 1):
            dx, dy = (number * (wide + gap), 0) if row else (0, number * (high + gap))
            canvas.stamp(card, x - wide // 2 + dx, y - high // 2 + dy)


def _arrowheads(count: int, gap: float) -> tuple[tuple[shapes.Point, ...], ...]:
    """So many triangles side by side that point down, with a gap between two of them."""
    wide = (1 - gap * (count - 1)) / count
    lefts = [number * (wide + gap) for number in range(count)]
    return tuple(((left, 0.0), (left + wide / 2, 1.0), (left + wide, 0.0)) for left in lefts)


MARK_SHAPES: dict[str, tuple[tuple[shapes.Point, ...], ...]] = {
    "claimant": (((0.1, 0.0), (0.5, 1.0), (0.9, 0.0)),),
    "turn": _arrowheads(3, 0.06),
    "doubter": tuple(tuple((x, 1 - y) for x, y in spark) for spark in _arrowheads(5, 0.0)),
}


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


class Badge(msgspec.Struct, frozen=True):
    """A verdict: a tick or a cross on a round plate, and the word for it."""

    box: Box
    ok: bool
    setting: Setting

    def paint(self, canvas: Canvas) -> None:
        high = self.box.h
        ground, ink = (palette.INK, palette.GROUND) if self.ok else (palette.LAMP, palette.LAMP_INK)
        canvas.stamp(shapes.disc(high, ground), self.box.x, self.box.y)
        sign = high * 6 // 10
        canvas.stamp_middle(tick_or_cross(sign, self.ok, ink), Box(self.box.x, self.box.y, high, high))
        canvas.text(self.box, self.setting, palette.INK, "right")


class Tag(msgspec.Struct, frozen=True):
    """A word on a plate of its own: something out of the ordinary."""

    box: Box
    setting: Setting

    def paint(self, canvas: Canvas) -> None:
        canvas.stamp(shapes.slab((self.box.w, self.box.h), palette.INK, self.box.h // 4), self.box.x, self.box.y)
        canvas.text(self.box, self.setting, palette.GROUND)


class Speech(msgspec.Struct, frozen=True):
    """A speech bubble; its tip points to the left, or up."""

    box: Box
    setting: Setting
    from_above: bool = False

    def paint(self, canvas: Canvas) -> None:
        tip = max(8, min(self.box.w, self.box.h) // 6)
        if self.from_above:
            body = Box(self.box.x, self.box.y + tip, self.box.w, self.box.h - tip)
            picture = shapes.polygon((2 * tip, tip + 2), palette.PANEL, ((0.5, 0.0), (0.0, 1.0), (1.0, 1.0)))
            canvas.stamp(picture, self.box.centre[0] - tip, self.box.y)
        else:
            body = Box(self.box.x + tip, self.box.y, self.box.w - tip, self.box.h)
            picture = shapes.polygon((tip + 2, 2 * tip), palette.PANEL, ((0.0, 0.5), (1.0, 0.0), (1.0, 1.0)))
            canvas.stamp(picture, self.box.x, self.box.centre[1] - tip)
        canvas.stamp(shapes.slab((body.w, body.h), palette.PANEL, min(body.w, body.h) // 6), body.x, body.y)
        canvas.text(body, self.setting, palette.INK)


class Row(msgspec.Struct, frozen=True):
    """A line of a table: a name on the left, a number on the right; the first one stands out."""

    box: Box
    name: Setting
    value: Setting
    first: bool = False

    def paint(self, canvas: Canvas) -> None:
        ink = palette.LAMP if self.first else palette.INK
        canvas.text(self.box, self.name, ink, "left")
        canvas.text(self.box, self.value, ink, "right")


class Strip(msgspec.Struct, frozen=True):
    """The choices of the seat that has to choose, side by side, the cursor on one; ``filled`` is its hold ring, 0-100.

    ``items`` are those that fit around the cursor, each with its box; ``more`` says whether some are hidden before and
    after them.
    """

    row: Box
    items: tuple[tuple[Box, Setting], ...]
    cursor: int  # index in items, -1: on none of them
    more: tuple[bool, bool] = (False, False)
    filled: int = 0

    @property
    def box(self) -> Box:
        whole = self.row
        for box, setting in self.items:
            whole = whole.around(with_ink(box, setting))
        return whole.around(self._round(self.items[self.cursor][0])) if self.filled and self.cursor >= 0 else whole

    @property
    def _thick(self) -> int:
        return max(3, self.row.h // 16)

    def _round(self, box: Box) -> Box:
        """Where the ring round the cursor's plate lies: outside it, so that it never crosses a letter."""
        return box.inset(-self._thick)

    def paint(self, canvas: Canvas) -> None:
        for number, (box, setting) in enumerate(self.items):
            size, radius = (box.w, box.h), box.h // 5
            letters = Box(box.x, box.y + sunk(box, setting), box.w, box.h)
            if number == self.cursor:
                canvas.stamp(shapes.slab(size, palette.LAMP, radius), box.x, box.y)
                canvas.text(letters, setting, palette.LAMP_INK)
                hold_ring(canvas, self._round(box), palette.INK, radius, thick=self._thick, filled=self.filled)
            else:
                canvas.stamp(shapes.slab(size, palette.PANEL, radius), box.x, box.y)
                canvas.text(letters, setting, palette.INK)
        # No wider than what the letters' size has left free for it.
        arrow = (max(6, min(self.row.h // 5, self.items[0][1].capital * 3 // 10)), self.row.h // 2)
        for hidden, points, x in (
            (self.more[0], ((0.9, 0.1), (0.1, 0.5), (0.9, 0.9)), self.row.x),
            (self.more[1], ((0.1, 0.1), (0.9, 0.5), (0.1, 0.9)), self.row.right - arrow[0]),
        ):
            if hidden:
                picture = shapes.polygon(arrow, palette.MUTED, points)
                canvas.stamp(picture, x, self.row.y + (self.row.h - arrow[1]) // 2)


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
