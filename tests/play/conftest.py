"""What every `doubtable play` in a test stands on: no display, no sound, a state directory and a folder of its own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pygame
import pytest

from play.guest import Guest


@pytest.fixture(autouse=True)
def no_display(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A demonstration of a few claims."""
    monkeypatch.setattr("doubtable.play_cli.DEMO_CLAIMS", 12)


@pytest.fixture
def sit_down() -> Iterator[Callable[..., Guest]]:
    """Guests, as `Guest` makes them; whatever becomes of the test, their windows are closed."""
    pygame.display.init()
    with ExitStack() as windows:

        def sit(seed: int = 1, journal: Path | None = None, game: str = "classic", people: int = 4) -> Guest:
            guest = Guest(seed, journal, game, people)
            windows.callback(guest.window.close)
            return guest

        yield sit
