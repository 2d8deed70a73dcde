"""Closing time: which order the clock on the wall gives, and when."""

from datetime import time

import pytest

from doubtable.closing import EVERY, ClosingTime, hours, local_minute
from doubtable.inputs import Order

HALF_PAST_ELEVEN = time(23, 30)


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        ("12:00", "opening"),
        ("23:14", "opening"),
        ("23:15", "closing"),
        ("23:29", "closing"),
        ("23:30", "closed"),
        ("00:05", "closed"),
        ("03:29", "closed"),
        ("03:30", "opening"),
    ],
)
def test_a_quarter_of_an_hour_before_closing_then_the_bell_then_the_night(clock: str, expected: str) -> None:
    minutes = int(clock[:2]) * 60 + int(clock[3:])
    assert hours(minutes, HALF_PAST_ELEVEN) == expected


def test_a_table_that_closes_after_midnight() -> None:
    assert [hours(minute, time(0, 10)) for minute in (23 * 60 + 54, 23 * 60 + 55, 9, 10)] == [
        *("opening", "closing", "closing", "closed")
    ]


def test_an_order_is_given_when_the_hour_differs_from_what_the_table_was_told() -> None:
    now = [23 * 60]
    clock = ClosingTime(HALF_PAST_ELEVEN, lambda: now[0])
    assert clock.order("opening", 0) is None
    now[0] = 23 * 60 + 15
    assert clock.order("opening", EVERY - 1) is None, "looked at once a second"
    assert clock.order("opening", EVERY) == Order(EVERY, "closing")
    assert clock.order("opening", EVERY + 1) is None, "the table has not taken it yet"
    assert clock.order("closing", 2 * EVERY) is None
    now[0] = 23 * 60 + 30
    assert clock.order("closing", 3 * EVERY) == Order(3 * EVERY, "closed")


def test_without_a_closing_time_or_a_clock_that_is_set_nothing_is_said() -> None:
    assert ClosingTime(None, lambda: 0).order("opening", 0) is None
    assert ClosingTime(HALF_PAST_ELEVEN, lambda: None).order("closing", 0) is None
    assert local_minute(lambda: False) is None
    minute = local_minute(lambda: True)
    assert minute is not None
    assert 0 <= minute < 24 * 60
