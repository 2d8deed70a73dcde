"""Decks: which tag is which card. One JSON file per deck in the folder ``decks`` of the state directory.

    {"name": "red", "cards": {"0500207B32": {"card": "KS", "pack": 1}}}

All decks in the folder are in play; a tag is in one of them only.
"""

from pathlib import Path

import msgspec

from doubtable.cards import Card

FOLDER = "decks"


class DeckError(ValueError):
    """A deck that cannot be used: one line with its file, what is wrong and what to do."""


class _Written(msgspec.Struct, frozen=True):
    card: str
    pack: int = 1


class _Deck(msgspec.Struct, frozen=True):
    name: str
    cards: dict[str, _Written]


def load(state: Path) -> dict[str, Card]:
    """Tag -> card of all decks below the state directory; none when there is no deck. Raises DeckError."""
    cards: dict[str, Card] = {}
    for path in sorted((state / FOLDER).glob("*.json")):
        for tag, card in _deck(path).items():
            if cards.setdefault(tag, card) != card:
                raise DeckError(
                    f"{path}: tag {tag} is {card} here and {cards[tag]} in another deck: retire one of them"
                )
    return cards


def _deck(path: Path) -> dict[str, Card]:
    try:
        deck = msgspec.json.decode(path.read_bytes(), type=_Deck)
        return {tag.upper(): Card.parse(written.card, written.pack) for tag, written in deck.cards.items()}
    except OSError as error:
        raise DeckError(f"{path}: {error.strerror}: look at its owner and mode") from error
    except (msgspec.DecodeError, ValueError) as error:
        raise DeckError(f"{path}: is no deck: {error}: enrol it anew") from error
