"""docs/play.md says what the games say of themselves, and so does the command line."""

import re

import pytest

from doubtable.cli import main
from doubtable.games import GAMES, PRESETS
from games.written_play import PLAY, written

PAGE = PLAY.read_text(encoding="utf-8")


def test_the_house_rules_are_those_of_the_games() -> None:
    assert written(PAGE) == PAGE, "write them anew: see games/written_play.py"
    assert PAGE.count("<!-- options -->") == PAGE.count("<!-- end -->") == 1


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_page_with_its_players(game: str) -> None:
    least, most = GAMES[game].players
    assert re.search(rf"^## .*\(`{game}`\), {least} to {most} players$", PAGE, re.MULTILINE)


def test_every_preset_has_a_row() -> None:
    for preset in PRESETS:
        assert f"| {preset.upper()} |" in PAGE


@pytest.mark.parametrize("game", GAMES)
def test_the_command_prints_rules_in_short_players_and_options(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    rules = GAMES[game]
    assert main(["games", game]) == 0
    out = capsys.readouterr().out
    assert rules.rules in out
    assert f"{rules.players[0]} to {rules.players[1]} players" in out
    for name, option in rules.options_known.items():
        assert re.search(rf"^  {name} .*{re.escape(option.line)}$", out, re.MULTILINE)
    assert max(len(line) for line in rules.rules.splitlines()) <= 120
