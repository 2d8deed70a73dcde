"""What somebody who counts knows of the cards: where each one can be, from what that person saw, laid and heard.

A card's place is a set: seats, PILE, OUT of play. It shrinks when a card is seen and grows when cards move unseen. A
card that was never seen can be anywhere and is not kept.
"""

from collections.abc import Iterable

from doubtable.cards import Card

PILE, OUT = 0, -1
Places = frozenset[int]


class Memory:
    """One person's knowledge. ``seat`` is its own; hands are looked at, so its own cards are not kept here."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.places: dict[Card, Places] = {}

    def forget(self) -> None:
        """A new deal."""
        self.places = {}

    def laid(self, seat: int, own: Iterable[Card] = ()) -> None:
        """``seat`` has laid cards on the pile: any of those it may hold, and for oneself these."""
        if seat == self.seat:
            self.places |= dict.fromkeys(own, frozenset({PILE}))
        else:
            self.places = {card: where | {PILE} if seat in where else where for card, where in self.places.items()}

    def seen(self, card: Card, where: int) -> None:
        """The card has been shown: it is in the pile, or in a hand."""
        self.places[card] = frozenset({where})

    def taken(self, seat: int) -> None:
        """``seat`` has picked up the pile; OUT: it has left play."""
        moved = {card: (where - {PILE}) | {seat} if PILE in where else where for card, where in self.places.items()}
        self.places = {card: where for card, where in moved.items() if where != {self.seat}}  # in the own hand now

    def elsewhere(self, seat: int, rank: str) -> int:
        """How many cards of ``rank`` the person knows to be neither with ``seat`` nor in its own hand."""
        return sum(card.rank == rank and seat not in where for card, where in self.places.items())
