"""Buttons that a program presses."""

from devices.fake_gpio import FakeClock, Inbox
from doubtable.devices.simulated import SimulatedButtons
from doubtable.inputs import Edge, Levels


def test_a_key_press_is_an_edge_of_the_keyboard() -> None:
    inbox, clock = Inbox(), FakeClock(0)
    buttons = SimulatedButtons([2, 1], inbox.append, clock=clock)
    buttons.start()
    clock.pass_ms(7)
    buttons.press(2, True)
    buttons.press(2, True)  # a key that repeats is held
    buttons.press(2, False, ns=9)
    assert inbox == [
        Levels(0, {1: 0, 2: 0}),
        Edge(7_000_000, 2, 1, "keyboard", None, 10_000_000),
        Edge(9, 2, 0, "keyboard", None, 10_000_000),
    ]


def test_levels_follow_the_presses() -> None:
    inbox = Inbox()
    buttons = SimulatedButtons([1, 2], inbox.append, clock=FakeClock(4), source="demo", uncertainty=0)
    buttons.start()
    buttons.start()
    buttons.press(1, True)
    buttons.read_levels()
    assert inbox == [Levels(4, {1: 0, 2: 0}), Edge(4, 1, 1, "demo"), Levels(4, {1: 1, 2: 0})]
    assert buttons.drained_to() == 4


def test_nothing_comes_before_the_start_and_after_the_end() -> None:
    inbox = Inbox()
    buttons = SimulatedButtons([1], inbox.append, clock=FakeClock())
    buttons.press(1, True)
    buttons.start()
    buttons.close()
    buttons.close()
    buttons.press(1, True)
    buttons.read_levels()
    assert [type(put) for put in inbox] == [Levels]
