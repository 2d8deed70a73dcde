"""The player's side of the simulation's window: a hand of cards, the CLAIM spot, the reader's tray, the seats' buttons.

It belongs to the window and never to the table's screen: the table cannot see a hand. Texts here are for somebody who
sits before a laptop, so they are small.
"""

from collections.abc import Sequence

import msgspec

from doubtable.screen import palette, shapes
from doubtable.screen.board import Canvas, Widget
from doubtable.screen.cards_drawn import CardBack, CardFace
from doubtable.screen.lettering import Lettering, Setting
from doubtable.screen.sizes import Box
from doubtable.screen.words import Words, sign

CAPITAL = 13  # height of the small capitals
CARD = (62, 92)
RAISED = 16  # how far a chosen card sticks out
KEYS = "1234567890qwe"


class HandView(msgspec.Struct, frozen=True):
    """What the player at the laptop has: cards as texts ("KS"), which of them are chosen, and the packet it laid.

    ``packet`` cards lie face down on the CLAIM spot; with ``to_show`` they can be carried to the reader one by one.
    ``tray`` is the card that lies on the reader.
    """

    seat: int = 0
    name: str = ""
    cards: tuple[str, ...] = ()
    chosen: tuple[int, ...] = ()
    packet: int = 0
    to_show: bool = False
    tray: str = ""


class ButtonView(msgspec.Struct, frozen=True):
    """A seat's button as it looks now."""

    seat: int
    name: str
    lit: bool
    down: bool
    mine: bool  # the player's own seat, whose hand is shown


class Hit(msgspec.Struct, frozen=True):
    """What lies under the mouse: a seat's "button", a "card" of the hand, "packet", "spot", "tray", or nothing: ""."""

    kind: str
    number: int = 0


class HandCard(msgspec.Struct, frozen=True):
    """A card of a fanned hand: its rank and suit in the corner that stays visible."""

    box: Box
    rank: Setting
    suit: str

    def paint(self, canvas: Canvas) -> None:
        colour = palette.CARD_RED if self.suit in "HD" else palette.CARD_BLACK
        size, radius = (self.box.w, self.box.h), 7
        canvas.stamp(shapes.slab(size, palette.CARD, radius), self.box.x, self.box.y)
        canvas.stamp(shapes.frame(size, palette.CARD_EDGE, radius, 1), self.box.x, self.box.y)
        corner = Box(self.box.x + 5, self.box.y + 6, 26, 24)
        canvas.text(corner, self.rank, colour)
        canvas.stamp(shapes.suit(self.suit, 20, colour), corner.x + 3, corner.bottom + 3)
        canvas.stamp(shapes.suit(self.suit, 26, colour), self.box.right - 32, self.box.bottom - 34)


