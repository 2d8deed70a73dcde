"""I Doubt It with an open rank.

Theory. As classic, but number and rank are both spoken. The number must be honest; the rank may be one that is not due,
by mistake or to fish for doubters. Pointed out ("wrong rank!") before a doubt and before the next turn, the claim is
restated with the due rank and its window starts anew; doubted first, it is judged by the rank that was declared. The
next due rank is one below the declared one, for good. Pointing out a rank that was right changes nothing, and that seat
cannot doubt this claim any more.

In `free` nobody is told which rank is due: neither screen, lamps, sounds nor log. In `auto` the table fills it in.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec.structs import replace

from doubtable.cards import RANKS, clockwise_from
from doubtable.events import Event, event
from doubtable.games.base import SLAP, SLAP_OR_CALL, Act, Choice, Outcome, Refused, Strip, Text
from doubtable.games.classic import Classic
from doubtable.games.options import YES_NO, Option
from doubtable.games.piles import Claim


@cache
def _spoken(choice: Choice) -> tuple[Choice, ...]:
    """``choice`` of a number with every rank; one that does nothing as it is."""
    act = choice.act
    if act is None:
        return (choice,)
    return tuple(Choice((*choice.path, rank), replace(act, rank=rank)) for rank in RANKS)


def _with_ranks(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    return tuple(longer for choice in choices for longer in _spoken(choice))


class WrongRank(Classic):
    """The rules of the game with an open rank."""

    id = "wrong-rank"
    title = "I Doubt It, open rank"
    players = (4, 12)
    rules = (
        "As classic, but you say number and rank. The number must be honest; the rank may be a wrong one.\n"
        "Who notices says WRONG RANK before a doubt: the claim is put right, and nobody pays.\n"
        "Doubted first, it is judged by what was said. The next rank is one below the one that was said."
    )
    options_known = {
        **{name: option for name, option in Classic.options_known.items() if name != "packs_at_5"},
        "rank_assist": Option(
            "free",
            ("free", "auto"),
            "you pick the rank, or the table fills in the due one",
            "FREE: YOU PICK\nAUTO: THE TABLE",
        ),
        "doubt_corrects": Option(
            False, YES_NO, "a doubted claim is judged by the due rank", "A DOUBT IS JUDGED\nBY THE DUE RANK"
        ),
    }
    two_packs_from = 7

    @property
    def free(self) -> bool:
        """Whether the claimant picks the rank."""
        return self.options["rank_assist"] == "free"

    def first_turn(self, dealer: int, hands: tuple[int, ...]) -> int:
        """The first seat from the dealer's left that holds the most cards."""
        order = clockwise_from(dealer, self.seats)
        return max(order, key=lambda seat: (hands[seat - 1], -order.index(seat)))

    def turn_event(self, state: Any, ns: int) -> Event:
        due = {} if self.free else {"due": state.due}
        return event("turn", ns, seat=state.turn, max=self.most(state, state.turn), **due)

    # Ranks --------------------------------------------------------------------------------------------------------

    def claimed_rank(self, state: Any, act: Act) -> str:
        if not self.free:
            return super().claimed_rank(state, act)
        if act.rank is None or act.rank not in RANKS or len(act.rank) != 1:
            raise Refused("a claim says its rank, A K Q J T 9 8 7 6 5 4 3 2")
        return act.rank

    def corrected_rank(self, state: Any, act: Act) -> str:
        if not self.free:
            return super().corrected_rank(state, act)
        if act.rank not in (state.claim.rank, state.due):
            raise Refused("that changes nothing")
        return str(act.rank)

    def wrong_rank(self, state: Any, act: Act, ns: int) -> Outcome:
        """Somebody says that the rank is not the due one."""
        claim, seat = state.claim, act.seat
        if not self.free:
            raise Refused("the table fills in the rank: it cannot be wrong")
        if seat == claim.seat or seat not in self.in_play(state) or seat in state.window.barred:
            raise Refused(f"seat {seat} cannot call this claim")
        if claim.rank == claim.due:
            window = state.window
            silent = replace(window, barred=(*window.barred, seat), unseen=(*window.unseen, seat))
            return replace(state, window=silent), ()
        corrected = state.window.corrected
        restated, events = self.restate(state, replace(claim, rank=claim.due), ns)
        window = replace(restated.window, corrected=corrected)
        return replace(restated, window=window), events

    def reveal_rank(self, state: Any) -> str:
        return str(state.claim.due if self.options["doubt_corrects"] else state.claim.rank)

    def after_verdict(self, state: Any, claim: Claim, doubter: int, true: bool, ns: int) -> Outcome:
        if self.options["doubt_corrects"]:
            claim = replace(claim, rank=claim.due)
        return super().after_verdict(state, claim, doubter, true, ns)

    acts = {**Classic.acts, "wrong_rank": (("doubt", "last_call"), wrong_rank)}

    # Buttons ------------------------------------------------------------------------------------------------------

    def press(self, state: Any, seat: int, ns: int) -> str | None:
        means = super().press(state, seat, ns)
        return SLAP_OR_CALL if means == SLAP and self.free else means

    def lamp(self, state: Any, seat: int) -> str | None:
        """That a call changed nothing is not shown."""
        window = state.window
        return "steady" if window is not None and seat in window.unseen and not self.pulses(state, seat) else None

    def lay_choices(self, state: Any, seat: int) -> tuple[Choice, ...]:
        numbers = super().lay_choices(state, seat)
        return _with_ranks(numbers) if self.free else numbers

    def doubt_choices(self, state: Any, seat: int) -> tuple[Choice, ...]:
        call = (Choice(("WRONG RANK",), Act(seat, "wrong_rank"), at_press=True),) if self.free else ()
        return (*super().doubt_choices(state, seat), *call)

    def claimant_strip(self, state: Any, seat: int) -> Strip | None:
        strip = super().claimant_strip(state, seat)
        return strip if strip is None or not self.free else Strip(strip.key, _with_ranks(strip.choices))

    # What is seen -------------------------------------------------------------------------------------------------

    def shown_due(self, state: Any) -> str | None:
        return None if self.free else super().shown_due(state)

    def chain_help(self, chosen: tuple[str, ...]) -> Text | None:
        return ("WHICH RANK?", {}) if chosen and chosen != ("CORRECT",) else None

    def window_scene(self, state: Any, ns: int) -> tuple[str, Text, Text]:
        scene, headline, words = super().window_scene(state, ns)
        if scene == "window" and self.free and ns < state.window.starts:
            words = ("DOUBT? SLAP!\nWRONG RANK? HOLD", {})
        return scene, headline, words
