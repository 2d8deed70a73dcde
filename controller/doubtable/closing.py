"""Closing time: the clock on the wall, told to the table as orders.

A quarter of an hour before `closing` no new deal begins, at closing the bell rings, and NIGHT later the table is open
again, for whoever comes next. A clock that nobody has set tells nothing.
"""

from collections.abc import Callable
from datetime import time
from time import localtime

from doubtable.house import CLOSED, CLOSING, OPENING
from doubtable.inputs import Order
from doubtable.timing import S

DAY = 24 * 60  # minutes
BEFORE = 15  # minutes before closing without a new deal
NIGHT = 4 * 60  # minutes from closing until new deals are possible again
EVERY = 1 * S  # the clock is looked at so often


def hours(minute: int, closing: time) -> str:
    """What minute ``minute`` of the day is at a table that closes at ``closing``: OPENING, CLOSING or CLOSED."""
    since = (minute - (closing.hour * 60 + closing.minute) + BEFORE) % DAY
    if since < BEFORE:
        return CLOSING
    return CLOSED if since < BEFORE + NIGHT else OPENING


class ClosingTime:
    """Says which order is due. ``minute`` gives the minute of the day, None while the clock is not set.

    One thread.
    """

    def __init__(self, closing: time | None, minute: Callable[[], int | None]) -> None:
        self._closing, self._minute = closing, minute
        self._next = 0

    def order(self, told: str, ns: int) -> Order | None:
        """The order to feed at ``ns`` to a table that was told ``told`` last (its house's hours); None: nothing new."""
        if self._closing is None or ns < self._next:
            return None
        self._next = ns + EVERY
        minute = self._minute()
        due = told if minute is None else hours(minute, self._closing)
        return None if due == told else Order(ns, due)


def local_minute(is_set: Callable[[], bool]) -> int | None:
    """The minute of the day by the machine's clock and time zone, if that clock was set."""
    if not is_set():
        return None
    now = localtime()
    return now.tm_hour * 60 + now.tm_min
