"""The last card of the game in rounds: who holds one card of the led rank shows it on the reader and wins.

Meanwhile the top card's window waits. The wrong card (or giving in) is a false show: the card goes back, the window
goes on, and the turn can only be passed. Without a reader the table agrees, as in a reveal.

    play --WIN--> reveal --the led rank--> over
                    '----another, given in--> play (PASS only)
"""

from typing import Any

from msgspec.structs import replace

from doubtable.events import Event, event
from doubtable.games import agreement
from doubtable.games.base import EARLY, Act, Outcome, Refused, Text
from doubtable.games.piles import PileState
from doubtable.games.reveals import RevealGame


class LastCardState(PileState, frozen=True, kw_only=True):
    """``rank`` was led; ``winning`` shows its last card since ``shown_at`` (ns), and the top card's window (in
    ``reveal``) waits for that.
    """

    rank: str | None = None
    winning: int | None = None
    shown_at: int = 0
    won_falsely: bool = False  # the seat on turn has shown a wrong card: no WIN, no PLAY


class LastCardGame(RevealGame):
    """A game in which a last card of the right rank wins by being shown."""

    def won(self, state: Any, seat: int, ns: int) -> Outcome:
        """``seat`` wins and is paid."""
        raise NotImplementedError

    def turn_event(self, state: Any, ns: int) -> Event:
        """Whose turn it is."""
        raise NotImplementedError

    def shows_last(self, state: Any, seat: int, ns: int) -> Outcome:
        """``seat`` is about to show its only card, of the led rank."""
        reveal = self.opened(state, str(state.rank), 1, ns)
        showing = replace(state, phase="reveal", winning=seat, reveal=reveal, shown_at=ns, window=None)
        shut = () if state.window is None else (event("window", ns, state="closed"),)
        return replace(showing, step=state.step + 1), (*shut, event("showing", ns, seat=seat))

    def card(self, state: Any, act: Act, ns: int) -> Outcome:
        if state.winning is None:
            return super().card(state, act, ns)
        if act.card is None:
            raise Refused("card: no card named")
        if state.reveal.agreeing:
            agreement.card_counts(self.parties(state), state.reveal.said, state.reader_lost)
        ok = act.card.rank == state.rank
        told = self.told_of(state, act, state.winning, ok, ns)
        return self._with(told, self.shown_to_win(replace(state, card_shown=True), ok, ns))

    def shown_to_win(self, state: Any, true: bool, ns: int) -> Outcome:
        """The card was of the led rank, or not."""
        if not true:
            return self.false_show(state, ns)
        return self.won(replace(state, reveal=None), state.winning, ns)

    def false_show(self, state: Any, ns: int) -> Outcome:
        """The card goes back; the top card's window goes on, and this turn can only be passed."""
        window, shown = state.reveal.window, ns - state.shown_at
        if window is not None:  # a press while it waited counts no more than in any other reveal
            closes = None if window.closes is None else window.closes + shown
            window = replace(window, opened=ns, before=EARLY, closes=closes)
        back = replace(state, phase="play", winning=None, window=window, reveal=None, won_falsely=True)
        reopened = () if window is None else (event("window", ns, state="open", again=True),)
        back = replace(back, step=state.step + 1)
        return back, (*reopened, self.turn_event(back, ns))

    def by_agreement(self, state: Any, true: bool, ns: int) -> Outcome:
        if state.winning is None:
            return super().by_agreement(state, true, ns)
        told = event("agreed", ns, seat=state.winning, true=true, by_agreement=True)
        return self._with([told], self.shown_to_win(replace(state, card_shown=True), true, ns))

    def involved(self, state: Any) -> tuple[int, ...]:
        return super().involved(state) if state.winning is None else (state.winning,)

    def give_in(self, state: Any, act: Act, ns: int) -> Outcome:
        if state.winning is None:
            return super().give_in(state, act, ns)
        if act.seat != state.winning:
            raise Refused(f"seat {state.winning} shows its card")
        if state.reveal.agreeing:
            raise Refused("the card is turned over: say true or lie")
        return self.false_show(state, ns)

    def undo_doubt(self, state: Any, act: Act, ns: int) -> Outcome:
        if state.winning is not None:
            raise Refused("nobody doubts: a card is shown to win")
        return super().undo_doubt(state, act, ns)

    def leave(self, state: Any, act: Act, ns: int) -> Outcome:
        """Who leaves while it shows its card has not won by it."""
        if (act.of or act.seat) == state.winning:
            state, _ = self.false_show(state, ns)
        return super().leave(state, act, ns)

    def over(self, state: Any, ns: int, **facts: Any) -> Outcome:
        return super().over(replace(state, winning=None), ns, **facts)

    def reveal_scene(self, state: Any) -> tuple[str, Text, Text]:
        if state.winning is None:
            return super().reveal_scene(state)
        headline: Text = ("{name}: {rank}?", rank_of(state.winning, state.rank))
        if state.reveal.agreeing:
            return "agree", headline, ("TRUE OR LIE?", {})
        return "win_show", headline, ("SHOW YOUR CARD", {})


def rank_of(seat: int | None, rank: str | None) -> dict[str, Any]:
    """The values of a text that names ``seat`` and one card of ``rank``."""
    return {"name": seat, "rank": ("RANK", {"rank": rank, "count": 1})}
