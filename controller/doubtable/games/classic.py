"""I Doubt It, the classic game.

Theory. The seat on turn lays 1-4 cards (1-8 with two packs) face down and says "k of the due rank"; the rank may be a
lie. Anybody else may doubt while the window is open. A doubted packet is shown: a true claim's pile goes to the
doubter, a false one's to the claimant. The due rank falls one step with every claim, whatever happened, and the turn
goes to the left of the claimant. Who has laid the last cards wins when nobody doubts them, or the doubt is wrong. The
bell is in bell.py.

    claim --claim--> doubt ----start, or time-----------------> claim (next seat)
                 \\-> last_call --let_go, or time--------------> over (or the next place)
                      doubt, last_call --race--> reveal --verdict--> claim, or over
"""

from typing import Any

from msgspec.structs import replace

from doubtable.cards import PACK_SIZE, RANKS, left_of, next_rank
from doubtable.events import Event, event
from doubtable.games.base import LATE, SLAP, STRIP, Act, Choice, Outcome, Refused, Start, Strip, Text
from doubtable.games.bell import BellGame, BellState
from doubtable.games.options import YES_NO, Option, OptionError
from doubtable.games.piles import SCORING, Claim, PileGame, PileState, add
from doubtable.games.reveals import RevealGame

RANK_COUNT = len(RANKS)


class ClassicState(BellState, frozen=True, kw_only=True):
    """``due`` is the rank that the seat on turn has to claim."""

    due: str = "A"


