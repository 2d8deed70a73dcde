"""A reveal without a reader: the cards are turned over, and the table agrees on what they are."""

import pytest

from doubtable.inputs import Do
from games.at_table import AtTable, at
from games.positions import doubted


def agreeing(seats: int = 5) -> AtTable:
    table = doubted(2, seats=seats)
    table.reader(up=False)
    table.wait(5000)
    assert table.view.scene == "agree"
    return table


def test_after_five_seconds_and_not_before() -> None:
    table = doubted(2)
    table.reader(up=False)
    table.wait(4700)
    assert table.all("agree") == []
    assert table.labels(1) == ("GIVE IN",)
    table.wait(100)
    assert table.all("agree") == [{}]
    table.say(1, "give_in")
    assert "true or lie" in table.last("refused")["why"]


def test_agreed_is_the_verdict_and_marked() -> None:
    table = agreeing()
    table.say(1, "agree", says="lie")
    table.say(1, "agree", says="true")  # it may think again until both have chosen
    table.say(1, "agree", says="lie")
    table.say(3, "agree", says="lie")
    assert table.last("verdict") == {
        **{"of": 1, "doubter": 3, "true": False, "takes": 1, "cards": 2},
        "by_agreement": True,
    }


def test_else_the_others_vote_and_a_tie_is_a_lie() -> None:
    table = agreeing(4)
    table.say(1, "agree", says="true")
    table.say(3, "agree", says="lie")
    table.say(1, "agree", says="lie")
    assert table.last("refused")["why"] == "seat 1 is not asked"
    table.say(2, "agree", says="true")
    table.say(4, "agree", says="lie")
    assert table.last("verdict")["true"] is False


def test_who_is_asked_and_leaves_is_asked_no_more() -> None:
    table = agreeing(5)
    table.say(1, "agree", says="true")
    table.say(3, "agree", says="lie")
    table.say(2, "agree", says="true")
    table.say(4, "agree", says="true")
    table.say(5, "leave")
    assert table.last("verdict")["true"] is True


def test_a_reader_that_comes_back_in_time_ends_it() -> None:
    table = agreeing()
    table.say(1, "agree", says="lie")
    table.reader(up=True)
    assert table.labels(1) == ("GIVE IN",)
    table.show("AS", "AH")
    table.wait(2000)
    assert "by_agreement" not in table.last("verdict")
    table = agreeing()
    table.say(1, "agree", says="lie")
    table.say(3, "agree", says="true")
    table.reader(up=True)
    assert table.labels(2)[0] == "WAIT", "both had chosen: the others go on"


def test_the_same_twenty_seconds_after_missing() -> None:
    table = doubted(2)
    table.show("AS")
    table.wait(5000)
    assert table.last("missing") == {"count": 1}
    table.wait(19_900)
    assert table.all("agree") == []
    table.wait(200)
    assert table.all("agree") == [{}]


def test_a_card_in_time_puts_it_off() -> None:
    table = doubted(3)
    table.show("AS")
    table.wait(20_000)
    table.show("AH")
    table.wait(20_000)
    assert table.all("agree") == []
    assert [facts["count"] for facts in table.all("missing")] == [2, 1], "once each"


WAITING = ("reveal", "proof")  # for cards, on the reader


def waiting(what: str) -> AtTable:
    """Two cards are to be shown, at 0 s of the wait; none has come."""
    if what == "proof":
        table = at("liar-poker", 5)
        table.slap(1)
        table.say(1, "declare", hand="pair K")
        table.say(2, "liar")
        table.feed(Do(table.ns, 1, "show"))
        return table
    table = at("classic", 5)
    table.say(1, "claim", count=2)
    table.wait(1000)
    table.feed(Do(table.ns, 3, "doubt"))
    table.wait(60)
    assert table.phase == "reveal"
    return table


@pytest.mark.parametrize("what", WAITING)
def test_a_reader_that_comes_and_goes_does_not_end_the_wait_for_what_is_missing(what: str) -> None:
    """ "The same 20 s after `missing`": from when the reader is there again; that it is there may be said twice."""
    table = waiting(what)
    table.wait(5100)
    assert len(table.all("missing")) == 1
    table.reader(up=False)
    table.wait(1000)
    table.reader(up=True)
    table.wait(15_000)
    table.reader(up=True)
    assert table.all("agree") == []
    table.wait(5000)
    assert table.all("agree") == [{}]
    assert len(table.all("missing")) == 1, "it has been said"


@pytest.mark.parametrize("what", WAITING)
def test_when_the_reader_ends_the_agreement_missing_cards_are_said_and_agreed_on_again(what: str) -> None:
    table = waiting(what)
    table.reader(up=False)
    table.wait(1000)
    table.order("card", card=table.card("KS" if what == "proof" else "AS"))
    table.wait(4000)
    assert (table.all("agree"), table.all("missing")) == ([{}], [])
    table.reader(up=True)
    table.wait(5000)
    assert (table.phase, table.all("missing")) == ("reveal" if what == "reveal" else "prove", [{"count": 1}])
    table.wait(20_000)
    assert table.all("agree") == [{}, {}]


@pytest.mark.parametrize("what", WAITING)
def test_a_power_cut_begins_the_twenty_seconds_anew_not_five(what: str) -> None:
    table = waiting(what)
    table.wait(5100)
    table.power_cut(60_000)
    table.wait(19_900)
    assert table.all("agree") == []
    table.wait(200)
    assert table.all("agree") == [{}]


def test_when_all_cards_were_shown_by_hand_in_time_nobody_is_asked() -> None:
    table = waiting("reveal")
    table.reader(up=False)
    table.order("card", card=table.card("AS"))
    table.wait(4000)
    table.order("card", card=table.card("AH"))
    table.wait(1500)
    assert table.all("agree") == []
    assert table.last("verdict")["true"] is True
