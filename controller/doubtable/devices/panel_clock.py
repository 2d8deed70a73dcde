"""When the panel's stamps were, on the table's clock.

Each ping gives one measurement: the panel's time lies between sending and answer, so half the round trip (without the
panel's own time) is the most by which the middle can be wrong. The smallest wins. Two crystals drift apart, so every
measurement loses DRIFT while it ages, all of them alike: the best one stays the best until a better one comes.

The mapping is a line with corners, one corner a refit, and between corners it is slewed, never set: it stays strictly
rising, and a stamp once mapped is always mapped to the same time. Order among the panel's own stamps is the panel's.

Pure. Panel times here are microseconds as unbounded whole numbers, table times ns.
"""

import msgspec

from doubtable.devices.panel_protocol import ahead
from doubtable.timing import S

DRIFT = 10  # us of age that cost 1 ns: 100 parts in a million, two crystals of 50
SLEW = 500_000  # ns a second at most by which a refit bends the line
ROUNDING = 5_000  # ns: stamps are whole microseconds
OWN = 1_000  # ns: the order of two of the panel's stamps
START = 50_000  # ns: how well the panel knows when its counter began
CORNERS = 64  # refits, so about a minute, in which a late stamp is mapped as it would have been at once
REFIT = 1 * S  # ns between two refits

SECOND = 1_000_000  # us


class Measurement(msgspec.Struct, frozen=True):
    """A ping's answer at ``us``: the table's clock is ``offset`` ns ahead, and at most ``half`` ns more or less."""

    us: int
    offset: int
    half: int

    def error(self, us: int) -> int:
        """ns by which it may be wrong at ``us``."""
        return self.half + (us - self.us) // DRIFT


class PanelClock:
    """Made anew for every start of the panel. Not thread-safe."""

    def __init__(self) -> None:
        self.jumped = False  # whether two measurements cannot both be right: one of the clocks has jumped
        self._newest: int | None = None
        self._best: Measurement | None = None
        self._fitted: Measurement | None = None  # what the line was fitted to
        self._answered = 0  # us of the newest measurement
        self._corners: list[tuple[int, int, int]] = []  # panel us, table ns, ns to add within the following second
        self._stray = 0  # ns by which the line was off at the last refit, and still is right after it

    @property
    def fitted(self) -> bool:
        """Whether stamps can be mapped."""
        return self._fitted is not None

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
        new = Measurement(answered, offset, trip // 2)
        best = self._best
        if best is None or new.half <= best.error(answered):
            self._best = new
        if best is not None and abs(new.offset - best.offset) > new.half + best.error(answered) + ROUNDING:
            self.jumped = True
        self._answered = answered
        return trip

    def refit(self) -> None:
        """Bends the line towards the best measurement."""
        best = self._fitted = self._measured
        at = self._answered
        target = at * 1000 + best.offset
        if not self._corners:
            self._corners.append((at, target, 0))
            return
        now = self.ns(at)
        stray = target - now
        self._stray = abs(stray)
        self._corners = [*self._corners[-CORNERS + 1 :], (at, now, max(-SLEW, min(SLEW, stray)))]

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
        """ns by which a mapped stamp may be wrong against another source's. Only after a fit."""
        fitted = self._fitted if self._fitted is not None else self._measured
        return fitted.error(self._answered) + self._stray + START

    @property
    def offset(self) -> int:
        """ns from the panel's clock to the table's, by the best measurement."""
        return self._measured.offset

    @property
    def best_trip(self) -> int:
        """ns: the round trip of the best measurement."""
        return 2 * self._measured.half

    @property
    def _measured(self) -> "Measurement":
        if self._best is None:
            raise RuntimeError("the panel's clock is asked before it was measured")
        return self._best
