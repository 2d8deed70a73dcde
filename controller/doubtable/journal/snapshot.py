"""A journal as it is at one moment, for whoever looks at it while a table may be writing: a copy by SQLite's backup.

The copy is SQLite's own temporary database: in memory while it is small, else a file that nobody sees. Nothing is
written to the journal, and an older schema is brought up to date in the copy.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from doubtable.journal import schema
from doubtable.journal.chain import Broken
from doubtable.journal.errors import UNREADABLE, unreadable


@contextmanager
def snapshot(path: Path) -> Iterator[sqlite3.Connection]:
    """A copy of the journal at ``path``. Raises JournalError for one that is not there, cannot be read, or turns out to
    be damaged while the copy is in use; chain.Broken goes through.
    """
    schema.check_kind(path)
    with closing(sqlite3.connect("", isolation_level=None)) as copy:
        try:
            with closing(_source(path)) as source:
                source.backup(copy)
            schema.migrate(path, copy)
            yield copy
        except Broken:
            raise
        except UNREADABLE as error:
            raise unreadable(path, error) from error


def _source(path: Path) -> sqlite3.Connection:
    """The journal, opened to read. With no log beside it no table is writing, and the database file alone is all there
    is: then nothing is made in its folder either, which may be somebody else's or read-only.
    """
    return schema.connect(path, read_only=True, alone=not path.with_name(path.name + "-wal").exists())
