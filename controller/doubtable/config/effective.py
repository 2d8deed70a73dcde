"""A checked table.toml becomes the effective Config, with the origin of every value."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from doubtable.config import rules
from doubtable.config.explain import key_path
from doubtable.config.problem import Problem
from doubtable.config.values import Config, Seat, Setting
from doubtable.config.written import Section, Table
from doubtable.games import PRESET_SPEED
from doubtable.timing import MS, SPEEDS, WRITTEN, Timing, timing_from

Layers = Mapping[str, Mapping[str, Any]]


def config_of(path: Path | None, table: Table, state: Path, layers: Layers, warnings: Iterable[Problem]) -> Config:
    """The Config of a table without problems. ``layers``: origin -> what it wrote, the topmost first."""
    seats, speed, timing = _seats(table), _speed(table), _timing(table)
    journal = Path(table.journal.path) if table.journal.path else state / "journal.db"
    config = Config(
        path=path,
        plan=table.plan,
        seats=seats,
        game=table.game,
        preset=table.preset,
        speed=speed,
        options=table.options,
        timing=timing.for_seats(len(seats)),
        closing=table.closing,
        state=state,
        journal=journal,
        keep_days=table.journal.keep_days,
        buttons=table.buttons,
        lamps=table.lamps,
        reader=table.reader,
        panel=table.panel,
        screen=table.screen,
        sound=table.sound,
        attendant=table.attendant,
        warnings=tuple(warnings),
    )
    return msgspec.structs.replace(config, settings=tuple(_settings(table, config, layers)))


def _seats(table: Table) -> tuple[Seat, ...]:
    return tuple(_seat(table, number) for number in rules.seat_numbers(table))


def _seat(table: Table, number: int) -> Seat:
    written = table.seats[str(number)]
    hold = _timing(table).hold if written.hold_ms is None else written.hold_ms * MS
    source = rules.source_of(table, number)
    real = source != "simulated"
    return Seat(
        number,
        written.name,
        source,
        written.button if real else None,
        written.lamp if real else None,
        hold,
        written.ignore_repeats,
        written.no_hold,
    )


def _speed(table: Table) -> str:
    return table.speed or PRESET_SPEED[table.preset]


def _timing(table: Table) -> Timing:
    timing = timing_from(table.timing)
    return timing if "doubt_ms" in table.timing else msgspec.structs.replace(timing, doubt=SPEEDS[_speed(table)])


def _settings(table: Table, config: Config, layers: Layers) -> Iterator[Setting]:
    """Every value with its origin, in the order of the file's shape; of seats what somebody wrote."""
    derived = {
        "speed": Setting("speed", as_toml(config.speed), f"preset {table.preset}"),
        "state": Setting("state", as_toml(config.state.as_posix()), "default"),
        "journal.path": Setting("journal.path", as_toml(config.journal.as_posix()), "default"),
    }
    for path, value in _leaves(table):
        key = key_path(path)
        origin = next((name for name, layer in layers.items() if _has(layer, path)), "default")
        if path[0] == "seats" and origin == "default":
            continue  # seven keys for each of 13 seats, none of which anybody wrote
        if value is None and key in derived:
            yield derived[key]
        elif value is not None and key == "attendant.pin":
            yield Setting(key, "(set)", origin)
        else:
            yield Setting(key, as_toml(value), origin)
    for name, (field, unit, _, _) in WRITTEN.items():
        origin = next((layer for layer, facts in layers.items() if _has(facts, ("timing", name))), "default")
        if name == "doubt_ms" and origin == "default":
            origin = f"speed {config.speed}"
        stored = getattr(config.timing, field)
        yield Setting(f"timing.{name}", f"{Decimal(stored) / unit:f}" if stored or unit > 1 else "", origin)


def _leaves(section: Section, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name in type(section).model_fields:
        value = getattr(section, name)
        if isinstance(value, Section):
            yield from _leaves(value, (*path, name))
        elif name == "seats":
            for number in sorted(value, key=int):
                yield from _leaves(value[number], (name, number))
        elif name == "options":
            yield from (((name, game, key), chosen) for game, facts in value.items() for key, chosen in facts.items())
        elif name != "timing":
            yield (*path, name), value


def _has(layer: Mapping[str, Any], path: tuple[str, ...]) -> bool:
    inner: Any = layer
    for part in path:
        if not isinstance(inner, Mapping) or part not in inner:
            return False
        inner = inner[part]
    return True


def as_toml(value: object) -> str:
    """A value as table.toml writes it; nothing for None."""
    match value:
        case None:
            text = ""
        case bool():
            text = str(value).lower()
        case time():
            text = f'"{value:%H:%M}"'
        case (time() as begin, time() as end):
            text = f'"{begin:%H:%M}-{end:%H:%M}"'
        case (int() as width, int() as height):
            text = f'"{width}x{height}"'
        case list():
            text = "[" + ", ".join(as_toml(item) for item in value) + "]"
        case str():
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            text = f'"{escaped}"'
        case _:
            text = str(value)
    return text
