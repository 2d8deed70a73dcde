"""The two controller boards as a maker meets them: where a pin is, what it may carry, what it does at power-on.

Volts, ohms and mA. A **line** is what the controller calls a pin (GPIO2 is line 2); a **pin** is where it comes out of
the board's connector (GPIO2 is pin 3). Sources: the Raspberry Pi GPIO documentation (header, ID pins, pulls at reset,
16 mA and about 50 mA over all pins), the Pi schematics (1.8 kOhm from GPIO2 and GPIO3 to 3.3 V), the RP2040 data sheet
(thresholds, 12 mA a pin, 50 mA over all) and the Pico data sheet (3V3 output, pin list).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pin:
    """One pin of a board's connector. ``line`` is None for power, ground and control pins."""

    number: int
    name: str
    line: int | None = None

    @property
    def is_ground(self) -> bool:
        return self.name in {"GND", "AGND"}


@dataclass(frozen=True)
class Board:
    """A board with inputs and outputs of 3.3 V.

    ``drive_ma``: what a pin gives by default without its level sagging; ``pin_ma``, ``all_pins_ma``: never more.
    ``v_low``: below it every pin reads low; ``v_high``: above it every pin reads high; ``v_max``: more harms it.
    ``fixed_pull_ups``: resistors on the board itself from a line to 3.3 V. ``high_at_boot``: lines that the chip
    pulls up until the program takes them. ``rail_ma``: what the board's 3.3 V output may feed.
    """

    key: str
    name: str
    pins: tuple[Pin, ...]
    drive_ma: float
    pin_ma: float
    all_pins_ma: float
    rail_ma: float
    reserved: dict[int, str]
    fixed_pull_ups: dict[int, float]
    high_at_boot: frozenset[int]
    uart: tuple[int, int]  # lines that send and receive
    v_rail: float = 3.3
    v_low: float = 0.8
    v_high: float = 2.0
    v_out: float = 2.9  # what an output at ``drive_ma`` still gives
    v_max: float = 3.3
    pin_pf: float = 10.0

    def pin_of(self, line: int) -> Pin | None:
        """The pin where ``line`` comes out; None when the board does not bring it out."""
        return next((pin for pin in self.pins if pin.line == line), None)

    def grounds(self) -> tuple[Pin, ...]:
        return tuple(pin for pin in self.pins if pin.is_ground)


def _pins(names: str, prefix: str) -> tuple[Pin, ...]:
    """Pins 1, 2, ... from a list of names; a name that is a number is a line."""
    made = []
    for number, name in enumerate(names.split(), start=1):
        made.append(Pin(number, prefix + name, int(name)) if name.isdigit() else Pin(number, name))
    return tuple(made)


PI = Board(
    key="pi",
    name="Raspberry Pi, 40-pin header",
    pins=_pins(
        "3V3 5V 2 5V 3 GND 4 14 GND 15 17 18 27 GND 22 23 3V3 24 10 GND "
        "9 25 11 8 GND 7 0 1 5 GND 6 12 13 GND 19 16 26 20 GND 21",
        "GPIO",
    ),
    drive_ma=8,
    pin_ma=16,
    all_pins_ma=50,
    rail_ma=500,
    reserved={0: "belongs to the HAT's EEPROM", 1: "belongs to the HAT's EEPROM"},
    fixed_pull_ups={2: 1800.0, 3: 1800.0},
    high_at_boot=frozenset(range(9)),
    uart=(14, 15),
)

PICO = Board(
    key="pico",
    name="Raspberry Pi Pico",
    pins=_pins(
        "0 1 GND 2 3 4 5 GND 6 7 8 9 GND 10 11 12 13 GND 14 15 "
        "16 17 GND 18 19 20 21 GND 22 RUN 26 27 AGND 28 ADC_VREF 3V3 3V3_EN GND VSYS VBUS",
        "GP",
    ),
    drive_ma=4,
    pin_ma=12,
    all_pins_ma=50,
    rail_ma=300,
    reserved={
        23: "drives the board's own regulator",
        24: "senses the board's own USB power",
        25: "drives the board's own lamp",
        29: "measures the board's own supply",
    },
    fixed_pull_ups={},
    high_at_boot=frozenset(),
    uart=(0, 1),
)

BOARDS: dict[str, Board] = {board.key: board for board in (PI, PICO)}
