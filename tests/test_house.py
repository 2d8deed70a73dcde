"""Around any game: the seat menu, votes, pauses, waiting, parking, sitting down and leaving, the attendant's orders."""

from typing import Any

import pytest

from doubtable.games.base import Refused, Text
from doubtable.house import ASK, House, answer
from doubtable.timing import MS
from games.at_table import LONG, AtTable, at

SEATED = (1, 2, 3, 4)


# The seat menu --------------------------------------------------------------------------------------------------------


def test_a_hold_of_three_seconds_opens_it_where_the_lamp_is_off() -> None:
    table = at("classic", 4)
    table.hold(3, length=2800)
    assert table.labels(3) == ()
    table.hold(3, length=LONG)
    assert table.labels(3) == (
        *("PAUSE", "I LEAVE", "NO CARDS"),
        *("SEAT 1 IS GONE", "SEAT 2 IS GONE", "SEAT 4 IS GONE", "CALL THE BAR", "I HOLD", "GO ON"),
    )
    assert table.lamp(3) == "pulsing"


def test_on_turn_it_opens_with_nothing_entered_only() -> None:
    table = at("classic", 4)
    table.hold(1, length=LONG)
    assert table.labels(1)[0] == "PAUSE"
    table = at("wrong-rank", 4)
    table.press(1, 2)
    table.hold(1, length=LONG)  # two cards are entered: the rank is asked for
    assert table.labels(1)[0] == "A"
    table = at("wrong-rank", 4)
    table.press(1, 2)
    table.hold(1)
    table.press(1)
    assert table.cursor(1) == "K"


def test_strips_that_cannot_be_empty_end_with_it() -> None:
    table = at("rounds", 4)
    assert table.labels(1)[-1] == "MENU"
    table.pick(1, "MENU", "CALL THE BAR")
    assert table.last("call") == {"seat": 1}
    assert table.labels(1)[0] == "A", "the lead goes on"


@pytest.mark.parametrize("game", ["classic", "wrong-rank", "rounds"])
def test_not_in_a_window_or_reveal(game: str) -> None:
    table = at(game, 4)
    table.say(1, "lead" if game == "rounds" else "claim", count=1, rank="A")
    for seat in SEATED:
        assert "MENU" not in table.labels(seat)
    table.hold(1, length=LONG)
    assert table.all("menu") == []
    table.slap(3)
    assert table.phase == "reveal"
    assert table.labels(3) == ("GIVE IN",)
    table.hold(2, length=LONG)  # its lamp is off: it may undo the doubt, pause, or leave
    assert table.labels(2)[0] == "PAUSE"


def test_presses_in_a_menu_are_not_early_presses() -> None:
    table = at("classic", 4)
    table.hold(3, length=LONG)
    table.press(3, 5)
    table.pick(3, "GO ON")
    assert table.all("void")[1:] == [], "only the press that became the long hold was told, before it was one"
    assert table.table.fold.books[2].early == 0
    table.say(1, "claim", count=1)
    table.slap(3)
    assert table.last("doubt")["seat"] == 3


def test_a_menu_closes_by_itself() -> None:
    table = at("classic", 4)
    table.hold(3, length=LONG)
    table.wait(15_000)
    assert table.labels(3) == ()


def test_a_lock_closes_an_open_menu_without_effect() -> None:
    table = at("classic", 4)
    table.hold(3, length=LONG)
    table.to(3, "I LEAVE")
    table.edge(3, 1)
    table.wait(50)
    table.say(1, "claim", count=1)
    table.wait(1000)
    table.edge(3, 0)
    table.wait()
    assert (table.phase, table.state.gone) == ("doubt", ())


# Pause ---------------------------------------------------------------------------------------------------------------


def test_a_pause_stops_every_timer_and_ends_with_any_seated_players_hold() -> None:
    table = at("classic", 4, options={"bell_min": 1})
    table.say(1, "claim", count=1)
    table.slap(3)
    table.menu(2, "PAUSE")
    assert [table.cursor(seat) for seat in SEATED] == ["GO ON"] * 4
    table.wait(120_000)
    assert table.all("missing") == table.all("last_round") == []
    table.hold(4)
    assert table.last("go_on") == {"seat": 4}
    table.wait(6000)
    assert table.last("missing") == {"count": 1}
    table.wait(60_000)
    assert table.all("last_round") == [{}]


def test_no_strip_acts_in_a_pause() -> None:
    table = at("classic", 4)
    table.menu(2, "PAUSE")
    table.say(1, "claim", count=1)
    assert "pauses" in table.last("refused")["why"]
    table.press(1, 2)
    table.hold(1)
    assert (table.phase, table.all("claim")) == ("claim", [])
    table.press(1, 2)
    table.hold(1)
    assert table.last("claim")["count"] == 2


