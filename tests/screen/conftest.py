"""A screen and a loudspeaker that nobody sees or hears; set before anything imports pygame."""

import os
from collections.abc import Iterator

import pytest

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pygame

from doubtable.screen.lettering import Lettering


@pytest.fixture
def lettering() -> Iterator[Lettering]:
    pygame.font.init()
    yield Lettering()
    pygame.font.quit()
