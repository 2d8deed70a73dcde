"""Hours: how long a parked game waits, and closing time as the clock on the wall tells it by orders."""

import pytest

from doubtable.games.base import Text
from games.at_table import AtTable, at, evening

HOUR = 3_600_000
SEATED = (1, 2, 3, 4)
CLOSING: Text = ("CLOSING TIME:\nNO NEW DEAL", {})


def chosen(holds: int = 2) -> AtTable:
    """Four sit; seat 4 has chosen so far: 1 hold opens the strip of games, 2 start the countdown."""
    table = evening(4)
    for seat in SEATED:
        table.press(seat)
    table.hold(4, holds)
    return table


def won() -> AtTable:
    """Seat 1 has won a deal."""
    table = at("classic", 4, hands=(1, 17, 17, 17), turn=1)
    table.say(1, "claim", count=1)
    table.wait(11_000)
    assert table.phase == "over"
    return table


# A parked game --------------------------------------------------------------------------------------------------------


def test_a_parked_game_is_over_after_twelve_hours() -> None:
    table = at("classic", 4)
    table.press(2)
    table.wait(600_100)
    table.wait(12 * HOUR - 1000)
    assert (table.phase, table.cursor(1)) == ("claim", "GO ON")
    table.wait(2000)
    assert (table.phase, table.last("lobby")) == ("lobby", {"seated": []})


def test_a_game_that_somebody_goes_on_with_has_its_twelve_hours_again() -> None:
    table = at("classic", 4)
    table.press(2)
    for _ in range(2):
        table.wait(600_100)
        assert table.cursor(1) == "GO ON"
        table.wait(11 * HOUR)
        table.hold(3)
    assert table.phase == "claim"


def test_a_pause_that_somebody_made_is_not_parked() -> None:
    table = at("classic", 4)
    table.say(2, "pause")
    table.wait(13 * HOUR)
    assert table.phase == "claim"


def test_a_parked_deal_is_over_too() -> None:
    table = chosen()
    table.wait(5200)
    assert table.phase == "deal"
    table.wait(600_100)
    assert table.all("parked") == [{}]
    table.wait(12 * HOUR)
    assert table.phase == "lobby"


def test_a_finished_deal_is_parked_too_and_its_match_goes_on() -> None:
    table = won()
    table.wait(600_100)
    assert (table.all("parked"), table.view.scene) == ([{}], "attract")
    assert [table.cursor(seat) for seat in (1, 2, 3, 4)] == ["GO ON"] * 4
    table.hold(2)
    assert (table.view.scene, table.cursor(2)) == ("over", "NEXT DEAL")
    table.hold(2)
    assert (table.phase, table.view.totals) == ("deal", (3, -1, -1, -1))


def test_a_finished_deal_that_nobody_goes_on_with_is_the_lobby_after_twelve_hours() -> None:
    table = won()
    table.wait(600_100)
    table.wait(12 * HOUR)
    assert (table.phase, table.state.seated) == ("lobby", ())


# Closing time ---------------------------------------------------------------------------------------------------------


def test_no_new_deal_in_the_lobby() -> None:
    table = chosen(0)
    table.order("closing")
    assert table.all("closing") == [{}]
    assert table.view.help == CLOSING
    table.hold(4, 2)
    assert (table.phase, table.state.turn, table.state.chosen) == ("lobby", None, None)
    table.say(4, "choose")
    assert table.last("refused")["why"] == "closing time: no new deal"
    table.press(4)
    assert table.last("sit") == {"seat": 4, "sits": False}, "getting up goes on"


def test_what_is_counted_down_or_dealt_is_played() -> None:
    table = chosen()
    table.order("closing")
    assert table.view.help == ("TAP = STOP", {})
    table.wait(5200)
    assert table.phase == "deal"
    table.hold(4)
    table.wait()
    assert table.phase == "claim"
    table.say(1, "claim", count=1)
    assert table.last("claim")["count"] == 1


def test_no_next_deal_after_a_deal() -> None:
    table = won()
    assert table.labels(1) == ("NEXT DEAL", "LOBBY", "I LEAVE")
    table.order("closing")
    assert table.labels(1) == ("LOBBY", "I LEAVE")
    assert table.view.help == CLOSING
    table.say(1, "next_deal")
    assert table.last("refused")["why"] == "closing time: no new deal"


def test_it_lasts_from_deal_to_lobby_and_until_the_opening() -> None:
    table = won()
    table.order("closing")
    table.pick(2, "LOBBY")
    table.wait()
    assert (table.phase, table.view.help) == ("lobby", CLOSING)
    table.power_cut(90_000)
    assert table.view.help == CLOSING
    table.order("opening")
    assert table.view.help != CLOSING
    table.hold(2)
    assert table.state.turn == 2


def test_at_closing_the_bell_rings_once() -> None:
    table = at("classic", 4, options={"bell_min": 60})
    table.order("closed")
    table.order("closed")
    assert (table.all("closed"), table.all("last_round")) == ([{}], [{}])
    assert ("LAST ROUND", {}) in table.view.notices
    table.wait(60 * 60_000)
    assert table.all("last_round") == [{}]


def test_the_bell_rings_in_an_open_window_and_race_too() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=1)
    table.edge(3, 1)
    table.order("closed")
    table.edge(3, 0)
    table.wait(1000)
    assert table.all("last_round") == [{}]
    assert (table.last("doubt")["seat"], table.state.last_round) == (3, True)


def test_the_bell_ends_no_pause_and_no_menu_and_nobody_has_acted() -> None:
    table = at("classic", 4)
    table.press(2)
    table.say(2, "pause")
    table.order("closed")
    assert table.cursor(1) == "GO ON"
    table.hold(1)
    assert table.state.last_round
    table = at("classic", 4)
    table.press(2)
    table.wait(50_000)
    table.order("closing")
    table.wait(10_100)
    assert table.last("waiting") == {"seat": 1}


def test_an_undo_does_not_take_the_bell_back() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=1)
    table.order("closed")
    table.order("undo")
    assert (table.state.last_round, table.all("last_round")) == (True, [{}])


@pytest.mark.parametrize("game", ["rounds", "liar-poker"])
def test_games_without_a_bell_are_played_to_their_end(game: str) -> None:
    table = at(game, 4)
    before = table.state
    table.order("closed")
    assert (table.all("last_round"), table.state) == ([], before)
    assert table.all("closed") == [{}]


def test_the_attendant_may_deal_all_the_same() -> None:
    table = won()
    table.order("closing")
    table.order("new_game")
    assert table.phase == "deal"
