"""What the program works with: the effective configuration, frozen. Times are ns."""

from __future__ import annotations

from datetime import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from doubtable.config.pins import PI_CHIPS
from doubtable.config.problem import Problem
from doubtable.timing import Timing

if TYPE_CHECKING:  # written.py imports pydantic, which whoever only names a Config does not need
    from doubtable.config.written import Attendant, Buttons, Lamps, Panel, Reader, Screen, Sound


class Seat(msgspec.Struct, frozen=True):
    """A seat as the table has it. ``button`` and ``lamp`` are lines of ``source``; None where nothing is wired."""

    number: int
    name: str | None
    source: str
    button: int | None
    lamp: int | None
    hold: int  # ns
    ignore_repeats: bool = False
    no_hold: bool = False


class Setting(msgspec.Struct, frozen=True):
    """One effective value for people to read: its key path, its text, and where it comes from."""

    key: str
    value: str
    origin: str


class Config(msgspec.Struct, frozen=True):
    """The effective configuration: defaults, plan, table.toml, then what was changed at the table."""

    path: Path | None  # None: no file was given
    plan: str | None
    seats: tuple[Seat, ...]
    game: str | None  # None: the table proposes one
    preset: str
    speed: str
    options: dict[str, dict[str, Any]]  # game -> its house rules as written
    timing: Timing
    closing: time | None
    state: Path
    journal: Path
    keep_days: int
    buttons: Buttons
    lamps: Lamps
    reader: Reader
    panel: Panel
    screen: Screen
    sound: Sound
    attendant: Attendant
    settings: tuple[Setting, ...] = ()
    warnings: tuple[Problem, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources that the seats' buttons hang on, each once, in order of seats."""
        return tuple(dict.fromkeys(seat.source for seat in self.seats))

    @property
    def chip_labels(self) -> tuple[str, ...]:
        """Labels of the GPIO chip, in the order in which they are looked for. ``buttons.chip_path`` goes before all."""
        return (self.buttons.chip,) if self.buttons.chip is not None else tuple(PI_CHIPS)
