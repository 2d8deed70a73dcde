"""Views drawn one after the other onto one picture: only when something has changed, and only what has."""

from collections.abc import Sequence
from pathlib import Path

import pygame
from msgspec.structs import replace

from doubtable.screen.board import Board
from doubtable.screen.lettering import Lettering
from doubtable.screen.scenes import draw, next_change
from doubtable.screen.sizes import Box, Panel
from doubtable.screen.stage import Stage
from doubtable.screen.words import Words
from doubtable.view import Text, View

PICTURE = Panel(1024, 600)


class Picture:
    """The table's picture on one panel. For the main thread only."""

    def __init__(self, panel: Panel, seats: int, words: Words, lettering: Lettering) -> None:
        self.board = Board(panel.size, lettering)
        self._stage = Stage(panel, seats, words, lettering)
        self._view: View | None = None  # the newest one looked at
        self._drawn: tuple[View, Sequence[Text]] | None = None  # what the picture shows, without its number
        self._next: int | None = None  # ns at which it changes by time alone

    @property
    def surface(self) -> pygame.Surface:
        """The picture as it is now."""
        return self.board.canvas.surface

    def show(self, view: View, ns: int, marks: Sequence[Text] = ()) -> tuple[Box, ...]:
        """Draw ``view`` at ``ns`` with the shell's own ``marks``; returns the boxes that changed, mostly none."""
        still = self._next is None or ns < self._next
        if still and view is self._view and self._drawn is not None and marks == self._drawn[1]:
            return ()
        self._view = view
        wanted = (replace(view, number=0), marks)
        if still and wanted == self._drawn:
            return ()
        self._drawn = wanted
        self._next = next_change(view, ns)
        return self.board.show(draw(view, ns, self._stage, marks))


class PictureScreen:
    """A screen that nobody sees: every view is drawn, and the last one can be saved."""

    def __init__(self, seats: int, panel: Panel = PICTURE) -> None:
        pygame.font.init()
        self.picture = Picture(panel, seats, Words(), Lettering())

    def show(self, view: View, ns: int) -> None:
        """Draw what has changed."""
        self.picture.show(view, ns)

    def save(self, path: Path) -> None:
        """Write the picture as PNG. Raises OSError."""
        with path.open("wb") as file:
            pygame.image.save(self.picture.surface, file, "picture.png")

    def close(self) -> None:
        """Nothing to give back."""
