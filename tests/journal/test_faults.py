"""Disks that are full or slow, clocks that jump, two tables on one journal, files that are not ours."""

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from doubtable.devices.ports import monotonic_clock
from doubtable.inputs import Do
from doubtable.journal import Journal, JournalError, Unsaved, chain, reading, schema
from doubtable.journal.clock import Clocks, wall_clock
from doubtable.recovery import keep
from doubtable.timing import MS, S
from journal.evening import Evening, Virtual, lines, new_table
from journal.following import inputs, rows_of
from journal.power import Disk

ACTS = 60


def played(path: Path | None, seed: int, machine: Virtual | None = None) -> Evening:
    """An evening of some acts."""
    evening = Evening(path, seed, machine=machine)
    for _ in evening.play(ACTS):
        pass
    return evening


# Disks --------------------------------------------------------------------------------------------------------------


def test_the_journal_changes_nothing_at_the_table(path: Path) -> None:
    without, journaled = played(None, 11), played(path, 11)
    assert lines(without.events) == lines(journaled.events)
    assert without.lamps.changes == journaled.lamps.changes
    journaled.close()


def test_a_full_disk_stops_no_game_and_loses_no_row(path: Path, disk: Disk) -> None:
    without = played(None, 12)
    evening = Evening(path, 12)
    assert evening.journal is not None
    for number in evening.play(ACTS):
        if number == 10:
            evening.journal.flush()
            disk.full = True
        if number == 40:
            for _ in range(2):  # when it has refused twice, the first refusal is known
                disk.refused.clear()
                assert disk.refused.wait(30)
            assert evening.journal.fault
            assert evening.screen.unsaved > 0
            assert evening.screen.last is not None
            assert evening.screen.last.notices[0] == ("NOT SAVED", {})
            disk.full = False
            assert evening.journal.flush()
            assert not evening.journal.fault
    assert lines(evening.events) == lines(without.events)
    verdicts = sum(each.name == "verdict" for each in evening.events)
    assert verdicts > 0
    evening.app.show()
    last = evening.app.number
    evening.close()
    numbers = [row.number for row in rows_of(path) if row.kind == chain.IN]
    assert numbers == list(range(1, last + 1))


def test_a_disk_that_stays_full_does_not_keep_the_table_from_ending(path: Path, disk: Disk) -> None:
    evening = Evening(path, 12)
    assert evening.journal is not None
    evening.journal.flush()
    disk.full = True
    evening.hold(1)
    evening.close()
    disk.full = False
    assert not any(thread.name == "journal" for thread in threading.enumerate())
    assert inputs(rows_of(path)) == []


@pytest.mark.parametrize("delay", [150 * MS, 2 * S])
def test_slow_commits_change_no_edge_and_no_decision(path: Path, disk: Disk, delay: int) -> None:
    """Every commit takes so long on the table's clock; the card is slow, not the table."""
    without = played(None, 13)
    evening = Evening(path, 13)
    assert evening.journal is not None
    evening.journal.flush()
    free = threading.Semaphore(0)

    def wait() -> None:
        free.acquire(timeout=30)

    disk.before_sync = wait
    last = 0
    for _ in evening.play(ACTS):
        commits, last = divmod(last + 300 * MS, delay)
        for _ in range(commits):
            free.release()
    assert lines(evening.events) == lines(without.events)
    assert evening.lamps.changes == without.lamps.changes
    disk.before_sync = lambda: None
    free.release(1000)
    evening.close()
    assert [row.number for row in rows_of(path) if row.kind == chain.IN] == list(range(1, evening.app.number + 1))


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere" / "journal.db"
    with pytest.raises(JournalError, match=r"nowhere.*cannot be written.*look at the folder"):
        Journal(missing)


# Clocks -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [28_800 * S, -86_400 * S, 3 * 365 * 86_400 * S])
def test_a_wall_clock_that_jumps_changes_nothing_and_is_written_down(path: Path, step: int) -> None:
    without = played(None, 14)
    machine = Virtual(is_set=False)
    evening = Evening(path, 14, machine=machine)
    assert evening.journal is not None
    for number in evening.play(ACTS):
        if number == 30:
            evening.journal.flush()
            before = evening.journal.scribe.n
            machine.wall_at_0 += step
            machine.is_set = True
    assert lines(evening.events) == lines(without.events)
    evening.close()
    said = [(row.n, reading.body_of(row)) for row in rows_of(path) if row.kind == chain.CLOCK]
    assert [body["set"] for _, body in said] == [False, True]
    assert said[1][1]["offset"] - said[0][1]["offset"] == step
    assert said[1][0] == before + 1


