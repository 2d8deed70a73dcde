"""What may be wrong when the table comes back: an input that fails, a damaged checkpoint, other seats, names, times."""

import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace

from doubtable.events import Event
from doubtable.inputs import Do, Input
from doubtable.journal import Journal, chain, reading
from doubtable.recovery import recover
from doubtable.table import Table
from doubtable.timing import S, Timing
from journal.cuts import claim, cut
from journal.evening import NAMES, Evening, Virtual, new_table
from journal.following import rows_of


class Planted(Exception):
    """A fault of the program, for one input only."""


def plant(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """From now on every table fails at a claim of ``count`` cards."""
    true = Table.feed

    def feed(self: Table, given: Input) -> list[Event]:
        if isinstance(given, Do) and given.act == "claim" and given.count == count:
            raise Planted("no such claim")
        return true(self, given)

    monkeypatch.setattr(Table, "feed", feed)


def test_an_input_that_fails_is_passed_over_and_kept(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    claim(first, 1)
    first.run_to(3 * S)
    before = first.table.public()
    plant(monkeypatch, 3)
    with pytest.raises(Planted):
        claim(first, 3)
    rows = len(rows_of(cut(first, tmp_path / "cut")))

    for boot in ("boot-2", "boot-3"):  # the second start needs no second fault
        second = Evening(tmp_path / "cut" / "journal.db", 2, machine=Virtual(0, boot))
        assert second.recovered.waiting is not None
        assert second.table.public() == before
        assert [f"row {rows} cannot" in each for each in second.recovered.faults] == [True] * (boot == "boot-2")
        assert second.journal is not None
        second.journal.flush()
        second.journal.close()
    third = Evening(tmp_path / "cut" / "journal.db", 3, machine=Virtual(0, "boot-4"))
    third.go_on()
    claim(third, 2)
    third.run_to(third.machine.ns + S)
    assert third.table.public()["phase"] == "doubt"
    third.close()
    found = rows_of(tmp_path / "cut" / "journal.db")
    assert '"claim", "count": 3' in found[rows - 1].body
    skips = [reading.body_of(row) for row in found if row.kind == chain.SKIP]
    assert skips == [{"first": rows, "last": rows, "error": "Planted: no such claim"}]


def test_a_checkpoint_that_cannot_be_read_is_passed_over(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    for _ in first.play(40):
        pass
    state = first.table.dump()
    path = cut(first, tmp_path / "cut")
    database = sqlite3.connect(path)
    points = [n for (n,) in database.execute("SELECT n FROM points ORDER BY n DESC")]
    assert len(points) > 1
    database.execute("UPDATE points SET state = x'00' WHERE n = ?", (points[0],))
    database.commit()
    database.close()
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    assert second.table.dump() == state
    second.close()


def test_with_no_checkpoint_that_can_be_read_the_table_begins_anew(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    path = cut(first, tmp_path / "cut")
    database = sqlite3.connect(path)
    database.execute("UPDATE points SET state = x'00'")
    database.commit()
    database.close()
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    assert second.recovered.waiting is None
    second.close()


def test_a_stop_and_a_start_in_the_middle_of_a_game_go_on_from_the_last_checkpoint(path: Path) -> None:
    """An update: nothing is replayed, so a newer program need not decide old races again."""
    first = Evening(path, 1)
    for _ in first.play(30):
        pass
    state = first.table.dump()
    first.close()
    assert rows_of(path)[-1].kind == chain.POINT
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    assert second.table.dump() == state
    second.close()


def test_other_seats_begin_anew_other_names_do_not(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    path = cut(first, tmp_path / "cut")
    five = Table.evening((*NAMES, "Eva"), Timing())
    journal = Journal(path, clocks=Virtual(0, "boot-2").clocks())
    assert recover(journal, five).table is five
    journal.close()


def test_names_are_those_of_today(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    path = cut(first, tmp_path / "cut")
    table = new_table()
    table.names = ("Zoe", *NAMES[1:])
    second = Evening(path, 2, machine=Virtual(0, "boot-2"), table=table)
    assert second.recovered.waiting is not None
    assert second.table.names == ("Zoe", *NAMES[1:])
    second.close()


def test_new_times_count_from_the_next_game_on(path: Path, tmp_path: Path) -> None:
    """What was recorded holds until the game is over; between games the table's own settings do."""
    first = Evening(path, 1, table=new_table(lobby=True))
    first.run_to(S)
    path = cut(first, tmp_path / "cut")
    slow = Table.evening(NAMES, replace(new_table().timing, doubt=9 * S))
    second = Evening(path, 2, machine=Virtual(0, "boot-2"), table=slow)
    assert second.table.timing.doubt == 9 * S
    second.close()
