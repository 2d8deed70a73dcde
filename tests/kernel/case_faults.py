"""Faults of the GPIO interface: chips that are absent, go and come back, held lines, edges that overflow."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from doubtable.devices.gpio import GpioButtons
from doubtable.devices.ports import DeviceError
from doubtable.inputs import Edge, Levels, Source
from kernel.inbox import Inbox
from kernel.sim import BUTTONS, PI4, SimChip

HOLDER = """
import sys, gpiod
request = gpiod.request_lines(sys.argv[1], {(4, 26): gpiod.LineSettings()}, consumer="door bell")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def buttons(inbox: Inbox) -> Iterator[GpioButtons]:
    source = GpioButtons(BUTTONS, inbox.put, labels=[PI4])
    yield source
    source.close()


@pytest.fixture
def door_bell(chip: SimChip) -> Iterator[None]:
    """Another process that holds two of our lines."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, chip.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        yield
        holder.communicate()


def test_a_chip_that_is_not_there_lists_what_was_found(buttons: GpioButtons) -> None:
    with (
        SimChip("raspberrypi-exp-gpio", 8, "expander") as expander,
        SimChip("pinctrl-rp1", 54, "other") as other,
        pytest.raises(DeviceError) as caught,
    ):
        buttons.start()
    assert str(caught.value) == (
        f'GPIO chip "pinctrl-bcm2711": not there (found: {expander.path} "raspberrypi-exp-gpio" (8 lines), '
        f'{other.path} "pinctrl-rp1" (54 lines)); name one of these by its label, or by its path'
    )


def test_a_machine_without_chips(buttons: GpioButtons) -> None:
    with pytest.raises(DeviceError, match="this machine has no GPIO chip"):
        buttons.start()


def test_the_label_finds_the_chip_under_any_number(inbox: Inbox, buttons: GpioButtons) -> None:
    with SimChip("gpio-brcmstb", 32, "other"), SimChip() as chip:
        assert chip.path != "/dev/gpiochip0"
        buttons.start()
        inbox.next()
        chip.press(BUTTONS[2])
        assert inbox.edges(1)[0].seat == 2
        buttons.close()


def test_lines_that_another_process_holds_are_named_with_it(
    chip: SimChip, door_bell: None, buttons: GpioButtons
) -> None:
    with pytest.raises(DeviceError) as caught:
        buttons.start()
    assert str(caught.value) == (
        'buttons on GPIO chip "pinctrl-bcm2711": held already: line 4 (seat 2) by "door bell", '
        'line 26 (seat 12) by "door bell"; end that program, switch off that bus, or use other lines'
    )


def test_more_than_1024_unread_edges_leave_a_hole_in_the_numbers(
    chip: SimChip, buttons: GpioButtons, inbox: Inbox
) -> None:
    buttons.open()
    inbox.next()
    for _ in range(750):
        chip.press(BUTTONS[7])
        chip.release(BUTTONS[7])
    buttons.step(0)
    numbers = [put.seq for put in inbox.rest() if isinstance(put, Edge)]
    assert numbers == list(range(1500 - 1024 + 1, 1501))  # the kernel keeps the newest
    chip.press(BUTTONS[7])
    buttons.step(0)
    assert inbox.edges(1)[0].seq == 1501


def test_a_chip_that_is_removed_while_running_is_said_and_taken_again(inbox: Inbox, buttons: GpioButtons) -> None:
    first = SimChip()
    buttons.start()
    assert isinstance(inbox.next(), Levels)
    first.press(BUTTONS[4])
    assert inbox.edges(1)[0].seat == 4
    first.close()
    gone = inbox.next()
    assert isinstance(gone, Source)
    assert (gone.source, gone.up) == ("gpio", False)
    assert "lost (no such device)" in str(buttons.fault)
    assert list(inbox.rest()) == []

    with SimChip("gpio-brcmstb", 32, "other"), SimChip() as second:  # back under another number
        assert second.path != first.path
        back = inbox.next()
        assert isinstance(back, Source)
        assert back.up
        assert back.ns - gone.ns >= 500_000_000
        assert isinstance(inbox.next(), Levels)
        assert buttons.fault is None
        second.press(BUTTONS[13])
        (edge,) = inbox.edges(1)
        assert (edge.seat, edge.seq) == (13, 1)
        buttons.close()


def test_a_chip_that_is_removed_before_a_level_read(chip: SimChip, inbox: Inbox, buttons: GpioButtons) -> None:
    buttons.open()
    inbox.next()
    chip.close()
    buttons.read_levels()
    buttons.step(0)
    (gone,) = inbox.rest()
    assert isinstance(gone, Source)
    assert not gone.up
