"""The buttons: every state of a seat, with and without a person, at a running table and on lines of a chip."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from devices.fake_gpio import PI4, FakeClock, FakeGpio
from doctor.machines import GPIO, FakeMachine
from doctor.people import Fingers, Somebody, examined, fast, states
from doubtable.desk import DeviceReport
from doubtable.doctor import Case, Finding, Machine, Nobody, Running, buttons
from doubtable.timing import MS

WORKS = DeviceReport("buttons")
ANN, TWO, THREE = "seat 1 (Ann), GPIO4", "seat 2, GPIO5", "seat 3, GPIO6"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def fingers(clock: FakeClock) -> Fingers:
    made = Fingers(clock)
    made.levels()
    return made


def test_each_pressed_once_is_good(tmp_path: Path, clock: FakeClock, fingers: Fingers) -> None:
    def press_all() -> None:
        for seat, bounce in ((1, 0), (2, 1200), (3, 4800)):
            fingers.press(seat, bounce)

    person = Somebody(clock, {"Press every button once": press_all})
    found = examined(tmp_path, GPIO, "buttons", clock, person, fingers.running(WORKS))
    assert states(found) == [(ANN, "ok"), (TWO, "ok"), (THREE, "ok")]
    assert found[1].what == "pressed 1 x, bounce 1.2 ms, no noise"
    assert f"{THREE}: pressed, bounce 4.8 ms" in person.said


def test_a_dead_button_among_good_ones(tmp_path: Path, clock: FakeClock, fingers: Fingers) -> None:
    def press_two() -> None:
        fingers.press(1)
        fingers.press(3)

    person = Somebody(clock, {"Press every button once": press_two})
    found = examined(tmp_path, GPIO, "buttons", clock, person, fingers.running(WORKS))
    assert states(found) == [(ANN, "ok"), (TWO, "fault"), (THREE, "ok")]
    assert "no press came, though others did" in found[1].what
    assert "microswitch" in found[1].todo
    assert clock.ns >= buttons.PRESSED_WITHIN, "it was waited for"


def test_enter_ends_the_wait_and_what_nobody_pressed_is_unknown(
    tmp_path: Path, clock: FakeClock, fingers: Fingers
) -> None:
    person = Somebody(clock, {"Press every button once": lambda: "", "hands off": lambda: ""})
    began = clock.ns
    found = examined(tmp_path, GPIO, "buttons", clock, person, fingers.running(WORKS))
    assert {state for _, state in states(found)} == {"unknown"}
    assert clock.ns - began < 1000 * MS


def test_noise_while_the_light_is_switched(tmp_path: Path, clock: FakeClock, fingers: Fingers) -> None:
    def press_all() -> None:
        for seat in (1, 2, 3):
            fingers.press(seat)

    def light() -> None:
        for _ in range(7):
            fingers.edges(2, 50_000, 120)

    person = Somebody(clock, {"Press every button once": press_all, "hands off": light})
    found = examined(tmp_path, GPIO, "buttons", clock, person, fingers.running(WORKS))
    assert states(found) == [(ANN, "ok"), (TWO, "warning"), (THREE, "ok")]
    assert found[1].what.startswith("noisy: 7 spikes")
    assert "cable rules" in found[1].todo


def test_a_worn_switch(tmp_path: Path, clock: FakeClock, fingers: Fingers) -> None:
    def press_all() -> None:
        for seat in (1, 2, 3):
            fingers.press(seat)
        fingers.edges(3, 20_000, 4_000, 4_000, 4_000, 4_000, 90_000)
        clock.pass_ms(20)

    person = Somebody(clock, {"Press every button once": press_all})
    found = examined(tmp_path, GPIO, "buttons", clock, person, fingers.running(WORKS))
    assert found[2].state == "warning"
    assert "bounce 16.0 ms" in found[2].what
    assert "worn" in found[2].todo


def test_down_from_the_start_is_a_fault_and_a_finger_on_it_is_not(
    tmp_path: Path, clock: FakeClock, fingers: Fingers
) -> None:
    fingers.lines.clear()
    fingers.levels(2)

    def press() -> None:
        fingers.press(1)
        fingers.edges(3, 20_000)

    person = Somebody(clock, {"Press every button once": press})
    found = examined(tmp_path, GPIO, "buttons", clock, person, fingers.running(WORKS))
    assert states(found) == [(ANN, "ok"), (TWO, "fault"), (THREE, "warning")]
    assert "down since" in found[1].what
    assert "NC" in found[1].todo
    assert found[2].what == "still down"


def test_without_a_person_a_running_table_tells_what_it_has_heard(
    tmp_path: Path, clock: FakeClock, fingers: Fingers
) -> None:
    fingers.press(1)
    for _ in range(3):
        fingers.edges(2, 50_000, 120)
    clock.pass_ms(50)
    found = examined(tmp_path, GPIO, "buttons", clock, None, fingers.running(WORKS))
    assert states(found) == [(ANN, "ok"), (TWO, "warning"), (THREE, "fault")]


def test_a_fault_at_the_running_table(tmp_path: Path, clock: FakeClock, fingers: Fingers) -> None:
    lost = DeviceReport("buttons", 'buttons on GPIO chip "x": lost (gone); it is taken again as soon as it is back')
    (found,) = examined(tmp_path, GPIO, "buttons", clock, None, fingers.running(lost))
    assert found.state == "fault"
    assert found.todo == "it is taken again as soon as it is back"
    (found,) = examined(tmp_path / "b", GPIO, "buttons", clock, None, fingers.running())
    assert found.state == "warning"
    (found,) = examined(tmp_path / "c", GPIO, "buttons", clock, None, Running(fingers.ask, None))
    assert found.state == "unknown"


def test_a_table_that_ends_meanwhile(tmp_path: Path, clock: FakeClock, fingers: Fingers) -> None:
    def gone(since: int) -> tuple[int, list[str]]:
        raise ConnectionRefusedError(111, "Connection refused")

    running = fingers.running(WORKS)._replace(ask=gone)
    (found,) = examined(tmp_path, GPIO, "buttons", clock, None, running)
    assert found.state == "fault"
    assert found.what == "went away (connection refused)"


# Lines of a chip, in real time ----------------------------------------------------------------------------------


@pytest.fixture
def gpio(monkeypatch: pytest.MonkeyPatch) -> FakeGpio:
    fake = FakeGpio(PI4)
    monkeypatch.setattr("doubtable.devices.gpio.KernelGpio", lambda: fake)
    fast(monkeypatch, buttons, LISTENED=150 * MS, LIGHTS=150 * MS)
    return fake


def own(tmp_path: Path, sleep: Callable[[float], object]) -> list[Finding]:
    machine = FakeMachine(tmp_path, {}, {})
    return list(buttons.buttons(Case(machine.config(GPIO), Machine(machine.root, {}), Nobody(sleep))))


def test_lines_are_taken_listened_to_and_let_go(tmp_path: Path, gpio: FakeGpio) -> None:
    gpio.pressed = {6}
    found = own(tmp_path, threading.Event().wait)
    assert [each.state for each in found] == ["unknown", "unknown", "fault"]
    assert gpio.wires.closed
    assert sorted(gpio.wires.state) == [4, 5, 6]


def test_a_line_that_is_held(tmp_path: Path, gpio: FakeGpio) -> None:
    gpio.held = {5: "fan"}
    (found,) = own(tmp_path, threading.Event().wait)
    assert found.state == "fault"
    assert '"fan"' in found.what


def test_a_chip_that_goes_while_it_is_listened_to(tmp_path: Path, gpio: FakeGpio) -> None:
    def wait(seconds: float) -> None:
        gpio.wires.pull_out()
        threading.Event().wait(seconds)

    found = own(tmp_path, wait)
    assert (found[0].state, found[0].what) == ("fault", "was lost while it was listened to")
