"""What the table's buttons and reader say during an examination: from the devices themselves, or from the table that
runs and holds them."""

import queue
from collections.abc import Callable
from typing import Protocol

import msgspec

from doubtable.button_sources import ButtonSources
from doubtable.desk import DeskError
from doubtable.devices.ports import Clock, DeviceError, cause
from doubtable.inputs import Input
from doubtable.tape_lines import input_of, stamp_of
from doubtable.timing import MS

DESK_DELAY = 100 * MS  # what a running table delivered is heard so much later at most, when it is asked all the time


class Ears(Protocol):
    """Inputs as they come. One thread."""

    def take(self) -> list[Input]:
        """What came since the last time."""

    def drained(self) -> int:
        """ns up to which everything has been heard."""


class OwnEars:
    """Devices that this program has opened: ``inbox`` is where they deliver."""

    def __init__(self, inbox: "queue.SimpleQueue[Input]", buttons: ButtonSources | None, clock: Clock) -> None:
        self._inbox = inbox
        self._buttons = buttons
        self._clock = clock
        self._drained = 0

    def take(self) -> list[Input]:
        # First how far the sources are, then what they delivered: all edges up to there are in our hands then.
        self._drained = self._buttons.drained_to() if self._buttons is not None else self._clock()
        taken: list[Input] = []
        while True:
            try:
                taken.append(self._inbox.get_nowait())
            except queue.Empty:
                return taken

    def drained(self) -> int:
        return self._drained


class DeskEars:
    """The running table's devices. ``ask(since)`` gives the number to go on from, and lines of a tape.

    What the table has kept from before is heard first. ``take`` raises DeviceError when the table is gone.
    """

    def __init__(self, ask: Callable[[int], tuple[int, list[str]]], seats: int, clock: Clock) -> None:
        self._ask = ask
        self._seats = seats
        self._clock = clock
        self._since = 0
        self._drained = 0

    def take(self) -> list[Input]:
        now = self._clock()
        try:
            self._since, lines = self._ask(self._since)
        except (OSError, DeskError) as error:
            why = f"went away ({cause(error)})"
            raise DeviceError("the running table", why, "start it, then ask the doctor again") from error
        self._drained = now - DESK_DELAY
        read = [msgspec.json.decode(line) for line in lines]
        return [input_of(line, stamp_of(line) or 0, self._seats) for line in read]

    def drained(self) -> int:
        return self._drained
