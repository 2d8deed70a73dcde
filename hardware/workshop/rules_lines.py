"""Rules about lines, pins and cores: who is connected to what."""

from collections import Counter
from collections.abc import Iterator

from workshop.builds import Build, Seat
from workshop.findings import Finding, fault, warning


def no_pin_twice(build: Build) -> Iterator[Finding]:
    """Each line, and each output of a shift register, has one use."""
    uses: dict[int, list[str]] = {}
    for line, use in build.lines():
        uses.setdefault(line, []).append(use)
    outputs = Counter(seat.lamp for seat in build.seats) if build.registers else Counter[int]()
    twice = {f"line {line}": " and ".join(names) for line, names in sorted(uses.items()) if len(names) > 1}
    twice |= {f"register output {output}": f"{n} lamps" for output, n in sorted(outputs.items()) if n > 1}
    for place, found in twice.items():
        yield fault(place, found, "1 use", "give one of them a free line")
    if not twice:
        yield Finding("all lines", f"{len(uses)} lines, each once", "1 use each")


def no_reserved_pin(build: Build) -> Iterator[Finding]:
    """No line that the board or the plan needs for something else, and none that the board does not bring out."""
    taken = {line: why for line, use in build.lines() if (why := _why_not(build, line, use))}
    for line, why in taken.items():
        yield fault(f"line {line}", why, "free lines", "take another line")
    if not taken:
        yield Finding("all lines", "none reserved, all on the connector", "free lines")


def _why_not(build: Build, line: int, use: str) -> str | None:
    why = build.board.reserved.get(line)
    if why is None and use.startswith("seat"):
        why = build.kept_free.get(line)
    if why is None and build.board.pin_of(line) is None:
        why = "does not come out of the board"
    return None if why is None else f"{use}, but: {why}"


def pins_match(build: Build) -> Iterator[Finding]:
    """The pins that a plan names are those where its lines come out; a ground pin is a ground."""
    grounds = {pin.number for pin in build.board.grounds()}
    wrong = False
    for seat in build.seats:
        wants = [("button", f"pin {seat.pin}", _pin(build, seat.line)), _lamp_pin(build, seat)]
        for what, says, comes_out in wants:
            if says != comes_out:
                wrong = True
                found = f"{says}, but its line comes out at {comes_out}"
                yield fault(f"seat {seat.number} {what}", found, "the line's pin", "correct the plan")
        if seat.ground_pin not in grounds:
            wrong = True
            found = f"pin {seat.ground_pin} is no ground"
            yield fault(f"seat {seat.number} ground", found, "a ground pin", "correct the plan")
    if not wrong:
        yield Finding("all pins", "each where its line comes out", "the lines' pins")


def _pin(build: Build, line: int) -> str:
    pin = build.board.pin_of(line)
    return "no pin" if pin is None else f"pin {pin.number}"


def _lamp_pin(build: Build, seat: Seat) -> tuple[str, str, str]:
    if not build.registers:
        return "lamp", f"pin {seat.lamp_pin}", _pin(build, seat.lamp)
    chip, pin = register_pin(seat.lamp)
    return "lamp", f"{seat.lamp_chip} pin {seat.lamp_pin}", f"{chip} pin {pin}"


def register_pin(output: int) -> tuple[str, int]:
    """Chip and pin of an output of the chained 74HC595: outputs 0 to 7 are QA to QH of U1, 8 to 15 those of U2."""
    chip, place = divmod(output, 8)
    return f"U{chip + 1}", 15 if place == 0 else place


def cable_cores(build: Build) -> Iterator[Finding]:
    """A seat's cable has a core for everything: a driver that switches the minus leaves the lamp's plus to a fourth."""
    needs = {"button", "lamp", "ground"}
    if build.driver is not None and build.driver.side == "sink":
        needs.add("supply")
    missing = sorted(needs - set(build.cores))
    if missing:
        way_out = "a driver that switches the plus, such as TBD62783A, or a cable with more cores"
        yield fault("seat cables", f"no core for {' and '.join(missing)}", ", ".join(sorted(needs)), way_out)
    else:
        yield Finding("seat cables", ", ".join(sorted(build.cores)), ", ".join(sorted(needs)))


def dark_at_boot(build: Build) -> Iterator[Finding]:
    """Lamps on lines that the board pulls up glow until the program takes them; registers wake up anyhow."""
    if build.registers:
        found = "may flash at power-on, until the panel's program clears the registers"
        yield warning("all lamps", found, "off", "switch the lamps' supply on after the panel, or let them flash")
        return
    glow = [seat for seat in build.seats if seat.lamp in build.board.high_at_boot]
    for seat in glow:
        place = f"seat {seat.number} lamp on line {seat.lamp}"
        way_out = "its button on this line, and the lamp on a line from 9 up"
        yield warning(place, "glows until the program starts", "off", way_out)
    if not glow:
        yield Finding("all lamps", "off until the program starts", "off")
