"""The cursor stays on its item when others come or go, and a HOLD does what its press pointed at, or nothing."""

import pytest

from doubtable.entry import Entry, current, tap, under_cursor
from doubtable.games.base import Act, Choice, Strip
from games.at_table import AtTable, at

CLOSES = 64_000  # ms: doubt_ms and a minute


def strip(*labels: str) -> Strip:
    return Strip("step", tuple(Choice((label,), Act(1, label.lower())) for label in labels))


@pytest.mark.parametrize(
    ("before", "taps", "after", "label"),
    [
        ("DOUBT PASS PLAY", 1, "PASS PLAY", "PASS"),
        ("DOUBT PASS PLAY", 2, "PASS PLAY MENU", "PLAY"),
        ("DOUBT PASS PLAY", 3, "PASS PLAY", "PASS"),
        ("DOUBT PASS", 1, "DOUBT PASS PLAY", "PASS"),
        ("A C", 1, "A B C", "C"),
        ("A B C", 1, "A C", "C"),
        ("A B C", 2, "A B", "A"),
    ],
)
def test_the_cursor_stays_on_its_label_else_at_its_place_else_at_the_beginning(
    before: str, taps: int, after: str, label: str
) -> None:
    old, new = strip(*before.split()), strip(*after.split())
    entry = current(Entry(), old)
    for _ in range(taps):
        entry, _ = tap(entry, old)
    assert under_cursor(current(entry, new), new).label == label


def passing() -> AtTable:
    """Seat 2, on turn in rounds, has its cursor on PASS; its card's window closes by itself soon."""
    table = at("rounds", 3, hands=(4, 4, 5), pile=2, turn=2, rank="9", owner=1)
    table.wait(5000)
    table.to(2, "PASS")
    return table


@pytest.mark.parametrize("pressed", [CLOSES - 400, CLOSES + 100])
def test_pass_stays_pass_when_doubt_leaves_the_strip(pressed: int) -> None:
    table = passing()
    table.wait(pressed - table.ms)
    table.hold(2)
    assert (table.all("pass"), table.all("play")) == ([{"seat": 2}], [])
    assert table.hands == [4, 4, 5], "no card was laid"
    assert table.all("window") == [{"state": "closed"}], "once"


def over() -> AtTable:
    table = at("classic", 3, hands=(1, 30, 21), turn=1)
    table.say(1, "claim", count=1)
    table.wait(11_000)
    assert table.phase == "over"
    return table


def test_what_a_hold_pointed_at_is_gone_when_it_fires() -> None:
    table = over()
    assert table.cursor(2) == "NEXT DEAL"
    table.edge(2, 1)
    table.wait(300)
    table.order("closing")
    table.wait(800)
    table.edge(2, 0)
    table.wait()
    assert (table.phase, table.labels(2)) == ("over", ("LOBBY", "I LEAVE"))


def test_what_stands_elsewhere_on_the_strip_is_still_under_the_cursor() -> None:
    table = over()
    table.to(2, "LOBBY")
    table.order("closing")
    assert table.cursor(2) == "LOBBY"
    table.hold(2)
    assert table.phase == "lobby"


def test_counts_that_are_put_right_in_the_middle_of_an_entry_begin_it_anew() -> None:
    table = at("wrong-rank", 4, hands=(3, 17, 16, 16), turn=1)
    table.press(1, 3)
    table.hold(1)
    assert table.cursor(1) == "A", "three cards are entered"
    table.order("set_hands", hands=(2, 17, 16, 16))
    assert table.labels(1) == ("-", "1", "2")
    assert table.cursor(1) == "-"
    table.press(1)
    table.hold(1)
    table.hold(1)
    assert table.last("claim") == {"seat": 1, "count": 1, "rank": "A"}
