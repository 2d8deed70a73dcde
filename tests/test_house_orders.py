"""The attendant's orders: undo, counts, a card by hand, skip, remove, a new game."""

from collections.abc import Callable
from typing import Any

import pytest

from games.at_table import AtTable, at


def test_undo_goes_back_to_just_before_the_last_lock() -> None:
    table = at("classic", 4)
    start = table.state
    table.say(1, "claim", count=2)
    table.order("undo")
    assert (table.state.hands, table.state.turn, table.phase) == (start.hands, 1, "claim")
    table.order("undo")
    assert table.last("refused")["why"] == "there is no lock to go back to"


def test_undo_never_goes_across_a_shown_card() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=2)
    table.slap(3)
    table.order("undo")
    assert (table.phase, table.state.turn) == ("claim", 1)
    table.say(1, "claim", count=2)
    table.slap(3)
    table.show("AS")
    table.order("undo")
    assert table.last("refused")["why"] == "a card has been shown"
    table.show("5C")
    assert table.last("verdict")["true"] is False
    table.order("undo")
    assert (table.last("refused")["why"], table.hands) == ("a card has been shown", [13, 13, 13, 13])


def test_an_undone_end_does_not_count() -> None:
    table = at("classic", 4, hands=(1, 17, 17, 17), turn=1)
    table.say(1, "claim", count=1)
    table.wait(11_000)
    assert table.view.totals == (3, -1, -1, -1)
    table.order("undo")
    assert (table.view.totals, table.view.deals) == ((0, 0, 0, 0), 0)
    table.say(1, "claim", count=1)
    table.slap(3)
    table.hold(3)  # "it was true"
    assert table.view.totals == (3, -1, -1, -1)
    table.order("undo")
    assert (table.view.totals, table.table.state.tally.nose) == ((0, 0, 0, 0), {})


def test_set_hands_card_skip_remove() -> None:
    table = at("classic", 4)
    table.order("set_hands", hands=(10, 10, 10, 10))
    assert (table.hands, table.state.pile) == ([10, 10, 10, 10], 12)
    table.order("skip")
    assert (table.state.turn, table.state.due) == (2, "K")
    table.order("remove", seat=3)
    assert table.state.gone == (3,)
    table.say(2, "claim", count=1)
    table.slap(1)
    table.order("card", card=table.card("KS"))
    assert table.last("reveal") == {"card": "KS", "ok": True, "by_hand": True}
    table.wait(2000)
    table.say(4, "claim", count=1)
    table.slap(2)
    table.show("QS")
    assert table.last("reveal") == {"card": "QS", "ok": True}


@pytest.mark.parametrize(
    ("order", "facts", "why"),
    [
        ("set_hands", {"hands": (60, 0, 0, 0)}, "60 cards are more than there are"),
        ("set_hands", {"hands": (1, 2)}, "2 counts for 4 seats"),
        ("set_hands", {"hands": (26, 26, 0, 0)}, "seat 3 plays and cannot hold 0"),
        ("card", {}, "not possible in phase claim"),
        ("remove", {"seat": None}, "seat 0"),
    ],
)
def test_an_order_that_cannot_be_is_refused(order: str, facts: dict[str, object], why: str) -> None:
    table = at("classic", 4)
    before = table.state
    table.order(order, **facts)
    assert why in table.last("refused")["why"]
    assert table.state == before


def test_new_game_moves_the_deal_left_and_waits_for_the_dealer() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=2)
    table.order("new_game")
    assert (table.phase, table.state.dealer) == ("deal", 1)
    table.say(1, "dealt")
    assert (table.phase, table.state.turn, table.hands) == ("claim", 2, [13, 13, 13, 13])


ROUNDS_START: dict[str, dict[str, Any]] = {"classic": {}, "rounds": {"rank": "K", "owner": 4}}


