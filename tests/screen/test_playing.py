"""Whole games of simulated people: every picture is whole, and drawing the changes gives the whole picture."""

import os
from itertools import combinations

import pygame
import pytest

from doubtable.screen.board import Board
from doubtable.screen.lettering import Lettering
from doubtable.screen.scenes import draw
from doubtable.screen.sizes import Box, Panel
from doubtable.screen.stage import Stage
from doubtable.screen.words import Words
from doubtable.simulation import Simulation, simulated_table
from doubtable.view import View

GAMES = [("classic", 5), ("wrong-rank", 4), ("liar-poker", 3), ("rounds", 4)]
CLAIMS = 200 if os.environ.get("DOUBTABLE_LONG") else 12
EVERY = 40  # so many views are drawn by changes before the picture is compared with one drawn whole


class Watcher:
    """A screen that looks at every picture it shows."""

    def __init__(self, panel: Panel, seats: int, language: str, lettering: Lettering) -> None:
        self.stage = Stage(panel, seats, Words(language), lettering)
        self.board = Board(panel.size, lettering)
        self.shown = self.compared = 0
        self.scenes: set[str] = set()

    def show(self, view: View, ns: int) -> None:
        widgets = draw(view, ns, self.stage)
        if not self.board.show(widgets):
            return
        self.shown += 1
        if view.scene not in self.scenes or self.shown % EVERY == 0:
            self.scenes.add(view.scene)
            self.compare(view, ns)

    def compare(self, view: View, ns: int) -> None:
        self.compared += 1
        whole = Board(self.stage.panel.size, self.stage.letters)
        whole.canvas.log = []
        whole.show(draw(view, ns, self.stage))
        assert pygame.image.tobytes(whole.canvas.surface, "RGB") == pygame.image.tobytes(
            self.board.canvas.surface, "RGB"
        ), view
        frame = Box(0, 0, *self.stage.panel.size)
        for each in whole.canvas.log:
            assert frame.holds(each.ink), (each, view)
            assert not each.cut, (each, view)
        for one, other in combinations(whole.canvas.log, 2):
            assert not one.ink.meets(other.ink), (one, other, view)

    def close(self) -> None:
        """Nothing is held."""


@pytest.mark.parametrize("panel", [Panel(800, 480, 7.0), Panel(1024, 600, 10.0, turn=90)], ids=["7in", "10in upright"])
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("game", "people"), GAMES)
def test_a_whole_game_is_shown(game: str, people: int, language: str, panel: Panel, lettering: Lettering) -> None:
    watcher = Watcher(panel, people, language, lettering)
    simulation = Simulation(simulated_table(game, people), 7, screen=watcher)
    try:
        simulation.run(CLAIMS)
    finally:
        simulation.close()
    assert len(watcher.scenes) >= 4
    assert watcher.compared >= 4
