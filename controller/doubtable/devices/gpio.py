"""Buttons on the Pi's own lines: one libgpiod request, stamps from the kernel's interrupt handler.

One request for all lines, so that one queue of the kernel holds the edges of all seats: an overflow of it shows as a
hole in the numbers. There is no debounce anywhere on the way, or a bouncier switch would look later.

Thread safety: ``read_levels``, ``drained_to``, ``fault`` and ``close`` may be called from any thread. ``deliver`` runs
in the source's thread, or in that of the caller of ``start`` and ``read_levels``.
"""

import errno
import logging
import threading
from collections.abc import Mapping, Sequence

from doubtable.devices.chips import EVENT_BUFFER, FoundChip, Gpio, KernelGpio, Lines, Pull, chip_place, find_chip
from doubtable.devices.kernel_edges import EdgeReading
from doubtable.devices.ports import RETRY, Clock, Deliver, DeviceError, cause, monotonic_clock
from doubtable.inputs import Edge, Levels, Source

log = logging.getLogger(__name__)

TURN = 0.1  # s: how long the thread waits at a time, so the longest that close() or a removed chip has to wait


class GpioButtons:
    """The button source ``gpio``. ``lines``: seat -> line.

    The chip is the one with the first of ``labels`` that is there, or the one at ``path`` if that is given.
    Edges are numbered without holes but for those that were lost; after a chip has come back they begin at 1 again.
    """

    name = "gpio"
    uncertainty = 100_000  # ns: interrupt entry differs by a few us, two lines of one bank are walked in pin order
    warning = ""

    def __init__(
        self,
        lines: Mapping[int, int],
        deliver: Deliver,
        *,
        labels: Sequence[str],
        path: str | None = None,
        pull: Pull = "up",
        gpio: Gpio | None = None,
        clock: Clock = monotonic_clock,
    ) -> None:
        self._seat_of = {line: seat for seat, line in lines.items()}
        self._deliver = deliver
        self._labels = labels
        self._path = path
        self._pull = pull
        self._place = f"buttons on {chip_place(labels, path)}"
        self._gpio = gpio if gpio is not None else KernelGpio()
        self._clock = clock
        self._lock = threading.RLock()  # reading and delivering are one step, or drained_to() would run ahead
        self._lines: Lines | None = None
        self._reading = EdgeReading({}, 0, EVENT_BUFFER)  # of the lines that are held
        self._broken: OSError | None = None  # met outside the source's thread, which alone lets lines go
        self._fault: DeviceError | None = None
        self._drained = 0
        self._next_try = 0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def fault(self) -> DeviceError | None:
        return self._fault

    def start(self) -> None:
        if self._thread is not None:
            return
        self.open()
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, name="gpio buttons", daemon=True)
        self._thread.start()

    def open(self) -> None:
        """What ``start`` does before the thread: takes the lines, delivers the levels. DeviceError if it cannot."""
        with self._lock:
            if self._lines is None:
                self._take(back=False)

    def close(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        with self._lock:
            if self._lines is not None:
                self._lines.close()
                self._lines = None

    def read_levels(self) -> None:
        with self._lock:
            if self._lines is not None and self._broken is None:
                try:
                    levels = self._lines.levels()
                    # Stamped after the read: an edge in between then lies before the stamp, and speaks for itself.
                    self._deliver_levels(self._clock(), levels)
                except OSError as error:
                    self._broken = error

    def drained_to(self) -> int:
        with self._lock:
            alive = self._thread is None or self._thread.is_alive()
            if self._lines is not None and alive:
                now = self._clock()  # before the look: what comes in between is later than now
                if not self._lines.wait(0):
                    self._drained = now
            return self._drained

    def step(self, timeout: float) -> None:
        """One turn of the thread: waits up to ``timeout`` s for edges and delivers them, or looks for a lost chip."""
        lines = self._lines
        if lines is None:
            self._look_again(timeout)
            return
        try:
            if self._broken is not None:
                raise self._broken
            if lines.wait(timeout):
                with self._lock:
                    self._drain(lines)
        except OSError as error:
            self._lose(lines, error)

    def _run(self) -> None:
        while not self._stop.is_set():
            self.step(TURN)

    def _drain(self, lines: Lines) -> None:
        for edge in self._reading.edges(lines.read()):
            seat = self._seat_of[edge.line]
            self._deliver(Edge(edge.ns, seat, edge.level, self.name, edge.seq, self.uncertainty))

    def _deliver_levels(self, ns: int, levels: Mapping[int, int]) -> None:
        self._deliver(Levels(ns, {self._seat_of[line]: level for line, level in sorted(levels.items())}))

    def _lose(self, lines: Lines, error: OSError) -> None:
        with self._lock:
            lines.close()
            self._lines = None
            self._broken = None
            self._fault = DeviceError(self._place, f"lost ({cause(error)})", "it is taken again as soon as it is back")
            log.warning("%s", self._fault)
            now = self._clock()
            self._next_try = now + RETRY
            self._deliver(Source(now, self.name, up=False))

    def _look_again(self, timeout: float) -> None:
        if self._clock() < self._next_try:
            self._stop.wait(timeout)
            return
        with self._lock:
            try:
                self._take(back=True)
            except DeviceError as error:
                if str(error) != str(self._fault):
                    log.warning("%s", error)
                self._fault = error
                self._next_try = self._clock() + RETRY
            else:
                log.warning("%s: back", self._place)

    def _take(self, *, back: bool) -> None:
        """Takes the lines and delivers their levels, or raises DeviceError and holds nothing."""
        chip = find_chip(self._gpio.chips(), self._labels, self._path)
        beyond = [self._wire(line) for line in sorted(self._seat_of) if line >= chip.lines]
        if beyond:
            raise DeviceError(self._place, f"no {', '.join(beyond)} on {chip}", "correct the lines in table.toml")
        try:
            lines = self._gpio.request(chip.path, self._seat_of, self._pull)
        except (OSError, ValueError) as error:  # libgpiod turns the kernel's EINVAL into a ValueError
            raise self._refused(chip, error) from error
        try:
            levels = lines.levels()
        except OSError as error:
            lines.close()
            raise DeviceError(self._place, f"{chip} went away ({cause(error)})", "see that it stays") from error
        now = self._clock()
        self._lines = lines
        self._reading = EdgeReading(levels, now, EVENT_BUFFER)
        self._fault = None
        self._drained = now
        if back:
            self._deliver(Source(now, self.name, up=True, uncertainty=self.uncertainty))
        self._deliver_levels(now, levels)

    def _refused(self, chip: FoundChip, error: OSError | ValueError) -> DeviceError:
        if isinstance(error, PermissionError):
            return DeviceError(self._place, f"{chip.path} may not be used", "add this user to the group gpio")
        if isinstance(error, OSError) and error.errno == errno.EBUSY:
            holders = self._gpio.holders(chip.path, self._seat_of)
            held = ", ".join(f'{self._wire(line)} by "{who}"' for line, who in sorted(holders.items()))
            what = f"held already: {held or 'a line, and free again by now'}"
            return DeviceError(self._place, what, "end that program, switch off that bus, or use other lines")
        return DeviceError(self._place, f"{chip} refused the lines ({cause(error)})", "correct the lines in table.toml")

    def _wire(self, line: int) -> str:
        return f"line {line} (seat {self._seat_of[line]})"
