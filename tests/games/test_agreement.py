"""Where no reader counts, the table agrees: Liar Poker's proof, the last card that is shown to win, and new deals."""

import pytest

from doubtable.cards import Card
from doubtable.games.poker_hands import parse, serving
from doubtable.inputs import Device, Restart
from doubtable.timing import MS
from games.at_table import AtTable, at, evening

# Liar Poker -----------------------------------------------------------------------------------------------------------


def proving(seats: int = 5, hand: str = "pair K") -> AtTable:
    """Seat 1 has declared, seat 2 has called it a liar; seat 1 shows."""
    table = at("liar-poker", seats)
    table.slap(1)
    table.say(1, "declare", hand=hand)
    table.say(2, "liar")
    table.say(1, "show")
    return table


def poker_agreeing(seats: int = 5) -> AtTable:
    table = proving(seats)
    table.reader(up=False)
    table.wait(5000)
    assert table.view.scene == "agree"
    return table


def test_after_five_seconds_without_a_reader_holder_and_challenger_are_asked() -> None:
    table = proving()
    table.reader(up=False)
    table.wait(4700)
    assert (table.all("agree"), table.labels(1)) == ([], ("GIVE UP",))
    table.wait(200)
    assert table.all("agree") == [{}]
    assert [table.labels(seat) for seat in (1, 2, 3)] == [("WAIT", "TRUE", "LIE"), ("WAIT", "TRUE", "LIE"), ()]
    assert table.view.help == ("TRUE OR LIE?", {})


def test_a_reader_that_was_gone_before_counts_from_show_on() -> None:
    table = at("liar-poker", 5)
    table.reader(up=False)
    table.slap(1)
    table.say(1, "declare", hand="pair K")
    table.say(2, "liar")
    table.wait(20_000)
    assert table.labels(1) == ("SHOW", "GIVE UP"), "nothing needs to be shown"
    table.say(1, "show")
    table.wait(4700)
    assert table.all("agree") == []
    table.wait(200)
    assert table.all("agree") == [{}]


@pytest.mark.parametrize(("word", "loser", "events"), [("true", 2, ["proved", "point"]), ("lie", 1, ["point"])])
def test_agreed_is_the_verdict_and_marked(word: str, loser: int, events: list[str]) -> None:
    table = poker_agreeing()
    table.mark()
    table.pick(1, word.upper())
    table.pick(2, word.upper())
    table.wait()
    assert table.last("point") == {"seat": loser, "points": 1, "by_agreement": True}
    assert [name for name in table.names() if name in ("proved", "point", "gave_up")] == events
    assert (table.phase, table.state.turn, table.state.agreeing) == ("declare", loser, False)


def test_else_the_others_vote_and_a_tie_is_not_genuine() -> None:
    table = poker_agreeing(4)
    table.say(1, "agree", says="true")
    table.say(2, "agree", says="lie")
    assert [table.labels(seat)[:1] for seat in (1, 2, 3, 4)] == [(), (), ("WAIT",), ("WAIT",)]
    table.say(1, "agree", says="lie")
    assert table.last("refused")["why"] == "seat 1 is not asked"
    table.say(3, "agree", says="true")
    table.say(4, "agree", says="lie")
    assert table.last("point")["seat"] == 1


def test_two_who_do_not_agree_have_nobody_to_vote() -> None:
    table = poker_agreeing(2)
    table.say(1, "agree", says="true")
    table.say(2, "agree", says="lie")
    assert table.last("point")["seat"] == 1, "a tie is false"


def test_a_voter_that_leaves_is_asked_no_more() -> None:
    table = poker_agreeing(4)
    table.say(1, "agree", says="true")
    table.say(2, "agree", says="lie")
    table.say(3, "agree", says="true")
    table.say(4, "leave")
    assert table.last("point")["seat"] == 2


def test_giving_up_stays_possible() -> None:
    table = poker_agreeing()
    table.say(1, "give_up")
    assert table.last("gave_up") == {"seat": 1}
    assert "by_agreement" not in table.last("point")


