import itertools

import pytest

from doubtable.screen import palette
from doubtable.screen.palette import contrast, grey


def test_contrast_of_black_and_white_is_21_and_of_a_colour_with_itself_1() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21.0)
    assert contrast(palette.LAMP, palette.LAMP) == pytest.approx(1.0)


@pytest.mark.parametrize("pair", palette.TEXT_PAIRS)
def test_every_text_stands_out(pair: tuple[palette.Colour, palette.Colour]) -> None:
    assert contrast(*pair) >= palette.LEAST_CONTRAST


@pytest.mark.parametrize("ground", [palette.GROUND, palette.PANEL])
def test_outlines_stand_out(ground: palette.Colour) -> None:
    assert contrast(palette.LINE, ground) >= palette.LEAST_OUTLINE


def test_neighbouring_colours_differ_in_grey() -> None:
    greys = [grey(colour) for colour in (palette.GROUND, palette.PANEL, palette.LINE, palette.MUTED, palette.INK)]
    assert greys == sorted(greys)
    assert all(later - earlier >= 15 for earlier, later in itertools.pairwise(greys))
    assert grey(palette.LAMP) - grey(palette.PANEL) >= 100


def test_grey_keeps_greys() -> None:
    assert [grey((value, value, value)) for value in (0, 10, 128, 255)] == [0, 10, 128, 255]
