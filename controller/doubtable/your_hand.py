"""The seat that you play: your real cards, those you mean to lay, those you may show, and a line that says how."""

from doubtable import entry, house
from doubtable.cards import RANKS, SUITS, Card
from doubtable.games.base import SLAP_OR_CALL, STRIP, Strip
from doubtable.keyboard import KEYS
from doubtable.players import People, showing
from doubtable.screen.lettering import SUIT_SIGNS
from doubtable.screen.words import RANK_NAMES

AS_LEFT = f"The table stands as it was left, with every card: hold key {KEYS[0]} to go on."
NEW_CARDS = f"As it was left: hold key {KEYS[0]} to go on. All hands are new, an open claim is true."

CHOOSE = "TAP for the next choice, HOLD to take it."
WAYS = (
    # The lobby, the deal, and what the house asks
    (("duel",), "press it: a reflex duel begins."),
    (("tune",), CHOOSE),
    (("set",), CHOOSE),
    (("sit",), "TAP to sit down or to get up again; who sits HOLDs to choose a game."),
    (("stop",), "TAP to stop the countdown."),
    (("practise",), "slap it while it is lit; then TAP, TAP, HOLD."),
    (("dealt",), "HOLD to say that the cards are dealt."),
    (("vote",), "TAP to the answer, HOLD to give it."),
    (("agree",), "TAP to what you see, TRUE or LIE, HOLD to say it."),
    (("pause",), CHOOSE),
    (("go_on",), "HOLD to go on."),
    # Your turn
    (("claim",), "click the cards that you lay, TAP once for each, HOLD to say it."),
    (("lead",), "click the card that you lay, TAP to the rank that you say, HOLD."),
    (("win",), "TAP to WIN to show your card, to PLAY to lay it face down, or to PASS; HOLD to do it."),
    (("doubt", "play"), "click the card that you lay; TAP to PLAY or PASS, HOLD to do it. HOLD at once to doubt."),
    (("play",), "click the card that you lay; TAP to PLAY or PASS, HOLD to do it."),
    (("draw",), "click the cards that you throw away, TAP once for each, HOLD to draw as many."),
    (("declare",), "TAP to what you say that the hand is, HOLD to say it."),
    (("accept", "liar"), "HOLD to TAKE IT, which gives you the hand, or TAP to LIAR! and HOLD."),
    (("liar",), "nothing is higher: HOLD to say LIAR!"),
    (("show",), "HOLD to SHOW the hand, or TAP to GIVE UP and HOLD."),
    # A claim that stands
    (("wrong_rank", "start"), "HOLD to doubt; TAP to WRONG RANK and HOLD; TAP on to start your turn."),
    (("wrong_rank", "let_go"), "HOLD to doubt; TAP to WRONG RANK or LET IT GO and HOLD."),
    (("wrong_rank",), "HOLD to doubt, or TAP to WRONG RANK and HOLD."),
    (("start",), "TAP to start your turn, or HOLD to doubt."),
    (("let_go",), "HOLD to doubt, or TAP to LET IT GO and HOLD."),
    (("doubt", "pass"), "HOLD to doubt, or TAP to PASS and HOLD; PLAY comes when the time to doubt is over."),
    (("doubt",), "HOLD to doubt."),
    (("pass",), "HOLD to PASS."),
    (("correct",), "your claim stands. TAP to CORRECT it, HOLD, and say what is right."),
    (("give_in",), "your cards are on their way to the reader; HOLD to give in."),
)
"""What you do on a strip that has acts of all these names; the first line that fits."""
THEN = {"claim": "TAP to the rank, true or not, HOLD to say it.", "correct": "TAP to what is right, HOLD to say it."}
"""The same once you are in the middle of a chain."""
LAID = {"claim", "lead", "play", "draw"}
SHOW = {
    "reveal": "You doubt: click the cards on the CLAIM spot, one by one; each goes onto the reader.",
    "win": "You win with this card: click it on the CLAIM spot; it goes onto the reader.",
    "prove": "Your proof: click the cards on the CLAIM spot, one by one, onto the reader; HOLD to give up.",
}


def in_order(card: Card) -> tuple[int, int, int]:
    """Aces first, then by suit and pack."""
    return RANKS.index(card.rank), SUITS.index(card.suit), card.pack


