"""Presses to gestures: one seat's button under a finger.

TAP = released before ``hold`` ns. HOLD fires at press + hold, once, and needs a release before anything else; LONG is a
hold of three seconds (the seat menu). A button that was down at start-up, or has been down longer than ``stuck`` ns,
makes none until it has been released. With ``no_hold`` a second tap, released within ``DOUBLE_TAP`` of the first, is
the HOLD.
"""

from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from doubtable.timing import MS, Timing

LONG = 3000 * MS
DOUBLE_TAP = 600 * MS
REPEAT = 400 * MS


class Habits(msgspec.Struct, frozen=True):
    """How one seat's guest presses: own hold time in ns (0 = the table's), repeats ignored, no holds."""

    hold: int = 0
    ignore_repeats: bool = False
    no_hold: bool = False


class Finger(msgspec.Struct, frozen=True, gc=False):
    """One seat's button. ``press`` is the stamp of the press under way; ``since`` when the button went down."""

    press: int | None = None
    since: int | None = None
    held: bool = False  # down since start-up
    stuck: bool = False
    fired: int = 0  # 0 nothing, 1 HOLD fired, 2 LONG fired
    tapped: int | None = None  # no_hold: release of a tap that may become a double one
    tap_press: int = 0  # its press
    last_tap: int | None = None

    @property
    def down(self) -> bool:
        return self.since is not None


class Gesture(NamedTuple):
    """``kind`` tap, hold, long, stuck or unstuck of the press stamped ``press``; ``ns`` is its own stamp."""

    kind: str
    press: int
    ns: int


def hold_time(habits: Habits, timing: Timing) -> int:
    """This seat's hold in ns."""
    return habits.hold or timing.hold


def open_until(press: int, habits: Habits, timing: Timing) -> int:
    """When the meaning of a press is known at the latest, a release burst under way left aside."""
    return press + hold_time(habits, timing) + (DOUBLE_TAP if habits.no_hold else 0)


def press(finger: Finger, ns: int) -> Finger:
    """A press stamped ``ns``."""
    return replace(finger, press=ns, since=ns, fired=0)


def release(finger: Finger, ns: int, habits: Habits, timing: Timing) -> tuple[Finger, tuple[Gesture, ...]]:
    """A release stamped ``ns``: a tap when no hold has fired, and the end of stuck and held."""
    out: list[Gesture] = []
    if finger.stuck:
        out.append(Gesture("unstuck", finger.since or 0, ns))
    begun = finger.press
    up = replace(finger, press=None, since=None, held=False, stuck=False, fired=0)
    if begun is None or finger.fired or finger.stuck:
        return up, tuple(out)
    if habits.no_hold:
        if ns - begun >= hold_time(habits, timing):
            return up, tuple(out)
        if finger.tapped is not None and ns < finger.tapped + DOUBLE_TAP:
            return replace(up, tapped=None), (*out, Gesture("hold", finger.tap_press, ns))
        return replace(up, tapped=ns, tap_press=begun), tuple(out)
    if habits.ignore_repeats and finger.last_tap is not None and begun - finger.last_tap < REPEAT:
        return replace(up, last_tap=ns), tuple(out)
    return replace(up, last_tap=ns), (*out, Gesture("tap", begun, ns))


def due(finger: Finger, habits: Habits, timing: Timing) -> int | None:
    """When the finger next does something by time alone."""
    if finger.since is None and finger.tapped is None:
        return None
    first = None
    if finger.since is not None and not finger.stuck:
        first = finger.since + timing.stuck
    if finger.press is not None and not habits.no_hold and finger.fired < 2:
        fires = finger.press + (LONG if finger.fired else hold_time(habits, timing))
        first = fires if first is None or fires < first else first
    if finger.tapped is not None:
        known = finger.tapped + DOUBLE_TAP
        first = known if first is None or known < first else first
    return first


def take_due(finger: Finger, habits: Habits, timing: Timing) -> tuple[Finger, Gesture]:
    """The finger after its next due thing. Only when ``due`` is not None."""
    ns = due(finger, habits, timing)
    assert ns is not None
    if finger.tapped is not None and ns == finger.tapped + DOUBLE_TAP:
        return replace(finger, tapped=None, last_tap=finger.tapped), Gesture("tap", finger.tap_press, finger.tapped)
    if finger.since is not None and not finger.stuck and ns == finger.since + timing.stuck:
        return replace(finger, stuck=True, press=None), Gesture("stuck", finger.since, ns)
    assert finger.press is not None
    kind = "long" if finger.fired else "hold"
    return replace(finger, fired=finger.fired + 1), Gesture(kind, finger.press, ns)
