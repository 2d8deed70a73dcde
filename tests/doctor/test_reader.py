"""The reader: what it is, whether it reads, from how far; through emulators on a pty, and through a running table."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from decks.deck_bench import tag, whole
from devices.fake_gpio import FakeClock
from doctor.machines import GPIO, READER, FakeMachine
from doctor.people import Fingers, Somebody, examined, fast, states
from doubtable import decks
from doubtable.desk import DeviceReport
from doubtable.devices.pn532_emulator import Pn532Emulator
from doubtable.devices.reader_emulators import Emulator, LiveEmulator, RdmEmulator, em4100_frame
from doubtable.doctor import Case, Finding, Machine, Nobody, Person, reader
from doubtable.timing import MS

TABLE = READER + GPIO
WORKS = DeviceReport("reader", facts={"kind": "rdm6300", "port": "/dev/serial0"})


class Bench:
    """An emulated reader behind /dev/serial0 of a fake machine, in real time with short waits."""

    def __init__(self, folder: Path, emulator: Emulator) -> None:
        self.live = LiveEmulator(emulator)
        self.machine = FakeMachine(folder, {"/dev/ttyS0": None}, {})
        (self.machine.root / "dev/serial0").unlink(missing_ok=True)
        (self.machine.root / "dev/serial0").symlink_to(self.live.port)
        self.live.start()

    def examine(self, table: str = TABLE, person: Person | None = None) -> list[Finding]:
        nobody = Nobody(threading.Event().wait)
        case = Case(self.machine.config(table), Machine(self.machine.root, {}), person or nobody)
        return list(reader.reader(case))

    def close(self) -> None:
        self.live.close()


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Emulator], Bench]]:
    fast(monkeypatch, reader, TURN=20 * MS, ANSWERED_WITHIN=300 * MS, SHOWN_WITHIN=5000 * MS, MEASURED=200 * MS)
    made: list[Bench] = []

    def make(emulator: Emulator) -> Bench:
        made.append(Bench(tmp_path, emulator))
        return made[-1]

    yield make
    for each in made:
        each.close()


PN532 = TABLE.replace("rdm6300", "pn532")


class Hand:
    """A person in real time. ``script``: a piece of what is said -> what they do and type."""

    there = True

    def __init__(self, script: dict[str, Callable[[], str | None]]) -> None:
        self._script = script
        self._typed: list[str] = []
        self._pause = threading.Event()

    def say(self, line: str) -> None:
        for piece, act in self._script.items():
            if piece in line:
                typed = act()
                self._typed += [] if typed is None else [typed]

    def wait(self, ns: int) -> str | None:
        if self._typed:
            return self._typed.pop(0)
        self._pause.wait(ns / 1e9)
        return None


def test_a_silent_kind_is_unknown_until_a_card_is_shown(bench: Callable[[Emulator], Bench]) -> None:
    (found,) = bench(RdmEmulator()).examine()
    assert found.state == "unknown"
    assert "silent until a card lies on it" in found.what


def test_a_card_that_lies_there_is_named(bench: Callable[[Emulator], Bench], monkeypatch: pytest.MonkeyPatch) -> None:
    fast(monkeypatch, reader, ANSWERED_WITHIN=1500 * MS)
    made = bench(RdmEmulator())
    decks.save(made.machine.state, whole("red"))
    made.live.put(tag(2))
    (found,) = made.examine()
    assert (found.state, found.about) == ("ok", "rdm6300 at /dev/serial0")
    assert f"tag {tag(2)}, KS of deck red," in found.what


def test_rubbish_is_a_fault(bench: Callable[[Emulator], Bench], monkeypatch: pytest.MonkeyPatch) -> None:
    fast(monkeypatch, reader, ANSWERED_WITHIN=1500 * MS)
    emulator = RdmEmulator()
    emulator.wrong_baud = True
    made = bench(emulator)
    made.live.put(tag(1))
    (found,) = made.examine()
    assert found.state == "fault"
    assert "bytes came, and no card among them" in found.what
    assert "level" in found.todo


def test_a_clone_whose_frames_the_table_does_not_take_is_named(bench: Callable[[Emulator], Bench]) -> None:
    made = bench(RdmEmulator("clone"))
    strict = TABLE.replace('kind = "rdm6300"', 'kind = "rdm6300"\nraw_checksum = false')
    found = made.examine(strict, Hand({"Lay a card": lambda: made.live.put(tag(1))}))
    assert states(found)[-1] == ("a card", "fault")
    assert "this is a clone" in found[-1].what
    assert "raw_checksum" in found[-1].todo


def test_a_pn532_says_its_firmware(bench: Callable[[Emulator], Bench], monkeypatch: pytest.MonkeyPatch) -> None:
    fast(monkeypatch, reader, ANSWERED_WITHIN=5000 * MS)
    (found,) = bench(Pn532Emulator()).examine(PN532)
    assert found.state == "ok"
    assert "PN532" in found.what
    assert "1.6" in found.what


def test_a_pn532_that_does_not_answer(bench: Callable[[Emulator], Bench], monkeypatch: pytest.MonkeyPatch) -> None:
    fast(monkeypatch, reader, ANSWERED_WITHIN=1500 * MS)  # three tries of 100 ms, and a busy machine
    emulator = Pn532Emulator()
    emulator.mute = True
    (found,) = bench(emulator).examine(PN532)
    assert found.state == "fault"
    assert "the port is open but no reader answers" in found.what


def test_a_port_that_another_program_has(bench: Callable[[Emulator], Bench]) -> None:
    made = bench(RdmEmulator())
    other = serial.Serial(made.live.port, exclusive=True)
    (found,) = made.examine()
    other.close()
    assert found.state == "fault"
    assert "another program has it open" in found.todo


def test_card_and_range(bench: Callable[[Emulator], Bench]) -> None:
    made = bench(RdmEmulator())

    def lay() -> None:
        made.live.put(tag(1))

    found = made.examine(person=Hand({"Lay a card": lay, "2 cm": lambda: ""}))
    assert states(found) == [("rdm6300 at /dev/serial0", "ok"), ("a card", "ok"), ("range", "ok")]


def test_out_of_range(bench: Callable[[Emulator], Bench]) -> None:
    made = bench(RdmEmulator())

    def lift() -> str:
        made.live.lift()
        threading.Event().wait(0.45)
        return ""

    found = made.examine(person=Hand({"Lay a card": lambda: made.live.put(tag(1)), "2 cm": lift}))
    assert states(found)[-1] == ("range", "warning")
    assert "not at 2 cm" in found[-1].what


def test_range_that_nobody_tried(bench: Callable[[Emulator], Bench], monkeypatch: pytest.MonkeyPatch) -> None:
    fast(monkeypatch, reader, SHOWN_WITHIN=800 * MS)
    made = bench(RdmEmulator())
    found = made.examine(person=Hand({"Lay a card": lambda: made.live.put(tag(1))}))
    assert states(found)[-1] == ("range", "unknown")


def test_no_card_is_read(bench: Callable[[Emulator], Bench], monkeypatch: pytest.MonkeyPatch) -> None:
    fast(monkeypatch, reader, SHOWN_WITHIN=800 * MS)
    found = bench(RdmEmulator()).examine(person=Hand({}))
    assert states(found)[-1] == ("a card", "fault")
    assert "ISO 15693" in found[-1].todo


def test_no_card_is_shown(bench: Callable[[Emulator], Bench]) -> None:
    found = bench(RdmEmulator()).examine(person=Hand({"Lay a card": lambda: ""}))
    assert states(found)[-1] == ("a card", "unknown")


def test_the_port_is_let_go(bench: Callable[[Emulator], Bench]) -> None:
    before = sorted(thread.name for thread in threading.enumerate()), len(list(Path("/dev/fd").iterdir()))
    made = bench(RdmEmulator())
    made.examine()
    made.close()
    assert (sorted(thread.name for thread in threading.enumerate()), len(list(Path("/dev/fd").iterdir()))) == before


# A running table, in virtual time ---------------------------------------------------------------------------------


def test_a_running_table_is_asked_and_its_reader_read(tmp_path: Path) -> None:
    clock = FakeClock()
    fingers = Fingers(clock)
    fingers.serial(em4100_frame(tag(9)))  # of before

    def lay() -> None:
        clock.pass_ms(700)
        fingers.serial(em4100_frame(tag(1)))

    person = Somebody(clock, {"Lay a card": lay, "2 cm": lambda: ""})
    found = examined(tmp_path, TABLE, "reader", clock, person, fingers.running(WORKS))
    assert states(found) == [("", "ok"), ("a card", "ok"), ("range", "warning")]
    assert "kind rdm6300, port /dev/serial0" in found[0].what
    assert tag(1) in found[1].what


def test_a_running_table_without_a_person(tmp_path: Path) -> None:
    clock = FakeClock()
    fingers = Fingers(clock)
    (found,) = examined(tmp_path, TABLE, "reader", clock, None, fingers.running(WORKS))
    assert found.state == "ok"
    gone = DeviceReport("reader", "/dev/serial0: No such file or directory; plug the reader in")
    (found,) = examined(tmp_path / "b", TABLE, "reader", clock, None, fingers.running(gone))
    assert (found.state, found.todo) == ("fault", "plug the reader in")


def test_a_running_table_that_ends_meanwhile(tmp_path: Path) -> None:
    def gone(since: int) -> tuple[int, list[str]]:
        raise FileNotFoundError(2, "No such file or directory")

    clock = FakeClock()
    running = Fingers(clock).running(WORKS)._replace(ask=gone)
    found = examined(tmp_path, TABLE, "reader", clock, Somebody(clock, {}), running)
    assert [each.state for each in found] == ["ok", "fault"]
