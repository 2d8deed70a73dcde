"""The real cards on a simulated table. The core never sees them; people hold them and lay them on the reader."""

from collections.abc import Iterable, Sequence
from random import Random

import msgspec
from msgspec.structs import replace

from doubtable.cards import Card, clockwise_from, packs
from doubtable.events import Event

HAND = 5  # cards of Liar Poker's one hand
Cards = tuple[Card, ...]


class Layout(msgspec.Struct, frozen=True):
    """Where every card lies at one moment; fields as in RealCards."""

    hands: dict[int, Cards]
    packet: Cards
    pile: Cards
    stock: Cards
    thrown: Cards
    meant: dict[int, Cards]

    def same_places(self, other: "Layout") -> bool:
        """Whether no card has moved, whatever anybody means to do."""
        return replace(self, meant={}) == replace(other, meant={})

    def fits(self, dealt: "Layout") -> bool:
        """Whether this can lie on the table at which ``dealt`` was dealt: at its seats, with no card but of its packs
        and none twice. A file that was damaged may say anything.
        """
        cards = self.cards
        there = set(cards)
        return (
            set(self.hands) == set(dealt.hands)
            and len(there) == len(cards)
            and there.issubset(dealt.cards)
            and set(self.pile).issuperset(self.packet)
        )

    @property
    def cards(self) -> Cards:
        """All that are in play, in the stock, or thrown away; a pile that left play is in none of them."""
        return tuple(card for cards in (*self.hands.values(), self.pile, self.stock, self.thrown) for card in cards)


