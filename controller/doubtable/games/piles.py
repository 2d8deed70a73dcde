"""What the three games with a pile share: hands as counts, the doubt window, the reveal, leaving, and the score.

Theory of a claim. It is **locked** (the packet lies on the pile, the window opens), then either the window closes
undoubted (the next seat starts, or time ends it) or a race takes a doubter and the packet is **revealed**. The first
wrong card, one card too many, or either side giving in against itself settles it; the loser takes the whole pile.

    claim --lock--> doubt / last_call --close--> next turn, or the win of a last call
                          |  race decided
                          v
                       reveal --verdict--> next turn, or the win

Only public facts are kept: hand counts, the pile, the cards shown. Hands + pile + aside = 52 x packs, always.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from doubtable.cards import PACK_SIZE, Card, deal_counts, left_of
from doubtable.events import Event, event
from doubtable.games import agreement
from doubtable.games.base import QUIET, Act, Game, GameState, Outcome, Refused, Window
from doubtable.games.options import Option, OptionError
from doubtable.games.shown import card_id
from doubtable.timing import Timing

SCORING = Option(
    "chip",
    ("chip", "per_card", "none"),
    "what the others pay the winner: a chip, one per card, nothing",
    "WHAT OTHERS PAY\nTHE WINNER",
)


class Claim(msgspec.Struct, frozen=True):
    """What was said of the packet. ``due`` is the rank that was due; ``last``: the claimant's hand is empty."""

    seat: int
    count: int
    rank: str
    due: str
    last: bool = False


class Reveal(msgspec.Struct, frozen=True, kw_only=True):
    """The cards of the packet on their way over the reader; times in ns."""

    rank: str  # the rank it is judged by
    count: int
    counted: int  # the last counted card, or the decision
    shown: tuple[Card, ...] = ()
    any_more: int | None = None  # one card more until then, and the claim is false
    missing: int | None = None  # when to say how many cards are missing
    agree_at: int | None = None  # when the table may agree by itself
    agreeing: bool = False
    window: Window | None = None  # in which it was doubted
    said: dict[int, str] = {}  # seat -> "true" or "lie"


class PileState(GameState, frozen=True, kw_only=True):
    """Hands, pile and the claim. ``out`` have won their place; ``leaving`` go when the open claim is settled."""

    packs: int = 1
    aside: int = 0
    claim: Claim | None = None
    reveal: Reveal | None = None
    out: tuple[int, ...] = ()
    leaving: tuple[int, ...] = ()
    left_with: dict[int, int] = {}  # seat -> cards it held when it left
    right: tuple[int, ...] = ()  # right doubts by seat
    wrong: tuple[int, ...] = ()
    known: dict[str, int] = {}  # card shown -> seat that picked it up and has not laid since (0: out of play)
    reader_lost: int | None = None
    winners: tuple[int, ...] = ()  # of a deal that ended with nobody's last card


def add(counts: tuple[int, ...], seat: int, number: int) -> tuple[int, ...]:
    """``counts`` by seat with ``number`` added to ``seat``."""
    return counts[: seat - 1] + (counts[seat - 1] + number,) + counts[seat:]


