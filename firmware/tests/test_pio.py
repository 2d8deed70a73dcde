"""The sampling program, opcode by opcode and cycle by cycle."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from pioemu import ShiftRegister, State, emulate

from conftest import PANEL
from pio_assembler import Program, assemble

ROUND = 1 << 19
CYCLES = 25
ALL = 0x1FFF

Word = tuple[int, int]  # sample in which it was seen, levels of the pins


@pytest.fixture(scope="module")
def program() -> Program:
    return assemble(PANEL / "sampler.py", "sample_pins")


def run(
    program: Program, pins: Callable[[int], int], samples: int, *, counted: int = 0, reads: bool = True
) -> tuple[list[Word], list[State]]:
    """What is pushed in ``samples`` rounds while ``pins`` (of the cycle) act, and the state after each instruction."""

    def source(clock: int) -> int:
        return pins(clock)

    begin = State(
        y_register=0xFFFFFFFF,
        output_shift_register=ShiftRegister(-counted % (1 << 32), 0),
    )
    words: list[Word] = []
    states: list[State] = []
    state = begin
    while state.clock < samples * CYCLES:
        stop = state.clock + CYCLES
        for _, after in emulate(
            list(program.opcodes),
            stop_when=lambda _, now, stop=stop: now.clock >= stop,
            initial_state=state,
            input_source=source,
            shift_isr_right=False,
            wrap_target=program.wrap_target,
            wrap_top=program.wrap_top,
        ):
            state = after
            states.append(after)
        if reads:
            words += [(-(word & ROUND - 1) % ROUND, word >> 19) for word in state.receive_fifo]
            state = replace(state, receive_fifo=type(state.receive_fifo)())
    if not reads:
        words = [(-(word & ROUND - 1) % ROUND, word >> 19) for word in state.receive_fifo]
    return words, states


def pressed_at(*presses: tuple[int, int]) -> Callable[[int], int]:
    """Pins that go low, (cycle, pin), and stay low."""

    def pins(cycle: int) -> int:
        down = 0
        for at, pin in presses:
            if cycle >= at:
                down |= 1 << pin
        return ALL & ~down

    return pins


def test_twelve_instructions(program: Program) -> None:
    assert len(program.opcodes) == 12


@pytest.mark.parametrize("change_every", [1, 2, 7])
def test_a_sample_takes_25_cycles_whether_something_changed_or_not(program: Program, change_every: int) -> None:
    def pins(cycle: int) -> int:
        return cycle // (CYCLES * change_every) & ALL

    _, states = run(program, pins, 40)
    looks = [state.clock for state in states if state.program_counter == 1]
    assert {later - earlier for earlier, later in pairwise(looks)} == {CYCLES}


def test_the_first_sample_is_told_and_a_quiet_one_is_not(program: Program) -> None:
    words, _ = run(program, lambda _cycle: ALL, 50)
    assert words == [(0, ALL)]


@pytest.mark.parametrize("first", range(13))
def test_presses_one_microsecond_apart_on_any_two_pins_come_in_their_order(program: Program, first: int) -> None:
    for second in range(13):
        if second != first:
            words, _ = run(program, pressed_at((5 * CYCLES, first), (6 * CYCLES, second)), 9)
            down = ALL & ~(1 << first)
            assert words[1:] == [(5, down), (6, down & ~(1 << second))]


@pytest.mark.parametrize("phase", range(CYCLES))
def test_a_press_is_stamped_with_the_first_sample_at_or_after_it(program: Program, phase: int) -> None:
    words, _ = run(program, pressed_at((4 * CYCLES + phase, 7)), 8)
    assert words[1:] == [(4 if phase == 0 else 5, ALL & ~(1 << 7))]


def test_all_thirteen_in_one_sample_are_one_word(program: Program) -> None:
    words, _ = run(program, pressed_at(*((3 * CYCLES, pin) for pin in range(13))), 6)
    assert words[1:] == [(3, 0)]


def test_thirteen_in_the_13_microseconds_after_each_other(program: Program) -> None:
    order = [8, 3, 12, 0, 7, 1, 11, 5, 2, 10, 4, 9, 6]
    words, _ = run(program, pressed_at(*(((4 + at) * CYCLES, pin) for at, pin in enumerate(order))), 20)
    levels = ALL
    for (sample, seen), (at, pin) in zip(words[1:], enumerate(order), strict=True):
        levels &= ~(1 << pin)
        assert (sample, seen) == (4 + at, levels)


def test_every_edge_of_a_bounce_is_told(program: Program) -> None:
    edges = [10, 11, 12, 15, 16, 22, 40, 41, 42, 43]

    def pins(cycle: int) -> int:
        return ALL & ~(sum(edge * CYCLES <= cycle for edge in edges) % 2 << 4)

    words, _ = run(program, pins, 60)
    assert [sample for sample, _ in words[1:]] == edges
    assert [levels >> 4 & 1 for _, levels in words[1:]] == [0, 1] * 5


def test_a_spike_between_two_samples_leaves_no_trace(program: Program) -> None:
    def pins(cycle: int) -> int:
        return ALL & ~(1 << 2) if 3 * CYCLES + 5 <= cycle < 3 * CYCLES + 20 else ALL

    assert run(program, pins, 8)[0] == [(0, ALL)]


def test_the_counter_wraps_within_a_word_and_within_the_register(program: Program) -> None:
    for counted in (ROUND - 3, (1 << 32) - 3):
        words, _ = run(program, pressed_at((2 * CYCLES, 0), (4 * CYCLES, 1)), 7, counted=counted)
        assert [(sample - counted) % ROUND for sample, _ in words] == [0, 2, 4]


def test_a_full_fifo_drops_words_and_keeps_the_beat(program: Program) -> None:
    # The emulator's FIFO holds 4 words; joined, the chip's holds 8.
    def pins(cycle: int) -> int:
        return cycle // CYCLES & ALL

    words, states = run(program, pins, 12, reads=False)
    assert words == [(0, 0), (1, 1), (2, 2), (3, 3)]
    looks = [state.clock for state in states if state.program_counter == 1]
    assert {later - earlier for earlier, later in pairwise(looks)} == {CYCLES}
    assert states[-1].y_register == pins(11 * CYCLES)


def test_after_a_full_fifo_the_next_word_has_the_whole_state(program: Program) -> None:
    def quick(cycle: int) -> int:
        return min(cycle // CYCLES, 10) & ALL

    _, states = run(program, quick, 12, reads=False)
    state = replace(states[-1], receive_fifo=type(states[-1].receive_fifo)())
    for _, after in emulate(
        list(program.opcodes),
        stop_when=lambda _, now: now.clock >= 15 * CYCLES,
        initial_state=state,
        input_source=lambda cycle: 0x1A5 if cycle >= 13 * CYCLES else 10,  # type: ignore[misc]
        shift_isr_right=False,
        wrap_target=program.wrap_target,
        wrap_top=program.wrap_top,
    ):
        state = after
    assert [(word >> 19, -word % ROUND) for word in state.receive_fifo] == [(0x1A5, 13)]


def test_it_can_fail(program: Program) -> None:
    """One cycle more in the quiet branch, and the beat is gone."""
    broken = program._replace(opcodes=tuple(op + 0x100 if op == 0xA342 else op for op in program.opcodes))
    assert broken.opcodes != program.opcodes
    _, states = run(broken, pressed_at((2 * CYCLES, 0)), 6)
    looks = [state.clock for state in states if state.program_counter == 1]
    assert {later - earlier for earlier, later in pairwise(looks)} != {CYCLES}
