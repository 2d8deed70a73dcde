"""Every scene at every size: nothing clipped, nothing over anything else, nothing too small, nothing hidden."""

from itertools import combinations

import pytest

from doubtable.screen.board import Board, Placed
from doubtable.screen.examples import examples
from doubtable.screen.lettering import Lettering
from doubtable.screen.scenes import draw
from doubtable.screen.sizes import Box, Panel
from doubtable.screen.stage import Stage
from doubtable.screen.words import LANGUAGES, Words

# Each screen with the most seats that it is advised for.
ADVISED = [(Panel(800, 480, 7.0), 6), (Panel(1024, 600, 10.0), 8), (Panel(1920, 1080, 15.0), 13)]
NAMES = [name for name, _, _ in examples(4)]


def picture(panel: Panel, seats: int, language: str, name: str, lettering: Lettering) -> tuple[Board, list[Placed]]:
    stage = Stage(panel, seats, Words(language), lettering)
    view, ns = next((view, ns) for each, view, ns in examples(seats) if each == name)
    board = Board(panel.size, lettering)
    board.canvas.log = []
    board.show(draw(view, ns, stage))
    return board, board.canvas.log


def check(panel: Panel, seats: int, language: str, name: str, lettering: Lettering) -> None:
    board, placed = picture(panel, seats, language, name, lettering)
    whole = Box(0, 0, *panel.size)
    where = f"{panel} {seats} {language} {name}"
    for each in placed:
        assert whole.holds(each.ink), f"{where}: {each} leaves the picture"
        assert not each.cut or name.startswith("long-names"), f"{where}: {each} is cut"
    for one, other in combinations(placed, 2):
        assert not one.ink.meets(other.ink), f"{where}: {one} lies over {other}"
    assert board.canvas.surface.get_clip().size == panel.size


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("turn", [0, 90])
@pytest.mark.parametrize(("panel", "most"), ADVISED, ids=lambda value: str(getattr(value, "width", value)))
def test_a_scene_is_whole_on_an_advised_screen(
    panel: Panel, most: int, turn: int, name: str, lettering: Lettering
) -> None:
    turned = Panel(panel.width, panel.height, panel.inches, turn)
    for seats, language in zip((3, most - 1, most), LANGUAGES, strict=True):
        check(turned, seats, language, name, lettering)
