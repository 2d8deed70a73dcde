"""docs/hardware-setup.md names the electrical values that the hardware's own checks go by."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "hardware-setup.md").read_text(encoding="utf-8")
BUILDS = tomllib.loads((ROOT / "hardware" / "builds.toml").read_text(encoding="utf-8"))
PARTS = (ROOT / "docs" / "build" / "parts.md").read_text(encoding="utf-8")


def test_the_seat_circuit() -> None:
    circuit, cable = BUILDS["circuit"], BUILDS["cable"]
    assert f"{circuit['pull_up_ohm'] / 1000:g} kΩ from the line to 3.3 V" in PAGE
    assert f"{circuit['series_ohm']} Ω in series" in PAGE
    assert f"{circuit['filter_nf']} nF at the pin" in PAGE
    assert f"Up to {cable['plain_m']:g} m without a filter, up to {cable['filtered_m']:g} m with it" in PAGE


@pytest.mark.parametrize(
    ("here", "there"), [("TBD62783A", "TBD62783APG"), ("6.8 kΩ", "6.8 kOhm"), ("10 kΩ", "10 kOhm"), ("BAT85", "BAT85")]
)
def test_parts_are_those_of_the_bill(here: str, there: str) -> None:
    assert here in PAGE
    assert there in PARTS


@pytest.mark.parametrize("gone", ["ULN2803", "470 ohm", "22 nF", "4.7 kilo"])
def test_values_that_do_not_work_are_gone(gone: str) -> None:
    assert gone not in PAGE
