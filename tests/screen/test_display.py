from collections.abc import Iterator

import pygame
import pytest

from doubtable.screen.display import RETRY_NS, Display, Retry, real, turned
from doubtable.screen.sizes import Box, Panel

S = 1_000_000_000


@pytest.fixture
def display() -> Iterator[Display]:
    made = Display((800, 480), driver="dummy", full=False)
    yield made
    made.close()


@pytest.mark.parametrize("driver", ["offscreen", "dummy", ""])
def test_a_driver_that_shows_nothing_is_no_screen(driver: str) -> None:
    assert not real(driver)
    assert not real(driver, "kmsdrm")


def test_real_drivers_and_the_one_that_was_asked_for_are_screens() -> None:
    assert all(real(driver) for driver in ("KMSDRM", "x11", "wayland", "cocoa", "windows"))
    assert real("dummy", "dummy")


def test_a_try_is_due_at_once_and_then_every_five_seconds_with_one_line_in_all() -> None:
    retry, lines, tries = Retry(), [], []
    for now in range(0, 21 * S, S):
        if retry.due(now):
            tries.append(now // S)
            retry, line = retry.failed("no cable", now)
            lines.append(line)
    assert tries == [0, 5, 10, 15, 20]
    assert lines[0] == "no screen: no cable; the game goes on by lamps, trying again every 5 s"
    assert lines[1:] == [""] * 4


def test_a_screen_that_comes_back_says_so_once() -> None:
    assert Retry().opened()[1] == ""
    retry, _ = Retry().failed("gone", 0)
    retry, line = retry.opened()
    assert line == "screen is back"
    assert not retry.due(10**18)


def test_the_offscreen_driver_is_no_screen_though_everything_seems_to_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "offscreen")
    display = Display((800, 480))
    assert display.attend(0) == (
        "no screen: SDL found only the driver 'offscreen'; the game goes on by lamps, trying again every 5 s"
    )
    assert not display.shown
    assert display.attend(RETRY_NS - 1) == ""
    assert display.attend(RETRY_NS) == ""
    display.close()


def test_a_driver_that_is_not_there_is_told_with_its_reason() -> None:
    display = Display((800, 480), driver="there-is-none")
    assert "there-is-none" in display.attend(0)
    display.close()
    display.close()


def test_a_picture_is_shown(display: Display) -> None:
    assert display.attend(0) == ""
    assert display.shown
    picture = pygame.Surface((800, 480))
    picture.fill((10, 200, 30))
    assert display.flip(picture, [Box(0, 0, 400, 480)], 0) == ""
    shown = pygame.display.get_surface()
    assert shown is not None
    assert shown.get_at((10, 10))[:3] == (10, 200, 30)
    assert shown.get_at((410, 10))[:3] == (0, 0, 0)


def test_a_flip_that_raises_loses_the_screen_and_it_is_tried_again(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise pygame.error("display is gone")

    display.attend(0)
    picture = pygame.Surface((800, 480))
    with monkeypatch.context() as patch:
        patch.setattr(pygame.display, "update", broken)
        assert display.flip(picture, [Box(0, 0, 9, 9)], 7) == (
            "no screen: display is gone; the game goes on by lamps, trying again every 5 s"
        )
    assert not display.shown
    assert display.flip(picture, [Box(0, 0, 9, 9)], 8) == ""
    assert display.attend(7 + RETRY_NS - 1) == ""
    assert not display.shown
    assert display.attend(7 + RETRY_NS) == "screen is back"
    assert display.shown


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_picture_reaches_every_pixel_and_the_mouse_finds_its_way_back(turn: int) -> None:
    display = Display((800, 480), turn, driver="dummy", full=False)
    display.attend(0)
    wide, high = display.panel.size
    picture = pygame.Surface((wide, high))
    picture.fill((0, 0, 255), (0, 0, 20, 10))  # the top left corner as the guest sees it
    picture.fill((255, 0, 0), (wide - 20, 0, 20, 10))
    display.flip(picture, [Box(0, 0, wide, high)], 0)
    shown = pygame.display.get_surface()
    assert shown is not None
    corners = [shown.get_at(spot)[:3] for spot in ((0, 0), (799, 0), (799, 479), (0, 479))]
    blue = {0: 0, 90: 1, 180: 2, 270: 3}[turn]
    assert corners[blue] == (0, 0, 255)
    assert corners[(blue + 1) % 4] == (255, 0, 0)
    for spot in ((0, 0), (799, 0), (37, 411)):
        box = turned(Box(*display.to_picture(*spot), 1, 1), display.panel)
        assert (box.x, box.y) == spot
    display.close()


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_turning_piece_by_piece_gives_the_whole_turned_picture(turn: int) -> None:
    panel = Panel(800, 480, turn=turn)
    wide, high = panel.size
    whole = turned(Box(0, 0, wide, high), panel)
    assert whole == Box(0, 0, 800, 480)
    pieces = [turned(Box(x, y, wide // 4, high // 4), panel) for x in range(0, wide, wide // 4) for y in (0, high // 4)]
    assert not any(one.meets(other) for number, one in enumerate(pieces) for other in pieces[:number])
    assert all(whole.holds(piece) for piece in pieces)


def test_without_a_size_the_whole_screen_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [(1024, 600)])
    display = Display(turn=90, driver="dummy")
    display.attend(0)
    assert display.panel.size == (600, 1024)
    display.close()
