"""What can be wrong with a journal for its owner."""

import sqlite3
import zlib
from pathlib import Path

import msgspec

UNREADABLE = (sqlite3.Error, zlib.error, msgspec.MsgspecError, ValueError)
"""What the reading of a damaged file raises: SQLite's own, or that of what stands in a column."""

BEGIN_ANEW = "put a backup of it in its place, or let the table begin a new one: it keeps a damaged journal aside"
PAGES = slice(28, 32)  # of the file's header: how many pages the file has, big-endian
PAGE_SIZE = slice(16, 18)


class JournalError(Exception):
    """A journal that cannot be used: ``place`` (the file), ``what`` is wrong, ``way_out`` (what to do). One line.

    ``stops``: playing on would do harm or hide a mistake (another table writes it, another program's file, a newer
    schema). Otherwise it is the disk, and a table may play on without saving.
    """

    def __init__(self, place: str, what: str, way_out: str, *, stops: bool = True) -> None:
        super().__init__(f"{place}: {what}; {way_out}")
        self.place = place
        self.what = what
        self.way_out = way_out
        self.stops = stops


def no_journal(path: Path) -> JournalError:
    """The error for a file that is no database at all, as far as its beginning tells."""
    what = "it is no journal, or its beginning is damaged: it is not a database"
    return JournalError(str(path), what, "name the journal with --journal, or put a backup of it in its place")


def damaged(path: Path, why: object, way_out: str = BEGIN_ANEW) -> JournalError:
    """The error for a file that is damaged. ``why``: what the reading of it raised, or in words."""
    return JournalError(str(path), f"it is damaged: {why}", way_out)


def unreadable(path: Path, error: Exception) -> JournalError:
    """What is wrong with the file at ``path`` when it was read, or written, with ``error`` (one of UNREADABLE)."""
    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
    match kind:
        case sqlite3.SQLITE_NOTADB:
            return no_journal(path)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return JournalError(str(path), f"it is being written: {error}", "try again in a moment")
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_AUTH:
            return JournalError(str(path), f"it may not be used: {error}", "do this as the table's user or as root")
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
            return JournalError(str(path), f"the disk fails: {error}", "look whether it is full: df -h")
        case _:
            return damaged(path, _cut_off(path) or error)


def _cut_off(path: Path) -> str:
    """By how much a database is shorter than it says itself; "" when it is not, or when that cannot be told."""
    try:
        with path.open("rb") as file:
            header = file.read(100)
        there = path.stat().st_size
    except OSError:
        return ""
    size = int.from_bytes(header[PAGE_SIZE], "big")
    whole = int.from_bytes(header[PAGES], "big") * (1 << 16 if size == 1 else size)
    return f"cut off, {there} of {whole} bytes are there" if there < whole else ""
