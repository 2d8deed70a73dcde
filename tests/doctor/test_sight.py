"""The test picture and the tones: what somebody who looks and listens says of them."""

from pathlib import Path

import pygame
import pytest

from devices.fake_gpio import FakeClock
from doctor.machines import GPIO, FakeMachine
from doctor.people import Somebody
from doubtable.doctor import Case, Finding, Machine, sight, trial_picture
from doubtable.screen.display import Display
from doubtable.screen.sizes import Panel


class HereMachine(Machine):
    """The fake machine, as if it were the one that this program runs on."""

    real = True


def looked(
    tmp_path: Path, section: str, answer: str | None, monkeypatch: pytest.MonkeyPatch, driver: str = "dummy"
) -> tuple[list[Finding], Somebody]:
    monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    monkeypatch.setenv("SDL_AUDIODRIVER", driver)
    clock = FakeClock()
    person = Somebody(clock, {} if answer is None else {"Enter:": lambda: answer})
    machine = FakeMachine(tmp_path, {}, {})
    config = machine.config(GPIO.replace('driver = "kmsdrm"', ""))
    case = Case(config, HereMachine(machine.root, {}), person, None, clock)
    return list({"screen": sight.screen, "sound": sight.sound}[section](case)), person


@pytest.fixture
def _shown_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A display that nobody sees passes for one, as the real one would on a Pi."""
    monkeypatch.setattr("doubtable.screen.display.NO_SCREEN", ())


@pytest.mark.usefixtures("_shown_anywhere")
@pytest.mark.parametrize(("answer", "state"), [("", "ok"), ("n", "fault"), (None, "unknown")])
def test_the_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str | None, state: str) -> None:
    found, person = looked(tmp_path, "screen", answer, monkeypatch)
    assert [each.state for each in found] == ["ok", state]
    assert found[1].about.startswith("dummy ")
    assert any("arrow that points up" in line for line in person.said)
    assert not pygame.display.get_init(), "the screen is given back"


def test_a_driver_that_nobody_sees_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = looked(tmp_path, "screen", "", monkeypatch)
    assert found[1].state == "fault"
    assert "only the driver 'dummy'" in found[1].what


@pytest.mark.parametrize(("answer", "state"), [("", "ok"), ("n", "fault"), (None, "unknown")])
def test_the_tones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str | None, state: str) -> None:
    found, _ = looked(tmp_path, "sound", answer, monkeypatch)
    assert [each.state for each in found] == ["ok", state]


def test_a_sound_device_that_does_not_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise pygame.error("ALSA: Couldn't open audio device")

    monkeypatch.setattr(pygame.mixer, "init", broken)
    found, _ = looked(tmp_path, "sound", "", monkeypatch)
    assert found[1].state == "warning"
    assert "ALSA" in found[1].what


@pytest.mark.parametrize("turn", [0, 90])
def test_the_picture_reaches_the_edges_and_points_up(monkeypatch: pytest.MonkeyPatch, turn: int) -> None:
    drawn: list[pygame.Surface] = []
    monkeypatch.setattr(Display, "flip", lambda self, picture, boxes, ns: drawn.append(picture))
    display = Display((800, 480), turn)
    trial_picture.draw(display, 0)
    (picture,) = drawn
    wide, high = Panel(800, 480, turn=turn).size
    assert picture.get_size() == (wide, high)
    for corner in ((0, 0), (wide - 1, 0), (0, high - 1), (wide - 1, high - 1)):
        assert picture.get_at(corner)[:3] == trial_picture.INK
    left, right = high // 4, high * 3 // 4
    ink = [sum(picture.get_at((x, y))[:3] == trial_picture.INK for x in range(20, wide - 20)) for y in (left, right)]
    assert ink[0] > ink[1], "the arrow's head is at the top"
