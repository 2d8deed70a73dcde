"""The table as the service runs it, on a screen that SDL only keeps in memory; says "frame" once one is shown.

    python first_frame.py table.toml

Without a display SDL's driver "dummy" does all that a screen asks for but show it. It has no full screen. The seats
have simulated buttons, for want of others; none of them is a key, as at a table with hardware.
"""

import os
import sys
from collections.abc import Sequence

os.environ["SDL_AUDIODRIVER"] = "dummy"

import pygame

from doubtable import cli, real_table, wiring
from doubtable.config import Config
from doubtable.devices.ports import Deliver
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


def without_keys(config: Config, deliver: Deliver) -> wiring.Devices:
    """The table's devices, of which no seat is pressed by a key."""
    return wiring.devices_of(config, deliver)._replace(keys=None)


display.Display = SeenDisplay  # type: ignore[misc,assignment]
real_table.devices_of = without_keys  # type: ignore[attr-defined]
sys.exit(cli.main(["play", "--config", sys.argv[1]]))
