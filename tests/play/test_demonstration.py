"""`doubtable play` where there is no display: the demonstration, and the window that a signal ends on a real one."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from doubtable import tape
from doubtable.cli import main
from doubtable.games import GAMES

LONGEST = 120.0  # s until a wait gives up


def test_without_a_display_a_game_is_played_and_its_picture_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play"]) == 0
    said = capsys.readouterr().out.splitlines()
    events = [line for line in said if line.startswith("{")]
    assert events[0].startswith('{"event":"deal","ns":0,')
    assert any('"event":"verdict"' in line for line in events), "a doubt was decided by cards on the reader"
    assert said[-1] == f"the last screen: {tmp_path / 'doubtable-last-screen.png'}"
    assert pygame.image.load(tmp_path / "doubtable-last-screen.png").get_size() == (1024, 600)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("game", GAMES)
def test_a_recorded_game_replays_to_the_same_bytes(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--game", game, "--seed", "7", "--record", "evening.jsonl", "--picture", "last.png"]) == 0
    played = [line for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    assert main(["replay", "evening.jsonl"]) == 0
    assert capsys.readouterr().out.splitlines() == played
    assert len(played) > 60


@pytest.mark.usefixtures("short")
def test_the_same_seed_is_the_same_evening(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for seed in ("3", "3", "4"):
        assert main(["play", "--seed", seed, "--picture", "last.png"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] != said[2]


@pytest.mark.usefixtures("short")
def test_house_options_and_times_stand_on_the_tape() -> None:
    assert main(["play", "--option", "scoring=per_card", "--record", "evening.jsonl"]) == 0
    header = tape.load(Path("evening.jsonl")).header
    assert header["options"] == {"scoring": "per_card"}
    assert header["seats"] == ["Ann", "Bob", "Cy", "Dee"]


@pytest.mark.usefixtures("short")
def test_a_simulated_table_of_a_table_toml_is_played(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    Path("table.toml").write_text(
        f'state = "{tmp_path}"\n[timing]\nhold_ms = 500\ntie_ms = 0.2\n[seats.1]\nname = "Zoe"\n[seats.2]\n[seats.3]\n'
    )
    assert main(["play", "--config", "table.toml", "--record", "evening.jsonl"]) == 0
    played = [line for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    header = tape.load(Path("evening.jsonl")).header
    assert header["seats"] == ["Zoe", "", ""]
    assert main(["replay", "evening.jsonl"]) == 0
    assert capsys.readouterr().out.splitlines() == played


@pytest.mark.usefixtures("short")
def test_a_display_that_cannot_be_opened_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", ":4711")
    assert main(["play"]) == 0
    assert "no display (" in capsys.readouterr().out


@pytest.mark.usefixtures("short")
@pytest.mark.skipif(sys.platform == "darwin", reason="no screen that DISPLAY names: macOS has its own")
def test_a_display_that_cannot_be_reached_is_none_though_sdl_opens_something_that_nobody_sees(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pygame.display.quit()
    for name in ("SDL_VIDEODRIVER", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":4711")
    assert main(["play"]) == 0
    told = capsys.readouterr()
    assert "no display (:4711 cannot be reached): a demonstration game of " in told.out
    assert "Traceback" not in told.err


# On a real display --------------------------------------------------------------------------------------------------


@pytest.fixture
def xvfb() -> Iterator[str]:
    """An X server of its own; its display's name."""
    reading, writing = os.pipe()
    try:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1366x768x24"], pass_fds=[writing], stderr=-3
        )
    except FileNotFoundError:
        os.close(reading)
        pytest.skip("Xvfb is missing: apt install xvfb")
    finally:
        os.close(writing)
    with os.fdopen(reading) as pipe:
        yield ":" + pipe.readline().strip()
    server.terminate()
    server.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_on_a_real_display_the_program_ends_cleanly(xvfb: str, number: signal.Signals) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("SDL_")} | {"DISPLAY": xvfb}
    program = subprocess.Popen(
        [sys.executable, "-m", "doubtable", "play", "--record", "/dev/stdout"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    while "levels" not in program.stdout.readline():
        assert program.poll() is None
    program.send_signal(number)
    _, said = program.communicate(timeout=LONGEST)
    assert program.returncode == 0
    assert "Traceback" not in said
