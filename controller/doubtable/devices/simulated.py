"""Buttons and lamps without hardware: for the window, the demonstration and tests.

Thread safety: none is needed; each call delivers in the thread of its caller.
"""

from collections import deque
from collections.abc import Collection, Mapping
from typing import NamedTuple

from doubtable.devices.ports import Clock, Deliver, DeviceError, monotonic_clock
from doubtable.inputs import Edge, Levels


class SimulatedButtons:
    """Buttons that a program presses. ``source`` is what their edges carry, ``uncertainty`` (ns) what they claim.

    A key, a mouse or a touch comes through a window's queue: 10 ms.
    """

    warning = ""
    fault: DeviceError | None = None

    def __init__(
        self,
        seats: Collection[int],
        deliver: Deliver,
        *,
        clock: Clock = monotonic_clock,
        source: str = "keyboard",
        uncertainty: int = 10_000_000,
    ) -> None:
        self.name = source
        self.uncertainty = uncertainty
        self._levels = dict.fromkeys(sorted(seats), 0)
        self._deliver = deliver
        self._clock = clock
        self._open = False

    def start(self) -> None:
        if not self._open:
            self._open = True
            self.read_levels()

    def close(self) -> None:
        self._open = False

    def press(self, seat: int, down: bool, ns: int | None = None) -> None:
        """Seat's button goes down or up, stamped ``ns`` or now. A level that is no change (a key's repeat) is none.

        KeyError for a seat that is not ours.
        """
        level = int(down)
        if self._open and self._levels[seat] != level:
            self._levels[seat] = level
            stamp = ns if ns is not None else self._clock()
            self._deliver(Edge(stamp, seat, level, self.name, uncertainty=self.uncertainty))

    def read_levels(self) -> None:
        if self._open:
            self._deliver(Levels(self._clock(), dict(self._levels)))

    def drained_to(self) -> int:
        return self._clock()


class LampChange(NamedTuple):
    """One lamp that was switched."""

    ns: int
    seat: int
    on: bool


class SimulatedLamps:
    """Lamps that are only remembered: ``lit`` holds the seats that shine, ``changes`` the latest switches in order."""

    fault: DeviceError | None = None

    def __init__(self, seats: Collection[int], *, clock: Clock = monotonic_clock) -> None:
        self._seats = frozenset(seats)
        self._clock = clock
        self._open = False
        self.lit: frozenset[int] = frozenset()
        self.changes: deque[LampChange] = deque(maxlen=10_000)  # an evening in a window must not fill the memory

    def start(self) -> None:
        self._open = True

    def show(self, states: Mapping[int, bool]) -> None:
        if not self._open:
            return
        ns = self._clock()
        changed = [seat for seat, on in states.items() if seat in self._seats and on != (seat in self.lit)]
        self.changes.extend(LampChange(ns, seat, states[seat]) for seat in changed)
        self.lit = self.lit.symmetric_difference(changed)

    def close(self) -> None:
        self.show(dict.fromkeys(self._seats, False))
        self._open = False