class Classic(BellGame):
    """The rules of the classic game."""

    id = "classic"
    title = "I Doubt It"
    players = (3, 13)
    corrects = True
    rules = (
        "Lay 1-4 cards face down and say they are the rank that is due; the rank falls one step every turn.\n"
        "Doubt a claim: if it was true you take the pile, if it was a lie the claimant does.\n"
        "Who has laid the last card and is not caught wins."
    )
    options_known = {
        "packs_at_5": Option(1, (1, 2), "packs for five players", "PACKS FOR\nFIVE PLAYERS"),
        "rank_order": Option(
            "falling", ("falling", "rising"), "the due rank falls or rises", "THE DUE RANK\nFALLS OR RISES"
        ),
        "scoring": SCORING,
        "play_on": Option(False, YES_NO, "play on for the places", "PLAY ON\nFOR THE PLACES"),
        "lap_shift": Option(
            False, YES_NO, "one rank more each time the turn passes the dealer", "A RANK MORE\nEACH LAP"
        ),
        "nose_bonus": Option(
            False, YES_NO, "a right doubt earns a chip from the claimant", "A CHIP FOR\nA RIGHT DOUBT"
        ),
        "bell_min": Option(
            0,
            range(0, 121),
            "minutes until LAST ROUND, 0 for no bell",
            "MINUTES UNTIL\nTHE LAST ROUND",
            (0, 6, 12, 18, 24, 30, 45, 60),
        ),
    }
    minutes = 12
    state_type = ClassicState
    lock_events = ("claim",)
    two_packs_from = 6

    @classmethod
    def suggested(cls, players: int) -> dict[str, object]:
        """With a bell; thirteen players would claim the same ranks for ever without a shift."""
        shift: dict[str, object] = {"lap_shift": True} if players == RANK_COUNT else {}
        return {"bell_min": cls.minutes, **shift}

    # The deal ---------------------------------------------------------------------------------------------------

    def packs(self) -> int:
        """One pack for few players, two for many; five may choose."""
        players = len(self.seats)
        if players == 5 and "packs_at_5" in self.options:
            return 2 if self.options["packs_at_5"] == 2 else 1
        return 2 if players >= self.two_packs_from else 1

    def begin(self, dealer: int, start: Start | None, ns: int) -> Outcome:
        packs = self.packs()
        fields = self.fresh(dealer, packs, PACK_SIZE * packs)
        if start is not None and start.hands is not None:
            self.check_hands(start.hands)
            if sum(start.hands) + start.pile != PACK_SIZE * packs:
                have = sum(start.hands) + start.pile
                raise OptionError(f"start: hands and pile hold {have} cards, not {PACK_SIZE * packs}")
            fields |= {"hands": start.hands, "pile": start.pile}
        turn = self.first_turn(dealer, fields["hands"])
        due = "A"
        if start is not None:
            turn, due = start.turn or turn, start.due or due
        if turn not in self.seats:
            raise OptionError(f"start: seat {turn} is empty and cannot have the turn")
        state = self.state_type(phase="claim", turn=turn, due=due, bell=self.bell_at(ns), **fields)
        return state, (event("deal", ns, hands=list(state.hands)), self.turn_event(state, ns))

    def first_turn(self, dealer: int, hands: tuple[int, ...]) -> int:
        """Who begins: the dealer's left."""
        return left_of(dealer, self.seats)

    def turn_event(self, state: Any, ns: int) -> Event:
        return event("turn", ns, seat=state.turn, due=state.due, max=self.most(state, state.turn))

    def most(self, state: PileState, seat: int) -> int:
        """The largest number that ``seat`` may claim."""
        return min(4 * state.packs, state.hands[seat - 1])

    # Claims -----------------------------------------------------------------------------------------------------

    def claim(self, state: Any, act: Act, ns: int) -> Outcome:
        """Lay and announce."""
        if act.seat != state.turn:
            raise Refused(f"it is the turn of seat {state.turn}")
        most = self.most(state, act.seat)
        if act.count is None or not 1 <= act.count <= most:
            raise Refused(f"a claim is of 1 to {most} cards, not {act.count}")
        rank = self.claimed_rank(state, act)
        claim = Claim(act.seat, act.count, rank, state.due, act.count == state.hands[act.seat - 1])
        locked, opened, read = self.lock(state, claim, ns)
        locked = replace(locked, phase="last_call" if claim.last else "doubt")
        return locked, (self.claim_event("claim", claim, ns), opened, read)

    def implied(self, state: Any, act: Act) -> Act | None:
        """The next seat's claim implies its start."""
        return Act(act.seat, "start") if act.name == "claim" and state.window is not None else None

    def claimed_rank(self, state: Any, act: Act) -> str:
        """The rank of the claim: the due one, which need not be said."""
        if act.rank not in (None, state.due):
            raise Refused(f"the due rank is {state.due}, not {act.rank}")
        return str(state.due)

    def claim_event(self, name: str, claim: Claim, ns: int) -> Event:
        facts = {"last": True} if claim.last else {}
        return event(name, ns, seat=claim.seat, count=claim.count, rank=claim.rank, **facts)

    def correct(self, state: Any, act: Act, ns: int) -> Outcome:
        """The claimant's words follow its cards, once; the window starts anew."""
        claim = state.claim
        if act.seat != claim.seat:
            raise Refused(f"the claim is seat {claim.seat}'s")
        if state.window.corrected:
            raise Refused("a claim is corrected once")
        held = state.hands[claim.seat - 1] + claim.count
        count = claim.count if act.count is None else act.count
        most = min(4 * state.packs, held)
        if not 1 <= count <= most:
            raise Refused(f"a claim is of 1 to {most} cards, not {count}")
        if count != claim.count and state.pile < claim.count:
            raise Refused("the counts have been put right since: the pile holds fewer cards than the claim")
        rank = claim.rank if act.rank is None else self.corrected_rank(state, act)
        if (count, rank) == (claim.count, claim.rank):
            raise Refused("that is what was said already")
        right = replace(claim, count=count, rank=rank, last=count == held)
        return self.restate(state, right, ns)

    def corrected_rank(self, state: Any, act: Act) -> str:
        if act.rank != state.claim.rank:
            raise Refused("only the number can be put right: the rank is the due one")
        return str(state.claim.rank)

    def restate(self, state: Any, claim: Claim, ns: int) -> Outcome:
        """The claim in other words, and its window from the beginning.

        A call whose HOLD fired later has opened it then, and no correction in between opens it sooner.
        """
        ns = max(ns, state.window.opened)
        moved = claim.count - state.claim.count
        state = replace(
            state,
            hands=add(state.hands, claim.seat, -moved),
            pile=state.pile + moved,
            claim=claim,
            phase="last_call" if claim.last else "doubt",
        )
        state = self.reopen(state, ns, corrected=True, before=LATE)
        told = self.claim_event("corrected", claim, ns)
        return state, (told, event("window", ns, state="open", last=claim.last), event("read_levels", ns))

    # How a window ends --------------------------------------------------------------------------------------------

    def start(self, state: Any, act: Act, ns: int) -> Outcome:
        """The next seat begins its turn: nobody can doubt any more."""
        if act.seat != self.next_seat(state, state.claim.seat):
            raise Refused(f"the next turn is seat {self.next_seat(state, state.claim.seat)}'s")
        if state.window is None or state.window.last:
            raise Refused("last cards: doubt them or let them go")
        if ns < state.window.starts:
            raise Refused("too soon: the others may still doubt")
        return self.undoubted(state, ns)

    def let_go(self, state: Any, act: Act, ns: int) -> Outcome:
        """The next seat does not doubt the last cards."""
        if act.seat != self.next_seat(state, state.claim.seat):
            raise Refused(f"that is for seat {self.next_seat(state, state.claim.seat)} to say")
        if ns < state.window.opened + self.timing.last_call_min:
            raise Refused("too soon: the others may still doubt")
        return self.undoubted(state, ns)

    def time_is_up(self, state: Any, ns: int) -> Outcome:
        return self.undoubted(state, ns)

    def undoubted(self, state: Any, ns: int) -> Outcome:
        """The window closes and the claim stands as it was said."""
        claim = state.claim
        shut, closed = self.closed(state, ns)
        after, events = self.settled(shut, claim, not_caught=True, ns=ns)
        return after, (closed, *events)

    def after_verdict(self, state: Any, claim: Claim, doubter: int, true: bool, ns: int) -> Outcome:
        return self.settled(state, claim, not_caught=true, ns=ns)

    def settled(self, state: Any, claim: Claim, not_caught: bool, ns: int) -> Outcome:
        """What follows a claim once it is settled: the win of last cards, the bell, or the next turn."""
        state = replace(state, claim=None)
        successor = self.next_seat(state, claim.seat)
        events: tuple[Event, ...] = ()
        if not_caught and not state.hands[claim.seat - 1]:
            state, events = self.won(state, claim.seat, ns)
        if state.phase != "over" and state.last_round and self.over_dealer(state, claim.seat, successor):
            state, more = self.rung(state, ns)
            events += more
        if state.phase != "over":
            state = replace(state, phase="claim", turn=successor, due=self.due_after(state, claim, successor))
            state, more = self.go_leaving(state, ns)
            events += more
            if state.phase != "over" and not any(each.name == "turn" for each in more):
                events += (self.turn_event(state, ns),)
        return state, events

    def due_after(self, state: Any, claim: Claim, successor: int) -> str:
        """The due rank falls one step with every claim, doubted or not."""
        return self.step(claim.rank, state, claim.seat, successor)

    def step(self, rank: str, state: Any, seat: int, successor: int) -> str:
        """``rank`` one step on, and one more when the house shifts it and the turn goes over the dealer."""
        steps = 2 if self.options.get("lap_shift") and self.over_dealer(state, seat, successor) else 1
        return next_rank(rank, -steps if self.options["rank_order"] == "rising" else steps)

    def over_dealer(self, state: Any, seat: int, successor: int) -> bool:
        """Whether the turn leaves the dealer's seat or goes over it on its way to ``successor``."""
        way = (successor - seat) % self.size or self.size
        return bool((state.dealer - seat) % self.size < way)

    # The end ------------------------------------------------------------------------------------------------------

    def won(self, state: Any, seat: int, ns: int) -> Outcome:
        """``seat`` has no cards left: it wins, or takes the next place."""
        first = not state.out
        if first:
            state = self.pay(state, seat)
        events = (event("win", ns, seat=seat, place=len(state.out) + 1),)
        state = replace(state, out=(*state.out, seat))
        if self.options.get("play_on") and len(self.in_play(state)) > 1:
            return state, events
        over, more = self.over(state, ns)
        return over, (*events, *more)

    def pay_doubt(self, state: Any, claimant: int, doubter: int, true: bool) -> Any:
        if true or not self.options.get("nose_bonus"):
            return state
        return replace(state, scores=add(add(state.scores, claimant, -1), doubter, 1))

    # What is seen ---------------------------------------------------------------------------------------------------

    def scene(self, state: Any, ns: int) -> tuple[str, Text, Text]:
        if state.phase == "reveal":
            return self.reveal_scene(state)
        if state.phase == "over":
            return "over", ("GAME OVER", {}), ("HOLD TO START", {})
        if state.window is not None:
            return self.window_scene(state, ns)
        due = self.shown_due(state)
        headline: Text = ("{name}", {"name": state.turn})
        if due is not None:
            headline = ("{name}: {rank}", {"name": state.turn, "rank": ("RANK", {"rank": due, "count": 2})})
        return "lay", headline, ("TAP EACH CARD\nHOLD = SAY IT", {})

    def window_scene(self, state: Any, ns: int) -> tuple[str, Text, Text]:
        """The claim, big, and what the others may do about it."""
        claim, window = state.claim, state.window
        said = ("CLAIM", {"count": claim.count, "rank": claim.rank})
        headline: Text = ("{name}: {claim}", {"name": claim.seat, "claim": said})
        if window.last:
            return "last_call", headline, ("LAST CARDS!\nDOUBT?", {})
        if ns >= window.starts:
            return "window", headline, ("HOLD = DOUBT\nTAP = YOUR TURN", {})
        return "window", headline, ("DOUBT? SLAP!\n{name}: HOLD = DOUBT", {"name": self.next_seat(state, claim.seat)})

    def shown_due(self, state: Any) -> str | None:
        return str(state.due) if state.turn is not None else None

    def public(self, state: Any) -> dict[str, Any]:
        return super().public(state) | {"due": state.due if state.turn is not None else None}

    # Out of the ordinary --------------------------------------------------------------------------------------------

    def pass_turn(self, state: Any, seat: int, successor: int, ns: int) -> Outcome:
        state = replace(state, turn=successor)
        return state, (self.turn_event(state, ns),)

    def skip(self, state: Any, act: Act, ns: int) -> Outcome:
        """The attendant passes the turn on with no card; the due rank falls."""
        successor = self.next_seat(state, state.turn)
        due = self.step(state.due, state, state.turn, successor)
        state = replace(state, turn=successor, due=due, step=state.step + 1)
        return state, (self.turn_event(state, ns),)

    acts = {
        "claim": (("claim",), claim),
        "correct": (("doubt", "last_call"), correct),
        "start": (("doubt", "last_call"), start),
        "let_go": (("last_call",), let_go),
        "card": (("reveal",), RevealGame.card),
        "give_in": (("reveal",), RevealGame.give_in),
        "agree": (("reveal",), RevealGame.agree),
        "undo_doubt": (("reveal",), RevealGame.undo_doubt),
        "leave": (("claim", "doubt", "last_call", "reveal"), RevealGame.leave),
        "gone": (("claim", "doubt", "last_call", "reveal"), RevealGame.leave),
        "no_cards": (("claim",), PileGame.no_cards),
        "set_hands": (("claim", "doubt", "last_call", "reveal"), PileGame.set_hands),
        "skip": (("claim",), skip),
    }

    # Buttons --------------------------------------------------------------------------------------------------------

    def press(self, state: Any, seat: int, ns: int) -> str | None:
        if seat not in self.in_play(state):
            return None
        if state.window is not None and seat != state.claim.seat and not self.pulses(state, seat):
            return None if seat in state.window.barred else SLAP
        return STRIP if self.strip(state, seat, ns) else None

    def pulses(self, state: Any, seat: int) -> bool:
        """Whether ``seat`` is the next one, which has a strip in the window instead of a plain slap."""
        return seat == self.next_seat(state, state.claim.seat)

    def strip(self, state: Any, seat: int, ns: int) -> Strip | None:
        if state.phase == "reveal":
            return self.reveal_strip(state, seat)
        if state.window is not None:
            if seat == state.claim.seat:
                return self.claimant_strip(state, seat)
            return self.window_strip(state, seat, ns) if self.pulses(state, seat) else None
        if state.phase == "claim" and seat == state.turn:
            return Strip(f"lay{state.step}", (Choice(("-",)), *self.lay_choices(state, seat)))
        return None

    def lay_choices(self, state: Any, seat: int) -> tuple[Choice, ...]:
        """The numbers that ``seat`` may claim."""
        most = self.most(state, seat)
        return tuple(Choice((str(count),), Act(seat, "claim", count)) for count in range(1, most + 1))

    def window_strip(self, state: Any, seat: int, ns: int) -> Strip:
        """DOUBT first; then, from doubt_ms on, the numbers: a TAP onto 1 starts the turn."""
        doubts: tuple[Choice, ...] = self.doubt_choices(state, seat)
        window = state.window
        if window.last:
            if ns >= window.opened + self.timing.last_call_min:
                doubts += (Choice(("LET IT GO",), Act(seat, "let_go")),)
        elif ns >= window.starts:
            most = self.most(state, seat)
            doubts += tuple(Choice((str(count),), Act(seat, "start"), enter=True) for count in range(1, most + 1))
        return Strip(f"window{state.step}", doubts)

    def doubt_choices(self, state: Any, seat: int) -> tuple[Choice, ...]:
        """What counts at the press-down on the next seat's strip."""
        return (Choice(("DOUBT",), Act(seat, "doubt"), at_press=True),)

    def claimant_strip(self, state: Any, seat: int) -> Strip | None:
        """STAND does nothing; CORRECT leads to the number, once."""
        if state.window.corrected:
            return None
        held = state.hands[seat - 1] + state.claim.count
        numbers = range(1, min(4 * state.packs, held) + 1)
        correct = tuple(Choice(("CORRECT", str(n)), Act(seat, "correct", n)) for n in numbers)
        return Strip(f"stand{state.step}", (Choice(("STAND",)), Choice(("CORRECT", "-")), *correct))
