"""Fallback buttons on mock pins: seat 1 on line 17, seat 2 on line 4."""

from collections.abc import Iterator
from typing import Any

import pytest

from devices.fake_gpio import FakeClock, Inbox
from doubtable.devices.chips import Pull
from doubtable.devices.fallback_buttons import GpiozeroButtons
from doubtable.devices.pins import Pins
from doubtable.devices.ports import DeviceError
from doubtable.inputs import Edge, Levels, Source

LINES = {1: 17, 2: 4}
WIDE = 10_000_000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """The test's clock is the pins' clock too."""
    clock = FakeClock()
    monkeypatch.setattr("gpiozero.pins.mock.monotonic", lambda: clock() / 1e9)
    return clock


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def pins() -> Iterator[Pins]:
    pins = Pins("mock", labels=["pinctrl-bcm2711"])
    factory = pins.open()
    yield pins
    factory.reset()
    pins.close()


@pytest.fixture
def wires(pins: Pins) -> Iterator[Any]:
    factory = pins.open()
    yield {line: factory.pin(line) for line in LINES.values()}
    pins.close()


@pytest.fixture
def buttons(pins: Pins, wires: Any, clock: FakeClock, inbox: Inbox) -> Iterator[GpiozeroButtons]:
    buttons = GpiozeroButtons(LINES, inbox.append, pins, clock=clock)
    yield buttons
    buttons.close()


def test_a_press_carries_the_pins_own_stamp(
    buttons: GpiozeroButtons, wires: Any, clock: FakeClock, inbox: Inbox
) -> None:
    buttons.start()
    clock.pass_ms(30)
    wires[17].drive_low()
    clock.pass_ms(5)
    wires[17].drive_high()
    assert inbox == [
        Levels(1_000_000_000, {1: 0, 2: 0}),
        Edge(1_030_000_000, 1, 1, "gpiozero", None, WIDE),
        Edge(1_035_000_000, 1, 0, "gpiozero", None, WIDE),
    ]


def test_levels_at_the_start_and_on_request(buttons: GpiozeroButtons, wires: Any, inbox: Inbox) -> None:
    buttons.start()
    wires[4].drive_low()
    buttons.read_levels()
    levels = [put for put in inbox if isinstance(put, Levels)]
    assert levels == [Levels(1_000_000_000, {1: 0, 2: 0}), Levels(1_000_000_000, {1: 0, 2: 1})]


@pytest.mark.parametrize(("pull", "idle"), [("up", True), ("down", False), ("none", True)])
def test_pressed_is_what_the_pull_is_not(
    pull: Pull, idle: bool, pins: Pins, wires: Any, clock: FakeClock, inbox: Inbox
) -> None:
    buttons = GpiozeroButtons(LINES, inbox.append, pins, pull=pull, clock=clock)
    for pin in wires.values():
        pin.drive_high() if idle else pin.drive_low()
    buttons.start()
    pin = wires[4]
    pin.drive_low() if idle else pin.drive_high()
    buttons.read_levels()
    buttons.close()
    assert inbox == [
        Levels(1_000_000_000, {1: 0, 2: 0}),
        Edge(1_000_000_000, 2, 1, "gpiozero", None, WIDE),
        Levels(1_000_000_000, {1: 0, 2: 1}),
    ]


def test_bounce_goes_through(buttons: GpiozeroButtons, wires: Any, inbox: Inbox) -> None:
    buttons.start()
    inbox.clear()
    for _ in range(3):
        wires[4].drive_low()
        wires[4].drive_high()
    assert [put.level for put in inbox if isinstance(put, Edge)] == [1, 0, 1, 0, 1, 0]


def test_the_host_is_warned_that_ties_are_wide(buttons: GpiozeroButtons, caplog: pytest.LogCaptureFixture) -> None:
    buttons.start()
    assert "ties are wide" in buttons.warning
    assert buttons.warning in caplog.messages


def test_drained_to_leaves_room_for_what_is_on_its_way(buttons: GpiozeroButtons, clock: FakeClock) -> None:
    buttons.start()
    assert buttons.drained_to() == clock() - WIDE


def test_start_and_close_twice(buttons: GpiozeroButtons, wires: Any, inbox: Inbox) -> None:
    buttons.start()
    buttons.start()
    assert len(inbox) == 1
    buttons.close()
    buttons.close()
    wires[17].drive_low()
    buttons.read_levels()
    assert len(inbox) == 1


def test_a_chip_that_goes_shows_when_levels_are_read(
    buttons: GpiozeroButtons, wires: Any, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    buttons.start()
    inbox.clear()

    def gone(_: object) -> bool:
        raise OSError(19, "No such device")

    monkeypatch.setattr(type(wires[4]), "_get_state", gone)
    buttons.read_levels()
    buttons.read_levels()
    assert inbox == [Source(1_000_000_000, "gpiozero", up=False)]
    assert "lost (no such device); start doubtable again" in str(buttons.fault)


def test_a_line_that_cannot_be_taken_is_named_and_nothing_is_held(pins: Pins, inbox: Inbox) -> None:
    buttons = GpiozeroButtons({1: 17, 2: 99}, inbox.append, pins)
    with pytest.raises(DeviceError, match="button of seat 2 on line 99: cannot be taken"):
        buttons.start()
    again = GpiozeroButtons({1: 17}, inbox.append, pins)
    again.start()
    again.close()
    assert len(inbox) == 1
