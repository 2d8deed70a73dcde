"""What is made from the plans: pins labelled, cables cut, bills that add up, and pages that are up to date."""

import csv
import io
from pathlib import Path

import pytest

from doubtable.config.plan import load_plan, plan_names
from workshop.bills import bill, total
from workshop.from_files import READERS, all_plans, make_build, read_lists
from workshop.layout import layout
from workshop.pages import bill_csv, grams_from, parts_page, plan_texts
from workshop.pinout import labels
from workshop.wires import cables, rows

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "hardware" / "out"
LISTS = read_lists()
GRAMS = grams_from((OUT / "prints" / "prints.csv").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", plan_names())
def test_what_is_committed_is_what_the_plan_says(name: str) -> None:
    """Fails when a plan, parts.toml or builds.toml has changed and `make hardware` was not run."""
    for file, text in plan_texts(load_plan(name), LISTS, GRAMS).items():
        assert (OUT / name / file).read_text(encoding="utf-8") == text, f"{name}/{file} is out of date: make hardware"


def test_the_parts_page_is_up_to_date() -> None:
    plans = {plan.name: plan for plan in all_plans()}
    page = (ROOT / "docs" / "build" / "parts.md").read_text(encoding="utf-8")
    assert page == parts_page(plans, LISTS, GRAMS), "docs/build/parts.md is out of date: make hardware"


@pytest.mark.parametrize("name", plan_names())
def test_every_pin_is_labelled_and_every_line_is_at_its_pin(name: str) -> None:
    plan = load_plan(name)
    build = make_build(plan, LISTS)
    made = labels(build, plan)
    assert set(made) == {pin.number for pin in build.board.pins}
    for seat in plan.seats:
        assert made[seat.button_pin] == ("button", f"seat {seat.seat} button")
        assert made[seat.ground_pin][0] == "ground"
        assert str(seat.seat) in made[seat.ground_pin][1]
        if plan.source == "gpio":
            assert made[seat.lamp_pin] == ("lamp", f"seat {seat.seat} lamp")
    for pin in build.board.pins:
        if pin.line in plan.free:
            assert made[pin.number] == ("free", "free")


@pytest.mark.parametrize("name", plan_names())
def test_every_lamp_has_a_driver_channel_of_its_own(name: str) -> None:
    build = make_build(load_plan(name), LISTS)
    channels = [build.channel(seat) for seat in build.seats]
    assert len({(channel.chip, channel.input_pin) for channel in channels}) == len(build.seats)
    assert {channel.chip for channel in channels} == set(range(1, build.driver_chips + 1))
    for channel in channels:
        assert channel.input_pin + channel.output_pin == 19  # opposite each other
        assert not {channel.input_pin, channel.output_pin} & {9, 10}  # its supply and ground
    if build.registers:  # U1 feeds chip 1, QA feeds input 1
        lamps = [(f"U{channel.chip}", (channel.chip - 1) * 8 + channel.input_pin - 1) for channel in channels]
        assert lamps == [(seat.lamp_chip, seat.lamp) for seat in build.seats]


@pytest.mark.parametrize("name", plan_names())
def test_every_seat_has_its_cable_with_the_plans_cores(name: str) -> None:
    plan = load_plan(name)
    build = make_build(plan, LISTS)
    table = layout(len(plan.seats))
    seats = {cable.end.name: cable for cable in cables(build)}
    for seat in plan.seats:
        cable = seats[f"Seat {seat.seat}"]
        assert [(core.carries, core.colour) for core in cable.cores] == [(w.carries, w.colour) for w in plan.wires]
        assert cable.metres == table.cable_m(seat.seat)
    assert len(list(rows(build))) == sum(len(cable.cores) for cable in cables(build))


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", plan_names())
def test_the_bill_adds_up_and_has_what_the_table_needs(name: str, reader: str) -> None:
    build = make_build(load_plan(name), LISTS, reader)
    items = bill(build, LISTS, GRAMS)
    written = list(csv.DictReader(io.StringIO(bill_csv(items, LISTS))))
    assert sum(float(row["together"]) for row in written[:-1]) == pytest.approx(float(written[-1]["together"]))
    assert float(written[-1]["together"]) == total(items)
    counts = {item.key: item.count for item in items}
    seats = len(build.seats)
    assert counts["lugs"] == counts["r1k"] == counts["r330"] == seats
    assert counts["cable3"] >= sum(seat.cable_m for seat in build.seats)
    filters = seats if build.seats[0].circuit.filtered else 0
    assert counts.get("c100n", 0) == filters + (2 if build.registers else 0)
    assert ("supply12" in counts) == (build.lamp.volts == 12)
    assert counts[reader] == 1
    assert ("pico" in counts) == build.registers


def test_every_part_of_the_list_says_what_to_take_instead() -> None:
    for key, part in LISTS.parts.items():
        assert part["instead"], key
        assert part["eur"] > 0, key
