"""What stands in a journal, read through one connection."""

import json
import sqlite3
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from doubtable.inputs import Input
from doubtable.journal import chain, packs
from doubtable.journal.book import Book
from doubtable.journal.chain import Row
from doubtable.journal.clock import WallClock
from doubtable.journal.facts import Facts, State, decode
from doubtable.race import Record
from doubtable.tape_lines import input_of, number_of, stamp_of

ROW = "SELECT n, kind, number, ns, body, hash FROM rows"
PACK = "SELECT first, last, before, after, body FROM packs"


class Point(NamedTuple):
    """A checkpoint after row ``n``, as it is stored."""

    n: int
    facts: str
    state: bytes
    book: bytes


class Stop(NamedTuple):
    """Rows from ``first`` to ``last`` that do not count, and why."""

    first: int
    last: int
    error: str


class Last(NamedTuple):
    """The clocks when the journal was last written: the boot, and wall time against table time."""

    boot: str
    wall: WallClock


def rows(database: sqlite3.Connection, after: int = 0, upto: int | None = None) -> Iterator[Row]:
    """Rows with ``after`` < n <= ``upto``, in order, wherever they are kept. Raises chain.Broken for a damaged pack."""
    last = 1 << 62 if upto is None else upto
    for first, *pack in database.execute(f"{PACK} WHERE last > ? AND first <= ? ORDER BY first", (after, last)):
        yield from (row for row in packs.unpack(first, *pack) if after < row.n <= last)
    for found in database.execute(f"{ROW} WHERE n > ? AND n <= ? ORDER BY n", (after, last)):
        yield Row(*found)


def begin_of(database: sqlite3.Connection) -> tuple[int, bytes]:
    """Number and hash of the row that the first row here follows."""
    found: tuple[int, bytes] | None = database.execute("SELECT n, hash FROM anchors ORDER BY n DESC LIMIT 1").fetchone()
    return found or (0, chain.FIRST)


def end_of(database: sqlite3.Connection) -> tuple[int, bytes, int]:
    """Number and hash of the last row, and the number of the last input. An empty journal ends before row 1."""
    found = database.execute("SELECT n, hash, number FROM rows ORDER BY n DESC LIMIT 1").fetchone()
    return found or (*begin_of(database), 0)


def body_of(row: Row) -> dict[str, Any]:
    """The body of a row that is no input."""
    body: dict[str, Any] = json.loads(row.body)
    return body


def input_on(row: Row, seats: int) -> Input:
    """The input on a row of kind IN. Raises one of tape_lines.BAD_LINE, or ValueError."""
    line = json.loads(row.body, parse_float=number_of)
    stamp = stamp_of(line)
    return input_of(line, 0 if stamp is None else stamp, seats)


def counting_inputs(database: sqlite3.Connection, after: int, upto: int | None = None) -> Iterator[Row]:
    """The rows with inputs that count, ``after`` < n <= ``upto``."""
    passed_over = stops(database)
    for row in rows(database, after, upto):
        if row.kind == chain.IN and not any(stop.first <= row.n <= stop.last for stop in passed_over):
            yield row


def ended_games(database: sqlite3.Connection) -> set[int]:
    """Ids of the games whose end is written down."""
    return {game for (game,) in database.execute("SELECT id FROM games WHERE ended <> ''")}


def last_head(database: sqlite3.Connection) -> bytes | None:
    """The head hash of the game that ended last."""
    found = database.execute("SELECT head FROM games WHERE ended <> '' ORDER BY id DESC LIMIT 1").fetchone()
    return None if found is None else found[0]


def stops(database: sqlite3.Connection) -> list[Stop]:
    """Rows that do not count because a replay failed at them."""
    return [Stop(*found) for found in database.execute("SELECT first, last, error FROM stops ORDER BY first")]


def points(database: sqlite3.Connection, most: int) -> list[Point]:
    """The newest checkpoints, the newest first."""
    found = database.execute("SELECT n, facts, state, book FROM points ORDER BY n DESC LIMIT ?", (most,))
    return [Point(*each) for each in found]


def state_of(point: Point) -> State:
    """The state in a checkpoint. zlib.error or msgspec.DecodeError for one that is damaged."""
    state: State = msgspec.json.decode(zlib.decompress(point.state))
    return state


def book_of(point: Point) -> Book:
    """The book in a checkpoint; errors as state_of."""
    return msgspec.json.decode(zlib.decompress(point.book), type=Book)


def facts_with(database: sqlite3.Connection, key: str) -> Facts:
    """The facts of an id. LookupError when they are not there."""
    found = database.execute("SELECT body FROM facts WHERE id = ?", (key,)).fetchone()
    if found is None:
        raise LookupError(f"facts {key} are not in the journal")
    return decode(found[0])


def persons(database: sqlite3.Connection) -> dict[str, str]:
    """Person -> name."""
    return dict(database.execute("SELECT person, name FROM names"))


def last_clocks(database: sqlite3.Connection) -> Last | None:
    """The newest word about the clocks; None when there is none."""
    found = database.execute("SELECT boot, origin, offset, is_set FROM clocks ORDER BY n DESC LIMIT 1").fetchone()
    return None if found is None else Last(found[0], WallClock(found[1], found[2], bool(found[3])))


class Game(NamedTuple):
    """A game with everything that its replay needs. ``last`` and ``digest`` are None while it is on."""

    id: int
    kind: str
    facts: str
    first: int
    last: int | None
    digest: str | None
    point: Point


def game(database: sqlite3.Connection, number: int) -> Game:
    """The game of that number. Raises LookupError, in words, for one that is not there or not there any more."""
    found = database.execute(
        "SELECT id, game, facts, first, last, digest, base FROM games WHERE id = ?", (number,)
    ).fetchone()
    if found is None:
        last = last_game(database)
        raise LookupError(f"game {number} is not in the journal" + (f": the last one is game {last}" if last else ""))
    point = database.execute("SELECT n, facts, state, book FROM points WHERE n = ?", found[-1:]).fetchone()
    if point is None:
        raise LookupError(f"game {number} has been thinned out: only its sums are kept")
    number, kind, facts, first, last_row, digest, _ = found
    return Game(number, kind, facts, first, last_row, digest, Point(*point))


def last_game(database: sqlite3.Connection) -> int | None:
    """Number of the last game; None when there is none."""
    number: int | None = database.execute("SELECT max(id) FROM games").fetchone()[0]
    return number


class Race(NamedTuple):
    """A recorded race: its game (None: between games), when it was decided (wall time, ns; None: unknown), evidence."""

    game: int | None
    wall: int | None
    is_set: bool
    record: Record


def races(database: sqlite3.Connection, most: int | None, of_game: int | None) -> list[Race]:
    """The newest races, of one game or of all, the oldest first."""
    found = database.execute(
        """
        SELECT game, record, offset, is_set FROM (
            SELECT races.n, races.place, races.record, max(games.id) AS game,
                (SELECT max(n) FROM clocks WHERE clocks.n <= races.n) AS clock
            FROM races LEFT JOIN games ON games.first <= races.n AND coalesce(games.last, races.n) >= races.n
            GROUP BY races.n, races.place
        ) AS raced LEFT JOIN clocks ON clocks.n = raced.clock
        WHERE ?1 IS NULL OR game = ?1 ORDER BY raced.n DESC, raced.place DESC LIMIT ?2
        """,
        (of_game, -1 if most is None else most),
    ).fetchall()
    made = []
    for number, text, offset, is_set in reversed(found):
        record = msgspec.json.decode(text, type=Record)
        made.append(Race(number, None if offset is None else record.decided + offset, bool(is_set), record))
    return made
