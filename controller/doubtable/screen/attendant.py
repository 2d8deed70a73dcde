"""The attendant's menu behind a PIN: pages of labelled items, one chosen by arrow keys or a touch (pure).

    shut --open--> PIN --right--> menu --> undo, skip, new game: ordered at once
                                       --> card by hand: rank, suit, pack
                                       --> set counts: seat, number
                                       --> seat leaves: seat
                                       --> sound: quieter, louder
    back leads one page back; three wrong PINs or a minute without a key shut it.

Whatever is ordered is an `Order`, an input like any other: recorded, replayed, refused by the table where it must be.
"""

import hmac
from collections.abc import Callable, Iterator

import msgspec
from msgspec.structs import replace

from doubtable.cards import RANKS, Card
from doubtable.inputs import Order
from doubtable.timing import S
from doubtable.view import StripView, Text, View

ALONE = 60 * S  # without a key or a touch for so long the menu shuts
LOCKED = 30 * S  # after three wrong PINs
TRIES = 3
ONE_PACK = 52
BACK, OK, RUB = "BACK", "OK", "←"
KEYPAD = (*"123456789", RUB, "0", OK)
DIRECT = {"UNDO": "undo", "SKIP A TURN": "skip", "NEW GAME": "new_game"}
SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
MENU = (*DIRECT, "CARD BY HAND", "SET COUNTS", "A SEAT LEAVES", "SOUND", BACK)
STEP = 10  # per cent of the volume


class Page(msgspec.Struct, frozen=True):
    """What is on the screen: a headline, items, the cursor, and what was typed or chosen on the way here."""

    name: str
    title: Text
    items: tuple[str, ...]
    cursor: int = 0
    typed: str = ""
    seat: int = 0
    rank: str = ""
    suit: str = ""


