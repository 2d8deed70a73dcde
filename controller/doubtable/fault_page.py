"""A service that cannot start says why on its screen, for as long as it waits for somebody to mend it.

The log has had the same lines. Nothing is known of lamps and screen when table.toml is wrong, so the page goes onto
whatever screen SDL finds. A file that changes is looked at again at once: the program ends, and the service manager
starts it anew.
"""

import time
from collections.abc import Callable
from pathlib import Path

import pygame

from doubtable.screen.display import Display
from doubtable.screen.lettering import Lettering
from doubtable.screen.palette import GROUND, INK, LAMP, Colour
from doubtable.screen.sizes import Box
from doubtable.service import File

SHOWN_FOR = 20.0  # s; shorter than the service manager's patience with a start
LOOK_EVERY = 0.5  # s
TITLE = "The table cannot start"


def hold(
    why: str,
    file: File,
    display: Display,
    told_to_stop: Callable[[], bool],
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Show ``why`` until ``file`` is another one, 20 s have passed, or the program is told to stop."""
    drawn, waited = False, 0.0
    while not told_to_stop() and waited < SHOWN_FOR and not file.changed():
        if not display.shown:
            display.attend(time.monotonic_ns())
            drawn = False
        if display.shown and not drawn:
            _show(why, file.path, display)
            drawn = True
        wait(LOOK_EVERY)
        waited += LOOK_EVERY
    display.close()


def _show(why: str, file: Path, display: Display) -> None:
    pygame.font.init()
    wide, high = display.panel.size
    picture = pygame.Surface((wide, high))
    picture.fill(GROUND)
    margin = wide // 24
    parts: tuple[tuple[str, Colour, float], ...] = (
        (TITLE, LAMP, 0.14),
        (why, INK, 0.6),
        (f"When {file} is mended, the table goes on by itself.", LAMP, 0.12),
    )
    lettering, top = Lettering(), margin
    for text, colour, share in parts:
        room = int((high - 4 * margin) * share)
        setting = lettering.setting(text, (wide - 2 * margin, room), (12, display.panel.capital), lines=12)
        at = top
        for line in setting.lines:
            picture.blit(lettering.line(line, setting.capital, colour), (margin, at))
            at += lettering.height(2, setting.capital) - setting.capital
        top += room + margin
    display.flip(picture, (Box(0, 0, wide, high),), time.monotonic_ns())
