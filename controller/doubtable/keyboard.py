"""Keys as buttons: 1 to 9, 0, q, w, e are the buttons of seats 1 to 13, pressed and released as real ones.

At any table that has a keyboard, page up and page down leaf through the races that were recorded; escape ends that.
"""

from collections.abc import Collection

import pygame

from doubtable.app import App
from doubtable.devices.simulated import SimulatedButtons

KEYS = "1234567890qwe"
SEAT_OF_KEY = {ord(key): seat for seat, key in enumerate(KEYS, 1)}


def press_key(event: pygame.event.Event, buttons: SimulatedButtons, seats: Collection[int]) -> None:
    """A key event as a press or a release of its seat's button; other events and other seats' keys are passed over.

    SDL stamps keys in milliseconds, when it gets round to them, so the stamp is the time of the call: the source's
    uncertainty covers it.
    """
    if event.type in (pygame.KEYDOWN, pygame.KEYUP):
        seat = SEAT_OF_KEY.get(event.key)
        if seat is not None and seat in seats:
            buttons.press(seat, event.type == pygame.KEYDOWN)


def leaf(event: pygame.event.Event, app: App) -> None:
    """A key event that asks for an earlier or a later photo finish, or for the game again; others are passed over."""
    if event.type != pygame.KEYDOWN:
        return
    if event.key in (pygame.K_PAGEUP, pygame.K_PAGEDOWN):
        app.look_back.turn(-1 if event.key == pygame.K_PAGEUP else 1, app.now())
    elif event.key == pygame.K_ESCAPE:
        app.look_back.leave()
