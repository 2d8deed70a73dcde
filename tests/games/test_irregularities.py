"""What goes wrong at a table, and what then holds: every row of the rules' list, seats that leave, fine points."""

from typing import Any

import pytest
from msgspec.structs import replace

from doubtable.inputs import Device, Input, Source, TagGone, TagSeen
from doubtable.table import Table
from doubtable.timing import MS, Timing
from games.at_table import NAMES, AtTable, at

TAGS = {"D000000001": "AS", "D000000002": "AH"}


def claimed(count: int = 1, *, seats: int = 4, game: str = "classic", **start: Any) -> AtTable:
    """Seat 1's claim is open."""
    table = at(game, seats, turn=1, **start) if start else at(game, seats)
    table.say(1, "claim", count=count, **({"rank": "A"} if game == "wrong-rank" else {}))
    return table


def doubted(count: int = 1, *, seats: int = 4, **start: Any) -> AtTable:
    """Seat 3 has doubted seat 1's claim of aces."""
    table = claimed(count, seats=seats, **start)
    table.slap(3)
    assert table.phase == "reveal"
    return table


# Claims ---------------------------------------------------------------------------------------------------------------


def test_a_claimant_presses_on_its_own_claim() -> None:
    table = claimed()
    table.press(1)
    table.wait(1000)
    assert (table.last("void"), table.all("doubt")) == ({"seat": 1, "why": "claimant"}, [])


@pytest.mark.parametrize("count", [1, 4])
def test_words_follow_the_cards_once(count: int) -> None:
    table = claimed(2)
    table.say(1, "correct", count=count)
    assert (table.hands, table.state.pile) == ([13 - count, 13, 13, 13], count)
    table.say(1, "correct", count=3)
    assert table.last("refused")["why"] == "a claim is corrected once"


@pytest.mark.parametrize(("count", "why"), [(5, "1 to 4"), (0, "1 to 4"), (2, "already")])
def test_cards_over_the_maximum_go_back(count: int, why: str) -> None:
    table = claimed(2)
    table.say(1, "correct", count=count)
    assert why in table.last("refused")["why"]
    assert table.state.claim.count == 2


def test_correcting_to_the_last_cards_is_a_last_call() -> None:
    table = claimed(2, hands=(3, 17, 16, 16))
    table.say(1, "correct", count=3)
    assert (table.phase, table.last("corrected")) == ("last_call", {"seat": 1, "count": 3, "rank": "A", "last": True})
    table = claimed(3, hands=(3, 17, 16, 16))
    table.say(1, "correct", count=1)
    assert (table.phase, table.hands[0]) == ("doubt", 2)


def test_a_play_out_of_turn_goes_back_without_penalty() -> None:
    table = at("classic", 4)
    before = table.state
    table.say(3, "claim", count=2)
    assert table.last("refused") == {"seat": 3, "why": "it is the turn of seat 1"}
    assert table.state == before


# Cards ----------------------------------------------------------------------------------------------------------------


def test_an_unreadable_tag_is_entered_by_hand_and_marked() -> None:
    table = doubted(2)
    table.order("card", card=table.card("AS"))
    table.show("AH")
    assert table.all("reveal") == [
        {"card": "AS", "ok": True, "by_hand": True},
        {"card": "AH", "ok": True},
    ]


def test_the_same_card_twice_is_counted_once() -> None:
    table = doubted(2)
    table.show("AS", "AS")
    assert len(table.all("reveal")) == 1
    table.wait(5100)
    assert table.last("missing") == {"count": 1}


def test_with_two_packs_both_count() -> None:
    table = claimed(2, seats=6)
    table.slap(3)
    table.show("AS", "AS'")
    table.wait(2000)
    assert [facts.get("pack", 1) for facts in table.all("reveal")] == [1, 2]
    assert table.last("verdict")["true"] is True


def tagged() -> AtTable:
    """A table whose cards have tags; seat 1 claims two aces."""
    table = at("classic", 4)
    cards = {tag: table.card(text) for tag, text in TAGS.items()}
    return AtTable(Table(table.rules, NAMES[:4], 4, cards=cards))


