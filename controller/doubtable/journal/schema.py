"""The journal's file: its tables, how an older one becomes a newer one, and how every connection is opened."""

import os
import sqlite3
from pathlib import Path

from doubtable.journal.errors import JournalError, no_journal

APPLICATION = 0x44425442  # "DBTB" in the file's header: ours and no other program's database
HEADER_VERSION, HEADER_APPLICATION = slice(60, 64), slice(68, 72)  # where SQLite keeps both, big-endian
HEADER = 100  # bytes of it
MAGIC = b"SQLite format 3"  # what every database of SQLite begins with
SYNCHRONOUS = "FULL"
BUSY = 5.0  # s that a connection waits for another one's write

# MIGRATIONS[v] leads from schema v to v + 1. What has been released is never changed here, only added to.
MIGRATIONS = (
    """
    -- The chain. kind, number, ns and body are what `hash` covers, with the hash of the row before.
    CREATE TABLE rows (
        n INTEGER PRIMARY KEY, kind TEXT NOT NULL, number INTEGER NOT NULL, ns INTEGER NOT NULL,
        body TEXT NOT NULL, hash BLOB NOT NULL
    );
    -- What a table is besides its state: seats as persons, times, deck, reader. By its hash.
    CREATE TABLE facts (id TEXT PRIMARY KEY, body TEXT NOT NULL);
    -- Checkpoints: state and book after row n, as compressed JSON.
    CREATE TABLE points (n INTEGER PRIMARY KEY, facts TEXT NOT NULL, state BLOB NOT NULL, book BLOB NOT NULL);
    -- Games and races are made from the chain's events. `base`: the checkpoint from which a replay comes to row
    -- `first`. `began`: wall time in ns since 1970; `clock_set`: whether the clock had been set by then.
    CREATE TABLE games (
        id INTEGER PRIMARY KEY, game TEXT NOT NULL, seats TEXT NOT NULL, facts TEXT NOT NULL, base INTEGER NOT NULL,
        first INTEGER NOT NULL, last INTEGER, began INTEGER, clock_set INTEGER,
        ended TEXT NOT NULL DEFAULT '', digest TEXT, head BLOB, totals TEXT
    );
    CREATE TABLE races (n INTEGER NOT NULL, place INTEGER NOT NULL, record TEXT NOT NULL, PRIMARY KEY (n, place));
    -- The only place where a name stands.
    CREATE TABLE names (person TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    -- The last hash of what has been thinned out.
    CREATE TABLE anchors (n INTEGER PRIMARY KEY, hash BLOB NOT NULL);
    """,
    """
    -- Which deck a game was played with: number of packs, and a name made from its tags; "" without tags.
    ALTER TABLE games ADD COLUMN deck TEXT NOT NULL DEFAULT '';
    -- Rows of games that are over, compressed. `before`: hash of the row before the first; `after`: of the last.
    CREATE TABLE packs (
        first INTEGER PRIMARY KEY, last INTEGER NOT NULL, before BLOB NOT NULL, after BLOB NOT NULL, body BLOB NOT NULL
    );
    -- What is looked up without unpacking: rows that do not count; how wall time follows from table time from row n on.
    CREATE TABLE stops (first INTEGER NOT NULL, last INTEGER NOT NULL, error TEXT NOT NULL);
    CREATE TABLE clocks (
        n INTEGER PRIMARY KEY, boot TEXT NOT NULL, origin INTEGER NOT NULL, offset INTEGER NOT NULL,
        is_set INTEGER NOT NULL
    );
    INSERT INTO stops
        SELECT json_extract(body, '$.first'), json_extract(body, '$.last'), json_extract(body, '$.error')
        FROM rows WHERE kind = 'skip';
    INSERT INTO clocks
        SELECT n, coalesce((SELECT json_extract(run.body, '$.boot') FROM rows AS run
            WHERE run.kind = 'run' AND run.n < rows.n ORDER BY run.n DESC LIMIT 1), ''),
            json_extract(body, '$.origin'), json_extract(body, '$.offset'), json_extract(body, '$.set')
        FROM rows WHERE kind = 'clock';
    """,
)
VERSION = len(MIGRATIONS)


