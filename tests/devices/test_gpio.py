"""Buttons on the kernel's lines, on a fake line request: seat 1 on line 17, seat 2 on line 4."""

import queue
from collections.abc import Iterator

import pytest

from devices.fake_gpio import EXPANDER, PI4, FakeClock, FakeGpio, Inbox
from doubtable.devices.gpio import GpioButtons
from doubtable.devices.ports import DeviceError
from doubtable.inputs import Edge, Input, Levels, Source

LINES = {1: 17, 2: 4}


@pytest.fixture
def gpio() -> FakeGpio:
    return FakeGpio(PI4, EXPANDER)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def buttons(gpio: FakeGpio, clock: FakeClock, inbox: Inbox) -> Iterator[GpioButtons]:
    source = GpioButtons(LINES, inbox.append, labels=["pinctrl-bcm2711"], gpio=gpio, clock=clock)
    yield source
    source.close()


def edge(ns: int, seat: int, level: int, seq: int) -> Edge:
    return Edge(ns, seat, level, "gpio", seq, 100_000)


def test_a_press_comes_as_the_kernel_stamped_it(buttons: GpioButtons, gpio: FakeGpio, inbox: Inbox) -> None:
    buttons.open()
    inbox.clear()
    gpio.wires.edge(17, 1, ns=999_000_001)
    gpio.wires.edge(4, 1, ns=999_000_000)
    gpio.wires.edge(17, 0, ns=999_500_000)
    buttons.step(0)
    assert inbox == [edge(999_000_001, 1, 1, 1), edge(999_000_000, 2, 1, 2), edge(999_500_000, 1, 0, 3)]


def test_lost_edges_leave_a_hole_in_the_numbers(buttons: GpioButtons, gpio: FakeGpio, inbox: Inbox) -> None:
    buttons.open()
    inbox.clear()
    for turn in range(1026):
        gpio.wires.edge(17, 1 - turn % 2, ns=turn)
    del gpio.wires.waiting[:2]  # the kernel keeps 1024 and drops the oldest
    buttons.step(0)
    assert [put.seq for put in inbox if isinstance(put, Edge)] == list(range(3, 1027))


def test_bounces_that_ran_together_are_no_loss(buttons: GpioButtons, gpio: FakeGpio, inbox: Inbox) -> None:
    buttons.open()
    inbox.clear()
    gpio.wires.seq = 2  # two interrupts before this one were overwritten
    gpio.wires.edge(17, 0, ns=1_000_000_100)  # and the contact is open again
    buttons.step(0)
    assert inbox == [edge(1_000_000_100, 1, 1, 1), edge(1_000_000_100, 1, 0, 2)]


def test_start_up_levels_come_before_any_edge(buttons: GpioButtons, gpio: FakeGpio, inbox: Inbox) -> None:
    gpio.pressed = {4}
    buttons.open()
    gpio.wires.edge(4, 0, ns=1_000_000_100)
    buttons.step(0)
    assert inbox == [Levels(1_000_000_000, {1: 0, 2: 1}), edge(1_000_000_100, 2, 0, 1)]


def test_levels_on_request(buttons: GpioButtons, gpio: FakeGpio, clock: FakeClock, inbox: Inbox) -> None:
    buttons.open()
    inbox.clear()
    gpio.wires.state[17] = 1  # an edge that the hardware lost
    clock.pass_ms(6)
    buttons.read_levels()
    assert inbox == [Levels(1_006_000_000, {1: 1, 2: 0})]


def test_levels_may_be_asked_for_while_an_edge_is_delivered(gpio: FakeGpio, clock: FakeClock) -> None:
    got: list[Input] = []

    def deliver(put: Input) -> None:
        got.append(put)
        if isinstance(put, Edge):
            source.read_levels()

    source = GpioButtons(LINES, deliver, labels=["pinctrl-bcm2711"], gpio=gpio, clock=clock)
    source.open()
    gpio.wires.edge(17, 1, ns=5)
    source.step(0)
    source.close()
    assert got[1:] == [edge(5, 1, 1, 1), Levels(1_000_000_000, {1: 1, 2: 0})]


def test_drained_to_now_only_while_nothing_waits(buttons: GpioButtons, gpio: FakeGpio, clock: FakeClock) -> None:
    buttons.open()
    clock.pass_ms(20)
    assert buttons.drained_to() == 1_020_000_000
    gpio.wires.edge(17, 1, ns=1_021_000_000)
    clock.pass_ms(20)
    assert buttons.drained_to() == 1_020_000_000
    buttons.step(0)
    assert buttons.drained_to() == 1_040_000_000


