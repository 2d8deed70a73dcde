"""What a running table says of its devices: a panel that works, one that lost edges, one that is pulled out."""

from pathlib import Path

import pytest

from devices import panel_bench
from devices.fake_gpio import FakeClock
from doubtable.config import load
from doubtable.desk import DeviceReport
from doubtable.desk_report import reporter
from doubtable.devices import panel
from doubtable.devices.panel import PanelButtons
from doubtable.devices.panel_session import State
from doubtable.inputs import Input
from doubtable.wiring import devices_of, table_of

MS = 1_000_000


class Bench:
    """A table whose seats hang on a panel, in virtual time; the panel's own modules are at the far end of a pty."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = FakeClock()
        monkeypatch.setattr(panel, "TURN", 0.0005)
        self.far = panel_bench.Panel()
        self.cable = panel_bench.Cable(folder, self.far)
        path = folder / "table.toml"
        seats = "".join(f"[seats.{seat}]\nbutton = {seat - 1}\nlamp = {seat - 1}\n" for seat in (1, 2, 3))
        path.write_text(
            f'state = "{folder}"\n[buttons]\nsource = "panel"\n[panel]\nport = "{self.cable.path}"\n{seats}'
        )
        self.config = load(path)
        got: list[Input] = []
        self.devices = devices_of(self.config, got.append)
        assert self.devices.panel is not None
        self.panel: PanelButtons = self.devices.panel
        monkeypatch.setattr(self.panel, "_clock", self.clock)
        self.panel.open()
        self.until(State.UP)

    def until(self, state: State) -> None:
        for _ in range(5000):
            if self.panel.session.state is state:
                return
            self.clock.pass_ms(1)
            self.far.us += 1000
            self.cable.serve()
            self.panel.step()
        raise AssertionError(f"not {state}: {self.panel.fault}")

    def report(self) -> DeviceReport:
        found = reporter(self.config, table_of(self.config, "classic", {}), self.devices, None)().device("panel")
        assert found is not None
        return found

    def close(self) -> None:
        self.devices.lamps.close()
        self.devices.buttons.close()
        self.cable.pull()


def test_a_panel_says_its_port_its_firmware_and_its_round_trip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(tmp_path, monkeypatch)
    try:
        found = bench.report()
        assert (found.fault, found.warning) == ("", "")
        assert found.facts["port"] == str(bench.cable.path)
        assert found.facts["firmware"].count(".") == 2
        assert found.facts["round trip"].endswith(" ms")
        bench.panel.session.lost = 3
        assert bench.report().warning.startswith("3 edges lost so far; ")
        bench.cable.pull()
        bench.until(State.LOST)
        assert "panel on" in bench.report().fault
    finally:
        bench.close()
