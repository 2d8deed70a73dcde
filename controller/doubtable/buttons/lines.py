"""Edges to presses: one seat's line.

Theory. A **burst** runs from the first edge that leaves the settled level until the level has been unchanged for
``confirm`` ns. If it ends at the other level it was a press or a release, stamped with its FIRST edge: a switch that
bounces longer must not look later. If it ends at the old level it was noise, however long it chattered.

A line never looks at the time of delivery. An edge settles the earlier burst of its own line only; what has settled
waits in ``queue`` until the table's time reaches its ``due``, so that the table meets the presses of all lines in the
order in which they became known, whatever was delivered first.

A level that was read and differs from the settled one is an edge that got lost. It waits ``straggler`` ns for the true
edge, then it becomes an **inferred** press or release: its stamp lies after the last moment at which the line was known
otherwise and not later than the read.
"""

import msgspec
from msgspec.structs import replace

from doubtable.inputs import DEFAULT_SOURCE, Edge
from doubtable.timing import Timing

UP, DOWN = 0, 1
NEVER = -1


class Burst(msgspec.Struct, frozen=True, gc=False):
    """Edges that have left the settled level and have not come to rest; times in ns."""

    start: int
    last: int
    level: int
    repeats: int = 0
    source: str = DEFAULT_SOURCE
    uncertainty: int = 0


class Settled(msgspec.Struct, frozen=True, gc=False):
    """What a line has come to: ``kind`` press, release, noise or repeats, first seen at ``start``, known at ``due``.

    ``low`` is None for what edges told; for an inferred one the true stamp lies in (low, start].
    """

    kind: str
    start: int
    due: int
    repeats: int = 0
    low: int | None = None
    source: str = DEFAULT_SOURCE
    uncertainty: int = 0


class Read(msgspec.Struct, frozen=True, gc=False):
    """A level read that differs from the settled level and may yet be explained by a true edge."""

    ns: int
    level: int


class Line(msgspec.Struct, frozen=True, gc=False):
    """One seat's line. ``level`` is the settled one; ``known`` is the last ns at which the line was seen at it."""

    level: int = UP
    known: int = NEVER
    heard: bool = False  # False until something told the level: the first edge up of such a line is no repeat
    burst: Burst | None = None
    queue: tuple[Settled, ...] = ()
    last_edge: int = NEVER  # of the newest settled burst
    read: Read | None = None


def take_edge(line: Line, edge: Edge, timing: Timing) -> tuple[Line, bool]:
    """The line after ``edge``; True with it when the edge is older than what has settled and changes nothing."""
    burst = line.burst
    if burst is not None and line.read is None and burst.last <= edge.ns < burst.last + timing.confirm:
        repeats = burst.repeats + (edge.level == burst.level)  # nine of ten edges: a burst that goes on
        return replace(line, burst=replace(burst, last=edge.ns, level=edge.level, repeats=repeats)), False
    proved = 0
    if line.read is not None and _contradicted(line) and edge.ns > line.read.ns:
        proved = _proved(line.read, edge, timing)
        line = _follow_read(line)
    burst = line.burst
    if burst is not None and edge.ns >= burst.last + timing.confirm:
        line, burst = _settle_burst(line, max(burst.last + timing.confirm, proved)), None
    if edge.ns < line.last_edge:
        return line, True
    if burst is not None:
        return replace(line, burst=_prolong(burst, edge)), False
    line = _settle_read(line, edge, timing)
    if edge.level == line.level:
        if not line.heard:
            return replace(line, heard=True, known=edge.ns), False
        seen = Settled("repeats", edge.ns, edge.ns + timing.confirm, repeats=1)
        return replace(line, known=edge.ns, queue=(*line.queue, seen)), False
    begun = Burst(edge.ns, edge.ns, edge.level, 0, edge.source, edge.uncertainty)
    return replace(line, heard=True, burst=begun), False


def _prolong(burst: Burst, edge: Edge) -> Burst:
    """A burst with one more edge. One source numbers a line's edges in stamp order; a mixed-up one moves no level."""
    if edge.ns < burst.last:
        return replace(burst, start=min(burst.start, edge.ns))
    return replace(burst, last=edge.ns, level=edge.level, repeats=burst.repeats + (edge.level == burst.level))


def _contradicted(line: Line) -> bool:
    """Whether a level read after the burst's last edge differs from it: an edge got lost, or is on its way."""
    burst, read = line.burst, line.read
    if burst is None or read is None or read.level == burst.level:
        return False
    return read.ns >= burst.last + burst.uncertainty  # nearer to the edge the read may have been before it


