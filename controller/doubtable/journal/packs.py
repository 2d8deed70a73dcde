"""Rows of games that are over, compressed: a tenth of their size. Their hashes are not kept; they follow from the rows.

The last row of the journal is never packed, so that its hash is at hand.
"""

import sqlite3
import zlib
from collections.abc import Iterable, Iterator

from doubtable.journal.chain import Broken, Row, link

MOST = 2_000  # rows in one pack: a megabyte of memory while it is made
INSERT = "INSERT INTO packs (first, last, before, after, body) VALUES (?, ?, ?, ?, ?)"


def unpack(first: int, last: int, before: bytes, after: bytes, body: bytes) -> Iterator[Row]:
    """The rows of a pack. Raises Broken when they are not those that were packed."""
    try:
        lines = zlib.decompress(body).decode().split("\n")
        rows = list(_rows(first, before, lines))
    except (zlib.error, ValueError) as error:
        raise Broken(first, f"it or a row up to {last} is damaged: {error}") from error
    if not rows or rows[-1].n != last or rows[-1].hash != after:
        raise Broken(first, f"it or a row up to {last} is damaged")
    yield from rows


def _rows(n: int, before: bytes, lines: Iterable[str]) -> Iterator[Row]:
    for line in lines:
        kind, number, ns, body = line.split("\t", 3)
        before = link(before, n, kind, int(number), int(ns), body)
        yield Row(n, kind, int(number), int(ns), body, before)
        n += 1


def pack(database: sqlite3.Connection, upto: int) -> bool:
    """Pack the first rows that are not packed yet, at most up to row ``upto``; False when there are none.

    Inside a transaction of the caller's. JSON has neither tabs nor line ends, so those part the columns and rows.
    """
    found = database.execute(
        "SELECT n, kind, number, ns, body, hash FROM rows"
        " WHERE n <= ? AND n < (SELECT max(n) FROM rows) ORDER BY n LIMIT ?",
        (upto, MOST),
    ).fetchall()
    if not found:
        return False
    first, last, after = found[0][0], found[-1][0], found[-1][5]
    before = database.execute(
        "SELECT after FROM packs WHERE last = ?1 UNION ALL SELECT hash FROM anchors WHERE n = ?1 LIMIT 1", (first - 1,)
    ).fetchone()
    body = "\n".join(f"{kind}\t{number}\t{ns}\t{text}" for _, kind, number, ns, text, _ in found)
    start = bytes(32) if before is None else before[0]
    database.execute(INSERT, (first, last, start, after, zlib.compress(body.encode(), 9)))
    database.execute("DELETE FROM rows WHERE n <= ?", (last,))
    return True
