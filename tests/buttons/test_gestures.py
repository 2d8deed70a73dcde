"""Fingers: taps, holds, stuck and held buttons, double taps, shaky hands."""

import pytest

from doubtable.buttons import gestures
from doubtable.buttons.gestures import Finger, Gesture, Habits
from doubtable.timing import MS, S, Timing

TIMING = Timing()
PLAIN = Habits()


def played(*moves: tuple[float, str], habits: Habits = PLAIN, until: float = 60_000) -> list[tuple[str, float, float]]:
    """Presses "d" and releases "u" at ms, and all that time brings: (kind, press ms, ns ms) in order."""
    finger, made = Finger(), []
    for at, what in (*moves, (until, "end")):
        ns = round(at * MS)
        while (due := gestures.due(finger, habits, TIMING)) is not None and due <= ns and (due < ns or what != "u"):
            finger, one = gestures.take_due(finger, habits, TIMING)
            made.append(one)
        if what == "d":
            finger = gestures.press(finger, ns)
        elif what == "u":
            finger, more = gestures.release(finger, ns, habits, TIMING)
            made += more
    return [(each.kind, each.press / MS, each.ns / MS) for each in made]


def test_a_tap_is_stamped_by_its_release_and_knows_its_press() -> None:
    assert played((10, "d"), (130, "u")) == [("tap", 10, 130)]


@pytest.mark.parametrize(
    ("hold", "released", "kind"), [(0, 699.999999, "tap"), (1500, 1499, "tap"), (400, 401, "hold")]
)
def test_hold_time_is_the_seats_own(hold: int, released: float, kind: str) -> None:
    made = played((0, "d"), (released, "u"), habits=Habits(hold=hold * MS))
    assert [each[0] for each in made] == [kind]


def test_hold_fires_once_at_press_and_hold_and_needs_a_release() -> None:
    assert played((0, "d"), (2000, "u"), (2100, "d"), (2200, "u")) == [("hold", 0, 700), ("tap", 2100, 2200)]


def test_three_seconds_are_long() -> None:
    assert played((0, "d"), (4000, "u")) == [("hold", 0, 700), ("long", 0, 3000)]


def test_stuck_makes_nothing_until_it_is_let_go() -> None:
    made = played((0, "d"), (40_000, "u"), (41_000, "d"), (41_100, "u"))
    assert made[2:] == [("stuck", 0, 30_000), ("unstuck", 0, 40_000), ("tap", 41_000, 41_100)]


def test_held_since_the_start_is_no_press() -> None:
    finger = Finger(since=0, held=True)
    finger, made = gestures.release(finger, 5 * S, PLAIN, TIMING)
    assert (made, finger) == ((), Finger())


def test_held_since_the_start_becomes_stuck() -> None:
    finger, gesture = gestures.take_due(Finger(since=0, held=True), PLAIN, TIMING)
    assert gesture == Gesture("stuck", 0, 30 * S)
    assert finger.stuck


SHAKY = Habits(ignore_repeats=True)


def test_a_shaky_hands_repeats_are_ignored_taps_only() -> None:
    made = played((0, "d"), (100, "u"), (300, "d"), (350, "u"), (800, "d"), (900, "u"), habits=SHAKY)
    assert made == [("tap", 0, 100), ("tap", 800, 900)]
    assert played((0, "d"), (100, "u"), (300, "d"), (1200, "u"), habits=SHAKY)[-1] == ("hold", 300, 1000)


NO_HOLD = Habits(no_hold=True)


def test_a_double_tap_is_the_hold_stamped_at_its_end_and_pressed_at_its_start() -> None:
    assert played((0, "d"), (100, "u"), (300, "d"), (400, "u"), habits=NO_HOLD) == [("hold", 0, 400)]


def test_a_single_tap_is_known_600_ms_later() -> None:
    assert played((0, "d"), (100, "u"), habits=NO_HOLD) == [("tap", 0, 100)]
    assert played((0, "d"), (100, "u"), habits=NO_HOLD, until=699.9) == []


def test_a_second_tap_that_ends_too_late_is_another_single_one() -> None:
    made = played((0, "d"), (100, "u"), (500, "d"), (720, "u"), habits=NO_HOLD)
    assert made == [("tap", 0, 100), ("tap", 500, 720)]


def test_without_holds_a_long_press_is_nothing() -> None:
    assert played((0, "d"), (900, "u"), habits=NO_HOLD) == []


@pytest.mark.parametrize(
    ("habits", "expected"), [(PLAIN, 700), (Habits(hold=400 * MS), 400), (NO_HOLD, 1300), (SHAKY, 700)]
)
def test_when_a_press_is_understood_at_the_latest(habits: Habits, expected: int) -> None:
    assert gestures.open_until(0, habits, TIMING) == expected * MS


@pytest.mark.parametrize("first", range(50, 700, 90))
@pytest.mark.parametrize("pause", range(20, 700, 90))
@pytest.mark.parametrize("second", range(50, 700, 90))
def test_no_double_tap_is_understood_later_than_that(first: int, pause: int, second: int) -> None:
    made = played((0, "d"), (first, "u"), (first + pause, "d"), (first + pause + second, "u"), habits=NO_HOLD)
    assert made[0][1] == 0
    assert made[0][2] <= gestures.open_until(0, NO_HOLD, TIMING) / MS
