"""The referee of classic and wrong-rank: claims on a packet, with real hidden hands. Quoted lines are the rules."""

import copy
import random
from typing import Any

from referee.script import RANKS, Card, Line, Scores, Seats, Tape, deck, race, tie_ms

KEPT = ("tape", "before", "claims")  # not part of what an undo takes back


class Packets:
    """One game. Every method is one act: it writes the line, keeps the rules, and writes what must come of it."""

    def __init__(self, header: Line) -> None:
        game, options = header["game"], header.get("options", {})
        self.options = options
        self.free = game == "wrong-rank"
        self.assist = self.free and options.get("rank_assist") == "auto"
        self.least = 4 if self.free else 3  # "classic 3-13", "wrong-rank 4-12"
        self.seats = Seats([name is not None for name in header["seats"]], header["dealer"])
        players = len(self.seats.playing)
        if self.free:  # "1 up to 6, 2 from 7"
            self.packs = 1 if players <= 6 else 2
        else:  # "1 up to 5 players, 2 from 6; 5 may choose"
            self.packs = options.get("packs_at_5", 1) if players == 5 else 1 if players < 5 else 2
        self.tie = tie_ms(header)
        self.tape = Tape(header)
        self.scores = Scores(self.seats, options.get("scoring", "chip"))  # "`chip` is the default"
        self.hands: dict[int, list[Card]] = {}
        self.counts: dict[int, int] = {}  # what the table knows: the words, which the real hands may belie for a while
        self.pile: list[Card] = []
        self.pile_count = 0
        self.phase = "claim"
        self.turn = self.seats.left(self.seats.dealer)  # "dealer's left, with aces"
        self.due = "A"
        self.winner: int | None = None
        self.claims = 0
        self.before: list[dict[str, Any]] = []  # states just before each lock, as far as undo may go back
        self.reset_claim()

    def reset_claim(self) -> None:
        self.claimant = 0
        self.count = 0
        self.rank = ""
        self.packet: list[Card] = []
        self.lock_ms = 0
        self.corrected = False
        self.restated = False
        self.barred: set[int] = set()
        self.doubter = 0
        self.judged = ""
        self.shown: list[Card] = []
        self.leaving: set[int] = set()

    def deal(self, dice: random.Random) -> None:
        cards = deck(self.packs)
        dice.shuffle(cards)
        self.hands = self.seats.deal(cards)
        self.counts = {seat: len(hand) for seat, hand in self.hands.items()}
        if self.free:
            # "The first seat clockwise from the dealer's left that holds the most cards starts."
            most = max(self.counts.values())
            while self.counts[self.turn] < most:
                self.turn = self.seats.left(self.turn)
        self.check()

    # What everybody can see.

    def state(self) -> Line:
        seen: Line = {"hands": self.seats.row(self.counts), "pile": self.pile_count, "phase": self.phase}
        if self.phase != "over":
            seen |= {"turn": self.turn, "due": self.due}
        if self.phase == "reveal":
            seen["doubter"] = self.doubter
        return seen

    def check(self) -> None:
        self.tape.state(**self.state())

    @property
    def maximum(self) -> int:
        """ "the seat must lay 1..4 (1..8) cards, at most its hand" """
        return min(4 * self.packs, self.counts[self.turn])

    def may_doubt(self) -> list[int]:
        """ "Doubt: any other seat." "that seat cannot doubt this claim any more"; "a seat that is out cannot doubt" """
        return [seat for seat in self.seats.playing if seat not in (self.claimant, *self.barred)]

    # Claim and window.

    def claim(self, count: int, rank: str | None, packet: list[Card]) -> None:
        """The seat on turn lays ``packet`` and says "``count`` of ``rank``" (None: the table fills in the due rank)."""
        self.before.append({key: copy.deepcopy(value) for key, value in vars(self).items() if key not in KEPT})
        seat = self.turn
        self.reset_claim()
        self.claims += 1
        self.claimant, self.count, self.rank, self.packet = seat, count, rank or self.due, packet
        for card in packet:
            self.hands[seat].remove(card)
        self.counts[seat] -= count
        self.pile_count += count
        self.tape.mark()
        self.tape.do(seat, "claim", count=count, **({"rank": rank} if rank else {}))
        self.lock()
        self.tape.wait()
        last = {"last": True} if self.phase == "last_call" else {}
        self.tape.expect("claim", seat=seat, count=count, rank=self.rank, **last)
        self.check()

    def lock(self) -> None:
        """ "It opens at the lock." "Last call: the claimant's count is 0 at the lock" """
        self.lock_ms = self.tape.ms
        self.phase = "doubt" if self.counts[self.claimant] else "last_call"

    def correct(self, count: int | None = None, rank: str | None = None) -> None:
        """ "The claimant may correct its own entry once: the number (or the rank back to the due one). The window
        starts anew." "the words are corrected to the cards, without penalty" """
        facts = {key: value for key, value in (("count", count), ("rank", rank)) if value is not None}
        self.tape.do(self.claimant, "correct", **facts)
        if count is not None:
            self.counts[self.claimant] += self.count - count
            self.pile_count += count - self.count
            self.count = count
        if rank is not None:
            self.rank = rank
            self.restated = True
        self.corrected = True
        self.before = []  # whether a correction is a lock to undo to is written nowhere
        self.lock()
        self.tape.wait()
        self.tape.expect("corrected", seat=self.claimant, count=self.count, rank=self.rank)
        self.check()

    def wrong_rank(self, seat: int) -> None:
        """ "Pointed out before a doubt and before the next seat starts: it must restate with the due rank, same number,
        same cards. The window starts anew." "Pointing out a rank that was right changes nothing: no event; that seat
        cannot doubt this claim any more." """
        self.tape.do(seat, "wrong_rank")
        if self.rank == self.due:
            self.barred.add(seat)
            self.tape.wait()
        else:
            self.rank = self.due
            self.restated = True
            self.before = []
            self.lock()
            self.tape.wait()
            self.tape.expect("corrected", seat=self.claimant, count=self.count, rank=self.due)
        self.check()

    def pass_turn(self, rank: str) -> None:
        """ "Next: always left of the claimant, next lower rank, whatever happened." "rank_order falling | rising";
        "lap_shift: each time the turn passes the dealer the due rank falls one step more" """
        following = self.seats.left(self.turn)
        steps = 1
        if self.options.get("lap_shift") and self.seats.passes_dealer(self.turn, following):
            steps = 2
        if self.options.get("rank_order") == "rising":
            steps = -steps
        self.due = RANKS[(RANKS.index(rank) + steps) % 13]
        self.turn = following
        self.phase = "claim"

    def followed_rank(self) -> str:
        """The rank that the next due rank lies one step from. "The next due rank is one below the DECLARED one, for
        good, doubted or not; after a correction or with `doubt_corrects` below the due one." "`doubt_corrects` changes
        the next due rank only if the claim was doubted." """
        if self.restated or (self.doubter and self.options.get("doubt_corrects")):
            return self.due
        return self.rank

    def settle_undoubted(self) -> None:
        """Nobody doubted: the packet stays in the pile."""
        self.pile += self.packet
        self.packet = []
        if not self.counts[self.claimant]:
            self.goes_out()
        else:
            self.pass_turn(self.followed_rank())
            self.let_leave()

    def start(self, silently: bool = False) -> None:
        """The next seat starts its turn. ``silently``: no line, its claim will imply it."""
        if not silently:
            self.tape.do(self.seats.left(self.claimant), "start")
        self.settle_undoubted()
        if not silently:
            self.tape.wait()
            self.tape.expect("window", state="closed")
            self.check()
            self.tape.never("doubt")

    def time_out(self) -> None:
        """ "the window stays open for everyone until that start, or until 60 s after `doubt_ms`; then it closes" """
        self.tape.wait_until(self.lock_ms + 64_200)
        self.tape.expect("window", state="closed")
        self.settle_undoubted()
        self.check()
        self.tape.never("doubt")

    def end_last_call(self, let_go: bool) -> None:
        """ "the window stays open `last_call_ms` (10000) and then closes by itself; the next seat can LET IT GO only
        after `last_call_min_ms` (5000)" """
        if let_go:
            self.tape.do(self.seats.left(self.claimant), "let_go")
            self.tape.wait()
        else:
            self.tape.wait_until(self.lock_ms + 9_900)
            self.check()
            self.tape.never("win")
            self.tape.wait_until(self.lock_ms + 10_200)
        self.settle_undoubted()
        self.check()
        self.tape.never("doubt")

    # Doubt, reveal, verdict.

    def doubt(self, presses: list[tuple[int, int]]) -> None:
        """The race is over; ``presses`` of (seat, ms) are written already."""
        self.doubter, tied = race(self.seats, self.tie, self.claimant, presses)
        self.phase = "reveal"
        # "Doubted first: judged on the rank that was declared. Option `doubt_corrects`: judged on the due rank."
        self.judged = self.due if self.options.get("doubt_corrects") else self.rank
        self.tape.wait()
        self.tape.expect("doubt", seat=self.doubter, of=self.claimant, tie=tied)
        self.check()

    def show(self, card: Card) -> None:
        """The doubter lays a card on the reader. "The claim is true iff as many cards were shown as announced and every
        one has the announced rank. The first wrong card settles it. After the last right card a further card within
        `any_more_ms` (1500) makes the claim false" """
        self.before = []  # "undo: never across a shown card"
        self.tape.card(card)
        self.tape.wait(100)
        if card in self.shown:  # "the same card (same pack) twice: counted once"
            self.check()
            return
        self.shown.append(card)
        right = card[0][0] == self.judged
        if len(self.shown) <= self.count:
            self.tape.expect("reveal", card=card[0], ok=right)
        if not right or len(self.shown) > self.count:
            self.verdict(true=False)
        else:
            self.check()

    def no_more_cards(self) -> None:
        """ "else it is true then" after any_more_ms; "Cards missing: no verdict yet; after 5 s without a new card the
        screen says how many (event `missing`)" """
        self.tape.never("verdict")
        if len(self.shown) == self.count:
            self.tape.wait(1_600)
            self.verdict(true=True)
        else:
            self.tape.wait(5_200)
            self.tape.expect("missing", count=self.count - len(self.shown))
            self.check()

    def give_in(self, seat: int) -> None:
        """ "Either side can only give in against itself: the claimant's HOLD = it was a lie, the doubter's = true." """
        self.tape.do(seat, "give_in")
        self.tape.wait()
        self.verdict(true=seat == self.doubter)

    def verdict(self, true: bool) -> None:
        """ "true: the doubter takes the packet and the whole pile. False: the claimant does." """
        takes = self.doubter if true else self.claimant
        self.tape.expect(
            "verdict", of=self.claimant, doubter=self.doubter, true=true, takes=takes, cards=self.pile_count
        )
        if not true and self.options.get("nose_bonus"):
            # "`nose_bonus` (the claimant pays 1 chip for a right doubt, off)"
            self.scores.move(self.claimant, self.doubter, 1)
        self.hands[takes] += self.pile + self.packet
        self.counts[takes] += self.pile_count
        self.pile, self.packet, self.pile_count = [], [], 0
        if not self.counts[self.claimant]:
            self.goes_out()
        else:
            self.pass_turn(self.followed_rank())
            self.let_leave()
        self.check()

    # The end, and seats that leave.

    def goes_out(self) -> None:
        """ "a seat has laid its last cards and nobody doubts, or the doubt is wrong: that seat wins, even on an
        undoubted lie." "With `play_on` the first out is paid, the rest is order"; "over when one is left" """
        seat = self.claimant
        if self.winner is None:
            self.winner = seat
            self.tape.expect("win", seat=seat)
            self.scores.pay(seat, self.counts)
        self.pass_turn(self.followed_rank())
        self.seats.playing.remove(seat)
        if not self.options.get("play_on") or len(self.seats.playing) == 1:
            self.over()
        else:
            self.let_leave()

    def over(self) -> None:
        self.phase = "over"
        self.tape.expect("over", scores=self.scores.row())

    def leave(self, seat: int) -> None:
        """ "A seat leaves: its open claim is settled first" """
        self.tape.do(seat, "leave")
        if self.phase == "claim":
            self.gone(seat)
        elif seat in (self.claimant, self.doubter):
            self.leaving.add(seat)
        else:
            self.gone(seat)
        self.tape.wait()
        self.check()

    def let_leave(self) -> None:
        for seat in self.leaving & set(self.seats.playing):
            self.gone(seat)
        self.leaving = set()

    def gone(self, seat: int) -> None:
        """ "its cards go under the pile; it ranks last." "The seat on turn: the turn passes to its left with the same
        due rank." "Fewer players than the game allows: it ends, fewest cards first." """
        if self.phase == "claim" and seat == self.turn:
            self.turn = self.seats.left(seat)
        self.seats.playing.remove(seat)
        self.scores.left_with[seat] = self.counts[seat]
        self.pile_count += self.counts.pop(seat)
        self.pile += self.hands.pop(seat)
        self.before = []
        if len(self.seats.playing) < self.least:
            self.scores.too_few(self.counts)
            self.over()

    # The attendant.

    def skip(self) -> None:
        """ "skip (turn passes with no card, due rank falls)"; "only with no claim open" """
        self.tape.feed(order={"act": "skip"})
        self.pass_turn(self.due)
        self.before = []
        self.tape.wait()
        self.check()

    def undo(self) -> None:
        """ "Each undo goes one lock back; the entry begins anew" """
        self.tape.feed(order={"act": "undo"})
        for key, value in self.before.pop().items():
            setattr(self, key, value)
        self.tape.wait()
        self.check()
