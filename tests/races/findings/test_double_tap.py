"""fairness.md, 4: a race waits for a press of open meaning "600 ms more in the double-TAP profile".

So whether a press was a double TAP must be known at press + hold + 600 ms; a second tap that ends later is no HOLD.
Press 0, release 600, press 1190, release 1800: the HOLD comes 500 ms after the race was decided without it.
"""

from doubtable.buttons import gestures
from doubtable.buttons.gestures import Finger, Habits
from doubtable.timing import MS, Timing

HABITS = Habits(no_hold=True)


def test_a_double_tap_is_known_when_the_race_stops_waiting() -> None:
    timing = Timing()
    finger = gestures.press(Finger(), 0)
    finger, first = gestures.release(finger, 600 * MS, HABITS, timing)
    finger = gestures.press(finger, 1190 * MS)
    finger, second = gestures.release(finger, 1800 * MS, HABITS, timing)
    late = [
        each for each in (*first, *second) if each.kind == "hold" and each.ns > gestures.open_until(0, HABITS, timing)
    ]
    assert not late
