"""The plug is pulled: what was not synced is gone, and nothing that the screen had shown as saved may be.

The same search must find a loss when the journal is made careless: else it would prove nothing.
"""

import sqlite3
from pathlib import Path
from random import Random

import pytest

from doubtable.journal import reading, schema
from doubtable.journal.chain import IN, Row
from doubtable.journal.gate import Gate
from doubtable.journal.writer import Journal
from doubtable.recovery import recover
from doubtable.view import View
from journal.conftest import CI, LONG
from journal.evening import Evening, Virtual, new_table
from journal.following import inputs, rows_of
from journal.power import Disk, Op, image

CUTS = 2000 if LONG else 400 if CI else 60
ACTS = 60


def play(path: Path, disk: Disk, *, flush: bool = True) -> list[Row]:
    """An evening on that disk; every view that the screen shows as saved is noted among what the disk was told."""
    evening = Evening(path, 5, seen=lambda view: disk.note("shown", view.number))
    for _ in evening.play(ACTS):
        if flush:
            assert evening.journal is not None
            evening.journal.flush()
            evening.app.show()
    evening.close()
    ops, disk.ops = disk.ops, []
    rows = rows_of(path)
    disk.ops = ops
    return rows


def losses(disk: Disk, rows: list[Row], folder: Path, cuts: int, *, torn: bool = False) -> list[str]:
    """Cut the power behind ``cuts`` of the things the disk was told; what is not there though it was shown."""
    found = []
    random = Random(6)
    for place, at in enumerate(sorted(random.sample(range(len(disk.ops) + 1), min(cuts, len(disk.ops))))):
        ops = disk.ops[:at]
        there = folder / str(place)
        there.mkdir()
        image(ops, there, random if torn else None)
        shown = max((op.at for op in ops if op.what == "shown"), default=0)
        kept = kept_rows(there / "journal.db")
        if kept != rows[: len(kept)]:
            found.append(f"cut {at}: rows differ")
        last = max((row.number for row in kept), default=0)
        if last < shown:
            found.append(f"cut {at}: {shown} was shown, {last} is there")
    return found


def kept_rows(path: Path) -> list[Row]:
    """What a table that starts after the cut finds."""
    try:
        return rows_of(path)
    except sqlite3.OperationalError:  # the file has no tables: the cut came before the first commit
        return []


def test_nothing_shown_is_lost(path: Path, disk: Disk, tmp_path: Path) -> None:
    rows = play(path, disk)
    assert sum(op.what == "shown" for op in disk.ops) > ACTS
    assert losses(disk, rows, tmp_path, CUTS) == []


def test_nothing_shown_is_lost_when_some_writes_reached_the_disk_in_any_order(
    path: Path, disk: Disk, tmp_path: Path
) -> None:
    rows = play(path, disk)
    assert losses(disk, rows, tmp_path, CUTS, torn=True) == []


@pytest.mark.parametrize("careless", ["OFF", "NORMAL"])
def test_a_journal_that_does_not_sync_is_found_out(
    path: Path, disk: Disk, tmp_path: Path, careless: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "SYNCHRONOUS", careless)
    rows = play(path, disk)
    assert losses(disk, rows, tmp_path, CUTS) != []


