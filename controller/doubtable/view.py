"""What lamps, screen and speaker show: a function of the table's state and the time, and of nothing hidden.

Texts are (key, values): the key is the English text of the catalogue, a value is a number, a name, or such a pair
again.
Three keys are not texts but facts that a language words in its own way: CLAIM (count, rank), RANK (rank, count) and
HAND (hand). A seat nobody named is ("SEAT {seat}", ...).
"""

from typing import Any

import msgspec

from doubtable import entry, house
from doubtable.buttons.gestures import hold_time
from doubtable.cards import Card
from doubtable.events import Event
from doubtable.games.base import SLAP, SLAP_OR_CALL, Game, Strip
from doubtable.table import Table
from doubtable.tally import STREAK, awards
from doubtable.timing import MS, S

Text = tuple[str, dict[str, Any]]

OFF, STEADY, PULSING, FAST, DARK = "off", "steady", "pulsing", "fast", "dark"
"""Lamps: nothing; slap!; your choice (0.8 Hz); you show the cards (2.5 Hz); a void press, for VOID_DARK ns."""

VOID_DARK = 100 * MS
NEXT_AFTER_VERDICT = 1 * S  # the next seat's lamp rests so long, so that the verdict is seen
SHOW_VERDICT = 4 * S
SHOW_AGAIN = 4 * S
SHOW_NOTICE = 4 * S


class SeatView(msgspec.Struct, frozen=True):
    """One seat: who sits there, how many cards, its lamp, and what it is just now (claimant, next,
    doubter, turn, dealer).
    """

    seat: int
    name: str | None
    occupied: bool
    count: int
    lamp: str
    roles: tuple[str, ...]
    score: int
    place: int = 0  # 1 = won; 0 = still in
    gone: bool = False
    down: bool = False
    void: str = ""  # why its last press was void, for a moment


class StripView(msgspec.Struct, frozen=True):
    """A seat's strip: the labels of this step, the cursor, and what was chosen before in the chain."""

    seat: int
    labels: tuple[str, ...]
    cursor: int
    chosen: tuple[str, ...] = ()


class HoldView(msgspec.Struct, frozen=True):
    """A finger that stays down: the ring fills from ``press`` to ``fires`` (ns)."""

    seat: int
    press: int
    fires: int


class View(msgspec.Struct, frozen=True):
    """All that may be seen and heard. ``scene`` names the picture; ``number`` is the last input it rests on."""

    scene: str
    game: str
    phase: str
    seats: tuple[SeatView, ...]
    headline: Text
    help: Text
    number: int = 0
    strips: tuple[StripView, ...] = ()  # the one the screen is about first
    pile: int = 0
    claim: tuple[int, int, str] | None = None  # seat, count, rank
    declaration: str | None = None
    due: str | None = None
    window: tuple[int, int] | None = None  # the ring that empties, or the seconds that count down: from, until (ns)
    holds: tuple[HoldView, ...] = ()
    cards: tuple[tuple[str, bool], ...] = ()  # shown in the reveal: card, right
    wanted: int = 0  # how many cards are to be shown
    finish: tuple[tuple[int, int], ...] = ()  # photo finish: seat, offset in ns
    tie: int = 0  # its tie window, ns
    tied: bool = False
    verdict: tuple[int, int, bool, int, int] | None = None  # of, doubter, true, takes, cards
    notices: tuple[Text, ...] = ()
    dealer: int = 0
    scores: tuple[int, ...] = ()
    penalty: bool = False  # scores are penalty points
    winners: tuple[int, ...] = ()  # of this deal; several share it
    loser: int = 0  # of this game, 0: nobody
    tip: Text | None = None  # how the cards are handled, where there is room for it
    totals: tuple[int, ...] = ()  # over all deals of the evening, by seat
    deals: int = 0
    awards: tuple[tuple[str, int, int], ...] = ()  # at the end: award, seat, its number (a count, or ns)
    streaks: tuple[tuple[int, int], ...] = ()  # seat, length


def seat_name(table: Table, seat: int) -> str | Text:
    """The seat's name, or the text for its number."""
    return table.names[seat - 1] or ("SEAT {seat}", {"seat": seat})


