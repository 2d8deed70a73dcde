"""The screen as a device: opened, turned, flipped, lost, tried again. A game never waits for it and never ends by it.

SDL opens "offscreen" or "dummy" without a word when it finds no real screen (F33), so the driver's name is looked at. A
table that was set to one of these by its owner (a test, a demonstration without a display) has said so.
"""

import os
from collections.abc import Sequence
from typing import Literal

import msgspec
import pygame

from doubtable.screen.sizes import Box, Panel

NO_SCREEN = ("offscreen", "dummy", "evdev", "")
RETRY_NS = 5_000_000_000
State = Literal["closed", "shown", "absent"]


def real(driver: str, asked: str = "") -> bool:
    """Whether a driver shows a picture that somebody can see, or is the very one that was asked for."""
    return driver.lower() == asked.lower() != "" or driver.lower() not in NO_SCREEN


class Retry(msgspec.Struct, frozen=True):
    """When to try the screen again (pure): at once at the start, then every 5 s; one line a change, none a try."""

    state: State = "closed"
    next_ns: int = 0
    why: str = ""

    def due(self, now_ns: int) -> bool:
        """Whether it is time for a try."""
        return self.state != "shown" and now_ns >= self.next_ns

    def failed(self, why: str, now_ns: int) -> tuple["Retry", str]:
        """A try, or a flip, has failed: the new state, and the line to log ("" when that was logged already)."""
        line = "" if self.state == "absent" else f"no screen: {why}; the game goes on by lamps, trying again every 5 s"
        return Retry("absent", now_ns + RETRY_NS, why), line

    def opened(self) -> tuple["Retry", str]:
        """A try has worked: the new state and the line to log ("" at the start)."""
        return Retry("shown"), "screen is back" if self.state == "absent" else ""


class Display:
    """A window or a full screen that shows a board's picture, turned. For the main thread only.

    ``size`` is in pixels of the panel; None takes the whole screen, and ``panel`` says what it was once it is open.
    ``driver`` is SDL's name as the owner set it ("" = SDL's own choice); ``full`` covers the screen.
    """

    def __init__(
        self,
        size: tuple[int, int] | None = None,
        turn: int = 0,
        driver: str = "",
        full: bool = True,
        title: str = "doubtable",
    ) -> None:
        self.panel = Panel(*size, turn=turn) if size else Panel(1024, 600, turn=turn)
        self.retry = Retry()
        self._size, self._driver, self._full, self._title = size, driver, full, title
        self._surface: pygame.Surface | None = None

    @property
    def shown(self) -> bool:
        return self.retry.state == "shown"

    def attend(self, now_ns: int) -> str:
        """Open the screen when it is time for a try. Returns a line to log, mostly empty."""
        if not self.retry.due(now_ns):
            return ""
        try:
            why = self._try()
        except pygame.error as error:
            why = str(error) or "SDL names no reason"
        if why:
            self._let_go()
            self.retry, line = self.retry.failed(why, now_ns)
        else:
            self.retry, line = self.retry.opened()
        return line

    def flip(self, picture: pygame.Surface, changed: Sequence[Box], now_ns: int) -> str:
        """Show the changed boxes of a picture. Returns a line to log when the screen has gone."""
        if self._surface is None or not changed:
            return ""
        try:
            pygame.display.update([self._put(picture, box) for box in changed])
        except pygame.error as error:
            self._let_go()
            self.retry, line = self.retry.failed(str(error) or "SDL names no reason", now_ns)
            return line
        return ""

    def close(self) -> None:
        """Give the screen back. May be called twice."""
        self._let_go()
        self.retry = Retry()

    def to_picture(self, x: int, y: int) -> tuple[int, int]:
        """The pixel of the picture under a pixel of the panel: for mouse and touch."""
        wide, high = self.panel.width, self.panel.height
        return {0: (x, y), 90: (y, wide - 1 - x), 180: (wide - 1 - x, high - 1 - y), 270: (high - 1 - y, x)}[
            self.panel.turn
        ]

    def _try(self) -> str:
        if self._driver:
            os.environ["SDL_VIDEODRIVER"] = self._driver
        pygame.display.init()
        driver = pygame.display.get_driver()
        if not real(driver, self._driver):
            return f"SDL found only the driver {driver!r}"
        size = self._size or pygame.display.get_desktop_sizes()[0]
        surface = pygame.display.set_mode(size, pygame.FULLSCREEN if self._full else 0)
        if surface.get_size() != size:
            there, asked = ("x".join(map(str, each)) for each in (surface.get_size(), size))
            return f"the screen is {there} and not {asked}: mend screen.size"
        self._surface, self.panel = surface, Panel(*size, turn=self.panel.turn)
        pygame.display.set_caption(self._title)
        if self._full:
            pygame.mouse.set_visible(False)
        return ""

    def _put(self, picture: pygame.Surface, box: Box) -> tuple[int, int, int, int]:
        assert self._surface is not None
        part = picture.subsurface(box.rect)
        turn = self.panel.turn
        if turn:
            part = pygame.transform.rotate(part, -turn)
        there = turned(box, self.panel)
        self._surface.blit(part, (there.x, there.y))
        return there.rect

    def _let_go(self) -> None:
        self._surface = None
        if pygame.display.get_init():
            pygame.display.quit()


def turned(box: Box, panel: Panel) -> Box:
    """Where a box of the picture lies on the panel."""
    wide, high = panel.width, panel.height
    return {
        0: box,
        90: Box(wide - box.bottom, box.x, box.h, box.w),
        180: Box(wide - box.right, high - box.bottom, box.w, box.h),
        270: Box(box.y, high - box.right, box.h, box.w),
    }[panel.turn]
