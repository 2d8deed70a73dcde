"""What one key alone cannot tell: lines used twice, lines that a bus needs, seats without a button, ports, times.

Every rule looks at the whole table and yields problems. A rule that rests on a key that is broken already says nothing
about it: ``broken`` has the key paths that were reported before.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from doubtable import timing
from doubtable.config.explain import key_path
from doubtable.config.pins import (
    BUSES,
    EEPROM_LINES,
    HEADER_LINES,
    PANEL_BUTTONS,
    PANEL_LAMPS,
    PULLED_UP_LINES,
    UART_PORTS,
    UNSTABLE_PORTS,
)
from doubtable.config.problem import Problem, choice, shown
from doubtable.config.written import Table

SEATS = range(2, 14)

CheckOptions = Callable[[str, Mapping[str, Any]], Iterable[Problem]]


def seat_numbers(table: Table) -> list[int]:
    """The numbers of the file's seats that are numbers of seats, in order."""
    return sorted(int(text) for text in table.seats if text in {str(seat) for seat in range(1, SEATS.stop)})


def source_of(table: Table, seat: int) -> str:
    """Where the seat's button and lamp hang."""
    return table.seats[str(seat)].source or table.buttons.source


def wired(table: Table) -> Iterator[tuple[str, str, int]]:
    """Every line in use: its key path, where it hangs ("header", "panel GP", "panel output"), the line."""
    for seat in seat_numbers(table):
        source = source_of(table, seat)
        for what, line in (("button", table.seats[str(seat)].button), ("lamp", table.seats[str(seat)].lamp)):
            if line is not None and source != "simulated":
                panel = "panel GP" if what == "button" else "panel output"
                yield f"seats.{seat}.{what}", panel if source == "panel" else "header", line


def bus_lines(table: Table) -> dict[int, str]:
    """Lines of the header that a bus needs, and why."""
    needed = {line: f'the bus {bus} (buses = ["{bus}"])' for bus in table.buses for line in BUSES[bus]}
    if table.reader.kind not in ("none", "simulated") and table.reader.port in UART_PORTS:
        needed |= dict.fromkeys(BUSES["uart"], f'the reader (reader.port = "{table.reader.port}")')
    return needed


def free_line(table: Table) -> str:
    """The hint that names a free line of the header."""
    taken = {line for _, where, line in wired(table) if where == "header"} | set(bus_lines(table))
    free = [line for line in HEADER_LINES if line not in taken]
    if free:
        return f"choose a free line, for example {free[-1]}"
    return "no line is free: hang the reader on USB, leave out a bus, or use the panel"


def seats(table: Table, broken: set[str]) -> Iterator[Problem]:
    """Seats are 1 to N without a gap, N from 2 to 13, with different names."""
    numbers = seat_numbers(table)
    for text in table.seats:
        if text not in {str(number) for number in numbers}:
            yield Problem(key_path(("seats", text)), "is no seat", f"seats are [seats.1] to [seats.{SEATS[-1]}]")
    if numbers and not any(key.count(".") < 2 and key.startswith("seats") for key in broken):
        for gap in sorted(set(range(1, numbers[-1])) - set(numbers)):
            yield Problem(f"seats.{gap}", "is missing", f"seats are numbered 1 to {numbers[-1]} without a gap")
        if numbers[-1] < SEATS[0]:
            yield Problem("seats", "one seat is too few", f"a table has {SEATS[0]} to {SEATS[-1]} seats")
    names: dict[str, int] = {}
    for seat in numbers:
        name = table.seats[str(seat)].name
        if name is not None and names.setdefault(name, seat) != seat:
            what = f"{shown(name)} is used twice (also seats.{names[name]}.name)"
            yield Problem(f"seats.{seat}.name", what, "give every seat its own name, or none")


def buttons(table: Table, broken: set[str]) -> Iterator[Problem]:
    """Every seat of real hardware has a button; lines without a source are not taken for a simulation."""
    if "buttons.source" in broken or "buttons" in broken:
        return
    numbers = seat_numbers(table)
    if "source" not in table.buttons.model_fields_set:
        if any(table.seats[str(seat)].button is not None for seat in numbers):
            yield Problem("buttons.source", "is missing, but seats have lines", 'write source = "gpio" below [buttons]')
        return
    if table.buttons.source != "simulated" and not table.seats and "seats" not in broken:
        yield Problem(
            "seats", "there are none", 'name a plan, for example plan = "8-gpio", or write [seats.1] and so on'
        )
    for seat in numbers:
        source = source_of(table, seat)
        if source == "simulated" or table.seats[str(seat)].button is not None:
            continue
        line = "button = 0 to 12, the panel's GP" if source == "panel" else f"its button's line: {free_line(table)}"
        yield Problem(f"seats.{seat}.button", f"is missing: seat {seat} has no button", f"write {line}")


def lines(table: Table, broken: set[str]) -> Iterator[Problem]:
    """No line out of range, none used twice, none that a bus or the board needs."""
    needed, users = bus_lines(table), dict[tuple[str, int], str]()
    for key, where, line in wired(table):
        allowed = {"header": HEADER_LINES, "panel GP": PANEL_BUTTONS, "panel output": PANEL_LAMPS}[where]
        if where == "header" and line in EEPROM_LINES:
            yield Problem(key, f"line {line} belongs to the EEPROM of add-on boards", free_line(table))
        elif line not in allowed:
            hint = f"write {allowed[0]} to {allowed[-1]}: GPIO numbers, not pins" if where == "header" else ""
            hint = hint or f"the panel has {where.removeprefix('panel ')} {allowed[0]} to {allowed[-1]}"
            yield Problem(key, f"line {shown(line)} is out of range", hint)
        elif (other := users.setdefault((where, line), key)) != key:
            hint = free_line(table) if where == "header" else "give every seat its own line"
            yield Problem(key, f"line {line} is used twice (also {other})", hint)
        elif where == "header" and line in needed:
            yield Problem(key, f"line {line} is needed by {needed[line]}", free_line(table))
        elif where == "header" and table.buttons.pull == "down" and line in PULLED_UP_LINES and key.endswith("button"):
            yield Problem(key, f"line {line} is pulled up on the board", f'with pull = "down" {free_line(table)}')


