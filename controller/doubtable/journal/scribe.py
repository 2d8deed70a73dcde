"""Turns what happens at the table into rows of the journal. No thread and no database: it makes statements.

A statement made once is committed once, however often the disk refuses it; so a row keeps its place and its hash.
"""

import json
import secrets
import zlib
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from doubtable import tape
from doubtable.events import Event
from doubtable.inputs import Input, Time
from doubtable.journal import chain
from doubtable.journal.book import Book, Ended, GameBook
from doubtable.journal.clock import WallClock
from doubtable.journal.facts import Facts, State
from doubtable.journal.reading import Race
from doubtable.race import Record

Statement = tuple[str, tuple[object, ...]]

ROW = "INSERT INTO rows (n, kind, number, ns, body, hash) VALUES (?, ?, ?, ?, ?, ?)"
RACE = "INSERT OR IGNORE INTO races (n, place, record) VALUES (?, ?, ?)"
GAME = (
    "INSERT INTO games (id, game, seats, facts, base, deck, first, began, clock_set) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
GAME_ENDED = "UPDATE games SET last = ?, ended = ?, digest = ?, head = ?, totals = ? WHERE id = ?"
POINT = "INSERT INTO points (n, facts, state, book) VALUES (?, ?, ?, ?)"
FACTS = "INSERT OR IGNORE INTO facts (id, body) VALUES (?, ?)"
NAME = "INSERT OR IGNORE INTO names (person, name) VALUES (?, ?)"
# Of the checkpoints only the two newest are for recovery; the others stay where a game's replay begins.
STOP = "INSERT INTO stops (first, last, error) VALUES (?, ?, ?)"
CLOCK = "INSERT INTO clocks (n, boot, origin, offset, is_set) VALUES (?, ?, ?, ?, ?)"
OLD_POINTS = "DELETE FROM points WHERE n < ? AND n NOT IN (SELECT base FROM games)"


def packed(value: object) -> bytes:
    """A value as compressed JSON."""
    return zlib.compress(msgspec.json.encode(value), 6)


def new_person() -> str:
    """A random id for a name."""
    return secrets.token_hex(4)


class Scribe:
    """The end of the chain. ``made`` holds the statements that are not committed yet.

    ``n`` and ``head``: number and hash of the last row. ``games``: the highest game id so far.
    """

    def __init__(self, n: int, head: bytes, games: int, number: int) -> None:
        self.n, self.head, self.games = n, head, games
        self.number = number  # of the last input taken, quiet ones included
        self.book = Book()
        self.boot = ""
        self.made: list[Statement] = []
        self.over: bytes | None = None  # the head hash of the game whose end is shown
        self.ended = False  # a game has ended since somebody last looked: its rows can be packed
        self.races: list[Race] = []  # not given to the readers in memory yet
        self._facts: Facts | None = None
        self._wall: WallClock | None = None
        self._quiet: tuple[int, Time] | None = None

    @property
    def facts(self) -> Facts:
        """The facts of the table that is recorded."""
        assert self._facts is not None  # `run` comes first
        return self._facts

    # The beginning of a program's life ------------------------------------------------------------------------------

    def run(self, facts: Facts, names: Mapping[str, str], body: Mapping[str, object], ended: Iterable[Ended]) -> None:
        """The program has started. ``names``: name to person; ``ended``: games whose end was not written down."""
        self._facts = facts
        self.made += [(NAME, (person, name)) for name, person in names.items()]
        self.made.append((FACTS, (facts.id, facts.encode().decode())))
        for each in ended:
            self._end(each)
        self.boot = str(body.get("boot", ""))
        self._row(chain.RUN, {**body, "facts": facts.id})

    def skip(self, first: int, error: str) -> None:
        """The inputs on the rows from ``first`` on do not count: a replay failed there twice."""
        last = self.n
        self._row(chain.SKIP, {"first": first, "last": last, "error": error})
        self.made.append((STOP, (first, last, error)))

    def thin(self, upto: int, head: bytes) -> None:
        """The rows up to ``upto``, whose hash is ``head``, have been thinned out."""
        self._row(chain.THIN, {"upto": upto, "hash": head.hex()})

    def races_again(self, heard: Iterable[tuple[int, list[Event]]]) -> None:
        """The races of rows that a replay went over: their records may not be there yet."""
        for row, events in heard:
            self._race_records(row, events)
        self.races.clear()  # whoever reads them in memory has read them from the file

    # What comes in --------------------------------------------------------------------------------------------------

    def take(self, number: int, given: Input, *, quiet: bool) -> None:
        """Input ``number``. A ``quiet`` one is time that passed and fired nothing: of several in a row one is kept."""
        self.number = number
        if quiet and isinstance(given, Time):
            self._quiet = (number, given)
            return
        self._write_quiet()
        self._input(number, given)

    def _write_quiet(self) -> None:
        if self._quiet is not None:
            self._input(*self._quiet)
            self._quiet = None

    def _input(self, number: int, given: Input) -> None:
        self._append(chain.IN, number, given.ns, tape.input_line(given))
        self.book.take(self.n, given)

    def hear(self, events: list[Event]) -> None:
        """What came of the last input."""
        row = self.book.row
        for each in self.book.hear(events, row - 1):
            self._end(each)
        if any(each.name == "deal" for each in events):
            self.over = None
        self._race_records(row, events)

    def _race_records(self, row: int, events: Iterable[Event]) -> None:
        """The evidence of the races that were decided with the input on ``row``."""
        records = [each.facts["record"] for each in events if isinstance(each.facts.get("record"), Record)]
        for place, record in enumerate(records):
            self.made.append((RACE, (row, place, msgspec.json.encode(record).decode())))
            self.races.append(self._race(record))

    def _race(self, record: Record) -> Race:
        game, wall = self.book.game, self._wall
        number = (game.id or self.games + 1) if game is not None else None
        return Race(number, None if wall is None else wall.at(record.decided), wall is not None and wall.is_set, record)

    def clock(self, wall: WallClock) -> None:
        """Note how wall time follows from table time, when that has changed."""
        if self._wall is None or wall.differs(self._wall):
            self._wall = wall
            self._row(chain.CLOCK, {"origin": wall.origin, "offset": wall.offset, "set": wall.is_set})
            self.made.append((CLOCK, (self.n, self.boot, wall.origin, wall.offset, wall.is_set)))

    def point(self, number: int, state: State) -> None:
        """A checkpoint: ``state`` is the table's after input ``number``."""
        self._write_quiet()
        self.number = number
        if self.book.game is not None and not self.book.game.id:
            self._begin_game(self.book.game, state)
        before, facts, body = self.book.point, self.facts.id, packed(state)
        self._row(chain.POINT, {"facts": facts, "state": sha256(body).hexdigest()})
        self.book.point = self.n
        self.made.append((POINT, (self.n, facts, body, packed(self.book))))
        self.made.append((OLD_POINTS, (before,)))

    # Games ----------------------------------------------------------------------------------------------------------

    def _begin_game(self, game: GameBook, state: State) -> None:
        """The row of a game that has begun; which game it is, the state says."""
        self.games += 1
        game.id = self.games
        setup: Mapping[str, Any] = state.get("setup") or {}
        wall = self._wall
        began = (None, None) if wall is None else (wall.at(game.totals.began), wall.is_set)
        facts = self.facts
        kind = str(setup.get("game", ""))
        self._row(chain.DEAL, {"game": game.id, "kind": kind, "seats": facts.seats, "first": game.first})
        self.made.append(
            (GAME, (game.id, kind, json.dumps(facts.seats), facts.id, game.base, facts.deck, game.first, *began))
        )

    def _end(self, ended: Ended) -> None:
        game = ended.game
        if not game.id:  # its deal and its end came with one input, or the program ended between them
            self._begin_game(game, {})
        body = {"game": game.id, "how": ended.how, "first": game.first, "last": ended.last, "digest": game.digest}
        self._row(chain.OVER, body)
        totals = msgspec.json.encode(game.totals).decode()
        self.made.append((GAME_ENDED, (ended.last, ended.how, game.digest, self.head, totals, game.id)))
        self.over = self.head
        self.ended = True

    # Rows -----------------------------------------------------------------------------------------------------------

    def _row(self, kind: str, body: Mapping[str, object]) -> None:
        self._append(kind, self.number, self.book.latest, json.dumps(body, separators=(",", ":")))

    def _append(self, kind: str, number: int, ns: int, body: str) -> None:
        self.head = chain.link(self.head, self.n + 1, kind, number, ns, body)
        self.n += 1
        self.made.append((ROW, (self.n, kind, number, ns, body, self.head)))
