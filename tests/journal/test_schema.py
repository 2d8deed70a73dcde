"""Journals of older programs: brought up to date in one go, without losing the game that is on."""

import sqlite3
from pathlib import Path

import pytest

from doubtable.journal import Journal, chain, reading, schema, verifying
from doubtable.journal.snapshot import snapshot
from journal.evening import Evening, Virtual
from journal.following import rows_of

# The first schema, as it was released: what is in the program may change only by mistake.
FIRST = """
    CREATE TABLE rows (
        n INTEGER PRIMARY KEY, kind TEXT NOT NULL, number INTEGER NOT NULL, ns INTEGER NOT NULL,
        body TEXT NOT NULL, hash BLOB NOT NULL
    );
    CREATE TABLE facts (id TEXT PRIMARY KEY, body TEXT NOT NULL);
    CREATE TABLE points (n INTEGER PRIMARY KEY, facts TEXT NOT NULL, state BLOB NOT NULL, book BLOB NOT NULL);
    CREATE TABLE games (
        id INTEGER PRIMARY KEY, game TEXT NOT NULL, seats TEXT NOT NULL, facts TEXT NOT NULL, base INTEGER NOT NULL,
        first INTEGER NOT NULL, last INTEGER, began INTEGER, clock_set INTEGER,
        ended TEXT NOT NULL DEFAULT '', digest TEXT, head BLOB, totals TEXT
    );
    CREATE TABLE races (n INTEGER NOT NULL, place INTEGER NOT NULL, record TEXT NOT NULL, PRIMARY KEY (n, place));
    CREATE TABLE names (person TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE anchors (n INTEGER PRIMARY KEY, hash BLOB NOT NULL);
    PRAGMA user_version=1;
"""
TABLES = ("rows", "facts", "points", "games", "races", "names", "anchors")


def old_journal(path: Path) -> Evening:
    """A journal in the first schema, cut in the middle of a game; the evening that wrote it."""
    evening = Evening(path, 41)
    for _ in evening.play(25):
        pass
    evening.close()
    new = path.rename(path.with_name("new.db"))
    database = sqlite3.connect(path)
    database.executescript(FIRST + f"PRAGMA application_id={schema.APPLICATION}; PRAGMA journal_mode=WAL;")
    database.execute("ATTACH ? AS new", (str(new),))
    for table in TABLES:
        columns = ", ".join(row[1] for row in database.execute(f"PRAGMA main.table_info({table})"))
        database.execute(f"INSERT INTO main.{table} SELECT {columns} FROM new.{table}")
    database.commit()
    database.close()
    return evening


def shape(database: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    """Tables with their columns."""
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {name: database.execute(f"PRAGMA table_info({name})").fetchall() for name in tables}


def test_the_first_schema_is_what_it_was() -> None:
    then, now = sqlite3.connect(":memory:"), sqlite3.connect(":memory:")
    then.executescript(FIRST)
    now.executescript(schema.MIGRATIONS[0])
    assert shape(then) == shape(now)
    then.close()
    now.close()


def test_a_journal_of_the_first_schema_goes_on_in_the_middle_of_its_game(path: Path) -> None:
    first = old_journal(path)
    before = rows_of_old(path)
    second = Evening(path, 42, machine=Virtual(100_000_000_000, "boot-1"))
    assert second.recovered.faults == ()
    assert second.table.dump() == first.table.dump()
    second.go_on()
    second.play_out()
    second.close()
    assert rows_of(path)[: len(before)] == before
    with snapshot(path) as database:
        verifying.verify(database)
        assert verifying.verify_game(database, 1) > 0
        clocks = [reading.body_of(row) for row in rows_of(path) if row.kind == chain.CLOCK]
        kept = database.execute("SELECT origin, boot FROM clocks ORDER BY n").fetchall()
        assert kept == [(body["origin"], "boot-1") for body in clocks]


def rows_of_old(path: Path) -> list[chain.Row]:
    """The rows of a journal that has no packs yet."""
    database = sqlite3.connect(path)
    found = [chain.Row(*row) for row in database.execute(f"{reading.ROW} ORDER BY n")]
    database.close()
    return found


def test_looking_at_an_old_journal_does_not_change_it(path: Path) -> None:
    old_journal(path)
    with snapshot(path) as database:
        assert verifying.verify(database).first == 1
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA user_version").fetchone() == (1,)
    database.close()


def test_a_migration_that_fails_leaves_everything_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old_journal(path)
    before = rows_of_old(path)
    broken = (*schema.MIGRATIONS[:1], schema.MIGRATIONS[1] + "; INSERT INTO nowhere VALUES (1);")
    with monkeypatch.context() as patched:
        patched.setattr(schema, "MIGRATIONS", broken)
        with pytest.raises(Exception, match="nowhere"):
            Journal(path)
    assert rows_of_old(path) == before
    database = sqlite3.connect(path)
    assert set(shape(database)) == set(TABLES)
    database.close()
    Journal(path).close()
