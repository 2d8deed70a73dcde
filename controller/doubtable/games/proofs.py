"""Liar Poker's proof: the holder shows cards of its hand on the reader until they contain what was declared.

After SHOW every new card may settle it; five that do not contain the declaration are not genuine. Cards missing: only a
word after ``missing``. Without a reader (or long after that word) the table agrees, see agreement.py; the holder may
give up all the while.
"""

from typing import Any

from msgspec.structs import replace

from doubtable.cards import Card
from doubtable.events import Event, event
from doubtable.games import agreement, poker_hands
from doubtable.games.agreement import MISSING_AGREE, READER_LOST
from doubtable.games.base import NO_READER, Act, Game, GameState, Outcome, Refused, Strip, Text
from doubtable.games.poker_hands import Declaration
from doubtable.games.shown import card_event

HAND = 5
NOTHING_SHOWN: dict[str, Any] = {
    **{"shown": (), "showing": False, "counted": 0},
    **{"missing": None, "agree_at": None, "agreeing": False, "said": {}},
}


class ProofState(GameState, frozen=True, kw_only=True):
    """The hand's ``holder``, the ``challenger`` that called it a lie, the ``declared`` index (-1: nothing yet).

    Since SHOW (``showing``): the cards ``shown``, when the last of them was ``counted``, when some are said to be
    ``missing``, when the table may agree (``agree_at``, all ns), and what was said when it does (``agreeing``).
    """

    holder: int | None = None
    challenger: int | None = None
    declared: int = -1
    shown: tuple[Card, ...] = ()
    counted: int = 0
    showing: bool = False
    missing: int | None = None
    agree_at: int | None = None
    agreeing: bool = False
    said: dict[int, str] = {}
    reader_lost: int | None = None