def test_a_tag_that_lay_there_when_the_reveal_began_must_be_shown_again() -> None:
    table = tagged()
    table.say(1, "claim", count=2)
    table.feed(TagSeen(table.ns, "D000000001"))
    table.slap(3)
    table.wait(1000)
    assert table.all("reveal") == []
    table.feed(TagGone(table.ns, "D000000001"))
    table.feed(TagSeen(table.ns, "D000000001"))
    assert table.all("reveal") == [{"card": "AS", "ok": True}]


def test_tags_outside_a_reveal_are_not_kept() -> None:
    table = tagged()
    table.feed(TagSeen(table.ns, "D000000002"))
    assert table.all("tag") == [{"id": "D000000002", "card": "AH"}]
    assert table.all("reveal") == []


def test_an_unknown_tag_never_counts_and_is_named_on_the_screen() -> None:
    table = tagged()
    table.say(1, "claim", count=1)
    table.slap(3)
    table.feed(TagSeen(table.ns, "0102030405"))
    assert table.last("tag") == {"id": "0102030405", "card": None}
    assert ("UNKNOWN CARD", {}) in table.view.notices
    assert table.all("reveal") == []


def test_a_card_of_a_deck_that_is_not_in_play_never_counts_and_its_deck_is_named() -> None:
    table = tagged()
    table.table.strangers = {"0102030405": "blue"}
    table.say(1, "claim", count=1)
    table.slap(3)
    table.feed(TagSeen(table.ns, "0102030405"))
    assert table.last("tag") == {"id": "0102030405", "card": None}
    assert ("CARD OF DECK {deck}", {"deck": "blue"}) in table.view.notices
    assert table.all("reveal") == []


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (Source(0, "panel", up=False), "PANEL IS GONE"),
        (Source(0, "gpio", up=False), "BUTTONS ARE GONE"),
        (Device(0, "lamps", up=False), "LAMPS ARE GONE"),
        (Device(0, "reader", up=False), "NO READER"),
    ],
)
def test_what_is_lost_is_said_while_the_game_goes_on_and_no_longer_when_it_is_back(given: Input, text: str) -> None:
    table = tagged()
    table.feed(replace(given, ns=table.ns))
    assert (text, {}) in table.view.notices
    table.say(1, "claim", count=1)
    assert table.phase == "doubt"
    table.feed(replace(given, ns=table.ns, up=True))
    assert (text, {}) not in table.view.notices


def test_a_last_round_is_said_before_a_reader_that_is_missing() -> None:
    table = at("classic", 4, options={"bell_min": 2})
    table.feed(Device(table.ns, "reader", up=False))
    table.wait(121_000)
    assert [text for text, _ in table.view.notices] == ["LAST ROUND", "NO READER"]


def test_a_card_that_is_shown_twice_is_named_on_the_screen() -> None:
    table = tagged()
    table.say(1, "claim", count=2)
    table.slap(3)
    table.feed(TagSeen(table.ns, "D000000001"))
    assert ("SHOWN ALREADY", {}) not in table.view.notices
    table.wait(1000)
    table.feed(TagSeen(table.ns, "D000000001"))
    assert ("SHOWN ALREADY", {}) in table.view.notices
    assert len(table.all("reveal")) == 1
    table.feed(TagSeen(table.ns, "D000000002"))
    assert ("SHOWN ALREADY", {}) not in table.view.notices


def test_a_card_that_another_seat_picked_up_is_reported_and_counts() -> None:
    table = doubted(2)
    table.show("AS", "5C")  # a lie: seat 1 takes both
    table.say(2, "claim", count=1)
    table.slap(4)
    table.show("5C")
    assert table.last("elsewhere") == {"card": "5C", "seat": 1}
    assert ("KNOWN ELSEWHERE", {}) in table.view.notices
    assert table.last("verdict")["true"] is False, "the verdict goes by the cards"


def test_once_that_seat_has_laid_cards_nobody_knows() -> None:
    table = doubted(2)
    table.show("AS", "5C")
    for seat in (2, 3, 4, 1):
        table.say(seat, "claim", count=1)
        table.wait(4100)
    table.say(2, "claim", count=1)
    table.slap(4)
    table.show("5C")
    assert table.all("elsewhere") == []


def test_a_card_set_aside_is_reported() -> None:
    table = at("rounds", 4)
    table.say(1, "lead", rank="K")
    table.slap(3)
    table.show("5C")  # seat 1 takes it
    table.say(1, "leave")  # and its cards are set aside
    assert table.state.turn == 3
    table.say(3, "lead", rank="Q")
    table.slap(2)
    table.show("5C")
    assert table.last("elsewhere") == {"card": "5C", "seat": None}


