import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from devices.fake_gpio import PI4, FakeGpio
from devices.panel_bench import LINES, Bench, Served
from doubtable.button_sources import ButtonSources
from doubtable.devices import panel, panel_protocol
from doubtable.devices.gpio import GpioButtons
from doubtable.devices.panel import PanelButtons, PanelLamps
from doubtable.devices.ports import DeviceError
from doubtable.inputs import Input, Levels

LONGEST = 60.0  # s until a wait gives up

pytestmark = pytest.mark.usefixtures("short_turns")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def test_levels_then_edges(bench: Bench) -> None:
    bench.connect()
    assert isinstance(bench.got[0], Levels)
    bench.panel.press(4, 2)
    bench.until_edges(2)
    assert [(edge.seat, edge.level, edge.seq) for edge in bench.edges] == [(3, 1, 1), (5, 1, 2)]
    assert bench.buttons.fault is None
    assert bench.buttons.warning == ""
    assert bench.buttons.uncertainty == 1000
    assert bench.clock() - bench.buttons.drained_to() < 50_000_000


def test_levels_on_demand(bench: Bench) -> None:
    bench.connect()
    bench.panel.press(0)
    bench.until_edges(1)
    bench.buttons.read_levels()
    bench.until(lambda: isinstance(bench.got[-1], Levels))
    assert isinstance(bench.got[-1], Levels)
    assert bench.got[-1].levels[1] == 1


def test_lamps(bench: Bench) -> None:
    bench.connect()
    lamps = PanelLamps(bench.buttons, {1: 0, 2: 1, 13: 15})
    lamps.start()
    lamps.show({1: True, 13: True, 7: True})
    bench.until_lit(0x8001)
    lamps.show({13: False, 2: True})
    bench.until_lit(0x0003)
    assert lamps.fault is None
    lamps.close()
    bench.until_lit(0)


def test_replug_under_another_name(bench: Bench) -> None:
    bench.connect()
    lamps = PanelLamps(bench.buttons, LINES)
    lamps.show({3: True})
    bench.panel.press(0)
    bench.until_edges(1)
    bench.cable.pull()
    bench.until(lambda: bench.sources == [False])
    assert bench.buttons.fault is not None
    assert lamps.fault is not None
    bench.panel.press(1)
    lamps.show({4: True})
    for _ in range(1200):
        bench.step()
    assert "is not there" in str(bench.buttons.fault)
    bench.cable.plug()
    bench.until(lambda: bench.sources == [False, True])
    bench.until_edges(2)
    assert [(edge.seat, edge.seq) for edge in bench.edges] == [(1, 1), (2, 2)]
    bench.until_lit(0b1100)
    assert bench.buttons.fault is None


def test_a_lost_port_is_tried_at_most_twice_a_second(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.connect()
    tries = []

    def counted(path: str) -> serial.Serial:
        tries.append(bench.clock())
        return serial.Serial(path)

    monkeypatch.setattr(panel, "open_port", counted)
    bench.cable.pull()
    for _ in range(3000):
        bench.step()
    assert 4 <= len(tries) <= 6


def test_a_port_that_is_not_there(tmp_path: Path) -> None:
    buttons = PanelButtons(tmp_path / "nothing", LINES, list[Input]().append)
    with pytest.raises(DeviceError, match="is not there; plug the panel in"):
        buttons.start()
    buttons.close()


def test_a_path_that_is_no_serial_port(tmp_path: Path) -> None:
    for path, why in ((tmp_path, "is a directory"), (Path("/dev/null"), "it is no serial port")):
        expected = rf"cannot be used \({why}\); name the panel's port: ls /dev/serial/by-id$"
        with pytest.raises(DeviceError, match=expected):
            PanelButtons(path, LINES, list[Input]().append).start()


def test_a_port_that_another_program_has(bench: Bench) -> None:
    with (
        serial.Serial(str(bench.cable.path), exclusive=True),
        pytest.raises(DeviceError, match="is in use by another program; end that program"),
    ):
        bench.buttons.start()


def test_a_port_that_is_silent(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel, "START_WITHIN", 0.05)
    with pytest.raises(DeviceError, match="does not answer"):
        bench.buttons.start()
    assert bench.got == []


def test_old_firmware(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel, "START_WITHIN", 1.0)
    bench.cable.write(b"\x00")
    answer = panel_protocol.frame(0x81, bytes([0, 0, 9, 0]) + bytes(19))
    opened = panel.open_port

    def then_answer(path: str) -> serial.Serial:
        port = opened(path)
        bench.cable.write(answer)
        return port

    monkeypatch.setattr(panel, "open_port", then_answer)
    with pytest.raises(DeviceError, match=r"has firmware 0.9.0.*; run: doubtable panel flash$"):
        bench.buttons.start()


def test_lost_edges_are_a_warning(bench: Bench) -> None:
    bench.connect()
    bench.panel.outbox.skip(3)
    bench.until(lambda: bench.buttons.warning != "")
    assert bench.buttons.warning.endswith("lost 3 edges so far")


def test_with_its_own_thread_it_starts_and_closes_twice(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    got: list[Input] = []
    buttons = PanelButtons(served.cable.path, LINES, got.append)
    pause = threading.Event()

    def until_lit(wanted: int) -> None:
        end = time.monotonic() + LONGEST
        while served.panel.link.lamps != wanted:  # the panel's own state: it tells nobody
            assert time.monotonic() < end
            pause.wait(0.001)

    buttons.start()
    buttons.start()
    lamps = PanelLamps(buttons, LINES)
    lamps.show({1: True})
    until_lit(1)
    lamps.close()
    buttons.close()
    buttons.close()
    until_lit(0)
    assert isinstance(got[0], Levels)
    buttons.read_levels()
    assert len(got) == 1
    assert caplog.messages == []  # a panel that starts as it should is not "back"


def test_a_mixed_table(tmp_path: Path) -> None:
    """Two seats on the header, two on the panel: both are stamped on the table's one clock."""
    bench = Bench(tmp_path, {2: 0, 4: 12}, mixed=True)
    gpio = FakeGpio(PI4)
    header = GpioButtons({1: 17, 3: 27}, bench.got.append, labels=[PI4.label], gpio=gpio, clock=bench.clock)
    both = ButtonSources([bench.buttons, header], bench.got.append, bench.clock)
    try:
        header.open()
        bench.connect()
        bench.until(lambda: bench.clock() - both.drained_to() < 50_000_000)
        true = []
        for seat in (4, 3, 2):
            true.append(bench.clock())
            if seat == 3:
                gpio.wires.edge(27, 1, bench.clock())
                header.step(0)
            else:
                bench.panel.press({4: 12, 2: 0}[seat])
            for _ in range(5):
                bench.step()
        bench.until_edges(3)
        ordered = sorted(bench.edges, key=lambda edge: edge.ns)
        assert [(edge.seat, edge.source) for edge in ordered] == [(4, "panel"), (3, "gpio"), (2, "panel")]
        assert [edge.seq for edge in ordered] == [1, 1, 2]
        wrong = [
            (edge, ns - edge.ns) for edge, ns in zip(ordered, true, strict=True) if abs(edge.ns - ns) > edge.uncertainty
        ]
        assert not wrong
        assert bench.sources == []
        bench.cable.pull()
        bench.until(lambda: bench.sources == [False])
        now = bench.clock()
        gpio.wires.edge(17, 1, now)
        header.step(0)
        assert bench.edges[-1].seat == 1
        assert now - both.drained_to() <= 1_000_000  # the lost panel does not stop the table's time
    finally:
        both.close()
        bench.close()
