"""An evening of several deals: the deal moves left, scores add up, the bell, places, streaks and awards."""

from collections.abc import Mapping

import pytest

from doubtable.events import Event, event
from doubtable.tally import STREAK, Tally, after, awards
from doubtable.timing import MS
from games.at_table import AtTable, at


def bell(hands: tuple[int, ...], turn: int = 1, options: Mapping[str, object] | None = None) -> AtTable:
    """The last round has been rung; seat 4 deals, and has the last claim."""
    pile = 52 - sum(hands)
    table = at("classic", 4, hands=hands, pile=pile, turn=turn, options={"bell_min": 1, **(options or {})})
    table.press(turn % 4 + 1)
    table.wait(61_000)
    assert table.state.last_round
    return table


def undoubted(table: AtTable, count: int = 1) -> None:
    table.say(table.state.turn, "claim", count=count)
    table.wait(4000)
    table.say(table.rules.next_seat(table.state, table.state.claim.seat), "start")


def win(table: AtTable) -> None:
    """Seat 1 lays its last card and wins; everybody goes on with the next deal."""
    table.order("set_hands", hands=tuple(1 if seat == table.state.turn else 5 for seat in table.seats))
    table.say(table.state.turn, "claim", count=1)
    table.wait(11_000)
    assert table.phase == "over"


# Deals ----------------------------------------------------------------------------------------------------------------


def test_the_deal_moves_left_and_scores_add_up() -> None:
    table = at("classic", 4)
    dealers = []
    for _ in range(5):
        dealers.append(table.state.dealer)
        win(table)  # the dealer's left
        table.hold(3)
        assert table.phase == "deal"
        table.hold(table.state.dealer)
    assert dealers == [4, 1, 2, 3, 4]
    assert [sum(facts["scores"]) for facts in table.all("over")] == [0] * 5
    assert table.view.totals == tuple(map(sum, zip(*(facts["scores"] for facts in table.all("over")), strict=True)))
    assert table.view.deals == 5


def test_the_deal_skips_who_has_left() -> None:
    table = at("classic", 5)
    table.say(1, "leave")
    table.order("new_game")
    assert (table.state.dealer, table.seats) == (2, [2, 3, 4, 5])


def test_options_last_for_the_next_deal() -> None:
    table = at("classic", 4, options={"scoring": "per_card", "bell_min": 30})
    win(table)
    table.hold(1)
    table.hold(table.state.dealer)
    assert (table.rules.options["scoring"], table.state.bell is not None) == ("per_card", True)


def test_a_penalty_point_counts_as_a_chip_lost() -> None:
    table = at("liar-poker", 2, options={"points": 2})
    table.slap(2)
    for _ in range(2):
        table.say(2, "declare", hand="pair K")
        table.say(1, "liar")
        table.say(2, "give_up")
    assert table.last("over") == {"scores": [0, 2], "places": [1, 2], "loser": 2, "penalty": True}
    assert table.view.totals == (0, -2)


def test_who_wins_is_seen() -> None:
    table = at("classic", 4)
    win(table)
    assert [seat.place for seat in table.view.seats] == [1, 0, 0, 0]
    assert (table.view.scene, table.view.headline) == ("over", ("GAME OVER", {}))
    assert table.view.scores == (3, -1, -1, -1)


# The bell -------------------------------------------------------------------------------------------------------------


def test_play_goes_on_to_the_dealer_and_fewest_cards_wins() -> None:
    table = bell((10, 8, 12, 9))
    for _ in range(3):
        undoubted(table)
    assert (table.phase, table.state.turn) == ("claim", 4)
    table.say(4, "claim", count=1)
    assert table.phase == "doubt"
    table.wait(4000)
    table.say(1, "start")
    assert table.last("over") == {"scores": [-1, 3, -1, -1], "places": [2, 4, 1, 3]}
    assert table.last("win") == {"seat": 2, "place": 1}


def test_open_claims_are_settled() -> None:
    table = bell((10, 8, 12, 9), turn=4)
    table.say(4, "claim", count=1)
    table.slap(2)
    assert table.phase == "reveal"
    table.show("5C")
    assert table.last("over")["scores"] == [-1, 3, -1, -1], "seat 4 took the pile first"
    assert table.hands == [10, 8, 12, 22]


def test_the_last_cards_of_the_last_round_win() -> None:
    table = bell((10, 3, 12, 1), turn=4)
    table.say(4, "claim", count=1)
    table.wait(11_000)
    assert [facts["seat"] for facts in table.all("win")] == [4]
    assert table.last("over")["scores"] == [-1, -1, -1, 3]


def test_a_tie_goes_to_more_right_doubts() -> None:
    table = bell((8, 10, 8, 9), turn=2)
    table.say(2, "claim", count=1)
    table.slap(1)
    table.show("5C")
    table.wait()
    undoubted(table, count=1)  # seat 3 has 7 now
    table.order("set_hands", hands=(8, 20, 8, 9))
    undoubted(table)
    assert table.hands == [8, 20, 8, 8]
    assert table.last("over")["scores"] == [3, -1, -1, -1]


