"""F08, F09, F11, F12, F14-F18: lost events, clocks, order, ties, deadlines and stale presses."""

import json
import time
from typing import NoReturn

import pytest

from doubtable import tape
from doubtable.inputs import Do, Edge, Levels, Time
from doubtable.journal.clock import Clocks, wall_clock
from doubtable.timing import MS, S, Timing
from field_cases.variants import Case, Variant, in_every_variant


@in_every_variant
@pytest.mark.parametrize(("last_seen", "first_new", "lost"), [(8, 25, 16), (8, 10, 1), (0, 500, 499)])
def test_f08_no_winner_from_what_a_burst_left_over(variant: Variant, last_seen: int, first_new: int, lost: int) -> None:
    case = Case(variant, claimant=2)
    case.feed(Edge(0, 9, 0, seq=last_seen))
    case.feed(Edge(40 * MS, 11, 1, seq=first_new), Edge(41 * MS, 5, 1, seq=first_new + 1))
    case.until(500 * MS)
    (gap,) = case.of("gap")
    assert gap.facts["lost"] == lost
    assert [each.facts["why"] for each in case.of("press_again")] == ["gap"]
    assert not case.of("doubt")
    after = case.events[case.events.index(gap) :]
    assert sum(each.name == "read_levels" for each in after) == 1, "all levels are read again, once"


@in_every_variant
def test_f08_numbers_that_only_came_late_are_no_gap(variant: Variant) -> None:
    case = Case(variant, claimant=2)
    case.feed(Edge(0, 9, 0, seq=8), Edge(40 * MS, 11, 1, seq=11))
    case.until(60 * MS)
    case.feed(Edge(39 * MS, 5, 1, seq=9), Edge(39 * MS + 200_000, 5, 0, seq=10))
    case.until(500 * MS)
    assert not case.of("gap")
    assert case.doubter() == (11, False)


@in_every_variant
def test_f09_of_two_edges_one_vanished(variant: Variant) -> None:
    case = Case(variant, 6, claimant=4)
    case.feed(Levels(0, {3: 0, 5: 0}))
    case.edges([(MS, 3, 1)])
    case.feed(Levels(7 * MS, {3: 1, 5: 1}), Levels(13 * MS, {3: 1, 5: 1}))
    case.until(500 * MS)
    (inferred,) = case.of("press", 5)
    assert (inferred.ns, inferred.facts["inferred"]) == (7 * MS, True)
    assert case.doubter() == (case.nearest(3, 5), True)


@in_every_variant
def test_f09_where_the_vanished_edge_may_have_been_decides(variant: Variant) -> None:
    """Known up long before, and the tie narrow: first, in the tie or too late, nobody knows."""
    case = Case(variant, 6, claimant=4, timing=Timing(tie=2 * MS))
    case.feed(Levels(0, {3: 0, 5: 0}))
    case.edges([(400 * MS, 3, 1)])
    case.feed(Levels(406 * MS, {3: 1, 5: 1}))
    case.until(900 * MS)
    assert [each.facts["why"] for each in case.of("press_again")] == ["inferred"]


EVENT = 6_212_787_543_813


@pytest.mark.parametrize(
    ("ns", "shown"),
    [(EVENT, "1681979071.473871200"), (EVENT + 100, "1681979071.473871300"), (EVENT + 10**9, "1681979072.473871200")],
)
def test_f11_a_monotonic_stamp_is_shown_as_wall_time(ns: int, shown: str) -> None:
    clocks = Clocks("boot", lambda: 6_212_788_543_813, lambda: 1_681_979_071_474_871_200, lambda: True)
    seconds, rest = divmod(wall_clock(clocks, origin=0).at(ns), S)
    assert f"{seconds}.{rest:09}" == shown


def test_f11_stamps_that_floats_would_take_for_equal_stay_apart() -> None:
    one, other = 1_681_979_071_473_871_200, 1_681_979_071_473_871_300
    assert float("1681979071.473871200") == float("1681979071.473871300"), "what floats would make of them"
    lines = ['{"tape": 1, "game": "race", "seats": 4, "claimant": 1, "timing": {"tie_ms": 0}, "opens": 1681979071473}']
    lines += [tape.input_line(each) for each in (Edge(other, 2, 1), Edge(one, 3, 1), Time(other + S))]
    read = tape.read(lines)
    events = list(tape.replay(read, tape.table_of(read)))
    (doubt,) = [each for each in events if each.name == "doubt"]
    assert (doubt.facts["seat"], doubt.facts["race"]) == (3, [[3, 0], [2, 100]])


