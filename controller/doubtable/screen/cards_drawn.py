"""Cards and where they lie: faces, backs, the pile, the reader's tray, the CLAIM spot. All drawn by code."""

import msgspec
from pygame import SRCALPHA, Surface
from pygame.transform import rotozoom

from doubtable.screen import palette, shapes
from doubtable.screen.board import Canvas
from doubtable.screen.lettering import Setting
from doubtable.screen.palette import Colour
from doubtable.screen.shelf import SHAPES
from doubtable.screen.sizes import Box


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
        top, bottom = self.box.inset(self.box.w // 12, self.box.h // 16).rows(6, 5)
        canvas.text(top, self.rank, colour)
        sign = min(bottom.w, bottom.h)
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


@SHAPES.keeps
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


class CardSlot(msgspec.Struct, frozen=True):
    """Where a card will be shown."""

    box: Box

    def paint(self, canvas: Canvas) -> None:
        thick = max(2, self.box.w // 40)
        picture = shapes.frame((self.box.w, self.box.h), palette.LINE, max(4, self.box.w // 10), thick)
        canvas.stamp(picture, self.box.x, self.box.y)


class Pile(msgspec.Struct, frozen=True):
    """The pile: a few cards lying crosswise in a square of ``heap`` pixels, and beside it how many there are."""

    box: Box
    heap: int
    count: Setting
    empty: bool

    def paint(self, canvas: Canvas) -> None:
        high = self.heap * 8 // 11
        wide = high * 7 // 10
        heap = Box(self.box.x, self.box.y, self.heap, self.box.h)
        if self.empty:
            canvas.stamp_middle(shapes.frame((wide, high), palette.LINE, wide // 8, max(2, wide // 16)), heap)
        else:
            for degrees in (-38, 24, -6):
                canvas.stamp_middle(card_back(wide, high, degrees), heap)
        gap = self.heap // 8
        text = Box(heap.right + gap, self.box.y, self.box.w - self.heap - gap, self.box.h)
        canvas.text(text, self.count, palette.INK, "left")


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