def look(table: Table, ns: int, number: int = 0, lit: tuple[str, ...] = ()) -> View:
    """What is to be seen at ``ns``; ``number`` is that of the last input fed."""
    fold, game = table.fold, table.game
    state = fold.game
    news = {each.name: each for each in table.state.news}
    asked = house.scene(fold.house)
    scene, headline, help_line = game.scene(state, ns) if asked is None else asked
    strips = tuple(
        _strip(table, seat, strip) for seat in game.seats if (strip := house.strip(fold.house, game, state, seat, ns))
    )
    strips = tuple(sorted(strips, key=lambda each: (each.seat != state.turn, each.seat)))
    chain = strips[0].chosen if strips and asked is None else ()
    help_line = house.help_line(fold.house, state) or (game.chain_help(chain) if chain else None) or help_line
    verdict = _fresh(news.get("verdict"), ns, SHOW_VERDICT)
    if verdict is not None and asked is None and not game.urgent(state):
        scene = "verdict"
        headline, help_line = _verdict_words(verdict)
    elif _fresh(news.get("press_again"), ns, SHOW_AGAIN) is not None and state.window is not None:
        scene, headline = "press_again", ("PRESS AGAIN", {})
    doubt = news.get("doubt") if state.doubter is not None else None
    finish = game.finish(state) if doubt is None else doubt.facts
    return View(
        scene=scene,
        game=game.id,
        phase=state.phase,
        seats=tuple(_seat(table, seat, ns, lamp) for seat, lamp in enumerate(lit or lamps(table, ns), 1)),
        headline=_named(table, headline),
        help=_named(table, help_line),
        number=number,
        strips=strips,
        pile=state.pile,
        claim=game.claimed(state),
        declaration=game.declared(state),
        due=game.shown_due(state),
        window=_ring(game, state, ns),
        holds=_holds(table),
        cards=tuple((str(card), right) for card, right in game.shown(state)),
        wanted=game.to_show(state),
        finish=tuple((seat, offset) for seat, offset in finish.get("race", ())),
        tie=finish.get("tie_ns", 0),
        tied=bool(finish.get("tie", False)),
        verdict=None if verdict is None else _verdict(verdict),
        notices=_notices(table, news, ns),
        dealer=state.dealer,
        scores=game.points(state),
        penalty=game.penalty,
        winners=game.winners(state) if state.phase == "over" else (),
        loser=game.loser(state) or 0,
        tip=None if asked else game.tip(state),
        totals=tuple(table.state.tally.totals.get(seat, 0) for seat in range(1, len(table.names) + 1)),
        deals=table.state.tally.deals,
        awards=_awards(table) if state.phase == "over" else (),
        streaks=tuple((seat, n) for seat, n in sorted(table.state.tally.streaks.items()) if n >= STREAK),
    )


def _awards(table: Table) -> tuple[tuple[str, int, int], ...]:
    return tuple((name, seat, number) for name, (seat, number) in awards(table.state.tally).items())


def lamp_on(lamp: str, ns: int) -> bool:
    """Whether a lamp shines at ``ns``: pulsing 0.8 Hz, fast 2.5 Hz, in step at all seats."""
    if lamp == PULSING:
        return ns % (1250 * MS) < 625 * MS
    if lamp == FAST:
        return ns % (400 * MS) < 200 * MS
    return lamp == STEADY


def next_blink(view: View, ns: int) -> int | None:
    """When a lamp of ``view`` next switches by its own rhythm, in ns; None when none does."""
    times = []
    for seat in view.seats:
        period = {PULSING: 625 * MS, FAST: 200 * MS}.get(seat.lamp)
        if period is not None:
            times.append(ns - ns % period + period)
        elif seat.lamp == DARK:
            times.append(ns + VOID_DARK)
    return min(times, default=None)


def lamps(table: Table, ns: int) -> tuple[str, ...]:
    """How every seat's lamp is at ``ns``, seat 1 first: what a view says of lamps, and nothing else."""
    news = next((each for each in table.state.news if each.name == "verdict"), None)
    verdict = _fresh(news, ns, SHOW_VERDICT)
    return tuple(
        DARK
        if seat in table.game.seats and 0 <= ns - book.void_at < VOID_DARK and book.void_at >= 0
        else _lamp(table, seat, ns, verdict)
        for seat, book in enumerate(table.fold.books, 1)
    )


def _seat(table: Table, seat: int, ns: int, lamp: str) -> SeatView:
    fold, game = table.fold, table.game
    state = fold.game
    name = table.names[seat - 1]
    finger = table.state.fingers[seat - 1]
    out = game.placed(state)
    why = next(
        (each.why for each in reversed(fold.window_book.voids) if each.seat == seat and ns - each.ns < 2 * S), ""
    )
    return SeatView(
        seat=seat,
        name=name,
        occupied=seat in game.occupied(state),
        count=state.hands[seat - 1] if state.hands else 0,
        lamp=lamp,
        roles=_roles(table, seat),
        score=game.points(state)[seat - 1] if state.scores else 0,
        place=out.index(seat) + 1 if seat in out else 0,
        gone=seat in state.gone,
        down=finger.down,
        void=why,
    )


