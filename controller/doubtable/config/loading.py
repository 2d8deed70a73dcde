"""From files to a Config: defaults, then the plan, then table.toml, then what was changed at the table.

Every problem is found before anything is refused. What is broken is taken out and the rest is judged as if it had not
been written; so one slip does not hide another, and no slip is reported twice.
"""

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from doubtable.config import overrides, rules
from doubtable.config.effective import config_of
from doubtable.config.explain import problem_of
from doubtable.config.paths import state_directory
from doubtable.config.plan import load_plan, plan_names
from doubtable.config.problem import ConfigError, Problem, choice, shown
from doubtable.config.rules import CheckOptions
from doubtable.config.values import Config
from doubtable.config.written import Table, changeable

LIMIT = 1_000_000  # bytes; a table.toml has a few thousand

Layer = dict[str, Any]

# What a simulated table has when its file says nothing else: you and three simulated people, and simulated cards.
SIMULATION: Layer = {"reader": {"kind": "simulated"}, "seats": {"1": {}, "2": {}, "3": {}, "4": {}}}


class Written(NamedTuple):
    """A table.toml without problems, and what stands below it."""

    file: Layer
    below: Layer
    origin: str  # of what stands below
    table: Table

    @property
    def layer(self) -> Layer:
        """The file over what stands below it."""
        return merge(self.below, self.file)


def load_table(
    path: Path | None, check: CheckOptions, environ: Mapping[str, str] = os.environ, recover: bool = False
) -> Config:
    """See doubtable.config.load."""
    written = read_table(path, check)
    state = state_directory(written.table, environ)
    changed = overrides.read(state)
    if recover:
        overrides.recover(state, changed)
    table, kept, dropped = apply(written, changed.settings, check)
    name = path.name if path is not None else "table.toml"
    layers = {"changed at the table": kept, name: written.file, written.origin: written.below}
    return config_of(path, table, state, layers, (*changed.warnings, *dropped, *rules.warnings(table)))


def change_settings(config: Config, settings: Mapping[str, Any], check: CheckOptions) -> Config:
    """See doubtable.config.change."""
    place = config.state / overrides.FILE
    fixed = [key for key in settings if not changeable(key)]
    if fixed:
        raise ConfigError(place, [Problem(key, "cannot be changed at the table", "change table.toml") for key in fixed])
    written = read_table(config.path, check)
    stored = overrides.read(config.state)
    others = {key: value for key, value in stored.settings.items() if key not in settings}
    new = {key: value for key, value in settings.items() if value is not None}
    _, kept, _ = apply(written, others, check)
    _, problems = examine(merge(merge(written.layer, kept), nested(new)), check)
    if problems:
        raise ConfigError(place, in_order_of_file(problems))
    overrides.recover(config.state, stored)
    overrides.write(config.state, others | new)
    return load_table(config.path, check, {"STATE_DIRECTORY": str(config.state)})


def read_table(path: Path | None, check: CheckOptions) -> Written:
    """The file by itself; ConfigError with all its problems."""
    file = {} if path is None else read_toml(path)
    below, origin, unknown = plan_layer(file)
    table, found = examine(merge(below, file), check)
    if table is None or unknown or found:
        raise ConfigError(path or Path("table.toml"), in_order_of_file(unknown + found))
    return Written(file, below, origin, table)


def read_toml(path: Path) -> Layer:
    """The file's content. Numbers with a point become Decimal, so that no time goes through a float."""
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except FileNotFoundError:
        raise ConfigError(path, [Problem("", "there is no such file", f"make one: {new_command(path)}")]) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigError(path, [Problem("", f"cannot be read: {reason}", "look at the path and its mode")]) from None
    if len(data) > LIMIT:
        raise ConfigError(path, [Problem("", "is larger than a megabyte", "this is no table.toml")])
    try:
        return tomllib.loads(data.decode("utf-8-sig"), parse_float=Decimal)  # Windows editors put a mark in front
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        fault = Problem(f"line {line}", f"byte {error.start} is not UTF-8", "save the file as UTF-8")
    except tomllib.TOMLDecodeError as error:
        fault = syntax_problem(str(error), data.decode("utf-8"))
    except RecursionError:
        fault = Problem("", "brackets are nested too deeply", "no value here is deeper than a list")
    except (ValueError, ArithmeticError):
        fault = Problem("", "has a number with thousands of digits", "write a smaller one")
    raise ConfigError(path, [fault])


def new_command(path: Path) -> str:
    """The command that writes such a file."""
    return f"doubtable config new --plan 8-gpio {path}"


def syntax_problem(message: str, text: str) -> Problem:
    """tomllib's message with its place in front; "end of document" becomes the last line."""
    found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message, re.DOTALL)
    if found:
        line, column, what = int(found[2]), int(found[3]), found[1]
    else:
        rows = text.split("\n")
        line, column, what = len(rows), len(rows[-1]) + 1, message.removesuffix(" (at end of document)")
    row = text.split("\n")[line - 1].strip()
    if row.startswith("pin"):
        row = ""  # the attendant's PIN is not for logs
    return Problem(f"line {line}, column {column}", _syntax_words(what), _syntax_hint(row))


