"""The machine's clocks, for the journal alone: no rule of the table ever looks at wall time.

A Pi has no clock of its own that runs without power, so wall time after a start is what it was at the last stop until
the network sets it. So every journal says with its wall times whether the clock was set.
"""

import ctypes
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
SET_FROM_RTC = Path("/sys/class/rtc/rtc0/hctosys")  # "1": the kernel took its time from a real-time clock
UNSYNCHRONIZED = 5  # adjtimex's TIME_ERROR
STEP = 50_000_000  # ns: a smaller change of wall time against monotonic time is no step of the clock


class Clocks(NamedTuple):
    """``boot`` names the time since the last start of the machine: within it ``mono`` (ns) goes on without a jump."""

    boot: str
    mono: Callable[[], int]
    wall: Callable[[], int]  # ns since 1970
    is_set: Callable[[], bool]


def machine_clocks() -> Clocks:
    """The clocks of this machine."""
    return Clocks(boot_id(), time.monotonic_ns, time.time_ns, clock_is_set)


def boot_id() -> str:
    """The kernel's name for this boot; "" where there is none, then no two starts are the same boot."""
    try:
        return BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def clock_is_set() -> bool:
    """Whether wall time came from the network or from a clock that runs without power."""
    if sys.platform != "linux":
        return True
    try:
        if SET_FROM_RTC.read_text(encoding="ascii").strip() == "1":
            return True
    except OSError:
        pass  # no such clock
    return _synchronized()


def _synchronized() -> bool:
    # adjtimex(2) fills in a struct timex of 208 bytes; with modes = 0 it changes nothing.
    state: int = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(256))
    return 0 <= state < UNSYNCHRONIZED


class WallClock(NamedTuple):
    """How wall time follows from table time: wall = table time + ``offset`` (ns); ``origin``: machine's mono at 0."""

    origin: int
    offset: int
    is_set: bool

    def at(self, ns: int) -> int:
        """Wall time (ns since 1970) of what happened at table time ``ns``."""
        return ns + self.offset

    def differs(self, other: "WallClock") -> bool:
        """Whether the table's or the wall's time has jumped between the two."""
        return self.origin != other.origin or self.is_set != other.is_set or abs(self.offset - other.offset) > STEP


def wall_clock(clocks: Clocks, origin: int) -> WallClock:
    """Wall time against table time just now."""
    return WallClock(origin, clocks.wall() - (clocks.mono() - origin), clocks.is_set())
