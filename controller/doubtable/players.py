"""Simulated people: real cards that the core never sees, and fingers that press as fingers do.

They know what guests know: their own hand, what was shown, and what lamps and screen say. Whatever they do goes through
edges (with bounce) and through tags laid on the reader. A choice is made from the game's own strip, so a new game is
played without a line here; a game that has cards to lay or to judge gets better play from `Style`.
"""

import heapq
from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple

from doubtable import entry, house
from doubtable.cards import PACK_SIZE, Card, clockwise_from, packs
from doubtable.events import Event
from doubtable.games.base import Choice, Strip
from doubtable.table import Table
from doubtable.timing import MS

Press = Callable[[int, bool, int], None]  # seat, down, ns
Tray = Callable[[str | None, int], None]  # a tag is laid on the reader, or lifted (None), ns


def simulated_tags(pack_count: int = 2) -> dict[str, Card]:
    """A deck whose cards carry made-up tags of ten hex digits."""
    return {f"D0{index:08X}": card for index, card in enumerate(packs(pack_count), 1)}


class Style(NamedTuple):
    """How a person plays: chances in percent."""

    name: str
    lies: int  # adds a wrong card to a claim that could be true
    doubts: int  # doubts a claim that could be true


STYLES = {
    "honest": Style("honest", 0, 6),
    "bold": Style("bold", 35, 10),
    "suspicious": Style("suspicious", 8, 25),
}


class Hands:
    """The real cards on a simulated table: hands by seat, the packet laid last, the pile under it."""

    def __init__(self, seats: Iterable[int], dealer: int, pack_count: int, random: Random) -> None:
        deck = list(packs(pack_count))
        random.shuffle(deck)
        order = clockwise_from(dealer, seats)
        self.hands: dict[int, list[Card]] = {seat: [] for seat in order}
        for place, card in enumerate(deck):
            self.hands[order[place % len(order)]].append(card)
        self.packet: list[Card] = []
        self.pile: list[Card] = []
        self.meant: dict[int, list[Card]] = {}  # what a seat is about to lay

    def lay(self, seat: int, count: int) -> None:
        """The seat's packet goes onto the pile: the cards it meant to lay, made up to ``count``."""
        hand = self.hands[seat]
        meant = [card for card in self.meant.pop(seat, []) if card in hand][:count]
        rest = [card for card in hand if card not in meant]
        self.packet = meant + rest[: count - len(meant)]
        for card in self.packet:
            hand.remove(card)
        self.pile += self.packet

    def take(self, seat: int) -> None:
        """The seat picks up the pile."""
        self.hands[seat] += self.pile
        self.pile, self.packet = [], []


