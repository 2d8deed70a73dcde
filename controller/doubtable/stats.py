"""What the journal says about the table: its games, its players' doubts, its buttons and its deck.

Everything is made from the sums that are kept of every game, so it reaches back over games that were thinned out.
Only public facts count: never whether a claim that nobody doubted was true.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from statistics import median
from typing import NamedTuple

import msgspec

from doubtable.cards import SUITS, Card, packs
from doubtable.journal.totals import ButtonTotals, SeatTotals, Totals
from doubtable.timing import MS, S

UNSEEN_FOR = 300  # cards shown: whoever has not turned up among so many is missing, or its tag is dead
NO_DATE = "clock not set"
# A button is dying when it is both bad in itself and far worse than its neighbours.
FEW_BURSTS, BAD_NOISE, BAD_BURST, WORSE = 50, 0.05, 20 * MS, 3


class Game(NamedTuple):
    """One game that ended. ``day`` in the owner's time zone, or NO_DATE; ``how`` over or cut; ``people`` by seat."""

    id: int
    kind: str
    day: str
    how: str
    people: tuple[str | None, ...]
    deck: str
    totals: Totals

    @property
    def length(self) -> int:
        """ns."""
        return self.totals.ended - self.totals.began


class Person(NamedTuple):
    """Somebody's games, games won, and doubts that were right and wrong. ``name``: None for one who was forgotten."""

    id: str
    name: str | None
    games: int
    won: int
    right: int
    wrong: int


class Day(NamedTuple):
    """One day of the house: games, their length in ns, claims, doubts right and wrong."""

    day: str
    games: int
    length: int
    claims: int
    right: int
    wrong: int


class Stats(NamedTuple):
    """All of it. ``dying``: seat of a button that should be looked at -> why. ``unseen``: deck's cards to look for."""

    games: tuple[Game, ...]
    days: tuple[Day, ...]
    seats: Mapping[int, SeatTotals]
    buttons: Mapping[int, ButtonTotals]
    dying: Mapping[int, str]
    people: tuple[Person, ...]
    unseen: tuple[str, ...]
    shown: int


def collect(database: sqlite3.Connection, zone: tzinfo | None = None) -> Stats:
    """The statistics of a journal; days are those of ``zone``, or of this machine."""
    games = tuple(_games(database, zone))
    names: dict[str, str] = dict(database.execute("SELECT person, name FROM names"))
    seats = _summed(games)
    buttons = _buttons(games)
    unseen, shown = _unseen(games)
    return Stats(games, tuple(_days(games)), seats, buttons, dying(buttons), _people(games, names), unseen, shown)


def _games(database: sqlite3.Connection, zone: tzinfo | None) -> Iterable[Game]:
    found = database.execute(
        "SELECT id, game, seats, began, clock_set, ended, deck, totals FROM games WHERE ended <> '' ORDER BY id"
    )
    for number, kind, seats, began, is_set, how, deck, totals in found:
        day = datetime.fromtimestamp(began / S, zone).date().isoformat() if is_set else NO_DATE
        yield Game(number, kind, day, how, tuple(json.loads(seats)), deck, msgspec.json.decode(totals, type=Totals))


def _summed(games: Sequence[Game]) -> dict[int, SeatTotals]:
    seats: dict[int, SeatTotals] = {}
    for game in games:
        for seat, each in game.totals.seats.items():
            into = seats.setdefault(seat, SeatTotals())
            into.right += each.right
            into.wrong += each.wrong
            into.reactions.extend(each.reactions)
            for why, count in each.voids.items():
                into.voids[why] = into.voids.get(why, 0) + count
    return dict(sorted(seats.items()))


def _buttons(games: Sequence[Game]) -> dict[int, ButtonTotals]:
    buttons: dict[int, ButtonTotals] = {}
    for game in games:
        for seat, each in game.totals.buttons.items():
            into = buttons.setdefault(seat, ButtonTotals())
            into.edges += each.edges
            into.bursts += each.bursts
            into.settled += each.settled
            into.longest = max(into.longest, each.longest)
    return dict(sorted(buttons.items()))


