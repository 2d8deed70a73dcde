"""Seats that leave in the middle of a deal: what they hold, what they owe, and who acts in their place."""

from games.at_table import at
from games.positions import claimed, declared


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


def test_who_won_its_place_and_leaves_keeps_it() -> None:
    """ "its open claim is settled first": the last cards were a place before the seat was gone"""
    table = at("classic", 4, hands=(1, 20, 20, 11), turn=1, options={"play_on": True})
    table.say(1, "claim", count=1)
    table.say(1, "leave")
    table.wait(11_000)
    assert (table.last("win"), table.state.gone) == ({"seat": 1, "place": 1}, (1,))
    table.say(2, "leave")
    assert table.phase == "claim", "two still play for the next place"
    table.say(3, "leave")
    assert table.last("over") == {"scores": [3, -1, -1, -1], "places": [1, 4, 3, 2]}


def test_who_has_its_place_may_get_up_and_the_others_play_on() -> None:
    """It is not in the next deal, and who sits down there is."""
    table = at("classic", 3, hands=(1, 30, 21), turn=1, options={"play_on": True})
    table.say(1, "claim", count=1)
    table.wait(11_000)
    table.menu(1, "I LEAVE")
    assert (table.state.gone, table.phase, table.state.turn) == ((1,), "claim", 2)
    table.press(1)
    assert table.table.fold.house.sitting == (1,)
    table.press(1)
    table.order("set_hands", hands=(0, 1, 21))
    table.say(2, "claim", count=1)
    table.wait(11_000)
    assert table.last("over") == {"scores": [2, -1, -1], "places": [1, 2, 3]}
    assert table.labels(1) == ()


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


def test_liar_poker_the_holder_leaves_and_the_round_is_void() -> None:
    table = declared()
    table.say(2, "leave")
    assert (table.phase, table.state.turn, table.hands) == ("declare", 3, [0, 0, 5, 0])
    assert (table.all("point"), table.view.declaration) == ([], None)


def test_liar_poker_the_responder_leaves_and_its_left_responds() -> None:
    table = declared()
    table.say(3, "leave")
    assert (table.phase, table.state.turn) == ("respond", 4)
    table.say(4, "accept")
    assert table.hands == [0, 0, 0, 5]


def test_liar_poker_the_challenger_leaves_and_the_round_is_void() -> None:
    table = declared()
    table.say(3, "liar")
    table.say(2, "show")
    table.show("KS")
    table.say(3, "leave")
    assert (table.phase, table.state.turn, table.all("point")) == ("declare", 4, [])


def test_liar_poker_somebody_else_leaves_and_nothing_changes() -> None:
    table = declared()
    table.say(1, "leave")
    assert (table.phase, table.state.turn) == ("respond", 3)


def test_liar_poker_too_few_end_it_by_points() -> None:
    table = declared(3)
    table.say(3, "liar")
    table.say(2, "give_up")
    table.say(1, "leave")
    table.say(3, "leave")
    over = table.last("over")
    assert (over["scores"], over["places"], "loser" in over) == ([0, 1, 0], [2, 3, 1], False)
