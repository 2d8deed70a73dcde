"""Votes on what no reader and no count can know: a card that cannot be read, and how many cards a seat holds."""

from games.at_table import AtTable, at
from games.positions import doubted


def carried(table: AtTable, *seats: int) -> None:
    for seat in seats:
        table.pick(seat, "YES")
    table.wait()


def test_a_card_that_cannot_be_read_is_entered_by_a_vote_and_marked() -> None:
    table = doubted(2, by=4)
    table.show("AS")
    table.menu(2, "ENTER A CARD", "A", "HEARTS")
    assert table.last("ask") == {"seat": 2, "act": "card", "of": None, "card": "AH"}
    assert table.view.headline[1]["claim"] == (
        "{rank} {suit}",
        {"rank": ("RANK", {"rank": "A"}), "suit": ("HEARTS", {})},
    )
    assert [table.labels(seat) for seat in (1, 2, 3, 4)] == [("NO", "YES"), (), ("NO", "YES"), ("NO", "YES")]
    carried(table, 1)
    assert len(table.all("reveal")) == 1
    carried(table, 4)
    assert table.last("reveal") == {"card": "AH", "ok": True, "by_hand": True}
    table.wait(1600)
    assert table.last("verdict")["true"] is True


def test_who_votes_no_keeps_the_card_out() -> None:
    table = doubted(2, by=4)
    table.menu(2, "ENTER A CARD", "A", "HEARTS")
    for seat in (1, 3):
        table.say(seat, "vote", says="no")
    assert (table.all("reveal"), table.phase) == ([], "reveal")


def test_of_two_packs_it_is_the_card_not_shown_yet() -> None:
    table = doubted(2, seats=6, by=6)
    table.show("AS")
    table.menu(2, "ENTER A CARD", "A", "SPADES")
    carried(table, 1, 3, 4)
    assert table.last("reveal") == {"card": "AS", "ok": True, "pack": 2, "by_hand": True}


def test_no_card_is_entered_where_none_is_shown() -> None:
    table = at("classic", 4)
    table.menu(2)
    assert "ENTER A CARD" not in table.labels(2)
    table = doubted(2, by=4)
    table.reader(up=False)
    table.wait(5100)
    table.menu(2)
    assert table.labels(2) == () or "ENTER A CARD" not in table.labels(2), "the table agrees instead"


def test_a_card_of_a_liar_poker_proof_is_entered_by_a_vote() -> None:
    table = at("liar-poker", 4)
    table.slap(1)
    table.say(1, "declare", hand="high A")
    table.say(2, "liar")
    table.menu(3)
    assert "ENTER A CARD" not in table.labels(3), "SHOW comes first"
    table.pick(3, "GO ON")
    table.say(1, "show")
    table.menu(3, "ENTER A CARD", "A", "CLUBS")
    carried(table, 1, 4)
    assert table.last("reveal") == {"card": "AC", "ok": True, "by_hand": True}
    assert table.last("point")["seat"] == 2


def test_a_last_card_that_is_shown_to_win_is_entered_by_a_vote() -> None:
    table = at("rounds", 4, hands=(7, 1, 7, 7))
    table.say(1, "lead", rank="K")
    table.wait(5000)
    table.say(2, "win")
    table.menu(3, "ENTER A CARD", "K", "DIAMONDS")
    carried(table, 1, 4)
    assert table.last("win")["seat"] == 2


def test_a_wrong_count_is_set_by_a_vote_and_the_pile_takes_the_difference() -> None:
    table = at("classic", 4, hands=(13, 13, 13, 10), pile=3, turn=1)
    table.menu(3, "I HOLD")
    assert table.labels(3)[:4] == ("14", "12", "15", "11"), "the nearest number first"
    table.pick(3, "12")
    assert table.view.headline[1]["claim"] == ("HOLDS {number}", {"number": 12})
    carried(table, 1, 2)
    assert (table.hands, table.state.pile) == ([13, 13, 12, 10], 4)
    assert table.last("hands") == {"hands": [13, 13, 12, 10], "pile": 4}


def test_nobody_can_hold_more_than_hand_and_pile() -> None:
    table = at("classic", 4, hands=(13, 13, 13, 10), pile=3, turn=1)
    table.menu(4, "I HOLD")
    assert sorted(map(int, table.labels(4))) == [*range(1, 10), 11, 12, 13]


def test_liar_poker_counts_no_hands() -> None:
    table = at("liar-poker", 4)
    table.slap(1)
    table.menu(3)
    assert "I HOLD" not in table.labels(3)


def test_the_help_line_of_a_chain_in_the_menu_is_not_the_games() -> None:
    table = at("wrong-rank", 4)
    table.menu(1, "I HOLD")
    assert table.view.help == ("TAP = NEXT\nHOLD = DO IT", {})
