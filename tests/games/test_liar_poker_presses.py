"""The price of a raise in presses, on paper and at the button."""

from pathlib import Path

import pytest

from doubtable.games.poker_hands import LEVELS
from games.at_table import AtTable, at
from games.liar_poker_presses import next_categories, page, raises

DOCS = Path(__file__).parents[2] / "docs" / "liar-poker-presses.md"


@pytest.mark.parametrize("level", LEVELS)
def test_the_smallest_raise_takes_no_tap(level: str) -> None:
    """ "0 taps for it" """
    counted = list(raises(level))
    print(*counted, sep="\n")  # noqa: T201 - shown with -s, and when it fails
    assert {(smallest.taps, smallest.holds <= 3) for _, _, smallest in counted} == {(0, True)}
    assert len(counted) == {"named": 309, "simple": 100}[level]


@pytest.mark.parametrize("level", LEVELS)
def test_the_next_category_takes_one_tap_and_at_most_three_holds(level: str) -> None:
    """ "1 tap and at most 3 holds for the lowest of the next category" """
    counted = list(next_categories(level))
    assert len(counted) == 8
    for category, name, found in counted:
        assert found, (category, name)
        assert all(each.taps == 1 and each.holds <= 3 for each in found), (category, name, found)


def test_the_page_in_docs_is_what_is_counted() -> None:
    assert DOCS.read_text(encoding="utf-8") == page(), "write it anew: see games/liar_poker_presses.py"


def declaring(level: str, before: str) -> AtTable:
    """The holder's turn to declare above ``before``; seat 2 declared it, seat 3 has taken it."""
    table = at("liar-poker", 3, options={"detail": level})
    table.slap(2)
    table.say(2, "declare", hand=before)
    table.say(3, "accept")
    table.say(3, "draw", count=0)
    return table


@pytest.mark.parametrize(
    ("level", "before", "taps", "holds", "then"),
    [
        ("named", "high 7", 0, 2, "high 8"),
        ("named", "high 7", 1, 2, "pair 2"),
        ("named", "high A", 0, 2, "pair 2"),
        ("named", "pair K", 1, 3, "two_pairs 3 2"),
        ("named", "two_pairs 9 8", 0, 3, "two_pairs T 2"),
        ("named", "straight 5", 1, 2, "flush 7"),
        ("named", "flush K", 1, 3, "full 2 3"),
        ("named", "full A Q", 1, 2, "four 2"),
        ("named", "straight_flush K", 0, 2, "straight_flush A"),
        ("simple", "pair A", 0, 2, "two_pairs 3"),
        ("simple", "flush 7", 1, 2, "full 2"),
    ],
)
def test_at_the_button(level: str, before: str, taps: int, holds: int, then: str) -> None:
    """All taps come where they are needed: on the first step."""
    table = declaring(level, before)
    table.press(3, taps)
    table.hold(3, holds)
    assert table.last("declare")["hand"] == then
