"""The case before the doctor: which table, on which machine, whether it runs, and who is there to press and look."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol, TextIO

from doubtable.config import Config
from doubtable.desk import Report
from doubtable.devices.ports import Clock, monotonic_clock
from doubtable.devices.waiting import readable
from doubtable.doctor.machine import Machine
from doubtable.timing import S

HEADER = ("gpio", "gpiozero")  # sources that hang on the Pi's own header


class Person(Protocol):
    """Somebody who presses, looks and answers; or nobody."""

    @property
    def there(self) -> bool:
        """Whether somebody can be asked."""

    def say(self, line: str) -> None:
        """Tell them something."""

    def wait(self, ns: int) -> str | None:
        """What they typed and ended with Enter, within ``ns``; None: nothing."""


class Nobody:
    """No person: a program asks, or there is no terminal. Waiting is waiting."""

    there = False

    def __init__(self, sleep: Callable[[float], object]) -> None:
        self._sleep = sleep

    def say(self, line: str) -> None:
        """Nobody listens."""

    def wait(self, ns: int) -> str | None:
        self._sleep(ns / S)
        return None


class Terminal:
    """A person at a terminal. A keyboard that ends (Ctrl-D) is an Enter to everything that follows."""

    there = True

    def __init__(self, keys: int, out: TextIO) -> None:
        self._keys = keys  # descriptor
        self._out = out
        self._typed = b""
        self._ended = False

    def say(self, line: str) -> None:
        self._out.write(f"  {line}\n")
        self._out.flush()

    def wait(self, ns: int) -> str | None:
        if b"\n" not in self._typed and not self._ended and readable([self._keys], ns / S):
            data = os.read(self._keys, 4096)
            self._typed += data
            self._ended = not data
        if b"\n" not in self._typed:
            return "" if self._ended else None
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode("utf-8", "replace").strip()


class Running(NamedTuple):
    """The table that runs: where it can be asked, and what it said. ``report`` None: this user may not ask it."""

    ask: Callable[[int], tuple[int, list[str]]]
    report: Report | None


class Case(NamedTuple):
    """One examination. ``running`` None: no table runs, its devices can be opened."""

    config: Config
    machine: Machine
    person: Person
    running: Running | None = None
    clock: Clock = monotonic_clock

    @property
    def state(self) -> Path:
        """The state directory, below the machine's root; a table that runs says which one it has."""
        report = self.running.report if self.running is not None else None
        return self.machine.path(self.config.state if report is None else report.state)

    @property
    def on_header(self) -> bool:
        """Whether a seat hangs on the Pi's own lines."""
        return any(source in HEADER for source in self.config.sources)

    @property
    def all_simulated(self) -> bool:
        """Whether no seat has hardware."""
        return self.config.sources == ("simulated",)


def person_here() -> Person | None:
    """Whoever sits at the terminal; None when there is none."""
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        return Terminal(sys.stdin.fileno(), sys.stdout)
    return None
