"""Where a device under test delivers: waited for with a time-out, because a blocked read would hang for ever."""

import queue
from collections.abc import Iterator

from doubtable.inputs import Edge, Input

PATIENCE = 120.0  # s of the guest's clock: where it is slow, and where it leaps (virtual time)


class Inbox:
    """Inputs in the order of their delivery."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Input] = queue.SimpleQueue()
        self.put = self._queue.put

    def next(self) -> Input:
        """The next input, waited for; ``queue.Empty`` when none comes."""
        return self._queue.get(timeout=PATIENCE)

    def edges(self, count: int) -> list[Edge]:
        """The next ``count`` inputs, which must all be edges."""
        return [edge for edge in (self.next() for _ in range(count)) if isinstance(edge, Edge)]

    def rest(self) -> Iterator[Input]:
        """What is there now."""
        while not self._queue.empty():
            yield self._queue.get()
