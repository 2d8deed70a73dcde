"""Ctrl-C, SIGTERM and a closed terminal end the main loop; whoever holds a device then lets it go.

The signals do not interrupt the main thread: they are kept waiting until it asks. Up to Python 3.12 a thread that a
signal interrupts in ``queue.SimpleQueue.get(timeout=...)`` may wait for ever. It reckons then how much of its time is
left; on a busy machine that may be less than nothing, and a negative time means no end (``_queue_SimpleQueue_get_impl``
in CPython's Modules/_queuemodule.c, read in 3.11; seen in 3.7 to 3.12, not in 3.13). The main loop waits there.
"""

import signal
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop:
    """Whether the table has been told to end. Catches the signals while it is entered; main thread only.

    Threads that are started meanwhile leave the signals alone too, and so do processes: start none that must not.
    """

    def __init__(self) -> None:
        self.number = 0  # of the signal that told it; 0: none did
        self._told = False
        self._entered = False
        self._before: dict[int, object] = {}
        self._mask: set[int] = set()

    @property
    def told(self) -> bool:
        """Asks whether a signal waits, if nothing else has told it before. Takes a microsecond."""
        if self._entered and not self._told:
            waiting = signal.sigpending().intersection(SIGNALS)
            if waiting:
                self._on_signal(signal.sigwait(waiting))
        return self._told

    @told.setter
    def told(self, told: bool) -> None:
        self._told = told

    def __enter__(self) -> "Stop":
        # A thread that was there before may be given a signal all the same: Python then calls _on_signal in this one.
        self._before = {number: signal.signal(number, self._on_signal) for number in SIGNALS}
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        self._entered = True
        return self

    def __exit__(self, *_: object) -> None:
        self._entered = False
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)  # whoever has told it twice is heard here
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]

    def _on_signal(self, number: int, frame: FrameType | None = None) -> None:
        self._told, self.number = True, number
