"""`doubtable config check | show | new`: what they print, and their exit codes (0 good, 2 bad input)."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from doubtable import places
from doubtable.config import Config, ConfigError, Problem, any_options, load
from doubtable.config.plan import load_plan, plan_names
from doubtable.config.problem import choice

CheckOptions = Callable[[str, Mapping[str, Any]], Iterable[Problem]]

GOOD, BAD_INPUT = 0, 2


def check(path: Path, check_options: CheckOptions = any_options) -> int:
    """Say whether the file can be used: one line on stdout, or every problem as a line on stderr."""
    config = _loaded(path, check_options)
    if config is None:
        return BAD_INPUT
    _out(f"{path}: ok: {_summary(config)}")
    return GOOD


def show(path: Path | None, check_options: CheckOptions = any_options, environ: Mapping[str, str] = os.environ) -> int:
    """Print every effective value and where it comes from; without a path those of the simulated table."""
    config = _loaded(path, check_options, places.environment(path, environ))
    if config is None:
        return BAD_INPUT
    rows = [(f"{s.key} = {s.value}" if s.value else f"{s.key} is not set", s.origin) for s in config.settings]
    width = min(max(len(text) for text, _ in rows), 60)
    for text, origin in rows:
        _out(f"{text.ljust(width)}  {origin}")
    return GOOD


def new(plan: str | None, out: Path, service_state: Path = places.SERVICE_STATE) -> int:
    """Write a commented table.toml for a plan. A file that is there already is never overwritten.

    Where the service is installed (its state directory is there) the file names that directory: the commands of its
    people then look where the service keeps decks and games.
    """
    if plan is None:
        _err(f"config new: name a plan with --plan: one of {', '.join(plan_names())}")
        return BAD_INPUT
    from doubtable.config.template import table_toml  # noqa: PLC0415 - imports pydantic, which a mere --help need not

    try:
        state = service_state if service_state.is_dir() else None
        text = table_toml(load_plan(plan), state)
    except KeyError:
        _err(f'plan "{plan}" does not exist: {choice(plan, plan_names())}')
        return BAD_INPUT
    try:
        with out.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        _err(f"{out}: is there already: name another file, or move this one away")
        return BAD_INPUT
    except OSError as error:
        _err(f"{out}: cannot be written: {(error.strerror or str(error)).lower()}: name a file in a folder of yours")
        return BAD_INPUT
    kept = "" if state is None else f", with the service's state directory {state}"
    _out(f"{out}: written for plan {plan}{kept}; next: doubtable config check {out}")
    return GOOD


def _loaded(path: Path | None, check_options: CheckOptions, environ: Mapping[str, str] = os.environ) -> Config | None:
    try:
        config = load(path, check_options, environ=environ)
    except ConfigError as error:
        sys.stderr.write(f"{error.told()}\n")
        return None
    for warning in config.warnings:
        _err(f"{path or 'the simulated table'}: warning: {warning}")
    return config


def _summary(config: Config) -> str:
    plan = f" (plan {config.plan})" if config.plan else ""
    reader = f"reader {config.reader.kind}" if config.reader.kind != "none" else "no reader"
    port = f" at {config.reader.port}" if config.reader.port else ""
    seats = f"{len(config.seats)} seats on {' and '.join(config.sources)}"
    return f"{seats}{plan}, {reader}{port}, house rules {config.preset}"


def _out(line: str) -> None:
    sys.stdout.write(line + "\n")


def _err(line: str) -> None:
    sys.stderr.write(f"doubtable: {line}\n")
