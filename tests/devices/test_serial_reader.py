"""The reader's port: what is read is delivered, and a reader that vanishes is found again under its stable path."""

import os
import select
import termios
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import serial

from devices.reader_bench import Cable, Clock, Inbox, open_things
from doubtable.devices.pn532_emulator import Pn532Emulator
from doubtable.devices.ports import CardReader
from doubtable.devices.reader_emulators import RdmEmulator, VirtualReader, em4100_frame
from doubtable.devices.serial_reader import ReaderPort, SerialReader
from doubtable.readers import READERS
from doubtable.timing import MS, S

CYCLES = 1000 if os.environ.get("DOUBTABLE_LONG") else 50
A = "0500207B32"
RDM6300 = READERS["rdm6300"]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    made = Cable(tmp_path)
    yield made
    made.pull()


@pytest.fixture
def inbox() -> Inbox:
    return Inbox(RDM6300)


def pass_time(port: ReaderPort, clock: Clock, until: int) -> None:
    """Step the port every 10 ms of virtual time."""
    while clock.ns < until:
        clock.ns += 10 * MS
        port.step()


def read_until(port: ReaderPort, inbox: Inbox, data: bytes) -> None:
    """Step the port until the pty has handed over all of ``data``."""
    while not inbox.data.endswith(data):
        assert port.descriptor is not None
        assert select.select([port.descriptor], [], [], 60)[0], (
            f"{data.hex(' ')} does not arrive: {inbox.data.hex(' ')}"
        )
        port.step()


def ends_with(inbox: Inbox, data: bytes) -> bool:
    return inbox.data.endswith(data)


class Ports(serial.Serial):
    """pyserial's port that also keeps a record, and fails when told to."""

    opened: list[str] = []
    at_once = 0
    fails: list[Exception] = []

    def open(self) -> None:
        assert Ports.at_once == 0, "opened while the old descriptor was open"
        Ports.opened.append(str(self.port))
        super().open()
        Ports.at_once += 1

    def close(self) -> None:
        Ports.at_once -= self.is_open
        super().close()

    @property
    def in_waiting(self) -> int:
        if Ports.fails:
            raise Ports.fails.pop()
        return super().in_waiting


@pytest.fixture
def ports(monkeypatch: pytest.MonkeyPatch) -> type[Ports]:
    Ports.opened, Ports.at_once, Ports.fails = [], 0, []
    monkeypatch.setattr(serial, "Serial", Ports)
    return Ports


GONE = [
    pytest.param(serial.SerialException("device reports readiness to read but returned no data"), id="SerialException"),
    pytest.param(OSError(5, "Input/output error"), id="OSError"),
    pytest.param(termios.error(5, "Input/output error"), id="termios.error"),
]


@pytest.mark.parametrize("error", GONE)
def test_each_way_to_fail_means_lost_and_the_reader_is_found_again_after_three_seconds(
    error: Exception, ports: type[Ports], cable: Cable, clock: Clock, inbox: Inbox
) -> None:
    cable.plug(RdmEmulator())
    port = ReaderPort(RDM6300, cable.path, inbox, clock)
    pass_time(port, clock, 10 * S)
    ports.fails.append(error)
    cable.path.rename(cable.path.with_name("away"))
    pass_time(port, clock, 13 * S)
    assert inbox.ups == [(10 * MS, True), (10 * S + 10 * MS, False)]
    assert "plug the reader in" in str(port.fault)
    cable.path.with_name("away").rename(cable.path)
    pass_time(port, clock, 14 * S)
    assert len(ports.opened) <= 1 + 8
    assert inbox.ups[2:] == [(inbox.ups[2][0], True)]
    assert inbox.ups[2][0] <= 13 * S + 500 * MS
    assert cable.emulator is not None
    frame = bytes.fromhex("02 30 35 30 30 32 30 37 42 33 32 36 43 0D 0A 03")
    cable.emulator.wire.send(0, frame)
    cable.emulator.step(clock.ns)
    read_until(port, inbox, frame)
    assert inbox.arrivals() == [A]
    assert port.fault is None
    port.close()


def test_a_reader_that_comes_back_under_another_name_is_opened_by_its_stable_path(
    ports: type[Ports], cable: Cable, clock: Clock, inbox: Inbox
) -> None:
    first, second = RdmEmulator(), RdmEmulator()
    assert first.port != second.port
    cable.plug(first)
    port = ReaderPort(RDM6300, cable.path, inbox, clock)
    pass_time(port, clock, 1 * S)
    cable.pull()
    pass_time(port, clock, 4 * S)
    assert ports.at_once == 0
    cable.plug(second)
    pass_time(port, clock, 5 * S)
    second.put(A)
    second.step(clock.ns)
    second.step(clock.ns + 20 * MS)
    read_until(port, inbox, em4100_frame(A))
    assert set(ports.opened) == {str(cable.path)}
    assert [up for _, up in inbox.ups] == [True, False, True]
    assert inbox.arrivals() == [A]
    port.close()


