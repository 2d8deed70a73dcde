"""The referee of rounds: one card at a time on the rank that the lead named. Quoted lines are the rules."""

import copy
import random
from typing import Any

from referee.script import Card, Line, Scores, Seats, Tape, deck, race, tie_ms

KEPT = ("tape", "seats", "scores", "before", "claims")  # not part of what an undo takes back


class Rounds:
    """One game. Every method is one act: it writes the line, keeps the rules, and writes what must come of it."""

    def __init__(self, header: Line) -> None:
        self.options = header.get("options", {})
        self.least = 3  # "3-6"
        self.seats = Seats([name is not None for name in header["seats"]], header["dealer"])
        self.tie = tie_ms(header)
        self.tape = Tape(header)
        self.scores = Scores(self.seats, self.options.get("scoring", "chip"))
        self.hands: dict[int, list[Card]] = {}
        self.aside: list[Card] = []
        self.stack: list[Card] = []
        self.owner = 0
        self.rank = ""
        self.turn = self.seats.left(self.seats.dealer)  # "the lead (first: dealer's left)"
        self.phase = "lead"
        self.lock_ms = 0
        self.doubter = 0
        self.removal_due = False
        self.false_show = False
        self.leaving = 0
        self.claims = 0
        self.stands = False  # the top card can no longer be doubted
        self.before: list[dict[str, Any]] = []  # states just before each lock, as far as undo may go back

    def deal(self, dice: random.Random) -> None:
        """ "equal hands, `hand_size` 7 by default; the rest is set aside unseen." """
        cards = deck(1)
        dice.shuffle(cards)
        size = self.options.get("hand_size", 7)
        for seat in self.seats.playing:
            self.hands[seat], cards = cards[:size], cards[size:]
        self.aside = cards
        self.check()

    @property
    def counts(self) -> dict[int, int]:
        return {seat: len(hand) for seat, hand in self.hands.items()}

    def state(self) -> Line:
        """What everybody can see; `turn` is "the seat that has to act", which is nobody in particular in a reveal."""
        seen: Line = {"phase": self.phase, "hands": self.seats.row(self.counts), "pile": len(self.stack)}
        if self.phase in ("lead", "play"):
            seen["turn"] = self.turn
        if self.phase == "reveal":
            seen["doubter"] = self.doubter
        return seen

    def check(self) -> None:
        self.tape.state(**self.state())

    def lead(self, rank: str, card: Card) -> None:
        """ "the lead lays one card and names any rank." """
        seat = self.turn
        self.remember()
        self.rank = rank
        self.tape.mark()
        self.tape.do(seat, "lead", rank=rank)
        self.lay(card)
        self.tape.expect("lead", seat=seat, rank=rank)
        self.check()

    def play(self, card: Card) -> None:
        """ "Then each seat in turn passes or lays one card said to be of that rank." "Laying a card only `doubt_ms`
        after the last lock." """
        seat = self.turn
        self.remember()
        self.tape.mark()
        self.tape.do(seat, "play")
        self.owner_is_settled()
        self.lay(card)
        self.tape.expect("play", seat=seat)
        self.check()

    def lay(self, card: Card) -> None:
        self.claims += 1
        self.stands = False
        self.hands[self.turn].remove(card)
        self.stack.append(card)
        self.owner = self.turn
        self.lock_ms = self.tape.ms
        # "A last card laid face down: last call"
        self.phase = "play" if self.hands[self.owner] else "last_call"
        self.false_show = False
        self.turn = self.seats.left(self.owner)
        self.tape.wait()

    def pass_(self) -> None:
        """ "passing is not final. If all others pass, the last one who laid may go on adding." "A pass is possible at
        once and leaves the window open." "N passes in a row, the owner of the top card last: the stack leaves play
        unseen and that owner leads." """
        seat = self.turn
        self.tape.do(seat, "pass")
        self.tape.wait()
        self.tape.expect("pass", seat=seat)
        self.passed()

    def passed(self) -> None:
        self.false_show = False
        if self.turn != self.owner:
            self.turn = self.seats.left(self.turn)
            if self.turn == self.leaving == self.owner:
                self.passed()  # "an owner who is leaving passes when its turn comes"
            else:
                self.check()
        elif self.tape.ms > self.lock_ms + 4_000:
            self.remove_stack()
        else:
            # "a last pass before that removes the stack when that time has come"
            self.removal_due = True

    def remove_stack(self) -> None:
        self.tape.wait_until(self.lock_ms + 4_200)
        self.tape.never("doubt")
        self.tape.expect("stack_out", cards=len(self.stack))
        self.aside += self.stack
        self.stack = []
        self.removal_due = False
        self.leads(self.owner)

    def leads(self, seat: int) -> None:
        """ "if it would lead, its left does"; "at the start of its turn a seat with exactly one card wins: if it has
        the lead, at once, without a press" """
        if seat == self.leaving:
            seat = self.seats.left(seat)
        self.phase = "lead"
        self.turn = seat
        self.owner_is_settled()
        self.owner = 0
        if self.phase == "lead" and len(self.hands[seat]) == 1:
            self.wins(seat)
        self.check()

    def may_doubt(self) -> list[int]:
        """ "any seat but its owner, also out of turn, also one that has passed" """
        return [] if self.stands else [seat for seat in self.seats.playing if seat != self.owner]

    def doubt(self, presses: list[tuple[int, int]]) -> None:
        self.doubter, tied = race(self.seats, self.tie, self.owner, presses)
        self.phase = "reveal"
        self.removal_due = False
        self.tape.wait()
        self.tape.expect("doubt", seat=self.doubter, of=self.owner, tie=tied)
        self.check()

    def reveal(self) -> None:
        """ "Only the top card is judged; it is the reveal's one card, no `any_more_ms`." """
        card = self.stack[-1]
        self.before = []
        self.tape.card(card)
        self.tape.wait()
        self.tape.expect("reveal", card=card[0], ok=card[0][0] == self.rank)
        self.verdict(true=card[0][0] == self.rank)

    def missing(self) -> None:
        """ "`missing`: 5 s after the decision; also in rounds." """
        self.tape.wait(5_200)
        self.tape.expect("missing", count=1)
        self.check()

    def give_in(self, seat: int) -> None:
        self.tape.do(seat, "give_in")
        self.tape.wait()
        self.verdict(true=seat == self.doubter)

    def verdict(self, true: bool) -> None:
        """ "wrong card: its owner takes the stack, the challenger leads. Right card: the challenger takes the stack,
        the owner leads." """
        takes = self.doubter if true else self.owner
        self.tape.expect("verdict", of=self.owner, doubter=self.doubter, true=true, takes=takes, cards=len(self.stack))
        self.hands[takes] += self.stack
        self.stack = []
        if not self.hands[self.owner]:
            # "it wins if it is not doubted or the doubt is wrong"
            self.wins(self.owner)
            self.check()
        else:
            self.leads(self.owner if true else self.doubter)

    def show_to_win(self) -> None:
        """ "a seat with exactly one card wins if that card is of the led rank, when it is shown on the reader (menu
        item WIN)." "A false show: the card goes back, the top card's window goes on, its strip is DOUBT, PASS" """
        seat = self.turn
        (card,) = self.hands[seat]
        self.before = []
        self.tape.do(seat, "win")
        self.tape.wait()
        self.tape.ms += 500
        self.tape.card(card)
        self.tape.wait()
        if card[0][0] == self.rank:
            self.wins(seat)
            self.tape.state(phase="over")
        else:
            self.false_show = True
            self.check()
            self.tape.never("win")

    def end_last_call(self, let_go: bool) -> None:
        """ "stays open `last_call_ms` (10000) and then closes by itself; LET IT GO only after 5000" """
        if let_go:
            self.tape.do(self.seats.left(self.owner), "let_go")
            self.tape.wait()
        else:
            self.tape.wait_until(self.lock_ms + 9_900)
            self.check()
            self.tape.never("win")
            self.tape.wait_until(self.lock_ms + 10_200)
        self.wins(self.owner)
        self.check()
        self.tape.never("doubt")

    def wins(self, seat: int) -> None:
        self.tape.expect("win", seat=seat)
        self.scores.pay(seat, self.counts)
        self.over()

    def over(self) -> None:
        self.phase = "over"
        self.tape.expect("over", scores=self.scores.row())

    def remember(self) -> None:
        """The state just before a lock."""
        self.before.append({key: copy.deepcopy(value) for key, value in vars(self).items() if key not in KEPT})

    def undo(self) -> None:
        """ "Each undo goes one lock back; the entry begins anew; rounds: the earlier window stays closed." """
        self.tape.mark()
        self.tape.feed(order={"act": "undo"})
        for key, value in self.before.pop().items():
            setattr(self, key, value)
        self.stands = True
        self.tape.wait()
        self.check()

    def leave(self, seat: int) -> None:
        """ "A seat leaves: its open claim is settled first; its cards go under the pile (rounds: set aside unseen)" """
        self.before = []
        self.tape.do(seat, "leave")
        self.tape.wait()
        if self.phase == "play" and seat == self.owner:
            self.leaving = seat
            if self.turn == seat:
                self.passed()
                return
        else:
            was_lead = self.phase == "lead" and seat == self.turn
            if seat == self.turn:
                self.turn = self.seats.left(seat)
                self.false_show = False
            self.gone(seat)
            if was_lead and self.phase == "lead":
                self.leads(self.turn)
                return
        self.check()

    def owner_is_settled(self) -> None:
        """The claim of an owner who is leaving is no longer open: it leaves."""
        if self.leaving:
            seat, self.leaving = self.leaving, 0
            self.gone(seat)

    def gone(self, seat: int) -> None:
        self.before = []  # whether an undo brings back who left is written nowhere
        self.seats.playing.remove(seat)
        self.scores.left_with[seat] = len(self.hands[seat])
        self.aside += self.hands.pop(seat)
        if len(self.seats.playing) < self.least:
            # "Fewer players than the game allows: it ends, fewest cards first."
            self.scores.too_few(self.counts)
            self.over()
