"""Cards, packs and deals.

A card's text is rank then suit, ``"TD"``; the card of the second pack has ``pack`` 2. Ranks fall A K Q ... 3 2 and
then A again. A deal is only counts: the table never knows a hidden face.
"""

from collections.abc import Iterable

import msgspec

RANKS = "AKQJT98765432"
SUITS = "SHDC"
PACK_SIZE = 52


class CardError(ValueError):
    """A text that names no card."""


class Card(msgspec.Struct, frozen=True, order=True):
    """One card of one pack. Two packs hold two different sevens of spades."""

    rank: str
    suit: str
    pack: int = 1

    def __str__(self) -> str:
        return self.rank + self.suit

    @classmethod
    def parse(cls, text: object, pack: object = 1) -> "Card":
        """The card of ``text`` ("TD") in pack 1 or 2. Raises CardError for anything else."""
        if not (isinstance(text, str) and len(text) == 2 and text[0] in RANKS and text[1] in SUITS):
            raise CardError(f'{text!r} is no card: write rank then suit, for example "TD" for the ten of diamonds')
        if pack not in (1, 2) or isinstance(pack, bool):
            raise CardError(f"pack {pack!r} does not exist: packs are 1 and 2")
        return cls(text[0], text[1], 1 if pack == 1 else 2)


def packs(count: int) -> tuple[Card, ...]:
    """All cards of ``count`` packs, in order of pack, suit and rank."""
    return tuple(Card(rank, suit, pack) for pack in range(1, count + 1) for suit in SUITS for rank in RANKS)


def next_rank(rank: str, steps: int = 1) -> str:
    """The rank ``steps`` below ``rank``; negative steps rise. After 2 comes A."""
    return RANKS[(RANKS.index(rank) + steps) % len(RANKS)]


def left_of(seat: int, seats: Iterable[int]) -> int:
    """The next of ``seats`` clockwise after ``seat`` (``seat`` itself when it is the only one)."""
    ring = sorted(seats)
    return next((other for other in ring if other > seat), ring[0])


def clockwise_from(seat: int, seats: Iterable[int]) -> list[int]:
    """``seats`` in clockwise order, beginning left of ``seat``; ``seat`` itself comes last."""
    ring = sorted(seats)
    return [other for other in ring if other > seat] + [other for other in ring if other <= seat]


def deal_counts(cards: int, dealer: int, seats: Iterable[int]) -> dict[int, int]:
    """How many of ``cards`` each seat holds when they are dealt singly from the dealer's left."""
    order = clockwise_from(dealer, seats)
    each, rest = divmod(cards, len(order))
    return {seat: each + (place < rest) for place, seat in enumerate(order)}
