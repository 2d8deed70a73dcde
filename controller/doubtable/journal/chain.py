"""Rows of the journal, each carrying the hash of the one before.

What the chain proves: that no row between two known hashes is damaged, missing, added or moved. What it cannot prove:
that nobody who has the file wrote all of it anew. For that the code of a game that is over stands on the table's
screen, where people have seen it.
"""

from collections.abc import Iterable
from hashlib import sha256

import msgspec

FIRST = bytes(32)  # what the first row of all follows

IN, RUN, CLOCK, POINT, DEAL, OVER, SKIP, THIN = "in", "run", "clock", "point", "deal", "over", "skip", "thin"
"""Kinds of rows: an input; the program started; how wall time follows from table time; a checkpoint; a game began; it
is over or was cut off; inputs at which a replay failed and that do not count; old rows were thinned out."""


class Row(msgspec.Struct, frozen=True):
    """One row: ``n`` counts all rows, ``number`` the inputs; ``ns`` is table time; ``body`` a tape's line, or JSON."""

    n: int
    kind: str
    number: int
    ns: int
    body: str
    hash: bytes


class Broken(ValueError):
    """The chain is broken at row ``n``: ``why`` says how."""

    def __init__(self, n: int, why: str) -> None:
        super().__init__(f"row {n}: {why}")
        self.n = n
        self.why = why


def link(before: bytes, n: int, kind: str, number: int, ns: int, body: str) -> bytes:
    """The hash of a row that follows the row whose hash is ``before``."""
    return sha256(before + f"{n}\n{kind}\n{number}\n{ns}\n{body}".encode()).digest()


def check(rows: Iterable[Row], before: bytes, after: int) -> bytes:
    """The last hash of ``rows``, which follow row number ``after`` with the hash ``before``. Raises Broken."""
    n = after
    for row in rows:
        if row.n != n + 1:
            raise Broken(n + 1, f"it is missing; the next one is row {row.n}")
        n = row.n
        if link(before, row.n, row.kind, row.number, row.ns, row.body) != row.hash:
            raise Broken(n, "it is damaged, or the row before it is another one")
        before = row.hash
    return before


def code(head: bytes) -> str:
    """A hash as people compare it: 12 hex digits in groups of four."""
    text = head.hex().upper()
    return "-".join(text[at : at + 4] for at in (0, 4, 8))
