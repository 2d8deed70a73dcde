"""What belongs to the simulation and not to the table: your hand, CLAIM spot, tray, and all buttons.

It lies below the table's screen, apart from it. `widgets` draws a Strip, `target` says what lies under the mouse.
"""

from collections.abc import Iterator, Sequence

import msgspec

from doubtable.cards import Card
from doubtable.keyboard import KEYS
from doubtable.screen import palette, shapes
from doubtable.screen.board import Canvas, Widget
from doubtable.screen.cards_drawn import CardBack
from doubtable.screen.lettering import Lettering, Setting
from doubtable.screen.sizes import Box
from doubtable.screen.widgets import Label, Slab

HEIGHT = 232
CARD_WIDE, CARD_HIGH = 56, 84
RAISED = 12  # a picked card stands out by so much
ROW = 18  # cards in one row; a larger hand lies in two, of lower cards
LOW, APART, LOW_RAISED = 58, 52, 8  # so high, and so far from row to row: rank and suit are seen of every card
TITLE = 20  # of the line above the cards
SMALL, MIDDLE = 10, 13  # heights of capitals, in pixels
DESK, DESK_INK, DESK_MUTED, DESK_LINE = (222, 212, 192), (40, 36, 28), (92, 84, 68), (140, 128, 104)
OFF = (60, 66, 66)  # a button without light


class HandCard(msgspec.Struct, frozen=True):
    """A card in your hand: its rank and suit stand in the corner that is seen when another lies on it."""

    box: Box
    rank: str
    suit: str
    picked: bool

    def paint(self, canvas: Canvas) -> None:
        size, radius = (self.box.w, self.box.h), 7
        canvas.stamp(shapes.slab(size, palette.CARD, radius), self.box.x, self.box.y)
        edge, thick = (DESK_INK, 4) if self.picked else (palette.CARD_EDGE, 1)
        canvas.stamp(shapes.frame(size, edge, radius, thick), self.box.x, self.box.y)
        colour = palette.CARD_RED if self.suit in "HD" else palette.CARD_BLACK
        canvas.text(Box(self.box.x + 3, self.box.y + 6, 22, 18), Setting((self.rank,), 14), colour, "centre", "book")
        canvas.stamp(shapes.suit(self.suit, 16, colour), self.box.x + 6, self.box.y + 28)


class Place(msgspec.Struct, frozen=True):
    """The outline of a place on the desk."""

    box: Box

    def paint(self, canvas: Canvas) -> None:
        canvas.stamp(shapes.frame((self.box.w, self.box.h), DESK_LINE, 10, 2), self.box.x, self.box.y)


class SeatButton(msgspec.Struct, frozen=True):
    """An arcade button seen from above: pressed it is smaller, lit it is solid."""

    box: Box
    lit: bool
    down: bool

    def paint(self, canvas: Canvas) -> None:
        wide = self.box.h - (8 if self.down else 0)
        canvas.stamp_middle(shapes.disc(wide, DESK_INK), self.box)
        canvas.stamp_middle(shapes.disc(wide - 8, palette.LAMP if self.lit else OFF), self.box)


class Button(msgspec.Struct, frozen=True):
    """One seat's button in the row."""

    seat: int
    name: str
    lit: bool
    down: bool
    yours: bool


class Strip(msgspec.Struct, frozen=True):
    """All that the strip shows. ``packet``: the cards on the CLAIM spot; ``open_`` says whether you may show them."""

    hand: tuple[Card, ...]
    picked: frozenset[Card]
    packet: tuple[Card, ...]
    showable: tuple[Card, ...]
    on_reader: Card | None
    reader: bool
    buttons: tuple[Button, ...]
    hint: str = ""


Target = tuple[str, int]
"""What lies under the mouse: ("card", place in the hand), ("packet", place), ("tray", 0), ("button", seat)."""


