"""``python -m bench [--short] [--only NAME] [--write-docs]``: measure, print the table, write build/bench.json.

With --only the other rows of build/bench.json stay as they are. --write-docs measures nothing: it puts what stands in
build/bench.json into docs/performance.md.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bench import listing
from bench.figures import Bench, Row
from bench.machine import Load, described, load_now

ROOT = Path(__file__).parent.parent.parent
FILE, PAGE = ROOT / "build" / "bench.json", ROOT / "docs" / "performance.md"

ROWS: dict[str, tuple[str, str]] = {
    "edges": ("bench.edges", "row"),
    "lamp": ("bench.lamp", "row"),
    "rules": ("bench.rules", "row"),
    "contains": ("bench.rules", "contains_row"),
    "replay": ("bench.evening", "replay_row"),
    "start": ("bench.start", "row"),
    "draw": ("bench.draw", "row"),
    "commit": ("bench.commit", "row"),
    "growth": ("bench.evening", "growth_row"),
}
"""Name -> module and function of its row; imported when it is measured, so that none carries the others' weight."""


class Results(msgspec.Struct, frozen=True):
    """build/bench.json: the machine, and the rows by name."""

    machine: dict[str, str]
    rows: dict[str, Row]


def kept() -> dict[str, Row]:
    """The rows that stand in build/bench.json; none when there is no such file, or an older program wrote it."""
    try:
        return msgspec.json.decode(FILE.read_bytes(), type=Results).rows
    except (OSError, msgspec.DecodeError):
        return {}


def measured(name: str, bench: Bench) -> Row:
    """One row, with when and under which load."""
    module, function = ROWS[name]
    row: Callable[[Bench], Row] = getattr(import_module(module), function)
    before = load_now()
    made = row(bench)
    date = datetime.now(UTC).date().isoformat()
    return replace(made, date=date, short=bench.short, load=Load(before, load_now()))


def run(names: Sequence[str], *, short: bool) -> int:
    """Measure the rows, print them, keep them."""
    FILE.parent.mkdir(exist_ok=True)
    began = time.monotonic()
    done: dict[str, Row] = {}
    for place, name in enumerate(names, 1):

        def say(what: str, name: str = name, place: int = place) -> None:
            spent = time.monotonic() - began
            sys.stderr.write(f"[{place}/{len(names)} {spent:4.0f} s] {name}: {what}\n")

        say("begins")
        done[name] = measured(name, Bench(short, say, FILE.parent))
        rows = kept() | done
        ordered = {each: rows[each] for each in ROWS if each in rows}
        FILE.write_bytes(msgspec.json.format(msgspec.json.encode(Results(described(), ordered)), indent=2) + b"\n")
    for line in listing.table(done.values()):
        sys.stdout.write(line + "\n")
    sys.stdout.write(f"\n{time.monotonic() - began:.0f} s; written to {FILE.relative_to(ROOT)}\n")
    return 0


def write_docs() -> int:
    """Put the figures into the page."""
    rows = kept()
    missing = [name for name in ROWS if name not in rows]
    if missing:
        sys.stderr.write(f"bench: no figures yet of {', '.join(missing)}: run make bench first\n")
        return 1
    results = msgspec.json.decode(FILE.read_bytes(), type=Results)
    text = listing.document(tuple(results.rows.values()), results.machine)
    PAGE.write_text(listing.written_into(PAGE.read_text(encoding="utf-8"), text), encoding="utf-8")
    sys.stdout.write(f"{PAGE.relative_to(ROOT)}: {len(rows)} rows of {FILE.relative_to(ROOT)}\n")
    return 0


def main(arguments: Sequence[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="make bench",
        description="doubtable beside what people would use instead.",
        epilog='for example: make bench ARGS="--short"',
    )
    parser.add_argument("--short", action="store_true", help="under a minute: fewer rounds, for a look")
    parser.add_argument("--only", metavar="NAME", action="append", choices=ROWS, help=f"one row: {', '.join(ROWS)}")
    parser.add_argument("--write-docs", action="store_true", help="put build/bench.json into docs/performance.md")
    given = parser.parse_args(arguments)
    return write_docs() if given.write_docs else run(given.only or list(ROWS), short=given.short)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
