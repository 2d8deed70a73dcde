"""How simulated people play the four games: what they lay, say and believe."""

from collections import Counter
from random import Random
from typing import Any

from doubtable.cards import Card
from doubtable.events import Event
from doubtable.games import poker_hands
from doubtable.games.base import Choice, Strip
from doubtable.memory import OUT, PILE, Memory
from doubtable.minds import DealMind, LobbyMind, Mind, Style, named
from doubtable.real_cards import RealCards
from doubtable.table import Table

NOTICES = 15  # percent of wrong ranks that somebody points out
TRICKS = 4  # one in so many lies of a style is a wrong rank, said to fish for doubters


class PileMind(Mind):
    """Games with a pile. Who counts remembers where cards went and knows an impossible claim when it is made."""

    def __init__(self, table: Table, cards: RealCards, styles: dict[int, Style], random: Random) -> None:
        super().__init__(table, cards, styles, random)
        self.memories = {seat: Memory(seat) for seat, style in styles.items() if style.counts}
        self.shower = PILE  # whose last card is being shown to win; else cards that are shown are the pile's
        self.known: dict[int, int] = {}  # seat -> cards of the claimed rank that it knows not to be the claimant's

    def hear(self, event: Event) -> None:
        facts = event.facts
        match event.name:
            case "claim" | "corrected" | "lead" | "play":
                self._claimed(facts["seat"], facts["rank"])
            case "deal":
                for memory in self.memories.values():
                    memory.forget()
            case "doubt" | "showing":
                self.shower = facts["seat"] if event.name == "showing" else PILE
            case "reveal":
                for memory in self.memories.values():
                    memory.seen(Card.parse(facts["card"], facts.get("pack", 1)), self.shower)
            case "verdict" | "stack_out":
                for memory in self.memories.values():
                    memory.taken(facts.get("takes", OUT))
            case _:
                pass

    def _claimed(self, claimant: int, rank: str) -> None:
        """Count before the packet counts as laid; the claimant itself has nothing to count."""
        self.known = {}
        for seat, style in self.styles.items():
            own = sum(card.rank == rank for card in self.cards.hands.get(seat, ()))
            memory = self.memories.get(seat)
            if style.counts and memory is not None:
                own += memory.elsewhere(claimant, rank)
            if seat != claimant:
                self.known[seat] = own
        for memory in self.memories.values():
            memory.laid(claimant, self.cards.packet)

    def impossible(self, seat: int, count: int, packs: int) -> bool:
        """Whether ``seat`` knows that a claim of ``count`` cards cannot be true."""
        return self.known.get(seat, 0) + count > 4 * packs


class ClaimMind(PileMind):
    """Classic and the open rank."""

    due = "A"  # by memory: the claims were spoken aloud

    def hear(self, event: Event) -> None:
        super().hear(event)
        game: Any = self.table.game
        if event.name == "deal":
            self.due = "A"
        elif event.name == "turn":
            self.due = event.facts.get("due") or self.due
        elif event.name in ("claim", "corrected"):
            state, seat = self.table.fold.game, event.facts["seat"]
            self.due = game.step(event.facts["rank"], state, seat, game.next_seat(state, seat))

    def slaps(self, seat: int) -> bool:
        state = self.table.fold.game
        claim = state.claim
        if claim is None or seat == claim.seat:
            return False
        if self.impossible(seat, claim.count, state.packs):
            return True
        all_of_them = self.known.get(seat, 0) + claim.count == 4 * state.packs
        return self.chance(self.styles[seat].doubts * (4 if claim.last else 1) * (2 if all_of_them else 1))

    def calls(self, seat: int) -> bool:
        claim = self.table.fold.game.claim
        return claim is not None and claim.rank != claim.due and self.chance(NOTICES)

    def choose(self, seat: int, strip: Strip) -> Choice | None:
        claims = named(strip, "claim")
        if claims:
            return self._claim(seat, claims)
        doubts = named(strip, "doubt")
        if doubts and seat in self.doubts:
            return doubts[0]
        return next(iter(named(strip, "start") or named(strip, "let_go")), None)

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
            trick = self.chance(self.styles[seat].lies // TRICKS)
            rank = self.random.choice(sorted(ranks)) if trick else self.due
        fits = [
            choice
            for choice in claims
            if choice.act is not None and choice.act.count == len(meant) and choice.act.rank in (None, rank)
        ]
        return fits[0] if fits else claims[0]


class RoundsMind(PileMind):
    """One card at a time on a rank that was led."""

    def slaps(self, seat: int) -> bool:
        claim = self.table.fold.game.claim
        if claim is None or seat == claim.seat:
            return False
        if self.impossible(seat, 1, 1):
            return True
        held = self.known.get(seat, 0)
        return self.chance(self.styles[seat].doubts * (3 if claim.last else 1) * (held + 1) // 2)

    def choose(self, seat: int, strip: Strip) -> Choice | None:
        hand, rank = self.cards.hands[seat], self.table.fold.game.rank
        leads = named(strip, "lead")
        if leads:
            best = Counter(card.rank for card in hand).most_common(1)[0][0]
            self.cards.meant[seat] = [card for card in hand if card.rank == best][:1]
            return next(choice for choice in leads if choice.act is not None and choice.act.rank == best)
        doubts = named(strip, "doubt")
        if doubts and seat in self.doubts:
            return doubts[0]
        true = [card for card in hand if card.rank == rank]
        wins, plays, passes = named(strip, "win"), named(strip, "play"), named(strip, "pass")
        if wins and true:
            return wins[0]
        if plays and (true or self.chance(10 + self.styles[seat].lies)):
            self.cards.meant[seat] = true[:1] or [self.random.choice(hand)]
            return plays[0]
        if true and passes and not plays and not self.chance(20):
            return None  # a true card is worth waiting for until it may be laid
        return next(iter(passes or named(strip, "let_go")), None)

    def packet(self, seat: int) -> list[Card]:
        return self.cards.hands[seat][:1] if self.table.fold.game.winning == seat else self.cards.packet


class PokerMind(Mind):
    """Liar Poker: say the smallest raise that is true, else a small lie. Who counts believes less of what is rare."""

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
        return None if genuine or not ups else ups[0]

    @property
    def level(self) -> str:
        return str(self.table.game.options["detail"])

    def _genuine(self, seat: int) -> bool:
        declared = poker_hands.parse(self.table.game.declared(self.table.fold.game), self.level)
        return poker_hands.contains(declared, self.cards.hands[seat])

    def _declare(self, seat: int, raises: list[Choice]) -> Choice:
        hand = self.cards.hands[seat]
        for choice in raises:
            if choice.act is not None and poker_hands.contains(poker_hands.parse(choice.act.hand, self.level), hand):
                if self.chance(self.styles[seat].lies):
                    break
                return choice
        return raises[min(len(raises) - 1, self.random.randrange(6))]

    def _answer(self, seat: int, strip: Strip) -> Choice:
        """The higher it is, the less it is believed; who counts knows how rare it is."""
        style, state = self.styles[seat], self.table.fold.game
        share = 100 * state.declared // len(poker_hands.declarations(self.level))
        disbelief = share if style.counts else share // 2
        takes = named(strip, "accept")
        if takes and not self.chance(disbelief + style.doubts):
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
    "lobby": LobbyMind,
    "deal": DealMind,
}
