"""Simulated people: fingers that press as fingers do, and hands that lay tags on the reader.

They know what guests know: their own cards, what was shown and said, and what lamps and screen say. Whatever they do
goes through edges (with bounce, at human times) and through tags. What they want is decided in minds.py from the game's
own strip, so a new game is played without a line here.
"""

import heapq
from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from typing import Any

from doubtable import entry, house
from doubtable.cards import Card, packs
from doubtable.events import Event, event
from doubtable.game_minds import MINDS
from doubtable.games import GAMES
from doubtable.games.base import SLAP_OR_CALL, STRIP, Choice, Strip
from doubtable.minds import MIXED, STYLES, Mind, named
from doubtable.real_cards import Layout, RealCards
from doubtable.table import Table
from doubtable.timing import MS

Press = Callable[[int, bool, int], None]  # seat, down, ns
Tray = Callable[[str | None, int], None]  # a tag is laid on the reader, or lifted (None), ns
OPENS = ("claim", "corrected", "lead", "play", "press_again")  # what people think about before they slap


def simulated_tags(pack_count: int = 2) -> dict[str, Card]:
    """A deck whose cards carry made-up tags of ten hex digits."""
    return {f"D0{index:08X}": card for index, card in enumerate(packs(pack_count), 1)}


def showing(table: Table) -> int | None:
    """The seat that lays cards on the reader now: the packet that it doubted, or the hand that it proves."""
    state = table.fold.game
    winning = getattr(state, "winning", None)  # rounds: whoever says WIN shows its last card
    proves = state.turn if getattr(state, "showing", False) else None  # once SHOW has been said
    return {"reveal": winning or state.doubter, "prove": proves}.get(state.phase)


def _told(table: Table) -> Any:
    """The game's state as far as its events have been told, which is how far cards have moved."""
    return table.state.base.game


def _shown(table: Table) -> tuple[Card, ...]:
    """The cards that everybody has seen of the packet or hand that is being shown."""
    return tuple(card for card, _ in table.game.shown(_told(table)))