def test_a_screen_that_does_not_wait_for_the_commit_is_found_out(
    path: Path, disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def at_once(gate: Gate, newest: View, committed: int, ns: int) -> View:
        return newest

    monkeypatch.setattr(Gate, "pick", at_once)
    rows = play(path, disk)
    assert losses(disk, rows, tmp_path, CUTS) != []


def test_twenty_acknowledged_inputs_are_twenty_after_the_cut(path: Path, disk: Disk, tmp_path: Path) -> None:
    evening = Evening(path, 1)
    assert evening.journal is not None
    acknowledged = []
    for number in range(20):
        evening.hold(1 + number % 4)
        evening.journal.flush()
        acknowledged.append((evening.journal.committed, list(disk.ops)))
    evening.close()
    for last, ops in acknowledged:
        there = tmp_path / str(last)
        there.mkdir()
        image(ops, there)
        assert [row.number for row in kept_rows(there / "journal.db") if row.kind == IN][-1] == last


def test_every_connection_syncs_every_commit(path: Path) -> None:
    evening = Evening(path, 1)
    assert evening.journal is not None
    evening.journal.flush()
    for database in (evening.journal.database, schema.connect(path), schema.connect(path, read_only=True)):
        assert database.execute("PRAGMA synchronous").fetchone()[0] in (2, 3)
        assert database.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        if database is not evening.journal.database:
            database.close()
    evening.close()
    alone = schema.connect(path, alone=True)
    assert alone.execute("PRAGMA synchronous").fetchone()[0] in (2, 3)
    alone.close()


def test_nothing_in_the_program_opens_the_journal_in_another_way() -> None:
    """`synchronous` belongs to a connection, so there must be one place that makes them."""
    package = Path(schema.__file__).parents[1]
    found = {
        str(each.relative_to(package)): each.read_text().count("sqlite3.connect(") for each in package.rglob("*.py")
    }
    made = {name: count for name, count in found.items() if count}
    assert made == {"journal/schema.py": 1, "journal/snapshot.py": 1}
    assert 'sqlite3.connect("", ' in (package / "journal" / "snapshot.py").read_text(), "the copy is no file of ours"


def test_the_log_cut_anywhere_leaves_whole_commits(path: Path, tmp_path: Path) -> None:
    """At each frame's end, one byte before and behind, and at random places."""
    evening = Evening(path, 7)
    assert evening.journal is not None
    ends = []  # how many rows there are after each commit
    for _ in evening.play(25):
        evening.journal.flush()
        ends.append(evening.journal.scribe.n)
    main, log = path.read_bytes(), Path(f"{path}-wal").read_bytes()
    evening.close()
    rows = rows_of(path)
    frame = 24 + int.from_bytes(log[8:12], "big")
    frames = (len(log) - 32) // frame
    assert frames > 30
    exact = [32 + frame * number + shift for number in range(frames + 1) for shift in (-1, 0, 1)]
    random = Random(8)
    places = exact + [random.randrange(len(log) + 1) for _ in range(500)]
    if not CI:
        places = random.sample(places, 120)
    cut = tmp_path / "cut" / "journal.db"
    cut.parent.mkdir()
    numbers = set()
    for place in places:
        cut.write_bytes(main)
        Path(f"{cut}-wal").write_bytes(log[: max(0, place)])
        Path(f"{cut}-shm").unlink(missing_ok=True)
        kept = kept_rows(cut)
        assert kept == rows[: len(kept)]
        numbers.add(len(kept))
    assert len(numbers) > 10


def test_after_a_cut_the_table_stands_where_it_was(path: Path, disk: Disk, tmp_path: Path) -> None:
    rows = play(path, disk)
    random = Random(9)
    marks = [at for at, op in enumerate(disk.ops) if op.what == "shown"]
    for place, at in enumerate(random.sample(marks, 6)):
        there = tmp_path / str(place)
        there.mkdir()
        image(disk.ops[: at + 1], there)
        with_journal = there / "journal.db"
        kept = inputs(kept_rows(with_journal))
        journal = Journal(with_journal, clocks=Virtual(10**12, "boot-2").clocks())
        try:
            found = recover(journal, new_table())
            again = new_table()
            for row in rows:
                if row.kind == IN and row.number <= found.number:
                    again.feed(reading.input_on(row, 4))
            assert found.waiting is not None
            assert len(kept) > 0
            assert found.table.dump() == again.dump()
        finally:
            journal.close()


def test_the_disk_model_loses_what_was_not_synced(tmp_path: Path) -> None:
    """The model itself: two writes, one synced."""
    ops = [Op("open", "a"), Op("write", "a", 0, b"one"), Op("sync", "a"), Op("write", "a", 3, b"two")]
    image(ops, tmp_path)
    assert (tmp_path / "a").read_bytes() == b"one"
    image([*ops, Op("sync", "a")], tmp_path)
    assert (tmp_path / "a").read_bytes() == b"onetwo"