def test_neither_menu_vote_nor_pause_begins_while_a_doubt_is_possible() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=1)
    table.say(2, "pause")
    assert "doubt" in table.last("refused")["why"]
    table.edge(3, 1)
    table.wait(10)
    table.say(4, "pause")
    assert len(table.all("refused")) == 2


def test_a_pause_is_begun_once() -> None:
    table = at("classic", 4)
    table.say(2, "pause")
    table.say(3, "pause")
    assert table.last("refused")["why"] == "the table rests already: go on first"
    assert len(table.all("pause")) == 1


# Votes ---------------------------------------------------------------------------------------------------------------


def voting(game: str = "classic", seats: int = 5) -> AtTable:
    """Seat 3 says that seat 5 is gone; the other three are asked."""
    table = at(game, seats)
    table.menu(3, "SEAT 5 IS GONE")
    return table


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


# Waiting, parking -----------------------------------------------------------------------------------------------------


def test_after_sixty_seconds_the_table_waits_for_somebody() -> None:
    table = at("classic", 4)
    table.press(2)
    table.wait(59_000)
    assert table.all("waiting") == []
    table.wait(1100)
    assert table.last("waiting") == {"seat": 1}
    assert [table.labels(seat) for seat in (2, 3, 4)] == [("WAIT", "SEAT 1 IS GONE")] * 3
    assert table.cursor(1) == "-", "seat 1 may still act"
    table.press(1)
    table.hold(1)
    assert (table.phase, table.labels(3)) == ("doubt", ())


def test_the_others_may_say_that_it_is_gone() -> None:
    table = at("classic", 5)
    table.press(2)
    table.wait(61_000)
    for seat in (2, 3):
        table.press(seat)
        table.hold(seat)
    assert table.state.gone == ()
    table.press(4)
    table.hold(4)
    assert (table.state.gone, table.state.turn) == ((1,), 2)


def test_an_open_window_closes_then() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=1)
    table.wait(64_500)
    closed, waiting = (event for event in table.said if event.name in ("window", "waiting") and event.ns > 0)
    assert (closed.facts["state"], waiting.facts["seat"]) == ("closed", 2)
    assert closed.ns == waiting.ns == 64_000 * MS
    assert table.cursor(2) == "-", "DOUBT leaves the strip"


def test_in_a_reveal_it_waits_for_who_has_to_show_or_to_say() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=2)
    table.slap(3)
    assert table.table.game.awaited(table.state) == 3
    table.show("AS")
    table.wait(61_000)  # long after the missing card the table agrees by itself
    assert table.last("waiting") == {"seat": 1}
    table.say(1, "agree", says="true")
    table.wait(61_000)
    assert table.last("waiting") == {"seat": 3}
    table.say(3, "agree", says="lie")
    assert table.table.fold.house.vote is None
    table.wait(61_000)
    assert table.last("waiting") == {"seat": 2}


def test_a_card_ends_the_waiting_for_the_holder() -> None:
    table = at("liar-poker", 3)
    table.slap(1)
    table.say(1, "declare", hand="pair K")
    table.say(2, "liar")
    table.say(1, "show")
    table.wait(61_000)
    assert table.last("waiting") == {"seat": 1}
    table.show("KS")
    assert table.table.fold.house.vote is None
    table.show("KD")
    assert table.last("point") == {"seat": 2, "points": 1}


def test_after_ten_minutes_without_a_press_the_game_is_parked() -> None:
    table = at("classic", 4, hands=(18, 10, 10, 10), pile=4, turn=1)
    table.press(2)
    table.wait(600_100)
    assert table.all("parked") == [{}]
    assert [table.cursor(seat) for seat in SEATED] == ["GO ON"] * 4
    table.wait(11 * 3_600_000)
    table.hold(3)
    assert (table.phase, table.state.turn, table.hands) == ("claim", 1, [18, 10, 10, 10])
    table.press(1)
    table.hold(1)
    assert table.last("claim")["count"] == 1


def test_a_power_cut_is_no_waiting() -> None:
    """ "It fires nothing that fell due in the gap" """
    table = at("classic", 4, options={"bell_min": 30})
    table.press(2)
    table.power_cut(3_600_000)
    assert [name for name in table.names() if name not in ("deal", "turn", "void")] == []
    table.wait(61_000)
    assert table.last("waiting") == {"seat": 1}
    for _ in range(5):
        table.wait(340_000)
        table.press(1)  # not parked
    assert table.all("last_round") == []
    table.wait(60_000)
    assert table.all("last_round") == [{}]


