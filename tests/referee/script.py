"""What the referee needs of cards, seats and tapes. It imports nothing of the product: a judge has no friends."""

import random
from collections.abc import Iterable
from typing import Any

RANKS = "AKQJT98765432"  # "Ranks fall A K Q J 10 9 8 7 6 5 4 3 2 and then A again."
RISING = RANKS[::-1]
SETTLE = 200  # ms: more than any finality (tie 40 + confirm 5 + straggler 50)

Card = tuple[str, int]  # ("KS", pack): "A card's identity is (card, pack): with two packs both 7S count."
Line = dict[str, Any]
Attempt = tuple[int, str, dict[str, Any]]  # seat, act, facts


def deck(packs: int) -> list[Card]:
    return [(rank + suit, pack) for pack in range(1, packs + 1) for suit in "SHDC" for rank in RANKS]


class Seats:
    """The seats of one game: all numbers 1..N, those who still play, and who sits left of whom."""

    def __init__(self, taken: list[bool], dealer: int) -> None:
        self.n = len(taken)
        self.dealer = dealer
        self.began = [seat for seat in range(1, self.n + 1) if taken[seat - 1]]
        self.playing = list(self.began)

    def left(self, seat: int) -> int:
        """ "'Left of s' is the next occupied seat clockwise." """
        while True:
            seat = seat % self.n + 1
            if seat in self.playing:
                return seat

    def distance(self, claimant: int, seat: int) -> int:
        """ "distance(claimant, s) = (s - claimant) mod N" """
        return (seat - claimant) % self.n

    def nearest_left(self, claimant: int, seats: Iterable[int]) -> int:
        """ "'nearest the claimant's left' = the smallest distance" """
        return min(seats, key=lambda seat: self.distance(claimant, seat))

    def passes_dealer(self, seat: int, following: int) -> bool:
        """ "when the turn leaves the dealer's seat or goes over it" """
        while seat != following:
            if seat == self.dealer:
                return True
            seat = seat % self.n + 1
        return False

    def deal(self, cards: list[Card]) -> dict[int, list[Card]]:
        """ "all cards, singly, from the dealer's left; the first r seats left of the dealer get one more." """
        hands: dict[int, list[Card]] = {seat: [] for seat in self.playing}
        seat = self.dealer
        for card in cards:
            seat = self.left(seat)
            hands[seat].append(card)
        return hands

    def row(self, of_seat: dict[int, int]) -> list[int]:
        """Numbers by seat as a tape writes them: seat 1 first, 0 for a seat that has none."""
        return [of_seat.get(seat, 0) for seat in range(1, self.n + 1)]


class Tape:
    """The lines written so far and the time of the last one, in ms."""

    def __init__(self, header: Line) -> None:
        self.lines: list[Line] = [header]
        self.ms = 0

    def feed(self, **line: Any) -> None:
        self.lines.append({"ms": self.ms, **line})

    def do(self, seat: int, act: str, **facts: Any) -> None:
        self.feed(do={"seat": seat, "act": act, **facts})

    def card(self, card: Card) -> None:
        text, pack = card
        self.feed(card=text, **({"pack": pack} if pack != 1 else {}))

    def wait(self, ms: int = SETTLE) -> None:
        self.ms += ms
        self.feed()

    def wait_until(self, ms: int) -> None:
        self.wait(max(0, ms - self.ms))

    def expect(self, event: str, **facts: Any) -> None:
        self.lines.append({"expect": {"event": event, **facts}})

    def never(self, event: str, **facts: Any) -> None:
        self.lines.append({"never": {"event": event, **facts}})

    def mark(self) -> None:
        self.lines.append({"mark": True})

    def state(self, **facts: Any) -> None:
        self.lines.append({"state": facts})

    def refused(self, state: Line, attempt: Attempt) -> None:
        """ "An illegal action changes nothing and gives {"event": "refused", ...}" """
        seat, act, facts = attempt
        self.do(seat, act, **facts)
        self.wait()
        self.expect("refused", seat=seat)
        self.state(**state)


class Scores:
    """Who pays whom. "All scores of a deal sum to 0"."""

    def __init__(self, seats: Seats, scoring: str) -> None:
        self.seats = seats
        self.scoring = scoring
        self.of = dict.fromkeys(seats.began, 0)
        self.left_with: dict[int, int] = {}

    def move(self, payer: int, taker: int, chips: int) -> None:
        self.of[payer] -= chips
        self.of[taker] += chips

    def pay(self, winner: int, cards: dict[int, int]) -> None:
        """ "chip: every other seat pays the winner 1; per_card: every other seat pays the winner 1 per card it holds;
        none." "A seat that left pays for the cards it held when it left." "Chip scoring: a seat that left pays 1." """
        for seat in self.seats.began:
            if seat != winner and self.scoring == "chip":
                self.move(seat, winner, 1)
            if seat != winner and self.scoring == "per_card":
                self.move(seat, winner, self.left_with.get(seat, cards.get(seat, 0)))

    def too_few(self, cards: dict[int, int]) -> None:
        """ "Too few players: `over` with the order; a sole fewest is paid, a tie is not." """
        fewest = min(cards.values())
        best = [seat for seat, count in cards.items() if count == fewest]
        if len(best) == 1:
            self.pay(best[0], cards)

    def row(self) -> list[int]:
        return self.seats.row(self.of)


def race(seats: Seats, tie_ms: int, claimant: int, presses: list[tuple[int, int]]) -> tuple[int, bool]:
    """Who of (seat, ms) is the doubter, and whether it was a tie: everything in [t0, t0 + tie] is one tie, of which
    the seat nearest the claimant's left is taken."""
    first = min(ms for _, ms in presses)
    tied = [seat for seat, ms in presses if ms <= first + tie_ms]
    return seats.nearest_left(claimant, tied), len(tied) > 1


def tie_ms(header: Line) -> int:
    """ "`tie_ms`: 5 at tables with up to 8 seats, 10 from 9" """
    seats = header["seats"]
    given: int | None = header.get("timing", {}).get("tie_ms")
    return given if given is not None else 5 if len(seats) <= 8 else 10


def press_together(dice: random.Random, tape: Tape, act: str, seats: list[int]) -> list[tuple[int, int]]:
    """One or two of ``seats`` press; writes the lines and returns the presses. Two are never enough for a bump."""
    pressing = dice.sample(seats, min(len(seats), dice.choice([1, 1, 1, 2])))
    presses = []
    for seat in pressing:
        tape.do(seat, act)
        presses.append((seat, tape.ms))
        if seat != pressing[-1]:
            tape.ms += dice.choice([0, 2, 12, 30, 60])
    return presses
