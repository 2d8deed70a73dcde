"""The journal of a running table: one thread writes, the table never waits for it.

    App --take, hear, point--> queue --> thread: Scribe makes statements --> one transaction --> `committed`

Whatever has come while the disk was busy goes into the next transaction together. A transaction that fails is tried
again with the same statements until it holds, so every row stands once and in order.
"""

import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TypeVar

from doubtable.events import Event
from doubtable.inputs import Input
from doubtable.journal import packs, reading, schema, storage, thinning
from doubtable.journal.clock import Clocks, machine_clocks, wall_clock
from doubtable.journal.errors import JournalError
from doubtable.journal.facts import State
from doubtable.journal.lock import Lock
from doubtable.journal.reading import Race
from doubtable.journal.scribe import Scribe, Statement

log = logging.getLogger(__name__)

LINGER = 0.01  # s: what comes so soon after the first input goes into the same commit; a bouncing button is one write
RETRY = 1.0  # s between two tries of a commit that failed
LAST_TRIES = 3  # when the table ends while the disk refuses
POINT_EVERY = 500  # inputs
POINT_AT = ("deal", "over", "lobby")  # events after which there is a checkpoint
RACES_KEPT = 200  # in memory, for the screen and the attendant

T = TypeVar("T")
Work = Callable[[], None]
Opened = tuple[sqlite3.Connection, Scribe, list[Race]]


