"""The table's screen as the shell sees it: it is given views and shows them, for as long as there is a screen.

A view that looks like the last one costs nothing; a changed one repaints the boxes that changed. For the main thread
only.
"""

import logging
from collections.abc import Sequence

from doubtable.screen.attendant import Attendant
from doubtable.screen.blocks import Text
from doubtable.screen.display import Display
from doubtable.screen.picture import Picture
from doubtable.screen.words import Words
from doubtable.view import View

log = logging.getLogger(__name__)


class TableScreen:
    """Shows views on a display that may be absent, go away and come back; the game never waits for it.

    ``first`` is where seat 1 sits, in degrees clockwise from the side of the one who reads the screen. While the
    attendant's menu is open it is what the screen shows; lamps and sounds go on.
    """

    def __init__(self, display: Display, words: Words, first: int = 0, attendant: Attendant | None = None) -> None:
        self.display = display
        self.attendant = attendant or Attendant(None, lambda order: None)
        self._words, self._first = words, first
        self._picture: Picture | None = None

    def show(self, view: View, ns: int, marks: Sequence[Text] = ()) -> None:
        """Draw what has changed since the last view. ``marks`` are words of the shell's own, such as NOT SAVED."""
        if not self.display.shown:
            self._log(self.display.attend(ns))
            if not self.display.shown:
                return
            if self._picture is not None:
                self._picture.forget()
        if self._picture is None or self._picture.panel != self.display.panel:
            self._picture = Picture(self.display.panel, self._words, self._first)
        changed = self._picture.show(self.attendant.over(view, ns), ns, marks)
        self._log(self.display.flip(self._picture.surface, changed, ns))

    def item_at(self, x: int, y: int) -> int | None:
        """The attendant's menu item at a pixel of the display, turned as it is."""
        return None if self._picture is None else self._picture.item_at(*self.display.to_picture(x, y))

    def next_change(self) -> int | None:
        """When the picture changes by time alone, in ns; None when it does not, or there is no screen."""
        return self._picture.next_change() if self._picture is not None and self.display.shown else None

    def close(self) -> None:
        """Give the screen back. May be called twice."""
        self.display.close()

    def _log(self, line: str) -> None:
        if line:
            log.warning("%s", line)
