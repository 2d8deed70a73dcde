"""What is in the journal, played again: from a checkpoint, input by input, through the very table that played it."""

import logging
import sqlite3
import zlib
from typing import NamedTuple

import msgspec

from doubtable.events import Event
from doubtable.journal import reading
from doubtable.journal.book import Book, Ended
from doubtable.journal.facts import Facts, table_at
from doubtable.journal.reading import Point
from doubtable.table import Table

log = logging.getLogger(__name__)

DAMAGED = (zlib.error, msgspec.DecodeError, msgspec.ValidationError, LookupError)
"""What a checkpoint raises that cannot be read, or that was written by a program whose state had another shape."""


class Replayed(NamedTuple):
    """A table after a replay. ``failed``: the row whose input could not be fed, and why; the table is before it.

    ``ended``: the games that ended on the way. ``races``: the events of every row, for their race records.
    """

    table: Table
    book: Book
    facts: Facts
    ended: list[Ended]
    races: list[tuple[int, list[Event]]]
    failed: tuple[int, str] | None


class Failure(Exception):
    """A replay from ``point`` failed at row ``row``."""

    def __init__(self, point: Point, row: int, why: str) -> None:
        super().__init__(why)
        self.point, self.row, self.why = point, row, why


def replay_end(database: sqlite3.Connection) -> Replayed | None:
    """The table at the end of the journal; None when there is none, or when no checkpoint of it can be read.

    A replay that fails is tried again from the checkpoint before; if it fails there too the table is that from just
    before the input at which it failed first.
    """
    points = reading.points(database, 2)
    first: Failure | None = None
    for point in points if len(points) != 1 else points * 2:
        try:
            return replay(database, point)
        except DAMAGED as error:
            log.warning("checkpoint %d cannot be read: %s", point.n, error)
        except Failure as failure:
            first = first or failure
    if first is None:
        return None
    return replay(database, first.point, first.row - 1)._replace(failed=(first.row, first.why))


def replay(database: sqlite3.Connection, point: Point, upto: int | None = None) -> Replayed:
    """The table after row ``upto``, from a checkpoint on. Raises Failure, or one of DAMAGED for the checkpoint."""
    facts = reading.facts_with(database, point.facts)
    table, book = table_at(facts, facts.seats, reading.state_of(point)), reading.book_of(point)
    ended: list[Ended] = []
    races: list[tuple[int, list[Event]]] = []
    for row in reading.counting_inputs(database, point.n, upto):
        try:
            given = reading.input_on(row, len(facts.seats))
            events = table.feed(given)
        except Exception as error:  # whatever it is: it must not keep the table from starting
            raise Failure(point, row.n, f"{type(error).__name__}: {error}") from error
        book.take(row.n, given)
        ended += book.hear(events, row.n - 1)
        races.append((row.n, events))
    return Replayed(table, book, facts, ended, races, None)
