"""The table as the service runs it, on a screen that SDL only keeps in memory; says "frame" once one is shown.

    python first_frame.py table.toml

Without a display SDL's driver "dummy" does all that a screen asks for but show it. It has no full screen.
"""

import os
import sys
from collections.abc import Sequence

os.environ["SDL_AUDIODRIVER"] = "dummy"

import pygame

from doubtable import cli
from doubtable.screen import display
from doubtable.screen.sizes import Box


class SeenDisplay(display.Display):
    """The table's display, which says when it has shown the first picture."""

    _told = False

    def __init__(self, size: tuple[int, int] | None = None, turn: int = 0, driver: str = "") -> None:
        super().__init__(size, turn, "dummy", full=False)

    def flip(self, picture: pygame.Surface, changed: Sequence[Box], now_ns: int) -> str:
        line = super().flip(picture, changed, now_ns)
        if changed and self.shown and not self._told:
            self._told = True
            sys.stderr.write("frame\n")
            sys.stderr.flush()
        return line


display.Display = SeenDisplay  # type: ignore[misc,assignment]
sys.exit(cli.main(["play", "--config", sys.argv[1]]))
