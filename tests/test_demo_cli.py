"""`doubtable demo`: what it prints of an evening, and what it cannot do."""

import json

import pytest

from doubtable.cli import main
from doubtable.minds import STYLES
from doubtable.timing import MS


def demo(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["demo", "--fast", *arguments]) == 0
    return capsys.readouterr().out


def test_demo_prints_wins_and_doubts_by_style_and_lengths(capsys: pytest.CaptureFixture[str]) -> None:
    out = demo(capsys, "--game", "rounds", "--games", "3", "--seed", "7").splitlines()
    assert out[0] == "rounds, 4 people, seed 7: 3 games"
    assert out[1].split() == ["style", "people", "won", "share", "right", "wrong"]
    rows = {line.split()[0]: line.split()[1:] for line in out[2:6]}
    assert list(rows) == list(STYLES)
    assert sum(int(row[1]) for row in rows.values()) == 3, "somebody wins each"
    assert out[6].split()[0] == "claims"
    assert out[7].split()[0] == "minutes"


def test_demo_is_the_same_evening_for_the_same_seed(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--game", "all", "--games", "1", "--claims", "3")
    assert demo(capsys, *arguments, "--seed", "3") == demo(capsys, *arguments, "--seed", "3")
    assert demo(capsys, *arguments, "--seed", "3") != demo(capsys, *arguments, "--seed", "4")


def test_demo_cuts_endless_games_off_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    out = demo(capsys, "--games", "3", "--claims", "4", "--people", "3")
    assert out.splitlines()[0] == "classic, 3 people, seed 1: 3 games, 3 cut off after 4 claims"


def test_demo_counts_who_loses_in_liar_poker(capsys: pytest.CaptureFixture[str]) -> None:
    out = demo(capsys, "--game", "liar-poker", "--option", "points=1", "--games", "2", "--people", "3").splitlines()
    assert out[1].split()[2] == "lost"
    rows = [line.split() for line in out[2:5]]
    assert sum(int(row[2]) for row in rows) == 2
    assert sum(int(row[4]) + int(row[5]) for row in rows) == 2, "every point is a doubt that was right or wrong"


def test_demo_with_styles(capsys: pytest.CaptureFixture[str]) -> None:
    out = demo(capsys, "--game", "rounds", "--styles", "counting,honest", "--people", "4").splitlines()
    assert [line.split()[:2] for line in out[2:4]] == [["honest", "2"], ["counting", "2"]]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--styles", "drunk"], "honest, bold, suspicious, counting"),
        (["--games", "0"], "1 or more"),
        (["--game", "whist"], "classic"),
        (["--people", "2"], "3 to 13"),
        (["--option", "scoring"], "NAME=VALUE"),
    ],
)
def test_what_demo_cannot_do_is_one_line(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--fast", *arguments]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert says in told.err


def test_without_fast_it_keeps_to_the_real_clock(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock and the sleep are ours; without a display the events are printed as they come."""
    slept: list[float] = []
    clock = [0]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += int(seconds * 1e9)

    monkeypatch.setattr("doubtable.demo_cli.time.monotonic_ns", lambda: clock[0])
    monkeypatch.setattr("doubtable.demo_cli.time.sleep", sleep)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    assert main(["demo", "--claims", "2"]) == 0
    out = capsys.readouterr().out.splitlines()
    last = max(json.loads(line)["ns"] for line in out if line.startswith("{"))
    assert abs(sum(slept) * 1e9 - last) < 2000 * MS
    assert max(slept) <= 0.02
