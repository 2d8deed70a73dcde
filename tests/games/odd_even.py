"""A toy: two seats say odd or even. The dealer's left wins a round when both said the same, the other when not.

The rules of a new game in one file, as a stranger would write it; tests/games/test_new_game.py puts it on the list.

    guess --guess--> guess (the other seat) --guess--> guess (next round), or over
"""

from typing import Any

from msgspec.structs import replace

from doubtable.cards import left_of
from doubtable.events import event
from doubtable.games.base import Act, Choice, Game, GameState, Outcome, Refused, Start, Strip, Text
from doubtable.games.options import Option

SAYS = ("odd", "even")


class OddEvenState(GameState, frozen=True, kw_only=True):
    """What the first of the two ``said``, and the rounds that each seat has ``won``."""

    said: str = ""
    won: dict[int, int] = {}


class OddEven(Game):
    """The rules of the toy."""

    id = "odd-even"
    title = "Odd or Even"
    players = (2, 2)
    rules = "Both say odd or even. The same: the dealer's left wins the round, else the dealer."
    options_known = {"rounds": Option(2, range(1, 10), "rounds that win", "ROUNDS\nTHAT WIN")}
    state_type = OddEvenState
    lock_events = ("guess",)

    def begin(self, dealer: int, start: Start | None, ns: int) -> Outcome:
        first = left_of(dealer, self.seats)
        state = OddEvenState(phase="guess", dealer=dealer, turn=first)
        return state, (event("turn", ns, seat=first),)

    def guess(self, state: Any, act: Act, ns: int) -> Outcome:
        """One of the two says it; the second word decides the round."""
        if act.says not in SAYS:
            raise Refused("say odd or even")
        if act.seat != state.turn:
            raise Refused(f"it is the turn of seat {state.turn}")
        other = left_of(act.seat, self.seats)
        told = event("guess", ns, seat=act.seat)
        state = replace(state, turn=other, locks=state.locks + 1, step=state.step + 1)
        if not state.said:
            return replace(state, said=act.says), (told, event("turn", ns, seat=other))
        winner = other if state.said == act.says else act.seat
        won = {**state.won, winner: state.won.get(winner, 0) + 1}
        state = replace(state, said="", won=won)
        if won[winner] < int(str(self.options["rounds"])):
            return state, (told, event("turn", ns, seat=other))
        scores = tuple((1 if seat == winner else -1) if seat in self.seats else 0 for seat in range(1, self.size + 1))
        over = replace(state, phase="over", turn=None, scores=scores)
        return over, (told, event("win", ns, seat=winner), event("over", ns, scores=list(scores)))

    acts = {"guess": (("guess",), guess)}

    def strip(self, state: Any, seat: int, ns: int) -> Strip | None:
        if seat != state.turn:
            return None
        return Strip(
            f"guess{state.step}", tuple(Choice((each.upper(),), Act(seat, "guess", says=each)) for each in SAYS)
        )

    def scene(self, state: Any, ns: int) -> tuple[str, Text, Text]:
        return state.phase, ("ODD OR EVEN?", {}), ("TAP = NEXT\nHOLD = DO IT", {})
