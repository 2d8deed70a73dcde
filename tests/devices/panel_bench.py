"""What the panel tests share: the panel's own pure modules, and a line between them and the host in virtual time.

The far end is the firmware itself (frames, outbox, link), run by this Python; only its sampler and its port are not
there. Time here passes in steps, for both ends at once.
"""

import importlib
import json
import os
import pty
import sys
import threading
import time
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from devices.fake_gpio import FakeClock
from doubtable.devices.panel import PanelButtons
from doubtable.devices.panel_session import PanelSession, State
from doubtable.inputs import Edge, Input, Levels, Source

FIRMWARE = Path(__file__).parents[2] / "firmware"
STEP = 100_000  # ns
MS = 1_000_000
LINES = {seat: seat - 1 for seat in range(1, 14)}


def firmware(module: str) -> Any:
    """A pure module of the firmware."""
    if str(FIRMWARE) not in sys.path:
        sys.path.append(str(FIRMWARE))
    return importlib.import_module(f"panel.{module}")


def vectors() -> Any:
    """The frames that both ends must write and read."""
    return json.loads((FIRMWARE / "tests" / "vectors.json").read_text())


class Panel:
    """The firmware and buttons. ``clock`` gives its time (us); without one it is what the test sets ``us`` to."""

    def __init__(self, capacity: int = 1024, session: int = 77, clock: Callable[[], int] | None = None) -> None:
        self.outbox = firmware("outbox").Outbox(capacity)
        self.us = 5_000
        self.clock = clock or (lambda: self.us)
        board = b"\x01\x02\x03\x04\x05\x06\x07\x08"
        self.link = firmware("link").Link(self.outbox, session, board, self.clock)
        self.down = 0
        self.counters = (0, 0, 0, 4100)

    def press(self, *lines: int, at: int | None = None) -> None:
        """These lines change, in one sample, at panel time ``at`` (us) or now."""
        changed = sum(1 << line for line in lines)
        self.down ^= changed
        self.outbox.add(self.clock() if at is None else at, self.down, changed)

    def hear(self, data: bytes) -> None:
        for byte in data:
            self.link.feed(byte)

    def say(self) -> bytes:
        us = self.clock()
        frame: bytes = self.link.poll(us, us - 10 & 0xFFFFFFFF, self.down, self.counters)
        return frame


class Delivered:
    """Inputs in the order in which an adapter delivered them."""

    def __init__(self) -> None:
        self.got: list[Input] = []

    @property
    def edges(self) -> list[Edge]:
        return [each for each in self.got if isinstance(each, Edge)]

    @property
    def levels(self) -> list[Levels]:
        return [each for each in self.got if isinstance(each, Levels)]

    @property
    def sources(self) -> list[bool]:
        return [each.up for each in self.got if isinstance(each, Source)]


