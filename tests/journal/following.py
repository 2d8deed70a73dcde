"""Whoever has seen a table play, and looks into its journal afterwards."""

import sqlite3
from pathlib import Path

from doubtable.inputs import Restart
from doubtable.journal import chain, reading, schema
from doubtable.journal.chain import Row
from doubtable.table import Table
from doubtable.view import look
from journal.evening import fact, new_table


def rows_of(path: Path, after: int = 0, head: bytes = chain.FIRST) -> list[Row]:
    """The rows of a journal behind row ``after`` with its hash ``head``; the chain is checked on the way."""
    database = schema.connect(path)
    try:
        found = list(reading.rows(database, after))
        chain.check(found, head, after)
        return found
    finally:
        database.close()


def inputs(rows: list[Row]) -> list[str]:
    """The lines of the inputs among them."""
    return [row.body for row in rows if row.kind == chain.IN]


class Follower:
    """Replays a journal that grows, each row once, on a table of its own, and holds what was seen against it.

    New rows must follow the last one that was there before. That the older ones are as they were is looked at each
    ``WHOLE`` times.
    """

    WHOLE = 50

    def __init__(self) -> None:
        self.table: Table = new_table()
        self.last, self.head = 0, chain.FIRST
        self.times = 0
        self.number = 0
        self.latest = 0
        self.checked = 0
        self._seen: dict[int, str] = {}

    def saw(self, number: int, seen: str) -> None:
        """Somebody has seen ``seen`` on a screen that rested on input ``number``."""
        self._seen[number] = seen

    def follow(self, path: Path) -> list[str]:
        """Go on to the end of the journal; returns all that was seen and is not so, in words."""
        self.times += 1
        wrong: list[str] = []
        if self.times % self.WHOLE == 0 and rows_of(path)[: self.last][-1].hash != self.head:
            wrong.append("rows that were there have changed")
        found = rows_of(path, self.last, self.head)
        for row in found:
            wrong += self._follow(row)
        if found:
            self.last, self.head = found[-1].n, found[-1].hash
        wrong += self._compare()
        lost = sorted(each for each in self._seen if each > self.number)
        wrong += [f"input {each} was seen, but the journal ends at {self.number}" for each in lost]
        self._seen.clear()
        return wrong

    def _follow(self, row: Row) -> list[str]:
        if row.kind == chain.RUN and not reading.body_of(row)["goes_on"]:
            self.table, self.latest = new_table(), 0
        if row.kind != chain.IN:
            return []
        wrong = self._compare()
        given = reading.input_on(row, len(self.table.names))
        self.table.feed(given)
        self.number = row.number
        self.latest = max(self.latest, given.ns) + (given.gap if isinstance(given, Restart) else 0)
        return wrong

    def _compare(self) -> list[str]:
        """What was seen with this input must be so."""
        seen = self._seen.pop(self.number, None)
        if seen is None:
            return []
        self.checked += 1
        true = fact(look(self.table, self.latest, self.number))
        return [] if seen == true else [f"input {self.number}: seen {seen}, but it is {true}"]


def settings_of(database: sqlite3.Connection) -> tuple[int, str]:
    """``synchronous`` and the journal mode of a connection."""
    (synchronous,) = database.execute("PRAGMA synchronous").fetchone()
    (mode,) = database.execute("PRAGMA journal_mode").fetchone()
    return synchronous, mode
