import logging
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest
from msgspec.structs import replace

from doubtable.screen.display import RETRY_NS, Display
from doubtable.screen.examples import NOW, lay, window
from doubtable.screen.picture import PictureScreen
from doubtable.screen.sizes import Panel
from doubtable.screen.table_screen import TableScreen
from doubtable.screen.words import Words

MS = 1_000_000


@pytest.fixture
def screen() -> Iterator[TableScreen]:
    made = TableScreen(Display((800, 480), driver="dummy", full=False), Words("en"))
    yield made
    made.close()


def shown() -> bytes:
    surface = pygame.display.get_surface()
    assert surface is not None
    return pygame.image.tobytes(surface, "RGB")


class Flips:
    """Counts what is brought to the display."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.boxes: list[object] = []
        monkeypatch.setattr(pygame.display, "update", self.boxes.append)


def test_a_view_is_shown_and_the_same_view_costs_nothing(screen: TableScreen, monkeypatch: pytest.MonkeyPatch) -> None:
    flips = Flips(monkeypatch)
    screen.show(lay(4), NOW)
    assert len(flips.boxes) == 1
    for number in range(5):
        screen.show(replace(lay(4), number=number), NOW + number)
    assert len(flips.boxes) == 1


def test_a_window_s_ring_moves_when_its_time_has_come_and_not_before(
    screen: TableScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    flips = Flips(monkeypatch)
    screen.show(window(4), NOW)
    following = screen.next_change()
    assert following is not None
    screen.show(window(4), following - 1)
    assert len(flips.boxes) == 1
    screen.show(window(4), following)
    assert len(flips.boxes) == 2


def test_a_table_with_more_seats_is_drawn_anew(screen: TableScreen) -> None:
    screen.show(lay(4), NOW)
    four = shown()
    screen.show(lay(6), NOW)
    assert shown() != four
    screen.show(lay(4), NOW)
    assert shown() == four


def test_without_a_screen_one_line_is_logged_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "offscreen")
    screen = TableScreen(Display((800, 480)), Words("en"))
    with caplog.at_level(logging.WARNING):
        for second in range(20):
            screen.show(lay(4), second * 1_000_000_000)
    assert [record.message for record in caplog.records] == [
        "no screen: SDL found only the driver 'offscreen'; the game goes on by lamps, trying again every 5 s"
    ]
    assert screen.next_change() is None
    screen.close()


def test_a_screen_that_went_away_shows_the_newest_view_when_it_is_back(
    screen: TableScreen, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: object) -> None:
        raise pygame.error("gone")

    screen.show(lay(4), NOW)
    with monkeypatch.context() as patch, caplog.at_level(logging.WARNING):
        patch.setattr(pygame.display, "update", broken)
        screen.show(window(4), NOW)
        screen.show(window(4), NOW + RETRY_NS - 1)
    assert not screen.display.shown
    screen.show(window(4), NOW + RETRY_NS)
    assert screen.display.shown
    back = shown()
    screen.close()
    fresh = TableScreen(Display((800, 480), driver="dummy", full=False), Words("en"))
    fresh.show(window(4), NOW + RETRY_NS)
    assert shown() == back
    fresh.close()
    fresh.close()


def test_a_demonstration_writes_its_last_picture(tmp_path: Path) -> None:
    screen = PictureScreen(4, Panel(800, 480))
    screen.show(lay(4), NOW)
    screen.show(window(4), NOW)
    screen.save(tmp_path / "last.png")
    assert pygame.image.load(str(tmp_path / "last.png")).get_size() == (800, 480)
    with pytest.raises(OSError, match="nowhere"):
        screen.save(tmp_path / "nowhere" / "last.png")
    screen.close()