def test_the_wall_time_of_an_event_is_that_of_its_stamp() -> None:
    """Kernel stamps are monotonic; wall time is worked out, to the nanosecond."""
    event, mono, wall = 6212787543813, 6212788543813, 1681979071_474871200
    clocks = Clocks("boot", lambda: mono, lambda: wall, lambda: True)
    assert wall_clock(clocks, 0).at(event) == 1681979071_473871200
    begun = 6_000_000_000_000  # the table's time counts from its start
    assert wall_clock(clocks, begun).at(event - begun) == 1681979071_473871200


# Two tables, other files --------------------------------------------------------------------------------------------


def test_a_second_process_is_refused_with_the_pid_of_the_first(path: Path) -> None:
    evening = Evening(path, 1)
    program = "import sys; from pathlib import Path; from doubtable.journal import Journal; Journal(Path(sys.argv[1]))"
    second = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert f"process {os.getpid()} writes it already" in second.stderr
    assert "stop that table first" in second.stderr
    evening.close()
    Journal(path).close()


def test_a_lock_file_that_a_power_cut_left_is_no_lock(path: Path) -> None:
    Path(f"{path}.lock").write_text("1\n")
    Journal(path).close()


def test_a_lock_holds_on_a_disk_without_room_for_its_message(path: Path) -> None:
    program = (
        "import resource, sys; from pathlib import Path; from doubtable.journal.lock import Lock\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        "first = Lock(Path(sys.argv[1]))\n"
        "Lock(Path(sys.argv[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False)
    assert "process unknown writes it already" in done.stderr
    assert path.with_name("journal.db.lock").read_bytes() == b""


def test_a_newer_schema_is_refused_and_left_alone(path: Path) -> None:
    Journal(path).close()
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version={schema.VERSION + 4}")
    database.close()
    before = path.read_bytes()
    files = sorted(each.name for each in path.parent.iterdir())
    with pytest.raises(JournalError, match=rf"newer doubtable \(schema {schema.VERSION + 4}, .*update doubtable"):
        Journal(path)
    assert path.read_bytes() == before
    assert sorted(each.name for each in path.parent.iterdir()) == files


def test_another_programs_database_is_refused_and_left_alone(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("PRAGMA application_id=77")
    database.execute("CREATE TABLE notes (text)")
    database.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="another program's database"):
        Journal(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("rubbish", [b"no database at all" * 500, b"SQLite format 3\0" + bytes(5000)])
def test_a_damaged_journal_is_kept_aside_and_a_new_one_begun(path: Path, rubbish: bytes) -> None:
    path.write_bytes(rubbish)
    for number in (1, 2):
        evening = Evening(path, 1)
        assert evening.recovered.waiting is None
        assert "damaged" in evening.recovered.faults[0]
        evening.close()
        assert (path.parent / f"journal.db.damaged-{number}").read_bytes() == rubbish
        path.write_bytes(rubbish)


def test_an_empty_file_is_a_new_journal(path: Path) -> None:
    path.touch()
    evening = Evening(path, 1)
    assert evening.recovered.faults == ()
    evening.close()
    assert len(rows_of(path)) > 0


def test_a_table_whose_disk_does_not_work_plays_on_and_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "nowhere").write_text("no folder")
    kept = keep(tmp_path / "nowhere" / "journal.db", new_table())
    assert isinstance(kept.journal, Unsaved)
    assert "nothing is saved" in caplog.text
    evening = Evening(None, 12)
    evening.app.journal = kept.journal
    for _ in evening.play(ACTS):
        pass
    assert lines(evening.events) == lines(played(None, 12).events)
    assert evening.screen.unsaved > 0
    assert evening.screen.last is not None
    assert evening.screen.last.notices[0] == ("NOT SAVED", {})
    evening.close()


def test_a_table_is_kept_with_one_call_and_taken_up_with_the_next(path: Path) -> None:
    for number in range(2):
        kept = keep(path, new_table())
        assert isinstance(kept.journal, Journal)
        assert (kept.waiting is not None) == (number > 0)
        kept.journal.set_origin(monotonic_clock())  # else it is as old as the machine's last start, perhaps too old
        kept.journal.take(1, Do(1, 1, "claim", 1))
        kept.journal.hear(1, kept.table.feed(Do(1, 1, "claim", 1)))
        with pytest.raises(JournalError, match="writes it already"):
            keep(path, new_table())
        kept.journal.close()
