"""A table that waits for somebody, a game that is parked, and a power cut in all that."""

from doubtable.timing import MS
from games.at_table import at
from games.positions import voting

SEATED = (1, 2, 3, 4)


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
