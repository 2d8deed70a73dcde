"""After a power cut: the table as it was, from the last checkpoint and the inputs after it.

Nothing goes on by itself. `recover` gives the table back as the cut left it, with a `Waiting` that shows it until
somebody holds a button: GO ON. Then the app feeds one restart, and the table's clock goes on after the gap.

A game that was left is never ended without a word: a table that begins anew though one could go on says so, or, where
its owner has not named a game to begin with, does not begin at all.

An input at which a replay fails twice would fail for ever. The table is then brought back to just before it; the inputs
from it on are kept in the journal but do not count, and the journal says why.
"""

import logging
import platform
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from doubtable import __version__
from doubtable.games import GAMES
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


class Asked(msgspec.Struct, frozen=True):
    """What whoever starts a table has asked for. A game that was left goes on only if it is all of that.

    ``game`` by its id, None: any. ``options``: the house options that it was dealt with. ``names``: who sits at the
    seats of a table of any size; (): a game goes on only at a table with as many seats as it had. ``ends``: a game that
    is something else may be ended for this table; else that is WouldEnd.
    """

    game: str | None = None
    options: Mapping[str, object] = {}
    names: tuple[str, ...] = ()
    ends: bool = True

    def is_met(self, table: Table, names: Sequence[str | None]) -> bool:
        """Whether ``table``, as it was left, is what was asked for and can go on with ``names`` at its seats."""
        setup = table.state.setup
        game = None if setup is None else setup.game
        known = {} if setup is None or game not in GAMES else GAMES[setup.game].options_known
        dealt = {name: option.default for name, option in known.items()} | ({} if setup is None else setup.options)
        return (
            len(names) == len(table.names)
            and self.game in (None, game)
            and all(name in dealt and dealt[name] == value for name, value in self.options.items())
        )


ANYTHING = Asked()


class WouldEnd(Exception):
    """A game that was left cannot go on at this table, and nobody has said that it may end: nothing was done."""

    def __init__(self, game: str, people: int) -> None:
        super().__init__(f"a game of {game} with {people} people would end")
        self.game, self.people = game, people


class Kept(NamedTuple):
    """A table with its journal, both for the app. ``waiting``: see Recovered."""

    journal: Journal | Unsaved
    table: Table
    waiting: Waiting | None


def keep(path: Path, table: Table, *, keep_days: int = 0, asked: Asked = ANYTHING) -> Kept:
    """Open the journal at ``path`` and take up what it knows, if it is what was ``asked`` for; what its owner must know
    is logged.

    A disk that does not work is no reason not to play: then nothing is saved, and the screen says so. Raises WouldEnd,
    or JournalError for a journal that another table writes, that is no journal, or that a newer program has written.
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
        found = recover(journal, table, asked=asked)
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


def recover(journal: Journal, table: Table, *, asked: Asked = ANYTHING) -> Recovered:
    """What ``journal`` knows of the table, if it is what was ``asked`` for, or ``table``, which begins anew; starts the
    journal's thread. Raises WouldEnd.

    A table that is gone on with keeps the facts that were recorded until its game is over; names, and between two games
    everything else, are those of ``table``.
    """
    database = journal.database
    replayed, last = replay_end(database), reading.last_clocks(database)
    faults, names, goes_on = _faults(journal, replayed), table.names, False
    if replayed is not None and _is_on(replayed, last, journal.clocks):
        seats = len(replayed.facts.seats)
        there = names if len(names) == seats else asked.names[:seats]
        goes_on = asked.is_met(replayed.table, there)
        names = there if goes_on else names
        faults += () if goes_on else _ended(replayed, asked)
    persons, waiting = _persons(database, names), None
    if replayed is None or not goes_on:
        facts = facts_of(table, persons)
    else:
        book, seated = replayed.book, tuple(persons[name] if name else name for name in names)
        as_recorded = book.game is not None or len(names) != len(table.names)
        facts = replace(replayed.facts, seats=seated) if as_recorded else facts_of(table, persons)
        table = table_at(facts, names, replayed.table.dump())
        waiting = Waiting(table, book.latest, last, journal.clocks)
    journal.start(partial(_begin, journal, replayed, facts, persons, table.dump(), waiting is not None))
    return Recovered(table, waiting, journal.committed, faults)


def _is_on(replayed: Replayed, last: Last | None, clocks: Clocks) -> bool:
    """Whether an evening was on when the journal ended, and not too long ago."""
    return replayed.book.deals > 0 and gap(last, replayed.book.latest, clocks, clocks.mono()) <= GO_ON_WITHIN


def _ended(replayed: Replayed, asked: Asked) -> tuple[str, ...]:
    """That the game that was on ends now; nothing between two games. Raises WouldEnd when it may not."""
    game, setup = replayed.book.game, replayed.table.state.setup
    if game is None or setup is None:
        return ()
    people = len(setup.seats)
    if not asked.ends:
        raise WouldEnd(setup.game, people)
    which = f"doubtable export --game {game.id}" if game.id else "doubtable export"
    return (f"the game of {setup.game} with {people} people that was left has ended; {which} has all of it",)


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
