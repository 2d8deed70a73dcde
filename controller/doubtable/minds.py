"""What simulated people want: a choice out of a strip, and whether to slap. They know what guests know.

A game that nobody wrote a mind for is played by `Mind`, which picks anything that acts. The lobby and the deal have
minds of their own, so that an evening can begin at an empty table.
"""

from random import Random
from typing import NamedTuple

from doubtable.cards import Card
from doubtable.events import Event
from doubtable.games.base import Choice, Strip
from doubtable.games.between import PRACTISED
from doubtable.real_cards import RealCards
from doubtable.table import Table


class Style(NamedTuple):
    """How a person plays. Chances in percent; ``counts``: knows impossible claims, and where cards went."""

    name: str
    lies: int  # adds a wrong card to a claim that could be true, or raises more than it holds
    doubts: int  # doubts a claim that could be true
    counts: bool = False


STYLES = {
    "honest": Style("honest", 0, 6),
    "bold": Style("bold", 35, 10),
    "suspicious": Style("suspicious", 8, 25),
    "counting": Style("counting", 12, 3, counts=True),
}
MIXED = tuple(STYLES)
"""The styles of people whom nobody gave one, in turn."""


class Mind:
    """Decides for all simulated people of one table. Picks anything; games with cards have minds of their own."""

    def __init__(self, table: Table, cards: RealCards, styles: dict[int, Style], random: Random) -> None:
        self.table, self.cards, self.styles, self.random = table, cards, styles, random
        self.doubts: set[int] = set()  # seats on a strip that have made up their minds to doubt this claim

    def chance(self, percent: int) -> bool:
        """True in ``percent`` of a hundred cases."""
        return self.random.randrange(100) < percent

    def hear(self, event: Event) -> None:
        """Remember what everybody has heard."""

    def slaps(self, seat: int) -> bool:
        """Whether ``seat`` doubts now that a window has opened. Asked once for each window."""
        return self.chance(20)

    def calls(self, seat: int) -> bool:
        """Whether ``seat`` calls "wrong rank" instead."""
        return False

    def choose(self, seat: int, strip: Strip) -> Choice | None:
        """What ``seat`` wants on its strip, or None to wait."""
        acting = [choice for choice in strip.choices if choice.act is not None and choice.act.name != "menu"]
        return self.random.choice(acting) if acting else None

    def packet(self, seat: int) -> list[Card]:
        """The cards that ``seat`` lays on the reader in a reveal."""
        return self.cards.packet


def named(strip: Strip, name: str) -> list[Choice]:
    """The choices of ``strip`` whose act is ``name``."""
    return [choice for choice in strip.choices if choice.act is not None and choice.act.name == name]


class LobbyMind(Mind):
    """Everybody sits down; when all do, the first of them starts what the table proposes.

    Where the lobby attracts guests the first of them taps, which begins the reflex duel; the lobby follows.
    """

    def choose(self, seat: int, strip: Strip) -> Choice | None:
        duel = named(strip, "duel")
        if duel:
            return duel[-1] if seat == min(self.styles) else None
        seated = self.table.fold.game.seated
        if seat not in seated:
            return next(iter(named(strip, "sit")), None)
        if seat != min(self.styles) or not set(self.styles) <= set(seated):
            return None
        return next(iter(named(strip, "choose") or named(strip, "start")), None)


class DealMind(Mind):
    """Everybody practises; then the dealer says that the cards are dealt."""

    def choose(self, seat: int, strip: Strip) -> Choice | None:
        dealt, state = named(strip, "dealt"), self.table.fold.game
        learning = any(state.practice.get(other, 0) < PRACTISED for other in self.styles if other != state.dealer)
        if dealt and learning:
            return None
        return next(iter(dealt or named(strip, "practise")), None)
