"""The profile without holds at a table: two taps are the HOLD, and what it does is fixed at the first one's press."""

from collections.abc import Sequence

import pytest

from doubtable.buttons.gestures import Habits
from doubtable.events import Event
from doubtable.games.base import Game
from doubtable.games.classic import Classic
from doubtable.games.wrong_rank import WrongRank
from doubtable.inputs import Do, Edge, Input, Time
from doubtable.table import Table
from doubtable.timing import MS, Timing

NAMES = ("Ann", "Bob", "Cy", "Di", "Ed")
SEATS = (1, 2, 3, 4, 5)
TIMING = Timing(tie=5 * MS)


def table_of(game: Game | None = None) -> Table:
    """Five people, all of them with the profile without holds."""
    return Table(game or Classic(SEATS, 5, {}, TIMING), NAMES, 5, habits=(Habits(no_hold=True),) * 5)


def tap(seat: int, at: float, length: float = 100) -> list[Input]:
    return [Edge(round(at * MS), seat, 1), Edge(round((at + length) * MS), seat, 0)]


def fed(table: Table, inputs: Sequence[Input], until: float) -> list[Event]:
    return [event for each in [*inputs, Time(round(until * MS))] for event in table.feed(each)]


def of(events: list[Event], name: str) -> list[Event]:
    return [each for each in events if each.name == name]


def claimed(game: Game | None = None) -> Table:
    """Seat 1 has claimed one card at 0."""
    table = table_of(game)
    table.feed(Do(0, 1, "claim", 1, rank="A" if game is not None else None))
    return table


def test_a_claim_by_taps_alone() -> None:
    events = fed(table_of(), [*tap(1, 1000), *tap(1, 2000), *tap(1, 3000), *tap(1, 3300)], 5000)
    (claim,) = of(events, "claim")
    assert (claim.ns, claim.facts["count"]) == (3400 * MS, 2), "two single taps to the 2, then two that are the HOLD"


@pytest.mark.parametrize("pause", [520, 560, 601, 900])
def test_two_taps_too_far_apart_are_two_taps(pause: float) -> None:
    """Also when the second one begins before the first is known to be single."""
    table = table_of()
    fed(table, [*tap(1, 1000), *tap(1, 1100 + pause)], 3000)
    events = fed(table, [*tap(1, 4000), *tap(1, 4300)], 6000)
    assert [each.facts["count"] for each in of(events, "claim")] == [2]


def test_the_first_tap_counts_when_the_second_press_is_too_long_for_a_tap() -> None:
    table = table_of()
    fed(table, [*tap(1, 1000), *tap(1, 1300, 900)], 4000)
    events = fed(table, [*tap(1, 5000), *tap(1, 5300)], 7000)
    assert [each.facts["count"] for each in of(events, "claim")] == [1]


def test_the_next_seats_two_taps_are_a_doubt_at_the_first_ones_press() -> None:
    events = fed(claimed(), [*tap(4, 1000), *tap(2, 1004), *tap(2, 1300)], 3000)
    (doubt,) = of(events, "doubt")
    assert (doubt.facts["seat"], doubt.ns, doubt.facts["tie"]) == (2, 1004 * MS, True)


@pytest.mark.parametrize(("length", "known"), [(100, 1704), (690, 2294)])
def test_a_race_waits_600_ms_more_for_it(length: float, known: float) -> None:
    table = claimed()
    assert not of(fed(table, [*tap(4, 1000), *tap(2, 1004, length)], known - 0.000001), "doubt")
    (doubt,) = of(fed(table, [], known), "doubt")
    assert doubt.facts["seat"] == 4, "a single tap of the next seat before doubt_ms is no doubt"


def test_a_start_by_a_single_tap_is_known_600_ms_later_and_counts_by_its_release() -> None:
    table = claimed()
    assert not of(fed(table, tap(2, 5000), 5699), "window")
    events = fed(table, [], 6000)
    assert [(each.facts["state"], each.ns) for each in of(events, "window")] == [("closed", 5100 * MS)]


@pytest.mark.parametrize(("slap", "counts"), [(5090, True), (5100, True), (5100.000001, False)])
def test_a_doubt_up_to_that_release_wins(slap: float, counts: bool) -> None:
    events = fed(claimed(), [*tap(2, 5000), *tap(4, slap)], 8000)
    assert [each.facts["seat"] for each in of(events, "doubt")] == [4] * counts


def test_wrong_rank_by_two_taps_and_a_doubt_by_one() -> None:
    """In the free game a steady seat's TAP is a doubt at its press and its HOLD the call."""
    game = WrongRank(SEATS, 5, {"rank_assist": "free"}, TIMING)
    events = fed(claimed(game), tap(4, 1000), 4000)
    assert [(each.facts["seat"], each.ns) for each in of(events, "doubt")] == [(4, 1000 * MS)]
    table = claimed(WrongRank(SEATS, 5, {"rank_assist": "free"}, TIMING))
    assert not of(fed(table, [*tap(4, 1000), *tap(4, 1300)], 4000), "doubt")
