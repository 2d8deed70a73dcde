"""What hangs on what: the whole table as boxes and cables, for the first page a maker looks at."""

from workshop.builds import Build
from workshop.drawing import GREY, INK, Sheet
from workshop.layout import screen_inches

BOX = (168, 62)
COLUMNS = (24, 286, 612)
ROWS = (70, 172, 274, 376)


def svg(build: Build, reader_on_usb: bool) -> str:
    """The picture as SVG: supplies to the left, the box in the middle, the table to the right."""
    sheet = Sheet(804, 462, f"plan {build.plan}: what hangs on what")
    sheet.text(402, 24, f"What hangs on what, plan {build.plan}", size=16, bold=True)
    sheet.rect(COLUMNS[1] - 20, ROWS[0] - 22, BOX[0] + 40, 326, "#f6f7f9", "#c6ccd2", round_=8)
    sheet.text(COLUMNS[1] + BOX[0] / 2, ROWS[2] + BOX[1] + 22, "in the box under the table", size=11, colour=GREY)
    _power(sheet, build)
    _box(sheet, build)
    _table(sheet, build, reader_on_usb)
    return sheet.svg()


def _power(sheet: Sheet, build: Build) -> None:
    _boxed(sheet, 0, 0, "Pi's supply", "5.1 V, 3 A")
    _cable(sheet, (0, 0), (1, 0), "USB-C")
    if build.lamp.volts == 12:
        _boxed(sheet, 0, 2, "lamps' supply", "12 V, 2 A, fuse 1 A")
        _cable(sheet, (0, 2), (1, 2), "2 cores")


def _box(sheet: Sheet, build: Build) -> None:
    _boxed(sheet, 1, 0, "Raspberry Pi", "the program")
    if build.registers:
        _boxed(sheet, 1, 1, "Pico panel", "reads the buttons")
        _down(sheet, 0, "USB")
        _down(sheet, 1, "sockets")
    else:
        x = COLUMNS[1] + BOX[0] / 2
        sheet.line([(x, ROWS[0] + BOX[1]), (x, ROWS[2])], INK, 3)
        sheet.text(x + 8, (ROWS[0] + BOX[1] + ROWS[2]) / 2, "ribbon, 40 pins", size=11, anchor="start", colour=GREY)
    drivers = build.driver.name if build.driver else "no driver"
    _boxed(sheet, 1, 2, "seat board", f"{build.driver_chips} x {drivers}")


def _table(sheet: Sheet, build: Build, reader_on_usb: bool) -> None:
    inches = screen_inches(len(build.seats))
    _boxed(sheet, 2, 0, f"screen, {inches} inches", "speaker on USB")
    _cable(sheet, (1, 0), (2, 0), "display cable" if inches == 7 else "HDMI")
    _boxed(sheet, 2, 1, f"reader {build.reader.upper()}", "in the tray")
    if reader_on_usb:
        start = (COLUMNS[1] + BOX[0], ROWS[0] + BOX[1] - 12)
        _bent(sheet, start, 1, "USB adapter")
    else:
        start = (COLUMNS[1] + BOX[0], ROWS[2] + 14)
        _bent(sheet, start, 1, "TR, 3 cores")
    for row, words in ((2, "seat 1"), (3, f"seat {len(build.seats)}")):
        _boxed(sheet, 2, row, words, f"button, lamp {build.lamp.volts:g} V")
    _cable(sheet, (1, 2), (2, 2), f"W1, {len(build.cores)} cores")
    _bent(sheet, (COLUMNS[1] + BOX[0], ROWS[2] + 48), 3, f"W{len(build.seats)}")
    sheet.text(COLUMNS[2] + BOX[0] / 2, (ROWS[2] + BOX[1] + ROWS[3]) / 2, "...", size=18, bold=True)


def _boxed(sheet: Sheet, column: int, row: int, name: str, more: str) -> None:
    x, y = COLUMNS[column], ROWS[row]
    sheet.rect(x, y, *BOX, "#ffffff", INK, round_=6)
    sheet.text(x + BOX[0] / 2, y + 22, name, size=14, bold=True)
    sheet.text(x + BOX[0] / 2, y + 43, more, size=11.5, colour=GREY)


def _cable(sheet: Sheet, start: tuple[int, int], end: tuple[int, int], words: str) -> None:
    """A straight cable between neighbours of one row."""
    y = ROWS[start[1]] + BOX[1] / 2
    a, b = COLUMNS[start[0]] + BOX[0], COLUMNS[end[0]]
    sheet.line([(a, y), (b, y)], INK, 3)
    sheet.text(b - 8, y - 10, words, size=11, anchor="end", colour=GREY)


def _down(sheet: Sheet, row: int, words: str) -> None:
    x = COLUMNS[1] + BOX[0] / 2
    sheet.line([(x, ROWS[row] + BOX[1]), (x, ROWS[row + 1])], INK, 3)
    sheet.text(x + 8, (ROWS[row] + BOX[1] + ROWS[row + 1]) / 2, words, size=11, anchor="start", colour=GREY)


def _bent(sheet: Sheet, start: tuple[float, float], row: int, words: str) -> None:
    """A cable from the box's side to a row of the table's column."""
    x, y = start
    middle, end = x + 44, ROWS[row] + BOX[1] / 2
    sheet.line([(x, y), (middle, y), (middle, end), (COLUMNS[2], end)], INK, 3)
    sheet.text(COLUMNS[2] - 6, end - 10, words, size=11, anchor="end", colour=GREY)
