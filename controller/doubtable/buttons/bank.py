"""The bank of buttons: the lines and fingers of all seats, and which of them next does something by time alone.

A value per seat stays frozen; the bank only keeps the newest of each, because edges come by the thousand and twelve
of thirteen seats have nothing to do with one of them. A seat's place is its number less one.
"""

from collections.abc import Sequence

from doubtable.buttons import gestures, lines
from doubtable.buttons.gestures import Finger, Gesture, Habits
from doubtable.buttons.lines import Line, Settled
from doubtable.inputs import Edge
from doubtable.timing import Timing

Due = tuple[int, int, int, str, int]
"""What happens next by time alone: when (ns), rank and stamp (of several at once the least comes first), what, where.

``what`` is "line" or "finger", of the button at the place, or one of the table's own.
"""

NEVER_DUE: Due = (1 << 80, 9, 0, "", 0)


class Bank:
    """The buttons of one table, seat 1 first. Not thread-safe."""

    def __init__(self, size: int, habits: Sequence[Habits], timing: Timing) -> None:
        self.habits = habits
        self.timing = timing
        self.put((Line(),) * size, (Finger(),) * size)

    def put(self, lines: Sequence[Line], fingers: Sequence[Finger]) -> None:
        """These lines and fingers in place of all others."""
        self.lines = list(lines)
        self.fingers = list(fingers)
        self.changed = True  # since the last freeze
        self.as_before = False  # no line has changed since this was set, but by a burst that went on
        self._dues: dict[int, Due] = {}  # of the places where something is due
        self._soonest = NEVER_DUE
        self._moved = set(range(len(self.lines)))
        self._fires = [self._finger_due(place) for place in range(len(self.fingers))]  # when each finger does something

    def freeze(self) -> tuple[tuple[Line, ...], tuple[Finger, ...]]:
        """All lines and fingers as values."""
        self.changed = False
        return tuple(self.lines), tuple(self.fingers)

    def newest(self) -> int:
        """The newest stamp of any edge."""
        return max(max(line.known, line.last_edge, line.burst.last if line.burst else 0) for line in self.lines)

    def next(self) -> Due:
        """What the buttons do next by time alone."""
        if self._moved:
            for place in self._moved:
                due = self._due(place)
                if due is not None:
                    self._dues[place] = due
                else:
                    self._dues.pop(place, None)
            self._moved.clear()
            self._soonest = min(self._dues.values(), default=NEVER_DUE)
        return self._soonest

    def _due(self, place: int) -> Due | None:
        """Of a line and its finger the earlier; a line first where what it tells began before the finger's time."""
        line_ns, since = lines.coming(self.lines[place], self.timing)
        finger_ns = self._fires[place]
        if line_ns is not None and (line_ns <= finger_ns or lines.NEVER < since < finger_ns):
            return line_ns, 0, since, "line", place
        return None if finger_ns == NEVER_DUE[0] else (finger_ns, 1, 0, "finger", place)

    def _finger_due(self, place: int) -> int:
        due = gestures.due(self.fingers[place], self.habits[place], self.timing)
        return NEVER_DUE[0] if due is None else due

    def unsure(self, ns: int) -> tuple[int, ...]:
        """The seats whose hold fires by ``ns`` unless the burst that is under way then ends in a release."""
        if min(self._fires) > ns:
            return ()
        return tuple(seat for seat, fires in enumerate(self._fires, 1) if fires <= ns)

    def unsettled(self) -> dict[int, Line]:
        """The lines that may yet come to something, by seat."""
        return {seat: line for seat, line in enumerate(self.lines, 1) if line.burst or line.queue or line.read}

    def set_line(self, place: int, line: Line) -> None:
        self.lines[place] = line
        self.changed, self.as_before = True, False
        self._moved.add(place)

    def set_finger(self, place: int, finger: Finger) -> None:
        self.fingers[place] = finger
        self._fires[place] = self._finger_due(place)
        self.changed = True
        self._moved.add(place)

    def take_edge(self, edge: Edge) -> bool:
        """An edge; True when it is older than what has settled and changes nothing."""
        place = edge.seat - 1
        before = self.lines[place]
        line, late = lines.take_edge(before, edge, self.timing)
        self.lines[place] = line
        self.changed = True
        self._moved.add(place)
        if before.burst is None or line.burst is None or before.burst.start != line.burst.start:
            self.as_before = False
        return late

    def take_level(self, place: int, ns: int, level: int) -> None:
        """A level read at ``ns``."""
        self.set_line(place, lines.take_level(self.lines[place], ns, level))

    def start_level(self, place: int, ns: int, level: int) -> None:
        """The level that stood at start-up: a button that is down is held, not pressed."""
        self.set_line(place, lines.start_level(ns, level))
        self.set_finger(place, Finger(since=ns, held=True) if level else Finger())

    def take_line(self, place: int) -> Settled:
        """What the line at ``place`` has come to. Only when it is due."""
        line, settled = lines.take_due(self.lines[place], self.timing)
        self.set_line(place, line)
        return settled

    def take_finger(self, place: int) -> Gesture:
        """What the finger at ``place`` has come to. Only when it is due."""
        finger, gesture = gestures.take_due(self.fingers[place], self.habits[place], self.timing)
        self.set_finger(place, finger)
        return gesture

    def press(self, place: int, ns: int) -> None:
        """A press stamped ``ns``."""
        self.set_finger(place, gestures.press(self.fingers[place], ns))

    def release(self, place: int, ns: int) -> tuple[Gesture, ...]:
        """A release stamped ``ns``, and what it makes."""
        finger, made = gestures.release(self.fingers[place], ns, self.habits[place], self.timing)
        self.set_finger(place, finger)
        return made
