"""The picture of views without a display: for a demonstration, the gallery and tests."""

from collections.abc import Sequence
from pathlib import Path

import pygame
from msgspec.structs import replace

from doubtable.screen.blocks import Text
from doubtable.screen.board import Board, Widget
from doubtable.screen.lettering import Lettering
from doubtable.screen.pages import service_grid
from doubtable.screen.scenes import draw, next_change
from doubtable.screen.sizes import Box, Panel
from doubtable.screen.stage import Stage
from doubtable.screen.words import Words
from doubtable.view import View

PANEL = Panel(1024, 600)


class Picture:
    """The picture of views on one panel, without a display. ``first`` is where seat 1 sits (see seats.seat_map)."""

    def __init__(self, panel: Panel, words: Words, first: int = 0) -> None:
        pygame.font.init()
        self.panel, self._words, self._first = panel, words, first
        self._lettering = Lettering()
        self._stage: Stage | None = None
        self._shown: tuple[View, tuple[Text, ...]] | None = None  # the view without its number, which is not seen
        self._next: int | None = None
        self.board = Board(panel.size, self._lettering)

    @property
    def surface(self) -> pygame.Surface:
        return self.board.canvas.surface

    def show(self, view: View, ns: int, marks: Sequence[Text] = ()) -> tuple[Box, ...]:
        """Bring the picture up to a view; returns the boxes that changed, mostly none."""
        wanted = (replace(view, number=0), tuple(marks))
        if wanted == self._shown and (self._next is None or ns < self._next):
            return ()
        self._shown, self._next = wanted, next_change(view, ns)
        return self.board.show(self._widgets(view, ns, marks))

    def item_at(self, x: int, y: int) -> int | None:
        """The number of the attendant's menu item at a point of the picture; None where there is none."""
        view = self._shown[0] if self._shown is not None else None
        if view is None or view.scene != "service" or self._stage is None:
            return None
        _, cells = service_grid(self._stage, len(view.strips[0].labels))
        spot = Box(x, y, 1, 1)
        return next((number for number, cell in enumerate(cells) if cell.holds(spot)), None)

    def forget(self) -> None:
        """Paint everything at the next view: the screen was away."""
        self._shown = None
        self.board.forget()

    def next_change(self) -> int | None:
        """When the picture changes by time alone, in ns; None when it does not."""
        return self._next

    def _widgets(self, view: View, ns: int, marks: Sequence[Text]) -> tuple[Widget, ...]:
        seats = max(2, len(view.seats))
        if self._stage is None or len(self._stage.frame.map.places) != seats:
            self._stage = Stage(self.panel, seats, self._words, self._lettering, self._first)
        return draw(view, ns, self._stage, marks)


class PictureScreen:
    """A screen that nobody sees: every view is drawn, and the last picture can be saved."""

    def __init__(self, seats: int, panel: Panel = PANEL, language: str = "en") -> None:
        self.seats = seats
        self.picture = Picture(panel, Words(language))

    def show(self, view: View, ns: int) -> None:
        """Draw what has changed."""
        self.picture.show(view, ns)

    def save(self, path: Path) -> None:
        """Write the picture as PNG; OSError where that cannot be."""
        with path.open("wb") as file:
            pygame.image.save(self.picture.surface, file, "picture.png")

    def close(self) -> None:
        """Nothing is held."""