class RealCards:
    """Hands by seat, the pile, the packet laid last, and the stock. They move as the events say that cards moved."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.hands: dict[int, list[Card]] = {}
        self.packet: list[Card] = []
        self.pile: list[Card] = []
        self.stock: list[Card] = []
        self.thrown: list[Card] = []
        self.meant: dict[int, list[Card]] = {}  # what a seat is about to lay or to throw away

    def deal(self, seats: Iterable[int], dealer: int, counts: tuple[int, ...], pack_count: int) -> None:
        """Fresh packs, shuffled, and as many cards to each seat as the deal says; none in a game without cards."""
        self.stock = list(packs(pack_count))
        self.random.shuffle(self.stock)
        self.hands = {seat: [] for seat in seats}
        self.pile, self.packet, self.thrown, self.meant = [], [], [], {}
        for seat in clockwise_from(dealer, self.hands):
            self.hands[seat] = [self.stock.pop() for _ in range(counts[seat - 1])] if counts else []

    @property
    def layout(self) -> Layout:
        """Where every card lies now."""
        return Layout(
            _frozen(self.hands),
            tuple(self.packet),
            tuple(self.pile),
            tuple(self.stock),
            tuple(self.thrown),
            _frozen(self.meant),
        )

    def put_back(self, layout: Layout) -> None:
        """Every card where it lay."""
        self.hands, self.meant = (
            {seat: list(cards) for seat, cards in each.items()} for each in (layout.hands, layout.meant)
        )
        self.packet, self.pile = list(layout.packet), list(layout.pile)
        self.stock, self.thrown = list(layout.stock), list(layout.thrown)

    def agree(self, counts: Sequence[int], pile: int, packet: int, shown: Iterable[Card]) -> bool:
        """Whether hands, pile and packet are as large as the table knows them to be, and hold what everybody saw."""
        held = {seat: len(cards) for seat, cards in self.hands.items() if cards}
        there = {card for cards in (self.pile, *self.hands.values()) for card in cards}
        return (
            held == {seat: count for seat, count in enumerate(counts, 1) if count}
            and len(self.pile) == pile
            and (not packet or self.packet == self.pile[-packet:])
            and there.issuperset(shown)
        )

    def lay_out(self, pile: int, packet: int, shown: Sequence[Card], rank: str | None = None) -> None:
        """A game that has been going on: so many cards lie in the pile, the last of them are the packet; ``shown`` of
        the packet (or of the one hand, in a game without a pile) everybody has seen. What else is in the packet nobody
        knows any more: it is of ``rank``, so that no claim becomes a lie.
        """
        self.pile = [self.stock.pop() for _ in range(pile)]
        first = pile - min(packet, pile)
        seen = self.pile if pile else max(self.hands.values(), key=len, default=[])
        places = (self.stock, self.pile, *self.hands.values())
        true = (card for cards in places for card in cards if card.rank == rank and card not in shown)
        wanted = [*shown, *(true if pile else ())]
        for place, card in enumerate(wanted[: len(seen) - first], first):
            for cards in places:
                if card in cards:
                    cards[cards.index(card)], seen[place] = seen[place], card
                    break
        self.packet = self.pile[first:]

    def hear(self, event: Event) -> None:
        """Move the cards that ``event`` moved."""
        facts = event.facts
        match event.name:
            case "claim":
                self.lay(facts["seat"], facts["count"])
            case "lead" | "play":
                self.lay(facts["seat"], 1)
            case "corrected":
                self.correct(facts["seat"], facts["count"])
            case "verdict":
                self.take(facts["takes"])
            case "hands" if "pile" in facts:
                self.settle(facts["hands"], facts["pile"], undo=facts.get("undo", False))
            case "stack_out":
                self.stack_out()
            case "accept":
                self.pass_on(facts["seat"])
            case "draw":
                self._change(facts["seat"], facts["count"])
            case _:
                pass

    def lay(self, seat: int, count: int) -> None:
        """The seat's packet goes onto the pile: the cards it meant to lay, made up to ``count``."""
        self.packet = self.going(seat, count)
        self.meant.pop(seat, None)
        for card in self.packet:
            self.hands[seat].remove(card)
        self.pile += self.packet

    def going(self, seat: int, count: int) -> list[Card]:
        """What of the seat's hand goes when it says ``count``: the cards it meant, made up from the rest."""
        hand = self.hands[seat]
        meant = [card for card in self.meant.get(seat, []) if card in hand][:count]
        return meant + [card for card in hand if card not in meant][: count - len(meant)]

    def correct(self, seat: int, count: int) -> None:
        """Words follow cards: here the cards are made to fit what was said."""
        while len(self.packet) > count:
            card = self.packet.pop()
            self.pile.remove(card)
            self.hands[seat].append(card)
        while len(self.packet) < count and self.hands[seat]:
            card = self.hands[seat].pop()
            self.packet.append(card)
            self.pile.append(card)

    def take(self, seat: int) -> None:
        """The seat picks up the pile."""
        self.hands[seat] += self.pile
        self.pile, self.packet = [], []

    def settle(self, counts: Sequence[int], pile: int, *, undo: bool) -> None:
        """The table counts otherwise, because somebody has left or has said so: cards go below the pile or come from
        there until it is so; what the pile has too many is out of play. By an ``undo`` they come from its top.
        """
        for seat, hand in self.hands.items():
            while len(hand) > counts[seat - 1]:
                self.pile.insert(0, hand.pop())
        self.packet = [] if undo else self.packet
        for seat, hand in self.hands.items():
            while len(hand) < counts[seat - 1] and len(self.pile) > len(self.packet):
                hand.append(self.pile.pop(-1 if undo else 0))
        del self.pile[: max(0, len(self.pile) - pile)]

    def one_hand(self, seat: int) -> None:
        """Liar Poker: everything is shuffled and the seat gets five cards."""
        self.stock = list(packs(1))
        self.random.shuffle(self.stock)
        self.thrown = []
        self.hands = {other: [] for other in self.hands}
        self.hands[seat] = [self.stock.pop() for _ in range(HAND)]

    def stack_out(self) -> None:
        """The pile leaves play."""
        self.pile, self.packet = [], []

    def pass_on(self, seat: int) -> None:
        """The one hand goes to the seat."""
        holder = next((other for other, hand in self.hands.items() if hand), seat)
        self.hands[seat], self.hands[holder] = self.hands[holder], []

    def _change(self, seat: int, count: int) -> None:
        """Throw away, then draw; when the stock runs out the earlier discards are shuffled, never those just thrown."""
        away = self.going(seat, count)
        self.meant.pop(seat, None)
        self.hands[seat] = [card for card in self.hands[seat] if card not in away]
        for _ in away:
            if not self.stock:
                self.stock, self.thrown = self.thrown, []
                self.random.shuffle(self.stock)
            self.hands[seat].append(self.stock.pop())
        self.thrown += away


def _frozen(cards: dict[int, list[Card]]) -> dict[int, Cards]:
    return {seat: tuple(each) for seat, each in cards.items()}