class Line(Delivered):
    """Panel and host. ``mangle`` may change or drop a frame on its way to the host; ``cut``: nothing gets through."""

    def __init__(
        self, panel: Panel, lines: dict[int, int] | None = None, *, mixed: bool = False, delay: int = 300_000
    ) -> None:
        super().__init__()
        self.panel = panel
        self.session = PanelSession(LINES if lines is None else lines, self.got.append, mixed=mixed)
        self.now = 1_000_000_000
        self.cut = False
        self.mangle: Callable[[bytes], bytes] = lambda frame: frame
        self.drift = 0  # ns a step by which the panel's clock runs slow
        self._delay = delay
        self._owed = 0  # ns not yet told to the panel's clock of us
        self._there: list[tuple[int, bytes]] = []
        self._back: list[tuple[int, bytes]] = []

    def run(self, ms: float) -> None:
        for _ in range(int(ms * MS / STEP)):
            self.step()

    def until(self, state: State, ms: int = 2000) -> None:
        for _ in range(ms * MS // STEP):
            if self.session.state is state:
                return
            self.step()
        raise AssertionError(f"{state} was not reached, but {self.session.state}: {self.session.problem}")

    def connect(self) -> None:
        """Opens the port and waits until the panel is up."""
        self.session.opened(self.now)
        self.until(State.UP)

    def step(self) -> None:
        self.now += STEP
        self._owed += STEP - self.drift
        self.panel.us = self.panel.us + self._owed // 1000 & 0xFFFFFFFF
        self._owed %= 1000
        self.session.tick(self.now)
        out = self.session.output()
        if out and not self.cut:
            self._there.append((self.now + self._delay, out))
        while self._there and self._there[0][0] <= self.now:
            self.panel.hear(self._there.pop(0)[1])
        if self.cut:
            return
        frame = self.panel.say()
        if frame:
            self._back.append((self.now + self._delay, self.mangle(frame)))
        while self._back and self._back[0][0] <= self.now:
            self.session.feed(self._back.pop(0)[1], self.now)


class Cable:
    """A panel on a pty behind a stable path, as udev's links by id are. ``serve`` carries bytes both ways."""

    def __init__(self, folder: Path, panel: Panel) -> None:
        self.path = folder / "by-id-panel"
        self.panel = panel
        self._ends: tuple[int, int] | None = None
        self.plug()

    def plug(self) -> None:
        """The panel appears, under another name each time."""
        master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self._ends = master, slave
        self.path.symlink_to(os.ttyname(slave))

    def pull(self) -> None:
        """The panel and its name vanish."""
        if self._ends is not None:
            self.path.unlink()
            for end in self._ends:
                os.close(end)
            self._ends = None

    def serve(self) -> None:
        if self._ends is None:
            return
        with suppress(BlockingIOError):
            self.panel.hear(os.read(self._ends[0], 4096))
        while frame := self.panel.say():
            os.write(self._ends[0], frame)

    def write(self, data: bytes) -> None:
        """Bytes to the host that the panel's program did not write."""
        assert self._ends is not None
        os.write(self._ends[0], data)


class Bench(Delivered):
    """The adapter on a pty with the panel at its far end, in the test's own thread and time, ``turn`` ms a step.

    Where it is used TURN is short: a turn without bytes is over at once.
    """

    def __init__(
        self, folder: Path, lines: dict[int, int] | None = None, *, mixed: bool = False, turn: int = 1
    ) -> None:
        super().__init__()
        self.clock = FakeClock()
        self.cable = Cable(folder, Panel())
        self.buttons = PanelButtons(
            self.cable.path, LINES if lines is None else lines, self.got.append, mixed=mixed, clock=self.clock
        )
        self._turn = turn

    @property
    def panel(self) -> Panel:
        return self.cable.panel

    def step(self) -> None:
        self.clock.pass_ms(self._turn)
        self.panel.us += self._turn * 1000
        self.cable.serve()
        self.buttons.step()

    def until(self, done: Callable[[], bool], ms: int = 5000) -> None:
        for _ in range(0, ms, self._turn):
            if done():
                return
            self.step()
        raise AssertionError(f"not within {ms} ms: {self.buttons.fault}, {self.got[-9:]}")

    def until_state(self, state: State) -> None:
        self.until(lambda: self.buttons.session.state is state)

    def until_edges(self, count: int) -> None:
        self.until(lambda: len(self.edges) == count)

    def until_lit(self, outputs: int) -> None:
        self.until(lambda: self.panel.link.lamps == outputs)

    def connect(self) -> None:
        self.buttons.open()
        self.until_state(State.UP)

    def close(self) -> None:
        self.buttons.close()
        self.cable.pull()


class Served:
    """A panel that a thread of its own serves in real time. ``after``: what is done, once, so many us after a host has
    come; it is told that time, us of the panel's clock.
    """

    def __init__(self, folder: Path) -> None:
        begun = time.monotonic_ns()
        self.panel = Panel(clock=lambda: (time.monotonic_ns() - begun) // 1000)
        self.cable = Cable(folder, self.panel)
        self.after: list[tuple[int, Callable[[int], None]]] = []
        self._met: int | None = None  # us: when a host came
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.wait(0.001):
            if self._met is None and self.panel.link.attached:
                self._met = self.panel.clock()
            while self._met is not None and self.after and self.panel.clock() >= self._met + self.after[0][0]:
                us, do = self.after.pop(0)
                do(self._met + us)
            self.cable.serve()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self.cable.pull()
