"""What simulated people want: a choice out of a strip, and whether to slap. They know what guests know.

A game that nobody wrote a mind for is played by `Mind`, which picks anything that acts.
"""

from collections import Counter
from random import Random
from typing import NamedTuple

from doubtable.cards import Card
from doubtable.events import Event
from doubtable.games import poker_hands
from doubtable.games.base import Choice, Strip
from doubtable.real_cards import RealCards
from doubtable.table import Table


class Style(NamedTuple):
    """How a person plays. Chances in percent; ``counts``: knows impossible claims and remembers the pile."""

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
NOTICES = 15  # percent of wrong ranks that somebody points out


class Mind:
    """Decides for all simulated people of one table. Picks anything; games with cards have minds of their own."""

    def __init__(self, table: Table, cards: RealCards, styles: dict[int, Style], random: Random) -> None:
        self.table, self.cards, self.styles, self.random = table, cards, styles, random

    def chance(self, percent: int) -> bool:
        """True in ``percent`` of a hundred cases."""
        return self.random.randrange(100) < percent

    def hear(self, event: Event) -> None:
        """Remember what everybody has heard."""

    def slaps(self, seat: int) -> bool:
        """Whether ``seat`` slaps now that a window has opened."""
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


class ClaimMind(Mind):
    """Classic and the open rank."""

    def __init__(self, table: Table, cards: RealCards, styles: dict[int, Style], random: Random) -> None:
        super().__init__(table, cards, styles, random)
        self.due = "A"  # by memory: the claims were spoken aloud

    def hear(self, event: Event) -> None:
        game = self.table.game
        if event.name == "deal":
            self.due = "A"
        elif event.name == "turn":
            self.due = event.facts.get("due") or self.due
        elif event.name in ("claim", "corrected") and hasattr(game, "step"):
            state, seat = self.table.fold.game, event.facts["seat"]
            self.due = game.step(event.facts["rank"], state, seat, game.next_seat(state, seat))

    def slaps(self, seat: int) -> bool:
        claim = self.table.fold.game.claim
        if claim is None or seat == claim.seat:
            return False
        style, most = self.styles[seat], 4 * self.table.fold.game.packs
        known = [*self.cards.hands[seat], *(self.cards.laid.get(seat, []) if style.counts else [])]
        held = sum(card.rank == claim.rank for card in known)
        if held + claim.count > most:
            return True
        return self.chance(style.doubts * (4 if claim.last else 1) * (2 if held + claim.count == most else 1))

    def calls(self, seat: int) -> bool:
        claim = self.table.fold.game.claim
        return claim is not None and claim.rank != claim.due and self.chance(NOTICES)

    def choose(self, seat: int, strip: Strip) -> Choice | None:
        claims = named(strip, "claim")
        if claims:
            return self._claim(seat, claims)
        doubts, starts = named(strip, "doubt"), named(strip, "start") or named(strip, "let_go")
        if doubts and not starts and self.chance(10) and self.slaps(seat):
            return doubts[0]
        return starts[0] if starts else None

    def _claim(self, seat: int, claims: list[Choice]) -> Choice:
        """Lay the true cards, if there are any; else one wrong card; the bold add one."""
        acts = [choice.act for choice in claims if choice.act is not None]
        most = max(act.count or 0 for act in acts)
        hand = self.cards.hands[seat]
        true = [card for card in hand if card.rank == self.due][:most]
        other = [card for card in hand if card.rank != self.due]
        meant = true
        if other and (not true or (len(true) < most and self.chance(self.styles[seat].lies))):
            meant = [*true, self.random.choice(other)]
        self.cards.meant[seat] = meant
        ranks = {act.rank for act in acts if act.rank is not None}
        rank = None
        if ranks:
            trick = self.chance(self.styles[seat].lies // 4)
            rank = self.random.choice(sorted(ranks)) if trick else self.due
        fits = [
            choice
            for choice in claims
            if choice.act is not None and choice.act.count == len(meant) and choice.act.rank in (None, rank)
        ]
        return fits[0] if fits else claims[0]


class RoundsMind(Mind):
    """One card at a time on a rank that was led."""

    def slaps(self, seat: int) -> bool:
        state = self.table.fold.game
        claim = state.claim
        if claim is None or seat in (claim.seat, state.turn):
            return False
        held = sum(card.rank == claim.rank for card in self.cards.hands[seat])
        return held == 4 or self.chance(self.styles[seat].doubts * (3 if claim.last else 1) * (held + 1) // 2)

    def choose(self, seat: int, strip: Strip) -> Choice | None:
        hand, rank = self.cards.hands[seat], self.table.fold.game.rank
        leads = named(strip, "lead")
        if leads:
            best = Counter(card.rank for card in hand).most_common(1)[0][0]
            self.cards.meant[seat] = [card for card in hand if card.rank == best][:1]
            return next(choice for choice in leads if choice.act is not None and choice.act.rank == best)
        true = [card for card in hand if card.rank == rank]
        wins, plays, passes = named(strip, "win"), named(strip, "play"), named(strip, "pass")
        if wins and true:
            return wins[0]
        if plays and (true or self.chance(10 + self.styles[seat].lies)):
            self.cards.meant[seat] = true[:1] or [self.random.choice(hand)]
            return plays[0]
        if true and passes and not plays and not self.chance(20):
            return None  # a true card is worth waiting for until it may be laid
        others = passes or named(strip, "let_go")
        return others[0] if others else None

    def packet(self, seat: int) -> list[Card]:
        return self.cards.hands[seat][:1] if self.table.fold.game.winning == seat else self.cards.packet


class PokerMind(Mind):
    """Liar Poker: say the smallest raise that is true, else a small lie."""

    def hear(self, event: Event) -> None:
        if event.name == "hands" and sum(event.facts["hands"]):
            holder = next(seat for seat, count in enumerate(event.facts["hands"], 1) if count)
            self.cards.one_hand(holder)

    def slaps(self, seat: int) -> bool:
        return self.chance(50)

    def choose(self, seat: int, strip: Strip) -> Choice | None:
        raises = named(strip, "declare")
        if raises:
            return self._declare(seat, raises)
        if named(strip, "liar"):
            return self._answer(seat, strip)
        if named(strip, "draw"):
            return self._draw(seat, strip)
        genuine = self._genuine(seat)
        shows, ups = named(strip, "show"), named(strip, "give_up")
        if shows:
            return shows[0] if genuine else ups[0]
        return None if genuine else ups[0]

    def _genuine(self, seat: int) -> bool:
        game = self.table.game
        declared = poker_hands.parse(game.declared(self.table.fold.game), str(game.options["detail"]))
        return poker_hands.contains(declared, self.cards.hands[seat])

    def _declare(self, seat: int, raises: list[Choice]) -> Choice:
        level = str(self.table.game.options["detail"])
        hand = self.cards.hands[seat]
        for choice in raises:
            if choice.act is not None and poker_hands.contains(poker_hands.parse(choice.act.hand, level), hand):
                if self.chance(self.styles[seat].lies):
                    break
                return choice
        return raises[min(len(raises) - 1, self.random.randrange(6))]

    def _answer(self, seat: int, strip: Strip) -> Choice:
        """The higher it is, the less it is believed."""
        share = (
            100 * self.table.fold.game.declared // len(poker_hands.declarations(str(self.table.game.options["detail"])))
        )
        takes = named(strip, "accept")
        if takes and not self.chance(share // 2 + self.styles[seat].doubts):
            return takes[0]
        return named(strip, "liar")[0]

    def _draw(self, seat: int, strip: Strip) -> Choice:
        """Keep what comes twice, change the rest."""
        ranks = Counter(card.rank for card in self.cards.hands[seat])
        single = [card for card in self.cards.hands[seat] if ranks[card.rank] == 1]
        count = min(4, len(single))
        self.cards.meant[seat] = single[:count]
        return next(choice for choice in named(strip, "draw") if choice.act is not None and choice.act.count == count)

    def packet(self, seat: int) -> list[Card]:
        return self.cards.hands[seat]


MINDS: dict[str, type[Mind]] = {
    "classic": ClaimMind,
    "wrong-rank": ClaimMind,
    "rounds": RoundsMind,
    "liar-poker": PokerMind,
}