class People:
    """All simulated people of one table. One thread; time comes as ``ns`` with every call.

    ``seats`` are theirs; the others' presses come from elsewhere. ``press`` and ``tray`` are the wires they act on.
    """

    def __init__(
        self, table: Table, seats: Iterable[int], press: Press, tray: Tray, seed: int, style: str = ""
    ) -> None:
        self.table = table
        self.seats = tuple(seats)
        self.random = Random(seed)
        self._press, self._tray = press, tray
        names = list(STYLES)
        self.styles = {seat: STYLES[style or names[place % len(names)]] for place, seat in enumerate(self.seats)}
        pack_count = max(1, sum(table.fold.game.hands) // PACK_SIZE)
        self.cards = Hands(table.game.seats, table.fold.game.dealer, pack_count, self.random)
        self._tags = {card: tag for tag, card in table.cards.items()}
        self._edges: list[tuple[int, int, bool]] = []  # heap: ns, seat, down
        self._shows: list[tuple[int, str]] = []  # heap: ns, tag ("" lifts)
        self._goals: dict[int, tuple[str, tuple[str, ...]]] = {}  # seat -> strip key, path
        self._think: dict[int, int] = {}  # seat -> ns from which it acts again

    # What they hear ------------------------------------------------------------------------------------------------

    def hear(self, events: Iterable[Event], ns: int) -> None:
        """What everybody at the table has seen happen."""
        for each in events:
            facts = each.facts
            match each.name:
                case "claim":
                    self.cards.lay(facts["seat"], facts["count"])
                    self._consider(facts["seat"], facts["count"], str(facts["rank"]), ns)
                case "doubt" if facts["seat"] in self.seats:
                    self.show_packet(ns)
                case "verdict":
                    self._shows.clear()
                    self._tray(None, ns)
                    self.cards.take(facts["takes"])
                case _:
                    pass

    def show_packet(self, ns: int) -> None:
        """A doubter lays the packet on the reader, card by card."""
        at = ns + self._between(900, 1600)
        for card in self.cards.packet:
            heapq.heappush(self._shows, (at, self._tags[card]))
            heapq.heappush(self._shows, (at + 500 * MS, ""))
            at += self._between(800, 1300)

    def _consider(self, claimant: int, count: int, rank: str, ns: int) -> None:
        """Each person but the claimant and the next seat makes up its mind whether to slap."""
        table = self.table
        for seat in self.seats:
            if seat == claimant or table.game.pulses(table.fold.game, seat):
                continue
            if self._doubts(seat, count, rank):
                self._tap(seat, ns + self._between(350, 1800))

    def _doubts(self, seat: int, count: int, rank: str) -> bool:
        state = self.table.fold.game
        held = sum(card.rank == rank for card in self.cards.hands[seat])
        if held + count > 4 * getattr(state, "packs", 1):
            return True
        claim = getattr(state, "claim", None)
        likely = self.styles[seat].doubts * (3 if claim is not None and claim.last else 1)
        return self.random.randrange(100) < likely

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
        busy = {seat for _, seat, _ in self._edges}
        fold, game = self.table.fold, self.table.game
        for seat in self.seats:
            finger = self.table.state.fingers[seat - 1]
            if seat in busy or finger.down or self._think.get(seat, 0) > ns:
                continue
            strip = house.strip(fold.house, game, fold.game, seat, ns)
            if strip is None:
                self._goals.pop(seat, None)
            else:
                self._towards(seat, strip, ns)

    def _towards(self, seat: int, strip: Strip, ns: int) -> None:
        """One gesture closer to what the seat wants on this strip."""
        key, path = self._goals.get(seat, ("", ()))
        labels = tuple(choice.path for choice in strip.choices)
        if key != strip.key:
            self._goals[seat] = (strip.key, ())
            self._think[seat] = ns + self._between(500, 1600)
            return
        if not path or path not in labels:
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
        """What the seat wants, or None to wait."""
        acts = {choice.act.name for choice in strip.choices if choice.act is not None}
        if acts == {"claim"}:
            return self._choose_claim(seat, strip)
        if "doubt" in acts:
            return self._choose_in_window(seat, strip)
        if acts <= {"give_in", "correct"}:
            return None
        return self.random.choice([choice for choice in strip.choices if choice.act is not None])

    def _choose_claim(self, seat: int, strip: Strip) -> Choice:
        """Lay the true cards, if there are any; else one wrong card; the bold add one."""
        claims = [choice for choice in strip.choices if choice.act is not None]
        most = max(choice.act.count or 0 for choice in claims if choice.act is not None)
        due = self.table.game.shown_due(self.table.fold.game)
        hand = self.cards.hands[seat]
        true = [card for card in hand if card.rank == due][:most]
        other = [card for card in hand if card.rank != due]
        meant = true
        if other and (not true or (len(true) < most and self.random.randrange(100) < self.styles[seat].lies)):
            meant = [*true, self.random.choice(other)]
        self.cards.meant[seat] = meant
        wanted = [choice for choice in claims if choice.act is not None and choice.act.count == len(meant)]
        return wanted[0] if wanted else claims[0]

    def _choose_in_window(self, seat: int, strip: Strip) -> Choice | None:
        """The next seat: doubt by holding, or wait until the turn can be started."""
        claim = getattr(self.table.fold.game, "claim", None)
        if claim is None:
            return None
        others = [choice for choice in strip.choices if choice.act is not None and choice.act.name != "doubt"]
        doubt = [choice for choice in strip.choices if choice.act is not None and choice.act.name == "doubt"]
        if doubt and not others and self._doubts(seat, claim.count, claim.rank) and self.random.randrange(4) == 0:
            return doubt[0]
        return others[0] if others else None

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
