"""`doubtable doctor`: its findings as lines or as JSON; exit 1 when one is a fault, 2 for bad input."""

import argparse
import logging
import os
import sys
import time
from collections.abc import Iterator, Sequence

from doubtable import __version__, desk, places
from doubtable.config import Config, ConfigError, load
from doubtable.config.problem import choice
from doubtable.desk import DeskError
from doubtable.doctor import SECTIONS, Case, Finding, Machine, Nobody, Person, Running, examine
from doubtable.doctor.case import person_here
from doubtable.doctor.findings import summary, to_json
from doubtable.house_rules import check_options
from doubtable.user_error import BAD_INPUT, UserError

GOOD, FAILED = 0, 1


def run(args: argparse.Namespace) -> int:
    """The findings of the table of ``--config`` on this machine. Raises UserError."""
    if args.speed and args.only:
        raise UserError(f"--speed and --only {args.only[0]} do not go together: leave one of them out")
    for name in args.only:
        if name not in SECTIONS:
            raise UserError(f"--only {name}: {choice(name, SECTIONS)}")
    try:
        path = places.table_file(args.config, places.here())
        config = load(path, check_options, environ=places.environment(path, os.environ))
    except ConfigError as error:
        sys.stderr.write(f"{error.told()}\n")
        return BAD_INPUT
    # What devices log as they come and go is told by the findings.
    logging.getLogger("doubtable").addHandler(logging.NullHandler())
    if args.speed:
        from doubtable.doctor.speed import speed  # noqa: PLC0415 - plays games; an examination needs none

        return show(
            speed(config), config, len("speed"), running=running_table(config, Machine()) is not None, as_json=args.json
        )
    person = None if args.json else person_here()
    return report(config, Machine(), person or Nobody(time.sleep), args.only, as_json=args.json)


def report(config: Config, machine: Machine, person: Person, only: Sequence[str] = (), *, as_json: bool = False) -> int:
    """Examine, print, and give the exit status."""
    running = running_table(config, machine)
    found = examine(Case(config, machine, person, running), only)
    return show(found, config, max(map(len, only or SECTIONS)), running=running is not None, as_json=as_json)


def show(found: Iterator[Finding], config: Config, names: int, *, running: bool, as_json: bool) -> int:
    """Print the findings as they come, ``names`` wide at most, and give the exit status."""
    table = None if config.path is None else str(config.path)
    if not as_json:
        _out(f"doubtable {__version__}, {table or 'no table.toml: the simulated table'}")
    findings: list[Finding] = []
    for finding in found:
        findings.append(finding)
        for line in () if as_json else finding.lines(names):
            _out(line)
    if as_json:
        _out(to_json(findings, {"doubtable": __version__, "table": table, "running": running}))
    else:
        _out(summary(findings))
    return FAILED if any(each.state == "fault" for each in findings) else GOOD


def running_table(config: Config, machine: Machine) -> Running | None:
    """The table that runs with this configuration; None when none does."""
    path = desk.find(config, machine.environ, machine.root)
    if path is None:
        return None

    def ask(since: int) -> tuple[int, list[str]]:
        heard = desk.ask_heard(path, since)
        return heard.next, list(heard.lines)

    try:
        return Running(ask, desk.ask_report(path))
    except PermissionError:
        return Running(ask, None)
    except (OSError, DeskError):
        return None  # it ended just now


def _out(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