def _lamp(table: Table, seat: int, ns: int, verdict: Event | None) -> str:
    fold, game = table.fold, table.game
    if seat not in game.occupied(fold.game):
        return OFF
    if fold.game.doubter == seat and fold.game.phase == "reveal":
        return FAST
    own = game.lamp(fold.game, seat) if not fold.house.rests else None
    if own is not None:
        return own
    means = house.press(fold.house, game, fold.game, seat, ns)
    if means in (SLAP, SLAP_OR_CALL):
        raced = any(each.seat == seat for each in fold.race)
        return OFF if fold.race and not raced else STEADY
    resting = verdict is not None and ns - verdict.ns < NEXT_AFTER_VERDICT and seat == fold.game.turn
    return PULSING if means is not None and not resting else OFF


def _roles(table: Table, seat: int) -> tuple[str, ...]:
    state, game = table.fold.game, table.game
    roles = []
    if seat == state.dealer:
        roles.append("dealer")
    if state.window is not None and state.window.excludes(seat):
        roles.append("claimant")
    if state.window is not None and game.pulses(state, seat):
        roles.append("next")
    if seat == state.doubter:
        roles.append("doubter")
    if seat == state.turn and state.window is None and state.doubter is None:
        roles.append("turn")
    return tuple(roles)


def _strip(table: Table, seat: int, strip: Strip) -> StripView:
    at = entry.current(table.fold.books[seat - 1].entry, strip)
    labels = tuple(item.label for item in entry.items(strip, at.chosen))
    return StripView(seat, labels, at.cursor, at.chosen)


def _holds(table: Table) -> tuple[HoldView, ...]:
    found = []
    for seat, finger in enumerate(table.state.fingers, 1):
        meaning = table.fold.books[seat - 1].meaning
        habits = table.habits[seat - 1]
        if finger.press is None or finger.fired or habits.no_hold:
            continue
        if meaning is not None and not meaning.is_spent:
            found.append(HoldView(seat, finger.press, finger.press + hold_time(habits, table.timing)))
    return tuple(found)


def _ring(game: Game, state: Any, ns: int) -> tuple[int, int] | None:
    """What runs out: a countdown; the time before which nobody may start; then what is left until the window closes."""
    window = state.window
    if window is None:
        return game.countdown(state)
    begun = window.opened
    if not window.last and begun < window.starts:
        if ns < window.starts:
            return begun, window.starts
        begun = window.starts
    return None if window.closes is None else (begun, window.closes)


def _fresh(news: Event | None, ns: int, last: int) -> Event | None:
    return news if news is not None and 0 <= ns - news.ns < last else None


def _verdict(verdict: Event) -> tuple[int, int, bool, int, int]:
    facts = verdict.facts
    return facts["of"], facts["doubter"], facts["true"], facts["takes"], facts["cards"]


def _verdict_words(verdict: Event) -> tuple[Text, Text]:
    facts = verdict.facts
    said = "TRUE" if facts["true"] else "A LIE"
    return (said, {}), ("{name} TAKES {count} CARDS", {"name": facts["takes"], "count": facts["cards"]})


def _named(table: Table, text: Text) -> Text:
    """``text`` with the seats in the places of people replaced by their names."""
    key, values = text
    people = ("name", "other")
    named = {
        place: seat_name(table, value) if place in people and isinstance(value, int) else value
        for place, value in values.items()
    }
    return key, named


def _notices(table: Table, news: dict[str, Event], ns: int) -> tuple[Text, ...]:
    found: list[Text] = []
    missing = table.game.cards_missing(table.fold.game)
    if missing:
        found.append(("{count} CARDS MISSING", {"count": missing}))
    tag = _fresh(news.get("tag"), ns, SHOW_NOTICE)
    if tag is not None and tag.facts["card"] is None:
        deck = table.strangers.get(tag.facts["id"])
        found.append(("UNKNOWN CARD", {}) if deck is None else ("CARD OF DECK {deck}", {"deck": deck}))
    elif tag is not None and _shown_before(table, tag):
        found.append(("SHOWN ALREADY", {}))
    if _fresh(news.get("elsewhere"), ns, SHOW_NOTICE) is not None:
        found.append(("KNOWN ELSEWHERE", {}))
    found += _gone(table)
    return (*found, *table.game.notices(table.fold.game))


def _gone(table: Table) -> tuple[Text, ...]:
    """The sources of presses, or else the lamps, that are lost while the game goes on."""
    lost = [name for name, book in table.state.sources.items() if not book.up]
    if lost:
        return (("PANEL IS GONE", {}),) if lost == ["panel"] else (("BUTTONS ARE GONE", {}),)
    return (("LAMPS ARE GONE", {}),) if "lamps" in table.state.lost else ()


def _shown_before(table: Table, tag: Event) -> bool:
    """Whether the card of ``tag`` had been shown in this reveal before: it counts once."""
    card = Card.parse(tag.facts["card"], tag.facts.get("pack", 1))
    return table.game.shown_already(table.state.base.game, card, tag.ns)
