"""The lamps: one by one, all together, with and without somebody who looks."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from devices.fake_gpio import FakeClock
from doctor.machines import GPIO
from doctor.people import Fingers, Somebody, examined, states
from doubtable.desk import DeviceReport
from doubtable.devices.pins import KINDS
from doubtable.devices.ports import DeviceError
from doubtable.doctor import Running

LINES = {1: 22, 2: 23, 3: 24}


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    factory = MockFactory()
    monkeypatch.setitem(KINDS, "lgpio", lambda pins: factory)
    yield factory
    factory.reset()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


class Eyes:
    """What was lit at each question."""

    def __init__(self, pins: MockFactory, answers: dict[str, str]) -> None:
        self._pins = pins
        self._answers = answers
        self.saw: list[tuple[int, ...]] = []

    def look(self, question: str) -> str:
        self.saw.append(tuple(seat for seat, line in LINES.items() if self._pins.pin(f"GPIO{line}").state))
        return self._answers.get(question, "")

    def script(self) -> dict[str, object]:
        questions = {f"Lamp of seat {seat}": f"{seat}" for seat in LINES} | {"All lamps on": "all"}
        return {piece: (lambda what=what: self.look(what)) for piece, what in questions.items()}


def seen(tmp_path: Path, clock: FakeClock, pins: MockFactory, **answers: str) -> tuple[list[tuple[str, str]], Eyes]:
    eyes = Eyes(pins, {key.removeprefix("lamp_"): answer for key, answer in answers.items()})
    person = Somebody(clock, eyes.script())  # type: ignore[arg-type]
    return states(examined(tmp_path, GPIO, "lamps", clock, person, None)), eyes


def test_each_lights_by_itself_and_then_all(tmp_path: Path, clock: FakeClock, pins: MockFactory) -> None:
    found, eyes = seen(tmp_path, clock, pins)
    names = ["seat 1 (Ann), GPIO22", "seat 2, GPIO23", "seat 3, GPIO24", "all together"]
    assert found == [(name, "ok") for name in names]
    assert eyes.saw == [(1,), (2,), (3,), (1, 2, 3)]
    assert not any(pins.pin(f"GPIO{line}").state for line in LINES.values()), "dark again"


def test_one_that_stays_dark(tmp_path: Path, clock: FakeClock, pins: MockFactory) -> None:
    found, _ = seen(tmp_path, clock, pins, lamp_2="n", lamp_all="no")
    assert [state for _, state in found] == ["ok", "fault", "ok", "fault"]


def test_nobody_answers(tmp_path: Path, clock: FakeClock, pins: MockFactory) -> None:
    found = states(examined(tmp_path, GPIO, "lamps", clock, Somebody(clock, {}), None))
    assert {state for _, state in found} == {"unknown"}


def test_nobody_is_there(tmp_path: Path, clock: FakeClock, pins: MockFactory) -> None:
    (found,) = examined(tmp_path, GPIO, "lamps", clock, None, None)
    assert (found.state, found.what) == ("unknown", "3 can be switched; nobody was asked to look")


def test_pins_that_cannot_be_had(tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_: object) -> None:
        raise DeviceError(
            "gpiozero's pin factory lgpio", "the installed lgpio is the empty release 0.0.0.2", "see docs"
        )

    monkeypatch.setitem(KINDS, "lgpio", none)
    (found,) = examined(tmp_path, GPIO, "lamps", clock, None, None)
    assert (found.state, found.todo) == ("fault", "see docs")
    assert "0.0.0.2" in found.what


def test_lamps_that_are_lost_while_somebody_looks(
    tmp_path: Path, clock: FakeClock, pins: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose() -> str:
        monkeypatch.setattr(type(pins.pin("GPIO23")), "_set_state", broken)
        return ""

    def broken(*_: object) -> None:
        raise OSError(19, "No such device")

    person = Somebody(clock, {"Lamp of seat 1": lose})
    found = examined(tmp_path, GPIO, "lamps", clock, person, None)
    assert [each.state for each in found] == ["ok", "fault", "fault", "fault"]
    assert "lost" in found[1].what


@pytest.mark.parametrize(
    ("devices", "state"),
    [
        ((DeviceReport("lamps"),), "ok"),
        ((DeviceReport("lamps", "lamps: lost (gone); they are taken again"),), "fault"),
        ((), "warning"),
    ],
)
def test_a_running_table_is_asked(
    tmp_path: Path, clock: FakeClock, devices: tuple[DeviceReport, ...], state: str
) -> None:
    (found,) = examined(tmp_path, GPIO, "lamps", clock, None, Fingers(clock).running(*devices))
    assert found.state == state


def test_a_running_table_that_may_not_be_asked(tmp_path: Path, clock: FakeClock) -> None:
    (found,) = examined(tmp_path, GPIO, "lamps", clock, None, Running(Fingers(clock).ask, None))
    assert found.state == "unknown"
