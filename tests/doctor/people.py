"""A person in virtual time who does what they are told to, and the wire of a running table."""

from collections.abc import Callable
from pathlib import Path

import pytest

from devices.fake_gpio import FakeClock
from doctor.machines import FakeMachine
from doubtable import __version__, tape
from doubtable.desk import DeviceReport, Report
from doubtable.doctor import SECTIONS, Case, Finding, Machine, Nobody, Person, Running
from doubtable.inputs import Edge, Input, Levels, Serial
from doubtable.timing import MS

MINUTE = 60_000 * MS


class Somebody:
    """``script``: a piece of what the doctor says -> what they do then (it may return what they type)."""

    there = True

    def __init__(self, clock: FakeClock, script: dict[str, Callable[[], str | None]]) -> None:
        self.clock = clock
        self.said: list[str] = []
        self._script = script
        self._typed: list[str] = []

    def say(self, line: str) -> None:
        self.said.append(line)
        for piece, act in self._script.items():
            if piece in line:
                typed = act()
                self._typed += [] if typed is None else [typed]

    def wait(self, ns: int) -> str | None:
        if self._typed:
            return self._typed.pop(0)
        self.clock.ns += ns
        return None


class Fingers:
    """Edges at a running table, as its desk tells of them, and bytes of its reader."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.lines: list[str] = []

    def give(self, given: Input) -> None:
        self.lines.append(tape.input_line(given))

    def levels(self, *down: int, seats: int = 3) -> None:
        self.give(Levels(self.clock.ns, {seat: int(seat in down) for seat in range(1, seats + 1)}))

    def edges(self, seat: int, *gaps_us: int) -> None:
        """Edges of a seat that was up, so many us after another; time goes on to the last."""
        for number, gap in enumerate(gaps_us):
            self.clock.ns += gap * 1000
            self.give(Edge(self.clock.ns, seat, 1 - number % 2))

    def press(self, seat: int, bounce_us: int = 0) -> None:
        """A whole press, its contact closing for good after ``bounce_us``."""
        first = (1, bounce_us // 2, bounce_us - bounce_us // 2) if bounce_us else (1,)
        self.edges(seat, 20_000, *first[1:], 90_000)
        self.clock.pass_ms(20)

    def serial(self, data: bytes) -> None:
        self.give(Serial(self.clock.ns, data))

    def ask(self, since: int) -> tuple[int, list[str]]:
        return len(self.lines), self.lines[since:]

    def running(self, *devices: DeviceReport) -> Running:
        return Running(self.ask, Report(__version__, 77, "/var/lib/doubtable", devices=devices))


def examined(
    folder: Path, table: str, section: str, clock: FakeClock, person: Person | None, running: Running | None
) -> list[Finding]:
    """The findings of one section in virtual time; without a person nobody is there."""
    machine = FakeMachine(folder, {}, {})
    nobody = Nobody(lambda seconds: clock.pass_ms(round(seconds * 1000)))
    case = Case(machine.config(table), Machine(machine.root, {}), person or nobody, running, clock)
    return list(SECTIONS[section](case))


def states(findings: list[Finding]) -> list[tuple[str, str]]:
    """(about, state) of each."""
    return [(each.about, each.state) for each in findings]


def fast(monkeypatch: pytest.MonkeyPatch, module: object, **ns: int) -> None:
    """Shorter waits where time is real."""
    for name, value in ns.items():
        monkeypatch.setattr(module, name, value)
