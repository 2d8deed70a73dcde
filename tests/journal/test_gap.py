"""How long the table was off: what its clocks can vouch for, and when an evening is over."""

import sqlite3
from pathlib import Path

import pytest

from doubtable.inputs import Restart
from doubtable.journal import chain, reading
from doubtable.journal.clock import WallClock
from doubtable.journal.reading import Last
from doubtable.journal.waiting import gap
from doubtable.timing import MS, S
from journal.cuts import claim, cut, names
from journal.evening import HOUR, WALL, Evening, Virtual
from journal.following import rows_of


def restart_of(evening: Evening) -> tuple[int, int]:
    """Stamp and gap of the last restart in its journal."""
    assert evening.journal is not None
    evening.journal.flush()
    found = [reading.input_on(row, 4) for row in rows_of(evening.journal.path) if row.kind == chain.IN]
    last = [each for each in found if isinstance(each, Restart)][-1]
    return last.ns, last.gap


def test_within_one_boot_the_clock_goes_on_as_if_it_had_never_stopped(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1, machine=Virtual(7 * S))
    first.run_to(12 * S)
    claim(first)  # at 5 s of the table
    path = cut(first, tmp_path / "cut")
    second = Evening(path, 2, machine=Virtual(100 * S, is_set=False, wall=0))
    second.go_on()
    stamp, off = restart_of(second)
    assert stamp == 5 * S
    assert 0 <= stamp + off - (100 * S + 100 * MS + 700 * MS - 7 * S) <= 2 * MS
    second.close()


BEFORE = Last("boot-1", WallClock(0, WALL, True))


@pytest.mark.parametrize(
    ("last", "machine", "mono", "expected"),
    [
        (BEFORE, Virtual(500 * S, "boot-1"), 500 * S, 400 * S + MS),
        (BEFORE, Virtual(20 * S, "boot-2", wall=WALL + HOUR), 20 * S, HOUR + 20 * S - 100 * S + MS),
        (BEFORE, Virtual(20 * S, "boot-2", wall=WALL + HOUR, is_set=False), 20 * S, 20 * S + MS),
        (BEFORE, Virtual(20 * S, "boot-2", wall=WALL - HOUR), 20 * S, 20 * S + MS),
        (Last("boot-1", WallClock(0, 0, False)), Virtual(20 * S, "boot-2"), 20 * S, 20 * S + MS),
        (Last("", WallClock(0, 0, False)), Virtual(20 * S, ""), 20 * S, 20 * S + MS),
        (None, Virtual(20 * S, "boot-2"), 20 * S, 20 * S + MS),
    ],
)
def test_the_gap_is_what_the_clocks_can_vouch_for(
    last: Last | None, machine: Virtual, mono: int, expected: int
) -> None:
    """Last input at 100 s of the table."""
    assert gap(last, 100 * S, machine.clocks(), mono) == expected


def test_an_evening_that_was_left_too_long_ago_is_over(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    claim(first)
    path = cut(first, tmp_path / "cut")
    second = Evening(path, 2, machine=Virtual(0, "boot-2", wall=WALL + 13 * HOUR))
    assert second.recovered.waiting is None
    second.run_to(S)
    assert "deal" in names(second.events)
    second.close()
    database = sqlite3.connect(path)
    assert database.execute("SELECT id, ended FROM games ORDER BY id").fetchall() == [(1, "cut"), (2, "")]
    database.close()
