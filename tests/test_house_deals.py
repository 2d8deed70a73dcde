"""Sitting down and leaving: during a deal, and between two."""

import pytest

from games.at_table import at


def test_a_tap_on_an_empty_seat_during_a_game_is_in_for_the_next_deal() -> None:
    table = at("classic", (1, 2, 3, 5), size=5, hands=(1, 17, 17, 0, 17), turn=1)
    table.press(4)
    assert table.last("sit") == {"seat": 4, "sits": True}
    assert table.seats == [1, 2, 3, 5]
    table.say(1, "claim", count=1)
    table.wait(11_000)
    table.hold(3)  # NEXT DEAL
    assert table.phase == "deal"
    assert table.seats == [1, 2, 3, 4, 5]
    assert table.state.dealer == 1, "the deal moves left of seat 5"


@pytest.mark.parametrize("game", ["classic", "wrong-rank", "rounds"])
@pytest.mark.parametrize("race", [2, 3])
def test_so_is_one_while_a_race_is_being_decided(game: str, race: int) -> None:
    """Seat 2 is the next one: its race waits until the hold fires; that of another seat's slap for 60 ms."""
    table = at(game, (1, 2, 3, 4), size=5)
    table.say(1, "lead" if game == "rounds" else "claim", count=1, rank="A")
    table.edge(race, 1)
    table.wait(10)
    table.edge(5, 1)
    table.wait(30)
    table.edge(5, 0)
    table.wait(10)
    if race == 3:  # in the open game a slap that stays down is a call
        table.edge(3, 0)
    table.wait(1000)
    assert table.last("sit") == {"seat": 5, "sits": True}
    assert table.all("void") == [{"seat": 5, "why": "empty"}]
    assert table.last("doubt")["race"] == [[race, 0]]
    assert table.table.fold.house.sitting == (5,)


def test_a_second_tap_is_out_again_and_a_hold_is_nothing() -> None:
    table = at("classic", (1, 2, 3), size=4)
    table.press(4, 2)
    table.hold(4)
    assert table.table.fold.house.sitting == ()


def test_leaving_between_deals() -> None:
    table = at("classic", 4, hands=(1, 17, 17, 17), turn=1)
    table.say(1, "claim", count=1)
    table.wait(11_000)
    assert table.labels(2) == ("NEXT DEAL", "LOBBY", "I LEAVE")
    table.pick(2, "I LEAVE")
    assert table.labels(2) == ()
    table.hold(4)
    assert table.table.game.seats == (1, 3, 4)


def test_when_the_last_has_left_a_finished_deal_only_the_lobby_is_left() -> None:
    """Who has sat down for the next deal is seated there."""
    table = at("classic", (1, 2, 3), size=4, hands=(1, 25, 26, 0), turn=1)
    table.press(4)
    table.say(1, "claim", count=1)
    table.wait(11_000)
    for seat in (1, 2):
        table.say(seat, "leave")
    assert table.phase == "over"
    table.say(3, "leave")
    assert (table.phase, table.state.seated) == ("lobby", (4,))


def test_too_few_for_the_next_deal_are_in_the_lobby() -> None:
    table = at("classic", 3, hands=(1, 25, 26), turn=1)
    table.say(1, "claim", count=1)
    table.wait(11_000)
    table.say(2, "leave")
    table.hold(1)
    assert (table.phase, table.state.seated) == ("lobby", (1, 3))


def test_more_than_the_hand_size_allows_are_in_the_lobby() -> None:
    table = at("rounds", (1, 2, 3), size=4, options={"hand_size": 17})
    table.press(4)
    table.order("new_game")
    assert (table.phase, table.state.seated) == ("lobby", (1, 2, 3, 4))


def test_from_the_end_back_to_the_lobby() -> None:
    table = at("classic", 4, hands=(1, 17, 17, 17), turn=1)
    table.say(1, "claim", count=1)
    table.wait(11_000)
    table.pick(2, "LOBBY")
    assert (table.phase, table.state.seated) == ("lobby", (1, 2, 3, 4))
