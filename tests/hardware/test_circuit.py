"""The seat circuit against a plain simulation in small steps, and the boards against other people's lists."""

import pytest
from gpiozero import PiBoardInfo

from workshop.boards import PI, PICO
from workshop.circuit import Divider, SeatCircuit, corner, stamp_shift

FILTERED = SeatCircuit(pull_up_ohm=1000, series_ohm=330, cap_nf=100, clamped=True)
PLAIN = SeatCircuit(pull_up_ohm=1000, series_ohm=330, cap_nf=0, clamped=False)


def simulated_press_ns(circuit: SeatCircuit, board_ohm: float | None, threshold: float) -> float:
    """ns until the pin falls to ``threshold``: the capacitor's charge, summed up in steps of 5 ns."""
    volts, farad, step, passed = 3.3, circuit.cap_nf * 1e-9 + 10e-12, 5e-9, 0.0
    while volts > threshold:
        ampere = -volts / circuit.series_ohm
        if board_ohm is not None:
            ampere += (3.3 - volts) / board_ohm
        volts += ampere * step / farad
        passed += step
    return passed * 1e9


@pytest.mark.parametrize("line", [2, 4])
@pytest.mark.parametrize("threshold", [0.8, 1.3, 2.0])
def test_the_shift_is_that_of_a_simulated_circuit(line: int, threshold: float) -> None:
    seat = corner(FILTERED, PI, line)
    simulated = simulated_press_ns(FILTERED, PI.fixed_pull_ups.get(line), threshold)
    assert seat.press_shift_ns(threshold) == pytest.approx(simulated, rel=0.01)


def test_the_shift_names_its_range_and_the_seats_difference() -> None:
    shift = stamp_shift([(FILTERED, line) for line in (4, 5, 6)], PI)
    assert shift.least_ns == pytest.approx(16_500, rel=0.02)  # 33 us x ln(3.3 / 2.0)
    assert shift.most_ns == pytest.approx(46_800, rel=0.02)  # 33 us x ln(3.3 / 0.8)
    assert 0 < shift.spread_ns < 20_000


def test_the_boards_own_pull_ups_make_seats_differ() -> None:
    same = stamp_shift([(FILTERED, line) for line in (4, 5)], PI)
    mixed = stamp_shift([(FILTERED, line) for line in (2, 5)], PI)
    assert mixed.spread_ns > same.spread_ns


def test_without_a_filter_nothing_is_shifted() -> None:
    assert stamp_shift([(PLAIN, 4)], PI).most_ns < 10


def test_a_press_that_never_reads_low_has_no_shift() -> None:
    weak = SeatCircuit(pull_up_ohm=1000, series_ohm=1000, cap_nf=100, clamped=True)
    assert corner(weak, PI, 2).low_volts == pytest.approx(1.18, abs=0.005)
    with pytest.raises(ValueError, match=r"stays at 1\.19 V"):
        stamp_shift([(weak, 2)], PI)


def test_the_divider_at_its_tolerances() -> None:
    divider = Divider(6800, 10_000)
    assert divider.volts(5.0) == pytest.approx(2.976, abs=0.001)
    assert divider.volts(5.0, -1) < divider.volts(5.0) < divider.volts(5.0, 1)


def test_the_pi_header_is_the_one_gpiozero_knows() -> None:
    header = PiBoardInfo.from_revision(0xC03112).headers["J8"].pins
    for pin in PI.pins:
        theirs = header[pin.number]
        assert pin.name == (theirs.name if hasattr(theirs, "name") else theirs.function)  # gpiozero 2, and 1.6


def test_the_header_brings_out_each_line_once() -> None:
    for board in (PI, PICO):
        lines = [pin.line for pin in board.pins if pin.line is not None]
        assert len(board.pins) == 40
        assert len(lines) == len(set(lines))
    assert {pin.line for pin in PI.pins if pin.line is not None} == set(range(28))
    assert {pin.line for pin in PICO.pins if pin.line is not None} == {*range(23), 26, 27, 28}
