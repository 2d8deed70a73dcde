"""The seat that you play: your real cards, those you mean to lay, and those you may show on the reader."""

from doubtable.cards import RANKS, SUITS, Card
from doubtable.keyboard import KEYS
from doubtable.players import People, showing

AS_LEFT = f"The table stands as it was left, with every card: hold key {KEYS[0]} to go on."
NEW_CARDS = f"As it was left: hold key {KEYS[0]} to go on. All hands are new, an open claim is true."


def in_order(card: Card) -> tuple[int, int, int]:
    """Aces first, then by suit and pack."""
    return RANKS.index(card.rank), SUITS.index(card.suit), card.pack


class YourHand:
    """Your cards among those of the simulated people. The core sees none of them."""

    def __init__(self, people: People, seat: int) -> None:
        self.people = people
        self.seat = seat

    @property
    def cards(self) -> tuple[Card, ...]:
        """What you hold, in order."""
        return tuple(sorted(self.people.cards.hands.get(self.seat, ()), key=in_order))

    @property
    def picked(self) -> tuple[Card, ...]:
        """What you mean to lay (or to throw away), in the order in which you picked it."""
        held = self.people.cards.hands.get(self.seat, ())
        return tuple(card for card in self.people.cards.meant.get(self.seat, ()) if card in held)

    def pick(self, card: Card) -> None:
        """Take a card of your hand out to be laid, or put it back."""
        picked = self.picked
        if card in picked:
            picked = tuple(other for other in picked if other != card)
        elif card in self.cards:
            picked = (*picked, card)
        self.people.cards.meant[self.seat] = list(picked)

    @property
    def showable(self) -> tuple[Card, ...]:
        """The cards that you may put on the reader now: the packet that you doubted, or the hand that you prove."""
        shows = showing(self.people.table)
        return tuple(self.people.mind.packet(self.seat)) if shows == self.seat else ()
