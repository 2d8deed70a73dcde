"""The seats' lamps on the Pi's own lines, through gpiozero.

Thread safety: one thread at a time.
"""

import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from doubtable.devices.pins import Pins
from doubtable.devices.ports import RETRY, Clock, DeviceError, cause, monotonic_clock

log = logging.getLogger(__name__)


class GpioLamps:
    """A board of lamps. ``lines``: seat -> line. ``pins`` is shared with fallback buttons, if there are any.

    ``active_high``: a lamp is on when its line is high; False where the driver stage inverts.

    A chip that goes takes the lamps with it; each ``show`` then looks for it again, at most once per RETRY, and puts
    the newest states on as soon as it is back.
    """

    def __init__(
        self, lines: Mapping[int, int], pins: Pins, *, active_high: bool = True, clock: Clock = monotonic_clock
    ) -> None:
        self._lines = dict(sorted(lines.items()))
        self._pins = pins
        self._active_high = active_high
        self._clock = clock
        self._lamps: dict[int, Any] | None = None  # None: closed, or lost
        self._factory: Any = None
        self._open = False
        self._wanted: dict[int, bool] = {}
        self._shown: dict[int, bool] = {}
        self._fault: DeviceError | None = None
        self._next_try = 0

    @property
    def fault(self) -> DeviceError | None:
        return self._fault

    def start(self) -> None:
        if self._open:
            return
        factory = self._pins.open()
        try:
            self._take(factory)
        except DeviceError:
            self._pins.close()
            raise
        self._open = True
        self._wanted = dict.fromkeys(self._lines, False)

    def show(self, states: Mapping[int, bool]) -> None:
        if not self._open:
            return
        self._wanted.update({seat: on for seat, on in states.items() if seat in self._lines})
        if self._lamps is None:
            self._look_again()
        if self._lamps is None:
            return
        if not self._pins.serves(self._factory):
            self._lose("the buttons on the same chip are lost")
            return
        try:
            self._switch(self._lamps)
        except self._pins.errors as error:
            self._lose(cause(error))

    def close(self) -> None:
        if not self._open:
            return
        self.show(dict.fromkeys(self._lines, False))
        self._open = False
        lamps, self._lamps = self._lamps, None
        self._end(lamps or {})
        self._pins.close()

    def _switch(self, lamps: Mapping[int, Any]) -> None:
        changed = [seat for seat, on in self._wanted.items() if self._shown[seat] != on]
        switches = [(lamps[seat].pin, self._wanted[seat] == self._active_high) for seat in changed]
        for pin, high in switches:  # nothing else in this loop: all lamps of a change switch within 5 ms
            pin.state = high  # what LED.on() does after it has looked for a blinking to end
        self._shown.update(self._wanted)

    def _take(self, factory: Any) -> None:
        from gpiozero import LED  # noqa: PLC0415  gpiozero takes 60 ms to import: not at a table without lamps

        lamps: dict[int, Any] = {}
        for seat, line in self._lines.items():
            try:
                lamps[seat] = LED(line, active_high=self._active_high, pin_factory=factory)
            except self._pins.errors as error:
                self._end(lamps)
                holder = self._pins.holder(line)
                what = f'held already by "{holder}"' if holder else f"cannot be taken ({cause(error)})"
                way_out = "end that program, switch off that bus, or use another line"
                raise DeviceError(f"lamp of seat {seat} on line {line}", what, way_out) from error
        self._factory = factory
        self._lamps = lamps
        self._shown = dict.fromkeys(lamps, False)

    def _end(self, lamps: Mapping[int, Any]) -> None:
        for lamp in lamps.values():
            with suppress(*self._pins.errors):  # a chip that has gone needs no farewell
                lamp.close()

    def _lose(self, why: str) -> None:
        self._fault = DeviceError("lamps", f"lost ({why})", "they are taken again as soon as the chip is back")
        log.warning("%s", self._fault)
        self._next_try = self._clock() + RETRY
        lamps, self._lamps = self._lamps, None
        self._pins.forget()
        self._end(lamps or {})

    def _look_again(self) -> None:
        if self._clock() < self._next_try:
            return
        try:
            self._take(self._pins.renew())
        except DeviceError as error:
            self._fault = error
            self._next_try = self._clock() + RETRY
        else:
            self._fault = None
            log.warning("lamps: back")
