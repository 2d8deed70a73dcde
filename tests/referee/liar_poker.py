"""The referee of Liar Poker: one five-card hand goes round, declarations only rise. Quoted lines are the rules."""

import random
from collections import Counter

from referee.script import RISING, Card, Line, Seats, Tape, deck, tie_ms


def declarations(detail: str) -> list[str]:
    """All declarations, rising: "level `named` (309, rising)", "level `simple` (100)" """
    ranks, tops, high = list(RISING), list(RISING[3:]), list(RISING[5:])
    if detail == "simple":  # "two pairs is named by its higher pair only (3..A, 12), full house by its trips only (13)"
        two_pairs, full = ranks[1:], ranks
    else:
        two_pairs = [f"{RISING[hi]} {RISING[lo]}" for hi in range(13) for lo in range(hi)]
        full = [f"{trips} {pair}" for trips in RISING for pair in RISING if pair != trips]
    named = [("high", high), ("pair", ranks), ("two_pairs", two_pairs), ("three", ranks), ("straight", tops)]
    named += [("flush", high), ("full", full), ("four", ranks), ("straight_flush", tops)]
    return [f"{category} {rank}" for category, names in named for rank in names]


def is_contained(declaration: str, cards: list[Card]) -> bool:
    """ "high card: that card; pair: at least 2 of the rank; two pairs: at least 2 of each; three: at least 3; four: 4;
    full house: at least 3 and at least 2; straight: those five ranks; flush: five of one suit with that rank among
    them; straight flush: both." """
    category, first, *second = declaration.split()
    have = Counter(card[0] for card, _ in cards)
    flush = len(cards) == 5 and len({card[1] for card, _ in cards}) == 1
    top = RISING.index(first)
    straight = all(have[RISING[top - down]] for down in range(5))  # RISING[-1], the ace, lies below the 2
    if category == "two_pairs":
        lower = second or list(RISING[:top])  # simple: "two different pairs, the higher of that rank"
        return have[first] >= 2 and any(have[rank] >= 2 for rank in lower)
    if category == "full":
        others = second or [rank for rank in RISING if rank != first]
        return have[first] >= 3 and any(have[rank] >= 2 for rank in others)
    if category == "flush":
        return flush and have[first] > 0
    if category == "straight":
        return straight
    if category == "straight_flush":
        return straight and flush
    return have[first] >= {"high": 1, "pair": 2, "three": 3, "four": 4}[category]


def stack_deck(cards: list[Card], dice: random.Random) -> None:
    """Moves cards to the top from which rare hands come: of two ranks, of near ranks in one suit, one of each rank in a
    row. A fair deck would show too few of them."""
    near = RISING[dice.randrange(8) :][:6]
    two, suit, kind = dice.sample(RISING, 2), dice.choice("SHDC"), dice.choice(["two", "suit", "row"])
    first_of = {card[0][0]: card for card in reversed(cards) if card[0][0] in near[:5]}
    wanted = {
        "two": [card for card in cards if card[0][0] in two],
        "suit": [card for card in cards if card[0][0] in near and card[0][1] == suit],
        "row": list(first_of.values()),
    }[kind]
    cards.sort(key=lambda card: card not in wanted)


