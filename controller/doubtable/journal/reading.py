"""What stands in a journal, read through one connection."""

import json
import sqlite3
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from doubtable.inputs import Input
from doubtable.journal import chain
from doubtable.journal.book import Book
from doubtable.journal.chain import Row
from doubtable.journal.clock import WallClock
from doubtable.journal.facts import Facts, State, decode
from doubtable.race import Record
from doubtable.tape_lines import input_of, number_of, stamp_of

ROW = "SELECT n, kind, number, ns, body, hash FROM rows"


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
    """Rows with ``after`` < n <= ``upto``, in order."""
    for found in database.execute(
        f"{ROW} WHERE n > ? AND n <= ? ORDER BY n", (after, 1 << 62 if upto is None else upto)
    ):
        yield Row(*found)


def end_of(database: sqlite3.Connection) -> tuple[int, bytes, int]:
    """Number and hash of the last row, and the number of the last input. An empty journal ends before row 1."""
    found = database.execute("SELECT n, hash, number FROM rows ORDER BY n DESC LIMIT 1").fetchone()
    found = found or database.execute("SELECT n, hash, 0 FROM anchors ORDER BY n DESC LIMIT 1").fetchone()
    return found or (0, chain.FIRST, 0)


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
    found = database.execute(f"{ROW} WHERE kind = ? ORDER BY n", (chain.SKIP,))
    return [Stop(**body_of(Row(*each))) for each in found]


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
    clock = database.execute(f"{ROW} WHERE kind = ? ORDER BY n DESC LIMIT 1", (chain.CLOCK,)).fetchone()
    if clock is None:
        return None
    run = database.execute(f"{ROW} WHERE kind = ? AND n < ? ORDER BY n DESC LIMIT 1", (chain.RUN, clock[0])).fetchone()
    said = body_of(Row(*clock))
    boot = "" if run is None else str(body_of(Row(*run)).get("boot", ""))
    return Last(boot, WallClock(said["origin"], said["offset"], said["set"]))


def recent_races(database: sqlite3.Connection, most: int) -> list[tuple[int, Record]]:
    """The newest race records with their rows, the oldest first."""
    found = database.execute("SELECT n, record FROM races ORDER BY n DESC, place DESC LIMIT ?", (most,)).fetchall()
    return [(n, msgspec.json.decode(record, type=Record)) for n, record in reversed(found)]