class People:
    """All simulated people of one table. One thread; time comes as ``ns`` with every call.

    ``seats`` are theirs; the others' presses come from elsewhere. ``press`` and ``tray`` are the wires they act on.
    ``style`` is the style of all (see minds.STYLES), or of each seat by its number; "" mixes them. ``deals``: how many
    they want to play; when those are over they rest.
    """

    def __init__(
        self,
        table: Table,
        seats: Iterable[int],
        press: Press,
        tray: Tray,
        seed: int,
        style: str | dict[int, str] = "",
        deals: int = 1,
    ) -> None:
        self.table = table
        self.seats = tuple(seats)
        self.random = Random(seed)
        self._press, self._tray = press, tray
        chosen = (
            {seat: style or MIXED[place % len(MIXED)] for place, seat in enumerate(self.seats)}
            if isinstance(style, str)
            else style
        )
        self.styles = {seat: STYLES[chosen[seat]] for seat in self.seats}
        self.deals = deals
        self.cards = RealCards(self.random)
        self._game = table.game
        self.mind = self._mind()
        self._deal()
        self._tags = {card: tag for tag, card in table.cards.items()}
        self._edges: list[tuple[int, int, bool]] = []  # heap: ns, seat, down
        self._shows: list[tuple[int, str]] = []  # heap: ns, tag ("" lifts)
        self._goals: dict[int, tuple[str, tuple[str, ...]]] = {}  # seat -> strip key, path
        self._think: dict[int, int] = {}  # seat -> ns from which it acts again
        self._thought: tuple[int, int] = (-1, -1)  # the window about which they have made up their minds

    def _mind(self) -> Mind:
        return MINDS.get(self.table.game.id, Mind)(self.table, self.cards, self.styles, self.random)

    def _deal(self) -> None:
        """Real cards, when a game begins that has them; and when they take up one that has been going on."""
        state = _told(self.table)
        if self.table.game.id in GAMES:
            self.cards.deal(self.table.game.seats, state.dealer, state.hands, getattr(state, "packs", 1))
            claim = getattr(state, "claim", None)
            rank = None if claim is None else claim.rank
            self.cards.lay_out(state.pile, self._packet_size(), _shown(self.table), rank)

    def _packet_size(self) -> int:
        claim = getattr(_told(self.table), "claim", None)
        return 0 if claim is None else int(claim.count)

    def put_back(self, layouts: Iterable[Layout]) -> bool:
        """Every card where it lay before the table was cut off: by the first of ``layouts`` that agrees with the table,
        or does once the one move is made that it may have missed. False when none does: the cards stay as they are,
        new ones, if there are any.
        """
        dealt = self.cards.layout
        for layout in layouts:
            for missed in (lambda: None, *self._last_moves()) if layout.fits(dealt) else ():
                self.cards.put_back(layout)
                missed()
                if self._cards_agree():
                    return True
        self.cards.put_back(dealt)
        return not any(dealt.hands.values())

    def _last_moves(self) -> Iterable[Callable[[], None]]:
        """By what the cards may have come to lie as the table knows them."""
        state, seats = _told(self.table), self.table.game.seats
        claim = getattr(state, "claim", None)
        if claim is not None:
            yield partial(self.cards.lay, claim.seat, claim.count)
            yield partial(self.cards.correct, claim.seat, claim.count)
        if not state.pile:
            yield from (partial(self.cards.take, seat) for seat in seats)
            yield self.cards.stack_out
        yield from (partial(self.cards.pass_on, seat) for seat in seats)

    def _cards_agree(self) -> bool:
        state = _told(self.table)
        return self.cards.agree(state.hands, state.pile, self._packet_size(), _shown(self.table))

    def take_up(self, ns: int) -> None:
        """The table goes on at ``ns`` where it was cut off: they remember a claim that stands, or which rank is due,
        for both were spoken aloud; whoever has cards to show lays them on the reader.
        """
        state, seat = self.table.fold.game, showing(self.table)
        claim, due = getattr(state, "claim", None), getattr(state, "due", None)
        if claim is not None and state.phase != "claim":
            self.mind.hear(event("claim", ns, seat=claim.seat, count=claim.count, rank=claim.rank))
        elif due is not None:
            self.mind.hear(event("turn", ns, seat=state.turn, due=due))
        if seat in self.seats:
            self.show_packet(ns, seat)

    # What they hear ------------------------------------------------------------------------------------------------

    def hear(self, events: Iterable[Event], ns: int) -> None:
        """What everybody at the table has seen happen."""
        if self.table.game is not self._game:
            self._game = self.table.game
            self.mind = self._mind()
            self._deal()
        for each in events:
            if each.name == "verdict" or each.name in ("point", "proved", "gave_up"):
                self._shows.clear()
                self._tray(None, ns)
            self.cards.hear(each)
            self.mind.hear(each)
            if each.name in ("doubt", "showing") and each.facts["seat"] in self.seats:
                self.show_packet(ns, each.facts["seat"])
            if each.name in OPENS:
                self._consider(ns)

    def show_packet(self, ns: int, seat: int = 0) -> None:
        """The packet is laid on the reader, card by card."""
        at = ns + self._between(900, 1600)
        seen = _shown(self.table)
        for card in self.mind.packet(seat):
            if card in seen:
                continue
            heapq.heappush(self._shows, (at, self._tags[card]))
            heapq.heappush(self._shows, (at + 500 * MS, ""))
            at += self._between(800, 1300)

    def _consider(self, ns: int) -> None:
        """Each person makes up its mind: to slap with a steady lamp, to choose DOUBT on a strip, or not."""
        fold, game = self.table.fold, self.table.game
        window = fold.game.window
        self.mind.doubts.clear()
        if window is None:
            return
        for seat in self.seats:
            means = game.press(fold.game, seat, ns)
            if means is None or window.excludes(seat):
                continue
            if means == SLAP_OR_CALL and self.mind.calls(seat):
                self._hold(seat, ns + self._between(600, 2500))
            elif self.mind.slaps(seat):
                if means == STRIP:
                    self.mind.doubts.add(seat)
                else:
                    self._tap(seat, ns + self._between(350, 1800))

    # What they do --------------------------------------------------------------------------------------------------

    def due(self, ns: int) -> int | None:
        """When one of them next does something, in ns."""
        self._plan(ns)
        times = [self._edges[0][0]] if self._edges else []
        times += [self._shows[0][0]] if self._shows else []
        times += [at for at in self._think.values() if at > ns]
        return min(times, default=None)

    def act(self, ns: int) -> None:
        """Do all that is due by ``ns``."""
        while self._edges and self._edges[0][0] <= ns:
            at, seat, down = heapq.heappop(self._edges)
            self._press(seat, down, at)
        while self._shows and self._shows[0][0] <= ns:
            at, tag = heapq.heappop(self._shows)
            self._tray(tag or None, at)
        self._plan(ns)

    def _plan(self, ns: int) -> None:
        """Whoever has a strip and an idle finger makes the next gesture towards its goal."""
        fold, game = self.table.fold, self.table.game
        self._volunteer(ns)
        busy = {seat for _, seat, _ in self._edges}
        for seat in self.seats:
            finger = self.table.state.fingers[seat - 1]
            if seat in busy or finger.down or self._think.get(seat, 0) > ns:
                continue
            strip = house.strip(fold.house, game, fold.game, seat, ns)
            if strip is None or (fold.game.phase == "over" and not self._goes_on(seat)):
                self._goals.pop(seat, None)
            else:
                self._towards(seat, strip, ns)

    def _goes_on(self, seat: int) -> bool:
        """The first of them asks for the next deal, until they have had enough."""
        return seat == self.seats[0] and self.table.state.tally.deals < self.deals

    def _volunteer(self, ns: int) -> None:
        """A window that belongs to nobody: somebody slaps, and again if nobody was taken."""
        window = self.table.fold.game.window
        if window is None or not window.everyone or self._thought == (window.opened, len(self.table.fold.race)):
            return
        if not self.table.fold.race:
            self._tap(self.random.choice(self.seats), ns + self._between(800, 2500))
        self._thought = (window.opened, len(self.table.fold.race))

    def _towards(self, seat: int, strip: Strip, ns: int) -> None:
        """One gesture closer to what the seat wants on this strip."""
        key, path = self._goals.get(seat, ("", ()))
        if key != strip.key:
            self._goals[seat] = (strip.key, ())
            self._think[seat] = ns + self._between(500, 1600)
            return
        if not path or all(path != choice.path for choice in strip.choices):
            choice = self._choose(seat, strip)
            if choice is None:
                self._think[seat] = ns + self._between(300, 600)
                return
            path = choice.path
            self._goals[seat] = (key, path)
        at = entry.current(self.table.fold.books[seat - 1].entry, strip)
        if at.chosen != path[: len(at.chosen)]:
            return
        under = entry.under_cursor(at, strip).label
        wait = self._between(60, 160)
        if under == path[len(at.chosen)]:
            self._hold(seat, ns + wait)
        else:
            self._tap(seat, ns + wait)
        self._think[seat] = ns + wait + self._between(320, 480)

    def _choose(self, seat: int, strip: Strip) -> Choice | None:
        """What the seat wants; of the house's own strips only what lets the game go on."""
        goes_on = named(strip, "next_deal") or named(strip, "go_on")
        return goes_on[0] if goes_on else self.mind.choose(seat, strip)

    # Fingers -------------------------------------------------------------------------------------------------------

    def _tap(self, seat: int, ns: int) -> None:
        self._finger(seat, ns, self._between(80, 160))

    def _hold(self, seat: int, ns: int) -> None:
        self._finger(seat, ns, self._between(900, 1100))

    def _finger(self, seat: int, ns: int, length: int) -> None:
        """A press of ``length`` ns with the bounce of a real switch at both ends."""
        self._bounce(seat, ns, down=True)
        self._bounce(seat, ns + length, down=False)

    def _bounce(self, seat: int, ns: int, *, down: bool) -> None:
        at = ns
        for _ in range(self.random.randrange(3)):
            heapq.heappush(self._edges, (at, seat, down))
            at += self.random.randrange(50_000, 400_000)
            heapq.heappush(self._edges, (at, seat, not down))
            at += self.random.randrange(50_000, 400_000)
        heapq.heappush(self._edges, (at, seat, down))

    def _between(self, least: int, most: int) -> int:
        return self.random.randrange(least * MS, most * MS)
