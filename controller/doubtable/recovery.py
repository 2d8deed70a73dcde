"""After a power cut: the table as it was, from the last checkpoint and the inputs after it.

Nothing goes on by itself. `recover` gives the table back as the cut left it, with a `Waiting` that shows it until
somebody holds a button: GO ON. Then the app feeds one restart, and the table's clock goes on after the gap.

An input at which a replay fails twice would fail for ever. The table is then brought back to just before it; the inputs
from it on are kept in the journal but do not count, and the journal says why.
"""

import logging
import platform
import sqlite3
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from doubtable import __version__
from doubtable.journal import Journal, JournalError, Unsaved, reading, schema
from doubtable.journal.book import Book, Ended
from doubtable.journal.clock import Clocks
from doubtable.journal.facts import Facts, State, facts_of, table_at
from doubtable.journal.reading import Last
from doubtable.journal.replay import Replayed, replay_end
from doubtable.journal.scribe import new_person
from doubtable.journal.waiting import Waiting, gap
from doubtable.table import Table
from doubtable.timing import S

GO_ON_WITHIN = 12 * 3600 * S  # an evening that was left longer ago is over


log = logging.getLogger(__name__)


class Kept(NamedTuple):
    """A table with its journal, both for the app. ``waiting``: see Recovered."""

    journal: Journal | Unsaved
    table: Table
    waiting: Waiting | None


def keep(path: Path, table: Table, *, keep_days: int = 0, only: str | None = None) -> Kept:
    """Open the journal at ``path`` and take up what it knows; what its owner must know is logged. ``only``: see
    ``recover``.

    A disk that does not work is no reason not to play: then nothing is saved, and the screen says so. Raises
    JournalError for a journal that another table writes, that is no journal, or that a newer program has written.
    """
    try:
        _make_folder(path.parent)
        journal = Journal(path, keep_days=keep_days)
    except JournalError as error:
        if error.stops:
            raise
        log.error("nothing is saved: %s", error)
        return Kept(Unsaved(error), table, None)
    try:
        found = recover(journal, table, only=only)
    except BaseException:  # whatever it was: closed, and raised again
        journal.close()
        raise
    for fault in found.faults:
        log.warning("%s", fault)
    return Kept(journal, found.table, found.waiting)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"the journal's folder cannot be made: {(error.strerror or str(error)).lower()}"
        way_out = "name a folder that can be written with state or journal.path"
        raise JournalError(str(folder), what, way_out, stops=False) from error


class Recovered(NamedTuple):
    """The table to play on, and the number of its last input. ``faults``: what its owner must know.

    ``waiting``: it was cut off, and GO ON is offered; None for a table that begins anew.
    """

    table: Table
    waiting: Waiting | None
    number: int
    faults: tuple[str, ...]


def recover(journal: Journal, table: Table, *, only: str | None = None) -> Recovered:
    """What ``journal`` knows of the table, or ``table``, which begins anew; starts the journal's thread. With ``only``
    no game but that one is gone on with.

    A table that is gone on with keeps the facts that were recorded until its game is over; names, and between two games
    everything else, are those of ``table``.
    """
    database = journal.database
    persons = _persons(database, table.names)
    facts, book = facts_of(table, persons), Book()
    replayed, last = replay_end(database), reading.last_clocks(database)
    waiting = None
    if replayed is not None and _goes_on(replayed, table, last, journal.clocks, only):
        book = replayed.book
        facts = replace(replayed.facts, seats=facts.seats) if book.game is not None else facts
        table = table_at(facts, table.names, replayed.table.dump())
        waiting = Waiting(table, book.latest, last, journal.clocks)
    faults = _faults(journal, replayed)
    journal.start(partial(_begin, journal, replayed, facts, persons, table.dump(), waiting is not None))
    return Recovered(table, waiting, journal.committed, faults)


def _persons(database: sqlite3.Connection, names: Iterable[str | None]) -> dict[str, str]:
    """Name -> person, for all these names; a new name gets a random one."""
    known = {name: person for person, name in reading.persons(database).items()}
    return {name: known.get(name) or new_person() for name in names if name}


def _faults(journal: Journal, replayed: Replayed | None) -> tuple[str, ...]:
    faults = [journal.warning] if journal.warning else []
    if replayed is not None and replayed.failed is not None:
        row, why = replayed.failed
        faults.append(f"{journal.path}: row {row} cannot be replayed ({why}): the table goes on before it")
    return tuple(faults)


def _begin(
    journal: Journal,
    replayed: Replayed | None,
    facts: Facts,
    persons: Mapping[str, str],
    state: State,
    goes_on: bool,
) -> None:
    """What a program's start writes: what the last one had no time for, and a checkpoint. In the journal's thread."""
    scribe, clocks = journal.scribe, journal.clocks
    ended: list[Ended] = []
    if replayed is not None:
        scribe.book = replayed.book
        if replayed.failed is not None:
            scribe.skip(*replayed.failed)
        known = reading.ended_games(journal.database)
        ended = [each for each in replayed.ended if each.game.id not in known]
        ended += [] if goes_on else replayed.book.cut()
        scribe.races_again(replayed.races)
        scribe.book = replayed.book if goes_on else Book()
    body = {
        "boot": clocks.boot,
        "wall": clocks.wall(),
        "set": clocks.is_set(),
        "mono": clocks.mono(),
        "goes_on": goes_on,
        "versions": {
            "doubtable": __version__,
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
            "schema": schema.VERSION,
        },
    }
    scribe.run(facts, persons, body, ended)
    if not goes_on:
        scribe.over = None
    elif scribe.book.game is None:
        scribe.over = scribe.over or reading.last_head(journal.database)
    scribe.point(scribe.number, state)


def _goes_on(replayed: Replayed, table: Table, last: Last | None, clocks: Clocks, only: str | None) -> bool:
    """Whether GO ON is offered: an evening was on, at the same seats, and not too long ago."""
    setup = replayed.table.state.setup
    same = len(replayed.facts.seats) == len(table.names) and only in (None, setup and setup.game)
    return same and replayed.book.deals > 0 and gap(last, replayed.book.latest, clocks, clocks.mono()) <= GO_ON_WITHIN
