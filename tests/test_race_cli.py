"""Race records on the command line."""

import io

import pytest

from doubtable import tape
from doubtable.race import Record
from doubtable.race_cli import Anchor, print_races
from doubtable.timing import S

TAPE = (
    '{"tape": 1, "game": "race", "seats": 6, "claimant": 1, "timing": {"tie_ms": 5, "bump_seats": 3}}',
    '{"ms": 370, "edge": [2, 1]}',
    '{"ms": 370.1, "edge": [3, 1]}',
    '{"ms": 370.2, "edge": [4, 1]}',
    '{"ms": 900, "edge": [6, 1]}',
    '{"ms": 901, "edge": [5, 1]}',
    '{"ms": 2000}',
)


def records() -> list[Record]:
    read = tape.read(TAPE)
    return [each.facts["record"] for each in tape.replay(read, tape.table_of(read)) if "record" in each.facts]


def test_every_race_is_a_table() -> None:
    out = io.StringIO()
    print_races(records(), out=out)
    first, second = out.getvalue().split("\n\n")
    assert first.splitlines()[0] == "race 1 of 2"
    assert first.splitlines()[-1] == "nobody: press again (bump)"
    assert "seat  5       +1000 us   4 left  gpio       tie DOUBTER" in second


def test_the_time_of_day_where_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    print_races(records()[:1], anchor=Anchor(430_000_000, 1_681_979_071_473_871_200), out=out)
    assert out.getvalue().splitlines()[0].endswith(":31.473871")
    assert Anchor(5 * S, 7 * S).wall_of(4 * S + 1) == 6 * S + 1


def test_no_race() -> None:
    out = io.StringIO()
    print_races([], out=out)
    assert out.getvalue() == "no race yet: nobody has doubted\n"


def test_it_prints_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    print_races(records())
    assert capsys.readouterr().out.startswith("race 1 of 2\nclaim of seat 1; ")
