"""What the kernel's edge events mean. Pure.

Theory (drivers/gpio/gpiolib-cdev.c, read in Linux 6.1). An edge raises an interrupt. Its handler notes the time and
takes the request's next number; a thread then reads the level and queues the event. A contact that bounces before that
thread has run raises further interrupts, each of which overwrites time and number. Two things follow:

- **Numbers have holes that are no loss.** A hole means lost events only if the queue was full: then the oldest went,
  and a read brings as many events as the queue holds. So edges get numbers of our own here, with holes for such losses.
- **The same level may come twice.** The contact has then been at the other level in between, by the event's stamp at
  the latest. That edge is put in front with the same stamp: it may be the first touch of a press.

The stamp of an event whose bounces ran together is that of the last of them, late by no more than the thread was.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class LineEdge(NamedTuple):
    """One edge: the kernel's stamp (ns of CLOCK_MONOTONIC), its line, its level (1 = active) and its number."""

    ns: int
    line: int
    level: int
    seq: int


class EdgeReading:
    """Turns the events of one request into edges, read by read.

    ``levels`` (line -> level) were read at ``ns``; ``queue`` is how many events the kernel keeps.
    """

    def __init__(self, levels: Mapping[int, int], ns: int, queue: int) -> None:
        self._levels: dict[int, int] = dict(levels)
        self._since = ns
        self._queue = queue
        self._last = 0  # the kernel's number of the last event
        self._number = 0  # our own number of the last edge

    def edges(self, events: Sequence[LineEdge]) -> list[LineEdge]:
        """The edges that one read tells of, numbered anew."""
        if len(events) >= self._queue:
            self._number += max(0, events[0].seq - self._last - 1)
            self._levels.clear()  # of what was lost nothing is known
        edges: list[LineEdge] = []
        for event in events:
            # What is older than the start-up levels has been seen in them already.
            if event.level == self._levels.get(event.line) and event.ns > self._since:
                edges.append(self._edge(event, 1 - event.level))
            edges.append(self._edge(event, event.level))
            self._levels[event.line] = event.level
            self._last = max(self._last, event.seq)
        return edges

    def _edge(self, event: LineEdge, level: int) -> LineEdge:
        self._number += 1
        return LineEdge(event.ns, event.line, level, self._number)