# A reveal without a reader --------------------------------------------------------------------------------------------


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


# Seats that leave -----------------------------------------------------------------------------------------------------


def test_the_claimants_open_claim_is_settled_first() -> None:
    table = claimed(2, seats=5)
    table.say(1, "leave")
    assert (table.state.gone, table.phase) == ((), "doubt")
    table.slap(3)
    table.show("5C")
    assert table.last("verdict")["takes"] == 1
    assert (table.state.gone, table.hands, table.state.pile) == ((1,), [0, 11, 10, 10, 10], 11)
    assert (table.state.turn, table.state.due) == (2, "K")


def test_the_doubter_leaves_when_it_is_settled() -> None:
    table = claimed(2, seats=5)
    table.slap(3)
    table.say(3, "leave")
    assert table.phase == "reveal"
    table.show("AS", "AH")
    table.wait(2000)
    assert table.last("verdict")["takes"] == 3
    assert (table.state.gone, table.state.pile) == ((3,), 12), "whoever loses takes the pile, then it leaves"


def test_the_turn_passes_to_the_left_with_the_same_due_rank() -> None:
    table = at("classic", 5)
    table.say(1, "leave")
    assert (table.state.turn, table.state.due, table.state.pile) == (2, "A", 11)


def test_a_seat_that_left_ranks_last_and_pays() -> None:
    """ "A seat that left pays for the cards it held when it left." "Chip scoring: a seat that left pays 1." """
    for scoring, scores in (("chip", [4, -1, -1, -1, -1]), ("per_card", [45, -10, -10, -20, -5])):
        table = at("classic", 5, hands=(1, 10, 10, 20, 5), pile=6, turn=1, options={"scoring": scoring})
        table.say(4, "leave")
        table.say(1, "claim", count=1)
        table.wait(11_000)
        assert table.last("over") == {"scores": scores, "places": [1, 5, 2, 3, 4]}


def test_fewer_than_the_game_allows_end_it_fewest_first() -> None:
    table = at("classic", 3, hands=(20, 12, 20), turn=1)
    table.say(3, "leave")
    assert table.last("over") == {"scores": [-1, 2, -1], "places": [2, 1, 3]}, "a sole fewest is paid"
    table = at("classic", 3, hands=(16, 16, 20), turn=1)
    table.say(3, "leave")
    assert table.last("over") == {"scores": [0, 0, 0], "places": [1, 2, 3]}, "a tie is not"


def test_rounds_sets_its_cards_aside_unseen() -> None:
    table = at("rounds", 4)
    table.say(3, "leave")
    assert (table.hands, table.state.aside, table.state.pile) == ([7, 7, 0, 7], 31, 0)


def test_rounds_an_owner_who_is_leaving_passes_and_does_not_lead() -> None:
    table = at("rounds", 5)
    table.say(1, "lead", rank="K")
    table.say(1, "leave")
    for seat in (2, 3, 4, 5):
        table.say(seat, "pass")
    assert table.all("pass")[-1] == {"seat": 1}, "when its turn comes"
    table.wait(4000)
    assert (table.last("stack_out")["cards"], table.state.gone, table.state.turn) == (1, (1,), 2)


def test_rounds_a_leaving_owner_whose_card_was_right_leaves_the_lead_to_its_left() -> None:
    table = at("rounds", 5)
    table.say(1, "lead", rank="K")
    table.say(1, "leave")
    table.slap(3)
    table.show("KS")
    assert (table.state.gone, table.state.turn, table.phase) == ((1,), 2, "lead")


def test_rounds_the_leading_seat_leaves() -> None:
    table = at("rounds", 5)
    table.say(1, "leave")
    assert (table.state.turn, table.phase, table.state.aside) == (2, "lead", 24)


def test_rounds_a_false_show_binds_only_who_made_it() -> None:
    """ "its strip is DOUBT, PASS": the seat that showed; it leaves, and its left may lay a card"""
    table = at("rounds", 5, hands=(7, 1, 7, 7, 7), turn=1)
    table.say(1, "lead", rank="K")
    table.wait(5000)
    table.say(2, "win")
    table.show("5S")
    table.say(2, "leave")
    assert table.state.turn == 3
    table.say(3, "play")
    assert table.last("play")["seat"] == 3


