"""`doubtable panel flash | test`: what they print, and their exit codes (0 good, 1 a check failed, 2 bad input)."""

import queue
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from serial.tools import list_ports

from doubtable.devices.panel import PanelButtons, PanelLamps
from doubtable.devices.panel_flash import Flash, Run, check_tools, run_tool
from doubtable.devices.panel_protocol import LINES
from doubtable.devices.ports import DeviceError
from doubtable.inputs import Edge, Input, Source
from doubtable.user_error import UserError

GOOD, FAILED = 0, 1
RASPBERRY_PI = 0x2E8A  # USB vendor
ALL = {line + 1: line for line in range(LINES)}  # "seats" of a test: every line has one
COMES_BACK_WITHIN = 15.0  # s after a restart
LOOK_AGAIN = 0.5  # s
FIGURES_EVERY = 1.0  # s


def flash(port: str | None, run: Run = run_tool) -> int:
    """Brings the panel's program onto the board on ``port``, or on the only one there is, and shows its progress."""
    path = port or only_panel()
    with _one_line():
        if run is run_tool:
            check_tools()
        with tempfile.TemporaryDirectory() as folder:
            for step in Flash(path, Path(folder), run).steps():
                _out(step)
        buttons = _started(path, within=COMES_BACK_WITHIN)
        hello = buttons.session.hello
        buttons.close()
    _out(f"{path}: firmware {hello.version if hello else 'unknown'} runs; next: doubtable panel test {path}")
    return GOOD


def test(port: str | None, seconds: float | None) -> int:
    """Shows every edge, and once a second the line's figures, until Ctrl-C or for ``seconds``; lamps echo buttons.

    1 when edges were lost or the panel was lost meanwhile.
    """
    path = port or only_panel()
    inbox: queue.Queue[Input] = queue.Queue()
    buttons = PanelButtons(path, ALL, inbox.put, mixed=True)
    with _one_line():
        buttons.start()
    try:
        hello = buttons.session.hello
        _out(
            f"{path}: firmware {hello.version if hello else 'unknown'}, {LINES} lines; press every button; Ctrl-C ends"
        )
        watch = Watch(buttons)
        watch.run(inbox, seconds)
    finally:
        buttons.close()
    return watch.verdict()


class Watch:
    """What came during a test."""

    def __init__(self, buttons: PanelButtons) -> None:
        self._buttons = buttons
        self._lamps = PanelLamps(buttons, ALL)
        self._edges = 0
        self._pressed: set[int] = set()
        self._losses = 0
        self._first: int | None = None

    def run(self, inbox: "queue.Queue[Input]", seconds: float | None) -> None:
        begin = time.monotonic()
        tell = begin + FIGURES_EVERY
        try:
            while seconds is None or time.monotonic() < begin + seconds:
                with suppress(queue.Empty):
                    self._take(inbox.get(timeout=0.05))
                if time.monotonic() >= tell:
                    tell += FIGURES_EVERY
                    self._ask()
                    _out(self.figures())
        except KeyboardInterrupt:
            pass

    def verdict(self) -> int:
        """Says what came of it; the exit status."""
        never = [str(line) for line in range(LINES) if line + 1 not in self._pressed]
        lost = self._buttons.session.lost
        _out(f"{self._edges} edges; lines never pressed: {', '.join(never) or 'none'}")
        if lost or self._losses:
            _out(f"FAILED: {lost} edges lost, panel lost {self._losses} times")
            return FAILED
        return GOOD

    def figures(self) -> str:
        """Round trip, offset and drops, in one line."""
        with self._buttons.locked:
            session = self._buttons.session
            if self._buttons.fault is not None or not session.clock.fitted:
                return f"  lost: {self._buttons.fault}"
            trip, best = session.trip / 1e6, session.clock.best_trip / 1e6
            uncertainty, offset = session.clock.uncertainty / 1e6, session.clock.offset / 1e9
            line = f"  round trip {trip:.2f} ms (best {best:.2f}), offset {offset:.6f} s +- {uncertainty:.2f} ms"
            line += f", lost {session.lost}, rubbish {session.bad}"
            status = session.status
        if status is not None:
            line += f"; panel: lost {status.lost}, rubbish {status.bad}, late {status.epochs}, full {status.stalls}"
            line += f", slowest round {status.longest / 1000:.1f} ms"
        return line

    def _take(self, given: Input) -> None:
        if isinstance(given, Edge):
            self._edges += 1
            self._first = self._first if self._first is not None else given.ns
            self._pressed.add(given.seat)
            self._lamps.show({given.seat: bool(given.level)})
            at = (given.ns - self._first) / 1e6
            _out(f"{at:14.3f} ms  line {given.seat - 1:>2} {'down' if given.level else 'up'}")
        elif isinstance(given, Source):
            self._losses += not given.up
            _out(f"  panel {'is back' if given.up else 'is LOST'}")

    def _ask(self) -> None:
        with self._buttons.locked:
            self._buttons.session.ask_status()


def only_panel() -> str:
    """The port of the only board of Raspberry Pi's that is plugged in. UserError for none or several."""
    found = sorted(port.device for port in list_ports.comports() if port.vid == RASPBERRY_PI)
    if len(found) == 1:
        return found[0]
    if found:
        raise UserError(f"panel: there are several boards: name one of {', '.join(found)}")
    raise UserError("panel: none is plugged in: plug it in, or name its port, such as /dev/ttyACM0")


def _started(path: str, within: float) -> PanelButtons:
    """The panel, once it has come back. DeviceError when it does not."""
    end = time.monotonic() + within
    while True:
        buttons = PanelButtons(path, ALL, _ignore)
        try:
            buttons.start()
        except DeviceError:
            if time.monotonic() >= end:
                raise
            time.sleep(LOOK_AGAIN)
        else:
            return buttons


def _ignore(given: Input) -> None:
    """Nobody listens yet."""


@contextmanager
def _one_line() -> Iterator[None]:
    try:
        yield
    except DeviceError as error:
        raise UserError(str(error)) from error


def _out(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
