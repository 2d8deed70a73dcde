"""Keys as buttons: 1 to 9, 0, q, w, e are the buttons of seats 1 to 13, pressed and released as real ones."""

from collections.abc import Collection

import pygame

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
