"""A whole table that runs, and a doctor who asks it over its socket: fake lines, mock lamps, a reader on a pty."""

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from devices.fake_gpio import PI4, FakeGpio
from doctor.machines import GPIO
from doctor.people import fast
from doubtable import desk, doctor_cli
from doubtable.cli import main
from doubtable.config import load
from doubtable.devices.pins import KINDS
from doubtable.devices.reader_emulators import LiveEmulator, RdmEmulator
from doubtable.doctor import SECTIONS, Case, Machine, Nobody, buttons
from doubtable.simulation import simulated_table
from doubtable.timing import MS
from doubtable.window import play_in_window

PATIENCE = 60.0  # s


@pytest.fixture
def gpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGpio]:
    fake, factory = FakeGpio(PI4), MockFactory()
    monkeypatch.setattr("doubtable.devices.gpio.KernelGpio", lambda: fake)
    monkeypatch.setitem(KINDS, "lgpio", lambda pins: factory)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    fast(monkeypatch, buttons, LISTENED=200 * MS)
    yield fake
    factory.reset()


@pytest.fixture
def reader() -> Iterator[LiveEmulator]:
    emulator = LiveEmulator(RdmEmulator())
    emulator.start()
    yield emulator
    emulator.close()


def beside(play: Callable[[], None], failed: list[BaseException]) -> threading.Thread:
    """Do this beside the table, then end it, however it went."""

    def all_of_it() -> None:
        try:
            play()
        except (AssertionError, OSError, desk.DeskError) as error:
            failed.append(error)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=all_of_it)
    thread.start()
    return thread


def test_the_doctor_asks_a_simulated_table_in_its_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    config, pause = load(None, environ={"STATE_DIRECTORY": str(tmp_path)}), threading.Event()
    failed: list[BaseException] = []
    found: dict[str, tuple[str, str]] = {}

    def ask() -> None:
        end = time.monotonic() + PATIENCE
        while (running := doctor_cli.running_table(config, Machine())) is None:
            assert time.monotonic() < end, "no desk"
            pause.wait(0.02)
        case = Case(config, Machine(), Nobody(pause.wait), running)
        for name in ("table", "panel", "buttons", "lamps", "reader", "screen"):
            found.update({each.name: (each.state, each.what) for each in SECTIONS[name](case)})

    thread = beside(ask, failed)
    assert play_in_window(simulated_table("classic", 4), 1, config=config) == 0
    thread.join()
    assert failed == []
    assert "runs as process" in found["table"][1]
    works = "works at the running table: "
    assert found["buttons"] == ("ok", works + "simulated by keys, the mouse and simulated people")
    assert found["lamps"] == ("ok", works + "simulated in the picture")
    assert found["reader"] == ("ok", works + "simulated on a pseudo terminal")
    assert found["screen"][1].startswith(works + "size 1024x")
    assert desk.find(config, os.environ) is None, "the desk is closed with the window"


def test_the_doctor_asks_the_running_table(
    tmp_path: Path, gpio: FakeGpio, reader: LiveEmulator, capfd: pytest.CaptureFixture[str]
) -> None:
    path, answer, pause = tmp_path / "table.toml", tmp_path / "answer.json", threading.Event()
    screenless = GPIO.replace('driver = "kmsdrm"', 'driver = "none"')
    path.write_text(f'state = "{tmp_path}"\n[reader]\nkind = "rdm6300"\nport = "{reader.port}"\n{screenless}')
    config = load(path)
    failed: list[BaseException] = []

    def ask() -> None:
        end = time.monotonic() + PATIENCE
        while desk.find(config, os.environ) is None:
            assert time.monotonic() < end, "no desk"
            pause.wait(0.02)
        for level in (1, 0):
            gpio.wires.edge(5, level, time.monotonic_ns())
            pause.wait(0.06)
        only = ["table", "buttons", "lamps", "reader"]
        running = doctor_cli.running_table(config, Machine())
        assert running is not None
        assert running.report is not None
        assert running.report.pid == os.getpid()
        case = Case(config, Machine(), Nobody(pause.wait), running)
        found = [each for name in only for each in SECTIONS[name](case)]
        answer.write_text(json.dumps([[each.name, each.about, each.state, each.what] for each in found]))

    thread = beside(ask, failed)
    assert main(["play", "--config", str(path)]) == 0
    thread.join()
    assert failed == []
    found = {(name, about): (state, what) for name, about, state, what in json.loads(answer.read_text())}
    assert found["buttons", "seat 2, GPIO5"] == ("ok", "pressed 1 x, bounce 0.0 ms, no noise")
    assert found["lamps", ""][0] == "ok"
    assert found["reader", ""] == ("ok", f"works at the running table: kind rdm6300, port {reader.port}")
    assert "runs as process" in found["table", ""][1]
    assert desk.find(config, os.environ) is None, "the desk is closed with the table"
