"""devices/gpio.py on the kernel's own GPIO interface: stamps, order, levels, what is held and what is let go."""

import time
from collections.abc import Iterator

import gpiod
import pytest

from doubtable.devices.chips import Pull
from doubtable.devices.gpio import GpioButtons
from doubtable.inputs import Edge, Levels
from kernel.inbox import Inbox
from kernel.sim import BUTTONS, PI4, SimChip


@pytest.fixture
def buttons(chip: SimChip, inbox: Inbox) -> Iterator[GpioButtons]:
    source = GpioButtons(BUTTONS, inbox.put, labels=[PI4])
    yield source
    source.close()


def held(chip: SimChip) -> dict[int, str]:
    """Line -> who holds it."""
    with gpiod.Chip(chip.path) as opened:
        infos = [opened.get_line_info(line) for line in BUTTONS.values()]
        return {info.offset: info.consumer for info in infos if info.used}


def test_presses_come_in_true_order_with_the_kernels_stamps_and_numbers(
    chip: SimChip, buttons: GpioButtons, inbox: Inbox
) -> None:
    buttons.start()
    assert inbox.next().levels == dict.fromkeys(BUTTONS, 0)  # type: ignore[union-attr]
    truth = [9, 2, 13, 5, 1, 12, 8, 3, 11, 6, 10, 4, 7]
    asked = []
    for seat in truth:
        before = time.monotonic_ns()
        chip.press(BUTTONS[seat])
        asked.append((before, time.monotonic_ns()))
    edges = inbox.edges(13)
    assert [edge.seat for edge in sorted(edges, key=lambda edge: (edge.ns, edge.seq))] == truth
    assert sorted(edge.seq or 0 for edge in edges) == list(range(1, 14))
    assert all(edge.level == 1 and edge.source == "gpio" and edge.uncertainty == 100_000 for edge in edges)
    for edge, (before, after) in zip(sorted(edges, key=lambda edge: edge.ns), asked, strict=True):
        assert before < edge.ns < after


def test_the_stamp_is_the_interrupts_however_late_it_is_read(chip: SimChip, buttons: GpioButtons, inbox: Inbox) -> None:
    buttons.open()
    before = time.monotonic_ns()
    chip.press(BUTTONS[6])
    after = time.monotonic_ns()
    time.sleep(0.2)
    buttons.step(0)
    assert isinstance(inbox.next(), Levels)
    (edge,) = inbox.edges(1)
    assert before < edge.ns < after


@pytest.mark.parametrize("pull", ["down", "none"])
def test_buttons_against_3_3_v_or_with_a_resistor_of_their_own(chip: SimChip, inbox: Inbox, pull: Pull) -> None:
    if pull == "none":
        for line in BUTTONS.values():
            chip.release(line)  # the resistor
    buttons = GpioButtons(BUTTONS, inbox.put, labels=[PI4], pull=pull)
    buttons.start()
    assert inbox.next().levels == dict.fromkeys(BUTTONS, 0)  # type: ignore[union-attr]
    press, release = (chip.release, chip.press) if pull == "down" else (chip.press, chip.release)
    press(BUTTONS[5])
    release(BUTTONS[5])
    assert [(edge.seat, edge.level) for edge in inbox.edges(2)] == [(5, 1), (5, 0)]
    buttons.close()


def test_nothing_filters_a_bounce(chip: SimChip, buttons: GpioButtons, inbox: Inbox) -> None:
    buttons.start()
    inbox.next()
    for _ in range(10):
        chip.press(BUTTONS[3])
        chip.release(BUTTONS[3])
    assert len(inbox.edges(20)) == 20


def test_levels_at_the_start_and_on_request(chip: SimChip, buttons: GpioButtons, inbox: Inbox) -> None:
    buttons.open()
    inbox.next()
    chip.press(BUTTONS[11])
    before = time.monotonic_ns()
    buttons.read_levels()
    read = inbox.next()
    assert isinstance(read, Levels)
    assert read.levels == dict.fromkeys(BUTTONS, 0) | {11: 1}
    assert before < read.ns < time.monotonic_ns()


def test_drained_to_stays_behind_an_edge_that_waits(chip: SimChip, buttons: GpioButtons, inbox: Inbox) -> None:
    buttons.open()
    before = time.monotonic_ns()
    assert buttons.drained_to() > before
    chip.press(BUTTONS[1])
    stamped = time.monotonic_ns()
    assert buttons.drained_to() < stamped
    buttons.step(0)
    assert buttons.drained_to() > stamped
    inbox.next()
    assert isinstance(inbox.next(), Edge)


def test_the_lines_are_held_as_one_and_let_go(chip: SimChip, buttons: GpioButtons) -> None:
    assert held(chip) == {}
    buttons.start()
    assert held(chip) == dict.fromkeys(BUTTONS.values(), "doubtable")
    buttons.close()
    buttons.close()
    assert held(chip) == {}