def poker(seats: int = 4) -> AtTable:
    """Seat 2 holds the hand and has declared a pair of kings; seat 3 answers."""
    table = at("liar-poker", seats)
    table.slap(2)
    table.say(2, "declare", hand="pair K")
    return table


def test_liar_poker_the_holder_leaves_and_the_round_is_void() -> None:
    table = poker()
    table.say(2, "leave")
    assert (table.phase, table.state.turn, table.hands) == ("declare", 3, [0, 0, 5, 0])
    assert (table.all("point"), table.view.declaration) == ([], None)


def test_liar_poker_the_responder_leaves_and_its_left_responds() -> None:
    table = poker()
    table.say(3, "leave")
    assert (table.phase, table.state.turn) == ("respond", 4)
    table.say(4, "accept")
    assert table.hands == [0, 0, 0, 5]


def test_liar_poker_the_challenger_leaves_and_the_round_is_void() -> None:
    table = poker()
    table.say(3, "liar")
    table.say(2, "show")
    table.show("KS")
    table.say(3, "leave")
    assert (table.phase, table.state.turn, table.all("point")) == ("declare", 4, [])


def test_liar_poker_somebody_else_leaves_and_nothing_changes() -> None:
    table = poker()
    table.say(1, "leave")
    assert (table.phase, table.state.turn) == ("respond", 3)


def test_liar_poker_too_few_end_it_by_points() -> None:
    table = poker(3)
    table.say(3, "liar")
    table.say(2, "give_up")
    table.say(1, "leave")
    table.say(3, "leave")
    over = table.last("over")
    assert (over["scores"], over["places"], "loser" in over) == ([0, 1, 0], [2, 3, 1], False)


# Skip and undo --------------------------------------------------------------------------------------------------------


def test_skip_only_with_no_claim_open() -> None:
    table = claimed()
    table.order("skip")
    assert "phase doubt" in table.last("refused")["why"]
    table.wait(4000)
    table.say(2, "start")
    table.order("skip")
    assert (table.state.turn, table.state.due) == (3, "Q")


def test_skip_in_rounds_moves_the_lead_on_or_is_a_pass() -> None:
    table = at("rounds", 4)
    table.order("skip")
    assert (table.phase, table.state.turn) == ("lead", 2)
    table.say(2, "lead", rank="K")
    table.order("skip")
    assert "doubted" in table.last("refused")["why"]
    table.wait(64_000)
    table.order("skip")
    assert (table.last("pass"), table.state.turn) == ({"seat": 3}, 4)


def test_no_skip_and_no_counts_in_liar_poker() -> None:
    table = poker()
    for order, facts in (("skip", {}), ("set_hands", {"hands": (0, 0, 5, 0)})):
        table.order(order, **facts)
        assert "does not exist in liar-poker" in table.last("refused")["why"]


def test_each_undo_goes_one_lock_back_and_the_entry_begins_anew() -> None:
    table = at("classic", 4)
    for seat, count in ((1, 2), (2, 1), (3, 4)):
        table.say(seat, "claim", count=count)
        table.wait(4100)
    table.press(4, 3)
    table.order("undo")
    assert (table.state.turn, table.state.due, table.hands) == (3, "Q", [11, 12, 13, 13])
    assert [table.cursor(seat) for seat in (3, 4)] == ["-", ""]
    table.order("undo")
    table.order("undo")
    assert (table.state.turn, table.state.due, table.hands, table.state.pile) == (1, "A", [13] * 4, 0)


def test_undo_in_rounds_leaves_the_earlier_window_closed() -> None:
    table = at("rounds", 4)
    table.say(1, "lead", rank="K")
    table.wait(4000)
    table.say(2, "play")
    table.order("undo")
    assert (table.state.turn, table.state.pile, table.state.window) == (2, 1, None)
    assert "DOUBT" not in table.labels(2)
    assert "PLAY" in table.labels(2)


def test_undo_in_liar_poker() -> None:
    table = poker()
    table.say(3, "accept")
    table.order("undo")
    assert (table.phase, table.state.turn, table.view.declaration) == ("declare", 2, None)


# Stamps ---------------------------------------------------------------------------------------------------------------