def chip(table: Table, broken: set[str]) -> Iterator[Problem]:
    """One way to name the chip."""
    if table.buttons.chip is not None and table.buttons.chip_path is not None:
        yield Problem("buttons.chip_path", "is named twice (also buttons.chip)", "keep the label, it never moves")


def ports(table: Table, broken: set[str]) -> Iterator[Problem]:
    """A real reader and a panel have a port each."""
    real = table.reader.kind not in ("none", "simulated")
    if real and table.reader.port is None and "reader" not in broken:
        yield Problem("reader.port", f"is missing: {table.reader.kind} is a serial reader",
                      'for example port = "/dev/serial0", or a path from /dev/serial/by-id/')  # fmt: skip
    on_panel = [seat for seat in seat_numbers(table) if source_of(table, seat) == "panel"]
    if on_panel and table.panel.port is None and "panel" not in broken and "buttons.source" not in broken:
        yield Problem("panel.port", f"is missing: seat {on_panel[0]} hangs on the panel",
                      "write its path from /dev/serial/by-id/")  # fmt: skip
    if real and on_panel and table.panel.port is not None and table.panel.port == table.reader.port:
        yield Problem("reader.port", "is used twice (also panel.port)", "reader and panel have a port each")


def one_time(name: str, value: object) -> Problem | None:
    """What is wrong with one line of [timing], or None. Its limits are those of doubtable.timing."""
    key = key_path(("timing", name))
    if name not in timing.WRITTEN:
        return Problem(key, "unknown key", choice(name, timing.WRITTEN))
    _, unit, least, most = timing.WRITTEN[name]
    number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    if not number or (unit == 1 and not isinstance(value, int)):
        return Problem(key, f"{shown(value)} is not a {'whole ' if unit == 1 else ''}number", f"from {least} to {most}")
    if (isinstance(value, Decimal) and not value.is_finite()) or not least <= value <= most:  # type: ignore[operator]
        return Problem(key, f"{shown(value)} is out of range", f"write a number from {least} to {most}")
    try:
        timing.timing_from({name: value})
    except timing.TimeError:
        return Problem(key, f"{shown(value)} is finer than a nanosecond", "write at most 6 decimals of a millisecond")
    return None


def times(table: Table, broken: set[str]) -> Iterator[Problem]:
    """The times of [timing], each by itself, then those that belong together."""
    good: dict[str, Any] = {}
    for name, value in table.timing.items():
        found = one_time(name, value)
        if found is None:
            good[name] = value
        else:
            yield found
    whole = timing.timing_from(good)
    if whole.last_call_min > whole.last_call:
        key = "timing.last_call_min_ms" if "last_call_min_ms" in good else "timing.last_call_ms"
        what = f"{shown(good[key.removeprefix('timing.')])} does not fit"
        yield Problem(key, what, "last_call_min_ms is at most last_call_ms: letting it go must be possible")


def structural(table: Table, broken: set[str]) -> list[Problem]:
    """The problems of all rules above, but none that a broken key alone may have caused."""
    lost = {key.removesuffix("source") for key in broken if key.startswith("seats.") and key.endswith(".source")}
    rules = (seats, buttons, lines, chip, ports, times)
    found = [problem for rule in rules for problem in rule(table, broken)]
    return [problem for problem in found if problem.key not in broken and not problem.key.startswith(tuple(lost))]


def options(table: Table, check: CheckOptions) -> Iterator[Problem]:
    """The game and each game's house rules, as ``check`` judges them."""
    if table.game is not None:
        yield from (Problem("game", found.what, found.hint) for found in check(table.game, {}))
    for game, written in table.options.items():
        for found in check(game, written):
            yield Problem(".".join(filter(None, (key_path(("options", game)), found.key))), found.what, found.hint)


def warnings(table: Table) -> Iterator[Problem]:
    """What works today and will not always, or has no effect."""
    for key, port in (("reader.port", table.reader.port), ("panel.port", table.panel.port)):
        if port is not None and port.startswith(UNSTABLE_PORTS):
            yield Problem(key, f"{port} can be another device after the next boot",
                          "write its path from /dev/serial/by-id/ (ls -l /dev/serial/by-id)")  # fmt: skip
    if table.reader.port == "/dev/serial0" and table.buttons.chip == "pinctrl-rp1":
        yield Problem(
            "reader.port",
            "/dev/serial0 is the debug connector on a Raspberry Pi 5",
            'for GPIO14 and 15 write port = "/dev/ttyAMA0"',
        )
    if not table.reader.raw_checksum and table.reader.kind != "rdm6300":
        yield Problem("reader.raw_checksum", f'has no effect with kind = "{table.reader.kind}"', "leave it out")
    for seat in seat_numbers(table):
        source = source_of(table, seat)
        if source != "simulated" and table.seats[str(seat)].lamp is None:
            yield Problem(f"seats.{seat}.lamp", f"seat {seat} has no lamp", "its player has to watch the screen")
    if any(source_of(table, seat) == "gpiozero" for seat in seat_numbers(table)):
        yield Problem(
            "buttons.source", "gpiozero stamps late: ties are 10 ms wide", 'use source = "gpio" where it works'
        )