class Journal:
    """Owner of the file, its lock and its thread. All methods belong to the main thread and none waits for the disk.

    The attributes may be read from any thread: ``committed``, the number of the last input that is on the disk;
    ``fault``, why nothing is being saved, or ""; ``over``, the head hash of the game whose end is shown; ``races``, the
    newest races, the latest last. ``warning``: what the owner must know at the start.
    ``keep_days``: games that are older are thinned out; 0 keeps all.

    Raises JournalError for a file in use, of another program, or of a newer schema. A damaged file is kept aside.
    """

    def __init__(
        self,
        path: Path,
        *,
        keep_days: int = 0,
        clocks: Clocks | None = None,
        retry: float = RETRY,
        linger: float = LINGER,
    ) -> None:
        self.path = path
        self.clocks = clocks or machine_clocks()
        self.warning = storage.fault_here(path)
        self.fault = ""
        self._retry, self._linger, self._keep_days = retry, linger, keep_days
        schema.check_header(path)
        self._lock = Lock(path)
        with ExitStack() as undo:
            undo.callback(self._lock.close)
            self.database, self.scribe, races = self._open()  # both the thread's, once it is started
            undo.pop_all()
        self.races: tuple[Race, ...] = tuple(races)
        self.committed = self.scribe.number
        self.over: bytes | None = None
        self._pointed = self.committed
        self._origin: int | None = None
        # No SimpleQueue: up to CPython 3.12 a very short wait of one may never end (its get() takes a time that is over
        # meanwhile, which comes out below zero, for none).
        self._work: queue.Queue[Work | None] = queue.Queue()
        self._waiting: list[threading.Event] = []
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def _open(self) -> Opened:
        try:
            return open_journal(self.path)
        except sqlite3.Error as error:
            kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if kind not in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                what = f"it cannot be opened: {error}"
                raise JournalError(str(self.path), what, _way_out(kind), stops=False) from error
            aside = schema.keep_aside(self.path)
            self.warning = f"{self.path}: it is damaged ({error}); it was kept as {aside.name} and a new one begun"
            return open_journal(self.path)

    # What the table does --------------------------------------------------------------------------------------------

    def start(self, first: Work) -> None:
        """Start the thread with the work that a program's start makes for ``scribe``. Once."""
        self._work.put(first)
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def set_origin(self, origin: int) -> None:
        """Table time 0 is ``origin`` on the machine's monotonic clock (ns), from now on."""
        self._work.put(partial(self._set_origin, origin))

    def take(self, number: int, given: Input, *, quiet: bool = False) -> None:
        """Input ``number``, which the table is about to get. ``quiet``: time that passes and fires nothing."""
        self._work.put(partial(self.scribe.take, number, given, quiet=quiet))

    def hear(self, number: int, events: list[Event]) -> bool:
        """What came of input ``number``. True when the table's state is wanted now: see ``point``."""
        if events:
            self._work.put(partial(self.scribe.hear, events))
        return number - self._pointed >= POINT_EVERY or any(each.name in POINT_AT for each in events)

    def point(self, number: int, state: State) -> None:
        """The table's state after input ``number``: a checkpoint."""
        self._pointed = number
        self._work.put(partial(self.scribe.point, number, state))

    def flush(self, within: float = 60.0) -> bool:
        """Wait until all that came so far is committed, at most ``within`` s. The table itself never does."""
        done = threading.Event()
        self._work.put(partial(self._waiting.append, done))
        return done.wait(within)

    def close(self) -> None:
        """Write what is left, let file and lock go. May be called twice."""
        if self._thread is not None:
            self._closing.set()
            self._work.put(None)
            self._thread.join()
            self._thread = None
        self.database.close()
        self._lock.close()

    # The thread -----------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        goes_on = True
        while goes_on:
            goes_on = self._gather()
            if not self._commit_until_it_holds():
                log.error("%s: %s: the last %d rows are lost", self.path, self.fault, len(self.scribe.made))
                return
            if self.scribe.ended and self._work.empty():
                self._tidy()

    def _gather(self) -> bool:
        """Do the work that is there, and what comes within the linger; False after the last."""
        until: float | None = None
        while True:
            try:
                work = self._work.get(timeout=None if until is None else max(0.0, until - time.monotonic()))
            except queue.Empty:
                return True
            if work is None:
                return False
            if until is None:
                until = time.monotonic() + self._linger
                self._tell_time()
            work()

    def _set_origin(self, origin: int) -> None:
        self._origin = origin
        self._tell_time()

    def _tell_time(self) -> None:
        if self._origin is not None:
            self.scribe.clock(wall_clock(self.clocks, self._origin))

    def _commit_until_it_holds(self) -> bool:
        """False when the table has ended and the disk still refuses."""
        tries = LAST_TRIES
        while not self._commit():
            if not self._closing.wait(self._retry):
                continue
            tries -= 1
            if tries <= 0:
                return False
            time.sleep(self._retry)
        return True

    def _commit(self) -> bool:
        scribe = self.scribe
        try:
            if scribe.made:
                self._in_transaction(lambda: self._write(scribe.made))
        except sqlite3.Error as error:
            if not self.fault:
                log.warning("%s: not saved: %s", self.path, error)
            self.fault = str(error)
            return False
        if self.fault:
            log.warning("%s: saved again", self.path)
        self.fault = ""
        scribe.made.clear()
        self.races = (*self.races, *scribe.races)[-RACES_KEPT:]
        scribe.races.clear()
        self.over = scribe.over
        self.committed = scribe.number
        for each in self._waiting:
            each.set()
        self._waiting.clear()
        return True

    def _tidy(self) -> None:
        """Pack what is over and thin out what is old. What the disk refuses now waits for the end of the next game."""
        self.scribe.ended = False
        try:
            while self._in_transaction(lambda: packs.pack(self.database, self.scribe.book.point)):
                pass
            if self._keep_days:
                now, is_set = self.clocks.wall(), self.clocks.is_set()
                thinned = self._in_transaction(lambda: thinning.thin(self.database, now, is_set, self._keep_days))
                if thinned is not None:
                    self.scribe.thin(*thinned)
        except sqlite3.Error as error:
            log.warning("%s: old games were not packed: %s", self.path, error)
        self._commit_until_it_holds()

    def _in_transaction(self, work: Callable[[], T]) -> T:
        if self.database.in_transaction:  # left by a failure whose rollback failed too
            self.database.execute("ROLLBACK")
        self.database.execute("BEGIN IMMEDIATE")
        try:
            done = work()
            self.database.execute("COMMIT")
        except sqlite3.Error:
            if self.database.in_transaction:
                self.database.execute("ROLLBACK")
            raise
        return done

    def _write(self, statements: list[Statement]) -> None:
        for text, values in statements:
            self.database.execute(text, values)


def open_journal(path: Path) -> Opened:
    """The database, a scribe at the end of its chain, and the newest races. Raises JournalError or sqlite3.Error."""
    database = schema.open_to_write(path)
    try:
        n, head, number = reading.end_of(database)
        (games,) = database.execute("SELECT coalesce(max(id), 0) FROM games").fetchone()
        return database, Scribe(n, head, games, number), reading.races(database, RACES_KEPT, None)
    except BaseException:  # whatever it was: closed, and raised again
        database.close()
        raise


def _way_out(kind: int) -> str:
    if kind == sqlite3.SQLITE_FULL:
        return "the disk is full: make room and start again"
    if kind in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
        return "look at the folder's owner and mode, and whether it is read-only"
    return "look at the disk"
