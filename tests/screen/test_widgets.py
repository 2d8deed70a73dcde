"""No meaning by colour alone: what has to be told apart differs in grey, and by its shape."""

from itertools import combinations, pairwise

import pygame
import pytest

from doubtable.screen import palette
from doubtable.screen.board import Board, Widget
from doubtable.screen.cards_drawn import CardFace, Tray
from doubtable.screen.lettering import Lettering
from doubtable.screen.sizes import Box
from doubtable.screen.widgets import Badge, Mark, Plate, Strip, rim

SIZE = (130, 70)
PLATE = Box(6, 5, 118, 60)
LAMPS = ("off", "steady", "pulsing", "fast", "dark")


def greys(widget: Widget, lettering: Lettering, size: tuple[int, int] = SIZE) -> list[int]:
    """The widget on the ground as greys of the same luminance."""
    board = Board(size, lettering)
    board.show([widget])
    known: dict[bytes, int] = {}
    pixels = pygame.image.tobytes(board.canvas.surface, "RGB")
    made = []
    for start in range(0, len(pixels), 3):
        pixel = pixels[start : start + 3]
        if pixel not in known:
            known[pixel] = palette.grey((pixel[0], pixel[1], pixel[2]))
        made.append(known[pixel])
    return made


def differing(one: list[int], other: list[int], by: int = 60) -> float:
    """The share of pixels whose greys differ clearly."""
    return sum(abs(a - b) > by for a, b in zip(one, other, strict=True)) / len(one)


def outline(picture: list[int]) -> list[int]:
    """The picture without its greys: where it changes from one pixel to the next."""
    return [255 * (abs(a - b) > 60) for a, b in pairwise(picture)]


def plate(lamp: str, lettering: Lettering) -> Plate:
    return Plate(PLATE, lettering.setting("17", (100, 50), (20, 49)), lamp)


@pytest.mark.parametrize("pair", list(combinations(LAMPS, 2)), ids="/".join)
def test_lamps_are_told_apart_in_grey_and_by_shape(pair: tuple[str, str], lettering: Lettering) -> None:
    one, other = (greys(plate(lamp, lettering), lettering) for lamp in pair)
    assert differing(one, other) > 0.01
    assert differing(outline(one), outline(other), 128) > 0.01


def test_a_seat_that_nobody_sits_on_is_a_dot(lettering: Lettering) -> None:
    setting = lettering.setting("17", (100, 50), (20, 49))
    empty = greys(Plate(PLATE, setting, "steady", occupied=False), lettering)
    assert differing(empty, greys(plate("off", lettering), lettering), 10) > 0.1


@pytest.mark.parametrize("pair", list(combinations(["claimant", "next", "turn", "doubter", "dealer"], 2)), ids="/".join)
def test_marks_are_told_apart_in_grey(pair: tuple[str, str], lettering: Lettering) -> None:
    for box, side in ((Box(4, 4, 80, 16), "below"), (Box(4, 4, 16, 58), "right")):
        size = (box.w + 8, box.h + 8)
        one, other = (greys(Mark(box, side, role), lettering, size) for role in pair)  # type: ignore[arg-type]
        assert differing(one, other) > 0.05


def test_right_and_wrong_are_told_apart_in_grey(lettering: Lettering) -> None:
    setting = lettering.setting("TRUE", (200, 60), (20, 40))
    one, other = (greys(Badge(Box(2, 2, 240, 66), ok, setting), lettering, (250, 70)) for ok in (True, False))
    assert differing(one, other) > 0.02
    rank = lettering.setting("K", (40, 40), (20, 40))
    one, other = (greys(CardFace(Box(2, 2, 60, 84), rank, "H", ok), lettering, (64, 88)) for ok in (True, False))
    assert differing(one, other) > 0.01


@pytest.mark.parametrize("pair", list(combinations("SHDC", 2)), ids="/".join)
def test_suits_are_told_apart_in_grey_by_shape(pair: tuple[str, str], lettering: Lettering) -> None:
    rank = lettering.setting("K", (40, 40), (20, 40))
    one, other = (greys(CardFace(Box(2, 2, 60, 84), rank, suit), lettering, (64, 88)) for suit in pair)
    assert differing(one, other) > 0.015


def test_a_reader_that_is_away_is_struck_through(lettering: Lettering) -> None:
    one, other = (greys(Tray(Box(4, 4, 80, 100), present), lettering, (88, 108)) for present in (True, False))
    assert differing(one, other) > 0.03


@pytest.mark.parametrize("permille", [0, 5, 125, 250, 500, 640, 875, 999, 1000])
def test_a_ring_is_as_long_as_it_says_and_lies_within_its_box(permille: int) -> None:
    box = Box(10, 20, 400, 100)
    bars = rim(box, 6, permille)
    assert all(box.holds(bar) for bar in bars)
    assert sum(max(bar.w, bar.h) for bar in bars) == pytest.approx(1000 * permille / 1000, abs=3)


def test_a_ring_that_empties_changes_one_side_only() -> None:
    before, after = set(rim(Box(0, 0, 400, 100), 6, 640)), set(rim(Box(0, 0, 400, 100), 6, 635))
    assert len(before ^ after) == 2


def test_the_ring_round_a_strip_s_cursor_crosses_no_letter(lettering: Lettering) -> None:
    row, item = Box(20, 20, 200, 60), Box(60, 23, 80, 54)
    strips = [Strip(row, ((item, lettering.setting("2", (60, 40), (30, 40))),), 0, filled=share) for share in (0, 60)]
    rest, held = (greys(strip, lettering, (240, 100)) for strip in strips)
    changed = [divmod(at, 240) for at, (a, b) in enumerate(zip(rest, held, strict=True)) if abs(a - b) > 20]
    assert changed
    inner = item.inset(2)
    assert not any(inner.holds(Box(x, y, 1, 1)) for y, x in changed)
    assert all(strips[1].box.holds(Box(x, y, 1, 1)) for y, x in changed)


@pytest.mark.parametrize("filled", [10, 50, 100])
def test_a_held_button_shows_a_ring(filled: int, lettering: Lettering) -> None:
    setting = lettering.setting("17", (100, 50), (20, 49))
    rest, held = (greys(Plate(PLATE, setting, "pulsing", filled=share), lettering) for share in (0, filled))
    assert differing(rest, held, 20) > 0.0005 * filled
