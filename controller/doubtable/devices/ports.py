"""What the shell programs against: a source of button edges, a board of lamps, a card reader.

An adapter is made with everything it needs, and does nothing until ``start()``. It hands each input to one ``deliver``
callable, from its own thread: ``deliver`` must not block (the shell's is the ``put`` of its inbox). ``start()`` and
``close()`` may be called twice. What is configured is what runs: an adapter that cannot work says so with a DeviceError
and never takes another way.
"""

import os
import termios
import time
from collections.abc import Callable, Mapping
from typing import Protocol

from doubtable.inputs import Input

Deliver = Callable[[Input], None]
Clock = Callable[[], int]  # ns of the table's one monotonic clock

RETRY = 500_000_000  # ns: a lost device is tried at most this often


def monotonic_clock() -> int:
    """The real table's clock: ns of CLOCK_MONOTONIC, the clock in which the kernel stamps edges (since Linux 5.7)."""
    return time.monotonic_ns()


def cause(error: BaseException) -> str:
    """What the system says of an error, without its number and without what a library puts around it."""
    number = next((each for each in (getattr(error, "errno", None), *error.args) if isinstance(each, int)), None)
    if number is not None:
        return os.strerror(number).lower()
    return cause(error.__context__) if isinstance(error.__context__, OSError | termios.error) else str(error)


class DeviceError(Exception):
    """A device that cannot be used: ``place`` (which one), ``what`` is wrong, ``way_out`` (what to do). One line."""

    def __init__(self, place: str, what: str, way_out: str) -> None:
        super().__init__(f"{place}: {what}; {way_out}")
        self.place = place
        self.what = what
        self.way_out = way_out


class ButtonSource(Protocol):
    """A source of edges. Delivers Levels first, then Edge, and Source when it goes or comes back."""

    @property
    def name(self) -> str:
        """What its edges carry as ``source``."""

    @property
    def uncertainty(self) -> int:
        """ns by which the order of two of its own stamps may be wrong."""

    @property
    def warning(self) -> str:
        """What the host must know about this source in one line; empty when there is nothing to know."""

    @property
    def fault(self) -> DeviceError | None:
        """Why the source is lost at the moment; None while it lives. Read it when Source(up=False) has come."""

    def start(self) -> None:
        """Opens the lines and delivers their levels. Raises DeviceError when that cannot be done."""

    def close(self) -> None:
        """Lets the lines go and joins the thread. Nothing is delivered afterwards."""

    def read_levels(self) -> None:
        """Delivers Levels of all its seats as they are now; delivers nothing while the source is lost."""

    def drained_to(self) -> int:
        """ns up to which every stamped edge has been delivered, as far as the source can know. Any thread."""


class LampBoard(Protocol):
    """The lamps of the seats. Patterns are the core's: a board only switches on and off. One thread at a time."""

    @property
    def fault(self) -> DeviceError | None:
        """Why the lamps do not follow at the moment; None while they do."""

    def start(self) -> None:
        """Takes the lines, all lamps off. Raises DeviceError when that cannot be done."""

    def show(self, states: Mapping[int, bool]) -> None:
        """Switches every lamp of ``states`` (seat: on) that differs, in one go. Seats without a lamp are passed over.

        A board that is lost keeps the states and shows them when it is back.
        """

    def close(self) -> None:
        """All lamps off, lines free."""


class CardReader(Protocol):
    """A reader on its own thread. Delivers Serial as the bytes come, and Device when it goes or comes back."""

    @property
    def fault(self) -> DeviceError | None:
        """Why the reader is lost at the moment; None while it lives."""

    def start(self) -> None:
        """Starts looking for the port. One that is not there yet is no error: the reader is absent until it comes."""

    def close(self) -> None:
        """Closes the port and joins the thread."""