class PileGame(Game):
    """The shared course of a claim. A game adds its acts to `acts` and overrides the predicates it has otherwise."""

    options_known = {"scoring": SCORING}
    packets = True

    def idle(self, state: Any) -> str:
        return "early" if state.phase != "over" else "late"

    # Who and how many -------------------------------------------------------------------------------------------

    def in_play(self, state: PileState) -> tuple[int, ...]:
        """Seats that still hold a place in the deal, clockwise."""
        here = self.occupied(state)
        return here if not state.out else tuple(seat for seat in here if seat not in state.out)

    def next_seat(self, state: PileState, seat: int) -> int:
        """The seat in play left of ``seat``."""
        return left_of(seat, self.in_play(state))

    def total(self, state: PileState) -> int:
        return PACK_SIZE * state.packs

    def card_of(self, state: PileState, card: Card) -> Card:
        return card if state.packs > 1 else super().card_of(state, card)

    def fresh(self, dealer: int, packs: int, cards: int) -> dict[str, Any]:
        """What every deal of ``cards`` begins with, as fields of the state."""
        counts = deal_counts(cards, dealer, self.seats)
        nobody = (0,) * self.size
        return {
            "dealer": dealer,
            "packs": packs,
            "hands": tuple(counts.get(seat, 0) for seat in range(1, self.size + 1)),
            "aside": PACK_SIZE * packs - cards,
            "scores": nobody,
            "right": nobody,
            "wrong": nobody,
        }

    def check_hands(self, hands: tuple[int, ...]) -> None:
        """Raises OptionError unless ``hands`` has a count for every seat and none for an empty one."""
        if len(hands) != self.size:
            raise OptionError(f"hands: {len(hands)} counts for {self.size} seats")
        for seat, count in enumerate(hands, 1):
            if count < 0 or (count and seat not in self.seats):
                raise OptionError(f"hands: seat {seat} cannot hold {count}")

    # Claims -------------------------------------------------------------------------------------------------------

    def lock(self, state: PileState, claim: Claim, ns: int) -> tuple[Any, Event, Event]:
        """The packet of ``claim`` lies on the pile and can be doubted from ``ns`` on."""
        times = self.timing
        closes = ns + (times.last_call if claim.last else times.doubt + times.window_limit)
        locked = replace(
            state,
            hands=add(state.hands, claim.seat, -claim.count),
            pile=state.pile + claim.count,
            claim=claim,
            window=Window(opened=ns, claimant=claim.seat, closes=closes, starts=ns + times.doubt, last=claim.last),
            known={card: seat for card, seat in state.known.items() if seat != claim.seat},
            card_shown=False,
            locks=state.locks + 1,
            step=state.step + 1,
        )
        return locked, event("window", ns, state="open", last=claim.last), event("read_levels", ns)

    def reopen(self, state: PileState, ns: int, **window: Any) -> Any:
        """The same claim with its window open for its full time from ``ns`` on."""
        claim, old, times = state.claim, state.window, self.timing
        assert claim is not None
        closes = ns + (times.last_call if claim.last else times.doubt + times.window_limit)
        kept = {"barred": old.barred, "unseen": old.unseen, "corrected": old.corrected} if old else {}
        fresh = Window(
            **{
                "opened": ns,
                "claimant": claim.seat,
                "closes": closes,
                "starts": ns + times.doubt,
                "last": claim.last,
                **kept,
                **window,
            }
        )
        return replace(state, window=fresh)

    def again(self, state: Any, ns: int) -> Outcome:
        return self.reopen(state, ns, before=QUIET), (event("window", ns, state="open", again=True),)

    def closed(self, state: Any, ns: int) -> tuple[Any, Event]:
        """No doubt can be pressed any more."""
        return replace(state, window=None), event("window", ns, state="closed")

    # The verdict ------------------------------------------------------------------------------------------------

    def verdict(self, state: Any, true: bool, ns: int, *, agreed: bool = False) -> Outcome:
        """The claim was ``true`` or not: the loser takes the pile, the doubter's record grows, the claim is settled."""
        claim, doubter = state.claim, state.doubter
        takes = doubter if true else claim.seat
        reveal = state.reveal
        shown = () if reveal is None else reveal.shown
        cards = state.pile
        facts = {"by_agreement": True} if agreed else {}
        told = event("verdict", ns, of=claim.seat, doubter=doubter, true=true, takes=takes, cards=cards, **facts)
        known = state.known | {card_id(card): takes for card in shown}
        settled = replace(
            state,
            hands=add(state.hands, takes, cards),
            pile=0,
            right=state.right if true else add(state.right, doubter, 1),
            wrong=add(state.wrong, doubter, 1) if true else state.wrong,
            known=known,
            reveal=None,
            doubter=None,
        )
        settled = self.pay_doubt(settled, claim.seat, doubter, true)
        counts = event("hands", ns, hands=list(settled.hands), pile=0)
        after, events = self.after_verdict(settled, claim, doubter, true, ns)
        return after, (told, counts, *events)

    def pay_doubt(self, state: Any, claimant: int, doubter: int, true: bool) -> Any:
        """What a doubt costs at once: nothing, unless the house has it otherwise."""
        return state

    def after_verdict(self, state: Any, claim: Claim, doubter: int, true: bool, ns: int) -> Outcome:
        """Who acts next once the pile is taken."""
        raise NotImplementedError

    # Seats that leave -------------------------------------------------------------------------------------------

    def leave(self, state: Any, act: Act, ns: int) -> Outcome:
        """A seat gets up. Its open claim or doubt is settled first; who has its place already keeps it."""
        seat = act.of or act.seat
        if seat in state.out and seat in self.occupied(state):
            counts = event("hands", ns, hands=list(state.hands), pile=state.pile)
            return replace(state, gone=(*state.gone, seat)), (counts,)
        if seat not in self.in_play(state) or seat in state.leaving:
            raise Refused(f"seat {seat} is not in the deal")
        if seat in self.bound(state):
            return replace(state, leaving=(*state.leaving, seat)), ()
        return self.go(state, seat, ns)

    def bound(self, state: Any) -> tuple[int, ...]:
        """Seats whose claim or doubt is not settled yet."""
        claim = state.claim
        return () if claim is None else (claim.seat,) if state.doubter is None else (claim.seat, state.doubter)

    def go(self, state: Any, seat: int, ns: int) -> Outcome:
        """The seat is away: its cards go where the game puts them; the deal may end for want of players."""
        held = state.hands[seat - 1]
        successor = self.next_seat(state, seat)
        left = replace(
            state,
            hands=add(state.hands, seat, -held),
            gone=(*state.gone, seat),
            leaving=tuple(each for each in state.leaving if each != seat),
            left_with=state.left_with | {seat: held},
            known={card: (0 if who == seat else who) for card, who in state.known.items()},
        )
        left = self.bury(left, seat, held)
        counts = event("hands", ns, hands=list(left.hands), pile=left.pile)
        players = {*self.occupied(left), *left.out}
        if len(players) < self.players[0] or len(self.in_play(left)) < 2:
            over, events = self.over_by_count(left, ns)
            return over, (counts, *events)
        if left.turn == seat:
            left, events = self.pass_turn(left, seat, successor, ns)
            return left, (counts, *events)
        return left, (counts,)

    def bury(self, state: Any, seat: int, held: int) -> Any:
        """Where the cards of a seat that left go: under the pile."""
        return replace(
            state,
            pile=state.pile + held,
            known={card: who for card, who in state.known.items() if who},
        )

    def pass_turn(self, state: Any, seat: int, successor: int, ns: int) -> Outcome:
        """The seat on turn has left: the one to its left acts in its place."""
        raise NotImplementedError

    def go_leaving(self, state: Any, ns: int) -> Outcome:
        """Seats that waited for their claim or doubt to be settled go now."""
        events: tuple[Event, ...] = ()
        for seat in state.leaving:
            if state.phase != "over" and seat not in self.bound(state):
                state, more = self.go(state, seat, ns)
                events += more
        return state, events

    # The end ----------------------------------------------------------------------------------------------------

    def over_by_count(self, state: Any, ns: int) -> Outcome:
        """The deal ends early: fewest cards first; a sole fewest is paid, a tie is not."""
        playing = self.in_play(state)
        fewest = [seat for seat in playing if state.hands[seat - 1] == min(state.hands[s - 1] for s in playing)]
        if len(fewest) > 1 or state.out:
            return self.over(state, ns)
        return self.over(replace(self.pay(state, fewest[0]), winners=tuple(fewest)), ns)

    def pay(self, state: Any, *winners: int) -> Any:
        """Every other seat of the deal pays each winner as the house scores."""
        scores = state.scores
        for loser in (seat for seat in self.seats if seat not in winners):
            held = state.left_with.get(loser, state.hands[loser - 1])
            owed = {"chip": 1, "per_card": held, "none": 0}[str(self.options["scoring"])]
            for winner in winners:
                scores = add(add(scores, winner, owed), loser, -owed)
        return replace(state, scores=scores)

    def over(self, state: Any, ns: int, **facts: Any) -> Outcome:
        """The deal is over: the scores, and the places from the winner down."""
        done = replace(state, phase="over", window=None, reveal=None, doubter=None, turn=None)
        playing = sorted(self.in_play(state), key=lambda seat: (self.standing(state, seat), seat))
        gone = [seat for seat in reversed(state.gone) if seat not in state.out]  # a last card may have been its place
        places = [*state.out, *playing, *gone]
        return done, (event("over", ns, scores=list(done.scores), places=places, **facts),)

    def standing(self, state: Any, seat: int) -> tuple[int, ...]:
        """What counts among those who still play, least first: cards held."""
        return (state.hands[seat - 1],)

    def placed(self, state: Any) -> tuple[int, ...]:
        return tuple(state.out)

    def claimed(self, state: Any) -> tuple[int, int, str] | None:
        claim = state.claim
        return None if claim is None else (claim.seat, claim.count, claim.rank)

    # Counts that are wrong --------------------------------------------------------------------------------------

    def set_hands(self, state: Any, act: Act, ns: int) -> Outcome:
        """The attendant's counts; the pile takes the difference."""
        hands = act.hands or ()
        try:
            self.check_hands(hands)
        except OptionError as error:
            raise Refused(str(error)) from error
        pile = self.total(state) - state.aside - sum(hands)
        if pile < 0:
            raise Refused(f"hands: {sum(hands)} cards are more than there are")
        claim = state.claim
        empty = claim.seat if claim is not None and claim.last else 0
        playing = self.in_play(state)
        for seat, count in enumerate(hands, 1):
            if seat in playing and not count and seat != empty:
                raise Refused(f"hands: seat {seat} plays and cannot hold 0")
            if seat not in playing and count:
                raise Refused(f"hands: seat {seat} plays no more and cannot hold {count}")
        return replace(state, hands=hands, pile=pile), (event("hands", ns, hands=list(hands), pile=pile),)

    def no_cards(self, state: Any, act: Act, ns: int) -> Outcome:
        """A seat's hand is empty though the table counts cards: it takes the pile."""
        if state.window is not None:
            raise Refused("a doubt is still possible: wait for its end")
        count = state.hands[act.seat - 1]
        if not count or act.seat not in self.in_play(state):
            raise Refused(f"seat {act.seat} holds no card by the table's count: nothing to put right")
        taken = replace(state, hands=add(state.hands, act.seat, state.pile), pile=0)
        return taken, (event("hands", ns, hands=list(taken.hands), pile=0),)

    def resume(self, state: Any, ns: int, gap: int) -> Any:
        if state.window is not None:
            state = self.reopen(state, ns, before=QUIET)
        if state.reveal is None:
            return state
        agree = agreement.after(state.reader_lost)
        return replace(state, reveal=restarted(state.reveal, self.timing, agree, ns))

    def shift(self, state: Any, by: int) -> Any:
        reveal = state.reveal
        if reveal is not None:
            moved = {
                name: getattr(reveal, name) + by
                for name in ("any_more", "missing", "agree_at")
                if getattr(reveal, name) is not None
            }
            state = replace(state, reveal=replace(reveal, **moved))
        return state


def restarted(reveal: Reveal, timing: Timing, agree: int, ns: int) -> Reveal:
    """The reveal with every timer that ran begun anew at ``ns``; ``agree``: the time after which the table agrees."""
    return replace(
        reveal,
        counted=ns,
        any_more=ns + timing.any_more if reveal.any_more is not None else None,
        missing=ns + timing.missing if reveal.missing is not None else None,
        agree_at=ns + agree if reveal.agree_at is not None else None,
    )
