"""What every `doubtable play` in a test stands on: no display, no sound, a state directory and a folder of its own."""

from pathlib import Path

import pytest


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
