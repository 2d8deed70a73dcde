"""Enrolling a deck: which tag becomes which card (pure).

The next missing card is asked for. Whatever comes onto the reader is a *showing*: one presence of a tag.

    showing                                then
    0000000000                             refused: no tag has this id, readers make it up
    a tag of another deck                  refused and named
    a tag that this deck has already       refused and named
    another tag than the last showing      noted: show it once more
    the same tag as the last showing       it is the card

Two showings running, because a reader at the edge of its range makes up ids whose checksum is right; and two showings
rather than two frames, because some readers send a tag only once.
"""

from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec.structs import replace

from doubtable.cards import PACK_SIZE, RANKS, Card, CardError, packs
from doubtable.decks import Deck

Kind = Literal["once", "changed", "enrolled", "zero", "strange", "double"]

RANK_WORDS = ("ace", "king", "queen", "jack", "ten", "nine", "eight", "seven", "six", "five", "four", "three", "two")
RANK_NAMES = dict(zip(RANKS, RANK_WORDS, strict=True))
SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


class Enrolment(msgspec.Struct, frozen=True):
    """A deck on its way. ``others``: tag -> what it is in another deck ("KS of deck blue")."""

    deck: Deck
    others: dict[str, str] = {}
    seen: str | None = None  # the last showing, not yet a card
    chosen: Card | None = None  # asked for by name, or after an undo
    skipped: tuple[Card, ...] = ()

    @property
    def wanted(self) -> Card | None:
        """The card that is asked for; None when nothing is missing but what was skipped."""
        if self.chosen is not None:
            return self.chosen
        return next((card for card in self.deck.missing if card not in self.skipped), None)

    @property
    def enrolled(self) -> int:
        """How many cards have a tag."""
        return self.deck.packs * PACK_SIZE - len(self.deck.missing)


class Said(msgspec.Struct, frozen=True):
    """What a showing came to, and the line for the person who shows."""

    kind: Kind
    line: str


def begin(deck: Deck, shelf: Iterable[Deck]) -> Enrolment:
    """Go on with ``deck`` (which may be empty) beside all the other decks of ``shelf``."""
    others = {
        tag: f"{card} of deck {other.name}" + " (retired)" * other.retired
        for other in shelf
        if other.name != deck.name
        for tag, card in other.cards.items()
    }
    return Enrolment(deck, others)


def show(state: Enrolment, tag: str) -> tuple[Enrolment, Said]:
    """The state after ``tag`` came onto the reader while a card was ``wanted``; only then."""
    card = state.wanted
    assert card is not None
    refused = _refusal(state, tag)
    if refused is not None:
        return replace(state, seen=None), refused
    if tag != state.seen:
        kind: Kind = "once" if state.seen is None else "changed"
        line = f"{tag}: lift it and show it once more"
        if kind == "changed":
            line = f"{tag}: not the tag before ({state.seen}): lift it and show it once more"
        return replace(state, seen=tag), Said(kind, line)
    spare = " (spare)" if state.deck.tags(card) else ""
    deck = replace(state.deck, cards={**state.deck.cards, tag: card})
    return replace(state, deck=deck, seen=None, chosen=None), Said("enrolled", f"{tag}: is the {card}{spare}")


def _refusal(state: Enrolment, tag: str) -> Said | None:
    if not int(tag, 16):
        return Said("zero", f"{tag}: no tag has this number, the reader made it up: show the card again")
    if tag in state.others:
        return Said("strange", f"{tag}: is the {state.others[tag]}: not taken")
    if tag in state.deck.cards:
        return Said("double", f"{tag}: is the {state.deck.cards[tag]} of this deck already: not taken")
    return None


def undo(state: Enrolment) -> tuple[Enrolment, Card | None]:
    """Without the tag that was enrolled last, whose card is asked for again; None when there is none."""
    if not state.deck.cards:
        return state, None
    *kept, (_, card) = state.deck.cards.items()
    deck = replace(state.deck, cards=dict(kept))
    return replace(state, deck=deck, seen=None, chosen=card), card


def skip(state: Enrolment) -> Enrolment:
    """The next card is asked for; the one skipped stays missing."""
    wanted = state.wanted
    if wanted is None:
        return state
    return replace(state, seen=None, chosen=None, skipped=(*state.skipped, wanted))


def choose(state: Enrolment, text: str) -> Enrolment:
    """Ask for the card of ``text`` ("KS", of the second pack "KS2"); one that has a tag gets a spare. CardError."""
    name, pack = text[:2].upper(), text[2:] or "1"
    card = Card.parse(name, int(pack) if pack in ("1", "2") else pack)
    if card not in packs(state.deck.packs):
        raise CardError(f"deck {state.deck.name} has one pack: there is no {name} of pack {pack}")
    return replace(state, seen=None, chosen=card)


def spelled(card: Card, of_packs: int = 1) -> str:
    """ "KS, king of spades", with its pack where there are two."""
    pack = f" of pack {card.pack}" if of_packs > 1 else ""
    return f"{card}, {RANK_NAMES[card.rank]} of {SUIT_NAMES[card.suit]}{pack}"
