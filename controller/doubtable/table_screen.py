"""The table's own screen: the picture of every view on a display that may come and go. For the main thread only."""

import logging

import pygame

from doubtable.screen.display import Display
from doubtable.screen.lettering import Lettering
from doubtable.screen.picture import Picture
from doubtable.screen.sizes import Box
from doubtable.screen.words import Words
from doubtable.view import View

log = logging.getLogger(__name__)


class TableScreen:
    """A Screen for the app. Without a display the game goes on by its lamps; it is tried again every 5 s."""

    def __init__(self, display: Display, seats: int, words: Words) -> None:
        pygame.font.init()
        self._display = display
        self._seats = seats
        self._words = words
        self._lettering = Lettering()
        self._picture: Picture | None = None

    @property
    def shown(self) -> bool:
        """Whether there is a display just now."""
        return self._display.shown

    def show(self, view: View, ns: int) -> None:
        """Draw what has changed, if there is a display."""
        if not self._display.shown:
            self._picture = None
            self._log(self._display.attend(ns))
            if not self._display.shown:
                return
        if self._picture is None:
            self._picture = Picture(self._display.panel, self._seats, self._words, self._lettering)
        changed: tuple[Box, ...] = self._picture.show(view, ns)
        if changed:
            self._log(self._display.flip(self._picture.surface, changed, ns))

    def events(self) -> list[pygame.event.Event]:
        """What keys, mouse and window manager have said since the last call."""
        return pygame.event.get() if self._display.shown else []

    def close(self) -> None:
        """Give the display back. May be called twice."""
        self._display.close()

    def _log(self, line: str) -> None:
        if line:
            log.warning("%s", line)
