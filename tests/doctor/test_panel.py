"""The panel: the firmware's own modules at the far end of a pty, and what the doctor says of them."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.fake_gpio import FakeClock
from devices.panel_bench import Cable, Panel
from doctor.machines import FakeMachine
from doctor.people import Fingers, examined, fast
from doubtable.desk import DeviceReport
from doubtable.devices import panel as device
from doubtable.doctor import Case, Finding, Machine, Nobody, panel
from doubtable.timing import MS

PORT = "/dev/serial/by-id/usb-panel"
TABLE = f"""
[buttons]
source = "panel"
[panel]
port = "{PORT}"
[seats.1]
button = 0
[seats.2]
button = 1
[seats.3]
button = 2
"""


class LivePanel:
    """The panel on a thread of its own, behind the port of a fake machine. ``mute``: it hears and says nothing."""

    def __init__(self, folder: Path, clock: FakeClock) -> None:
        self.machine = FakeMachine(folder, {}, {})
        self.panel = Panel()
        self.cable = Cable(folder, self.panel)
        place = self.machine.root / PORT.lstrip("/")
        place.parent.mkdir(parents=True)
        place.symlink_to(self.cable.path)
        self.mute = False
        self.rubbish = b""  # comes after all else
        self._clock = clock
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._end.wait(0.001):
            self.panel.us += 1000
            if not self.mute:
                self.cable.serve()
                self.cable.write(self.rubbish)

    def examine(self) -> list[Finding]:
        nobody = Nobody(threading.Event().wait)
        case = Case(self.machine.config(TABLE), Machine(self.machine.root, {}), nobody)
        return list(panel.panel(case))

    def close(self) -> None:
        self._end.set()
        self._thread.join()
        self.cable.pull()


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LivePanel]:
    fast(monkeypatch, panel, LISTENED=300 * MS, TURN=20 * MS)
    made = LivePanel(tmp_path, FakeClock())
    yield made
    made.close()


def test_a_good_panel_says_its_firmware(live: LivePanel) -> None:
    (found,) = live.examine()
    assert (found.state, found.about) == ("ok", PORT)
    assert found.what.startswith("firmware ")
    assert "round trip" in found.what


def test_edges_that_it_lost(live: LivePanel) -> None:
    live.panel.outbox.lost = 3
    (found,) = live.examine()
    assert found.state == "warning"
    assert "3 edges lost" in found.what


def test_frames_that_came_broken(live: LivePanel) -> None:
    live.rubbish = b"\x05\xff\xff\x00" * 3
    (found,) = live.examine()
    assert found.state == "warning"
    assert "broken frames" in found.what


def test_a_panel_that_does_not_answer(live: LivePanel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "START_WITHIN", 0.2)
    live.mute = True
    (found,) = live.examine()
    assert found.state == "fault"
    assert "does not answer" in found.what
    assert "unplug" in found.todo


def test_no_panel(tmp_path: Path) -> None:
    (found,) = examined(tmp_path, TABLE, "panel", FakeClock(), None, None)
    assert found.state == "fault"
    assert "is not there" in found.what


@pytest.mark.parametrize(
    ("devices", "state"),
    [
        ((DeviceReport("panel", facts={"port": PORT}),), "ok"),
        ((DeviceReport("panel", "panel on x: fell silent; unplug it"),), "fault"),
        ((DeviceReport("panel", warning="3 edges lost so far; plug it into the Pi itself"),), "warning"),
        ((), "warning"),
    ],
)
def test_a_running_table_is_asked(tmp_path: Path, devices: tuple[DeviceReport, ...], state: str) -> None:
    clock = FakeClock()
    (found,) = examined(tmp_path, TABLE, "panel", clock, None, Fingers(clock).running(*devices))
    assert found.state == state
