"""devices/fallback_buttons.py on the kernel's own GPIO interface: gpiozero on lgpio, and on rpi-lgpio.

In virtual time: when a callback runs depends on how busy this machine is.
"""

import time
from collections.abc import Iterator

import gpiod
import pytest

from doubtable.devices.fallback_buttons import GpiozeroButtons
from doubtable.devices.lamps import GpioLamps
from doubtable.devices.pins import Pins
from doubtable.devices.ports import DeviceError
from doubtable.inputs import Levels, Source
from kernel.inbox import Inbox
from kernel.sim import BUTTONS, LAMPS, PI4, SimChip


@pytest.fixture(params=["lgpio", "rpigpio"])
def pins(request: pytest.FixtureRequest) -> Pins:
    return Pins(request.param, labels=[PI4])


@pytest.fixture
def buttons(chip: SimChip, inbox: Inbox, pins: Pins) -> Iterator[GpiozeroButtons]:
    source = GpiozeroButtons(BUTTONS, inbox.put, pins)
    yield source
    source.close()


def test_presses_come_with_stamps_of_the_tables_clock(chip: SimChip, buttons: GpiozeroButtons, inbox: Inbox) -> None:
    buttons.start()
    assert inbox.next().levels == dict.fromkeys(BUTTONS, 0)  # type: ignore[union-attr]
    truth = [9, 2, 13, 5, 1]
    asked = []
    for seat in truth:
        asked.append(time.monotonic_ns())
        chip.press(BUTTONS[seat])
        time.sleep(0.02)
    edges = inbox.edges(5)
    assert [edge.seat for edge in sorted(edges, key=lambda edge: edge.ns)] == truth
    assert all(edge.level == 1 and edge.source == "gpiozero" and edge.uncertainty == 10_000_000 for edge in edges)
    for edge, before in zip(sorted(edges, key=lambda edge: edge.ns), asked, strict=True):
        assert 0 <= edge.ns - before < edge.uncertainty
    for seat in truth:
        chip.release(BUTTONS[seat])
    assert [edge.level for edge in inbox.edges(5)] == [0] * 5


def test_levels_on_request(chip: SimChip, buttons: GpiozeroButtons, inbox: Inbox) -> None:
    buttons.start()
    inbox.next()
    chip.press(BUTTONS[7])
    inbox.edges(1)
    buttons.read_levels()
    levels = inbox.next()
    assert isinstance(levels, Levels)
    assert levels.levels == dict.fromkeys(BUTTONS, 0) | {7: 1}


def test_lamps_share_its_factory(chip: SimChip, buttons: GpiozeroButtons, inbox: Inbox, pins: Pins) -> None:
    lamps = GpioLamps(LAMPS, pins)
    lamps.start()
    buttons.start()
    inbox.next()
    lamps.show({3: True})
    assert chip.level(LAMPS[3])
    lamps.close()
    assert not chip.level(LAMPS[3])
    chip.press(BUTTONS[2])  # the buttons go on
    assert inbox.edges(1)[0].seat == 2


def test_a_line_that_is_held_is_named(chip: SimChip, buttons: GpiozeroButtons) -> None:
    other = gpiod.request_lines(chip.path, {BUTTONS[5]: gpiod.LineSettings()}, consumer="door bell")
    with pytest.raises(DeviceError, match="button of seat 5 on line 10: "):
        buttons.start()
    other.release()
    buttons.start()


@pytest.mark.parametrize("pins", ["lgpio"], indirect=True)
def test_a_chip_that_is_removed_shows_at_the_next_level_read(
    chip: SimChip, buttons: GpiozeroButtons, inbox: Inbox, pins: Pins
) -> None:
    lamps = GpioLamps(LAMPS, pins)
    lamps.start()
    buttons.start()
    inbox.next()
    chip.close()
    buttons.read_levels()
    gone = inbox.next()
    assert isinstance(gone, Source)
    assert not gone.up
    assert "start doubtable again when the chip is back" in str(buttons.fault)
    lamps.show({1: True})
    assert "the buttons on the same chip are lost" in str(lamps.fault)
    with SimChip() as again:
        buttons.start()
        assert isinstance(inbox.next(), Levels)
        again.press(BUTTONS[3])
        assert inbox.edges(1)[0].seat == 3
        buttons.close()
        lamps.close()


def test_the_label_that_is_not_there_is_not_replaced(inbox: Inbox) -> None:
    with SimChip("pinctrl-rp1", 54), pytest.raises(DeviceError, match='"pinctrl-bcm2711": not there'):
        GpiozeroButtons(BUTTONS, inbox.put, Pins("lgpio", labels=[PI4])).start()
