"""The picture that shows whether a screen has the right size and stands upright."""

import pygame

from doubtable.screen.display import Display
from doubtable.screen.sizes import Box

GROUND, INK = (16, 20, 24), (240, 240, 240)
EDGE = 6  # px


def draw(display: Display, ns: int) -> None:
    """A frame at the very edge, and an arrow from the middle to the top as the guests see it."""
    wide, high = display.panel.size
    picture = pygame.Surface((wide, high))
    picture.fill(GROUND)
    pygame.draw.rect(picture, INK, (0, 0, wide, high), EDGE)
    middle, tip, head = wide // 2, high // 4, high // 8
    pygame.draw.line(picture, INK, (middle, high * 3 // 4), (middle, tip), EDGE * 2)
    pygame.draw.polygon(picture, INK, [(middle, tip - head), (middle - head, tip), (middle + head, tip)])
    display.flip(picture, [Box(0, 0, wide, high)], ns)
