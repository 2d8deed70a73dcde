"""The pin plans: one source for the controller and the hardware, so every fact in them is checked."""

from collections import Counter

import pytest
from gpiozero import pi_info

from doubtable.config.pins import BUSES, EEPROM_LINES, HEADER_LINES, PANEL_BUTTONS, PANEL_LAMPS
from doubtable.config.plan import Plan, load_plan, plan_names

PLANS = [load_plan(name) for name in plan_names()]
ON_HEADER = [plan for plan in PLANS if plan.source == "gpio"]

# The Pico's pins from its datasheet (GP number: pin), those of ground, and the 74HC595's outputs QA to QH.
PICO = {0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19, 15: 20,
        16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34}  # fmt: skip
PICO_GROUND = {3, 8, 13, 18, 23, 28, 33, 38}
REGISTER_OUTPUTS = [15, 1, 2, 3, 4, 5, 6, 7]


def header(revision: str) -> tuple[dict[int, int], set[int]]:
    """GPIO line -> pin of the 40-pin header, and the pins of ground, as gpiozero knows them."""
    names = {number: pin.name for number, pin in pi_info(revision).headers["J8"].pins.items()}
    lines = {int(name[4:]): number for number, name in names.items() if name.startswith("GPIO")}
    return lines, {number for number, name in names.items() if name == "GND"}


def named(plan: Plan) -> str:
    return plan.name


def test_there_is_a_plan_for_4_6_8_and_13_seats_and_the_panel() -> None:
    assert plan_names() == ("4-gpio", "6-gpio", "8-gpio", "8-gpio-b", "13-gpio", "13-panel")


@pytest.mark.parametrize("plan", PLANS, ids=named)
def test_seats_are_counted_and_named_as_the_plan(plan: Plan) -> None:
    assert [seat.seat for seat in plan.seats] == list(range(1, int(plan.name.split("-")[0]) + 1))
    assert plan.name.split("-")[1] == plan.source


@pytest.mark.parametrize("plan", ON_HEADER, ids=named)
def test_every_line_of_the_header_is_used_once_or_reserved_or_free(plan: Plan) -> None:
    used = [line for seat in plan.seats for line in (seat.button, seat.lamp)]
    lines = Counter([*used, *(each.line for each in plan.reserved), *plan.free])
    assert lines == Counter([*EEPROM_LINES, *HEADER_LINES])
    assert set(used) <= set(HEADER_LINES)


@pytest.mark.parametrize("revision", ["c03112", "d04170"], ids=["Pi 4", "Pi 5"])
@pytest.mark.parametrize("plan", ON_HEADER, ids=named)
def test_pins_are_those_of_the_lines(plan: Plan, revision: str) -> None:
    pins, ground = header(revision)
    for seat in plan.seats:
        assert (seat.button_pin, seat.lamp_pin) == (pins[seat.button], pins[seat.lamp])
        assert seat.ground_pin in ground
    assert {each.line: each.pin for each in plan.reserved} == {each.line: pins[each.line] for each in plan.reserved}


@pytest.mark.parametrize("plan", ON_HEADER, ids=named)
def test_the_reader_on_the_serial_port_has_its_lines(plan: Plan) -> None:
    reserved = {each.line for each in plan.reserved}
    if plan.reader.port == "uart":
        assert set(BUSES["uart"]) <= reserved
        assert plan.reader.pins["receive"] == 10  # GPIO15
        assert plan.reader.pins["transmit"] == 8  # GPIO14
    else:
        assert plan.reader.path.startswith("/dev/serial/by-id/")
        assert plan.reader.pins == {}


@pytest.mark.parametrize(
    ("name", "free_buses"),
    [
        ("4-gpio", {"i2c", "spi", "uart"}),
        ("6-gpio", {"i2c", "spi", "uart"}),
        ("8-gpio", {"i2c", "spi", "uart"}),
        ("8-gpio-b", {"i2c", "i2s", "uart"}),
        ("13-gpio", set()),
    ],
)
def test_the_buses_that_a_plan_promises_stay_free(name: str, free_buses: set[str]) -> None:
    reserved = {each.line for each in load_plan(name).reserved}
    assert {bus for bus, lines in BUSES.items() if set(lines) <= reserved} == free_buses


@pytest.mark.parametrize("plan", ON_HEADER, ids=named)
def test_lamps_are_dark_until_the_table_is_ready(plan: Plan) -> None:
    """GPIO0 to 8 are pulled up from power-on, 9 to 27 down (BCM2711 ARM peripherals, table of GPIO pulls)."""
    assert all(seat.lamp >= 9 for seat in plan.seats)


def test_thirteen_seats_use_exactly_gpio_2_to_27() -> None:
    plan = load_plan("13-gpio")
    assert sorted(line for seat in plan.seats for line in (seat.button, seat.lamp)) == list(range(2, 28))
    assert plan.reader.port == "usb"
    assert 14 in {seat.lamp for seat in plan.seats}  # an output at boot: no button may short it


def test_the_panel_has_its_buttons_and_lamps_in_order_of_seats() -> None:
    plan = load_plan("13-panel")
    assert [seat.button for seat in plan.seats] == list(PANEL_BUTTONS)
    assert [seat.lamp for seat in plan.seats] == list(PANEL_LAMPS)[:13]
    for seat in plan.seats:
        assert seat.button_pin == PICO[seat.button]
        assert seat.ground_pin in PICO_GROUND
        assert seat.lamp_chip == f"U{1 + seat.lamp // 8}"
        assert seat.lamp_pin == REGISTER_OUTPUTS[seat.lamp % 8]
    assert {each.line: each.pin for each in plan.reserved} == {line: PICO[line] for line in range(16, 22)}
    assert set(PICO) == {seat.button for seat in plan.seats} | {each.line for each in plan.reserved} | set(plan.free)


@pytest.mark.parametrize("plan", PLANS, ids=named)
def test_every_core_of_a_cable_has_its_own_colour(plan: Plan) -> None:
    assert [wire.carries for wire in plan.wires] == ["button", "lamp", "ground"]
    assert len({wire.colour for wire in plan.wires}) == len(plan.wires)


@pytest.mark.parametrize("plan", PLANS, ids=named)
def test_the_grounds_are_shared_evenly(plan: Plan) -> None:
    """A pin of the header takes a crimped contact for two cables; with 13 cables no ground is left with more."""
    shared = Counter(seat.ground_pin for seat in plan.seats)
    assert max(shared.values()) <= (2 if plan.source == "gpio" else 4)


def test_an_unknown_plan_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        load_plan("5-gpio")
    with pytest.raises(KeyError):
        load_plan("../table")
