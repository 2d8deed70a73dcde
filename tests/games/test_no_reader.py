"""A reveal without a reader: the cards are turned over, and the table agrees on what they are."""

from games.at_table import AtTable
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
