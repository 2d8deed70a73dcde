"""A fake of the kernel's GPIO, under the adapters: chips with labels, lines that are held, edges that wait."""

import errno
import os
import threading
from collections.abc import Collection

from doubtable.devices.chips import FoundChip, Lines, Pull
from doubtable.devices.kernel_edges import LineEdge
from doubtable.inputs import Input

PI4 = FoundChip("/dev/gpiochip0", "pinctrl-bcm2711", 58)
EXPANDER = FoundChip("/dev/gpiochip1", "raspberrypi-exp-gpio", 8)


class FakeClock:
    """ns that pass only when a test says so."""

    def __init__(self, ns: int = 1_000_000_000) -> None:
        self.ns = ns

    def __call__(self) -> int:
        return self.ns

    def pass_ms(self, ms: int) -> None:
        self.ns += ms * 1_000_000


class FakeLines:
    """One line request: ``edge`` queues an edge as the kernel would, ``pull_out`` removes the chip."""

    def __init__(self, lines: Collection[int], pressed: Collection[int] = ()) -> None:
        self.state = {line: int(line in pressed) for line in sorted(lines)}
        self.waiting: list[LineEdge] = []
        self.seq = 0
        self.closed = False
        self.gone: OSError | None = None
        self.something = threading.Condition()

    def edge(self, line: int, level: int, ns: int) -> None:
        with self.something:
            self.seq += 1
            self.state[line] = level
            self.waiting.append(LineEdge(ns, line, level, self.seq))
            self.something.notify_all()

    def pull_out(self) -> None:
        with self.something:
            self.gone = OSError(errno.ENODEV, os.strerror(errno.ENODEV))
            self.something.notify_all()

    def wait(self, timeout: float) -> bool:
        with self.something:
            return self.something.wait_for(lambda: bool(self.waiting) or self.gone is not None, timeout)

    def read(self) -> list[LineEdge]:
        self._check()
        edges, self.waiting = self.waiting, []
        return edges

    def levels(self) -> dict[int, int]:
        self._check()
        return dict(self.state)

    def close(self) -> None:
        self.closed = True

    def _check(self) -> None:
        if self.gone is not None:
            raise self.gone


class FakeGpio:
    """A machine with ``plugged`` chips. ``held``: line -> the program that holds it."""

    def __init__(self, *plugged: FoundChip) -> None:
        self.plugged = list(plugged)
        self.held: dict[int, str] = {}
        self.pressed: set[int] = set()
        self.forbidden = False
        self.looks = 0
        self.pull: Pull | None = None
        self.requests: list[FakeLines] = []

    @property
    def wires(self) -> FakeLines:
        """The newest request."""
        return self.requests[-1]

    def chips(self) -> list[FoundChip]:
        self.looks += 1
        return list(self.plugged)

    def request(self, path: str, lines: Collection[int], pull: Pull) -> Lines:
        self.pull = pull
        if self.forbidden:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if self.held.keys() & set(lines):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        self.requests.append(FakeLines(lines, self.pressed))
        return self.wires

    def holders(self, path: str, lines: Collection[int]) -> dict[int, str]:
        return {line: self.held[line] for line in sorted(lines) if line in self.held}


class Inbox(list[Input]):
    """What an adapter has delivered, in order."""

    def take(self) -> list[Input]:
        """What came since the last take."""
        taken = list(self)
        self.clear()
        return taken
