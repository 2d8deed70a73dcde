"""Keys and touches for the attendant's menu. For the main thread only.

F1, or a touch of three seconds anywhere, opens it; arrows and enter, digits, or touches choose; escape leads back.
"""

import pygame

from doubtable.screen.table_screen import TableScreen
from doubtable.timing import S
from doubtable.view import View

LONG_TOUCH = 3 * S
MOVES = {pygame.K_LEFT: -1, pygame.K_UP: -1, pygame.K_RIGHT: 1, pygame.K_DOWN: 1}
ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)


class Attending:
    """Brings a display's keys and touches to its attendant's menu. SDL tells of touches as of a mouse's button."""

    def __init__(self, screen: TableScreen) -> None:
        self._screen, self._attendant = screen, screen.attendant
        self._touch: int | None = None  # since when the glass is touched, ns

    def take(self, event: pygame.event.Event, view: View, ns: int) -> bool:
        """Whether the event was the menu's; while it is open every key that goes down is."""
        opened = self._attendant.is_open
        if event.type == pygame.KEYDOWN:
            self._key(event.key, view, ns)
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self._touch = ns
            if opened:
                item = self._screen.item_at(*event.pos)
                if item is not None:
                    self._attendant.choose(item, view, ns)
        elif event.type == pygame.MOUSEBUTTONUP:
            if self._touch is not None and ns - self._touch >= LONG_TOUCH and not opened:
                self._attendant.open(ns)
            self._touch = None
        return event.type != pygame.KEYUP and (opened or self._attendant.is_open)

    def _key(self, key: int, view: View, ns: int) -> None:
        menu = self._attendant
        if key == pygame.K_F1:
            menu.open(ns)
        elif key == pygame.K_ESCAPE and menu.is_open:
            menu.back(ns)
        elif key in MOVES:
            menu.move(MOVES[key], ns)
        elif key in ENTER:
            menu.choose(None, view, ns)
        elif menu.is_open and pygame.K_0 <= key <= pygame.K_9:
            menu.type(chr(key), ns)
