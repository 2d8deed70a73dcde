"""The bell of a packet game: when its time is up the screen says LAST ROUND, and play goes on to the dealer.

Once the dealer's next claim is settled, fewest cards wins; a tie goes to more right doubts, then is shared: each loser
pays each winner. Closing time rings it too.
"""

from typing import Any

from msgspec.structs import replace

from doubtable.events import event
from doubtable.games.base import Outcome, Text
from doubtable.games.piles import PileState
from doubtable.games.reveals import RevealGame
from doubtable.timing import S

MINUTE = 60 * S


class BellState(PileState, frozen=True, kw_only=True):
    """``bell``: when LAST ROUND is said, in ns; ``last_round``: it has been said."""

    bell: int | None = None
    last_round: bool = False


class BellGame(RevealGame):
    """A packet game that may end by the bell; it asks in its own course whether the last round is over."""

    def bell_at(self, ns: int) -> int | None:
        """When the bell of a deal that begins at ``ns`` rings, as the option ``bell_min`` has it."""
        minutes = int(str(self.options["bell_min"]))
        return ns + minutes * MINUTE if minutes else None

    def ring(self, state: Any, ns: int) -> Outcome:
        """LAST ROUND is said, once."""
        if state.last_round or state.phase == "over":
            return state, ()
        return replace(state, bell=None, last_round=True), (event("last_round", ns),)

    def rung(self, state: Any, ns: int) -> Outcome:
        """The last round is over; with ``play_on`` the first place may have been paid already."""
        if state.out:
            return self.over(state, ns)
        best = min(self.standing(state, seat) for seat in self.in_play(state))
        winners = tuple(seat for seat in self.in_play(state) if self.standing(state, seat) == best)
        paid = self.pay(replace(state, winners=winners), *winners)
        over, more = self.over(paid, ns)
        return over, (*(event("win", ns, seat=seat, place=1) for seat in winners), *more)

    def standing(self, state: Any, seat: int) -> tuple[int, ...]:
        """What counts when the bell has rung, least first: cards held, then right doubts."""
        return state.hands[seat - 1], -state.right[seat - 1]

    # Time ---------------------------------------------------------------------------------------------------------

    def due(self, state: Any) -> int | None:
        bell = state.bell if state.phase != "over" else None
        return min((ns for ns in (super().due(state), bell) if ns is not None), default=None)

    def pass_time(self, state: Any, ns: int) -> Outcome:
        return self.ring(state, ns) if ns == state.bell else super().pass_time(state, ns)

    def resume(self, state: Any, ns: int, gap: int) -> Any:
        return self.later(super().resume(state, ns, gap), gap)

    def shift(self, state: Any, by: int) -> Any:
        return self.later(super().shift(state, by), by)

    def undone(self, state: Any, latest: Any) -> Any:
        """An undo takes back no time: the bell rings when it would have, and LAST ROUND stays said."""
        return replace(state, bell=latest.bell, last_round=latest.last_round)

    def later(self, state: Any, by: int) -> Any:
        """The bell does not count the ``by`` ns in which nobody could play."""
        return state if state.bell is None else replace(state, bell=state.bell + by)

    # What is seen -------------------------------------------------------------------------------------------------

    def notices(self, state: Any) -> tuple[Text, ...]:
        last: tuple[Text, ...] = (("LAST ROUND", {}),) if state.last_round else ()
        return (*last, *super().notices(state))
