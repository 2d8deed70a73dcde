"""Where people sit: button places, the table's outline, cable lengths and the screen, by the number of seats.

Millimetres; x to the right, y away from the reader of the drawing; the reader tray is at (0, 0). Seat 1 is at the
bottom, seats run clockwise seen from above.
"""

import itertools
import math
from dataclasses import dataclass

SPACING = 450.0  # between neighbouring buttons: shoulder to shoulder
EDGE = 120.0  # from button to the table's edge: the heel of the hand rests on wood
ROUND_UP_TO = 8  # seats; a round table for more is too wide to reach its middle
END_RADIUS = 600.0  # of the buttons' path at the ends of an oblong table
SLACK_M = 0.5  # of cable: 0.2 at the box, 0.3 at the seat, to open either without cutting
CUT_STEP_M = 0.1


@dataclass(frozen=True)
class Place:
    """A button: its seat, where it is, and the direction (radians) in which its player sits."""

    seat: int
    x: float
    y: float
    outward: float


@dataclass(frozen=True)
class Layout:
    """A table. ``straight``: length of its straight sides, 0 when round; ``radius``: of the path of the buttons."""

    places: tuple[Place, ...]
    radius: float
    straight: float

    @property
    def length(self) -> float:
        return self.straight + 2 * (self.radius + EDGE)

    @property
    def width(self) -> float:
        return 2 * (self.radius + EDGE)

    @property
    def closest(self) -> float:
        """Between the two neighbours that sit closest."""
        ring = [*self.places, self.places[0]]
        return min(math.dist((a.x, a.y), (b.x, b.y)) for a, b in itertools.pairwise(ring))

    def cable_m(self, seat: int) -> float:
        """Metres to cut for a seat: straight from the box under the reader, slack added, rounded up."""
        place = self.places[seat - 1]
        metres = math.hypot(place.x, place.y) / 1000 + SLACK_M
        return round(math.ceil(round(metres / CUT_STEP_M, 6)) * CUT_STEP_M, 1)


def layout(seats: int) -> Layout:
    """The smallest table for 2 to 13 seats whose neighbours sit SPACING apart."""
    if not 2 <= seats <= 13:
        raise ValueError(f"a table has 2 to 13 seats, not {seats}")
    if seats <= ROUND_UP_TO:
        radius = max(SPACING / (2 * math.sin(math.pi / seats)), 300.0)
        return _place(seats, radius, 0.0)
    least, most = 0.0, seats * SPACING
    for _ in range(60):
        middle = (least + most) / 2
        if _place(seats, END_RADIUS, middle).closest < SPACING:
            least = middle
        else:
            most = middle
    return _place(seats, END_RADIUS, math.ceil(most / 10) * 10)


def _place(seats: int, radius: float, straight: float) -> Layout:
    path = 2 * math.pi * radius + 2 * straight
    places = (_on_path(seat, (seat - 1) * path / seats, radius, straight) for seat in range(1, seats + 1))
    return Layout(tuple(places), radius, straight)


def _on_path(seat: int, along: float, radius: float, straight: float) -> Place:
    """The place ``along`` mm clockwise from the middle of the bottom side."""
    half, arc = straight / 2, math.pi * radius
    if along <= half:
        return Place(seat, -along, -radius, -math.pi / 2)
    along -= half
    if along <= arc:
        angle = -math.pi / 2 - along / radius
        return Place(seat, -half + radius * math.cos(angle), radius * math.sin(angle), angle)
    along -= arc
    if along <= straight:
        return Place(seat, -half + along, radius, math.pi / 2)
    along -= straight
    if along <= arc:
        angle = math.pi / 2 - along / radius
        return Place(seat, half + radius * math.cos(angle), radius * math.sin(angle), angle)
    return Place(seat, half - (along - arc), -radius, -math.pi / 2)


def screen_inches(seats: int) -> int:
    """The smallest screen on which every seat reads the map: 7 inches, 10 from 7 seats, 15 from 9."""
    if seats >= 9:
        return 15
    return 10 if seats >= 7 else 7