def test_a_power_cut_in_a_vote_or_a_pause() -> None:
    table = voting()
    table.power_cut(90_000)
    assert table.labels(1) == ("NO", "YES")
    table.wait(15_100)
    assert table.labels(2) == ()
    table.menu(2, "PAUSE")
    table.power_cut(90_000)
    assert table.cursor(1) == "GO ON"
    table.hold(1)
    assert table.cursor(1) == "-"


# Sitting down and leaving ---------------------------------------------------------------------------------------------


def test_a_tap_on_an_empty_seat_during_a_game_is_in_for_the_next_deal() -> None:
    table = at("classic", (1, 2, 3, 5), size=5, hands=(1, 17, 17, 0, 17), turn=1)
    table.press(4)
    assert table.last("sit") == {"seat": 4, "sits": True}
    assert table.seats == [1, 2, 3, 5]
    table.say(1, "claim", count=1)
    table.wait(11_000)
    table.hold(3)  # NEXT DEAL
    assert table.phase == "deal"
    assert table.seats == [1, 2, 3, 4, 5]
    assert table.state.dealer == 1, "the deal moves left of seat 5"


def test_a_second_tap_is_out_again_and_a_hold_is_nothing() -> None:
    table = at("classic", (1, 2, 3), size=4)
    table.press(4, 2)
    table.hold(4)
    assert table.table.fold.house.sitting == ()


def test_leaving_between_deals() -> None:
    table = at("classic", 4, hands=(1, 17, 17, 17), turn=1)
    table.say(1, "claim", count=1)
    table.wait(11_000)
    assert table.labels(2) == ("NEXT DEAL", "LOBBY", "I LEAVE")
    table.pick(2, "I LEAVE")
    assert table.labels(2) == ()
    table.hold(4)
    assert table.table.game.seats == (1, 3, 4)


def test_too_few_for_the_next_deal_are_in_the_lobby() -> None:
    table = at("classic", 3, hands=(1, 25, 26), turn=1)
    table.say(1, "claim", count=1)
    table.wait(11_000)
    table.say(2, "leave")
    table.hold(1)
    assert (table.phase, table.state.seated) == ("lobby", (1, 3))


def test_more_than_the_hand_size_allows_are_in_the_lobby() -> None:
    table = at("rounds", (1, 2, 3), size=4, options={"hand_size": 17})
    table.press(4)
    table.order("new_game")
    assert (table.phase, table.state.seated) == ("lobby", (1, 2, 3, 4))


def test_from_the_end_back_to_the_lobby() -> None:
    table = at("classic", 4, hands=(1, 17, 17, 17), turn=1)
    table.say(1, "claim", count=1)
    table.wait(11_000)
    table.pick(2, "LOBBY")
    assert (table.phase, table.state.seated) == ("lobby", (1, 2, 3, 4))


# The attendant --------------------------------------------------------------------------------------------------------


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


def test_a_house_act_that_is_none() -> None:
    table = at("classic", 4)
    with pytest.raises(Refused, match="nothing rests"):
        answer(House(), table.table.game, table.state, table.act(1, "go_on"), 0)
    assert ASK == 15_000 * MS


# What is seen ---------------------------------------------------------------------------------------------------------


def test_the_screen_says_what_the_house_asks() -> None:
    table = voting()
    choose: Text = ("TAP = NEXT\nHOLD = DO IT", {})
    assert (table.view.scene, table.view.headline) == ("vote", ("{name} IS GONE?", {"name": "Eva"}))
    table.wait(15_000)
    table.hold(2, length=LONG)
    assert (table.view.scene, table.view.headline, table.view.help) == (
        "menu",
        ("{name}: MENU", {"name": "Bob"}),
        choose,
    )
    table.pick(2, "NO CARDS")
    said: Text = ("{name}: {claim}", {"name": "Bob", "claim": ("NO CARDS", {})})
    assert (table.view.scene, table.view.headline) == ("vote", said)
    table.wait(15_000)
    table.say(3, "pause")
    assert (table.view.scene, table.view.headline, table.view.help) == ("pause", ("PAUSE", {}), ("HOLD = GO ON", {}))
    table.say(3, "go_on")
    table.wait(61_000)
    assert (table.view.scene, table.view.headline) == ("waiting", ("WAITING FOR\n{name}", {"name": "Ann"}))
    assert table.view.help == choose
    table.wait(600_000)
    assert (table.view.scene, table.view.help) == ("attract", ("PARKED:\nHOLD = GO ON", {}))
    table.hold(3)
    assert table.view.scene == "lay"


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


ROUNDS_START: dict[str, dict[str, Any]] = {"classic": {}, "rounds": {"rank": "K", "owner": 4}}