def _syntax_words(what: str) -> str:
    """tomllib's words, without Python's own spelling of keys and of the end of a line."""
    if named := re.fullmatch(r"Cannot (declare|mutate immutable namespace) \((.*)\)(?: twice)?", what):
        keys = ".".join(one or other for one, other in re.findall(r"'([^']*)'|\"([^\"]*)\"", named[2]))
        return f"the section [{keys}] is there already" if named[1] == "declare" else f"{keys} ends in its line above"
    if what == "Cannot overwrite a value":
        return "this key is there already"
    if what == "Illegal character '\\n'":
        return "a text in quotes does not end on this line"
    return f"{what[:1].lower()}{what[1:]}"


def _syntax_hint(row: str) -> str:
    value = row.partition("=")[2].split("#")[0].strip()
    if re.fullmatch(r"[\w/.:+-]+", value) and not re.fullmatch(r"[\d_.+-]+|true|false|inf|nan", value):
        return f'texts stand in quotes: "{value}"'
    return f"the line reads {shown(row)}" if row else "look for a missing bracket or quote"


def plan_layer(file: Layer) -> tuple[Layer, str, list[Problem]]:
    """What stands below the file, and its name: its plan, or the simulation; an unknown plan is a problem."""
    name, buttons = file.get("plan"), file.get("buttons")
    if name is None and (not isinstance(buttons, dict) or buttons.get("source", "simulated") == "simulated"):
        seats = file.get("seats")  # an empty section names none
        return {key: value for key, value in SIMULATION.items() if key != "seats" or not seats}, "simulation", []
    if not isinstance(name, str):
        return {}, "", []  # no plan, or a type that the shape refuses
    try:
        return load_plan(name).layer(), f"plan {name}", []
    except KeyError:
        return {}, "", [Problem("plan", f"{shown(name)} does not exist", choice(name, plan_names()))]


def in_order_of_file(problems: Iterable[Problem]) -> list[Problem]:
    """The problems in the order in which docs and `config new` write the sections, seats by number."""
    sections = list(Table.model_fields)

    def place(problem: Problem) -> tuple[int, int]:
        first, _, rest = problem.key.partition(".")
        seat = rest.partition(".")[0] if first == "seats" else ""
        return sections.index(first) if first in sections else -1, int(seat) if seat.isdecimal() else 0

    return sorted(problems, key=place)


def merge(below: Layer, above: Layer) -> Layer:
    """``above`` laid over ``below``, section by section; both stay as they are."""
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        merged[key] = merge(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return merged


def examine(layer: Layer, check: CheckOptions) -> tuple[Table | None, list[Problem]]:
    """The layer as a Table, and all its problems. The table lacks what was broken; None if nothing was left."""
    problems: list[Problem] = []
    table = None
    for _ in range(3):  # what a broken section hid can be broken too
        try:
            table = Table.model_validate(layer)
            break
        except ValidationError as error:
            faults = error.errors(include_url=False)
            problems += [problem_of(fault) for fault in faults]
            for fault in faults:
                layer = without(layer, tuple(part for part in fault["loc"]))
    if table is None:
        return None, problems
    broken = {problem.key for problem in problems}
    return table, problems + rules.structural(table, broken) + list(rules.options(table, check))


def without(layer: Layer, path: Iterable[int | str]) -> Layer:
    """The layer without the value at ``path``; a value in a list goes with its whole list."""
    first, *rest = path
    if not isinstance(first, str) or first not in layer:
        return layer
    inner = layer[first]
    if rest and isinstance(inner, dict):
        return layer | {first: without(inner, rest)}
    return {key: value for key, value in layer.items() if key != first}


def apply(written: Written, settings: Layer, check: CheckOptions) -> tuple[Table, Layer, list[Problem]]:
    """The table with the settings changed at it. One that no longer fits is left out with a warning, never an error."""
    dropped = [
        Problem(key, "cannot be changed at the table", "the stored setting is left out")
        for key in settings
        if not changeable(key)
    ]
    good = {key: value for key, value in sorted(settings.items()) if changeable(key)}
    whole = nested(good)
    found, problems = examine(merge(written.layer, whole), check)
    if found is not None and not problems:
        return found, whole, dropped
    table, kept = written.table, Layer()
    for key, value in good.items():  # one by one: find the one that does not fit
        trial = merge(kept, nested({key: value}))
        found, problems = examine(merge(written.layer, trial), check)
        if found is None or problems:
            dropped.append(Problem(key, f"{shown(value)} does not fit any more", "the stored setting is left out"))
        else:
            table, kept = found, trial
    return table, kept, dropped


def nested(settings: Mapping[str, Any]) -> Layer:
    """{"sound.volume": 40} as {"sound": {"volume": 40}}."""
    layer: Layer = {}
    for key, value in settings.items():
        *parents, last = key.split(".")
        branch: Layer = {last: value}
        for part in reversed(parents):
            branch = {part: branch}
        layer = merge(layer, branch)
    return layer
