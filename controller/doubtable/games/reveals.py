"""The reveal: the packet goes card by card over the reader, and something settles the claim.

The first wrong card settles it; after the last right card one more within ``any_more`` makes the claim false, else it
is
true then. Cards missing: no verdict, only a word after ``missing``. Either side may give in against itself. Without a
reader (or long after ``missing``) claimant and doubter say what they see; agreed is a verdict, else the others vote.
"""

from typing import Any

from msgspec.structs import replace

from doubtable.cards import Card
from doubtable.events import event
from doubtable.games.base import QUIET, Act, Choice, Outcome, Refused, Strip, Text
from doubtable.games.piles import MISSING_AGREE, READER_LOST, PileGame, Reveal, card_id

SAYS = ("true", "lie")
BY_READER = "reader"  # what the act of a card says that came over the reader, and not by hand


class RevealGame(PileGame):
    """A pile game whose doubted packet is shown on the reader."""

    counts_more = True  # a packet of several cards: one more than announced is a lie

    def reveal_rank(self, state: Any) -> str:
        """The rank by which the packet is judged."""
        return str(state.claim.rank)

    def decided(self, state: Any, doubter: int, ns: int, facts: Any) -> Outcome:
        reveal = Reveal(
            rank=self.reveal_rank(state),
            count=state.claim.count,
            counted=ns,
            missing=ns + self.timing.missing,
            agree_at=None if state.reader_lost is None else max(ns, state.reader_lost) + READER_LOST,
            window=state.window,
        )
        shut, closed = self.closed(replace(state, doubter=doubter, phase="reveal", reveal=reveal), ns)
        return shut, (event("doubt", facts["ns"], seat=doubter, of=state.claim.seat, **facts["race"]), closed)

    # Cards ------------------------------------------------------------------------------------------------------

    def card(self, state: Any, act: Act, ns: int) -> Outcome:
        """A card lies on the reader. The same card twice counts once."""
        reveal, card = state.reveal, act.card
        if card is None:
            raise Refused("card: no card named")
        if card in reveal.shown or reveal.agreeing:
            return state, ()
        ok = card.rank == reveal.rank
        events = [event("reveal", ns, card=str(card), ok=ok, **({"pack": card.pack} if card.pack != 1 else {}))]
        if act.says != BY_READER:
            events[0] = event("reveal", ns, **events[0].facts, by_hand=True)
        where = state.known.get(card_id(card))
        if where is not None and where != state.claim.seat:
            events.append(event("elsewhere", ns, card=str(card), seat=where or None))
        shown = (*reveal.shown, card)
        full = len(shown) == reveal.count and ok
        waiting = replace(
            reveal,
            shown=shown,
            counted=ns,
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

    @staticmethod
    def _with(events: list[Any], outcome: Outcome) -> Outcome:
        return outcome[0], (*events, *outcome[1])

    def give_in(self, state: Any, act: Act, ns: int) -> Outcome:
        """Against itself only: the claimant says it was a lie, the doubter that it was true."""
        if state.reveal.agreeing:
            raise Refused("the cards are turned over: say true or lie")
        if act.seat not in (state.claim.seat, state.doubter):
            raise Refused(f"seat {act.seat} has no part in this doubt")
        return self.verdict(state, act.seat == state.doubter, ns)

    def agree(self, state: Any, act: Act, ns: int) -> Outcome:
        """What a seat says of the cards that were turned over."""
        reveal, pair = state.reveal, (state.claim.seat, state.doubter)
        if not reveal.agreeing:
            raise Refused("the reader is there: show the cards")
        if act.says not in SAYS:
            raise Refused(f"agree: say true or lie, not {act.says}")
        both = all(seat in reveal.said for seat in pair)
        if (act.seat in pair) == both or (act.seat in reveal.said and act.seat not in pair):
            raise Refused(f"seat {act.seat} is not asked")
        state = replace(state, reveal=replace(reveal, said={**reveal.said, act.seat: act.says}))
        return self.agreed(state, ns)

    def agreed(self, state: Any, ns: int) -> Outcome:
        """The verdict, once all who are asked have said what they see; a tie is a lie."""
        said, pair = state.reveal.said, (state.claim.seat, state.doubter)
        if not all(seat in said for seat in pair):
            return state, ()
        if said[pair[0]] == said[pair[1]]:
            return self.verdict(state, said[pair[0]] == "true", ns, agreed=True)
        others = [seat for seat in self.in_play(state) if seat not in pair]
        if not all(seat in said for seat in others):
            return state, ()
        trues = sum(said[seat] == "true" for seat in others)
        return self.verdict(state, trues > len(others) - trues, ns, agreed=True)

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
        lost = None if up else (ns if state.reader_lost is None else state.reader_lost)
        reveal = state.reveal
        if reveal is not None:
            both = all(seat in reveal.said for seat in (state.claim.seat, state.doubter))
            if not up:
                reveal = replace(reveal, agree_at=ns + READER_LOST if reveal.agree_at is None else reveal.agree_at)
            elif not both:
                reveal = replace(reveal, agreeing=False, said={}, agree_at=None)
        return replace(state, reader_lost=lost, reveal=reveal)

    def due(self, state: Any) -> int | None:
        times = [state.window.closes] if state.window is not None else []
        if state.reveal is not None and not state.reveal.agreeing:
            times += [state.reveal.any_more, state.reveal.missing, state.reveal.agree_at]
        if state.bell is not None and state.phase != "over":
            times.append(state.bell)
        return min((ns for ns in times if ns is not None), default=None)

    def pass_time(self, state: Any, ns: int) -> Outcome:
        reveal = state.reveal
        if state.bell is not None and ns == state.bell:
            return replace(state, bell=None, last_round=True), (event("last_round", ns),)
        if reveal is None:
            return self.time_is_up(state, ns)
        if reveal.any_more == ns:
            return self.verdict(state, True, ns)
        if reveal.missing == ns:
            later = replace(reveal, missing=None, agree_at=reveal.agree_at or ns + MISSING_AGREE)
            return replace(state, reveal=later), (event("missing", ns, count=reveal.count - len(reveal.shown)),)
        turned = replace(reveal, agreeing=True, said={}, any_more=None, missing=None, agree_at=None)
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
        reveal, pair = state.reveal, (state.claim.seat, state.doubter)
        key = f"reveal{state.step}"
        if not reveal.agreeing:
            if seat not in pair:
                return None
            return Strip(key, (Choice(("GIVE IN",), Act(seat, "give_in")),))
        both = all(each in reveal.said for each in pair)
        asked = seat not in pair and seat in self.in_play(state) and seat not in reveal.said if both else seat in pair
        if not asked:
            return None
        says = tuple(Choice((word.upper(),), Act(seat, "agree", says=word)) for word in SAYS)
        return Strip(f"{key}agree{both}", (Choice(("WAIT",)), *says))


def shown_cards(state: Any) -> tuple[Card, ...]:
    """The cards of the reveal under way, in the order in which they were shown."""
    return () if getattr(state, "reveal", None) is None else state.reveal.shown
