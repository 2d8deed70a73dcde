"""When the panel's stamps were, on the table's clock.

Each ping gives one measurement: the panel's time lies between sending and answer, so half the round trip (without the
panel's own time) is the most by which the middle can be wrong. The smallest wins. Two crystals drift apart, so a
measurement loses DRIFT while it ages, and a fresh one of equal quality takes over.

The mapping is a line with corners, one corner a refit, and between corners it is slewed, never set: it stays strictly
rising, and a stamp once mapped is always mapped to the same time. Order among the panel's own stamps is the panel's.

Pure. Panel times here are microseconds as unbounded whole numbers, table times ns.
"""

from doubtable.devices.panel_protocol import ahead
from doubtable.timing import MS, S

DRIFT = 10  # us of age that cost 1 ns: 100 parts in a million, two crystals of 50
KEPT = 10_000_000  # us: older measurements are worse than any new one
SLEW = 500_000  # ns a second at most by which a refit bends the line
STRAY = 10 * MS  # ns: a mapping that is further off is no drift: one of the clocks has jumped
OWN = 1_000  # ns: the order of two of the panel's stamps
START = 50_000  # ns: how well the panel knows when its counter began
CORNERS = 64  # refits, so about a minute, in which a late stamp is mapped as it would have been at once
REFIT = 1 * S  # ns between two refits

SECOND = 1_000_000  # us


class PanelClock:
    """Made anew for every start of the panel. Not thread-safe."""

    def __init__(self) -> None:
        self._newest: int | None = None
        self._measured: list[tuple[int, int, int]] = []  # panel us, offset ns, half round trip ns
        self._corners: list[tuple[int, int, int]] = []  # panel us, table ns, ns to add within the following second
        self._left_over = 0

    @property
    def fitted(self) -> bool:
        """Whether stamps can be mapped."""
        return bool(self._corners)

    def unwrap(self, us: int) -> int:
        """A 32-bit stamp as one that never wraps: the one nearest to the newest stamp seen."""
        if self._newest is None:
            self._newest = us
        whole = self._newest + ahead(us, self._newest)
        self._newest = max(self._newest, whole)
        return whole

    def measure(self, sent: int, received: int, answered: int, back: int) -> int:
        """A ping: table ns when sent and back, panel us (unwrapped) when heard and answered. The round trip in ns."""
        trip = max(0, (back - sent) - (answered - received) * 1000)
        offset = (sent + back) // 2 - (received + answered) * 500
        self._measured = [each for each in self._measured if answered - each[0] <= KEPT]
        self._measured.append((answered, offset, trip // 2))
        return trip

    def refit(self) -> bool:
        """Bends the line towards the best measurement; False when it is so far off that a clock must have jumped."""
        at = self._measured[-1][0]
        _, offset, _ = self._best()
        target = at * 1000 + offset
        if not self._corners:
            self._corners.append((at, target, 0))
            return True
        now = self.ns(at)
        stray = target - now
        bend = max(-SLEW, min(SLEW, stray))
        self._left_over = abs(stray - bend)
        self._corners = [*self._corners[-CORNERS + 1 :], (at, now, bend)]
        return abs(stray) <= STRAY

    def ns(self, us: int) -> int:
        """The table's time of an unwrapped stamp."""
        corner = self._corners[0]
        for each in reversed(self._corners):
            if each[0] <= us:
                corner = each
                break
        at, ns, bend = corner
        passed = us - at
        return ns + passed * 1000 + bend * max(0, min(passed, SECOND)) // SECOND

    @property
    def uncertainty(self) -> int:
        """ns by which a mapped stamp may be wrong against another source's. Only after a measurement."""
        at, _, half = self._best()
        return half + (self._measured[-1][0] - at) // DRIFT + self._left_over + START

    @property
    def offset(self) -> int:
        """ns from the panel's clock to the table's, by the best measurement."""
        return self._best()[1]

    @property
    def best_trip(self) -> int:
        """ns: the smallest round trip among the measurements kept."""
        return 2 * min(half for _, _, half in self._measured)

    def _best(self) -> tuple[int, int, int]:
        newest = self._measured[-1][0]
        return min(self._measured, key=lambda each: each[2] + (newest - each[0]) // DRIFT)