@in_every_variant
def test_f12_nothing_fires_when_the_clock_on_the_wall_steps(variant: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked() -> NoReturn:
        raise AssertionError("the table asked for the time of day")

    for name in ("time", "time_ns"):
        monkeypatch.setattr(time, name, asked)
    case = Case(variant, claimant=1, opens=30 * S, closes=40 * S)
    case.until(31 * S)
    assert [each.name for each in case.until(38 * S)] == [], "nothing at 31.0, when the clock stepped 8 hours"
    case.edges([(38 * S + 500 * MS, 2, 1)])
    case.until(39 * S)
    assert case.doubter() == (2, False)


@in_every_variant
def test_f12_the_window_ends_ten_seconds_after_it_began(variant: Variant) -> None:
    case = Case(variant, claimant=1, opens=30 * S, closes=40 * S)
    case.until(39 * S)
    assert not [each for each in case.of("window") if each.facts["state"] == "closed"]
    case.until(41 * S)
    assert [each.ns for each in case.of("window") if each.facts["state"] == "closed"] == [40 * S]


@in_every_variant
@pytest.mark.parametrize("later", [3, 10, 50])
def test_f14_stamps_decide_and_not_arrival(variant: Variant, later: int) -> None:
    case = Case(variant, claimant=7, timing=Timing(tie=MS // 2))
    case.edges([(2 * MS, 8, 1)])
    case.until(2 * MS)
    case.until((1 + later) * MS)
    case.edges([(1 * MS, 2, 1)])
    case.until(S)
    assert case.doubter() == (2, False)


@in_every_variant
@pytest.mark.parametrize("order", [(1, 13), (13, 1)])
def test_f15_equal_stamps_go_to_the_claimants_left_in_either_order(variant: Variant, order: tuple[int, int]) -> None:
    case = Case(variant, claimant=7)
    case.edges((5 * S, seat, 1) for seat in order)
    case.until(6 * S)
    assert case.doubter() == (case.nearest(1, 13), True)
    if variant.name == "as reported":
        assert case.doubter()[0] == 13


@in_every_variant
@pytest.mark.parametrize("third", [35, 20.001, 24])
def test_f16_exactly_one_winner_of_an_anchored_tie(variant: Variant, third: float) -> None:
    """Seat 11 is within 20 ms of seat 2 at 24 ms and of nobody's t0: a tie is never chained."""
    case = Case(variant, claimant=10)
    case.until(0)
    case.edges([(MS, 6, 1), (5 * MS, 2, 1), (MS + round(third * 1000) * 1000, 11, 1)])
    case.until(S)
    assert case.doubter() == (case.nearest(6, 2), True)
    if variant.name == "as reported":
        assert case.doubter()[0] == 2


@pytest.mark.parametrize("pressing", [4, 5, 3])
@pytest.mark.parametrize("turned", [0, 2, 4])
@pytest.mark.parametrize("later", [0, 2**32, 2**62])
def test_f17_a_press_that_was_refused_is_not_kept(pressing: int, turned: int, later: int) -> None:
    """Not mirrored: whose turn it is goes clockwise."""
    first, second, pressing = ((seat - 1 + turned) % 5 + 1 for seat in (1, 2, pressing))
    header = {"tape": 1, "game": "classic", "seats": 5, "dealer": (first - 2) % 5 + 1}
    table = tape.table_of(tape.read([json.dumps(header)]))
    events = table.feed(Do(later, first, "claim", 1))
    events += table.feed(Do(500 * MS + later, second, "doubt"))
    events += table.feed(Time(1500 * MS + later))
    assert table.public()["phase"] == "reveal"
    stamp = 1_770_335_205_857 % 10_000 * MS + later  # in the verdict
    events += table.feed(Edge(stamp, pressing, 1)) + table.feed(Edge(stamp + 90 * MS, pressing, 0))
    events += table.feed(Time(stamp + S))
    assert [each.facts["seat"] for each in events if each.name == "void"] == [pressing]
    assert table.fold.race == ()
    events += table.feed(Do(stamp + 2 * S, first, "give_in"))
    events += table.feed(Do(stamp + 5 * S, second, "claim", 1))
    before = len(events)
    events += table.feed(Time(stamp + 12 * S))
    assert table.public()["phase"] == "doubt"
    assert not [each.name for each in events[before:] if each.name in ("doubt", "press_again", "void")]


@in_every_variant
@pytest.mark.parametrize(
    ("stamp", "delivered", "counts"), [(4998, 5030, True), (5002, 5003, False), (4999, 5048, True)]
)
def test_f18_the_stamp_decides_at_the_deadline(variant: Variant, stamp: int, delivered: int, counts: bool) -> None:
    case = Case(variant, claimant=1, closes=5 * S)
    case.until(delivered * MS)
    case.edges([(stamp * MS, 3, 1)])
    case.until(7 * S)
    if counts:
        assert case.doubter() == (3, False)
    else:
        assert not case.of("doubt")
        assert [each.facts["why"] for each in case.of("void", 3)] == ["late"]