def test_a_chip_that_goes_is_said_once_and_taken_again_when_it_is_back(
    buttons: GpioButtons, gpio: FakeGpio, clock: FakeClock, inbox: Inbox
) -> None:
    buttons.open()
    inbox.clear()
    first = gpio.wires
    gpio.plugged.remove(PI4)
    first.pull_out()
    buttons.step(0)
    assert inbox.take() == [Source(1_000_000_000, "gpio", up=False)]
    assert first.closed
    assert "lost (no such device)" in str(buttons.fault)

    looks = gpio.looks
    for _ in range(10):  # a second in turns of 100 ms
        clock.pass_ms(100)
        buttons.step(0)
    assert gpio.looks - looks == 2
    assert inbox.take() == []
    assert "not there (found: /dev/gpiochip1" in str(buttons.fault)

    gpio.plugged.append(PI4._replace(path="/dev/gpiochip3"))
    gpio.pressed = {17}
    clock.pass_ms(500)
    buttons.step(0)
    assert inbox.take() == [Source(2_500_000_000, "gpio", True, 100_000), Levels(2_500_000_000, {1: 1, 2: 0})]
    assert buttons.fault is None
    gpio.wires.edge(17, 0, ns=2_500_000_007)
    buttons.step(0)
    assert inbox == [edge(2_500_000_007, 1, 0, 1)]


def test_a_chip_that_goes_at_a_level_read(buttons: GpioButtons, gpio: FakeGpio, inbox: Inbox) -> None:
    buttons.open()
    inbox.clear()
    gpio.wires.pull_out()
    buttons.read_levels()
    assert inbox == []  # only the source's own thread lets the lines go
    buttons.step(0)
    buttons.read_levels()
    assert inbox == [Source(1_000_000_000, "gpio", up=False)]


def test_busy_lines_name_who_holds_them(buttons: GpioButtons, gpio: FakeGpio, inbox: Inbox) -> None:
    gpio.held = {4: "spi0 CS0", 17: "doubtable"}
    with pytest.raises(DeviceError) as caught:
        buttons.open()
    assert str(caught.value) == (
        'buttons on GPIO chip "pinctrl-bcm2711": held already: line 4 (seat 2) by "spi0 CS0", '
        'line 17 (seat 1) by "doubtable"; end that program, switch off that bus, or use other lines'
    )
    assert inbox == []


def test_lines_that_this_user_may_not_use(buttons: GpioButtons, gpio: FakeGpio) -> None:
    gpio.forbidden = True
    with pytest.raises(DeviceError, match="/dev/gpiochip0 may not be used; add this user to the group gpio"):
        buttons.open()


def test_a_line_that_the_chip_does_not_have(gpio: FakeGpio, inbox: Inbox) -> None:
    buttons = GpioButtons({1: 2, 2: 8}, inbox.append, labels=["raspberrypi-exp-gpio"], gpio=gpio)
    with pytest.raises(DeviceError, match=r"no line 8 \(seat 2\) on /dev/gpiochip1 .*; correct the lines"):
        buttons.open()


def test_a_chip_that_is_not_there_at_the_start(gpio: FakeGpio, inbox: Inbox) -> None:
    buttons = GpioButtons(LINES, inbox.append, labels=["pinctrl-rp1"], gpio=gpio)
    with pytest.raises(DeviceError, match=r'"pinctrl-rp1": not there \(found: /dev/gpiochip0 "pinctrl-bcm2711"'):
        buttons.start()
    buttons.close()


def test_the_pull_is_the_configured_one(gpio: FakeGpio, inbox: Inbox) -> None:
    buttons = GpioButtons(LINES, inbox.append, labels=["pinctrl-bcm2711"], pull="down", gpio=gpio)
    buttons.open()
    buttons.close()
    assert gpio.pull == "down"


def test_the_thread_delivers_and_both_ends_may_be_called_twice(gpio: FakeGpio, clock: FakeClock) -> None:
    inbox: queue.SimpleQueue[Input] = queue.SimpleQueue()
    buttons = GpioButtons(LINES, inbox.put, labels=["pinctrl-bcm2711"], gpio=gpio, clock=clock)
    buttons.start()
    buttons.start()
    assert len(gpio.requests) == 1
    assert inbox.get(timeout=60) == Levels(1_000_000_000, {1: 0, 2: 0})
    gpio.wires.edge(4, 1, ns=3)
    assert inbox.get(timeout=60) == edge(3, 2, 1, 1)
    buttons.close()
    buttons.close()
    assert gpio.wires.closed
    gpio.wires.edge(4, 0, ns=4)
    assert inbox.empty()
    assert buttons.drained_to() == 1_000_000_000
    buttons.start()
    assert inbox.get(timeout=60) == Levels(1_000_000_000, {1: 0, 2: 0})
    buttons.close()
