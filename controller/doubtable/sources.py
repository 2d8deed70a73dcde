"""Sources of edges: their own numbers, what is missing of them, and how well they know the time.

A source numbers its edges without gaps. A number that jumps is a gap only when the missing ones have not come
``straggler`` ns later: between lines the order of delivery may be mixed up.
"""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from doubtable.inputs import Edge


class Missing(msgspec.Struct, frozen=True, gc=False):
    """Numbers ``first`` to ``last`` have not come; their stamps lie between ``low`` and ``seen`` (ns)."""

    first: int
    last: int
    low: int
    seen: int


ALWAYS, NOTHING_YET = -1, 2**63 - 1
MOST_EARLIER = 7


class SourceBook(msgspec.Struct, frozen=True, gc=False):
    """One source: whether it is there, how well it knows the time, and its numbers.

    ``uncertainty`` (ns) is what it said last, ``since`` the stamp (ns) of the first edge that said so, ALWAYS for what
    it declared when it came, or NOTHING_YET. ``earlier``: what it had said before, likewise, in order of stamps.
    """

    up: bool = True
    uncertainty: int = 0
    seq: int | None = None
    seq_ns: int = 0
    missing: tuple[Missing, ...] = ()
    since: int = ALWAYS
    earlier: tuple[tuple[int, int], ...] = ()

    def before(self, ns: int) -> int | None:
        """What it had said before ``ns``, whatever was delivered first; None: nothing."""
        if self.since < ns:
            return self.uncertainty
        return next((said for since, said in reversed(self.earlier) if since < ns), None)

    def hears(self, ns: int, said: int) -> "SourceBook":
        """The source after an edge stamped ``ns`` that said ``said``."""
        rows: list[tuple[int, int]] = []
        for row in sorted((*self.earlier, (self.since, self.uncertainty), (ns, said))):
            if row[0] != NOTHING_YET and (not rows or rows[-1][1] != row[1]):
                rows.append(row)
        *earlier, (since, uncertainty) = rows
        return replace(self, uncertainty=uncertainty, since=since, earlier=tuple(earlier[-MOST_EARLIER:]))


def take_seq(book: SourceBook, edge: Edge) -> SourceBook:
    """The source after ``edge``."""
    if edge.seq is None:
        return book
    if book.seq is None or edge.seq == book.seq + 1:
        return replace(book, seq=edge.seq, seq_ns=edge.ns if edge.ns > book.seq_ns else book.seq_ns)
    if edge.seq > book.seq:
        gap = Missing(book.seq + 1, edge.seq - 1, min(book.seq_ns, edge.ns), edge.ns)
        return replace(book, seq=edge.seq, seq_ns=max(edge.ns, book.seq_ns), missing=(*book.missing, gap))
    return replace(book, missing=tuple(part for gap in book.missing for part in _without(gap, edge.seq)))


def _without(gap: Missing, seq: int) -> tuple[Missing, ...]:
    if not gap.first <= seq <= gap.last:
        return (gap,)
    parts = (replace(gap, last=seq - 1), replace(gap, first=seq + 1))
    return tuple(part for part in parts if part.first <= part.last)


def take_gap(book: SourceBook) -> tuple[SourceBook, Missing]:
    """The source without its oldest gap, and that gap."""
    return replace(book, missing=book.missing[1:]), book.missing[0]


def missing_of(books: Mapping[str, SourceBook]) -> list[Missing]:
    """What is missing of all sources."""
    missing: list[Missing] = []
    for book in books.values():
        missing += book.missing
    return missing


def said_before(books: Mapping[str, SourceBook], ns: int) -> dict[str, int]:
    """The uncertainty (ns) that each source that is there had said before ``ns``."""
    told = {}
    for name, book in books.items():
        said = book.before(ns) if book.up else None
        if said is not None:
            told[name] = said
    return told
