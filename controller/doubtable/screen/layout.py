"""The one layout of all scenes: a map of the seats, a middle for what is going on, a band with the help line.

On a wide picture the middle lies inside the map; on an upright one the map lies above it. All lengths come from the
unit, the height of the smallest capital: 16 minutes of arc, more where the panel has room.
"""

import msgspec

from doubtable.screen.lettering import LEADING
from doubtable.screen.seats import Map, seat_map
from doubtable.screen.sizes import Box, Panel

HELP_UNITS = 2.72  # two lines with their accents and tails
LARGEST_DIGITS = 1.3
PLATE = (2.04, 1.18)  # wide and high, in digits
SHALLOW, DEEP = 0.29, 0.42  # a mark's depth in digits: on a low picture, and where there is height to spare


class Frame(msgspec.Struct, frozen=True):
    """Where everything goes on a picture for a number of seats. ``page`` is all but the help band."""

    size: tuple[int, int]
    unit: int
    map: Map
    middle: Box
    page: Box
    help: Box
    wide: bool


def frame(panel: Panel, seats: int, first: int = 0) -> Frame:
    """The layout for 2 to 13 seats; ``first`` is where seat 1 sits, in degrees clockwise from the screen's reader."""
    wide, high = panel.size
    landscape = wide >= high
    room = min(high / 13, wide / 24) if landscape else min(high / 21, wide / 12)
    unit = max(panel.capital, int(room))
    lines = HELP_UNITS if landscape else HELP_UNITS + 2 * LEADING
    band = round(lines * unit)
    page, edge = Box(0, 0, wide, high - band), 1
    # Where there is height to spare the numbers on the map are larger than the least.
    digits = unit * min(LARGEST_DIGITS, max(1.0, page.h / unit / 8)) if landscape else unit
    deep = SHALLOW if digits == unit and landscape else DEEP
    plate, mark = (round(PLATE[0] * digits), round(PLATE[1] * digits)), max(10, round(deep * digits))
    if landscape:
        around = seat_map(page.inset(edge), seats, plate, mark, first)
        middle = around.middle.inset(2)
    else:
        share = Box(0, 0, wide, _upright_map(page, seats, plate, mark)).inset(edge)
        around = seat_map(share, seats, plate, mark, first)
        middle = Box(0, share.bottom, wide, page.bottom - share.bottom).inset(unit // 16)
    return Frame((wide, high), unit, around, middle, page, Box(0, high - band, wide, band), landscape)


def _upright_map(page: Box, seats: int, plate: tuple[int, int], mark: int) -> int:
    """How high the map is on an upright picture: as low as its plates allow, but two fifths of the page."""
    across = max(1, page.w // (plate[0] + 4))
    sides = max(1, -(-(seats - 2 * across) // 2), seats // 6)
    return max(page.h * 2 // 5, min(page.h * 6 // 10, (2 + sides) * (plate[1] + 4) + 2 * mark))
