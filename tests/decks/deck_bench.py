"""What the deck tests share: tags, and decks that are finished."""

from doubtable.cards import packs
from doubtable.decks import Deck


def tag(number: int, digits: int = 10) -> str:
    """The tag of that number; an EM4100 reader gives ten digits."""
    return f"05{number:0{digits - 2}X}"


def whole(name: str, first: int = 1, count: int = 1, retired: bool = False) -> Deck:
    """A deck without a gap, its tags from number ``first`` on."""
    cards = {tag(first + place): card for place, card in enumerate(packs(count))}
    return Deck(name, count, cards, retired)
