"""Sources of edges: their own numbers, what is missing of them, and how well they know the time.

A source numbers its edges without gaps. A number that jumps is a gap only when the missing ones have not come
``straggler`` ns later: between lines the order of delivery may be mixed up.
"""

import msgspec
from msgspec.structs import replace

from doubtable.inputs import Edge


class Missing(msgspec.Struct, frozen=True, gc=False):
    """Numbers ``first`` to ``last`` have not come; their stamps lie between ``low`` and ``seen`` (ns)."""

    first: int
    last: int
    low: int
    seen: int


NEVER_SAID = -1
MOST_HEARD = 8


class SourceBook(msgspec.Struct, frozen=True, gc=False):
    """One source: whether it is there, how well it knows the time, and its numbers.

    ``uncertainty`` (ns) is what it declared when it came, or NEVER_SAID; ``heard``: what its edges said since, each
    with the stamp (ns) of the first that said so, in order of stamps.
    """

    up: bool = True
    uncertainty: int = NEVER_SAID
    seq: int | None = None
    seq_ns: int = 0
    missing: tuple[Missing, ...] = ()
    heard: tuple[tuple[int, int], ...] = ()

    def before(self, ns: int) -> int | None:
        """What it had said before ``ns``, whatever was delivered first; None: nothing."""
        for stamp, said in reversed(self.heard):
            if stamp < ns:
                return said
        return None if self.uncertainty == NEVER_SAID else self.uncertainty

    @property
    def latest(self) -> int:
        """What it said last; 0 when it has said nothing."""
        return self.heard[-1][1] if self.heard else max(self.uncertainty, 0)

    def hears(self, ns: int, said: int) -> "SourceBook":
        """The source after an edge stamped ``ns`` that said ``said``."""
        heard: list[tuple[int, int]] = []
        for row in sorted((*self.heard, (ns, said))):
            if not heard or heard[-1][1] != row[1]:
                heard.append(row)
        if len(heard) <= MOST_HEARD:
            return replace(self, heard=tuple(heard))
        return replace(self, uncertainty=heard[0][1], heard=tuple(heard[1:]))


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
