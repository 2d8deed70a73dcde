"""The controller's connector with every pin labelled: what goes there, or why nothing does."""

from doubtable.config.plan import Plan
from workshop.boards import PI, Pin
from workshop.builds import Build
from workshop.drawing import GREY, INK, PALE, Sheet

ROW = 27
LABEL = 270
NAME = 66
COLOURS = {
    "button": ("#1f4e79", "white"),
    "lamp": ("#f2c230", INK),
    "power": ("#b3261e", "white"),
    "ground": ("#2b2b2b", "white"),
    "reader": ("#2e7d4f", "white"),
    "other": ("#5b4a87", "white"),
    "kept": (PALE, GREY),
    "free": ("white", GREY),
}


def labels(build: Build, plan: Plan) -> dict[int, tuple[str, str]]:
    """What is to be written at each pin of the board: (kind, words). Every pin has a label."""
    made = {pin.number: _unused(build, plan, pin) for pin in build.board.pins}
    for seat in build.seats:
        made[seat.pin] = ("button", f"seat {seat.number} button")
        if not build.registers:
            made[seat.lamp_pin] = ("lamp", f"seat {seat.number} lamp")
    for pin in build.board.grounds():
        made[pin.number] = _ground(build, pin)
    for line, use in build.others.items():
        place = build.board.pin_of(line)
        if place is not None and build.registers:
            made[place.number] = ("other", use.rsplit(": ", 1)[-1])
    reader = plan.reader
    words = {"receive": "reader TX, over the divider", "transmit": "reader RX (PN532 only)", "supply": "reader 5 V"}
    for signal, text in words.items():
        if signal in reader.pins:
            made[reader.pins[signal]] = ("reader", text)
    if "ground" in reader.pins:
        number = reader.pins["ground"]
        seats = made[number][1]
        made[number] = ("ground", "ground of the reader" if seats == "ground" else f"{seats} and the reader")
    return made


def _unused(build: Build, plan: Plan, pin: Pin) -> tuple[str, str]:
    if pin.line is None:
        return _power(build, pin)
    why = build.kept_free.get(pin.line) or build.board.reserved.get(pin.line)
    if why is not None:
        return "kept", f"keep: {_short(why)}"
    return "free", "free"


def _short(why: str) -> str:
    """The first part of a reason, short enough for a label."""
    for mark in (":", ",", " ("):
        why = why.split(mark, maxsplit=1)[0]
    return why


def _power(build: Build, pin: Pin) -> tuple[str, str]:
    if build.board is PI:
        lamps = "5 V for the lamps" if build.lamp.volts == 5 else "5 V, spare"
        words = {1: "3.3 V for the pull-ups", 17: "3.3 V, spare", 2: lamps}
        return "power", words.get(pin.number, "5 V, spare")
    words = {36: "3.3 V for pull-ups and registers", 39: "do not connect", 40: "5 V of the USB, do not connect"}
    return ("power", words[36]) if pin.number == 36 else ("kept", words.get(pin.number, "do not connect"))


def _ground(build: Build, pin: Pin) -> tuple[str, str]:
    seats = [str(seat.number) for seat in build.seats if seat.ground_pin == pin.number]
    if not seats:
        return "ground", "ground"
    return "ground", f"ground of seat{'s' if len(seats) > 1 else ''} {', '.join(seats)}"


def svg(build: Build, plan: Plan) -> str:
    """The Pi's header seen from above with the board's edge to the right, or the Pico with its plug at the top."""
    rows = len(build.board.pins) // 2
    left, right = _columns(build)
    body = 60 if build.board is PI else 150
    width = 2 * (LABEL + NAME) + body + 40
    sheet = Sheet(width, rows * ROW + 92, f"{build.board.name}: what goes to which pin of plan {build.plan}")
    middle = width / 2
    sheet.text(middle, 22, f"{build.board.name}, plan {build.plan}", size=16, bold=True)
    words = "pin 1 has the square pad, at the board's corner" if build.board is PI else "the USB plug is here"
    sheet.text(middle, 44, words, size=12, colour=GREY)
    top = 66
    edge = "#2c6e49" if build.board is PI else "#3f7f5f"
    sheet.rect(middle - body / 2, top - 6, body, rows * ROW + 12, "#f6f8f6", edge, round_=6)
    made = labels(build, plan)
    for index in range(rows):
        y = top + ROW * (index + 0.5)
        _pin(sheet, left[index], made, middle - body / 2 + 16, y, side=-1)
        _pin(sheet, right[index], made, middle + body / 2 - 16, y, side=1)
    return sheet.svg()


def _columns(build: Build) -> tuple[list[Pin], list[Pin]]:
    pins = list(build.board.pins)
    if build.board is PI:
        return pins[0::2], pins[1::2]
    half = len(pins) // 2
    return pins[:half], list(reversed(pins[half:]))


def _pin(sheet: Sheet, pin: Pin, made: dict[int, tuple[str, str]], x: float, y: float, *, side: int) -> None:
    """One pin: its number, its name, and its label; ``side`` -1 is to the left."""
    kind, words = made[pin.number]
    fill, ink = COLOURS[kind]
    if pin.number == 1:
        sheet.rect(x - 10, y - 10, 20, 20)
    else:
        sheet.circle(x, y, 10)
    sheet.text(x, y, str(pin.number), size=10)
    name_x = x + side * 22
    anchor = "start" if side > 0 else "end"
    sheet.text(name_x, y, pin.name, size=11, anchor=anchor, colour=GREY)
    label_x = name_x + side * NAME
    box = label_x if side > 0 else label_x - LABEL + 12
    sheet.rect(box, y - 11, LABEL - 12, 22, fill, "#c6ccd2", round_=4)
    sheet.text(label_x + side * 8, y, words, size=12, colour=ink, anchor=anchor)
