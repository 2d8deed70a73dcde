"""A table.toml's table as a whole: fake lines of a chip, mock pins for the lamps, a reader on a pty; real time."""

import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from devices.fake_gpio import PI4, FakeGpio
from doubtable import real_table, tape
from doubtable.cli import main
from doubtable.config import load
from doubtable.devices.pins import KINDS
from doubtable.devices.reader_emulators import LiveEmulator, RdmEmulator
from doubtable.journal import Journal

MS = 1_000_000
LONGEST = 60.0  # s until a wait gives up
BUTTONS, LAMPS = {1: 2, 2: 3, 3: 4}, {1: 17, 2: 27, 3: 22}
CLUB_ACE = "0500207B32"


class Lines:
    """A stream that keeps what is written to it line by line, for another thread to wait for LONGEST at most."""

    def __init__(self) -> None:
        self.lines: queue.Queue[str] = queue.Queue()
        self.text = ""

    def write(self, text: str) -> int:
        *whole, self.text = (self.text + text).split("\n")
        for line in whole:
            self.lines.put(line)
        return len(text)

    def flush(self) -> None:
        pass

    def find(self, wanted: Callable[[str], bool]) -> str:
        """The next line that is wanted."""
        end = time.monotonic() + LONGEST
        while not wanted(line := self.lines.get(timeout=max(0.0, end - time.monotonic()))):
            pass
        return line

    def until(self, name: str) -> dict[str, Any]:
        """The next event of that name."""
        event: dict[str, Any] = json.loads(self.find(lambda line: json.loads(line)["event"] == name))
        return event


