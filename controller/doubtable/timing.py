"""The table's times, in ns, and their names and units as a tape or table.toml writes them (ms unless said)."""

from collections.abc import Mapping
from decimal import Decimal

import msgspec

MS = 1_000_000
S = 1_000_000_000


class TimeError(ValueError):
    """A time that cannot be used, with its name and the reason."""


class Timing(msgspec.Struct, frozen=True):
    """All times in ns. What each means stands in docs/fairness.md and docs/play.md."""

    confirm: int = 5 * MS
    hold: int = 700 * MS
    tie: int = -1  # -1: by the number of seats, see for_seats
    straggler: int = 50 * MS
    chatter: int = 1000 * MS
    doubt: int = 4000 * MS
    last_call: int = 10_000 * MS
    last_call_min: int = 5000 * MS
    lockout: int = 250 * MS
    any_more: int = 1500 * MS
    missing: int = 5000 * MS
    banned: int = 500 * MS
    bump: int = 3 * MS
    bump_seats: int = 0  # 0: by the number of occupied seats, see the race
    stuck: int = 30 * S
    window_limit: int = 60 * S  # an open window closes this long after `doubt`

    def for_seats(self, seats: int) -> "Timing":
        """With the tie window that a table of ``seats`` seats has: 5 ms up to 8 seats, 10 ms from 9."""
        return self if self.tie >= 0 else msgspec.structs.replace(self, tie=(5 if seats <= 8 else 10) * MS)


def to_ns(value: object, unit: int = MS, name: str = "ms") -> int:
    """``value`` (an int or Decimal in ``unit`` ns) as exact ns: at most 6 decimals of a ms, never
    negative, no floats.
    """
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise TimeError(f"{name} {value!r} is no number")
    if isinstance(value, Decimal) and not value.is_finite():
        raise TimeError(f"{name} {value} is no finite number")
    scaled = value * unit
    if scaled < 0:
        raise TimeError(f"{name} {value} is negative: times count from the start")
    if scaled != int(scaled):
        raise TimeError(f"{name} {value} is finer than a nanosecond: write at most 6 decimals of a millisecond")
    return int(scaled)


SPEEDS = {"quick": 3000 * MS, "normal": 4000 * MS, "calm": 6000 * MS}
"""How long a doubt is possible before the next seat may start, in ns."""

# Written name -> (field, unit in ns, least, most), the limits in the written unit.
WRITTEN: dict[str, tuple[str, int, int, int]] = {
    "confirm_ms": ("confirm", MS, 1, 50),
    "hold_ms": ("hold", MS, 400, 1500),
    "tie_ms": ("tie", MS, 0, 500),
    "straggler_ms": ("straggler", MS, 0, 1000),
    "chatter_ms": ("chatter", MS, 0, 10_000),
    "doubt_ms": ("doubt", MS, 0, 60_000),
    "last_call_ms": ("last_call", MS, 0, 120_000),
    "last_call_min_ms": ("last_call_min", MS, 0, 120_000),
    "lockout_ms": ("lockout", MS, 0, 10_000),
    "any_more_ms": ("any_more", MS, 0, 60_000),
    "missing_ms": ("missing", MS, 0, 600_000),
    "banned_ms": ("banned", MS, 0, 10_000),
    "bump_ms": ("bump", MS, 0, 1000),
    "bump_seats": ("bump_seats", 1, 2, 13),
    "stuck_s": ("stuck", S, 1, 3600),
}


TRIED = {
    name: limits if name in ("hold_ms", "tie_ms") else (*limits[:2], 1 if name == "bump_seats" else 0, 3_600_000)
    for name, limits in WRITTEN.items()
}
"""As WRITTEN, for a tape: it may try what no house would keep, such as a contact that has to rest for half a second."""


def timing_from(written: Mapping[str, object], limits: Mapping[str, tuple[str, int, int, int]] = WRITTEN) -> Timing:
    """The times of a tape's or file's ``timing``; TimeError names an unknown name or a value out of range."""
    fields: dict[str, int] = {}
    for name, value in written.items():
        if name not in limits:
            raise TimeError(f"timing {name!r} does not exist: one of {', '.join(limits)}")
        field, unit, least, most = limits[name]
        ns = to_ns(value, unit, name)
        if not least * unit <= ns <= most * unit:
            raise TimeError(f"{name} {value} is out of range: {least} to {most}")
        fields[field] = ns
    return Timing(**fields)
