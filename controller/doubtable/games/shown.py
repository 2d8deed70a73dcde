"""A card that is shown in a reveal or a proof: how it is told, and by which name it is remembered."""

from doubtable.cards import Card
from doubtable.events import Event, event
from doubtable.games.base import Act

BY_READER = "reader"  # what the act of a card says that came over the reader, and not by hand


def card_event(act: Act, ok: bool, ns: int) -> Event:
    """A card was shown; marked if it was entered by hand."""
    card = act.card
    assert card is not None
    pack = {"pack": card.pack} if card.pack != 1 else {}
    by_hand = {} if act.says == BY_READER else {"by_hand": True}
    return event("reveal", ns, card=str(card), ok=ok, **pack, **by_hand)


def card_id(card: Card) -> str:
    """A card's text, the second pack's told apart."""
    return str(card) if card.pack == 1 else f"{card}{card.pack}"