def test_the_places_tell_the_winner_of_a_tie_first() -> None:
    table = bell((9, 10, 8, 9), turn=1)
    table.say(1, "claim", count=1)
    table.slap(3)
    table.show("5C")
    table.wait()
    table.order("set_hands", hands=(7, 10, 7, 9))
    for _ in range(3):
        undoubted(table)
    assert table.hands == [7, 9, 6, 8]
    table.order("undo")
    table.order("set_hands", hands=(7, 9, 7, 10))
    undoubted(table)
    assert table.last("over") == {"scores": [-1, -1, 3, -1], "places": [3, 1, 2, 4]}


@pytest.mark.parametrize(
    ("scoring", "scores"),
    [("chip", [2, -2, 2, -2]), ("per_card", [19, -20, 19, -18]), ("none", [0, 0, 0, 0])],
)
def test_then_it_is_shared_and_each_loser_pays_each_winner(scoring: str, scores: list[int]) -> None:
    table = bell((8, 10, 8, 10), turn=4, options={"scoring": scoring})
    undoubted(table)
    assert table.last("over")["scores"] == scores
    assert [facts["seat"] for facts in table.all("win")] == [1, 3]


def test_the_dealer_has_left_and_the_turn_goes_over_its_seat() -> None:
    table = bell((10, 8, 12, 9), turn=2)
    table.say(4, "leave")
    undoubted(table)
    table.say(3, "claim", count=1)
    table.wait(4000)
    table.say(1, "start")
    assert table.phase == "over"


def test_a_dealer_who_is_skipped_has_not_claimed_and_play_goes_on_to_its_next_claim() -> None:
    """ "It ends after the dealer's next claim is settled" """
    table = bell((10, 8, 12, 9), turn=4)
    table.order("skip")
    assert (table.phase, table.state.turn) == ("claim", 1)
    for _ in range(4):
        assert table.all("over") == []
        undoubted(table)
    assert table.last("over")["places"] == [2, 4, 1, 3]


def test_no_bell_before_its_time_and_none_in_rounds_or_liar_poker() -> None:
    table = at("classic", 4)
    table.press(2)
    table.wait(59_000)
    table.press(2)
    table.wait(59_000)
    assert table.all("last_round") == []
    for game in ("rounds", "liar-poker"):
        assert "bell_min" not in at(game, 4).rules.options_known


def test_with_places_the_first_out_is_paid_and_the_bell_only_orders() -> None:
    table = bell((1, 8, 12, 9), options={"play_on": True})
    table.say(1, "claim", count=1)
    table.wait(11_000)
    for _ in range(3):
        undoubted(table)
    assert table.last("over") == {"scores": [3, -1, -1, -1], "places": [1, 2, 4, 3]}


# Awards, from public facts only ---------------------------------------------------------------------------------------


def verdict(of: int, doubter: int, true: bool, cards: int) -> Event:
    takes = doubter if true else of
    return event("verdict", 0, of=of, doubter=doubter, true=true, takes=takes, cards=cards)


def test_four_awards() -> None:
    table = at("classic", 4)
    for seat, count, doubter, card, ms in ((1, 4, 3, "5C", 900), (2, 1, 4, "KC", 400), (3, 2, 1, "5D", 700)):
        table.say(seat, "claim", count=count)
        table.wait(ms - 200)
        table.slap(doubter)
        table.show(card)
        table.wait(2000)
    won = awards(table.table.state.tally)
    assert won == {"Fastest Slap": (4, 400 * MS), "Dearest Pile": (1, 4)}, "caught and nose are shared: nobody's"
    table.say(4, "claim", count=1)
    table.slap(3)
    table.show("5H")
    assert awards(table.table.state.tally)["Best Nose"] == (3, 2)


def test_awards_are_seen_at_the_end_of_a_deal_only() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=4)
    table.slap(3)
    table.show("5C")
    assert not table.view.awards
    table.wait(5000)
    win(table)
    assert {award[0] for award in table.view.awards} == {"Caught Most", "Best Nose", "Fastest Slap", "Dearest Pile"}


def test_undoubted_claims_are_never_counted() -> None:
    before = Tally()
    claim = event("claim", 0, seat=1, count=4, rank="A")
    assert awards(after(before, [claim, event("window", 0, state="closed")], ("claim",))) == {}


def test_streaks_from_three() -> None:
    tally = Tally()
    for true in (False, False, False):
        tally = after(tally, [verdict(of=1, doubter=2, true=true, cards=3)], ())
    assert tally.streaks == {2: STREAK, 1: 0}
    tally = after(tally, [verdict(of=1, doubter=2, true=True, cards=3)], ())
    assert tally.streaks == {2: 0, 1: 1}
