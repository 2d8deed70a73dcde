"""Table layout: shoulders apart, seats clockwise, cables long enough and no longer."""

import math

import pytest

from workshop.layout import EDGE, SLACK_M, SPACING, layout, screen_inches


@pytest.mark.parametrize("seats", range(2, 14))
def test_neighbours_sit_at_least_45_cm_apart(seats: int) -> None:
    table = layout(seats)
    assert SPACING - 0.5 <= table.closest <= 600 + 0.5  # two and three people at the smallest table sit wider
    assert [place.seat for place in table.places] == list(range(1, seats + 1))


@pytest.mark.parametrize("seats", range(2, 14))
def test_every_button_is_12_cm_from_the_edge(seats: int) -> None:
    table = layout(seats)
    half = table.straight / 2
    for place in table.places:
        off_axis = math.hypot(max(abs(place.x) - half, 0.0), place.y)
        assert table.radius + EDGE - off_axis == pytest.approx(EDGE, abs=0.01)


@pytest.mark.parametrize("seats", range(3, 14))
def test_seats_run_clockwise_seen_from_above(seats: int) -> None:
    places = layout(seats).places
    turns = [a.x * b.y - a.y * b.x for a, b in zip(places, [*places[1:], places[0]], strict=True)]
    assert all(turn < 0 for turn in turns)


@pytest.mark.parametrize("seats", [4, 6, 8, 13])
def test_cables_reach_with_their_slack(seats: int) -> None:
    table = layout(seats)
    for place in table.places:
        needed = math.hypot(place.x, place.y) / 1000 + SLACK_M
        assert needed - 1e-6 <= table.cable_m(place.seat) <= needed + 0.1


def test_the_screen_grows_with_the_table() -> None:
    assert [screen_inches(seats) for seats in (4, 6, 7, 8, 9, 13)] == [7, 7, 10, 10, 15, 15]


@pytest.mark.parametrize("seats", [1, 14])
def test_a_table_of_another_size_is_refused(seats: int) -> None:
    with pytest.raises(ValueError, match="2 to 13 seats"):
        layout(seats)