def test_a_reader_that_comes_back_in_time_ends_it() -> None:
    table = poker_agreeing()
    table.say(1, "agree", says="true")
    table.reader(up=True)
    assert table.labels(1) == ("GIVE UP",)
    table.show("KS", "KH")
    assert "by_agreement" not in table.last("point")
    table = poker_agreeing()
    table.say(1, "agree", says="true")
    table.say(2, "agree", says="lie")
    table.reader(up=True)
    assert table.labels(3)[:1] == ("WAIT",), "both had chosen: the others go on"


def test_missing_cards_are_said_and_twenty_seconds_later_the_table_agrees() -> None:
    table = proving(hand="two_pairs K Q")
    table.show("KS", "2C")
    table.wait(5000)
    assert table.last("missing") == {"count": 3}, "the 2 is no card of the two pairs"
    assert ("{count} CARDS MISSING", {"count": 3}) in table.view.notices
    table.wait(19_900)
    assert table.all("agree") == []
    table.wait(200)
    assert table.all("agree") == [{}]


def test_a_card_that_is_read_after_all_ends_it() -> None:
    table = proving()
    table.wait(26_000)
    assert table.all("agree") == [{}]
    table.show("KS")
    assert table.labels(1) == ("GIVE UP",)
    table.show("KH")
    assert table.last("point") == {"seat": 2, "points": 1}


def test_a_card_is_ignored_while_the_reader_counts_as_gone() -> None:
    table = poker_agreeing()
    table.show("KS")
    assert table.all("reveal") == []
    table.order("card", card=Card.parse("KS"))
    assert "true or lie" in table.last("refused")["why"]


def test_the_times_stand_still_in_a_pause_and_begin_anew_after_a_power_cut() -> None:
    table = proving()
    table.reader(up=False)
    table.say(3, "pause")
    table.wait(60_000)
    table.say(4, "go_on")
    assert table.all("agree") == []
    table.wait(4000)
    table.feed(Restart(table.ns, 90_000 * MS))
    table.ms += 90_000
    table.feed(Device(table.ns, "reader", up=False))
    table.wait(4900)
    assert table.all("agree") == []
    table.wait(200)
    assert table.all("agree") == [{}]


@pytest.mark.parametrize(
    ("hand", "cards", "ticks"),
    [
        ("pair K", "KS 2C KH", (True, False, True)),
        ("two_pairs K Q", "KS KH KD QS", (True, True, False, True)),
        ("straight 5", "AS 2C 6D 5H", (True, True, False, True)),
        ("flush J", "JS 2S 3C 4S", (True, True, False, True)),
        ("straight_flush 6", "6H 5H 4S 2H", (True, True, False, True)),
    ],
)
def test_cards_that_go_towards_the_proof_are_ticked(hand: str, cards: str, ticks: tuple[bool, ...]) -> None:
    assert serving(parse(hand, "named"), [Card.parse(text) for text in cards.split()]) == ticks


def test_the_simple_two_pairs_take_any_lower_pair() -> None:
    cards = [Card.parse(text) for text in ("KS", "2C", "KH", "3D", "3S")]
    assert serving(parse("two_pairs K", "simple"), cards) == (True, False, True, True, True)


def test_the_proof_is_to_be_seen_card_by_card() -> None:
    table = proving(hand="full K 9")
    assert (table.view.cards, table.view.wanted) == ((), 5)
    table.show("KS", "2C")
    assert table.view.cards == (("KS", True), ("2C", False))


def test_missing_cards_of_an_earlier_reveal_are_not_told_again() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=2)
    table.slap(3)
    table.wait(5000)
    assert ("{count} CARDS MISSING", {"count": 2}) in table.view.notices
    table.show("5C")
    table.say(2, "claim", count=2)
    table.slap(4)
    assert (table.phase, table.view.notices) == ("reveal", ())


# A last card that is shown to win -------------------------------------------------------------------------------------


def showing(reader: bool = True) -> AtTable:
    """Seat 2 shows its last card: it should be a king, as seat 1 led."""
    table = at("rounds", 4, hands=(7, 1, 7, 7))
    table.say(1, "lead", rank="K")
    table.wait(5000)
    table.reader(up=reader)
    table.say(2, "win")
    return table


