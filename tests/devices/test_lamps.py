"""Lamps on mock pins: seat 1 on line 5, seat 2 on line 6, seat 3 on line 13."""

from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from devices.fake_gpio import FakeClock
from doubtable.devices.lamps import GpioLamps
from doubtable.devices.pins import KINDS, Pins
from doubtable.devices.ports import DeviceError
from doubtable.devices.simulated import LampChange, SimulatedLamps

LINES = {1: 5, 2: 6, 3: 13}


class Board(Pins):
    """Mock pins that stay in our hands: ``unplugged`` makes the factory, and every pin that is written to, fail."""

    def __init__(self, factory: MockFactory) -> None:
        super().__init__("mock", labels=["pinctrl-bcm2711"])
        self.factory = factory
        self.unplugged = False

    def mock(self) -> MockFactory:
        if self.unplugged:
            raise DeviceError("pins", "not there", "plug them in")
        return self.factory


class FragilePin(MockPin):  # type: ignore[misc]
    """A mock pin whose chip can go."""

    gone = False

    def _set_state(self, value: float) -> None:
        if FragilePin.gone:
            raise OSError(19, "No such device")
        super()._set_state(value)


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    FragilePin.gone = False
    factory = MockFactory(pin_class=FragilePin)
    yield factory
    factory.reset()
    FragilePin.gone = False


@pytest.fixture
def board(factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> Board:
    monkeypatch.setitem(KINDS, "mock", Board.mock)
    return Board(factory)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def lamps(board: Board, clock: FakeClock) -> Iterator[GpioLamps]:
    lamps = GpioLamps(LINES, board, clock=clock)
    lamps.start()
    yield lamps
    lamps.close()


def lit(factory: MockFactory) -> list[int]:
    return [line for line in LINES.values() if factory.pin(line).function == "output" and factory.pin(line).state]


def writes(factory: MockFactory) -> int:
    return sum(len(factory.pin(line).states) for line in LINES.values())


def test_lamps_start_dark_and_follow(lamps: GpioLamps, factory: MockFactory) -> None:
    assert lit(factory) == []
    lamps.show({1: True, 2: False, 3: True})
    assert lit(factory) == [5, 13]
    lamps.show({1: False, 2: True})
    assert lit(factory) == [6, 13]


def test_only_what_changes_is_written(lamps: GpioLamps, factory: MockFactory) -> None:
    lamps.show({1: True, 2: False, 3: True})
    before = writes(factory)
    lamps.show({1: True, 2: False, 3: True})
    assert writes(factory) == before
    lamps.show({1: True, 2: True, 3: True})
    assert writes(factory) == before + 1


def test_a_seat_without_a_lamp_is_passed_over(lamps: GpioLamps, factory: MockFactory) -> None:
    lamps.show({1: True, 4: True})
    assert lit(factory) == [5]


def test_close_turns_all_off_and_may_come_twice(board: Board, factory: MockFactory) -> None:
    lamps = GpioLamps(LINES, board)
    lamps.start()
    pins = [factory.pin(line) for line in LINES.values()]
    lamps.show(dict.fromkeys(LINES, True))
    lamps.close()
    lamps.close()
    lamps.show(dict.fromkeys(LINES, True))
    assert [pin.states[-1].state for pin in pins] == [False, False, False]


def test_an_inverting_driver_stage(board: Board, factory: MockFactory) -> None:
    lamps = GpioLamps(LINES, board, active_high=False)
    lamps.start()
    assert lit(factory) == [5, 6, 13]
    lamps.show({1: True})
    assert lit(factory) == [6, 13]
    lamps.close()


def test_lamps_that_are_lost_come_back_with_the_newest_states(
    lamps: GpioLamps, board: Board, factory: MockFactory, clock: FakeClock
) -> None:
    lamps.show({1: True})
    board.unplugged = FragilePin.gone = True
    lamps.show({1: False, 2: True})
    assert "lamps: lost (no such device)" in str(lamps.fault)
    clock.pass_ms(400)
    lamps.show({3: True})
    assert "lost" in str(lamps.fault)  # not tried yet
    clock.pass_ms(100)
    lamps.show({})
    assert "not there" in str(lamps.fault)
    board.unplugged = FragilePin.gone = False
    clock.pass_ms(500)
    lamps.show({})
    assert lamps.fault is None
    assert lit(factory) == [6, 13]


def test_lamps_that_are_lost_can_be_closed(board: Board, factory: MockFactory) -> None:
    lamps = GpioLamps(LINES, board)
    lamps.start()
    board.unplugged = FragilePin.gone = True
    lamps.show({1: True})
    lamps.close()
    lamps.close()


def test_a_line_that_is_no_line_is_named_with_its_seat(board: Board) -> None:
    lamps = GpioLamps({7: 99}, board)
    with pytest.raises(DeviceError, match="lamp of seat 7 on line 99: cannot be taken"):
        lamps.start()
    lamps.close()


def test_simulated_lamps_remember_every_switch() -> None:
    clock = FakeClock(0)
    lamps = SimulatedLamps(LINES, clock=clock)
    lamps.show({1: True})
    assert not lamps.changes  # not started
    lamps.start()
    lamps.show({1: True, 2: False, 9: True})
    clock.pass_ms(5)
    lamps.show({1: True, 3: True})
    assert lamps.lit == {1, 3}
    lamps.close()
    lamps.close()
    assert lamps.lit == frozenset()
    assert [*lamps.changes][:2] == [LampChange(0, 1, True), LampChange(5_000_000, 3, True)]
    assert {change.seat for change in [*lamps.changes][2:]} == {1, 3}
