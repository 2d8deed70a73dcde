"""The golden playthroughs: every expectation says which sentence of the rules demands it."""

import json
from pathlib import Path

import pytest

from doubtable import tape

OWN = Path(__file__).parents[1] / "tapes" / "own"
NAMES = ("classic", "wrong-rank", "liar-poker", "rounds", "house")
GOLDEN = sorted(path for name in NAMES for path in OWN.glob(f"{name}-own-*.jsonl"))


def test_every_game_has_one() -> None:
    assert {path.name.split("-own-")[0] for path in GOLDEN} == set(NAMES)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_expectation_says_why(path: Path) -> None:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    demands = [line for line in lines if "expect" in line or "never" in line]
    assert len(demands) >= 2
    assert [line for line in demands if len(line.get("about", "")) < 15] == []


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_it_holds_and_could_fail(path: Path) -> None:
    """With any one expected event spoilt, exactly that line is told."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = tape.read(lines)
    assert tape.check(found, tape.table_of(found)) == []
    for number, line in enumerate(lines):
        plain = json.loads(line)
        if "expect" in plain:
            spoilt = {**plain, "expect": {**plain["expect"], "event": "nonsense"}}
            broken = tape.read([*lines[:number], json.dumps(spoilt), *lines[number + 1 :]])
            assert number + 1 in [failure.line for failure in tape.check(broken, tape.table_of(broken))]


def test_a_line_may_be_nothing_but_a_comment() -> None:
    header = '{"tape": 1, "game": "classic", "seats": 4}'
    found = tape.read([header, '{"about": "the deal"}', '{"expect": {"event": "deal"}, "about": "all cards"}'])
    assert tape.check(found, tape.table_of(found)) == []