class ProofGame(Game):
    """A game in which a declared hand of five cards is proved on the reader."""

    list: tuple[Declaration, ...]

    def genuine(self, state: Any, ns: int, *told: Event, **facts: Any) -> Outcome:
        """The hand contains what was declared."""
        raise NotImplementedError

    def not_genuine(self, state: Any, ns: int, *told: Event, **facts: Any) -> Outcome:
        """It does not, or the holder gave up."""
        raise NotImplementedError

    # Cards --------------------------------------------------------------------------------------------------------

    def show(self, state: Any, act: Act, ns: int) -> Outcome:
        """The holder shows cards on the reader; it may still give up."""
        if state.showing:
            raise Refused("show the cards on the reader, or give up")
        lost = state.reader_lost
        state = replace(
            state,
            showing=True,
            missing=ns + self.timing.missing,
            agree_at=None if lost is None else max(ns, lost) + READER_LOST,
            step=state.step + 1,
        )
        return state, (event("showing", ns, seat=state.holder),)

    def card(self, state: Any, act: Act, ns: int) -> Outcome:
        """A card of the hand is shown; the same one counts once."""
        card = act.card
        if card is None or not state.showing:
            raise Refused("SHOW comes first, then the cards")
        if state.agreeing:
            agreement.card_counts(self.parties(state), state.said, state.reader_lost)
        if card in state.shown:
            return state, ()
        shown = (*state.shown, card)
        proved = poker_hands.contains(self.list[state.declared], shown)
        told = card_event(act, proved or len(shown) < HAND, ns)
        state = replace(
            state,
            shown=shown,
            counted=ns,
            card_shown=True,
            missing=ns + self.timing.missing,
            agree_at=None if state.reader_lost is None else state.agree_at,
            agreeing=False,
            said={},
        )
        if proved:
            return self.genuine(state, ns, told)
        if len(shown) == HAND:
            return self.not_genuine(state, ns, told)
        return state, (told,)

    # Without a reader ---------------------------------------------------------------------------------------------

    def parties(self, state: Any) -> tuple[int, ...]:
        """Holder and challenger, who say first what they see."""
        return state.holder, state.challenger

    def others(self, state: Any) -> tuple[int, ...]:
        """Who votes if holder and challenger do not agree."""
        return tuple(seat for seat in self.occupied(state) if seat not in self.parties(state))

    def agree(self, state: Any, act: Act, ns: int) -> Outcome:
        """What a seat says of the cards that were turned over."""
        if not state.agreeing:
            raise Refused("the reader is there: show the cards")
        asked = agreement.asked(self.parties(state), self.others(state), state.said)
        return self.agreed(replace(state, said=agreement.spoken(state.said, asked, act)), ns)

    def agreed(self, state: Any, ns: int) -> Outcome:
        """Genuine or not, once all who are asked have said what they see."""
        true = agreement.verdict(self.parties(state), self.others(state), state.said)
        if true is None:
            return state, ()
        seen = replace(state, card_shown=True)
        return (self.genuine if true else self.not_genuine)(seen, ns, by_agreement=True)

    def reader(self, state: Any, up: bool, ns: int) -> Any:
        if not up:
            waits = state.showing and not state.agreeing and state.agree_at is None
            lost = ns if state.reader_lost is None else state.reader_lost
            return replace(state, reader_lost=lost, agree_at=ns + READER_LOST if waits else state.agree_at)
        if state.reader_lost is None:
            return state
        state = replace(state, reader_lost=None)
        both = state.agreeing and set(self.parties(state)) <= set(state.said)
        return state if both else self.waits_again(state, ns)

    def waits_again(self, state: Any, ns: int) -> Any:
        """Cards are waited for from ``ns`` on: those that are missing are told, and long after it the table agrees."""
        told = state.showing and state.missing is None
        agree_at = ns + MISSING_AGREE if told else None
        missing = ns + self.timing.missing if state.agreeing and state.missing is not None else state.missing
        return replace(state, agreeing=False, said={}, missing=missing, agree_at=agree_at)

    def due(self, state: Any) -> int | None:
        if state.agreeing:
            return None
        return min((ns for ns in (state.missing, state.agree_at) if ns is not None), default=None)

    def pass_time(self, state: Any, ns: int) -> Outcome:
        if state.missing == ns:
            later = replace(state, missing=None, agree_at=state.agree_at or ns + MISSING_AGREE)
            return later, (event("missing", ns, count=self.cards_missing(later)),)
        return replace(state, agreeing=True, said={}, agree_at=None), (event("agree", ns),)

    def awaited(self, state: Any) -> int | None:
        """When the table agrees, who has said nothing yet."""
        if not state.agreeing:
            return super().awaited(state)
        return next((seat for seat in (*self.parties(state), *self.others(state)) if seat not in state.said), None)

    def agreement_strip(self, state: Any, seat: int) -> Strip | None:
        """WAIT, TRUE, LIE for a seat that is asked."""
        return agreement.strip(f"prove{state.step}", self.parties(state), self.others(state), state.said, seat)

    def resume(self, state: Any, ns: int, gap: int) -> Any:
        missing = None if state.missing is None else ns + self.timing.missing
        agree_at = None if state.agree_at is None else ns + agreement.after(state.reader_lost)
        return replace(state, missing=missing, agree_at=agree_at)

    def shift(self, state: Any, by: int) -> Any:
        moved = {name: getattr(state, name) for name in ("missing", "agree_at")}
        return replace(state, **{name: ns if ns is None else ns + by for name, ns in moved.items()})

    # What is seen -------------------------------------------------------------------------------------------------

    def notices(self, state: Any) -> tuple[Text, ...]:
        return () if state.reader_lost is None else (NO_READER,)

    def shown(self, state: Any) -> tuple[tuple[Card, bool], ...]:
        if state.declared < 0:
            return ()
        return tuple(zip(state.shown, poker_hands.serving(self.list[state.declared], state.shown), strict=True))

    def to_show(self, state: Any) -> int:
        return self.list[state.declared].needed if state.phase == "prove" else 0

    def cards_missing(self, state: Any) -> int:
        if not state.showing or state.missing is not None or state.agreeing:
            return 0
        return max(1, self.to_show(state) - sum(right for _, right in self.shown(state)))

    def shown_already(self, state: Any, card: Card, ns: int) -> bool:
        return bool(
            state.showing and not state.agreeing and ns > state.counted and self.card_of(state, card) in state.shown
        )
