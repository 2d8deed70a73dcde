"""The table from above, to scale: where to drill, how far apart, where reader, CLAIM frame and cables go."""

import math

from workshop.builds import Build
from workshop.drawing import GREY, INK, Sheet
from workshop.layout import EDGE, SPACING, Layout, Place, layout, screen_inches

SCALE = 0.34  # px per mm
MARGIN = 118


def svg(build: Build) -> str:
    """The picture as SVG."""
    table = layout(len(build.seats))
    width = table.length * SCALE + 2 * MARGIN
    height = table.width * SCALE + 2 * MARGIN + 10
    sheet = Sheet(width, height, f"plan {build.plan} from above: {len(build.seats)} buttons, {_size(table)}")
    centre = (width / 2, height / 2 + 10)
    _wood(sheet, table, centre)
    for place in table.places:
        end = _at(place, centre)
        sheet.line([centre, end], "#8a6a3d", 1.5, "5 4")
    _middle(sheet, centre)
    for place in table.places:
        _seat(sheet, place, centre, build.seats[place.seat - 1].cable_m)
    _measures(sheet, table, centre)
    sheet.text(width / 2, 22, f"{len(build.seats)} seats: {_size(table)}", size=17, bold=True)
    screen = screen_inches(len(build.seats))
    words = f"screen of {screen} inches or more, where all seats see it within 2 m; dashed: cables under the table"
    sheet.text(width / 2, 46, words, size=12, colour=GREY)
    return sheet.svg()


def _size(table: Layout) -> str:
    if not table.straight:
        return f"round, {table.width / 10:.0f} cm across"
    return f"oblong, {table.length / 10:.0f} x {table.width / 10:.0f} cm, ends round"


def _at(place: Place, centre: tuple[float, float]) -> tuple[float, float]:
    return centre[0] + place.x * SCALE, centre[1] - place.y * SCALE


def _wood(sheet: Sheet, table: Layout, centre: tuple[float, float]) -> None:
    w, h = table.length * SCALE, table.width * SCALE
    sheet.rect(centre[0] - w / 2, centre[1] - h / 2, w, h, "#e9d3b0", "#8a6a3d", round_=h / 2)


def _middle(sheet: Sheet, centre: tuple[float, float]) -> None:
    """CLAIM frame to the left, reader tray to the right, the box under the middle."""
    x, y = centre
    frame, tray = 134 * SCALE, (96 * SCALE, 118 * SCALE)
    sheet.rect(x - 12 - frame, y - frame / 2, frame, frame, "#f6efe2", INK, round_=4)
    sheet.text(x - 12 - frame / 2, y, "CLAIM", size=10, bold=True)
    sheet.rect(x + 12, y - tray[1] / 2, *tray, "#f6efe2", INK, round_=3)
    sheet.text(x + 12 + tray[0] / 2, y, "reader", size=8.5)
    sheet.circle(x, y, 4, INK)


def _seat(sheet: Sheet, place: Place, centre: tuple[float, float], metres: float) -> None:
    x, y = _at(place, centre)
    sheet.circle(x, y, 77 * SCALE, "#f6efe2")
    sheet.circle(x, y, 30 * SCALE, "#f7dc8c")
    sheet.text(x, y, str(place.seat), size=13, bold=True)
    away = (EDGE + 118) * SCALE
    tx, ty = x + math.cos(place.outward) * away, y - math.sin(place.outward) * away
    sheet.text(tx, ty - 7, f"seat {place.seat}", size=12)
    sheet.text(tx, ty + 8, f"cable {metres:.1f} m", size=11, colour=GREY)


def _measures(sheet: Sheet, table: Layout, centre: tuple[float, float]) -> None:
    """The distance between two neighbours, and from a button to the edge."""
    first, second = (_at(place, centre) for place in table.places[:2])
    dx, dy = second[0] - first[0], second[1] - first[1]
    shift = 100 * SCALE / math.hypot(dx, dy)
    a, b = ((x - dy * shift, y + dx * shift) for x, y in (first, second))
    sheet.line([first, a], "#b3261e", 1, "2 3")
    sheet.line([second, b], "#b3261e", 1, "2 3")
    sheet.arrow(a, b, "#b3261e")
    middle = ((a[0] + b[0]) / 2 + 8, (a[1] + b[1]) / 2 - 12)
    sheet.text(*middle, f"{SPACING / 10:.0f} cm", size=12, colour="#b3261e")
    place = table.places[0]
    x, y = _at(place, centre)
    x += 40
    edge = y + EDGE * SCALE
    sheet.line([(x - 40, y), (x + 8, y)], "#b3261e", 1, "2 3")
    sheet.arrow((x, y), (x, edge), "#b3261e")
    sheet.text(x + 8, (y + edge) / 2, f"{EDGE / 10:.0f} cm", size=12, colour="#b3261e", anchor="start")