class HandStrip:
    """The layout of the strip in ``box``. For the main thread only."""

    def __init__(self, box: Box, lettering: Lettering) -> None:
        self.box = box
        self._letters = lettering
        upper, lower = box.inset(12, 8).rows(64, 36)
        self._hand, spot, tray = upper.columns(66, 22, 12)
        self._spot = spot.inset(10, 0)
        self._tray = tray.inset(4, 0)
        self._row = lower

    # Where things lie -----------------------------------------------------------------------------------------------

    def hand_boxes(self, strip: Strip) -> list[Box]:
        """The cards of the hand, those on top last."""
        cards = strip.hand
        rows = (
            [cards[:ROW], cards[ROW:]]
            if len(cards) <= 2 * ROW
            else [cards[: len(cards) // 2], cards[len(cards) // 2 :]]
        )
        rows = [row for row in rows if row]
        high, out = (CARD_HIGH, RAISED) if len(rows) == 1 else (LOW, LOW_RAISED)
        boxes = []
        for number, row in enumerate(rows):
            step = min(CARD_WIDE + 4, (self._hand.w - CARD_WIDE) // max(1, len(row) - 1))
            top = self._hand.bottom - high - (len(rows) - 1 - number) * APART
            for place, card in enumerate(row):
                raised = out if card in strip.picked else 0
                boxes.append(Box(self._hand.x + place * step, top - raised, CARD_WIDE, high))
        return boxes

    def packet_boxes(self, strip: Strip) -> list[Box]:
        """The cards on the CLAIM spot, or those that you may show."""
        cards = strip.showable or strip.packet
        step = min(CARD_WIDE * 2 // 3, (self._spot.w - CARD_WIDE - 16) // max(1, len(cards) - 1))
        left = self._spot.centre[0] - (CARD_WIDE + step * (len(cards) - 1)) // 2
        top = self._spot.bottom - CARD_HIGH - 8
        return [Box(left + place * step, top, CARD_WIDE, CARD_HIGH) for place in range(len(cards))]

    def tray_card(self) -> Box:
        """The card on the reader."""
        return Box(self._tray.centre[0] - CARD_WIDE // 2, self._tray.bottom - CARD_HIGH - 8, CARD_WIDE, CARD_HIGH)

    def button_boxes(self, strip: Strip) -> list[Box]:
        """The seats' buttons from left to right."""
        wide = min(110, self._row.w // max(1, len(strip.buttons)))
        left = self._row.centre[0] - wide * len(strip.buttons) // 2
        return [Box(left + place * wide, self._row.y, wide, self._row.h) for place in range(len(strip.buttons))]

    def target(self, strip: Strip, x: int, y: int) -> Target | None:
        """What lies under the pixel (x, y) of the window."""
        for seat, box in zip((each.seat for each in strip.buttons), self.button_boxes(strip), strict=True):
            if _inside(box, x, y):
                return "button", seat
        if _inside(self._tray, x, y):
            return "tray", 0
        for kind, boxes in (("packet", self.packet_boxes(strip)), ("card", self.hand_boxes(strip))):
            for place in reversed(range(len(boxes))):
                if _inside(boxes[place], x, y):
                    return kind, place
        return None

    # What it looks like ---------------------------------------------------------------------------------------------

    def widgets(self, strip: Strip) -> tuple[Widget, ...]:
        """Everything on the strip, from back to front."""
        return (Slab(self.box, DESK), *self._titles(strip), *self._cards(strip), *self._buttons(strip))

    def _titles(self, strip: Strip) -> Iterator[Widget]:
        reader = "READER" if strip.reader else "NO READER"
        titles = ((self._hand, strip.hint, "left"), (self._spot, "CLAIM", "centre"), (self._tray, reader, "centre"))
        for box, text, align in titles:
            yield self._text(Box(box.x, box.y, box.w, TITLE), text, SMALL, align, DESK_MUTED)

    def _cards(self, strip: Strip) -> Iterator[Widget]:
        for card, box in zip(strip.hand, self.hand_boxes(strip), strict=True):
            yield self._face(box, card, card in strip.picked)
        yield Place(Box(self._spot.x, self._spot.y + 22, self._spot.w, self._spot.h - 22))
        faces: Sequence[Card] = strip.showable
        for place, box in enumerate(self.packet_boxes(strip)):
            yield self._face(box, faces[place], False) if faces else CardBack(box)
        yield Place(Box(self._tray.x, self._tray.y + 22, self._tray.w, self._tray.h - 22))
        if strip.on_reader is not None:
            yield self._face(self.tray_card(), strip.on_reader, False)

    def _buttons(self, strip: Strip) -> Iterator[Widget]:
        for button, box in zip(strip.buttons, self.button_boxes(strip), strict=True):
            key, knob, name = box.rows(20, 54, 26)
            yield SeatButton(knob, button.lit, button.down)
            yield self._text(key, f"[{KEYS[button.seat - 1]}]", SMALL, "centre", DESK_MUTED)
            yield self._text(name, button.name, MIDDLE, "centre", DESK_INK if button.yours else DESK_MUTED)

    def _face(self, box: Box, card: Card, picked: bool) -> HandCard:
        return HandCard(box, "10" if card.rank == "T" else card.rank, card.suit, picked)

    def _text(self, box: Box, text: str, capital: int, align: str, colour: palette.Colour) -> Label:
        setting = self._letters.setting(text, (box.w, box.h), (capital, capital), 1, "book")
        return Label(box, setting, colour, align, "book")


def _inside(box: Box, x: int, y: int) -> bool:
    return box.x <= x < box.right and box.y <= y < box.bottom