def dying(buttons: Mapping[int, ButtonTotals]) -> dict[int, str]:
    """Buttons that bounce or chatter far more than the others of their table, and why they are named."""
    used = {seat: each for seat, each in buttons.items() if each.bursts >= FEW_BURSTS}
    found = {}
    for seat, each in used.items():
        others = [other for key, other in used.items() if key != seat]
        noise, usual_noise = each.noise / each.bursts, _median([other.noise / other.bursts for other in others])
        longest, usual_longest = each.longest, _median([other.longest for other in others])
        if noise > BAD_NOISE and noise > WORSE * usual_noise:
            found[seat] = f"{noise:.0%} of its contacts are no presses (others {usual_noise:.1%})"
        elif longest > BAD_BURST and longest > WORSE * usual_longest:
            found[seat] = f"it bounced for {longest / MS:.0f} ms (others {usual_longest / MS:.1f} ms)"
    return found


def _median(values: Sequence[float]) -> float:
    return median(values) if values else 0.0


def _people(games: Sequence[Game], names: Mapping[str, str]) -> tuple[Person, ...]:
    people: dict[str, Person] = {}
    for game in games:
        best = max(game.totals.scores, default=0)
        for seat, person in enumerate(game.people, 1):
            if not person:
                continue
            before = people.get(person, Person(person, names.get(person), 0, 0, 0, 0))
            own = game.totals.seats.get(seat, SeatTotals())
            scores = game.totals.scores
            won = best > 0 and seat <= len(scores) and scores[seat - 1] == best
            people[person] = Person(
                person,
                before.name,
                before.games + 1,
                before.won + won,
                before.right + own.right,
                before.wrong + own.wrong,
            )
    return tuple(sorted(people.values(), key=lambda each: (-each.games, each.name or "", each.id)))


def _days(games: Sequence[Game]) -> Iterable[Day]:
    for day in sorted({game.day for game in games}):
        of_day = [game for game in games if game.day == day]
        seats = [seat for game in of_day for seat in game.totals.seats.values()]
        yield Day(
            day,
            len(of_day),
            sum(game.length for game in of_day),
            sum(game.totals.claims for game in of_day),
            sum(seat.right for seat in seats),
            sum(seat.wrong for seat in seats),
        )


def _unseen(games: Sequence[Game]) -> tuple[tuple[str, ...], int]:
    """Cards of the newest deck that were not among the last UNSEEN_FOR shown, and how many were shown in all. A pack
    of which none was among them is not in play.

    While fewer than that have been shown nothing can be said.
    """
    decks = [game.deck for game in games if game.deck]
    if not decks:
        return (), 0
    shown = [card for game in games if game.deck == decks[-1] for card in game.totals.cards]
    if len(shown) < UNSEEN_FOR:
        return (), len(shown)
    lately = set(shown[-UNSEEN_FOR:])
    enrolled = packs(int(decks[-1].partition("-")[0]))
    played = {card.pack for card in enrolled if _written(card) in lately}  # few people play with one pack of two
    deck = [_written(card) for card in enrolled if card.pack in played]
    return tuple(card for card in sorted(deck, key=_place) if card not in lately), len(shown)


def _written(card: Card) -> str:
    """The card as the totals have it: the second pack's with a 2 behind it."""
    return f"{card}{card.pack if card.pack > 1 else ''}"


def _place(card: str) -> tuple[int, int]:
    return len(card), SUITS.index(card[1])


def quantile(values: Sequence[int], percent: int) -> int:
    """The smallest of at least one value that is not exceeded by ``percent`` of them (nearest rank)."""
    return sorted(values)[max(0, -(-len(values) * percent // 100) - 1)]
