"""Liar Poker: one hand of five cards goes round, and what is said of it only rises.

Theory. A volunteer takes five cards and declares a poker hand, genuine or not. Only the seat to its left answers,
unseen:
TAKE IT, and the hand passes; the receiver looks, changes 0-4 cards once and declares higher. Or LIAR, and the holder
shows just enough cards. Genuine is what the hand contains: then the challenger gets a penalty point, else the holder.
The seat that got the point starts the next round. The first with `points` points loses the game. Without a reader (or
long after cards were missing) holder and challenger agree on the cards, see agreement.py.

    volunteer --race--> declare --declare--> respond --accept--> draw --draw--> declare
                                                |  liar
                                                v
                                              prove --shown, given up--> declare (next round), or over
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

from msgspec.structs import replace

from doubtable.cards import PACK_SIZE, left_of
from doubtable.events import Event, event
from doubtable.games import poker_hands
from doubtable.games.base import QUIET, SLAP, STRIP, Act, Choice, Outcome, Refused, Start, Strip, Text, Window
from doubtable.games.options import Option, OptionError
from doubtable.games.proofs import HAND, NOTHING_SHOWN, ProofGame, ProofState
from doubtable.timing import Timing

MOST_POINTS = 20
TURN_ACTS = ("declare", "accept", "liar", "draw", "show", "give_up")  # only the seat on turn does them


@cache
def _declaring(level: str, seat: int) -> tuple[Choice, ...]:
    """A choice for every declaration of ``level``, rising: hundreds, which every press and every picture asks for."""
    every = poker_hands.declarations(level)
    return tuple(Choice((each.category, *each.ranks), Act(seat, "declare", hand=str(each))) for each in every)


class PokerState(ProofState, frozen=True, kw_only=True):
    """How many cards are ``handed`` out, how many the ``stock`` holds then, and whether the earlier discards had to be
    ``shuffled`` for it; who has ``lost`` the game. In ``scores`` a penalty point is one chip lost.
    """

    handed: int = 0
    stock: int = PACK_SIZE
    shuffled: bool = False
    lost: int | None = None


class LiarPoker(ProofGame):
    """The rules of Liar Poker."""

    id = "liar-poker"
    title = "Liar Poker"
    players = (2, 8)
    penalty = True
    rules = (
        "Five cards go round face down. Say what poker hand they are, true or not, higher every time.\n"
        "Your left takes them unseen, may change up to four, and must say more. Or calls you a LIAR.\n"
        "Show it and the caller gets a point, else you do. Too many points lose."
    )
    options_known: ClassVar[Mapping[str, Option]] = {
        "detail": Option("named", poker_hands.LEVELS, "309 hands, or 100 simple ones", "309 HANDS,\nOR 100 SIMPLE"),
        "points": Option(
            0,
            range(0, MOST_POINTS + 1),
            "points that lose, 0: 5 up to four players, 3 from five",
            "POINTS THAT LOSE\n0 = BY PLAYERS",
            (0, 1, 2, 3, 4, 5, 7, 10),
        ),
    }
    minutes = 8
    state_type = PokerState
    press_acts = ("doubt", "volunteer")
    lock_events = ("declare",)

    def __init__(self, seats: tuple[int, ...], size: int, options: Mapping[str, object], timing: Timing) -> None:
        super().__init__(seats, size, options, timing)
        self.level = str(self.options["detail"])
        self.list = poker_hands.declarations(self.level)
        self.loses_at = int(str(self.options["points"])) or (5 if len(seats) <= 4 else 3)

    def begin(self, dealer: int, start: Start | None, ns: int) -> Outcome:
        nobody = (0,) * self.size
        points = nobody if start is None or start.points is None else start.points
        if len(points) != self.size:
            raise OptionError(f"start: {len(points)} points for {self.size} seats")
        state = PokerState(
            phase="volunteer",
            dealer=dealer,
            hands=nobody,
            scores=tuple(-count for count in points),
            window=Window(opened=ns, claimant=dealer, before=QUIET, everyone=True),
        )
        return state, (event("deal", ns, hands=list(nobody)),)

    # Who acts -----------------------------------------------------------------------------------------------------

    def responder(self, state: PokerState) -> int:
        """The seat left of the holder."""
        return left_of(state.holder or 1, self.occupied(state))

    def hand_out(self, state: PokerState) -> int:
        """Who deals: whoever is neither holder nor responder; with two players the responder."""
        others = [seat for seat in self.occupied(state) if seat not in (state.holder, self.responder(state))]
        return left_of(self.responder(state), others) if others else self.responder(state)

    def points(self, state: PokerState) -> tuple[int, ...]:
        """Penalty points by seat, seat 1 first."""
        return tuple(-score for score in state.scores)

    def loser(self, state: PokerState) -> int | None:
        return state.lost

    def winners(self, state: PokerState) -> tuple[int, ...]:
        """Of a game that ended before anybody had lost: the sole fewest points."""
        if state.phase != "over" or state.lost is not None:
            return ()
        points, seats = self.points(state), self.occupied(state)
        best = [seat for seat in seats if points[seat - 1] == min(points[each - 1] for each in seats)]
        return tuple(best) if len(best) == 1 else ()

    def turn_event(self, state: PokerState, ns: int) -> Event:
        return event("turn", ns, seat=state.turn, phase=state.phase)

    def decided(self, state: Any, doubter: int, ns: int, facts: Mapping[str, Any]) -> Outcome:
        """The first slap volunteers."""
        return self.round(replace(state, window=None), doubter, ns)

    def again(self, state: Any, ns: int) -> Outcome:
        window = replace(state.window, opened=ns, before=QUIET)
        return replace(state, window=window), (event("window", ns, state="open", again=True),)

    def resume(self, state: Any, ns: int, gap: int) -> Any:
        if state.window is not None:
            state, _ = self.again(state, ns)
        return super().resume(state, ns, gap)

    def round(self, state: Any, starter: int, ns: int) -> Outcome:
        """``starter`` gets five cards and declares."""
        hands = tuple(HAND if seat == starter else 0 for seat in range(1, self.size + 1))
        fresh = replace(
            state,
            phase="declare",
            turn=starter,
            holder=starter,
            hands=hands,
            declared=-1,
            challenger=None,
            doubter=None,
            **NOTHING_SHOWN,
            handed=HAND,
            stock=PACK_SIZE - HAND,
            shuffled=False,
            step=state.step + 1,
        )
        return fresh, (event("hands", ns, hands=list(hands), pile=0), self.turn_event(fresh, ns))

    # Acts ---------------------------------------------------------------------------------------------------------

    def apply(self, state: Any, act: Act, ns: int) -> Outcome:
        if act.name in TURN_ACTS and state.phase in self.acts[act.name][0] and act.seat != state.turn:
            raise Refused(f"that is for seat {state.turn} to say")
        return super().apply(state, act, ns)

    def declare(self, state: Any, act: Act, ns: int) -> Outcome:
        """Strictly higher than the last declaration."""
        try:
            declaration = poker_hands.parse(act.hand, self.level)
        except poker_hands.DeclarationError as error:
            raise Refused(str(error)) from error
        place = poker_hands.index(declaration, self.level)
        if place <= state.declared:
            raise Refused(f"{declaration} is not higher than {self.list[state.declared]}")
        told = event("declare", ns, seat=act.seat, hand=str(declaration), index=place)
        state = replace(state, phase="respond", declared=place, turn=self.responder(state), step=state.step + 1)
        state = replace(state, locks=state.locks + 1, card_shown=False)
        return state, (told, self.turn_event(state, ns))

    def accept(self, state: Any, act: Act, ns: int) -> Outcome:
        """The hand passes unseen. After the highest declaration there is nothing left to say, so only LIAR."""
        if state.declared == len(self.list) - 1:
            raise Refused("nothing is higher: only LIAR is left")
        hands = tuple(HAND if seat == act.seat else 0 for seat in range(1, self.size + 1))
        state = replace(state, phase="draw", holder=act.seat, hands=hands, step=state.step + 1)
        told = event("accept", ns, seat=act.seat, count=HAND)
        return state, (told, self.turn_event(state, ns))

    def draw(self, state: Any, act: Act, ns: int) -> Outcome:
        """0 to 4 cards are changed, once; the number is public. If the stock does not suffice, all earlier discards
        are shuffled into it; those just thrown are not.
        """
        if act.count is None or not 0 <= act.count < HAND:
            raise Refused(f"0 to {HAND - 1} cards are changed, not {act.count}")
        shuffled = act.count > state.stock
        stock = (PACK_SIZE - HAND if shuffled else state.stock) - act.count
        state = replace(state, phase="declare", handed=act.count, stock=stock, shuffled=shuffled, step=state.step + 1)
        return state, (event("draw", ns, seat=act.seat, count=act.count), self.turn_event(state, ns))

    def liar(self, state: Any, act: Act, ns: int) -> Outcome:
        """The seat to the left does not believe it."""
        state = replace(
            state, phase="prove", challenger=act.seat, doubter=act.seat, turn=state.holder, step=state.step + 1
        )
        return state, (event("liar", ns, seat=act.seat, of=state.holder), self.turn_event(state, ns))

    def give_up(self, state: Any, act: Act, ns: int) -> Outcome:
        """The holder need not show anything."""
        return self.not_genuine(state, ns, event("gave_up", ns, seat=state.holder))

    def genuine(self, state: Any, ns: int, *told: Event, **facts: Any) -> Outcome:
        proved = event("proved", ns, seat=state.holder, **facts)
        state, events = self.point(state, state.challenger, ns, **facts)
        return state, (*told, proved, *events)

    def not_genuine(self, state: Any, ns: int, *told: Event, **facts: Any) -> Outcome:
        state, events = self.point(state, state.holder, ns, **facts)
        return state, (*told, *events)

    def point(self, state: Any, seat: int, ns: int, **facts: Any) -> Outcome:
        """``seat`` gets a penalty point; it starts the next round, or has lost."""
        points = self.points(state)[seat - 1] + 1
        state = replace(state, scores=state.scores[: seat - 1] + (-points,) + state.scores[seat:])
        told = event("point", ns, seat=seat, points=points, **facts)
        if points >= self.loses_at:
            over, events = self.over(state, ns, loser=seat)
            return over, (told, *events)
        fresh, events = self.round(state, seat, ns)
        return fresh, (told, *events)

    def over(self, state: Any, ns: int, loser: int | None = None) -> Outcome:
        done = replace(state, phase="over", turn=None, window=None, doubter=None, lost=loser, **NOTHING_SHOWN)
        facts = {"penalty": True} | ({"loser": loser} if loser is not None else {})
        points = list(self.points(state))
        places = [*sorted(self.occupied(state), key=lambda seat: (points[seat - 1], seat)), *reversed(state.gone)]
        return done, (event("over", ns, scores=points, places=places, **facts),)

    # Leaving ------------------------------------------------------------------------------------------------------

    def leave(self, state: Any, act: Act, ns: int) -> Outcome:
        """The holder or the challenger leaving voids the round; a responder's left responds."""
        seat = act.of or act.seat
        if seat not in self.occupied(state):
            raise Refused(f"seat {seat} is not in the game")
        successor = left_of(seat, self.occupied(state))
        left = replace(state, gone=(*state.gone, seat))
        if len(self.occupied(left)) < self.players[0]:
            return self.over(left, ns)
        if state.phase == "volunteer":
            return left, ()
        if seat in (state.holder, state.challenger):
            return self.round(left, left_of(state.holder, self.occupied(left)), ns)
        if seat == state.turn:
            left = replace(left, turn=successor, step=state.step + 1)
            return left, (self.turn_event(left, ns),)
        return self.agreed(left, ns) if left.agreeing else (left, ())

    acts = {
        "declare": (("declare",), declare),
        "accept": (("respond",), accept),
        "liar": (("respond",), liar),
        "draw": (("draw",), draw),
        "show": (("prove",), ProofGame.show),
        "give_up": (("prove",), give_up),
        "card": (("prove",), ProofGame.card),
        "agree": (("prove",), ProofGame.agree),
        "leave": (("volunteer", "declare", "respond", "draw", "prove"), leave),
        "gone": (("volunteer", "declare", "respond", "draw", "prove"), leave),
    }

    # Buttons ------------------------------------------------------------------------------------------------------

    def press(self, state: Any, seat: int, ns: int) -> str | None:
        if seat not in self.occupied(state):
            return None
        if state.phase == "volunteer":
            return SLAP
        return STRIP if self.strip(state, seat, ns) else None

    def strip(self, state: Any, seat: int, ns: int) -> Strip | None:
        if state.agreeing:
            return self.agreement_strip(state, seat)
        if seat != state.turn or state.phase == "over":
            return None
        return Strip(f"{state.phase}{state.step}", self.choices(state, seat))

    def choices(self, state: Any, seat: int) -> tuple[Choice, ...]:
        """What the seat on turn may say, in the order of its strip."""
        match state.phase:
            case "declare":
                return _declaring(self.level, seat)[state.declared + 1 :]
            case "respond":
                liar = Choice(("LIAR!",), Act(seat, "liar"))
                highest = state.declared == len(self.list) - 1
                return (liar,) if highest else (Choice(("TAKE IT",), Act(seat, "accept")), liar)
            case "draw":
                return tuple(Choice((str(count),), Act(seat, "draw", count)) for count in range(HAND))
            case _:
                give_up = Choice(("GIVE UP",), Act(seat, "give_up"))
                return (give_up,) if state.showing else (Choice(("SHOW",), Act(seat, "show")), give_up)

    # What is seen -------------------------------------------------------------------------------------------------

    def scene(self, state: Any, ns: int) -> tuple[str, Text, Text]:
        said: Text = ("{name}", {"name": state.turn})
        if state.declared >= 0 and state.holder is not None:
            hand = ("HAND", {"hand": str(self.list[state.declared])})
            said = ("{name}: {hand}", {"name": state.holder, "hand": hand})
        helps: dict[str, Text] = {
            "volunteer": ("WHO STARTS? SLAP!", {}),
            "declare": self.dealing(state),
            "respond": ("TAP = NEXT\nHOLD = DO IT", {}),
            "draw": ("HOW MANY NEW?", {}),
            "prove": ("{name}: SHOW", {"name": state.holder}),
            "over": ("HOLD TO START", {}),
        }
        if state.agreeing:
            return "agree", said, ("TRUE OR LIE?", {})
        if state.phase == "volunteer":
            said = ("LIAR POKER", {})
        if state.phase == "over":
            said = ("GAME OVER", {})
        return state.phase, said, helps[state.phase]

    def dealing(self, state: Any) -> Text:
        """How many cards are handed out to whom, while the holder thinks."""
        if not state.handed:
            return "TAP = NEXT\nHOLD = DO IT", {}
        names = {"name": self.hand_out(state), "other": state.holder}
        return "{name}: {count} CARDS\nTO {other}", {**names, "count": state.handed}

    def notices(self, state: Any) -> tuple[Text, ...]:
        shuffle: tuple[Text, ...] = (("SHUFFLE DISCARDS", {}),) if state.shuffled and state.phase == "declare" else ()
        return (*super().notices(state), *shuffle)

    def declared(self, state: Any) -> str | None:
        return None if state.declared < 0 else str(self.list[state.declared])

    def public(self, state: Any) -> dict[str, Any]:
        return super().public(state) | {
            "points": list(self.points(state)),
            "holder": state.holder,
            "declared": self.declared(state),
        }
