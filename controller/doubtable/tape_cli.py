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
    """Print the events of each tape, or check them; 1 when an expectation does not hold, 2 for an unreadable tape."""
    if not check:
        for path in paths:
            for each in tape.replay(*load(path)):
                sys.stdout.write(tape.event_line(each) + "\n")
        return 0
    failed = unreadable = 0
    for path in paths:
        try:
            failures = tape.check(*load(path))
        except UserError as error:
            sys.stderr.write(f"doubtable: {error}\n")
            unreadable += 1
            continue
        for failure in failures:
            sys.stdout.write(f"{path}:{failure.line}: {failure.why}\n")
        failed += bool(failures)
    held = len(paths) - failed - unreadable
    sys.stdout.write(f"{held} of {len(paths)} tapes hold\n")
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
