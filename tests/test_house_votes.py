"""Votes: who is gone, no cards, a doubt that is taken back."""

from doubtable.timing import MS
from games.at_table import LONG, at
from games.positions import voting

# Votes ----------------------------------------------------------------------------------------------------------------


def test_more_than_half_of_the_other_seated_players_must_say_yes() -> None:
    table = voting()
    assert [table.labels(seat) for seat in (1, 2, 3, 4, 5)] == [("NO", "YES"), ("NO", "YES"), (), ("NO", "YES"), ()]
    assert [table.lamp(seat) for seat in (1, 2, 4)] == ["pulsing"] * 3
    table.press(1)
    table.hold(1)
    assert table.state.gone == ()
    table.press(4)
    table.hold(4)
    assert table.state.gone == (5,)
    assert [facts["seat"] for facts in table.all("vote")] == [1, 4]


def test_a_vote_is_open_for_fifteen_seconds() -> None:
    table = voting()
    table.press(1)
    table.hold(1)
    table.wait(14_000)
    assert table.labels(2) == ()
    assert (table.state.gone, table.cursor(1)) == ((), "-"), "the turn goes on"


def test_no_is_no() -> None:
    table = voting()
    table.say(1, "vote", says="no")
    table.say(2, "vote", says="no")
    assert table.labels(4) == (), "it can no more be carried"
    assert table.state.gone == ()


def test_half_is_not_more_than_half() -> None:
    table = at("classic", 4)
    table.menu(3, "SEAT 4 IS GONE")
    table.say(1, "vote", says="yes")
    assert table.state.gone == ()
    table.say(2, "vote", says="yes")
    assert table.state.gone == (4,)


def test_who_is_not_asked_has_no_vote() -> None:
    table = voting()
    for seat in (3, 5):
        table.say(seat, "vote", says="yes")
        assert table.last("refused")["why"] == f"seat {seat} is not asked"
    table.say(1, "vote", says="perhaps")
    assert "yes or no" in table.last("refused")["why"]


def test_pause_leave_and_call_need_no_vote() -> None:
    table = at("classic", 5)
    table.menu(2, "CALL THE BAR")
    table.menu(2, "I LEAVE")
    assert table.state.gone == (2,)
    table.menu(3, "PAUSE")
    assert table.table.fold.house.paused


def test_the_game_rests_during_a_vote() -> None:
    table = voting()
    table.press(1, 2)  # not the turn's strip: NO, YES, NO
    table.hold(1)
    assert table.all("claim") == []


# No cards, undo the doubt ---------------------------------------------------------------------------------------------


def test_no_cards_takes_the_pile_and_play_goes_on() -> None:
    table = at("classic", 4, hands=(3, 10, 10, 9), pile=20, turn=2)
    table.menu(1, "NO CARDS")
    for seat in (2, 3):
        table.press(seat)
        table.hold(seat)
    assert (table.hands, table.state.pile) == ([23, 10, 10, 9], 0)
    assert (table.phase, table.state.turn) == ("claim", 2)


def test_no_cards_is_offered_to_who_holds_some_by_the_tables_count() -> None:
    table = at("classic", 4, hands=(0, 22, 20, 10), pile=0, turn=2)
    table.hold(1, length=LONG)
    assert "NO CARDS" not in table.labels(1)


def test_undo_the_doubt_reopens_the_window_without_that_seat() -> None:
    table = at("classic", 5)
    table.say(1, "claim", count=2)
    table.slap(4)
    table.menu(3, "UNDO THE DOUBT")
    for seat in (1, 2, 5):
        table.press(seat)
        table.hold(seat)
    window = table.state.window
    assert (table.phase, window.barred) == ("doubt", (4,))
    assert window.closes - window.opened == 64_000 * MS, "its full time"
    assert table.lamp(4) == "off"
    table.slap(4)
    assert len(table.all("doubt")) == 1
    table.slap(3)
    assert table.last("doubt")["seat"] == 3
    assert table.labels(1) == ("GIVE IN",)


def test_the_doubt_cannot_be_undone_after_the_first_card() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=2)
    table.slap(3)
    table.show("AS")
    table.hold(2, length=LONG)
    assert "UNDO THE DOUBT" not in table.labels(2)
    table.say(2, "undo_doubt")
    assert "shown" in table.last("refused")["why"]


def test_after_an_undone_doubt_the_claim_is_corrected_no_more() -> None:
    """ "The claimant may correct its own entry once, until the first doubt" """
    table = at("classic", 4)
    table.say(1, "claim", count=2)
    table.slap(3)
    table.say(2, "undo_doubt")
    table.say(1, "correct", count=1)
    assert "once" in table.last("refused")["why"]
    assert table.labels(1) == ()