class ArcadeButton(msgspec.Struct, frozen=True):
    """A seat's button: a disc that shines or not, its key on it, the seat's name below."""

    box: Box
    key: Setting
    name: Setting
    lit: bool
    down: bool
    mine: bool

    def paint(self, canvas: Canvas) -> None:
        across = min(self.box.w - 6, self.box.h - 26)
        spot = Box(self.box.centre[0] - across // 2, self.box.y + 2, across, across)
        canvas.stamp(shapes.disc(across, palette.DESK_LINE), spot.x, spot.y)
        rim = 7 if self.down else 4
        face = shapes.disc(across - 2 * rim, palette.LAMP if self.lit else palette.BUTTON)
        canvas.stamp_middle(face, spot)
        canvas.text(spot, self.key, palette.LAMP_INK if self.lit else palette.INK)
        row = Box(self.box.x, self.box.bottom - 22, self.box.w, 20)
        canvas.text(row, self.name, palette.DESK_INK, face="bold" if self.mine else "book")


class Place(msgspec.Struct, frozen=True):
    """A place on the desk with its name above it."""

    box: Box
    title: Setting

    def paint(self, canvas: Canvas) -> None:
        area = Box(self.box.x, self.box.y + 22, self.box.w, self.box.h - 22)
        canvas.stamp(shapes.frame((area.w, area.h), palette.DESK_LINE, 10, 2), area.x, area.y)
        canvas.text(Box(self.box.x, self.box.y, self.box.w, 20), self.title, palette.DESK_INK, "left")


class Line(msgspec.Struct, frozen=True):
    """A line of small text."""

    box: Box
    setting: Setting
    quiet: bool = False

    def paint(self, canvas: Canvas) -> None:
        canvas.text(self.box, self.setting, palette.DESK_INK, "left", "book" if self.quiet else "bold")


class Desk:
    """Where everything lies on the lower part of the window, and what a click there means."""

    def __init__(self, size: tuple[int, int], lettering: Lettering, words: Words) -> None:
        self._letters, self._words = lettering, words
        whole = Box(0, 0, *size).inset(18, 12)
        self._upper, self._lower = whole.rows(150, whole.h - 150)
        self._spot = Box(whole.right - 330, self._upper.y, 200, 136)
        self._tray = Box(whole.right - 112, self._upper.y, 112, 136)
        self._hand = Box(whole.x, self._upper.y, self._spot.x - whole.x - 24, 136)
        self._targets: list[tuple[Box, Hit]] = []

    def hit(self, x: int, y: int) -> Hit:
        """What lies under a point of the desk as it was drawn last."""
        spot = Box(x, y, 1, 1)
        return next((hit for box, hit in reversed(self._targets) if box.holds(spot)), Hit(""))

    def widgets(self, hand: HandView, buttons: Sequence[ButtonView]) -> tuple[Widget, ...]:
        """The desk with this hand and these buttons."""
        self._targets = []
        return (*self._cards(hand), *self._places(hand), *self._buttons(buttons))

    def _small(self, text: str, width: int, capital: int = CAPITAL) -> Setting:
        return self._letters.setting(text, (width, 60), (min(9, capital), capital))

    def _cards(self, hand: HandView) -> list[Widget]:
        key = "{name}: YOUR HAND, HIDDEN FROM THE TABLE" if hand.seat else "NO HAND"
        title = self._words.say(key, {"name": hand.name})
        made: list[Widget] = [Line(Box(self._hand.x, self._hand.y, self._hand.w, 20), self._small(title, self._hand.w))]
        room = self._hand.w - CARD[0]
        step = min(CARD[0] * 3 // 4, room // max(1, len(hand.cards) - 1)) if hand.cards else 0
        for number, card in enumerate(hand.cards):
            raised = 0 if number in hand.chosen else RAISED
            box = Box(self._hand.x + number * step, self._hand.y + 24 + raised, *CARD)
            made.append(HandCard(box, self._small(sign(card[0]), 26, 18), card[1]))
            self._targets.append((box, Hit("card", number)))
        return made

    def _places(self, hand: HandView) -> list[Widget]:
        claim, reader = self._words.say("CLAIM SPOT"), self._words.say("READER")
        made: list[Widget] = [
            Place(self._spot, self._small(claim, self._spot.w)),
            Place(self._tray, self._small(reader, self._tray.w)),
        ]
        self._targets += [(self._spot, Hit("spot")), (self._tray, Hit("tray"))]
        lying = hand.packet or len(hand.chosen)
        step = min(34, (self._spot.w - 24 - CARD[0]) // max(1, lying - 1)) if lying else 0
        for number in range(lying):
            box = Box(self._spot.x + 12 + number * step, self._spot.y + 33, *CARD)
            made.append(CardBack(box))
            if hand.to_show:
                self._targets.append((box, Hit("packet", number)))
        if hand.tray:
            box = Box(self._tray.centre[0] - CARD[0] // 2, self._tray.y + 33, *CARD)
            made.append(CardFace(box, self._small(sign(hand.tray[0]), 44, 30), hand.tray[1]))
        return made

    def _buttons(self, buttons: Sequence[ButtonView]) -> list[Widget]:
        made: list[Widget] = []
        wide = min(110, self._lower.w // max(1, len(buttons)))
        left = self._lower.x + (self._lower.w - wide * len(buttons)) // 2
        for number, button in enumerate(buttons):
            box = Box(left + number * wide, self._lower.y, wide, self._lower.h)
            key = KEYS[button.seat - 1].upper()
            name = self._small(button.name, wide - 6)
            made.append(ArcadeButton(box, self._small(key, 40, 16), name, button.lit, button.down, button.mine))
            self._targets.append((box, Hit("button", button.seat)))
        return made
