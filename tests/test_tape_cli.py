"""`doubtable race TAPE`: race records as tables."""

from pathlib import Path

import pytest

from doubtable.cli import main

TAPE = """\
{"tape": 1, "game": "race", "seats": 6, "claimant": 1, "timing": {"tie_ms": 5, "bump_seats": 3}}
{"ms": 370, "edge": [2, 1]}
{"ms": 370.1, "edge": [3, 1]}
{"ms": 370.2, "edge": [4, 1]}
{"ms": 900, "edge": [6, 1]}
{"ms": 901, "edge": [5, 1]}
{"ms": 2000}
"""


@pytest.fixture
def knocked(tmp_path: Path) -> str:
    path = tmp_path / "knocked.jsonl"
    path.write_text(TAPE, encoding="utf-8")
    return str(path)


def test_every_race_is_a_table(knocked: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["race", knocked]) == 0
    first, second = capsys.readouterr().out.split("\n\n")
    assert first.splitlines()[-1] == "nobody: press again (bump)"
    assert "seat  5       +1000 us   4 left  gpio       tie DOUBTER" in second


def test_the_last_race_alone(knocked: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["race", knocked, "--last", "1"]) == 0
    assert "bump" not in capsys.readouterr().out


def test_no_race(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "quiet.jsonl"
    path.write_text(TAPE.splitlines()[0] + "\n", encoding="utf-8")
    assert main(["race", str(path)]) == 0
    assert capsys.readouterr().out == "no race on this tape\n"
