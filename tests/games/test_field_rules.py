"""What went wrong in other programs' rules, and must not here: the field cases F42 to F45."""

import pytest

from games.at_table import AtTable, at

LATER = 2000  # ms


# F42: the last play cannot be challenged (cdot/Xanado#2) --------------------------------------------------------------


def last_play() -> AtTable:
    """Seat 2 lays its last card as a king."""
    table = at("classic", 5, hands=(13, 1, 13, 13, 12), pile=0, turn=2, due="K")
    table.say(2, "claim", count=1)
    assert (table.phase, table.all("win")) == ("last_call", [])
    return table


def test_f42_a_doubted_last_card_that_is_wrong_does_not_win() -> None:
    table = last_play()
    table.wait(LATER)
    table.slap(5)
    table.show("QS")
    assert table.last("verdict") == {"of": 2, "doubter": 5, "true": False, "takes": 2, "cards": 1}
    assert (table.hands[1], table.phase, table.all("win")) == (1, "claim", [])


def test_f42_it_wins_only_when_the_window_closes() -> None:
    table = last_play()
    table.wait(9700)
    assert table.all("win") == []
    table.wait(400)
    assert table.last("win")["seat"] == 2


# F43: any accepted identity passed (Cheneth/coup-online PR 64) --------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "verdict"),
    [
        (("7S", "8S"), False),
        (("7S", "7H"), True),
        (("7S",), None),
        (("8S", "8H"), False),
        (("7S", "7S"), None),
    ],
)
def test_f43_two_sevens_are_two_sevens(cards: tuple[str, ...], verdict: bool | None) -> None:
    table = at("classic", 4, hands=(13, 13, 13, 13), pile=0, turn=1, due="7")
    table.say(1, "claim", count=2)
    table.slap(3)
    table.show(*cards)
    table.wait(5500)
    if verdict is None:
        assert (table.all("verdict"), table.last("missing")) == ([], {"count": 1})
    else:
        assert table.last("verdict")["true"] is verdict


# F44: a penalty hits somebody else (jh0ker/mau_mau_bot#57) ------------------------------------------------------------


def test_f44_the_penalty_stays_with_who_left() -> None:
    table = at("classic", 5, hands=(10, 10, 10, 10, 8), pile=4, turn=3, due="9")
    table.say(3, "claim", count=2)
    table.wait(800)
    table.order("remove", seat=3)
    assert table.state.gone == ()
    table.wait(800)
    table.slap(5)
    table.show("8C")
    assert table.last("verdict") == {"of": 3, "doubter": 5, "true": False, "takes": 3, "cards": 6}
    assert table.state.gone == (3,), "it leaves only after the verdict"
    assert table.hands == [10, 10, 0, 10, 8]
    assert (table.state.turn, table.state.due) == (4, "8")


# F45: the winner of the challenge is punished (thomasahle/liars-dice#3) -----------------------------------------------


@pytest.mark.parametrize(("card", "claimant", "doubter"), [("5C", 6, 0), ("AS", 0, 6)])
def test_f45_who_is_wrong_takes_the_pile(card: str, claimant: int, doubter: int) -> None:
    table = at("classic", 4, hands=(13, 12, 12, 10), pile=5, turn=1)
    table.say(1, "claim", count=1)
    before = table.hands
    table.slap(3)
    table.show(card)
    table.wait(2000)
    assert [now - then for now, then in zip(table.hands, before, strict=True)] == [claimant, 0, doubter, 0]
    assert sum(table.hands) + table.state.pile == 52
