"""`doubtable forget NAME`: the name goes, the games stay. Names stand in one table of the journal and nowhere else."""

import sqlite3
from contextlib import closing
from pathlib import Path

from doubtable.journal import schema
from doubtable.journal.errors import JournalError, unreadable


def forget(path: Path, name: str) -> bool:
    """Take ``name`` out of the journal, and out of what the file's free places still hold; False if it is not there.

    A table may be running meanwhile. Raises JournalError.
    """
    schema.check_kind(path)
    try:
        with closing(schema.open_to_write(path)) as database:
            database.execute("PRAGMA secure_delete=ON")
            gone = database.execute("DELETE FROM names WHERE name = ?", (name,)).rowcount > 0
            busy, _, _ = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:
        raise unreadable(path, error) from error
    if busy:
        what = "the name is out, but a copy of it stands in the log while others read the journal"
        raise JournalError(str(path), what, "call forget again in a moment")
    return gone