class LiarPoker:
    """One game. Every method is one act: it writes the line, keeps the rules, and writes what must come of it."""

    def __init__(self, header: Line) -> None:
        options = header.get("options", {})
        self.seats = Seats([name is not None for name in header["seats"]], header["dealer"])
        self.limit = options.get("points", 5 if len(self.seats.playing) <= 4 else 3)  # "5 up to 4 players, 3 from 5"
        self.every = declarations(options.get("detail", "named"))
        self.tie = tie_ms(header)
        self.tape = Tape(header)
        self.points = dict.fromkeys(self.seats.began, 0)
        self.stock: list[Card] = []
        self.discards: list[Card] = []
        self.hand: list[Card] = []
        self.holder = 0
        self.responder = 0
        self.last = -1
        self.shown: list[Card] = []
        self.showing = False
        self.phase = "volunteer"
        self.claims = 0

    def state(self) -> Line:
        """`turn`: "the seat that has to act"; "`turn` is null in volunteer" """
        to_act = {"volunteer": None, "respond": self.responder}.get(self.phase, self.holder)
        seen: Line = {"phase": self.phase, "points": self.seats.row(self.points)}
        if self.phase != "over":
            seen["turn"] = to_act
        if self.phase in ("declare", "respond", "draw"):
            seen["hands"] = self.seats.row({self.holder: 5})
        return seen

    def check(self) -> None:
        self.tape.state(**self.state())

    def new_round(self, starter: int, dice: random.Random) -> None:
        """ "Everything is shuffled; the seat that got the point starts." "gets five cards. No draw at the start." """
        cards = deck(1)
        dice.shuffle(cards)
        if dice.random() < 0.5:
            stack_deck(cards, dice)
        self.hand, self.stock, self.discards = cards[:5], cards[5:], []
        self.holder = starter
        self.responder = self.seats.left(starter)
        self.last = -1
        self.phase = "declare"  # "no `dealt` between its rounds: the phase is declare at once"

    def volunteer(self, presses: list[tuple[int, int]], dice: random.Random) -> None:
        """ "a volunteer (first slap; a tie goes to the dealer's nearest left) gets five cards" """
        first = min(ms for _, ms in presses)
        tied = [seat for seat, ms in presses if ms <= first + self.tie]
        # The dealer itself is its own farthest left.
        starter = min(tied, key=lambda seat: self.seats.distance(self.seats.dealer, seat) or self.seats.n)
        self.new_round(starter, dice)
        self.tape.wait(500)
        self.check()

    def declare(self, declaration: str) -> None:
        """ "strictly higher than the last declaration, genuine or not." "Respond: only the seat to the left." """
        self.claims += 1
        self.last = self.every.index(declaration)
        self.phase = "respond"
        self.responder = self.seats.left(self.holder)
        self.tape.mark()
        self.tape.do(self.holder, "declare", hand=declaration)
        self.tape.wait()
        self.tape.expect("declare", seat=self.holder, hand=declaration, index=self.last)
        self.check()

    def accept(self) -> None:
        """ "the hand passes unseen; the receiver looks" """
        self.tape.do(self.responder, "accept")
        self.tape.wait()
        self.tape.expect("accept", seat=self.responder)
        self.holder, self.responder = self.responder, self.seats.left(self.responder)
        self.phase = "draw"
        self.check()

    def draw(self, thrown: list[Card], dice: random.Random) -> None:
        """ "changes 0-4 cards once (0 is said too; discards first, the number is public)"; "when the stock runs out,
        earlier discards are shuffled, never those just thrown" """
        for card in thrown:
            self.hand.remove(card)
        while len(self.hand) < 5:
            if not self.stock:
                self.stock, self.discards = self.discards, []
                dice.shuffle(self.stock)
            self.hand.append(self.stock.pop())
        self.discards += thrown
        self.phase = "declare"
        self.tape.do(self.holder, "draw", count=len(thrown))
        self.tape.wait()
        self.tape.expect("draw", seat=self.holder, count=len(thrown))
        self.check()

    def liar(self) -> None:
        self.tape.do(self.responder, "liar")
        self.tape.wait()
        self.phase = "prove"
        self.shown, self.showing = [], False
        self.check()

    def show(self) -> None:
        self.tape.do(self.holder, "show")
        self.tape.wait()
        self.showing = True
        self.check()

    def card(self, card: Card, dice: random.Random) -> None:
        """ "It is genuine as soon as the cards shown contain it; not genuine when five different cards do not contain
        it." "Genuine: the challenger gets a penalty point; otherwise the holder." """
        self.tape.card(card)
        self.tape.wait()
        if self.showing and card not in self.shown:  # "tags outside a reveal: ignored, not kept"
            self.shown.append(card)
            if is_contained(self.every[self.last], self.shown):
                self.tape.expect("proved", seat=self.holder)
                self.point(self.responder, dice)
                return
            if len(self.shown) == 5:
                self.point(self.holder, dice)
                return
        self.check()
        self.tape.never("point")

    def give_up(self, dice: random.Random) -> None:
        """ "not genuine when the holder gives up (nothing needs to be shown)"; "GIVE UP stays possible after SHOW" """
        self.tape.do(self.holder, "give_up")
        self.tape.wait()
        self.tape.expect("gave_up", seat=self.holder)
        self.point(self.holder, dice)

    def point(self, seat: int, dice: random.Random) -> None:
        """ "the seat that got the point starts"; "End: the first seat with `points` loses the game" """
        self.points[seat] += 1
        self.tape.expect("point", seat=seat, points=self.points[seat])
        if self.points[seat] == self.limit:
            self.phase = "over"
            self.tape.expect("over", scores=self.seats.row(self.points), loser=seat)
        else:
            self.new_round(seat, dice)
        self.check()

    def leave(self, seat: int, dice: random.Random) -> None:
        """ "the holder leaves: the round is void, no point, the next seat to the left starts; the responder leaves: the
        next seat to the left responds." "Fewer players than the game allows: it ends, fewest points first." """
        self.tape.do(seat, "leave")
        self.tape.wait()
        left = self.seats.left(seat)
        self.seats.playing.remove(seat)
        if len(self.seats.playing) < 2:
            self.phase = "over"
            self.tape.expect("over", scores=self.seats.row(self.points))
        elif seat == self.holder:
            self.new_round(left, dice)
        else:
            self.responder = self.seats.left(self.holder)
        self.check()