def test_without_a_reader_who_shows_says_what_it_is_and_the_others_vote() -> None:
    table = showing(reader=False)
    table.wait(4700)
    assert table.labels(2) == ("GIVE IN",)
    table.wait(200)
    assert (table.view.scene, table.view.help) == ("agree", ("TRUE OR LIE?", {}))
    assert [table.labels(seat) for seat in (1, 2)] == [(), ("WAIT", "TRUE", "LIE")]
    table.pick(2, "TRUE")
    assert table.labels(1) == ("WAIT", "TRUE", "LIE")
    table.pick(1, "TRUE")
    table.pick(3, "LIE")
    assert table.all("win") == []
    table.pick(4, "TRUE")
    table.wait()
    assert table.last("agreed") == {"seat": 2, "true": True, "by_agreement": True}
    assert (table.last("win")["seat"], table.phase) == (2, "over")


def test_its_own_lie_is_a_false_show_at_once() -> None:
    table = showing(reader=False)
    table.wait(5000)
    table.say(2, "agree", says="lie")
    assert (table.phase, table.state.turn, table.state.won_falsely) == ("play", 2, True)
    assert table.state.window is not None, "the top card's window goes on"
    assert table.labels(2) == ("DOUBT", "PASS")


def test_a_tie_of_the_others_is_a_false_show() -> None:
    table = showing(reader=False)
    table.wait(5000)
    table.say(2, "agree", says="true")
    table.say(1, "agree", says="true")
    table.say(3, "agree", says="lie")
    table.say(4, "agree", says="lie")
    assert (table.all("win"), table.phase) == ([], "play")


def test_missing_is_said_of_a_last_card_too() -> None:
    table = showing()
    assert table.view.wanted == 1
    table.wait(5000)
    assert table.last("missing") == {"count": 1}
    table.wait(20_100)
    assert table.all("agree") == [{}]
    table.show("KS")
    assert table.last("win")["seat"] == 2, "a card that is read after all counts"


def test_a_last_card_entered_by_hand_is_marked_and_one_known_elsewhere_reported() -> None:
    table = showing()
    table.order("card", card=Card.parse("KS"))
    assert table.last("reveal") == {"card": "KS", "ok": True, "by_hand": True}
    assert table.last("win")["seat"] == 2


def test_who_shows_and_leaves_has_shown_nothing() -> None:
    table = showing(reader=False)
    table.wait(5000)
    table.say(2, "leave")
    assert (table.state.gone, table.state.winning, table.state.reveal) == ((2,), None, None)
    assert table.phase == "play"


def test_too_few_are_left_while_a_card_is_shown() -> None:
    table = at("rounds", 3, hands=(7, 1, 7))
    table.say(1, "lead", rank="K")
    table.wait(5000)
    table.say(2, "win")
    table.say(3, "leave")
    assert (table.phase, table.view.scene) == ("over", "over")


# A party that gets up -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("party", [1, 3])
def test_when_a_party_has_got_up_only_the_others_are_asked(party: int) -> None:
    table = at("classic", 5, hands=(10, 10, 10, 10, 10), pile=2, turn=1)
    table.say(1, "claim", count=1)
    table.slap(3)
    table.say(party, "leave")
    table.reader(up=False)
    table.wait(5000)
    assert [seat for seat in (1, 2, 3, 4, 5) if table.labels(seat)] == [2, 4, 5]
    table.wait(61_000)
    assert table.last("waiting") == {"seat": 2}
    for seat in (2, 4):
        table.say(seat, "agree", says="true")
    assert table.all("verdict") == []
    table.say(5, "agree", says="lie")
    assert (table.last("verdict")["true"], table.state.gone) == (True, (party,))


# Whatever begins anew knows that the reader is gone -------------------------------------------------------------------


def test_a_deal_that_begins_without_a_reader_knows_it() -> None:
    table = evening(4)
    table.reader(up=False)
    for seat in (1, 2, 3, 4):
        table.press(seat)
    table.hold(4, 2)
    table.wait(5200)
    table.hold(4)
    table.wait()
    table.say(1, "claim", count=1)
    table.slap(3)
    table.wait(5000)
    assert table.view.scene == "agree"


def test_an_undo_does_not_bring_the_reader_back() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=1)
    table.reader(up=False)
    table.order("undo")
    assert table.state.reader_lost is not None
    table.reader(up=True)
    assert table.state.reader_lost is None
