"""What moves by time alone: rings that empty and fill, seconds that count down, pictures that take turns (pure)."""

from doubtable.view import View

MS, SECOND = 1_000_000, 1_000_000_000
TURN_NS = 3 * SECOND  # where there is room for one line only, a notice and the help line take turns
HOLD_SEEN = 150 * MS  # a ring begins to fill so long after the press
HOLD_STEPS, RING_STEPS = 20, 200  # how finely rings move
PICTURE_NS = 5 * SECOND  # how long each picture of a row is shown
WINDOW_SCENES = ("window", "last_call", "press_again")


def steps(ns: int, start: int, end: int, count: int) -> int:
    """How many of ``count`` equal steps from start to end have been made at ``ns``."""
    return max(0, min(count, (ns - start) * count // max(1, end - start)))


def next_step(ns: int, start: int, end: int, count: int) -> int | None:
    """When the next of the steps is made, in ns; None when all have been."""
    made = steps(ns, start, end, count)
    return None if made >= count else start - (start - end) * (made + 1) // count


def left(view: View, ns: int) -> int | None:
    """How much of the window is left, in thousandths; None for one that no time closes."""
    if view.window is None:
        return None
    return 1000 - steps(ns, *view.window, RING_STEPS) * 1000 // RING_STEPS


def takes_turn(ns: int) -> bool:
    """Whether at ``ns`` it is the notice's turn, and not the help line's."""
    return ns // TURN_NS % 2 == 0


def filled(view: View, seat: int, ns: int) -> int:
    """How full the hold ring of a seat is, 0 to 100."""
    hold = next((each for each in view.holds if each.seat == seat), None)
    if hold is None or ns < hold.press + HOLD_SEEN:
        return 0
    return steps(ns, hold.press, hold.fires, HOLD_STEPS) * 100 // HOLD_STEPS
