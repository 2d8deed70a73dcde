"""Doubt, in rounds.

Theory. The lead lays one card and names any rank; each seat in turn passes or lays one card said to be of that rank.
Any seat but its owner may doubt the top card, out of turn too, until another card is laid or the stack is removed. A
wrong card: its owner takes the stack and the challenger leads; a right one: the challenger takes it and the owner
leads.
When all pass in a row, the owner last, the stack leaves play and the owner leads. A seat with one card wins if it has
the lead, or by showing a card of the led rank (WIN, see last_cards.py); laid face down it is a last call.

    lead --lead--> play <--pass, play--> play --all passed--> lead (owner)
                    |  \\-- win --> reveal (the card is shown) --> over, or play again
                    '-- race --> reveal --verdict--> lead
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from doubtable.cards import PACK_SIZE, RANKS, left_of
from doubtable.events import Event, event
from doubtable.games.base import SLAP, STRIP, Act, Choice, Outcome, Refused, Start, Strip, Text, Window
from doubtable.games.last_cards import LastCardGame, LastCardState, rank_of
from doubtable.games.options import Option, OptionError
from doubtable.games.piles import SCORING, Claim, PileGame
from doubtable.timing import Timing


class RoundsState(LastCardState, frozen=True, kw_only=True):
    """``owner`` laid the top card."""

    owner: int | None = None
    passed_out: bool = False  # the owner has passed too, and so all have


class Rounds(LastCardGame):
    """The rules of the game in rounds."""

    id = "rounds"
    title = "Doubt, in rounds"
    players = (3, 6)
    rules = (
        "The lead lays one card and names a rank; in turn you pass or lay one card, said to be of that rank.\n"
        "Doubt the top card at any time: wrong, its owner takes the stack and you lead; right, you take it.\n"
        "All pass: the stack is out. Your last card wins, if it is of the rank, or laid and not caught."
    )
    options_known = {
        "hand_size": Option(7, range(5, 18), "cards for each to begin with", "CARDS FOR EACH\nAT THE START"),
        "scoring": SCORING,
    }
    minutes = 4
    state_type = RoundsState
    lock_events = ("lead", "play")
    counts_more = False
    doubt_phase = "play"

    # The deal -----------------------------------------------------------------------------------------------------

    def __init__(self, seats: tuple[int, ...], size: int, options: Mapping[str, object], timing: Timing) -> None:
        super().__init__(seats, size, options, timing)
        self.hand_size = int(str(self.options["hand_size"]))
        most = PACK_SIZE // len(seats)
        if self.hand_size > most:
            raise OptionError(f"option hand_size {self.hand_size} is too many for {len(seats)} players: 5 to {most}")

    def begin(self, dealer: int, start: Start | None, ns: int) -> Outcome:
        fields = self.fresh(dealer, 1, self.hand_size * len(self.seats))
        turn = left_of(dealer, self.seats)
        if start is not None and start.hands is not None:
            self.check_hands(start.hands)
            aside = PACK_SIZE - sum(start.hands) - start.pile
            if aside < 0:
                raise OptionError(f"start: hands and pile hold {PACK_SIZE - aside} cards, more than there are")
            fields |= {"hands": start.hands, "pile": start.pile, "aside": aside}
        if start is not None:
            turn = start.turn or turn
        if turn not in self.seats:
            raise OptionError(f"start: seat {turn} is empty and cannot have the turn")
        state = RoundsState(phase="lead", turn=turn, **fields)
        told = (event("deal", ns, hands=list(state.hands)),)
        if start is None or start.owner is None:
            state, led = self.lead_of(state, turn, ns)
            return state, (*told, *led)
        if start.rank is None or start.owner not in self.seats:
            raise OptionError("start: the owner of the top card needs a rank, and must sit at the table")
        claim = Claim(start.owner, 1, start.rank, start.rank, state.hands[start.owner - 1] == 0)
        state = replace(state, phase="last_call" if claim.last else "play", rank=start.rank, owner=start.owner)
        state = self.reopen(replace(state, claim=claim, step=1), ns)
        return state, (*told, self.turn_event(state, ns))

    def turn_event(self, state: Any, ns: int) -> Event:
        return event("turn", ns, seat=state.turn, max=1, **({"rank": state.rank} if state.rank else {}))

    def lead_of(self, state: Any, seat: int, ns: int) -> Outcome:
        """``seat`` has the lead; with exactly one card it has won, without a press."""
        state = replace(state, phase="lead", turn=seat, rank=None, owner=None, claim=None, passed_out=False)
        if state.hands[seat - 1] == 1:
            return self.won(state, seat, ns)
        return state, (self.turn_event(state, ns),)

    def won(self, state: Any, seat: int, ns: int) -> Outcome:
        """``seat`` wins and is paid."""
        state = self.pay(replace(state, window=None), seat)
        over, more = self.over(replace(state, out=(seat,)), ns)
        return over, (event("win", ns, seat=seat), *more)

    # Cards --------------------------------------------------------------------------------------------------------

    def lead(self, state: Any, act: Act, ns: int) -> Outcome:
        """Lay one card and name any rank."""
        self.on_turn(state, act)
        if act.rank is None or act.rank not in RANKS or len(act.rank) != 1:
            raise Refused("a lead names its rank, A K Q J T 9 8 7 6 5 4 3 2")
        return self.laid(replace(state, rank=act.rank), act.seat, ns)

    def play(self, state: Any, act: Act, ns: int) -> Outcome:
        """Lay one card, said to be of the led rank: the earlier one stands."""
        self.on_turn(state, act)
        self.wait_over(state, ns)
        if state.won_falsely:
            raise Refused("the last card was shown and is not of the rank: pass")
        return self.laid(state, act.seat, ns)

    def on_turn(self, state: Any, act: Act) -> None:
        if act.seat != state.turn:
            raise Refused(f"it is the turn of seat {state.turn}")

    def wait_over(self, state: Any, ns: int) -> None:
        if state.claim is not None and ns < self.open_card(state).starts:
            raise Refused("too soon: the others may still doubt")

    def open_card(self, state: Any) -> Window:
        """The top card's window; when time has closed it, what it was."""
        window = state.window
        return window if window is not None else Window(opened=0, claimant=state.owner)

    def laid(self, state: Any, seat: int, ns: int) -> Outcome:
        last = state.hands[seat - 1] == 1
        name = "lead" if state.phase == "lead" else "play"
        shut = () if state.window is None else (event("window", ns, state="closed"),)
        facts = {"rank": state.rank, **({"last": True} if last else {})}
        locked, opened, read = self.lock(state, Claim(seat, 1, state.rank, state.rank, last), ns)
        state = replace(
            locked,
            phase="last_call" if last else "play",
            owner=seat,
            passed_out=False,
            won_falsely=False,
            turn=self.next_seat(locked, seat),
        )
        state, gone = self.go_leaving(state, ns)  # the card that was on top is settled now
        turn = () if state.phase == "over" else (self.turn_event(state, ns),)
        return state, (*shut, event(name, ns, seat=seat, **facts), opened, read, *gone, *turn)

    def pass_(self, state: Any, act: Act, ns: int) -> Outcome:
        """The seat on turn lays nothing; the top card can still be doubted."""
        self.on_turn(state, act)
        return self.passed(state, ns)

    def passed(self, state: Any, ns: int) -> Outcome:
        told = event("pass", ns, seat=state.turn)
        all_passed = state.turn == state.owner
        state = replace(state, passed_out=all_passed, won_falsely=False, step=state.step + 1)
        if not all_passed:
            state = replace(state, turn=self.next_seat(state, state.turn))
            state, more = self.owner_leaves(state, ns)
            return state, (told, *(more or (self.turn_event(state, ns),)))
        if ns < self.open_card(state).starts:
            # the stack goes when the time for doubts is up; a doubt with that very stamp is settled first
            window = replace(state.window, closes=state.window.starts + 1)
            return replace(state, window=window), (told,)
        state, more = self.stack_out(state, ns)
        return state, (told, *more)

    def owner_leaves(self, state: Any, ns: int) -> Outcome:
        """An owner who is leaving passes when its turn comes."""
        return self.passed(state, ns) if state.turn in state.leaving else (state, ())

    def stack_out(self, state: Any, ns: int) -> Outcome:
        """All have passed: the stack leaves play unseen and the owner of the top card leads."""
        owner, cards = state.owner, state.pile
        shut, closed = self.closed(replace(state, pile=0, aside=state.aside + cards, claim=None), ns)
        told: tuple[Event, ...] = (event("stack_out", ns, cards=cards),)
        if state.window is not None:
            told = (closed, *told)
        state, more = self.lead_or_left(shut, owner, ns)
        return state, (*told, *more)

    def lead_or_left(self, state: Any, seat: int, ns: int) -> Outcome:
        """``seat`` leads, unless it leaves: then its left does."""
        successor = self.next_seat(state, seat) if seat in state.leaving else seat
        state = replace(state, turn=successor, claim=None, owner=None)
        state, events = self.go_leaving(state, ns)
        if state.phase == "over":
            return state, events
        state, more = self.lead_of(state, state.turn, ns)
        return state, (*events, *more)

    # A last card ---------------------------------------------------------------------------------------------------

    def win(self, state: Any, act: Act, ns: int) -> Outcome:
        """The seat on turn is about to show its only card, of the led rank."""
        self.on_turn(state, act)
        self.wait_over(state, ns)
        if state.hands[act.seat - 1] != 1 or state.won_falsely:
            raise Refused("WIN is for a seat with one card")
        return self.shows_last(state, act.seat, ns)

    def let_go(self, state: Any, act: Act, ns: int) -> Outcome:
        """The next seat does not doubt the last card."""
        self.on_turn(state, act)
        if ns < state.window.opened + self.timing.last_call_min:
            raise Refused("too soon: the others may still doubt")
        return self.time_is_up(state, ns)

    # How a window ends ---------------------------------------------------------------------------------------------

    def due(self, state: Any) -> int | None:
        due = super().due(state)
        window = state.window
        if state.phase == "play" and window is not None and state.passed_out:
            return min(ns for ns in (due, window.starts) if ns is not None)
        return due

    def gives_way(self, state: Any) -> bool:
        return bool(state.phase == "play" and state.passed_out)

    def reopen(self, state: Any, ns: int, **window: Any) -> Any:
        state = super().reopen(state, ns, **window)
        if not state.passed_out:
            return state
        return replace(state, window=replace(state.window, closes=state.window.starts + 1))

    def time_is_up(self, state: Any, ns: int) -> Outcome:
        if state.phase == "play" and state.passed_out:
            return self.stack_out(state, ns)
        shut, closed = self.closed(state, ns)
        if state.hands[state.claim.seat - 1]:
            return replace(shut, phase="play"), (closed,)
        shut, events = self.won(shut, state.claim.seat, ns)
        return shut, (closed, *events)

    def undone(self, state: Any, latest: Any) -> Any:
        """After an undo the earlier card's window stays closed."""
        return replace(state, window=None)

    def after_verdict(self, state: Any, claim: Claim, doubter: int, true: bool, ns: int) -> Outcome:
        if true and not state.hands[claim.seat - 1]:
            return self.won(state, claim.seat, ns)
        return self.lead_or_left(state, claim.seat if true else doubter, ns)

    def leave(self, state: Any, act: Act, ns: int) -> Outcome:
        seat = act.of or act.seat
        state, events = super().leave(state, act, ns)
        if state.turn == seat and seat in state.leaving and state.phase == "play":
            state, more = self.passed(state, ns)
            events += more
        return state, events

    # Out of the ordinary --------------------------------------------------------------------------------------------

    def bury(self, state: Any, seat: int, held: int) -> Any:
        return replace(state, aside=state.aside + held)

    def pass_turn(self, state: Any, seat: int, successor: int, ns: int) -> Outcome:
        state = replace(state, turn=successor, won_falsely=False, step=state.step + 1)
        if state.phase == "lead":
            return self.lead_of(state, successor, ns)
        state, more = self.owner_leaves(state, ns)
        return state, more or (self.turn_event(state, ns),)

    def skip(self, state: Any, act: Act, ns: int) -> Outcome:
        """The attendant moves the lead on, or it is a pass."""
        if state.window is not None:
            raise Refused("a card can still be doubted")
        if state.phase == "lead":
            return self.lead_of(replace(state, step=state.step + 1), self.next_seat(state, state.turn), ns)
        return self.passed(state, ns)

    acts = {
        "lead": (("lead",), lead),
        "play": (("play",), play),
        "pass": (("play",), pass_),
        "win": (("play",), win),
        "let_go": (("last_call",), let_go),
        "card": (("reveal",), LastCardGame.card),
        "give_in": (("reveal",), LastCardGame.give_in),
        "agree": (("reveal",), LastCardGame.agree),
        "undo_doubt": (("reveal",), LastCardGame.undo_doubt),
        "leave": (("lead", "play", "last_call", "reveal"), leave),
        "gone": (("lead", "play", "last_call", "reveal"), leave),
        "no_cards": (("lead", "play"), PileGame.no_cards),
        "set_hands": (("lead", "play", "last_call", "reveal"), PileGame.set_hands),
        "skip": (("lead", "play"), skip),
    }

    # Buttons --------------------------------------------------------------------------------------------------------

    def press(self, state: Any, seat: int, ns: int) -> str | None:
        if seat not in self.in_play(state):
            return None
        if state.window is not None and seat not in (state.claim.seat, state.turn):
            return None if seat in state.window.barred else SLAP
        return STRIP if self.strip(state, seat, ns) else None

    def pulses(self, state: Any, seat: int) -> bool:
        return bool(seat == state.turn and state.window is not None)

    def strip(self, state: Any, seat: int, ns: int) -> Strip | None:
        if state.phase == "reveal":
            return self.reveal_strip(state, seat)
        if seat != state.turn or seat not in self.in_play(state):
            return None
        if state.phase == "lead":
            return Strip(f"lead{state.step}", tuple(Choice((rank,), Act(seat, "lead", rank=rank)) for rank in RANKS))
        if state.phase == "last_call":
            return Strip(f"last{state.step}", self.last_choices(state, seat, ns))
        return Strip(f"turn{state.step}", self.turn_choices(state, seat, ns)) if state.phase == "play" else None

    def last_choices(self, state: Any, seat: int, ns: int) -> tuple[Choice, ...]:
        doubt = Choice(("DOUBT",), Act(seat, "doubt"), at_press=True)
        if ns < state.window.opened + self.timing.last_call_min:
            return (doubt,)
        return (doubt, Choice(("LET IT GO",), Act(seat, "let_go")))

    def turn_choices(self, state: Any, seat: int, ns: int) -> tuple[Choice, ...]:
        """DOUBT first while another's card is open; PLAY and WIN only when the time for doubts is up."""
        choices: list[Choice] = []
        if state.window is not None and seat != state.owner:
            choices.append(Choice(("DOUBT",), Act(seat, "doubt"), at_press=True))
        if not state.passed_out:
            choices.append(Choice(("PASS",), Act(seat, "pass")))
            if ns >= self.open_card(state).starts and not state.won_falsely:
                choices.append(Choice(("PLAY",), Act(seat, "play")))
                if state.hands[seat - 1] == 1:
                    choices.append(Choice(("WIN",), Act(seat, "win")))
        return tuple(choices) or (Choice(("-",)),)

    # What is seen ---------------------------------------------------------------------------------------------------

    def scene(self, state: Any, ns: int) -> tuple[str, Text, Text]:
        if state.phase == "reveal":
            return self.reveal_scene(state)
        if state.phase == "over":
            return "over", ("GAME OVER", {}), ("HOLD TO START", {})
        if state.phase == "lead":
            return "lead", ("{name}", {"name": state.turn}), ("NAME A RANK", {})
        headline: Text = ("{name}: {rank}", rank_of(state.owner, state.rank))
        if state.phase == "last_call":
            return "last_call", headline, ("LAST CARDS!\nDOUBT?", {})
        return "rounds", headline, ("DOUBT? SLAP!" if state.window is not None else "TAP = NEXT\nHOLD = DO IT", {})

    def public(self, state: Any) -> dict[str, Any]:
        return super().public(state) | {"rank": state.rank, "owner": state.owner, "aside": state.aside}
