"""Rules about current and supplies: what pins, drivers and rails carry."""

from collections.abc import Iterator

from workshop.builds import Build, Driver
from workshop.findings import Finding, fault, judged

HEADROOM = 0.9  # of what a supply gives
WETTING_MA = 1.0  # a microswitch's contact wants at least this to stay clean; and with less a cable is an aerial
LAMP_VOLTS = 0.25  # a lamp gets its voltage within this part, the driver's own share taken off


def pin_current(build: Build) -> Iterator[Finding]:
    """No pin carries more than it gives by default; a button's pin survives being made an output by mistake."""
    board = build.board
    worst = 0.0
    for seat in build.seats:
        by_mistake = board.v_rail / max(seat.circuit.series_ohm, 0.1) * 1000
        worst = max(worst, by_mistake)
        if by_mistake > board.pin_ma:
            found = f"{by_mistake:.1f} mA if its pin is ever an output"
            way_out = f"a series resistor of at least {board.v_rail / board.pin_ma * 1000:.0f} Ohm"
            yield fault(f"seat {seat.number} button", found, f"{board.pin_ma:g} mA", way_out)
    lamp_ma = _lamp_pin_ma(build)
    if lamp_ma > board.drive_ma:
        limit = f"{board.drive_ma:g} mA"
        yield fault("lamp pins", f"{lamp_ma:g} mA each", limit, "put a driver between pin and lamp")
    elif worst <= board.pin_ma:
        found = f"lamp pin {lamp_ma:g} mA, button pin at worst {worst:.1f} mA"
        yield Finding("each pin", found, f"{board.drive_ma:g} mA, {board.pin_ma:g} mA")


def sum_current(build: Build) -> Iterator[Finding]:
    """All outputs of the board together; all lamps may be on at once."""
    pins = 3 if build.registers else len(build.seats)  # data, clock and latch, or a pin for each lamp
    total, most = pins * _lamp_pin_ma(build), build.board.all_pins_ma
    way_out = "put a driver between pins and lamps"
    yield judged(total <= most, "all outputs", f"{total:.1f} mA", f"{most:g} mA", way_out)


def _lamp_pin_ma(build: Build) -> float:
    if build.registers:
        return 0.1  # the input of a CMOS register
    return build.lamp.ma if build.driver is None else build.driver.input_ma


def lamp_driver(build: Build) -> Iterator[Finding]:
    """Lamps of more than a pin gives, or of another voltage, need a driver; and the driver must be able to."""
    lamp, driver, board = build.lamp, build.driver, build.board
    place = f"lamps of {lamp.volts:g} V, {lamp.ma:g} mA"
    if driver is None:
        fits = lamp.volts <= board.v_rail and lamp.ma <= board.drive_ma and not build.registers
        limit = f"{board.v_rail:g} V, {board.drive_ma:g} mA"
        yield judged(fits, place, "straight on the pins", limit, "a driver for each lamp, such as TBD62783A")
        return
    yield from _driver_load(build, driver)
    volts = next((supply.volts for supply in build.supplies if supply.rail == build.lamp_rail), None)
    if volts is None:
        yield fault(place, f"no supply of {build.lamp_rail}", build.lamp_rail, "add the supply")
        return
    arrives = volts - driver.drop_v
    fits = lamp.volts * (1 - LAMP_VOLTS) <= arrives <= lamp.volts * (1 + LAMP_VOLTS)
    way_out = "lamps and supply of the same voltage, or a driver with a smaller drop"
    yield judged(fits, place, f"{arrives:.1f} V at the lamp", f"{lamp.volts:g} V +-{LAMP_VOLTS:.0%}", way_out)


def _driver_load(build: Build, driver: Driver) -> Iterator[Finding]:
    lamp, seats = build.lamp, len(build.seats)
    place = f"{build.driver_chips} x {driver.name}"
    channels = build.driver_chips * driver.channels
    if seats > channels:
        yield fault(place, f"{seats} lamps", f"{channels} channels", f"{-(-seats // driver.channels)} chips")
    if lamp.ma > driver.channel_ma:
        limit = f"{driver.channel_ma:g} mA"
        yield fault(place, f"{lamp.ma:g} mA a lamp", limit, "lamps with less current, or a transistor each")
    watts = min(driver.channels, seats) * lamp.ma / 1000 * driver.drop_v
    found, limit = f"{watts:.2f} W a chip with all lamps on", f"{driver.package_w:g} W"
    way_out = "fewer lamps on a chip, or a driver with a smaller drop"
    yield judged(watts <= driver.package_w, place, found, limit, way_out)


def strong_pull_up(build: Build) -> Iterator[Finding]:
    """A closed contact carries enough to stay clean, and an open one is no aerial."""
    least = min(build.board.v_rail / seat.circuit.pull_up_ohm * 1000 for seat in build.seats)
    way_out = "a resistor of 1 kOhm to 3.3 V: the chip's own 50 kOhm are too weak for a cable"
    yield judged(least >= WETTING_MA, "weakest seat", f"{least:.2f} mA", f"at least {WETTING_MA:g} mA", way_out)


def supply(build: Build) -> Iterator[Finding]:
    """Each rail feeds everything on it at its worst, with something left."""
    for rail in build.supplies:
        total = sum(load.ma for load in build.loads if load.rail == rail.rail)
        limit = rail.ma * HEADROOM
        found = f"{total:.0f} mA from {rail.name}"
        way_out = f"a supply of at least {total / HEADROOM:.0f} mA"
        yield judged(total <= limit, rail.rail, found, f"{limit:.0f} mA ({HEADROOM:.0%})", way_out)
    fed = {rail.rail for rail in build.supplies}
    for load in build.loads:
        if load.rail not in fed:
            yield fault(load.rail, f"nothing feeds {load.name}", "a supply", "add the supply")
