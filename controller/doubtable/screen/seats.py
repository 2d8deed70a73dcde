"""Where the seats are on the picture: a map of the table, seen from above, clockwise (pure geometry).

The map is a rectangle with the seats' plates along its edge. A seat goes to the side on which it sits at a table whose
seats stand at equal angles; on one side the plates are spread evenly. Where a side is too short for its seats, the
corners move.
"""

import math
from typing import Literal

import msgspec

from doubtable.screen.sizes import Box

Side = Literal["below", "left", "above", "right"]
LONGEST_MARK = 5  # times as long as it is deep
SIDES: tuple[Side, ...] = ("below", "left", "above", "right")  # clockwise from the one who reads the screen


class Place(msgspec.Struct, frozen=True):
    """A seat on the map: its plate, the side it sits on, and a box along its inner edge for a mark."""

    seat: int
    plate: Box
    mark: Box
    side: Side


class Map(msgspec.Struct, frozen=True):
    """All places, seat 1 first, and the box that they leave free in the middle."""

    places: tuple[Place, ...]
    middle: Box

    def place(self, seat: int) -> Place:
        return self.places[seat - 1]


def seat_map(area: Box, seats: int, plate: tuple[int, int], mark: int, first: int = 0) -> Map:
    """The map of 2 to 13 seats in ``area``.

    ``plate`` is a plate's size and ``mark`` the depth of the band for marks, in pixels; ``first`` is where seat 1 sits,
    in degrees clockwise from the side of the one who reads the screen. Plates shrink when they do not fit.
    """
    wide, high = plate
    sides = _sides(area, seats, (wide, high), first)
    fullest = max(len(sides["above"]), len(sides["below"]), 1)
    tallest = max(len(sides["left"]), len(sides["right"]), 1)
    wide = min(wide, area.w // fullest - 4)
    high = min(high, (area.h - 2 * high) // tallest - 4) if tallest * (high + 4) > area.h - 2 * high else high
    places = {place.seat: place for side in SIDES for place in _row(area, side, sides[side], (wide, high), mark)}
    rim = high + mark
    left = (wide + mark) if sides["left"] else 0
    right = (wide + mark) if sides["right"] else 0
    above, below = (rim if sides["above"] else 0), (rim if sides["below"] else 0)
    middle = Box(area.x + left, area.y + above, area.w - left - right, area.h - above - below)
    return Map(tuple(places[seat] for seat in range(1, seats + 1)), middle)


def _sides(area: Box, seats: int, plate: tuple[int, int], first: int) -> dict[Side, list[int]]:
    angles = {seat: (first + 360 * (seat - 1) / seats) % 360 for seat in range(1, seats + 1)}
    true_corner = math.degrees(math.atan2(area.w, area.h))
    across, along = max(1, area.w // (plate[0] + 4)), max(1, (area.h - 2 * plate[1]) // (plate[1] + 4))
    best: tuple[float, dict[Side, list[int]]] | None = None
    for tenths in range(50, 851, 25):
        corner = tenths / 10
        sides: dict[Side, list[int]] = {side: [] for side in SIDES}
        for seat, angle in angles.items():
            sides[_side(angle, corner)].append(seat)
        for side in SIDES:
            sides[side].sort(key=lambda seat: (angles[seat] + corner) % 360)
        crowd = sum(max(0, len(sides[side]) - (across if side in ("above", "below") else along)) for side in SIDES)
        worse = crowd * 1000 + abs(corner - true_corner)
        if best is None or worse < best[0]:
            best = (worse, sides)
    assert best is not None
    return best[1]


def _side(angle: float, corner: float) -> Side:
    if angle <= corner or angle >= 360 - corner:
        return "below"
    if angle < 180 - corner:
        return "left"
    return "above" if angle <= 180 + corner else "right"


def _row(area: Box, side: Side, seats: list[int], plate: tuple[int, int], mark: int) -> list[Place]:
    wide, high = plate
    places = []
    for number, seat in enumerate(seats):
        share = (2 * number + 1) / (2 * len(seats))
        if side in ("below", "above"):
            share = 1 - share if side == "below" else share
            x = round(area.x + area.w * share - wide / 2)
            y = area.bottom - high if side == "below" else area.y
        else:
            share = 1 - share if side == "left" else share
            inner = area.h - 2 * high
            y = round(area.y + high + inner * share - high / 2)
            x = area.x if side == "left" else area.right - wide
        box = Box(x, y, wide, high)
        places.append(Place(seat, box, _mark(box, side, mark), side))
    return places


def _mark(plate: Box, side: Side, mark: int) -> Box:
    middle_x, middle_y = plate.centre
    across, along = min(plate.w, LONGEST_MARK * mark), min(plate.h, LONGEST_MARK * mark)
    boxes = {
        "below": Box(middle_x - across // 2, plate.y - mark, across, mark),
        "above": Box(middle_x - across // 2, plate.bottom, across, mark),
        "left": Box(plate.right, middle_y - along // 2, mark, along),
        "right": Box(plate.x - mark, middle_y - along // 2, mark, along),
    }
    return boxes[side]
