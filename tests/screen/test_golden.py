"""A few pictures as they were approved by eye. SDL builds differ by their smoothing, so they are compared coarsely.

    DOUBTABLE_GOLDEN=write .venv/bin/pytest tests/screen/test_golden.py

writes them anew; look at them before you commit them.
"""

import os
from pathlib import Path

import pygame
import pytest

from doubtable.screen.board import Board
from doubtable.screen.examples import examples
from doubtable.screen.lettering import Lettering
from doubtable.screen.scenes import draw
from doubtable.screen.sizes import Panel
from doubtable.screen.stage import Stage
from doubtable.screen.words import Words

FOLDER = Path(__file__).parent / "golden"
WRITE = os.environ.get("DOUBTABLE_GOLDEN") == "write"
SMALL = 8  # so many pixels each way become one
TOLERANCE = 24  # of 255, for one of these
SCENES = [
    ("window", 6, 0),
    ("finish", 6, 0),
    ("reveal", 6, 0),
    ("verdict-lie", 4, 0),
    ("lay-hold", 4, 90),
    ("attract-2", 4, 0),
    ("attract-4", 4, 0),
    ("duel-lit", 4, 0),
    ("duel-done", 4, 0),
    ("vote", 4, 0),
    ("respond", 6, 0),
    ("match", 4, 0),
    ("service-pin", 4, 0),
    ("service-menu", 4, 0),
    ("service-card", 4, 90),
]


def drawn(name: str, seats: int, turn: int, lettering: Lettering) -> pygame.Surface:
    panel = Panel(800, 480, 7.0, turn)
    view, ns = next((view, ns) for each, view, ns in examples(seats) if each == name)
    board = Board(panel.size, lettering)
    board.show(draw(view, ns, Stage(panel, seats, Words("en"), lettering)))
    return board.canvas.surface


def coarse(picture: pygame.Surface) -> bytes:
    wide, high = picture.get_size()
    small = pygame.transform.smoothscale(picture, (wide // SMALL, high // SMALL))
    return pygame.image.tobytes(small, "RGB")


def difference(one: pygame.Surface, other: pygame.Surface) -> int:
    return max(abs(a - b) for a, b in zip(coarse(one), coarse(other), strict=True))


@pytest.mark.parametrize(("name", "seats", "turn"), SCENES)
def test_a_scene_looks_as_it_was_approved(name: str, seats: int, turn: int, lettering: Lettering) -> None:
    path, made = FOLDER / f"{name}-{seats}-{turn}.png", drawn(name, seats, turn, lettering)
    if WRITE:
        pygame.image.save(made, str(path))
    approved = pygame.image.load(str(path))
    assert approved.get_size() == made.get_size()
    assert difference(approved, made) <= TOLERANCE


def test_the_comparison_sees_a_lamp_that_changed(lettering: Lettering) -> None:
    assert difference(drawn("window", 6, 0, lettering), drawn("press-again", 6, 0, lettering)) > TOLERANCE
    assert difference(drawn("lay-two", 4, 0, lettering), drawn("lay-hold", 4, 0, lettering)) > TOLERANCE
