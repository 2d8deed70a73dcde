"""The electrical rules: silent on every plan of the package, and each one speaks up on a plan that breaks it."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from doubtable.config.plan import load_plan, plan_names
from workshop.boards import PI
from workshop.builds import Build, Driver, Lamp, Link, Load, Supply
from workshop.checks import RULES, check, faults
from workshop.circuit import Divider
from workshop.findings import Finding
from workshop.from_files import READERS, make_build, read_lists

LISTS = read_lists()
ULN2803A = Driver("ULN2803A", "sink", 8, 200, 1.0, 1.1, 1.0, 2.4)


def build_of(plan: str, reader: str | None = None) -> Build:
    return make_build(load_plan(plan), LISTS, reader)


def with_seat(build: Build, number: int, **changes: object) -> Build:
    """The build with one seat changed."""
    seats = tuple(replace(seat, **changes) if seat.number == number else seat for seat in build.seats)  # type: ignore[arg-type]
    return replace(build, seats=seats)


def with_circuit(build: Build, number: int | None = None, **changes: object) -> Build:
    """The build with the circuit of one seat, or of all, changed."""
    for seat in build.seats:
        if number in (None, seat.number):
            build = with_seat(build, seat.number, circuit=replace(seat.circuit, **changes))  # type: ignore[arg-type]
    return build


def said(build: Build, rule: str) -> list[Finding]:
    """What a rule has to say against a build."""
    return [item.finding for item in check(build) if item.rule == rule and item.finding.verdict != "ok"]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("plan", plan_names())
def test_every_plan_of_the_package_makes_sense_with_either_reader(plan: str, reader: str) -> None:
    assert faults(build_of(plan, reader)) == []


@pytest.mark.parametrize("plan", plan_names())
def test_every_rule_states_its_figures_on_a_good_plan(plan: str) -> None:
    stated = {item.rule for item in check(build_of(plan))}
    assert stated == {rule.__name__ for rule in RULES}


def test_a_fault_is_named_with_place_limit_and_way_out() -> None:
    (finding,) = said(with_seat(build_of("8-gpio"), 3, line=4), "no_pin_twice")
    line = "fault: line 4: seat 1 button and seat 3 button (allowed: 1 use); give one of them a free line"
    assert str(finding) == line


WRONG: list[tuple[str, str, Callable[[], Build]]] = [
    ("no_pin_twice", "button on a lamp's line", lambda: with_seat(build_of("8-gpio"), 2, line=20, pin=38)),
    ("no_pin_twice", "button on the reader's line", lambda: with_seat(build_of("8-gpio"), 2, line=15, pin=10)),
    ("no_pin_twice", "two lamps on one register output", lambda: with_seat(build_of("13-panel"), 2, lamp=0)),
    ("no_reserved_pin", "button on the EEPROM's line", lambda: with_seat(build_of("13-gpio"), 1, line=0, pin=27)),
    ("no_reserved_pin", "lamp on a line the plan keeps", lambda: with_seat(build_of("8-gpio"), 1, lamp=2, lamp_pin=3)),
    ("no_reserved_pin", "a line the header has not", lambda: with_seat(build_of("8-gpio"), 1, line=30, pin=41)),
    ("no_reserved_pin", "the Pico's own lamp", lambda: with_seat(build_of("13-panel"), 1, line=25, pin=1)),
    ("pins_match", "button's pin", lambda: with_seat(build_of("8-gpio"), 1, pin=8)),
    ("pins_match", "lamp's pin", lambda: with_seat(build_of("8-gpio"), 1, lamp_pin=8)),
    ("pins_match", "register's pin", lambda: with_seat(build_of("13-panel"), 9, lamp_pin=1)),
    ("pins_match", "ground pin", lambda: with_seat(build_of("8-gpio"), 1, ground_pin=1)),
    ("pin_current", "no series resistor", lambda: with_circuit(build_of("8-gpio"), 4, series_ohm=100)),
    ("pin_current", "lamp straight on the pin", lambda: straight_lamps(build_of("4-gpio"), ma=20)),
    ("sum_current", "13 small lamps on the pins", lambda: straight_lamps(build_of("13-gpio"), ma=5)),
    ("lamp_driver", "12 V lamps without driver", lambda: replace(build_of("8-gpio"), driver=None)),
    ("lamp_driver", "20 mA lamps without driver", lambda: straight_lamps(build_of("4-gpio"), ma=20)),
    ("lamp_driver", "13 lamps on one chip", lambda: replace(build_of("13-gpio"), driver_chips=1)),
    ("lamp_driver", "bulbs too hot for the chip", lambda: with_lamp(build_of("8-gpio"), ma=290)),
    ("lamp_driver", "bulbs over the channel", lambda: with_lamp(build_of("8-gpio"), ma=400)),
    ("lamp_driver", "no supply for the lamps", lambda: without_supply(build_of("8-gpio"), "12 V")),
    ("lamp_driver", "5 V lamps on 12 V", lambda: with_volts(build_of("4-gpio"), "5 V", 12)),
    ("cable_cores", "a sink driver on three cores", lambda: replace(build_of("8-gpio"), driver=ULN2803A)),
    ("low_level", "1 kOhm before GPIO2", lambda: with_circuit(build_of("13-gpio"), series_ohm=1000)),
    ("time_constant", "10 uF", lambda: with_circuit(build_of("8-gpio"), cap_nf=10_000)),
    ("equal_shift", "one capacitor of another size", lambda: with_circuit(build_of("8-gpio"), 5, cap_nf=330)),
    ("equal_shift", "capacitors of 50 %", lambda: with_circuit(build_of("8-gpio"), cap_nf=220, cap_tolerance=0.5)),
    ("cable_filter", "long cable without filter", lambda: with_circuit(build_of("8-gpio"), cap_nf=0)),
    ("cable_filter", "filter without clamp", lambda: with_circuit(build_of("8-gpio"), clamped=False)),
    ("cable_filter", "cable too long for any filter", lambda: with_seat(build_of("8-gpio"), 1, cable_m=6.0)),
    ("cable_filter", "filter at some seats", lambda: with_circuit(build_of("4-gpio"), 1, cap_nf=100, clamped=True)),
    ("strong_pull_up", "the chip's own pull-up", lambda: with_circuit(build_of("8-gpio"), pull_up_ohm=50_000)),
    ("input_volts", "RDM6300 without divider", lambda: without_divider(build_of("8-gpio", "rdm6300"))),
    ("input_volts", "divider that leaves too little", lambda: with_divider(build_of("8-gpio", "rdm6300"), 33_000)),
    ("input_volts", "TPIC6B595 straight on the Pico", lambda: tpic(build_of("13-panel"))),
    ("supply", "too weak", lambda: with_supply(build_of("8-gpio"), "12 V", 150)),
    ("supply", "the Pi on a phone charger", lambda: with_supply(build_of("6-gpio"), "5 V", 1000)),
    ("supply", "a load nothing feeds", lambda: with_load(build_of("8-gpio"), "24 V")),
    ("dark_at_boot", "lamp on GPIO4", lambda: swapped(build_of("8-gpio"), 1)),
]


def straight_lamps(build: Build, ma: float) -> Build:
    return replace(build, driver=None, lamp=Lamp("LED", 3.3, ma))


def with_lamp(build: Build, ma: float) -> Build:
    return replace(build, lamp=replace(build.lamp, ma=ma))


def without_supply(build: Build, rail: str) -> Build:
    return replace(build, supplies=tuple(supply for supply in build.supplies if supply.rail != rail))


def with_supply(build: Build, rail: str, ma: float) -> Build:
    return replace(build, supplies=tuple(replace(s, ma=ma) if s.rail == rail else s for s in build.supplies))


def with_volts(build: Build, rail: str, volts: float) -> Build:
    supplies = (*without_supply(build, rail).supplies, Supply(rail, volts, 3000, "a wrong one"))
    return replace(build, supplies=supplies)


def with_load(build: Build, rail: str) -> Build:
    return replace(build, loads=(*build.loads, Load("a motor", rail, 100)))


def without_divider(build: Build) -> Build:
    return replace(build, links=tuple(replace(link, divider=None) for link in build.links))


def with_divider(build: Build, upper_ohm: float) -> Build:
    links = (replace(link, divider=Divider(upper_ohm, 10_000)) if link.divider else link for link in build.links)
    return replace(build, links=tuple(links))


def tpic(build: Build) -> Build:
    wire = Link("GP18", "TPIC6B595 at 5 V", build.board.v_rail, build.board.v_out, 4.25, 5.5)
    return replace(build, links=(*build.links, wire))


def swapped(build: Build, number: int) -> Build:
    """One seat's button and lamp change their lines."""
    seat = build.seats[number - 1]
    return with_seat(build, number, line=seat.lamp, pin=seat.lamp_pin, lamp=seat.line, lamp_pin=seat.pin)


@pytest.mark.parametrize(("rule", "what", "wrong"), WRONG, ids=[f"{rule}: {what}" for rule, what, _ in WRONG])
def test_a_wrong_plan_fails(rule: str, what: str, wrong: Callable[[], Build]) -> None:
    found = said(wrong(), rule)
    assert found, f"{what} went through"
    assert all(finding.way_out for finding in found)


def test_every_rule_is_shown_failing() -> None:
    assert {rule for rule, _, _ in WRONG} == {rule.__name__ for rule in RULES}


def test_the_harmless_stays_harmless() -> None:
    """Six lamps of 5 mA may hang on the Pi's own pins, and then no driver is asked for."""
    build = straight_lamps(build_of("6-gpio"), ma=5)
    build = with_volts(build, "3.3 V", 3.3)
    assert faults(build) == []


def test_lamps_at_a_rail_the_board_pulls_up_are_a_warning_only() -> None:
    build = swapped(build_of("8-gpio"), 1)
    assert [finding.verdict for finding in said(build, "dark_at_boot")] == ["warning"]
    assert 4 in PI.high_at_boot
