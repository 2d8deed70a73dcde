"""The window of a simulated table: the table's screen above, the player's desk below it, clearly apart.

The mouse presses and releases the seats' buttons and carries cards; the keys 1-9, 0, q, w, e are the buttons of seats 1
to 13. For the main thread only.
"""

import logging
from collections.abc import Sequence

import msgspec
import pygame

from doubtable.screen import palette
from doubtable.screen.blocks import Text
from doubtable.screen.board import Board
from doubtable.screen.display import Display
from doubtable.screen.hand import KEYS, ButtonView, Desk, HandView, Hit
from doubtable.screen.lettering import Lettering
from doubtable.screen.picture import Picture
from doubtable.screen.sizes import Box, Panel
from doubtable.screen.words import Words
from doubtable.view import View, lamp_on

log = logging.getLogger(__name__)

WIDTH, DESK_HEIGHT, BEZEL = 1024, 262, 10
TALLEST, LOWEST = 600, 440  # the table's screen above the desk
TITLE_BAR = 90  # what a desktop needs around a window
INCHES = 10.1
EMPTY = HandView()


class Press(msgspec.Struct, frozen=True):
    """A seat's button goes down or up."""

    seat: int
    down: bool


class Click(msgspec.Struct, frozen=True):
    """The mouse was pressed on something of the desk that is no button: see hand.Hit."""

    hit: Hit


class Quit(msgspec.Struct, frozen=True):
    """The window was closed."""


Action = Press | Click | Quit


def window_size(desktop_height: int) -> tuple[int, int]:
    """The window's size for a desktop of that many pixels in height."""
    screen = max(LOWEST, min(TALLEST, desktop_height - TITLE_BAR - DESK_HEIGHT - 2 * BEZEL))
    return WIDTH, screen + DESK_HEIGHT + 2 * BEZEL


class SimulationWindow:
    """A window with the table's screen and the player's desk. ``hand`` may be set at any time; `show` draws it."""

    def __init__(self, words: Words, desktop_height: int = 1080, driver: str = "", title: str = "doubtable") -> None:
        pygame.font.init()
        self.hand = EMPTY
        self._words = words
        size = window_size(desktop_height)
        self.display = Display(size, driver=driver, full=False, title=title)
        lettering = Lettering()
        self._whole = pygame.Surface(size)
        self._screen = Box(BEZEL, BEZEL, size[0] - 2 * BEZEL, size[1] - DESK_HEIGHT - 2 * BEZEL)
        self._under = Box(0, size[1] - DESK_HEIGHT, size[0], DESK_HEIGHT)
        panel = Panel(self._screen.w, self._screen.h, INCHES)
        self._picture = Picture(panel, words, surface=self._whole.subsurface(self._screen.rect))
        self._desk = Desk((self._under.w, self._under.h), lettering, words)
        surface = self._whole.subsurface(self._under.rect)
        self._board = Board((self._under.w, self._under.h), lettering, surface, palette.DESK)
        self._pressed = 0  # the seat whose button the mouse holds down

    def show(self, view: View, ns: int, marks: Sequence[Text] = ()) -> None:
        """Draw what has changed on the table's screen and on the desk."""
        if not self.display.shown:
            self._log(self.display.attend(ns))
            if not self.display.shown:
                return
            self._whole.fill(palette.DESK_INK)
            self._picture.forget()
            self._board.forget()
            self._log(self.display.flip(self._whole, [Box(0, 0, *self._whole.get_size())], ns))
        changed = [_moved(box, self._screen) for box in self._picture.show(view, ns, marks)]
        buttons = [
            ButtonView(
                seat.seat,
                self._words.say("{name}", {"name": self._words.seat(seat.seat, seat.name)}),
                lamp_on(seat.lamp, ns),
                seat.down,
                seat.seat == self.hand.seat,
            )
            for seat in view.seats
        ]
        changed += [_moved(box, self._under) for box in self._board.show(self._desk.widgets(self.hand, buttons))]
        self._log(self.display.flip(self._whole, changed, ns))

    def next_change(self) -> int | None:
        """When the picture changes by time alone, in ns; the lamps' own rhythm apart."""
        return self._picture.next_change() if self.display.shown else None

    def actions(self) -> list[Action]:
        """What keys and mouse have done since the last call."""
        if not self.display.shown:
            return []
        return [action for event in pygame.event.get() for action in self.meaning(event)]

    def meaning(self, event: pygame.event.Event) -> list[Action]:
        """What one event of the window means."""
        if event.type == pygame.QUIT:
            return [Quit()]
        if event.type in (pygame.KEYDOWN, pygame.KEYUP):
            seat = SEAT_OF_KEY.get(event.key)
            return [Press(seat, event.type == pygame.KEYDOWN)] if seat is not None else []
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            hit = self._desk.hit(event.pos[0] - self._under.x, event.pos[1] - self._under.y)
            if hit.kind != "button":
                return [Click(hit)] if hit.kind else []
            self._pressed = hit.number
            return [Press(hit.number, True)]
        if event.type == pygame.MOUSEBUTTONUP and event.button == pygame.BUTTON_LEFT and self._pressed:
            seat, self._pressed = self._pressed, 0
            return [Press(seat, False)]
        return []

    def close(self) -> None:
        """Close the window. May be called twice."""
        self.display.close()

    def _log(self, line: str) -> None:
        if line:
            log.warning("%s", line)


SEAT_OF_KEY = {ord(key): seat for seat, key in enumerate(KEYS, 1)}


def _moved(box: Box, to: Box) -> Box:
    return Box(box.x + to.x, box.y + to.y, box.w, box.h)