class YourHand:
    """Your cards among those of the simulated people. The core sees none of them."""

    def __init__(self, people: People, seat: int) -> None:
        self.people = people
        self.seat = seat

    @property
    def cards(self) -> tuple[Card, ...]:
        """What you hold, in order."""
        return tuple(sorted(self.people.cards.hands.get(self.seat, ()), key=in_order))

    @property
    def picked(self) -> tuple[Card, ...]:
        """What you mean to lay (or to throw away), in the order in which you picked it."""
        held = self.people.cards.hands.get(self.seat, ())
        return tuple(card for card in self.people.cards.meant.get(self.seat, ()) if card in held)

    def pick(self, card: Card) -> None:
        """Take a card of your hand out to be laid, or put it back."""
        picked = self.picked
        if card in picked:
            picked = tuple(other for other in picked if other != card)
        elif card in self.cards:
            picked = (*picked, card)
        self.people.cards.meant[self.seat] = list(picked)

    @property
    def showable(self) -> tuple[Card, ...]:
        """The cards that you may put on the reader now: the packet that you doubted, or the hand that you prove."""
        shows = showing(self.people.table)
        return tuple(self.people.mind.packet(self.seat)) if shows == self.seat else ()

    # How it goes on ------------------------------------------------------------------------------------------------

    def hint(self, ns: int) -> str:
        """What you can do at ``ns``, in one line; and the rank that is due, while the table says for whom it waits."""
        table = self.people.table
        vote, state = table.fold.house.vote, table.fold.game
        due: str | None = table.game.shown_due(state) or getattr(state, "rank", None)  # in rounds: the one that was led
        if due is None or vote is None or vote.ends is not None:
            return self._way(ns)
        return f"{self._way(ns)} {RANK_NAMES[due][1].capitalize()} are due."

    def _way(self, ns: int) -> str:
        table = self.people.table
        state, key = table.fold.game, f"Key {KEYS[self.seat - 1]}"
        strip = house.strip(table.fold.house, table.game, state, self.seat, ns)
        names = set() if strip is None else {each.act.name for each in strip.choices if each.act is not None}
        if self.showable and "agree" not in names:
            return SHOW["win" if getattr(state, "winning", None) == self.seat else state.phase]
        if strip is None:
            return f"{key}: {self._slap(ns)}"
        way = next((way for acts, way in WAYS if names.issuperset(acts)), CHOOSE)
        at = entry.current(table.fold.books[self.seat - 1].entry, strip)
        if at.chosen:
            way = next((then for name, then in THEN.items() if name in names), way)
        return self._astray(strip, at, f"{key}: {way}")

    def _slap(self, ns: int) -> str:
        """What a press means without a strip."""
        table = self.people.table
        window = table.fold.game.window
        means = house.press(table.fold.house, table.game, table.fold.game, self.seat, ns)
        if means in (None, STRIP) or window is None or window.excludes(self.seat):
            return "nothing to do just now."
        if window.everyone:
            return "press it to begin; who is first gets the hand."
        return "press it to doubt, HOLD it to say WRONG RANK." if means == SLAP_OR_CALL else "press it to doubt."

    def _astray(self, strip: Strip, at: entry.Entry, way: str) -> str:
        """``way``, or what a HOLD would lay though you have not picked it, or leave though you have."""
        path, picked = (*at.chosen, entry.under_cursor(at, strip).label), self.picked
        acts = [each.act for each in strip.choices if each.act is not None and each.path[: len(path)] == path]
        counts = {int(act.name != "draw") if act.count is None else act.count for act in acts if act.name in LAID}
        if len(counts) != 1:
            return way
        (count,) = counts
        does = "throws away" if acts[0].name == "draw" else "lays"
        going = self.people.cards.going(self.seat, count)
        more = [card for card in going if card not in picked]
        stay = [card for card in picked if card not in going]
        if more and not picked:
            if not at.cursor and not at.chosen:
                return f"{way} Nothing picked: {_names(more)} goes."
            asked = "a card" if count == 1 else f"{count} cards"
            return f"Nothing picked: click {asked}, or a HOLD {does} {_names(more)}."
        said = f"{count} said, {len(picked)} picked"
        if more:
            return f"{said}: click {len(more)} more, or a HOLD {does} {_names(more)} too."
        return f"{said}: a HOLD leaves {_names(stay)} in your hand." if stay else way


def _names(cards: list[Card]) -> str:
    return " ".join(f"{'10' if card.rank == 'T' else card.rank}{SUIT_SIGNS[card.suit]}" for card in cards)
