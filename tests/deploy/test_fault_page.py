"""A service that cannot start shows why, and ends as soon as somebody has mended it."""

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from doubtable.fault_page import LOOK_EVERY, SHOWN_FOR, hold
from doubtable.screen.display import Display
from doubtable.screen.palette import INK
from doubtable.service import File


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[Display]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    made = Display((1024, 600), driver="dummy", full=False)
    yield made
    made.close()
    pygame.quit()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text("seets = 4\n")
    return path


def has_ink() -> bool:
    surface = pygame.display.get_surface()
    assert surface is not None
    wide, high = surface.get_size()
    return any(surface.get_at((x, y))[:3] == INK for x in range(wide) for y in range(high // 8, high // 2, 3))


def test_the_fault_is_on_the_screen_until_the_file_is_mended(display: Display, file: Path) -> None:
    seen = []

    def wait(seconds: float) -> None:
        seen.append(has_ink())
        if len(seen) == 3:
            file.write_text('plan = "8-gpio"\n')
        assert len(seen) <= 3

    hold(f"{file}: seets: unknown key: do you mean seats?", File(file), display, lambda: False, wait)
    assert seen == [True, True, True]
    assert not display.shown


def test_a_file_that_comes_and_one_that_is_replaced(display: Display, file: Path) -> None:
    for change in (file.unlink, lambda: file.write_text("x")):
        rounds: list[float] = []

        def wait(seconds: float, rounds: list[float] = rounds, change: object = change) -> None:
            rounds.append(seconds)
            assert callable(change)
            change()

        hold("why", File(file), display, lambda: False, wait)
        assert rounds == [LOOK_EVERY]


def test_what_was_mended_before_the_page_came_up_is_not_overlooked(display: Display, file: Path) -> None:
    seen = File(file)
    file.write_text("mended")
    rounds: list[float] = []
    hold("why", seen, display, lambda: False, rounds.append)
    assert rounds == []


def test_it_ends_by_itself_and_when_told(display: Display, file: Path) -> None:
    rounds: list[float] = []
    hold("why", File(file), display, lambda: False, rounds.append)
    assert sum(rounds) == SHOWN_FOR
    rounds.clear()
    hold("why", File(file), display, lambda: bool(rounds), rounds.append)
    assert len(rounds) == 1


def test_without_a_screen_it_waits_all_the_same(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    display = Display()  # nobody asked for "dummy": that is no screen
    why: list[str] = []
    hold("why", File(file), display, lambda: False, lambda seconds: why.append(display.retry.why))
    assert len(why) * LOOK_EVERY == SHOWN_FOR
    assert "dummy" in why[0]
    pygame.quit()


def test_the_longest_list_of_problems_fits(display: Display, file: Path) -> None:
    many = "\n".join(f"{file}: seats.{seat}.button: line 2 is used twice: take another one" for seat in range(1, 14))
    hold(many, File(file), display, lambda: False, lambda seconds: file.unlink(missing_ok=True))


def test_the_service_manager_waits_longer_than_the_page(request: pytest.FixtureRequest) -> None:
    unit = (request.config.rootpath / "deploy" / "systemd" / "doubtable.service").read_text()
    patience = next(line for line in unit.splitlines() if line.startswith("TimeoutStartSec="))
    assert int(patience.partition("=")[2]) >= 2 * SHOWN_FOR
