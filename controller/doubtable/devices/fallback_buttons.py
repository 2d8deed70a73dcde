"""Buttons through gpiozero: the declared fallback where libgpiod 2 cannot be had, and for old boards.

With the factory lgpio a stamp is the kernel's, handed on in seconds; with rpigpio (RPi.GPIO, or rpi-lgpio) it is the
time at which the callback ran. Neither has sequence numbers: lost edges show only when levels are read. So the order of
two presses counts as known to 10 ms only, and closer ones are a tie.

Thread safety: ``drained_to`` may be called from any thread; the rest belongs to the thread that has the lamps.
``deliver`` runs in the back end's thread, or in that of the caller of ``start`` and ``read_levels``.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from doubtable.devices.chips import Pull
from doubtable.devices.pins import Pins
from doubtable.devices.ports import Clock, Deliver, DeviceError, cause, monotonic_clock
from doubtable.inputs import Edge, Levels, Source

log = logging.getLogger(__name__)


class GpiozeroButtons:
    """The button source ``gpiozero``. ``lines``: seat -> line. ``pins``: lgpio or rpigpio, shared with the lamps.

    A chip that goes is noticed when levels are read, and stays lost until the source is started anew.
    """

    name = "gpiozero"
    uncertainty = 10_000_000  # ns

    def __init__(
        self,
        lines: Mapping[int, int],
        deliver: Deliver,
        pins: Pins,
        *,
        pull: Pull = "up",
        clock: Clock = monotonic_clock,
    ) -> None:
        self._lines = dict(sorted(lines.items()))
        self._deliver = deliver
        self._pins = pins
        self._pull: Pull = pull
        self._clock = clock
        self._lock = threading.RLock()
        self._buttons: dict[int, _SeatButton] = {}
        self._factory: Any = None
        self._open = False
        self._fault: DeviceError | None = None
        self.warning = (
            f"buttons through gpiozero ({pins.kind}) are stamped to {self.uncertainty // 1_000_000} ms only: "
            'ties are wide; source = "gpio" stamps to 0.1 ms'
        )

    @property
    def fault(self) -> DeviceError | None:
        return self._fault

    def start(self) -> None:
        if self._open:
            return
        self._factory = self._pins.open()
        try:
            with self._lock:  # an edge that comes before the start-up levels waits for them
                self._take(self._factory)
                self._deliver_levels()
        except DeviceError:
            self._release()
            raise
        self._open = True
        self._fault = None
        log.warning("%s", self.warning)

    def close(self) -> None:
        if self._open:
            self._open = False
            self._release()

    def read_levels(self) -> None:
        with self._lock:
            if not self._open:
                return
            if not self._pins.serves(self._factory):
                self._lose("the lamps on the same chip are lost")
                return
            try:
                self._deliver_levels()
            except self._pins.errors as error:
                self._lose(cause(error))

    def drained_to(self) -> int:
        """Callbacks do not say what is still on its way: taken as drained up to the uncertainty ago."""
        with self._lock:
            return self._clock() - self.uncertainty

    def _take(self, factory: Any) -> None:
        for seat, line in self._lines.items():
            try:
                self._buttons[seat] = _SeatButton(seat, line, self._pull, factory, self._changed)
            except self._pins.errors as error:
                holder = self._pins.holder(line)
                what = f'held already by "{holder}"' if holder else f"cannot be taken ({cause(error)})"
                way_out = "end that program, switch off that bus, or use another line"
                raise DeviceError(f"button of seat {seat} on line {line}", what, way_out) from error

    def _lose(self, why: str) -> None:
        place = f"buttons through gpiozero ({self._pins.kind})"
        self._fault = DeviceError(place, f"lost ({why})", "start doubtable again when the chip is back")
        log.warning("%s", self._fault)
        self._open = False
        self._silence()
        self._pins.forget()  # or lgpio would go on reading a chip that has gone, as fast as it can
        self._release()
        self._deliver(Source(self._clock(), self.name, up=False))

    def _silence(self) -> None:
        if self._pins.serves(self._factory):
            for button in self._buttons.values():
                with suppress(*self._pins.errors):  # a chip that has gone needs no farewell
                    button.silence()

    def _release(self) -> None:
        self._silence()
        buttons, self._buttons = self._buttons, {}
        for button in buttons.values():
            with suppress(*self._pins.errors):
                button.close()
        self._pins.close()

    def _changed(self, seat: int, ns: int, level: int) -> None:
        with self._lock:
            self._deliver(Edge(ns, seat, level, self.name, uncertainty=self.uncertainty))

    def _deliver_levels(self) -> None:
        levels = {seat: button.level() for seat, button in self._buttons.items()}
        self._deliver(Levels(self._clock(), levels))


class _SeatButton:
    """A gpiozero Button whose pin reports to us with its stamp: when_pressed would pass none."""

    def __init__(
        self, seat: int, line: int, pull: Pull, factory: Any, changed: Callable[[int, int, int], None]
    ) -> None:
        from gpiozero import Button  # noqa: PLC0415  gpiozero takes 60 ms to import: only where it is used

        self._seat = seat
        self._changed = changed
        self._pressed = pull == "down"  # the voltage of a pressed button
        # gpiozero: a pin that floats has to be told its active level, one that is pulled must not be.
        pull_up, active = {"up": (True, None), "down": (False, None), "none": (None, False)}[pull]
        self._button = Button(line, pull_up=pull_up, active_state=active, bounce_time=None, pin_factory=factory)
        # The pin keeps a weak reference: a bound method lives as long as this object, a lambda would vanish at once.
        self._button.pin.when_changed = self._on_change

    def _on_change(self, ticks: float, state: int) -> None:
        # Seconds as the back end gives them; the last digits are lost long before the 10 ms that are claimed.
        self._changed(self._seat, round(ticks * 1e9), int(bool(state) == self._pressed))

    def level(self) -> int:
        return int(bool(self._button.pin.state) == self._pressed)

    def silence(self) -> None:
        """Ends the callbacks; without this lgpio would go on calling a pin that is closed."""
        self._button.pin.when_changed = None

    def close(self) -> None:
        self._button.close()