def _reads_on(line: Line, timing: Timing) -> bool:
    """Whether the read that differs was made before the burst could have ended."""
    burst, read = line.burst, line.read
    return burst is not None and read is not None and _contradicted(line) and read.ns < burst.last + timing.confirm


def _follow_read(line: Line) -> Line:
    """The lost edge is not coming: the burst goes on at the level that was read."""
    burst, read = line.burst, line.read
    assert burst is not None
    assert read is not None
    return replace(line, burst=replace(burst, last=read.ns, level=read.level), read=None)


def _settle_burst(line: Line, known_at: int) -> Line:
    """The burst has ended, which is known at ``known_at``.

    After noise the line is only known to have been at its level before the burst: an edge that got lost may have been
    the burst's next one.
    """
    burst, read = line.burst, line.read
    assert burst is not None
    kind = "noise" if burst.level == line.level else "press" if burst.level == DOWN else "release"
    settled = Settled(kind, burst.start, known_at, burst.repeats, None, burst.source, burst.uncertainty)
    if read is not None and (read.level == burst.level or burst.last + burst.uncertainty > read.ns):
        read = None  # the true edges explain what was read
    return replace(
        line,
        level=burst.level,
        known=burst.start - 1 if kind == "noise" else burst.last,
        burst=None,
        last_edge=burst.last,
        read=read,
        queue=(*line.queue, settled),
    )


def _settle_read(line: Line, edge: Edge, timing: Timing) -> Line:
    """An edge after the read proves that no true one up to it comes, unless it is that one, stamped a little late."""
    if line.read is None or edge.ns <= line.read.ns + edge.uncertainty:
        return line
    return _infer(line, _proved(line.read, edge, timing))


def _proved(read: Read, edge: Edge, timing: Timing) -> int:
    """When it is known that no edge explains the read: just after a later edge, or when the straggler time is up."""
    return min(edge.ns + 1, read.ns + timing.straggler)


def _infer(line: Line, due: int) -> Line:
    read = line.read
    assert read is not None
    kind = "press" if read.level == DOWN else "release"
    settled = Settled(kind, read.ns, due, low=line.known)
    return replace(line, level=read.level, known=read.ns, read=None, last_edge=read.ns, queue=(*line.queue, settled))


def take_level(line: Line, ns: int, level: int) -> Line:
    """The line after a level read at ``ns``, everything due by then having been taken."""
    if ns < line.known or any(each.kind != "repeats" for each in line.queue):
        return line
    if line.burst is not None:
        differs = line.read is None and level != line.burst.level and ns >= line.burst.last
        return replace(line, read=Read(ns, level)) if differs else line
    if level == line.level:
        return replace(line, heard=True, known=ns, read=None)
    return line if line.read is not None else replace(line, read=Read(ns, level))


def start_level(ns: int, level: int) -> Line:
    """The line as it was found at start-up: down is held, not pressed."""
    return Line(level=level, known=ns, heard=True)


def rests(line: Line) -> bool:
    """Whether nothing is due on this line by time alone."""
    return line.burst is None and line.read is None and not line.queue


def coming(line: Line, timing: Timing) -> tuple[int | None, int]:
    """When the line next comes to something by time alone, and the stamp of that: of two lines with one due time the
    earlier stamp is met first.
    """
    if line.queue:
        return line.queue[0].due, line.queue[0].start
    read, burst = line.read, line.burst
    if burst is not None:
        ends = burst.last + timing.confirm
        if read is not None and _reads_on(line, timing):
            ends = max(ends, read.ns + timing.straggler)
        return ends, burst.start
    return (None, NEVER) if read is None else (read.ns + timing.straggler, read.ns)


def due(line: Line, timing: Timing) -> int | None:
    """When the line next comes to something by time alone."""
    return coming(line, timing)[0]


def take_due(line: Line, timing: Timing) -> tuple[Line, Settled]:
    """The line without its next settled thing, and that thing. Only when ``due`` is not None."""
    known_at = due(line, timing)
    assert known_at is not None
    if not line.queue:
        if line.burst is None:
            line = _infer(line, known_at)
        else:
            line = _settle_burst(_follow_read(line) if _reads_on(line, timing) else line, known_at)
    return replace(line, queue=line.queue[1:]), line.queue[0]


def unsettled_since(line: Line) -> int | None:
    """The first edge of the oldest burst that the table has not yet met; None when there is none."""
    if line.queue:
        return line.queue[0].start
    return line.burst.start if line.burst is not None else None
