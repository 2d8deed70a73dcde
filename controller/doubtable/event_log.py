"""Events as lines on a stream, written by a thread of its own: whoever reads them slowly must not hold up the table."""

import queue
import threading
from contextlib import suppress
from typing import TextIO

from doubtable import tape
from doubtable.events import Event

MOST_WAITING = 10_000  # lines; what comes while so many wait is dropped
END_WITHIN = 1.0  # s


class EventLog:
    """Owner of the thread. Call it with events; ``close`` writes what is left and may be called twice."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="event log", daemon=True)
        self._thread.start()

    def __call__(self, events: list[Event], ns: int) -> None:
        """The events of one input; ``ns`` is not written, each has its own."""
        for each in events:
            if self._lines.qsize() < MOST_WAITING:
                self._lines.put(tape.event_line(each) + "\n")

    def close(self) -> None:
        self._lines.put(None)
        self._thread.join(END_WITHIN)  # a reader that sleeps keeps the thread, and the program ends without it

    def _run(self) -> None:
        while (line := self._lines.get()) is not None:
            with suppress(OSError, ValueError):  # a reader that has gone ends no game
                self._stream.write(line)
                if self._lines.empty():
                    self._stream.flush()
