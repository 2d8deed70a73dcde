"""The real cards on a simulated table. The core never sees them; people hold them and lay them on the reader."""

from collections.abc import Iterable, Sequence
from random import Random

from doubtable.cards import Card, clockwise_from, packs
from doubtable.events import Event

HAND = 5  # cards of Liar Poker's one hand


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
        self.laid: dict[int, list[Card]] = {}  # the seat's own cards in the pile

    def deal(self, seats: Iterable[int], dealer: int, counts: tuple[int, ...], pack_count: int) -> None:
        """Fresh packs, shuffled, and as many cards to each seat as the deal says; none in a game without cards."""
        self.stock = list(packs(pack_count))
        self.random.shuffle(self.stock)
        self.hands = {seat: [] for seat in seats}
        self.pile, self.packet, self.thrown, self.meant, self.laid = [], [], [], {}, {}
        for seat in clockwise_from(dealer, self.hands):
            self.hands[seat] = [self.stock.pop() for _ in range(counts[seat - 1])] if counts else []

    def lay_out(self, pile: int, packet: int, shown: Sequence[Card]) -> None:
        """A game that has been going on: so many cards lie in the pile, the last of them are the packet; ``shown`` of
        the packet (or of the one hand, in a game without a pile) everybody has seen.
        """
        self.pile = [self.stock.pop() for _ in range(pile)]
        first = pile - min(packet, pile)
        seen = self.pile if pile else max(self.hands.values(), key=len, default=[])
        places = (self.stock, self.pile, *self.hands.values())
        for place, card in enumerate(shown[: len(seen) - first], first):
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
                self._correct(facts["seat"], facts["count"])
            case "verdict":
                self.take(facts["takes"])
            case "stack_out":
                self.pile, self.packet, self.laid = [], [], {}
            case "accept":
                self._pass_on(facts["seat"])
            case "draw":
                self._change(facts["seat"], facts["count"])
            case _:
                pass

    def lay(self, seat: int, count: int) -> None:
        """The seat's packet goes onto the pile: the cards it meant to lay, made up to ``count``."""
        hand = self.hands[seat]
        meant = [card for card in self.meant.pop(seat, []) if card in hand][:count]
        rest = [card for card in hand if card not in meant]
        self.packet = meant + rest[: count - len(meant)]
        for card in self.packet:
            hand.remove(card)
        self.pile += self.packet
        self.laid.setdefault(seat, []).extend(self.packet)

    def _correct(self, seat: int, count: int) -> None:
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
        self.pile, self.packet, self.laid = [], [], {}

    def one_hand(self, seat: int) -> None:
        """Liar Poker: everything is shuffled and the seat gets five cards."""
        self.stock = list(packs(1))
        self.random.shuffle(self.stock)
        self.thrown = []
        self.hands = {other: [] for other in self.hands}
        self.hands[seat] = [self.stock.pop() for _ in range(HAND)]

    def _pass_on(self, seat: int) -> None:
        holder = next((other for other, hand in self.hands.items() if hand), seat)
        self.hands[seat], self.hands[holder] = self.hands[holder], []

    def _change(self, seat: int, count: int) -> None:
        """Throw away, then draw; when the stock runs out the earlier discards are shuffled, never those just thrown."""
        hand = self.hands[seat]
        meant = [card for card in self.meant.pop(seat, []) if card in hand][:count]
        away = meant + [card for card in hand if card not in meant][: count - len(meant)]
        self.hands[seat] = [card for card in hand if card not in away]
        for _ in away:
            if not self.stock:
                self.stock, self.thrown = self.thrown, []
                self.random.shuffle(self.stock)
            self.hands[seat].append(self.stock.pop())
        self.thrown += away