class Attendant:
    """The menu of one table. ``volume`` and ``set_volume`` are the loudspeaker's, in per cent; ``silence`` says why it
    is silent at any volume, if it is. For one thread only.

    Without a PIN the menu stays shut.
    """

    def __init__(
        self,
        pin: str | None,
        order: Callable[[Order], object],
        set_volume: Callable[[int], object] = lambda volume: None,
        *,
        volume: int = 70,
        silence: Callable[[], Text | None] = lambda: None,
    ) -> None:
        self._pin, self._order, self._set_volume, self._silence = pin, order, set_volume, silence
        self.volume = volume
        self.pages: list[Page] = []
        self._wrong, self._locked, self._touched = 0, -LOCKED, 0

    @property
    def is_open(self) -> bool:
        return bool(self.pages)

    def over(self, view: View, ns: int) -> View:
        """The view with the menu's page in its place while it is open."""
        if self.pages and ns - self._touched >= ALONE:
            self.pages.clear()
        if not self.pages:
            return view
        page = self.pages[-1]
        title = page.title
        if page.name == "sound":
            key, values = self._silence() or page.title
            title = (key, {**values, "count": self.volume})
        if page.typed:
            title = ("{name}", {"name": "•" * len(page.typed) if page.name == "pin" else page.typed})
        strip = StripView(0, page.items, page.cursor)
        return replace(view, scene="service", headline=title, strips=(strip,), help=("", {}))

    # Keys and touches -------------------------------------------------------------------------------------------------

    def open(self, ns: int) -> None:
        """The key or the long touch that asks for the menu; nothing without a PIN, or just after three wrong ones."""
        if self._pin and not self.pages and ns - self._locked >= LOCKED:
            self._touched = ns
            self.pages = [Page("pin", ("PIN", {}), KEYPAD)]

    def move(self, by: int, ns: int) -> None:
        """An arrow key: the cursor goes on or back, round and round."""
        if self.pages:
            self._touched, page = ns, self.pages[-1]
            self.pages[-1] = replace(page, cursor=(page.cursor + by) % len(page.items))

    def back(self, ns: int) -> None:
        """One page back; from the PIN or the menu it is shut."""
        self._touched = ns
        self.pages = self.pages[:-1]

    def type(self, digit: str, ns: int) -> None:
        """A digit of the keyboard, where digits are asked for."""
        if self.pages and self.pages[-1].items == KEYPAD:
            self._keypad(self.pages[-1], digit, ns)

    def choose(self, item: int | None, view: View, ns: int) -> None:
        """An item is touched, or the one under the cursor entered (None)."""
        if not self.pages:
            return
        self._touched, page = ns, self.pages[-1]
        number = page.cursor if item is None else item
        if number >= len(page.items):
            return
        self.pages[-1] = page = replace(page, cursor=number)
        label = page.items[number]
        if label == BACK:
            self.back(ns)
        elif page.items == KEYPAD:
            self._keypad(page, label, ns, view)
        else:
            self._chosen(page, label, view, ns)

    def _keypad(self, page: Page, label: str, ns: int, view: View | None = None) -> None:
        self._touched = ns
        if label == RUB:
            self.pages[-1] = replace(page, typed=page.typed[:-1])
        elif label != OK:
            self.pages[-1] = replace(page, typed=(page.typed + label)[-8:])
        elif page.name == "pin":
            self._enter(page.typed, ns)
        elif page.typed and view is not None:
            hands = [seat.count for seat in view.seats]
            hands[page.seat - 1] = int(page.typed)
            self._say(Order(ns, "set_hands", hands=tuple(hands)))

    def _enter(self, typed: str, ns: int) -> None:
        if self._pin is not None and hmac.compare_digest(typed, self._pin):
            self._wrong, self.pages = 0, [Page("menu", ("ATTENDANT", {}), MENU)]
            return
        self._wrong += 1
        self.pages = [Page("pin", ("WRONG PIN", {}), KEYPAD)]
        if self._wrong >= TRIES:
            self._wrong, self._locked, self.pages = 0, ns, []

    def _say(self, order: Order) -> None:
        """Order it; the table's own picture shows what comes of it."""
        self.pages = []
        self._order(order)

    def _chosen(self, page: Page, label: str, view: View, ns: int) -> None:
        match page.name:
            case "menu" if label in DIRECT:
                self._say(Order(ns, DIRECT[label]))
            case "menu" if label == "CARD BY HAND":
                self._turn(Page("rank", (label, {}), (*RANKS, BACK)))
            case "menu" if label in ("SET COUNTS", "A SEAT LEAVES"):
                seats = tuple(f"SEAT {seat}" for seat in _occupied(view))
                self._turn(Page("count" if label == "SET COUNTS" else "leaves", (label, {}), (*seats, BACK)))
            case "menu":
                self._turn(Page("sound", ("VOLUME {count}", {"count": self.volume}), ("QUIETER", "LOUDER", BACK)))
            case "rank":
                self._turn(Page("suit", (label, {}), (*SUITS, BACK), rank=label))
            case "suit" if _cards(view) > ONE_PACK:
                packs = ("PACK 1", "PACK 2", BACK)
                self._turn(Page("pack", (f"{page.rank}{label}", {}), packs, rank=page.rank, suit=label))
            case "suit":
                self._say(Order(ns, "card", card=Card.parse(page.rank + SUITS[label])))
            case "pack":
                pack = int(label.removeprefix("PACK "))
                self._say(Order(ns, "card", card=Card.parse(page.rank + SUITS[page.suit], pack)))
            case "count" | "leaves":
                seat = int(label.removeprefix("SEAT "))
                if page.name == "leaves":
                    self._say(Order(ns, "remove", seat=seat))
                else:
                    self._turn(Page("number", ("SEAT {seat}", {"seat": seat}), KEYPAD, seat=seat))
            case _:
                self.volume = max(0, min(100, self.volume + (STEP if label == "LOUDER" else -STEP)))
                self._set_volume(self.volume)

    def _turn(self, page: Page) -> None:
        self.pages = [*self.pages, page]


def _occupied(view: View) -> Iterator[int]:
    return (seat.seat for seat in view.seats if seat.occupied)


def _cards(view: View) -> int:
    """All cards that are known to be in play: more than 52 are two packs."""
    return view.pile + sum(seat.count for seat in view.seats)