class Guests:
    """Fingers on the fake lines, eyes on the mock pins, from a thread of their own."""

    def __init__(self, gpio: FakeGpio, pins: MockFactory, events: Lines, reader: LiveEmulator) -> None:
        self.gpio, self.pins, self.events, self.reader = gpio, pins, events, reader
        self.failed: BaseException | None = None
        self.ready = ""  # what the program said when it was
        self.pause = threading.Event()

    def tap(self, seat: int) -> None:
        """A short press, some time after the last one: a busy machine may make it twenty times as long."""
        self.pause.wait(0.05)
        self._down(seat)
        self.pause.wait(0.06)
        self._up(seat)

    def hold(self, seat: int, until: str) -> dict[str, Any]:
        """A press that ends with the event ``until``, which it has brought about."""
        self.pause.wait(0.05)
        self._down(seat)
        event = self.events.until(until)
        self._up(seat)
        return event

    def _down(self, seat: int) -> None:
        """With a bounce."""
        now = time.monotonic_ns()
        for at, level in ((now, 1), (now + MS // 5, 0), (now + MS // 2, 1)):
            self.gpio.wires.edge(BUTTONS[seat], level, at)

    def _up(self, seat: int) -> None:
        self.gpio.wires.edge(BUTTONS[seat], 0, time.monotonic_ns())

    def lit(self, seat: int) -> bool:
        return bool(self.pins.pin(f"GPIO{LAMPS[seat]}").state)

    def see(self, seat: int) -> None:
        """Waits for a seat's lamp: events are told before the lamps switch."""
        end = time.monotonic() + LONGEST
        while not self.lit(seat):
            assert time.monotonic() < end, f"the lamp of seat {seat} stays dark"
            self.pause.wait(0.005)

    def run(self, play: Callable[["Guests"], None], said: Lines) -> threading.Thread:
        """Play as soon as the program has said that it is ready; SIGTERM when it is over, however it ended."""

        def all_of_it() -> None:
            try:
                self.ready = said.find(lambda line: line.startswith("doubtable: ready: "))
                play(self)
            except (AssertionError, queue.Empty, OSError) as error:
                self.failed = error
            finally:
                os.kill(os.getpid(), signal.SIGTERM)

        thread = threading.Thread(target=all_of_it)
        thread.start()
        return thread


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    factory = MockFactory()
    monkeypatch.setitem(KINDS, "lgpio", lambda pins: factory)
    yield factory
    factory.reset()


@pytest.fixture
def gpio(monkeypatch: pytest.MonkeyPatch) -> FakeGpio:
    fake = FakeGpio(PI4)
    monkeypatch.setattr("doubtable.devices.gpio.KernelGpio", lambda: fake)
    return fake


@pytest.fixture
def reader() -> Iterator[LiveEmulator]:
    emulator = LiveEmulator(RdmEmulator())
    emulator.start()
    yield emulator
    emulator.close()


@pytest.fixture
def config(tmp_path: Path, reader: LiveEmulator) -> Path:
    decks = tmp_path / "decks"
    decks.mkdir()
    (decks / "red.json").write_text(json.dumps({"name": "red", "cards": {CLUB_ACE: {"card": "AC"}}}))
    path = tmp_path / "table.toml"
    seats = "".join(f"[seats.{seat}]\nbutton = {BUTTONS[seat]}\nlamp = {LAMPS[seat]}\n" for seat in BUTTONS)
    path.write_text(
        f'state = "{tmp_path}"\n[buttons]\nsource = "gpio"\n[reader]\nkind = "rdm6300"\nport = "{reader.port}"\n'
        f'[screen]\ndriver = "none"\n[timing]\nhold_ms = 1500\nany_more_ms = 0\n{seats}'
    )
    return path


Evening = Callable[..., str]


@pytest.fixture
def evening(
    config: Path, gpio: FakeGpio, pins: MockFactory, reader: LiveEmulator, monkeypatch: pytest.MonkeyPatch
) -> Evening:
    """``evening(play, *more)``: a table with the options ``more``, at which the guests play. Returns what it said
    when it was ready; it ends when the guests do.
    """

    def played(play: Callable[[Guests], None], *more: str) -> str:
        events, said = Lines(), Lines()
        monkeypatch.setattr(sys, "stdout", events)
        monkeypatch.setattr(sys, "stderr", said)
        guests = Guests(gpio, pins, events, reader)
        thread = guests.run(play, said)
        status = main(["play", "--config", str(config), *more])
        thread.join()
        assert guests.failed is None, play
        assert status == 0
        assert not any(guests.lit(seat) for seat in LAMPS), "lamps are off"
        assert gpio.wires.closed, "lines are free"
        return guests.ready

    return played


def play_a_claim(guests: Guests) -> None:
    """Seat 1 claims one ace, seat 3 doubts, the ace is shown."""
    guests.events.until("deal")
    guests.tap(1)
    claim = guests.hold(1, "claim")
    assert (claim["seat"], claim["count"], claim["rank"]) == (1, 1, "A")
    guests.see(3)  # it may slap
    guests.tap(3)
    assert guests.events.until("doubt")["seat"] == 3
    guests.reader.put(CLUB_ACE)
    assert guests.events.until("tag")["card"] == "AC"
    verdict = guests.events.until("verdict")
    assert (verdict["true"], verdict["takes"]) == (True, 3)


def test_a_claim_from_the_lines_to_the_verdict(config: Path, evening: Evening) -> None:
    record = config.with_name("evening.jsonl")
    evening(play_a_claim, "--game", "classic", "--record", str(record))
    written = tape.load(record)
    names = [each.name for each in tape.replay(written, tape.table_of(written))]
    assert names.count("verdict") == 1


def test_a_deck_that_is_not_in_play_is_known_by_name_and_a_damaged_one_keeps_no_table_from_playing(
    config: Path, caplog: pytest.LogCaptureFixture
) -> None:
    loaded, retired = load(config), config.parent / "decks" / "retired"
    assert real_table.strangers(loaded) == {}
    retired.mkdir()
    (retired / "blue.json").write_text('{"name": "blue", "cards": {"0500207B33": {"card": "AC"}}}')
    assert real_table.strangers(loaded) == {"0500207B33": "blue"}
    (retired / "blue.json").write_text("{")
    assert real_table.strangers(loaded) == {}
    assert "blue.json" in caplog.text


def test_without_a_game_the_table_is_in_the_lobby(evening: Evening) -> None:
    def sit_down(guests: Guests) -> None:
        assert guests.events.until("lobby")["seated"] == []
        guests.tap(2)
        assert guests.events.until("sit")["seat"] == 2

    evening(sit_down)


def test_at_closing_time_the_bell_rings(config: Path, evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    def hear_it(guests: Guests) -> None:
        guests.events.until("deal")
        guests.events.until("closed")
        guests.events.until("last_round")

    config.write_text(f'closing = "23:30"\n{config.read_text()}')
    monkeypatch.setattr(real_table, "local_minute", lambda is_set: 23 * 60 + 30)
    evening(hear_it, "--game", "classic")


def test_a_table_that_was_ended_goes_on_where_it_was(evening: Evening) -> None:
    def claim(guests: Guests) -> None:
        guests.events.until("deal")
        guests.tap(1)
        guests.hold(1, "claim")

    def go_on(guests: Guests) -> None:
        again = guests.hold(2, "window")  # GO ON: somebody holds a button
        assert (again["state"], again["again"]) == ("open", True)
        guests.tap(3)
        assert guests.events.until("doubt")["of"] == 1

    for play in (claim, go_on):
        ready = evening(play, "--game", "classic")
        assert ("stands as it was left" in ready) == (play is go_on)


def test_a_table_whose_journal_cannot_be_written_plays_and_says_so_in_one_line(
    config: Path, evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    config.with_name("file").write_text("")
    config.write_text(config.read_text() + f'[journal]\npath = "{config.parent}/file/journal.db"\n')
    evening(play_a_claim, "--game", "classic")
    said = [each.message for each in caplog.records if each.name.startswith("doubtable")]
    assert len(said) == 1
    assert said[0].startswith(f"nothing is saved: {config.parent}/file: the journal's folder cannot be made")


def test_a_second_table_on_one_journal_is_refused_with_the_pid_of_the_first(
    config: Path, gpio: FakeGpio, pins: MockFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    first = Journal(config.with_name("journal.db"))
    assert main(["play", "--config", str(config)]) == 1
    first.close()
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"process {os.getpid()} writes it already; stop that table first" in said
    assert "path under [journal]" in said
    assert "XDG_STATE_HOME" in said
    assert gpio.requests == [], "nothing half started"


def test_an_evening_from_the_lobby_is_no_tape(config: Path, gpio: FakeGpio, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--config", str(config), "--record", str(config.with_name("a.jsonl"))]) == 2
    assert "--game" in capsys.readouterr().err
    assert not config.with_name("a.jsonl").exists()


def test_a_chip_that_is_not_there_is_one_line(
    config: Path, gpio: FakeGpio, pins: MockFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    gpio.plugged = []
    assert main(["play", "--config", str(config)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "no GPIO chip" in said.err


def test_a_line_that_is_held_names_its_holder(
    config: Path, gpio: FakeGpio, pins: MockFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    gpio.held = {BUTTONS[2]: "fan"}
    assert main(["play", "--config", str(config)]) == 1
    assert '"fan"' in capsys.readouterr().err