@pytest.mark.parametrize("game", ["classic", "rounds"])
def test_who_holds_cards_after_all_has_not_laid_its_last(game: str) -> None:
    """The attendant finds cards of a claimant in its last call."""
    hands = (1, 17, 17, 17) if game == "classic" else (1, 7, 7, 7)
    table = at(game, 4, hands=hands, pile=0 if game == "classic" else 3, turn=1, **ROUNDS_START[game])
    table.wait(5000)
    table.say(1, "claim" if game == "classic" else "play", count=1)
    assert table.phase == "last_call"
    table.order("set_hands", hands=(1, *hands[1:]))
    table.wait(11_000)
    assert (table.all("win"), table.state.turn) == ([], 2)
    assert table.phase == ("claim" if game == "classic" else "play")


@pytest.mark.parametrize("off", ["pause", "power_cut"])
def test_an_undo_takes_no_time_back_from_the_bell(off: str) -> None:
    """The bell counts the time in which somebody could play, whichever claim is played again."""
    table = at("classic", 4, options={"bell_min": 1})
    table.say(1, "claim", count=1)
    table.wait(5000)
    table.say(2, "start")
    if off == "pause":
        table.say(2, "pause")
        table.wait(300_000)
        table.say(2, "go_on")
    else:
        table.power_cut(300_000)
    table.order("undo")
    table.wait(50_000)
    assert table.all("last_round") == []
    table.say(1, "claim", count=1)
    table.wait(5000)
    assert len(table.all("last_round")) == 1
    table.order("undo")
    assert (len(table.all("last_round")), table.state.last_round) == (1, True), "what was said stays said, once"


def proved_at_once() -> AtTable:
    table = at("liar-poker", 3)
    table.slap(2)
    table.say(2, "declare", hand="high K")
    table.say(3, "liar")
    table.say(2, "show")
    table.show("KS")
    assert table.last("proved")
    return table


def shown_falsely() -> AtTable:
    table = at("rounds", 4, hands=(4, 1, 5, 5), pile=0, turn=1)
    table.say(1, "lead", rank="9")
    table.wait(5000)
    table.say(2, "win")
    table.show("8S")
    assert table.phase == "play"
    return table


def agreed_on() -> AtTable:
    table = at("classic", 4)
    table.say(1, "claim", count=1)
    table.slap(3)
    table.reader(up=False)
    table.wait(5000)
    for seat in (1, 3):
        table.say(seat, "agree", says="true")
    assert table.last("verdict")["by_agreement"]
    return table


@pytest.mark.parametrize("shown", [proved_at_once, shown_falsely, agreed_on])
def test_an_undo_never_goes_across_what_all_have_seen(shown: Callable[[], AtTable]) -> None:
    """One card that settles it at once, a last card of the wrong rank, cards that were turned over."""
    table = shown()
    before = table.state
    table.order("undo")
    assert table.last("refused")["why"] == "a card has been shown"
    assert table.state == before


def test_a_doubt_after_a_false_show_can_be_taken_back() -> None:
    """Its own card has not been shown."""
    table = shown_falsely()
    table.slap(3)
    assert table.phase == "reveal"
    table.say(3, "undo_doubt")
    assert (table.phase, table.all("refused")) == ("play", [])


def test_a_claim_is_not_corrected_by_cards_that_the_attendant_has_moved_already() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=4)
    table.order("set_hands", hands=(11, 13, 13, 13))
    assert table.state.pile == 2
    table.say(1, "correct", count=1)
    assert "counts have been put right" in table.last("refused")["why"]
    assert (table.hands, table.state.pile) == ([11, 13, 13, 13], 2)


def test_who_plays_no_more_gets_no_cards_by_an_order() -> None:
    """Neither who has left nor who has its place."""
    table = at("classic", 4, hands=(1, 18, 18, 15), turn=1, options={"play_on": True})
    table.say(1, "claim", count=1)
    table.wait(11_000)
    table.say(3, "leave")
    for hands in ((2, 16, 0, 15), (0, 16, 2, 15)):
        table.order("set_hands", hands=hands)
        assert "plays no more and cannot hold 2" in table.last("refused")["why"]
    assert table.hands == [0, 18, 0, 15]
    table.order("set_hands", hands=(0, 16, 0, 15))
    assert table.hands == [0, 16, 0, 15]
