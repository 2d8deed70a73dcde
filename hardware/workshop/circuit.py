"""The seat circuit: what stands between a button under the table and a pin of the controller.

                 3.3 V
                   |
                pull-up
                   |
    button ---- line node ---- series ----+---- pin
      |                                   |
     GND (own core of the cable)     C to GND, clamps to 3.3 V and GND    (the filter, for long cables)

A press pulls the line node to ground at once, so neither the cable's capacity nor the pull-up delays it; the capacitor
then empties through the series resistor until the pin's threshold is crossed. That delay is the **stamp shift**. Every
seat has it, so it drops out of every comparison as far as the seats are equal; what is left is the **spread**.

GPIO2 and GPIO3 have their own 1.8 kOhm to 3.3 V on the Pi, on the pin's side of the series resistor: a pressed button
leaves 3.3 V x series / (series + 1.8 kOhm) there. With 1 kOhm that is 1.2 V, which no pin reads as low; 330 Ohm leaves
0.5 V. All times are whole ns.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from workshop.boards import Board

THRESHOLD_SPREAD_V = 0.1  # assumed between the pins of one chip: data sheets give limits, not the spread of one part


@dataclass(frozen=True)
class SeatCircuit:
    """Values of one seat's parts in ohm and nF, with their tolerances. ``cap_nf`` 0: no filter."""

    pull_up_ohm: float
    series_ohm: float
    cap_nf: float
    clamped: bool
    resistor_tolerance: float = 0.01
    cap_tolerance: float = 0.05

    @property
    def filtered(self) -> bool:
        return self.cap_nf > 0


@dataclass(frozen=True)
class Corner:
    """One seat with its parts at one end of their tolerances, seen from the pin."""

    series_ohm: float
    pull_up_ohm: float
    board_ohm: float | None
    farad: float
    v_rail: float

    @property
    def low_volts(self) -> float:
        """What is left at the pin while the button is down."""
        return 0.0 if self.board_ohm is None else self.v_rail * self.series_ohm / (self.series_ohm + self.board_ohm)

    @property
    def press_tau_ns(self) -> float:
        source = self.series_ohm
        if self.board_ohm is not None:
            source = source * self.board_ohm / (source + self.board_ohm)
        return source * self.farad * 1e9

    @property
    def release_tau_ns(self) -> float:
        source = self.series_ohm + self.pull_up_ohm
        if self.board_ohm is not None:
            source = source * self.board_ohm / (source + self.board_ohm)
        return source * self.farad * 1e9

    def press_shift_ns(self, threshold: float) -> int:
        """ns from contact to the moment the pin falls through ``threshold`` volts. ValueError: it never does."""
        if threshold <= self.low_volts:
            raise ValueError(f"the pin stays at {self.low_volts:.2f} V, above a threshold of {threshold:.2f} V")
        return round(self.press_tau_ns * math.log((self.v_rail - self.low_volts) / (threshold - self.low_volts)))


def corner(circuit: SeatCircuit, board: Board, line: int, *, sign: int = 0) -> Corner:
    """The seat's parts at their nominal values (``sign`` 0), all slow (+1) or all fast (-1)."""
    resistors = 1 + sign * circuit.resistor_tolerance
    caps = 1 + sign * circuit.cap_tolerance
    return Corner(
        series_ohm=circuit.series_ohm * resistors,
        pull_up_ohm=circuit.pull_up_ohm * resistors,
        board_ohm=board.fixed_pull_ups.get(line),
        farad=(circuit.cap_nf * caps * 1e-9) + board.pin_pf * 1e-12,
        v_rail=board.v_rail,
    )


@dataclass(frozen=True)
class Shift:
    """How much later than its contact a press is stamped, in ns: range over all thresholds, and spread of seats."""

    least_ns: int
    most_ns: int
    spread_ns: int


def stamp_shift(seats: Sequence[tuple[SeatCircuit, int]], board: Board) -> Shift:
    """The stamp shift of a whole table; ``seats`` are circuits with their lines.

    The threshold of a chip is somewhere between v_low and v_high, but the same for its pins but for
    THRESHOLD_SPREAD_V. The spread is the slowest seat against the fastest at the worst common threshold.
    ValueError: a seat whose press never reaches v_low.
    """
    half = THRESHOLD_SPREAD_V / 2
    nominal = [corner(circuit, board, line) for circuit, line in seats]
    slow = [corner(circuit, board, line, sign=1) for circuit, line in seats]
    fast = [corner(circuit, board, line, sign=-1) for circuit, line in seats]
    spread = 0
    for threshold in (board.v_low + half, board.v_high - half):
        slowest = max(seat.press_shift_ns(threshold - half) for seat in slow)
        fastest = min(seat.press_shift_ns(threshold + half) for seat in fast)
        spread = max(spread, slowest - fastest)
    return Shift(
        least_ns=min(seat.press_shift_ns(board.v_high) for seat in nominal),
        most_ns=max(seat.press_shift_ns(board.v_low) for seat in nominal),
        spread_ns=spread,
    )


@dataclass(frozen=True)
class Divider:
    """Two resistors that bring a foreign output down to what a pin stands: ``upper`` in line, ``lower`` to ground."""

    upper_ohm: float
    lower_ohm: float
    tolerance: float = 0.01

    def volts(self, source: float, sign: int = 0) -> float:
        """What arrives of ``source`` volts: resistors nominal (0), or at their worst up (+1) or down (-1)."""
        upper = self.upper_ohm * (1 - sign * self.tolerance)
        lower = self.lower_ohm * (1 + sign * self.tolerance)
        return source * lower / (upper + lower)
