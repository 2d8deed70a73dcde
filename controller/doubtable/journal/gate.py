"""What the screen may show: a view whose input is on the disk, or after half a second the newest one, marked.

Lamps and races do not come by here. What stands on the screen must not be taken back by a power cut.
"""

from collections import deque

from msgspec.structs import replace

from doubtable.journal import chain
from doubtable.timing import MS
from doubtable.view import Text, View

UNSAVED_AFTER = 500 * MS
LOOK_AGAIN = 5 * MS  # a commit does not wake the main loop: while one is awaited it looks so often
MOST_WAITING = 100  # views
NOT_SAVED: Text = ("NOT SAVED", {})


class Gate:
    """The views that wait for their commit. Main thread only. What was shown is never followed by an older view."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[View, int]] = deque()  # each with the time since when it waits
        self._saved: View | None = None
        self._unsaved: View | None = None  # shown though it was not saved

    @property
    def waits(self) -> bool:
        """Whether a newer view than the one shown waits for its commit."""
        return bool(self._waiting)

    def pick(self, newest: View, committed: int, ns: int) -> View | None:
        """What the screen shows at ``ns`` of the views so far; None while there is nothing yet.

        ``committed``: number of the last input on the disk.
        """
        self._wait(newest, ns)
        while self._waiting and self._waiting[0][0].number <= committed:
            self._saved = self._waiting.popleft()[0]
        if self._waiting and ns - self._waiting[0][1] >= UNSAVED_AFTER:
            self._unsaved = newest
        shown = self._unsaved
        if shown is None:
            return self._saved
        if shown.number <= committed:
            self._unsaved = None
            if self._saved is None or self._saved.number < shown.number:
                self._saved = shown
            return self._saved
        return replace(shown, notices=(NOT_SAVED, *shown.notices))

    def _wait(self, newest: View, ns: int) -> None:
        """A view of the same input takes the place of the one before; so does one too many."""
        waiting = self._waiting
        if waiting and (waiting[-1][0].number == newest.number or len(waiting) >= MOST_WAITING):
            waiting[-1] = (newest, waiting[-1][1])
        else:
            waiting.append((newest, ns))


def with_code(view: View, head: bytes | None) -> View:
    """The end of a game with the code by which its record can be checked later; ``head``: the hash of its last row."""
    if view.scene != "over" or head is None:
        return view
    return replace(view, notices=(("RECORD {code}", {"code": chain.code(head)}), *view.notices))
