"""The reflex duel: an empty lobby attracts, any press begins it, stamps decide it, the lobby follows."""

import json
from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from doubtable.games.duel import LEAST_WAIT, MOST_WAIT, wait_of
from doubtable.inputs import Edge, Restart
from doubtable.table import Table
from doubtable.timing import MS, S
from games.at_table import NAMES, AtTable, evening

EMPTY_MS = 60_000


def attracting(size: int = 4) -> AtTable:
    """A lobby that nobody has touched for a minute."""
    table = evening(size)
    table.wait(EMPTY_MS)
    assert table.view.scene == "attract"
    return table


def lit(size: int = 4) -> AtTable:
    """A duel whose lamps have just gone on."""
    table = attracting(size)
    table.press(2)
    assert table.phase == "ready"
    ends = table.state.ends
    table.ms = -(-ends // MS)
    table.wait(0)
    assert table.phase == "lit"
    return table


def slaps(table: AtTable, *presses: tuple[int, int]) -> None:
    """Seats slap at ns after the lamps went on, in this order of delivery; then all is decided."""
    opened = table.state.window.opened
    for seat, after in presses:
        table.feed(Edge(opened + after, seat, 1))
    for seat, after in sorted(presses, key=lambda each: each[1]):
        table.feed(Edge(opened + after + 300 * MS, seat, 0))
    table.ms += 2500
    table.wait(0)


def test_a_lobby_attracts_after_a_minute_without_anybody() -> None:
    table = evening(4)
    table.wait(EMPTY_MS - 1)
    assert table.view.scene == "lobby"
    table.wait(1)
    assert (table.view.scene, table.view.help) == ("attract", ("PRESS ANY BUTTON", {}))
    assert table.names() == ["lobby"]


def test_a_seat_that_sits_down_keeps_the_lobby_for_ten_minutes() -> None:
    table = evening(4)
    table.press(3)
    sat = table.ms
    table.wait(600_000 - 1000)
    assert (table.view.scene, table.state.seated) == ("lobby", (3,))
    table.wait(2000)
    assert (table.view.scene, table.state.seated) == ("attract", ())
    assert table.all("lobby")[-1] == {"seated": []}
    assert table.ms - sat > 600_000


def test_a_tap_and_a_hold_of_any_seat_begin_it() -> None:
    for seat in range(1, 5):
        tapped, held = attracting(), attracting()
        tapped.press(seat)
        held.hold(seat)
        assert (tapped.phase, held.phase) == ("ready", "ready")
        assert tapped.view.headline == ("WAIT ...", {})
        assert set(tapped.lamps()) == {"off"}


def test_the_lamps_stay_on_for_those_who_come_second() -> None:
    table = lit()
    table.feed(Edge(table.ns, 1, 1))
    table.wait(100)
    assert set(table.lamps()) == {"steady"}
    table.feed(Edge(table.ns + 380 * MS, 3, 1))
    table.wait(1000)
    assert table.last("duel")["race"] == [[1, 0], [3, 480 * MS]]


def test_all_lamps_go_on_at_one_stamp_and_the_window_opens_with_it() -> None:
    table = lit()
    assert set(table.lamps()) == {"steady"}
    assert table.view.headline == ("SLAP!", {})
    assert [each.ns for each in table.said if each.name == "window"] == [table.state.window.opened]


def test_the_first_stamp_wins_whatever_comes_first() -> None:
    table = lit()
    slaps(table, (4, 240 * MS), (1, 199 * MS), (3, 275 * MS))
    duel = table.last("duel")
    assert (duel["seat"], duel["tie"], duel["race"]) == (1, False, [[1, 0], [4, 41 * MS], [3, 76 * MS]])
    seen = table.view
    assert (seen.scene, seen.headline) == ("duel", ("{name} WINS", {"name": "Ann"}))
    assert seen.finish == ((1, 0), (4, 41 * MS), (3, 76 * MS))
    assert table.lamps() == ("fast", "off", "off", "off")


def test_a_tie_goes_to_the_nearest_left_of_who_began() -> None:
    table = lit()  # seat 2 began: 3 is nearest
    slaps(table, (1, 200 * MS), (4, 202 * MS), (3, 204 * MS))
    assert (table.last("duel")["seat"], table.last("duel")["tie"]) == (3, True)
    assert table.view.headline == ("TOO CLOSE!\nNEAREST: {name}", {"name": "Cy"})
    assert (table.view.tied, table.view.tie) == (True, 5 * MS)


def test_a_press_before_the_lamps_is_early_and_locks_out() -> None:
    table = attracting()
    table.press(2)
    table.mark()
    ends = table.state.ends
    table.feed(Edge(ends - 100 * MS, 3, 1))
    table.feed(Edge(ends - 60 * MS, 3, 0))
    table.feed(Edge(ends + 90 * MS, 3, 1))  # 190 ms after the early one: still locked out
    table.feed(Edge(ends + 300 * MS, 1, 1))
    table.ms = ends // MS + 2000
    table.wait(0)
    assert [each["why"] for each in table.all("void") if each["seat"] == 3] == ["early", "locked_out"]
    assert table.last("duel")["race"] == [[1, 0]]


def test_a_button_that_is_down_when_the_lamps_go_on_does_not_count() -> None:
    table = attracting()
    table.press(2)
    table.feed(Edge(table.ns, 3, 1))
    table.ms = table.state.ends // MS + 1000
    table.wait(0)
    assert table.phase == "lit"
    assert table.all("duel") == []


def test_the_photo_finish_ends_in_the_lobby_where_a_tap_sits_down() -> None:
    table = lit()
    slaps(table, (1, 200 * MS))
    table.wait(5000)
    assert (table.view.scene, table.state.seated) == ("lobby", ())
    table.press(1)
    table.press(1)
    table.press(3)
    assert table.state.seated == (3,)


def test_nobody_slaps_and_the_lobby_comes() -> None:
    table = lit()
    table.wait(6000)
    assert table.view.scene == "lobby"
    assert table.all("duel") == []
    table.wait(EMPTY_MS)
    assert table.view.scene == "attract"


def test_a_knock_on_the_table_is_nobodys_slap() -> None:
    table = lit(6)
    slaps(table, (1, 200 * MS), (3, 201 * MS), (4, 201 * MS), (5, 202 * MS), (6, 202 * MS))
    assert table.last("press_again")["why"] == "bump"
    assert table.phase == "lit"
    assert table.all("duel") == []


def test_a_duel_counts_for_no_award_and_leaves_the_scores() -> None:
    table = lit()
    slaps(table, (1, 200 * MS))
    assert table.table.state.tally.fastest == {}
    assert table.view.totals == (0, 0, 0, 0)


def test_a_power_cut_ends_it() -> None:
    table = lit()
    table.feed(Restart(table.ns, 30 * S))
    table.ms += 30_000
    table.wait(0)
    assert table.view.scene == "lobby"


def test_the_house_takes_no_orders_in_a_duel() -> None:
    table = lit()
    before = table.state
    for order in ("new_game", "undo", "skip"):
        table.mark()
        table.order(order)
        assert table.last("refused")["why"]
    assert table.state == before


def test_it_is_frozen_and_thawed_at_any_time() -> None:
    table = lit()
    table.feed(Edge(table.ns + 200 * MS, 1, 1))
    kept = json.loads(json.dumps(table.table.dump()))
    again = AtTable.__new__(AtTable)
    again.table, again.ms, again.said, again.marked = Table.evening(NAMES[:4], table.table.timing), table.ms, [], 0
    again.table.load(kept)
    for each in (table, again):
        each.mark()
        each.wait(3000)
    assert again.said == table.said[-len(again.said) :]
    assert again.last("duel")["seat"] == 1


@given(st.integers(0, 2**62))
def test_the_wait_is_one_to_four_seconds(ns: int) -> None:
    assert LEAST_WAIT <= wait_of(ns) < MOST_WAIT


def test_waits_are_spread_out_and_neighbours_differ() -> None:
    waits = [wait_of(7 * S + step * 1000) for step in range(3000)]
    seconds = Counter((each - LEAST_WAIT) // S for each in waits)
    assert sorted(seconds) == [0, 1, 2]
    assert all(800 < count < 1200 for count in seconds.values())
    assert sum(abs(a - b) > 100 * MS for a, b in pairwise(waits)) > 2500
