"""The reveal: the packet goes card by card over the reader, and something settles the claim.

The first wrong card settles it; after the last right card one more within ``any_more`` makes the claim false, else it
is true then. Cards missing: no verdict, only a word after ``missing``. Either side may give in against itself. Without
a reader (or long after ``missing``) the table agrees, see agreement.py.
"""

from typing import Any

from msgspec.structs import replace

from doubtable.cards import Card
from doubtable.events import Event, event
from doubtable.games import agreement
from doubtable.games.agreement import MISSING_AGREE, READER_LOST
from doubtable.games.base import CROSSWISE, NO_READER, QUIET, Act, Choice, Outcome, Refused, Strip, Text
from doubtable.games.piles import PileGame, Reveal
from doubtable.games.shown import card_event, card_id


class RevealGame(PileGame):
    """A pile game whose doubted packet is shown on the reader."""

    counts_more = True  # a packet of several cards: one more than announced is a lie

    def reveal_rank(self, state: Any) -> str:
        """The rank by which the packet is judged."""
        return str(state.claim.rank)

    def decided(self, state: Any, doubter: int, ns: int, facts: Any) -> Outcome:
        reveal = self.opened(state, self.reveal_rank(state), state.claim.count, ns)
        doubted = replace(state, doubter=doubter, phase="reveal", reveal=reveal, card_shown=False)
        shut, closed = self.closed(doubted, ns)
        return shut, (event("doubt", facts["ns"], seat=doubter, of=state.claim.seat, **facts["race"]), closed)

    def opened(self, state: Any, rank: str, count: int, ns: int) -> Reveal:
        """A reveal that begins at ``ns``: ``count`` cards of ``rank`` are to be shown."""
        return Reveal(
            rank=rank,
            count=count,
            counted=ns,
            missing=ns + self.timing.missing,
            agree_at=None if state.reader_lost is None else max(ns, state.reader_lost) + READER_LOST,
            window=state.window,
        )

    # Cards ------------------------------------------------------------------------------------------------------

    def card(self, state: Any, act: Act, ns: int) -> Outcome:
        """A card lies on the reader. The same card twice counts once."""
        reveal, card = state.reveal, act.card
        if card is None:
            raise Refused("card: no card named")
        if reveal.agreeing:
            agreement.card_counts(self.parties(state), reveal.said, state.reader_lost)
        if card in reveal.shown:
            return state, ()
        ok = card.rank == reveal.rank
        events = self.told_of(state, act, state.claim.seat, ok, ns)
        shown = (*reveal.shown, card)
        full = len(shown) == reveal.count and ok
        waiting = replace(
            reveal,
            shown=shown,
            counted=ns,
            agreeing=False,
            said={},
            any_more=ns + self.timing.any_more if full and self.counts_more else None,
            missing=None if full else ns + self.timing.missing,
            agree_at=reveal.agree_at if state.reader_lost is not None else None,
        )
        state = replace(state, reveal=waiting, card_shown=True)
        if not ok or len(shown) > reveal.count:
            return self._with(events, self.verdict(state, False, ns))
        if full and not self.counts_more:
            return self._with(events, self.verdict(state, True, ns))
        return state, tuple(events)

    def told_of(self, state: Any, act: Act, holder: int, ok: bool, ns: int) -> list[Event]:
        """A card of ``holder`` was shown: by the reader or by hand, and whether it is known to be elsewhere."""
        card = act.card
        assert card is not None
        events = [card_event(act, ok, ns)]
        where = state.known.get(card_id(card))
        if where is not None and where != holder:
            events.append(event("elsewhere", ns, card=str(card), seat=where or None))
        return events

    @staticmethod
    def _with(events: list[Event], outcome: Outcome) -> Outcome:
        return outcome[0], (*events, *outcome[1])

    def give_in(self, state: Any, act: Act, ns: int) -> Outcome:
        """Against itself only: the claimant says it was a lie, the doubter that it was true."""
        if state.reveal.agreeing:
            raise Refused("the cards are turned over: say true or lie")
        if act.seat not in (state.claim.seat, state.doubter):
            raise Refused(f"seat {act.seat} has no part in this doubt")
        return self.verdict(state, act.seat == state.doubter, ns)

    def involved(self, state: Any) -> tuple[int, ...]:
        """Whose cards are shown, and who doubts them; the last one shows them."""
        return state.claim.seat, state.doubter

    def parties(self, state: Any) -> tuple[int, ...]:
        """Who says first what the cards are that were turned over; nobody when one of them has got up."""
        involved = self.involved(state)
        return involved if not set(involved) & set(state.leaving) else ()

    def others(self, state: Any) -> tuple[int, ...]:
        """Who votes if those do not agree."""
        return tuple(seat for seat in self.in_play(state) if seat not in self.involved(state))

    def asked(self, state: Any) -> tuple[int, ...]:
        """Who may say now what the cards are."""
        return agreement.asked(self.parties(state), self.others(state), state.reveal.said)

    def awaited(self, state: Any) -> int | None:
        """Who shows the cards; when the table agrees, who has said nothing yet."""
        if state.reveal is None:
            return super().awaited(state)
        if state.reveal.agreeing:
            return next((seat for seat in self.asked(state) if seat not in state.reveal.said), None)
        return self.involved(state)[-1]

    def agree(self, state: Any, act: Act, ns: int) -> Outcome:
        """What a seat says of the cards that were turned over."""
        reveal = state.reveal
        if not reveal.agreeing:
            raise Refused("the reader is there: show the cards")
        said = agreement.spoken(reveal.said, self.asked(state), act)
        return self.agreed(replace(state, reveal=replace(reveal, said=said)), ns)

    def agreed(self, state: Any, ns: int) -> Outcome:
        """The verdict, once all who are asked have said what they see."""
        true = agreement.verdict(self.parties(state), self.others(state), state.reveal.said)
        return (state, ()) if true is None else self.by_agreement(state, true, ns)

    def by_agreement(self, state: Any, true: bool, ns: int) -> Outcome:
        """What follows from what was agreed."""
        return self.verdict(replace(state, card_shown=True), true, ns, agreed=True)

    def undo_doubt(self, state: Any, act: Act, ns: int) -> Outcome:
        """Before the first card the doubt is taken back; that seat is out of the reopened window."""
        if state.card_shown:
            raise Refused("a card has been shown: the doubt stands")
        window = state.reveal.window
        barred = (*window.barred, state.doubter)
        phase = "last_call" if state.claim.last else self.doubt_phase
        back = replace(state, doubter=None, reveal=None, phase=phase)
        back = self.reopen(back, ns, before=QUIET, barred=barred, unseen=window.unseen, corrected=True)
        return back, (event("window", ns, state="open", again=True), event("read_levels", ns))

    doubt_phase = "doubt"

    def leave(self, state: Any, act: Act, ns: int) -> Outcome:
        """Who was asked what the cards are and leaves is asked no more."""
        state, events = super().leave(state, act, ns)
        if state.reveal is None or not state.reveal.agreeing:
            return state, events
        state, more = self.agreed(state, ns)
        return state, (*events, *more)

    # Reader and time --------------------------------------------------------------------------------------------

    def reader(self, state: Any, up: bool, ns: int) -> Any:
        """The reader came back or is gone."""
        if up == (state.reader_lost is None):
            return state  # that is known
        reveal = state.reveal
        if reveal is not None and not up:
            reveal = replace(reveal, agree_at=ns + READER_LOST if reveal.agree_at is None else reveal.agree_at)
        elif reveal is not None and not all(seat in reveal.said for seat in self.parties(state)):
            reveal = self.waits_again(reveal, ns)
        return replace(state, reader_lost=None if up else ns, reveal=reveal)

    def waits_again(self, reveal: Reveal, ns: int) -> Reveal:
        """Cards are waited for from ``ns`` on: those that are missing are told, and long after it the table agrees."""
        told = reveal.missing is None and reveal.any_more is None
        agree_at = ns + MISSING_AGREE if told else None
        missing = ns + self.timing.missing if reveal.agreeing and reveal.missing is not None else reveal.missing
        return replace(reveal, agreeing=False, said={}, missing=missing, agree_at=agree_at)

    def due(self, state: Any) -> int | None:
        times = [state.window.closes] if state.window is not None else []
        reveal = state.reveal
        if reveal is not None and not reveal.agreeing:
            times += [reveal.missing, reveal.agree_at] if reveal.any_more is None else [reveal.any_more]
        return min((ns for ns in times if ns is not None), default=None)

    def pass_time(self, state: Any, ns: int) -> Outcome:
        reveal = state.reveal
        if reveal is None:
            return self.time_is_up(state, ns)
        if reveal.any_more == ns:
            return self.verdict(state, True, ns)
        if reveal.missing == ns:
            later = replace(reveal, missing=None, agree_at=reveal.agree_at or ns + MISSING_AGREE)
            return replace(state, reveal=later), (event("missing", ns, count=reveal.count - len(reveal.shown)),)
        turned = replace(reveal, agreeing=True, said={}, agree_at=None)
        return replace(state, reveal=turned), (event("agree", ns),)

    def time_is_up(self, state: Any, ns: int) -> Outcome:
        """The window closes by itself at ``ns``."""
        raise NotImplementedError

    # What is seen -----------------------------------------------------------------------------------------------

    def reveal_scene(self, state: Any) -> tuple[str, Text, Text]:
        """Who shows whose cards."""
        claim, reveal = state.claim, state.reveal
        said = ("CLAIM", {"count": claim.count, "rank": reveal.rank})
        headline: Text = ("{name}: {claim}", {"name": claim.seat, "claim": said})
        if reveal.agreeing:
            return "agree", headline, ("TRUE OR LIE?", {})
        if reveal.any_more is not None:
            return "any_more", headline, ("ANY MORE?", {})
        values = {"name": state.doubter, "other": claim.seat, "count": claim.count}
        return "reveal", headline, ("{name}: SHOW\n{other}'S {count} CARD", values)

    # Strips -----------------------------------------------------------------------------------------------------

    def reveal_strip(self, state: Any, seat: int) -> Strip | None:
        """What a seat may press in a reveal: give in, or say what the turned cards were."""
        reveal, key = state.reveal, f"reveal{state.step}"
        if reveal.agreeing:
            return agreement.strip(key, self.parties(state), self.others(state), reveal.said, seat)
        return Strip(key, (Choice(("GIVE IN",), Act(seat, "give_in")),)) if seat in self.involved(state) else None

    def winners(self, state: Any) -> tuple[int, ...]:
        return tuple(state.out[:1] or state.winners)

    def tip(self, state: Any) -> Text | None:
        """Until everybody has laid a packet once."""
        laying = state.claim is None and state.doubter is None and state.phase != "over"
        return CROSSWISE if laying and state.locks < len(self.seats) else None

    def notices(self, state: Any) -> tuple[Text, ...]:
        return () if state.reader_lost is None else (NO_READER,)

    def shown(self, state: Any) -> tuple[tuple[Card, bool], ...]:
        reveal = state.reveal
        return () if reveal is None else tuple((card, card.rank == reveal.rank) for card in reveal.shown)

    def shown_already(self, state: Any, card: Card, ns: int) -> bool:
        reveal = state.reveal
        shown = reveal is not None and self.card_of(state, card) in reveal.shown
        return bool(shown and not reveal.agreeing and ns > reveal.counted)

    def to_show(self, state: Any) -> int:
        return 0 if state.reveal is None else int(state.reveal.count)

    def cards_missing(self, state: Any) -> int:
        reveal = state.reveal
        said = reveal is not None and reveal.missing is None and not reveal.agreeing
        return max(0, reveal.count - len(reveal.shown)) if said else 0