def test_a_port_that_is_missing_at_start_is_absent_and_taken_when_it_comes(
    cable: Cable, clock: Clock, inbox: Inbox
) -> None:
    port = ReaderPort(RDM6300, cable.path, inbox, clock)
    pass_time(port, clock, 6 * S)
    assert inbox.ups == [(10 * MS, False)]
    assert str(port.fault) == f"{cable.path}: no such file or directory; {port.fault and port.fault.way_out}"
    cable.plug(RdmEmulator())
    pass_time(port, clock, 7 * S)
    assert inbox.ups[1:] == [(inbox.ups[1][0], True)]
    port.close()


def test_a_flapping_reader_is_opened_at_most_twice_a_second(
    ports: type[Ports], cable: Cable, clock: Clock, inbox: Inbox
) -> None:
    cable.plug(RdmEmulator())
    port = ReaderPort(RDM6300, cable.path, inbox, clock)
    while clock.ns < 10 * S:
        ports.fails = [OSError(5, "Input/output error")]
        pass_time(port, clock, clock.ns + 10 * MS)
    assert len(ports.opened) == 20
    port.close()


def test_a_port_that_another_program_has_open_is_said_so(cable: Cable, clock: Clock, inbox: Inbox) -> None:
    emulator = RdmEmulator()
    cable.plug(emulator)
    with serial.Serial(emulator.port, exclusive=True):
        port = ReaderPort(RDM6300, cable.path, inbox, clock)
        port.step()
        assert "another program has it open" in str(port.fault)
    pass_time(port, clock, 1 * S)
    assert port.fault is None
    port.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything: run as a normal user")
def test_a_port_without_permission_names_the_group(tmp_path: Path, clock: Clock, inbox: Inbox) -> None:
    path = tmp_path / "tty"
    path.touch(mode=0)
    port = ReaderPort(RDM6300, path, inbox, clock)
    port.step()
    assert "group dialout" in str(port.fault)


def test_a_path_that_is_no_serial_port_is_a_fault_and_no_crash(tmp_path: Path, clock: Clock, inbox: Inbox) -> None:
    before = open_things()
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    refused = {
        tmp_path / "file": "it is no serial port",
        Path("/dev/null"): "it is no serial port",
        tmp_path: "is a directory",
        tmp_path / "file" / "tty": "not a directory",
        tmp_path / "loop": "too many levels of symbolic links",
        tmp_path / ("x" * 300): "file name too long",
    }
    for path, why in refused.items():
        port = ReaderPort(RDM6300, path, inbox, clock)
        port.step()
        assert str(port.fault) == f"{path}: {why}; name the reader's port: ls -l /dev/serial/by-id"
    assert open_things() == before


def test_a_pn532_that_is_pulled_and_plugged_is_set_up_again(cable: Cable) -> None:
    inbox = Inbox(READERS["pn532"])
    for uid in ("FB0EE20B", "04A1B2C3D4E580"):
        table = VirtualReader(READERS["pn532"], Pn532Emulator(), inbox)
        table.advance(300 * MS)
        table.put(uid)
        table.advance(600 * MS)
        table.emulator.close()
        table.advance(700 * MS)
        assert inbox.ups[-1][1] is False
        assert table.port.descriptor is None
        table.close()
    assert inbox.arrivals() == ["FB0EE20B", "04A1B2C3D4E580"]


def test_pulled_and_plugged_again_and_again_under_other_names_nothing_leaks_and_no_card_is_lost(
    cable: Cable, clock: Clock, inbox: Inbox
) -> None:
    before = open_things()
    reader = SerialReader(RDM6300, cable.path, inbox, clock)
    reader.start()
    running = open_things()
    shown = []
    for n in range(CYCLES):
        emulator = RdmEmulator()
        cable.plug(emulator)
        clock.ns += 500 * MS
        inbox.wait_for(lambda: inbox.ups[-1:] != [] and inbox.ups[-1][1])
        tag = f"05002{n:05X}"
        shown.append(tag)
        emulator.put(tag)
        emulator.step(clock.ns)
        emulator.step(clock.ns + 20 * MS)
        inbox.wait_for(partial(ends_with, inbox, em4100_frame(tag)))
        cable.pull()
        inbox.wait_for(lambda: inbox.ups[-1][1] is False)
    assert open_things() == running
    assert inbox.arrivals() == shown
    assert inbox.data == b"".join(em4100_frame(tag) for tag in shown)
    reader.close()
    reader.close()
    assert open_things() == before


def test_a_reader_that_was_never_started_closes_and_a_closed_one_does_not_start(cable: Cable, inbox: Inbox) -> None:
    before = open_things()
    reader = SerialReader(RDM6300, cable.path, inbox)
    reader.close()
    with pytest.raises(RuntimeError, match="closed"):
        reader.start()
    assert open_things() == before


def test_starting_twice_is_starting_once(cable: Cable, inbox: Inbox) -> None:
    cable.plug(RdmEmulator())
    before = open_things()
    reader = SerialReader(RDM6300, cable.path, inbox)
    wanted: CardReader = reader
    wanted.start()
    reader.start()
    inbox.wait_for(lambda: inbox.ups != [])
    assert reader.fault is None
    assert reader.firmware is None
    reader.close()
    assert open_things() == before