def connect(path: Path, *, read_only: bool = False, alone: bool = False) -> sqlite3.Connection:
    """A connection on which every commit is on the disk before it is done. ``synchronous`` is not kept in the file.

    ``alone``: nobody writes meanwhile and there is no log, so nothing is made beside the file; for reading only.
    """
    mode = "ro&immutable=1" if alone else "ro" if read_only else "rwc"
    database = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=BUSY, check_same_thread=False
    )
    try:
        database.execute(f"PRAGMA synchronous={SYNCHRONOUS}")
    except BaseException:  # a file that is no database says so only now
        database.close()
        raise
    return database


def check_header(path: Path) -> None:
    """Look at the file's first bytes without opening it as a database, so that what is refused is left alone.

    Raises JournalError for another program's file and for a schema that is newer than this program's.
    """
    try:
        with path.open("rb") as file:
            header = file.read(HEADER)
    except FileNotFoundError:
        return
    except IsADirectoryError as error:
        raise JournalError(str(path), "it is a folder", "name the journal in it: journal.db", stops=False) from error
    except OSError as error:
        what = f"it cannot be read: {(error.strerror or str(error)).lower()}"
        raise JournalError(str(path), what, "look at the path, its owner and mode", stops=False) from error
    if header[:15] != MAGIC:
        return  # empty or damaged: the opening sees to it
    application = int.from_bytes(header[HEADER_APPLICATION], "big")
    version = int.from_bytes(header[HEADER_VERSION], "big")
    if application not in (0, APPLICATION):
        raise JournalError(str(path), "it is another program's database", "name another file under [journal] path")
    check_version(path, version)


def check_kind(path: Path) -> None:
    """check_header, and that the file is there, and is a database at all if it is not empty: SQLite takes a few bytes
    for a new one.
    """
    check_header(path)
    try:
        with path.open("rb") as file:
            beginning = file.read(HEADER)
    except FileNotFoundError as error:
        way_out = "name it with --journal, or the table's file with --config"
        raise JournalError(str(path), "there is no journal", way_out) from error
    if beginning and (len(beginning) < HEADER or not beginning.startswith(MAGIC)):
        raise no_journal(path)


def check_version(path: Path, version: int) -> None:
    """JournalError for a schema that is newer than this program's."""
    if version > VERSION:
        what = f"it was written by a newer doubtable (schema {version}, this one knows {VERSION}) and was left alone"
        raise JournalError(str(path), what, "update doubtable, or name another file under [journal] path")


def open_to_write(path: Path) -> sqlite3.Connection:
    """The journal's database, made or brought to this program's schema. Raises JournalError or sqlite3.Error."""
    check_header(path)
    is_new = not path.exists()
    database = connect(path)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        migrate(path, database)
    except BaseException:  # whatever it was: closed, and raised again
        database.close()
        raise
    if is_new:
        sync_folder(path.parent)
    return database


def migrate(path: Path, database: sqlite3.Connection) -> None:
    """Bring ``database`` (of ``path``) to this program's schema, all or nothing."""
    database.execute("BEGIN IMMEDIATE")
    try:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        check_version(path, version)
        for step in MIGRATIONS[version:]:
            for statement in _statements(step):
                database.execute(statement)
        if version < VERSION:
            database.execute(f"PRAGMA application_id={APPLICATION}")
            database.execute(f"PRAGMA user_version={VERSION}")
        database.execute("COMMIT")
    except BaseException:  # whatever it was: nothing of it stays, and it is raised again
        database.rollback()
        raise


def _statements(script: str) -> list[str]:
    """The statements of a script one by one: sqlite3's own executescript would commit between them."""
    lines = [line for line in script.splitlines() if not line.strip().startswith("--")]
    return [statement for statement in "\n".join(lines).split(";") if statement.strip()]


def sync_folder(folder: Path) -> None:
    """Make the names of new files in ``folder`` last: SQLite does so for its log, not for the database itself."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def keep_aside(path: Path) -> Path:
    """Give a damaged journal and its log another name; returns that of the journal."""
    number = next(each for each in range(1, 1_000_000) if not _aside(path, each).exists())
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.replace(_aside(path, number).with_name(_aside(path, number).name + suffix))
    sync_folder(path.parent)
    return _aside(path, number)


def _aside(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.damaged-{number}")
