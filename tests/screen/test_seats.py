import math

import pytest

from doubtable.screen.layout import frame
from doubtable.screen.seats import seat_map
from doubtable.screen.sizes import Box, Panel

AREAS = [Box(5, 5, 790, 340), Box(4, 4, 1016, 472), Box(8, 8, 1904, 840), Box(4, 4, 472, 330), Box(8, 8, 1064, 800)]
ALL = [(area, seats, first) for area in AREAS for seats in range(2, 14) for first in (0, 90, 137, 180, 270)]


@pytest.mark.parametrize(("area", "seats", "first"), ALL)
def test_plates_lie_in_the_area_and_touch_neither_each_other_nor_the_middle(area: Box, seats: int, first: int) -> None:
    made = seat_map(area, seats, (115, 58), 16, first)
    plates = [place.plate for place in made.places]
    assert len(plates) == seats
    assert all(area.holds(plate) for plate in plates)
    assert not any(one.meets(other) for number, one in enumerate(plates) for other in plates[:number])
    assert not any(made.middle.meets(plate) for plate in plates)
    assert all(area.holds(place.mark) for place in made.places)
    assert not any(made.middle.meets(place.mark) for place in made.places)


@pytest.mark.parametrize(("size", "most"), [((800, 480), 6), ((1024, 600), 8), ((1920, 1080), 13), ((480, 800), 4)])
def test_a_mark_is_as_long_as_its_plate_is_high_and_lies_on_no_other(size: tuple[int, int], most: int) -> None:
    for seats in range(3, most + 1):
        places = frame(Panel(*size), seats).map.places
        for place in places:
            assert max(place.mark.w, place.mark.h) >= place.plate.h * 9 // 10
            assert not any(place.mark.meets(other.plate) for other in places)


@pytest.mark.parametrize(("area", "seats", "first"), ALL)
def test_seats_run_clockwise_seen_from_above(area: Box, seats: int, first: int) -> None:
    made = seat_map(area, seats, (115, 58), 16, first)
    x, y = area.centre

    def turn(box: Box) -> float:  # clockwise from below, y grows downwards
        return math.degrees(math.atan2(x - box.centre[0], box.centre[1] - y)) % 360

    turns = [turn(place.plate) for place in made.places]
    steps = [(later - earlier) % 360 for earlier, later in zip(turns, turns[1:] + turns[:1], strict=True)]
    assert sum(steps) == pytest.approx(360)


def test_seat_one_sits_where_the_owner_says() -> None:
    area = AREAS[1]
    sides = [seat_map(area, 4, (115, 58), 16, first).place(1).side for first in (0, 90, 180, 270)]
    assert sides == ["below", "left", "above", "right"]


def test_four_seats_sit_on_four_sides() -> None:
    assert [place.side for place in seat_map(AREAS[0], 4, (115, 58), 16).places] == ["below", "left", "above", "right"]
