"""The Pico button panel on its USB port: buttons with the panel's own stamps, and its lamps.

One thread owns the port. A panel that is pulled out shows as one of GONE. The old descriptor is closed before the port
is opened again, by its configured path and at most once in RETRY.

Thread safety: ``read_levels``, ``drained_to``, ``fault``, ``warning``, ``close`` and the lamps may be used from any
thread. ``deliver`` runs in the source's thread.
"""

import errno
import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import serial

from doubtable.devices.panel_session import PanelSession, State
from doubtable.devices.ports import RETRY, Clock, Deliver, DeviceError, monotonic_clock
from doubtable.devices.serial_faults import GONE, number, said

log = logging.getLogger(__name__)

REASONS = {
    errno.ENOENT: ("is not there", "plug the panel in, or correct its port: ls /dev/serial/by-id"),
    errno.EACCES: ("may not be used", "add this user to the group dialout"),
    errno.EAGAIN: ("is in use by another program", "end that program"),
    errno.EBUSY: ("is in use by another program", "end that program"),
}
TURN = 0.02  # s a read waits at most
WRITE_WITHIN = 0.5  # s
START_WITHIN = 6.0  # s: time enough to start a program that has ended
BAUD = 115200  # USB: means nothing, but the port wants one


def open_port(path: str) -> serial.Serial:
    """The panel's port, ours alone; what came in before is dropped. Raises one of GONE."""
    return serial.Serial(path, BAUD, timeout=TURN, write_timeout=WRITE_WITHIN, exclusive=True)


def reason(error: BaseException) -> tuple[str, str]:
    """What a port's error means and what to do, as (what, way out)."""
    return REASONS.get(number(error), (f"is lost ({said(error)})", "it is opened again as soon as it is back"))


def unopened(error: BaseException) -> tuple[str, str]:
    """The same for a port that could not even be opened: it may be no serial port at all."""
    return REASONS.get(
        number(error), (f"cannot be used ({said(error)})", "name the panel's port: ls /dev/serial/by-id")
    )


class PanelButtons:
    """The button source ``panel``. ``lines``: seat -> GP 0 to 12. ``mixed``: seats hang on another source too.

    Its sequence numbers go on over a replug and a restart of the panel; an edge that was lost leaves a hole in them.
    """

    name = "panel"

    def __init__(
        self,
        port: str | Path,
        lines: Mapping[int, int],
        deliver: Deliver,
        *,
        mixed: bool = False,
        clock: Clock = monotonic_clock,
    ) -> None:
        self._path = str(port)
        self._clock = clock
        self._session = PanelSession(lines, deliver, mixed=mixed)
        self._lock = threading.RLock()
        self._port: serial.Serial | None = None
        self._next_try = 0
        self._up = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def uncertainty(self) -> int:
        with self._lock:
            return self._session.uncertainty

    @property
    def warning(self) -> str:
        with self._lock:
            lost = self._session.lost
        return f"{self._place}: lost {lost} edges so far" if lost else ""

    @property
    def fault(self) -> DeviceError | None:
        with self._lock:
            problem = self._session.problem
        return DeviceError(self._place, *problem) if problem is not None else None

    def start(self) -> None:
        if self._thread is not None:
            return
        self._stop.clear()
        try:
            self.open()
        except GONE as error:
            raise DeviceError(self._place, *unopened(error)) from error
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
        self._thread.start()
        if not self._up.wait(START_WITHIN):
            fault = self.fault or DeviceError(self._place, "is slow to answer", "try again")
            self.close()
            raise fault

    def close(self) -> None:
        self._stop.set()
        self._wake()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._close_port()
        self._up.clear()

    def read_levels(self) -> None:
        with self._lock:
            self._session.read_levels()
        self._wake()

    def drained_to(self) -> int:
        with self._lock:
            return self._session.drained

    def show(self, outputs: int) -> None:
        """The lamp outputs, one bit each. Kept while the panel is lost."""
        with self._lock:
            self._session.show(outputs)
        self._wake()

    @property
    def session(self) -> PanelSession:
        """What is known of the panel: its hello, its clock, its counters. To be looked at, under ``locked``."""
        return self._session

    @property
    def locked(self) -> threading.RLock:
        """Held while the session changes."""
        return self._lock

    @property
    def _place(self) -> str:
        return f"panel on {self._path}"

    def _wake(self) -> None:
        port = self._port
        if port is not None:
            with suppress(*GONE):
                port.cancel_read()

    def _run(self) -> None:
        while not self._stop.is_set():
            self.step()
        port = self._port
        if port is not None:
            with suppress(*GONE):  # the last lamps, if the panel is still there
                port.write(self._session.output())

    def step(self) -> None:
        """One turn of the thread: writes what is due, waits for bytes, takes them; or looks for a lost port."""
        port = self._port
        if port is None:
            self._look_again()
            return
        try:
            with self._lock:
                self._session.tick(self._clock())
                out = self._session.output()
            if out:
                port.write(out)
            data = port.read(max(1, port.in_waiting))
        except GONE as error:
            self._lose(error)
            return
        now = self._clock()
        with self._lock:
            before = self._session.problem
            if data:
                self._session.feed(data, now)
            self._tell(before)
            if self._session.state is State.UP:
                self._up.set()

    def open(self) -> None:
        """What ``start`` does before the thread: takes the port. Raises one of GONE."""
        if self._port is not None:
            return
        port = open_port(self._path)
        with self._lock:
            self._port = port
            self._session.opened(self._clock())

    def _close_port(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            with suppress(*GONE):  # the descriptor of a port that is gone is released all the same
                port.close()

    def _lose(self, error: BaseException) -> None:
        self._close_port()
        with self._lock:
            before = self._session.problem
            now = self._clock()
            self._next_try = now + RETRY
            self._session.closed(now, *reason(error))
            self._tell(before)

    def _look_again(self) -> None:
        if self._clock() < self._next_try:
            self._stop.wait(TURN)
            return
        try:
            self.open()
        except GONE as error:
            self._lose(error)

    def _tell(self, before: tuple[str, str] | None) -> None:
        after = self._session.problem
        if after != before and self._up.is_set():
            log.warning("%s: %s", self._place, "back" if after is None else "; ".join(after))


class PanelLamps:
    """The lamps that hang on a panel. ``lines``: seat -> output 0 to 15. Start the buttons first, close them last.

    All lamps of a panel switch at one edge of its latch. A panel that hears nothing for 3 s puts them out by itself.
    """

    def __init__(self, buttons: PanelButtons, lines: Mapping[int, int]) -> None:
        self._buttons = buttons
        self._lines = dict(lines)
        self._lit = 0

    @property
    def fault(self) -> DeviceError | None:
        return self._buttons.fault

    def start(self) -> None:
        self._lit = 0
        self._buttons.show(0)

    def show(self, states: Mapping[int, bool]) -> None:
        lit = self._lit
        for seat, on in states.items():
            if seat in self._lines:
                bit = 1 << self._lines[seat]
                lit = lit | bit if on else lit & ~bit
        if lit != self._lit:
            self._lit = lit
            self._buttons.show(lit)

    def close(self) -> None:
        self._lit = 0
        self._buttons.show(0)
