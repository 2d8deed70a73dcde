"""The strips of classic and wrong-rank through real edges: what a guest's one button does, step by step."""

import pytest

from doubtable.timing import MS
from games.at_table import AtTable, at

RANKS = tuple("AKQJT98765432")
OPEN = 4000  # ms of doubt_ms


def claimed(game: str = "classic", count: int = 1, seats: int = 4, rank: str | None = None) -> AtTable:
    """Seat 1's claim is locked by buttons; the clock stands 100 ms later."""
    table = at(game, seats)
    table.press(1, count)
    table.hold(1)
    if rank is not None:
        table.to(1, rank)
        table.hold(1)
    assert table.phase == "doubt"
    return table


def locked_at(table: AtTable) -> int:
    """The lock's stamp, ms."""
    return int(table.state.window.opened // MS)


# Laying cards ---------------------------------------------------------------------------------------------------------


def test_each_tap_is_one_card_and_past_the_maximum_it_is_none() -> None:
    table = at("classic", 4)
    assert (table.view.help, table.cursor(1)) == (("TAP EACH CARD\nHOLD = SAY IT", {}), "-")
    shown = []
    for _ in range(6):
        table.press(1)
        shown.append(table.cursor(1))
    assert shown == ["1", "2", "3", "4", "-", "1"]


@pytest.mark.parametrize(("game", "seats", "hand", "most"), [("classic", 4, 3, 3), ("classic", 6, 20, 8)])
def test_the_maximum_is_four_a_pack_and_the_hand(game: str, seats: int, hand: int, most: int) -> None:
    rest = (52 if seats < 6 else 104) - hand
    others = (rest // (seats - 1),) * (seats - 1)
    table = at(game, seats, hands=(hand, *others), pile=rest - sum(others))
    assert table.labels(1) == ("-", *map(str, range(1, most + 1)))


def test_a_hold_says_it_and_at_none_does_nothing() -> None:
    table = at("classic", 4)
    table.hold(1)
    assert table.phase == "claim"
    table.press(1, 3)
    table.hold(1)
    assert table.last("claim") == {"seat": 1, "count": 3, "rank": "A"}
    assert (table.view.scene, table.view.claim) == ("window", (1, 3, "A"))


def test_at_the_lock_all_other_lamps_are_on_and_the_next_pulses() -> None:
    table = claimed(seats=5)
    assert table.lamps() == ("pulsing", "pulsing", "steady", "steady", "steady")


# The window -----------------------------------------------------------------------------------------------------------


def test_the_next_seats_cursor_stands_on_doubt() -> None:
    table = claimed()
    assert (table.labels(2), table.cursor(2)) == (("DOUBT",), "DOUBT")
    assert table.view.help == ("DOUBT? SLAP!\n{name}: HOLD = DOUBT", {"name": "Bob"})
    table.press(2)
    assert (table.phase, table.names()[-1]) == ("doubt", "window"), "nothing but a soft tick"
    table.wait(OPEN)
    assert table.labels(2) == ("DOUBT", "1", "2", "3", "4")
    assert table.view.help == ("HOLD = DOUBT\nTAP = YOUR TURN", {})


def test_its_hold_is_a_doubt_at_the_press_down() -> None:
    table = claimed()
    table.wait(1000)
    pressed = table.ms
    table.hold(2)
    table.wait(1000)
    assert (table.last("doubt")["seat"], [each.ns for each in table.said if each.name == "doubt"]) == (
        2,
        [pressed * MS],
    )


def test_its_tap_from_doubt_ms_on_starts_its_turn_and_closes_the_window() -> None:
    table = claimed()
    table.wait(OPEN)
    table.press(2)
    assert (table.phase, table.state.turn, table.cursor(2)) == ("claim", 2, "1")
    table.press(2)
    table.hold(2)
    assert table.last("claim") == {"seat": 2, "count": 2, "rank": "K"}


def test_the_tap_counts_at_its_release() -> None:
    table = claimed()
    table.wait(locked_at(table) + OPEN - 60 - table.ms)
    table.edge(2, 1)  # before doubt_ms
    table.wait(120)
    table.edge(2, 0)  # after it
    table.wait()
    assert (table.phase, table.state.turn) == ("claim", 2)


def test_a_slap_before_the_release_wins() -> None:
    table = claimed()
    table.wait(OPEN)
    table.edge(2, 1)
    table.wait(50)
    table.edge(3, 1)
    table.wait(30)
    table.edge(2, 0)
    table.wait(100)
    table.edge(3, 0)
    table.wait(1000)
    assert (table.phase, table.last("doubt")["seat"]) == ("reveal", 3)


def test_while_the_next_seats_press_is_pending_the_decision_waits() -> None:
    """ "a hold is a doubt at its press-down, a tap is none" """
    table = claimed()
    table.wait(1000)
    table.edge(2, 1)
    table.wait(50)
    table.edge(3, 1)
    table.wait(100)
    table.edge(3, 0)
    table.wait(300)
    assert table.all("doubt") == []
    table.wait(500)
    table.edge(2, 0)
    table.wait(500)
    assert table.last("doubt")["seat"] == 2


def test_last_cards_can_be_let_go_after_five_seconds() -> None:
    table = at("classic", 4, hands=(1, 17, 17, 17))
    table.press(1)
    table.hold(1)
    assert (table.phase, table.view.help) == ("last_call", ("LAST CARDS!\nDOUBT?", {}))
    assert table.labels(2) == ("DOUBT",)
    table.wait(5000)
    assert table.labels(2) == ("DOUBT", "LET IT GO")
    table.press(2)
    assert table.phase == "last_call", "no start in a last call"
    table.hold(2)
    assert table.last("win") == {"seat": 1, "place": 1}


# Correcting -----------------------------------------------------------------------------------------------------------


def test_stand_does_nothing_and_correct_opens_the_strip_of_numbers_at_none() -> None:
    table = claimed(count=2)
    assert (table.labels(1), table.cursor(1)) == (("STAND", "CORRECT"), "STAND")
    table.hold(1)
    assert table.state.claim.count == 2
    table.press(1)
    table.hold(1)
    assert (table.labels(1), table.cursor(1)) == (("-", "1", "2", "3", "4"), "-")
    opened = table.state.window.opened
    table.press(1, 3)
    table.hold(1)
    assert table.last("corrected") == {"seat": 1, "count": 3, "rank": "A"}
    assert (table.hands, table.state.pile) == ([10, 13, 13, 13], 3)
    assert table.state.window.opened > opened, "the window starts anew"
    assert table.labels(1) == (), "once"
    assert table.labels(2) == ("DOUBT",), "the next seat's strip is the same after a correction"


def test_the_open_rank_is_corrected_too() -> None:
    table = claimed("wrong-rank", 2, rank="Q")
    table.press(1)
    table.hold(1)  # CORRECT
    table.press(1, 2)
    table.hold(1)  # two
    assert (table.labels(1), table.cursor(1), table.view.help) == (RANKS, "A", ("WHICH RANK?", {}))
    table.press(1, 5)
    table.hold(1)  # a nine: neither declared nor due
    assert (table.all("corrected"), table.state.window.corrected) == ([], False)
    table.press(1, 8)
    assert table.cursor(1) == "A"
    table.hold(1)
    assert table.last("corrected") == {"seat": 1, "count": 2, "rank": "A"}


def test_a_doubt_with_an_earlier_stamp_undoes_the_correction() -> None:
    table = claimed(count=2)
    table.press(1)
    table.hold(1)
    table.press(1, 3)
    table.edge(1, 1)
    table.wait(690)
    table.edge(3, 1)
    table.wait(100)
    table.edge(3, 0)
    table.wait(200)
    table.edge(1, 0)
    table.wait(500)
    assert (table.all("corrected"), table.phase, table.state.claim.count) == ([], "reveal", 2)


# The open rank --------------------------------------------------------------------------------------------------------


def test_the_rank_is_picked_from_the_ace_down() -> None:
    table = at("wrong-rank", 4)
    table.press(1, 2)
    table.hold(1)
    assert (table.labels(1), table.cursor(1)) == (RANKS, "A")
    assert (table.view.help, table.view.due) == (("WHICH RANK?", {}), None)
    table.press(1, 2)
    table.hold(1)
    assert table.last("claim") == {"seat": 1, "count": 2, "rank": "Q"}


def test_a_hold_of_the_others_is_a_wrong_rank_a_slap_a_doubt() -> None:
    table = claimed("wrong-rank", rank="Q", seats=5)
    assert table.lamps() == ("pulsing", "pulsing", "steady", "steady", "steady")
    table.hold(4)
    table.wait(500)
    assert table.last("corrected") == {"seat": 1, "count": 1, "rank": "A"}
    assert (table.view.claim, table.phase) == ((1, 1, "A"), "doubt")
    pressed = table.ms
    table.slap(3)
    doubt = next(each for each in table.said if each.name == "doubt")
    assert (doubt.facts["seat"], doubt.ns) == (3, pressed * MS)


def test_the_next_seats_strip_has_wrong_rank() -> None:
    table = claimed("wrong-rank", rank="Q")
    assert table.labels(2) == ("DOUBT", "WRONG RANK")
    table.press(2)
    assert table.cursor(2) == "WRONG RANK"
    table.press(2)
    assert table.cursor(2) == "DOUBT"
    table.wait(OPEN)
    assert table.labels(2) == ("DOUBT", "WRONG RANK", "1", "2", "3", "4")
    table.press(2)
    table.hold(2)
    table.wait(500)
    assert table.last("corrected")["rank"] == "A"
    assert table.labels(2) == ("DOUBT", "WRONG RANK"), "the same after a call"


def test_its_second_tap_after_doubt_ms_starts() -> None:
    table = claimed("wrong-rank", rank="A")
    table.wait(OPEN)
    table.press(2)
    assert (table.phase, table.cursor(2)) == ("doubt", "WRONG RANK")
    table.press(2)
    assert (table.phase, table.cursor(2)) == ("claim", "1")
    table.hold(2)
    assert table.labels(2) == RANKS


def test_in_a_last_call_it_goes_between_doubt_wrong_rank_and_let_it_go() -> None:
    table = at("wrong-rank", 4, hands=(1, 17, 17, 17), turn=1)
    table.press(1)
    table.hold(1)
    table.hold(1)
    assert (table.phase, table.labels(2)) == ("last_call", ("DOUBT", "WRONG RANK"))
    table.wait(5000)
    assert table.labels(2) == ("DOUBT", "WRONG RANK", "LET IT GO")


def test_correct_is_offered_to_every_claimant() -> None:
    """ "any rank is accepted, so neither tells" """
    for rank in ("A", "7"):
        assert claimed("wrong-rank", rank=rank).labels(1) == ("STAND", "CORRECT")


def test_with_the_due_rank_filled_in_nothing_can_be_wrong() -> None:
    table = at("wrong-rank", 4, options={"rank_assist": "auto"})
    table.press(1, 2)
    table.hold(1)
    assert table.last("claim") == {"seat": 1, "count": 2, "rank": "A"}
    assert table.labels(2) == ("DOUBT",)
    table.hold(3)
    table.wait(500)
    assert table.last("doubt")["seat"] == 3, "steady lamps: every press is a doubt"


# The reveal -----------------------------------------------------------------------------------------------------------


def test_the_doubters_lamp_goes_fast_and_both_sides_can_give_in() -> None:
    table = claimed(count=3)
    table.slap(3)
    assert [table.lamp(seat) for seat in (1, 2, 3, 4)] == ["pulsing", "off", "fast", "off"]
    assert table.view.help == ("{name}: SHOW\n{other}'S {count} CARD", {"name": "Cy", "other": "Ann", "count": 3})
    table.hold(3)
    assert table.last("verdict") == {"of": 1, "doubter": 3, "true": True, "takes": 3, "cards": 3}


def test_the_claimants_hold_says_that_it_was_a_lie() -> None:
    table = claimed(count=3)
    table.slap(3)
    table.hold(1)
    assert table.last("verdict") == {"of": 1, "doubter": 3, "true": False, "takes": 1, "cards": 3}


def test_taps_in_a_reveal_do_nothing() -> None:
    table = claimed(count=3)
    table.slap(3)
    table.press(1, 2)
    table.press(3, 2)
    assert table.phase == "reveal"


def test_a_slap_that_stays_down_never_gives_in() -> None:
    table = claimed()
    table.edge(3, 1)
    table.wait(2000)
    assert table.phase == "reveal"
    table.edge(3, 0)
    table.wait(100)
    assert table.phase == "reveal"


def test_any_more_for_a_second_and_a_half() -> None:
    table = claimed(count=2)
    table.slap(3)
    table.show("AS", "AH")
    assert (table.view.scene, table.view.help) == ("any_more", ("ANY MORE?", {}))
    table.wait(1400)
    assert table.all("verdict") == []
    table.wait(200)
    assert table.last("verdict")["true"] is True


def test_without_a_reader_all_say_what_they_see() -> None:
    table = claimed(count=2, seats=5)
    table.reader(up=False)
    table.slap(3)
    table.wait(5000)
    assert (table.view.scene, table.view.help) == ("agree", ("TRUE OR LIE?", {}))
    assert [table.labels(seat) for seat in (1, 3)] == [("WAIT", "TRUE", "LIE")] * 2
    assert table.labels(2) == ()
    table.hold(1)  # WAIT
    table.pick(1, "TRUE")
    table.pick(3, "LIE")
    assert [table.labels(seat) for seat in (2, 4, 5)] == [("WAIT", "TRUE", "LIE")] * 3
    table.pick(2, "TRUE")
    table.pick(4, "LIE")
    assert table.all("verdict") == []
    table.pick(5, "TRUE")
    assert table.last("verdict") == {
        **{"of": 1, "doubter": 3, "true": True, "takes": 3, "cards": 2},
        "by_agreement": True,
    }
