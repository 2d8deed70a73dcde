"""`doubtable replay` and `doubtable race`: tapes on the command line."""

import sys
from collections.abc import Sequence
from pathlib import Path

from doubtable import tape
from doubtable.race import Record
from doubtable.table import Table
from doubtable.user_error import UserError


def load(path: Path) -> tuple[tape.Tape, Table]:
    """The tape in ``path`` and a table for it. UserError names the file, the line and the reason."""
    try:
        found = tape.load(path)
        return found, tape.table_of(found)
    except tape.TapeError as error:
        raise UserError(f"{path}: {error}") from error
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}: name a tape that can be read") from error


def replay(paths: Sequence[Path], *, check: bool) -> int:
    """Print the events of each tape, or check them; 1 when an expectation does not hold, 2 for an unreadable tape.

    A tape without expectations is no failure, but it is named and does not count as one that holds.
    """
    if not check:
        for path in paths:
            for each in tape.replay(*load(path)):
                sys.stdout.write(tape.event_line(each) + "\n")
        return 0
    failed = unreadable = compared = empty = 0
    for path in paths:
        try:
            found, table = load(path)
            failures = tape.check(found, table)
        except UserError as error:
            sys.stderr.write(f"doubtable: {error}\n")
            unreadable += 1
            continue
        for failure in failures:
            sys.stdout.write(f"{path}:{failure.line}: {failure.why}\n")
        expected = tape.expectations(found)
        if not expected:
            sys.stderr.write(f"doubtable: {path}: nothing to check in it: no line says what is to come of it\n")
        compared, empty = compared + expected, empty + (not expected)
        failed += bool(failures)
    held = len(paths) - failed - unreadable - empty
    nothing = f", {empty} with nothing to check" if empty else ""
    sys.stdout.write(f"{held} of {len(paths)} tapes hold{nothing}: {compared} expectations compared\n")
    return 2 if unreadable else 1 if failed else 0


def races(path: Path, *, last: int | None) -> int:
    """Print the race records of a tape as tables."""
    found, table = load(path)
    records = [
        each.facts["record"] for each in tape.replay(found, table) if isinstance(each.facts.get("record"), Record)
    ]
    chosen = records[-last:] if last else records
    sys.stdout.write("\n\n".join(str(record) for record in chosen) + "\n" if chosen else "no race on this tape\n")
    return 0
