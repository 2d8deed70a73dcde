"""A build: one pin plan with all that a maker puts round it, as one frozen value for checks, pictures and pages.

mA, volts, metres; times in ns. Nothing here reads a file: from_files.py makes a Build of plan, parts and choices.
"""

from dataclasses import dataclass
from typing import Literal

from workshop.boards import Board
from workshop.circuit import Divider, SeatCircuit

DRIVER_PINS = 18


@dataclass(frozen=True)
class Lamp:
    """The lamp in a button, with its own resistor built in."""

    name: str
    volts: float
    ma: float


@dataclass(frozen=True)
class Driver:
    """A chip that switches lamps: their plus (``source``) or their minus (``sink``).

    ``v_on``: what its input needs to switch ``channel_ma``; ``drop_v``: what it keeps for itself.
    """

    name: str
    side: Literal["source", "sink"]
    channels: int
    channel_ma: float
    package_w: float
    drop_v: float
    input_ma: float
    v_on: float


@dataclass(frozen=True)
class Channel:
    """Which driver chip switches a lamp (1, 2, ...), by which of its pins."""

    chip: int
    input_pin: int
    output_pin: int


@dataclass(frozen=True)
class Seat:
    """One seat's lines and the pins they leave from, as the plan says.

    ``line`` reads the button; ``lamp`` is a line, or the output of a shift register (``Build.registers``), and then
    ``lamp_chip`` and ``lamp_pin`` are the register's.
    """

    number: int
    line: int
    pin: int
    lamp: int
    lamp_pin: int
    lamp_chip: str | None
    ground_pin: int
    cable_m: float
    circuit: SeatCircuit


@dataclass(frozen=True)
class Link:
    """One wire on which a part speaks to another, both named with their pins.

    ``high_v``: what the sender gives at most, ``least_v``: what it surely gives for a 1. ``needs_v``: what the
    receiver reads as 1; ``stands_v``: more harms it. ``line``: the board's line that receives, None where none does.
    """

    sender: str
    receiver: str
    high_v: float
    least_v: float
    needs_v: float
    stands_v: float
    line: int | None = None
    divider: Divider | None = None


@dataclass(frozen=True)
class Load:
    """What one part takes from a rail at its worst, in mA."""

    name: str
    rail: str
    ma: float


@dataclass(frozen=True)
class Supply:
    """A rail with its volts and what feeds it."""

    rail: str
    volts: float
    ma: float
    name: str


@dataclass(frozen=True)
class CableRule:
    """How long a seat's cable may be, in metres: without and with the filter."""

    plain_m: float
    filtered_m: float


@dataclass(frozen=True)
class Build:
    """A whole table, electrically. ``cores``: what a seat's cable carries and in which colour."""

    plan: str
    board: Board
    reader: str
    cores: dict[str, str]
    seats: tuple[Seat, ...]
    registers: bool  # lamps hang on shift registers, not on the board's own lines
    lamp: Lamp
    driver: Driver | None
    driver_chips: int
    others: dict[int, str]  # lines that something else uses: line -> what
    kept_free: dict[int, str]  # lines that the plan keeps from the seats: line -> why
    links: tuple[Link, ...]
    loads: tuple[Load, ...]
    supplies: tuple[Supply, ...]
    cable_rule: CableRule
    confirm_ns: int
    tie_ns: int

    @property
    def lamp_rail(self) -> str:
        return f"{self.lamp.volts:g} V"

    def channel(self, seat: Seat) -> Channel:
        """The driver's channel of a seat's lamp. Chips are filled in the order of seats; each input has its output
        on the other side of the chip (DIP-18, Toshiba TBD62783A and all of its kind)."""
        if self.driver is None:
            raise ValueError(f"plan {self.plan} has no driver")
        chip, place = divmod(self.seats.index(seat), self.driver.channels)
        return Channel(chip + 1, place + 1, DRIVER_PINS - place)

    def lines(self) -> list[tuple[int, str]]:
        """Every use of every line of the board: (line, what for). A line used twice stands twice."""
        uses = [(seat.line, f"seat {seat.number} button") for seat in self.seats]
        if not self.registers:
            uses += [(seat.lamp, f"seat {seat.number} lamp") for seat in self.seats]
        return uses + list(self.others.items())
