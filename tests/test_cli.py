"""Bad input at the command line: one line that says what and what to do, exit 2, and nothing half started."""

import argparse
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from doubtable import cli, demo_cli, play_cli
from doubtable.cli import main, parser
from doubtable.games import GAMES
from doubtable.simulation import Simulation
from doubtable.user_error import UserError


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No display, and a folder of its own to write to."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on stderr; the status was 2 and stdout stayed empty."""
    try:
        status = main(arguments)
    except SystemExit as exit_:  # argparse's own way
        status = int(exit_.code or 0)
    said = capsys.readouterr()
    assert status == 2
    assert said.out == ""
    assert said.err.startswith("doubtable: ")
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err
    return said.err


@pytest.mark.parametrize("command", ["deck list", "stats", "doctor --only journal"])
def test_a_folder_that_was_deleted_while_one_is_in_it_is_no_traceback(command: str, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    state = {"XDG_STATE_HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    here = f'cd "$1" && rmdir "$1" && exec "$0" -m doubtable {command}'
    ended = subprocess.run(
        ["sh", "-c", here, sys.executable, str(folder)], env=state, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in ended.stderr
    assert ended.returncode in (0, 1, 2)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "--game", "whist"], "classic, wrong-rank"),
        (["play", "--people", "2"], "3 to 13"),
        (["play", "--people", "14"], "3 to 13"),
        (["play", "--people", "0"], "3 to 13"),
        (["play", "--people", "-1"], "3 to 13"),
        (["play", "--people", "four"], "--people"),
        (["play", "--game", "rounds", "--people", "7"], "3 to 6"),
        (["play", "--option", "colour=red"], "scoring"),
        (["play", "--option", "scoring=all"], "chip, per_card, none"),
        (["play", "--option", "scoring"], "NAME=VALUE"),
        (["play", "--option", "bell_min=121"], "0 to 120"),
        (["play", "--option", "bell_min=--5"], "0 to 120"),
        (["play", "--option", "bell_min=" + "9" * 5000], "0 to 120"),
        (["play", "--config", "table.toml", "--people", "3"], "table.toml says which seats there are"),
        (["replay", "/dev/zero"], "no tape"),
        (["demo", "--game", "whist"], "classic"),
        (["demo", "--people", "14"], "3 to 13"),
        (["games", "whist"], "classic"),
        (["race", "none.jsonl"], "none.jsonl"),
        (["replay"], "FILE"),
        (["replay", "."], "directory"),
        (["whist"], "play"),
        (["race", "none.jsonl", "--last", "0"], "1 or more"),
        (["race", "--last", "-1"], "1 or more"),
        (["race", "none.jsonl", "--game", "7"], "--game is for the journal and does not go with a tape"),
        (["race", "none.jsonl", "--journal", "x.db"], "does not go with a tape"),
        (["doctor", "--speed", "--only", "chip"], "do not go together"),
        (["verify", "--game", "9" * 30], "too large"),
        (["demo", "--seed", "x"], "'x' is no whole number"),
        (["panel", "test", "--seconds", "soon"], "'soon' is no number of seconds"),
        (["panel", "test", "--seconds", "nan"], "0 or more"),
        (["config", "check", ""], "the name is empty"),
        (["verify", "--journal", ""], "the name is empty"),
        (["config", "new"], "4-gpio, 6-gpio, 8-gpio"),
        (["demo", "--nix"], "see doubtable demo --help"),
        (["deck", "enrol", "red", "--nix"], "see doubtable deck enrol --help"),
        (["play", "--record", "/proc/x"], "--record /proc/x: "),
        (["play", "--record", "x" * 300], "file name too long"),
        (["play", "--picture", "x" * 300], "file name too long"),
        (["report", "--out", "x" * 300], "file name too long"),
        (["export", "--journal", "x" * 300], "file name too long"),
        (["play", "--picture", "/proc/x"], "--picture"),
        (["play", "--config", "none.toml"], "there is no such file"),
        (["doctor", "--config", "none.toml"], "there is no such file"),
        (["config", "show", "none.toml"], "there is no such file"),
        ([], "COMMAND"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], says: str, elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in refused(arguments, capsys)
    assert list(elsewhere.iterdir()) == [], "nothing half started"


@pytest.mark.parametrize("option", ["--picture", "--record"])
@pytest.mark.parametrize("place", ["missing/file", "."])
def test_no_display_and_no_place_to_write(
    option: str, place: str, elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(["play", option, place], capsys)
    assert option in said
    assert list(elsewhere.iterdir()) == []


def test_a_tape_is_never_written_over(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (elsewhere / "evening.jsonl").write_text("the finest evening of all\n")
    assert "is there already" in refused(["play", "--record", "evening.jsonl"], capsys)
    assert (elsewhere / "evening.jsonl").read_text() == "the finest evening of all\n"


def test_a_file_that_turns_out_not_to_open_is_one_line(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_cli, "unwritable", lambda path: "")
    with pytest.raises(UserError, match="--record none/x: No such file"), play_cli.recorder(Path("none/x")):
        pass


def test_a_game_without_its_number_of_players_in_table_toml(
    elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (elsewhere / "table.toml").write_text("[seats.1]\n[seats.2]\n")
    assert "3 to 13" in refused(["play", "--config", "table.toml"], capsys)


def test_every_problem_of_a_table_toml_is_a_line(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (elsewhere / "table.toml").write_text(
        'game = "whist"\nstate = "/nowhere"\n[options.classic]\nscoring = "all"\ncolour = 1\nbell_min = 2.0\n'
    )
    expected = [
        'table.toml: game: game "whist" does not exist: write one of classic, wrong-rank, liar-poker, rounds',
        'table.toml: options.classic.scoring: "all" is not possible: write "chip" or "per_card" or "none"',
        "table.toml: options.classic.colour: classic has no such house rule",
        "table.toml: options.classic.bell_min: 2.0 is not possible: write 0 to 120",
    ]
    for command in (
        ["play", "--config", "table.toml"],
        ["config", "check", "table.toml"],
        ["config", "show", "table.toml"],
    ):
        assert main(command) == 2
        said = capsys.readouterr()
        assert said.out == ""
        lines = said.err.splitlines()
        assert [any(line.startswith(f"doubtable: {start}") for line in lines) for start in expected] == [True] * 4
        assert len(lines) == 4


def commands(top: argparse.ArgumentParser, *before: str) -> Iterator[tuple[str, ...]]:
    """Every command, a command's own commands too."""
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield (*before, name)
                yield from commands(command, *before, name)


@pytest.mark.parametrize("command", list(commands(parser())), ids=" ".join)
def test_every_command_has_help_with_an_example(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main([*command, "--help"])
    assert exit_.value.code == 0
    said = capsys.readouterr().out
    assert f"example:\n  doubtable {' '.join(command)}" in said
    assert re.search(r"^[A-Z].*\.$", said, re.M), "it says what it does"


@pytest.mark.parametrize("game", GAMES)
def test_games_prints_rules_players_and_options(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", game]) == 0
    said = capsys.readouterr().out
    for text in (GAMES[game].rules, f"{GAMES[game].players[0]} to {GAMES[game].players[1]} players"):
        assert text in said
    for option in GAMES[game].options_known:
        assert f"  {option}" in said


def test_every_command_in_the_readme_is_one() -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    written = re.findall(r"(?:^    |`)doubtable ([^#`\n]+)", text, re.MULTILINE)
    assert len(written) > 6
    for line in written:
        parser().parse_args(shlex.split(line))


def test_every_file_that_the_readme_names_is_there() -> None:
    root = Path(__file__).parents[1]
    text = (root / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"\]\(([^)#:]+)\)", text)
    assert len(named) > 6
    assert [name for name in named if not (root / name).exists()] == []


def test_windows_is_told_the_way(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    assert "WSL" in refused(["games"], capsys)


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "command", ["games", "config show", "demo --fast --claims 3", "doctor --only chip", "replay TAPE", "race TAPE"]
)
def test_an_output_that_cannot_be_written_is_one_line(command: str, elsewhere: Path) -> None:
    tape = Path(__file__).parent / "tapes" / "race-13-bouncing-loser.jsonl"
    arguments = [str(tape) if each == "TAPE" else each for each in command.split()]
    with FULL.open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "doubtable", *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ended.returncode == 1
    assert ended.stderr == "doubtable: the output cannot be written: No space left on device\n"


def test_an_output_that_was_closed_before_is_no_traceback(elsewhere: Path) -> None:
    closed = [sys.executable, "-c", "import os, sys; os.close(1); os.execv(sys.executable, sys.argv[1:])"]
    command = [*closed, sys.executable, "-m", "doubtable", "games"]
    ended = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_reader_that_goes_ends_a_command_quietly(elsewhere: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        ended = subprocess.run(
            [sys.executable, "-m", "doubtable", "games"], stdout=pipe, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(("claims", "says"), [(1, "stopped in the first game after "), (None, ": 1 games")])
def test_ctrl_c_ends_a_demo_with_what_was_played(
    claims: int | None, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the first game, or between two."""
    step, progress = Simulation.step, demo_cli._progress

    def stepped(self: Simulation) -> None:
        step(self)
        if self.claims == claims:
            signal.raise_signal(signal.SIGINT)

    def told(name: str, done: int, games: int) -> None:
        progress(name, done, games)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Simulation, "step", stepped)
    monkeypatch.setattr(demo_cli, "_progress", told)
    assert main(["demo", "--fast", "--games", "3", "--claims", "5"]) == cli.INTERRUPTED
    said = capsys.readouterr().out
    assert said.startswith("classic, 4 people, seed 1")
    assert says in said
    assert ": 0 games" not in said


def test_a_report_names_the_files_that_are_not_there(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for config, journal in (("none.toml", "none.db"), ("x" * 300, "y" * 300)):
        assert main(["report", "--config", config, "--journal", journal, "--out", f"{config[:4]}.tar.gz"]) == 0
        assert capsys.readouterr().err == (
            f"doubtable: --config {config}: there is no such file: the report is made without it\n"
            f"doubtable: --journal {journal}: there is no such file: the report is made without it\n"
        )


def test_ctrl_c_is_no_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(name: str | None) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("doubtable.play_cli.games", interrupted)
    assert main(["games"]) == cli.INTERRUPTED
    assert capsys.readouterr().err == ""
