from pathlib import Path
from types import SimpleNamespace

import pytest

from devices.panel_bench import Cable, Panel, Served
from devices.test_panel_flash import Tools
from doubtable import panel_cli
from doubtable.devices import panel, panel_flash
from doubtable.user_error import UserError

WATCHED = 3.0  # s: time enough on a busy machine for what comes within the first third of a second


def test_test_shows_edges_figures_and_what_was_never_pressed(
    served: Served, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel_cli, "FIGURES_EVERY", 0.1)
    served.after = [
        (300_000, lambda us: served.panel.press(3, at=us)),
        (330_000, lambda us: served.panel.press(3, at=us)),
    ]
    assert panel_cli.test(str(served.cable.path), WATCHED) == 0
    said = capsys.readouterr().out.splitlines()
    assert "firmware 1.0.0, 13 lines" in said[0]
    edges = [line.split() for line in said if " line " in line]
    assert [words[2:] for words in edges] == [["line", "3", "down"], ["line", "3", "up"]]
    assert float(edges[0][0]) == 0.0
    assert float(edges[1][0]) == pytest.approx(30.0, abs=0.5)
    assert any("round trip" in line and "offset" in line and "lost 0" in line for line in said)
    assert any("slowest round 4.1 ms" in line for line in said)
    assert said[-1] == "2 edges; lines never pressed: 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12"


def test_test_fails_when_edges_were_lost(served: Served, capsys: pytest.CaptureFixture[str]) -> None:
    served.after = [(300_000, lambda us: served.panel.outbox.skip(5))]
    assert panel_cli.test(str(served.cable.path), WATCHED) == 1
    assert "FAILED: 5 edges lost, panel lost 1 times" in capsys.readouterr().out


def test_a_port_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^panel on .*/nothing: is not there; plug the panel in"):
        panel_cli.test(str(tmp_path / "nothing"), 1.0)


def test_flash_shows_its_steps_and_greets_the_new_program(
    served: Served, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel_flash, "ENDS_WITHIN", 0.05)
    assert panel_cli.flash(str(served.cable.path), Tools()) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "compiling"
    assert said[-1] == f"{served.cable.path}: firmware 1.0.0 runs; next: doubtable panel test {served.cable.path}"


def test_a_program_that_does_not_start_after_flashing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(panel_flash, "ENDS_WITHIN", 0.0)
    monkeypatch.setattr(panel, "START_WITHIN", 0.05)
    monkeypatch.setattr(panel_cli, "COMES_BACK_WITHIN", 0.0)
    cable = Cable(tmp_path, Panel())
    with pytest.raises(UserError, match="does not answer"):
        panel_cli.flash(str(cable.path), Tools())
    cable.pull()
    assert capsys.readouterr().out.splitlines()[-1] == "starting"


@pytest.mark.parametrize(
    ("ports", "says"),
    [
        ([], "none is plugged in"),
        ([("/dev/ttyUSB0", 0x1A86)], "none is plugged in"),
        ([("/dev/ttyACM1", 0x2E8A), ("/dev/ttyACM0", 0x2E8A)], "name one of /dev/ttyACM0, /dev/ttyACM1"),
    ],
)
def test_no_port_and_not_one_board(ports: list[tuple[str, int]], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [SimpleNamespace(device=device, vid=vid) for device, vid in ports]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: found)
    with pytest.raises(UserError, match=says):
        panel_cli.only_panel()


def test_the_only_board_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [SimpleNamespace(device="/dev/ttyACM3", vid=0x2E8A), SimpleNamespace(device="/dev/ttyS0", vid=None)]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: found)
    assert panel_cli.only_panel() == "/dev/ttyACM3"