def test_a_doubt_at_the_stamp_of_a_let_go_wins() -> None:
    """ "`let_go` counts like a start: a doubt with the same stamp wins." """
    table = claimed(hands=(1, 17, 17, 17))
    table.wait(5000)
    table.say_together((2, "let_go"), (4, "doubt"))
    table.wait(1000)
    assert (table.phase, table.last("doubt")["seat"]) == ("reveal", 4)


def test_a_doubt_at_the_stamp_of_a_start_wins() -> None:
    table = claimed()
    table.wait(5000)
    table.say_together((2, "start"), (4, "doubt"))
    table.wait(1000)
    assert table.phase == "reveal"


def test_a_doubt_at_the_stamp_of_a_pass_wins_and_of_a_win_too() -> None:
    """ "A doubt stamped up to a pass, WIN or removal is settled first; after a WIN or removal it is late." """
    table = at("rounds", 4, hands=(7, 1, 7, 7))
    table.say(1, "lead", rank="K")
    table.wait(5000)
    table.say_together((2, "win"), (4, "doubt"))
    table.wait(1000)
    assert (table.phase, table.state.doubter) == ("reveal", 4)
    table = at("rounds", 4, hands=(7, 1, 7, 7))
    table.say(1, "lead", rank="K")
    table.wait(5000)
    table.say(2, "win")
    table.press(4)
    assert table.last("void")["why"] in ("early", "late")
    assert table.state.winning == 2


def test_a_wrong_rank_call_counts_at_its_press_down() -> None:
    """The earlier stamp wins; within the tie window the doubt is settled first."""
    for later, event in ((300, "corrected"), (3, "doubt")):
        table = at("wrong-rank", 5)
        table.say(1, "claim", count=1, rank="Q")
        table.edge(3, 1)  # the call
        table.wait(later)
        table.edge(4, 1)  # the slap
        table.wait(100)
        table.edge(4, 0)
        table.wait(1000)
        table.edge(3, 0)
        table.wait(500)
        assert table.all(event), later
        assert bool(table.all("corrected")) == (event == "corrected")
    assert {facts["why"] for facts in table.all("void")} <= {"late"}


def test_slaps_between_a_calls_press_down_and_its_hold_are_late_without_lock_out() -> None:
    table = at("wrong-rank", 5)
    table.say(1, "claim", count=1, rank="Q")
    table.edge(3, 1)
    table.wait(600)
    table.press(4)
    table.slap(4)  # 200 ms after that press, 100 ms after the hold: a lock-out would last 250
    assert [facts["why"] for facts in table.all("void") if facts["seat"] == 4] == ["late"]
    assert table.last("corrected")["rank"] == "A"
    assert table.last("doubt")["seat"] == 4


def test_a_call_of_a_right_rank_changes_nothing_but_that_seat_cannot_doubt() -> None:
    table = at("wrong-rank", 5)
    table.say(1, "claim", count=1, rank="A")
    table.mark()
    before = table.lamps()
    table.hold(3)
    table.wait(500)
    assert (table.names(), table.lamps()) == ([], before)
    table.slap(3)
    assert (table.all("doubt"), table.phase) == ([], "doubt")
    table.slap(4)
    assert table.last("doubt")["seat"] == 4


def test_no_time_chooses_for_a_player() -> None:
    """ "No choice is ever made for a player by a time-out. Time only closes windows." """
    for game, phase in (("classic", "claim"), ("rounds", "lead"), ("wrong-rank", "claim")):
        table = at(game, 4)
        table.press(2)
        table.wait(3 * 3_600_000)
        assert table.phase == phase
        assert not table.all("claim")
    table = poker()
    table.wait(3 * 3_600_000)
    assert (table.phase, table.state.turn) == ("respond", 3)


def test_an_open_window_lasts_doubt_ms_and_a_minute() -> None:
    table = claimed()
    locked = table.state.window.opened
    table.wait(63_700)
    assert table.state.window is not None
    table.wait(300)
    closed = [each.ns for each in table.said if each.name == "window" and each.facts["state"] == "closed"]
    assert closed == [locked + 64_000 * MS]
    assert Timing().window_limit == 60_000 * MS
    table.press(4)
    table.wait(500)
    assert (table.all("doubt"), table.phase, table.state.turn) == ([], "claim", 2)
