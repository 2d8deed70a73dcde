"""The one layout of all scenes: a map of the seats, a middle for what is going on, a band with the help line.

On a wide picture the middle lies inside the map; on an upright one the map lies above it. All lengths come from the
unit, the height of the smallest capital: 16 minutes of arc, more where the panel has room.
"""

import msgspec

from doubtable.screen.seats import Map, seat_map
from doubtable.screen.sizes import Box, Panel

HELP_UNITS = 2.72  # two lines with their accents and tails
ROW_UNITS = 1.34


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
    plate = (round(2.35 * unit), round(1.18 * unit))
    mark = max(10, round(0.32 * unit))
    if landscape:
        band = round(HELP_UNITS * unit)
        page = Box(0, 0, wide, high - band)
        edge = max(2, unit // 10)
        around = seat_map(page.inset(edge), seats, plate, mark, first)
        middle = around.middle.inset(max(2, unit // 12))
        return Frame((wide, high), unit, around, middle, page, Box(0, high - band, wide, band), True)
    band = round((HELP_UNITS + 2 * 1.3) * unit)
    page = Box(0, 0, wide, high - band)
    edge = max(2, unit // 10)
    share = Box(0, 0, wide, round(page.h * 0.56)).inset(edge)
    around = seat_map(share, seats, plate, mark, first)
    middle = Box(0, share.bottom, wide, page.bottom - share.bottom).inset(unit // 4, unit // 6)
    return Frame((wide, high), unit, around, middle, page, Box(0, high - band, wide, band), False)
