"""Ctrl-C, SIGTERM and a closed terminal end the main loop; whoever holds a device then lets it go."""

import signal
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop:
    """Whether the table has been told to end. Catches the signals while it is entered; main thread only."""

    def __init__(self) -> None:
        self.told = False
        self.number = 0  # of the signal that told it; 0: none did
        self._before: dict[int, object] = {}

    def __enter__(self) -> "Stop":
        self._before = {number: signal.signal(number, self._on_signal) for number in SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.told, self.number = True, number
