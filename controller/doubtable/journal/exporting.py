"""A game of the journal as a tape: it replays to the same events, byte for byte, on any machine."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from doubtable import tape
from doubtable.buttons.gestures import Habits
from doubtable.journal import reading
from doubtable.journal.facts import table_at
from doubtable.table import Table

HeaderOf = Callable[[Table], dict[str, Any]]


def lines(database: sqlite3.Connection, game: int, header_of: HeaderOf, *, anonymous: bool = False) -> Iterator[str]:
    """The lines of game ``game``'s tape, from the checkpoint before its deal to its last row.

    ``header_of`` gives the header of a tape that begins at a table. Raises LookupError for a game that is not there.
    """
    found = reading.game(database, game)
    facts = reading.facts_with(database, found.facts)
    names = seat_names(facts.seats, {} if anonymous else reading.persons(database))
    state = reading.state_of(found.point)
    about = f"game {game} of a journal, from row {found.point.n + 1}"
    yield tape.header_line({"about": about, **header(table_at(facts, names, state), header_of)})
    for row in reading.counting_inputs(database, found.point.n, found.last):
        yield row.body


def header(table: Table, header_of: HeaderOf) -> dict[str, Any]:
    """The header of a tape that begins at ``table`` as it is now: a deal that has not begun is a tape's usual start,
    anything else is said by the whole state.
    """
    made: dict[str, Any] = header_of(table)
    if any(habit != Habits() for habit in table.habits):
        made["habits"] = msgspec.to_builtins(table.habits)
    setup = table.state.setup
    if setup is None or (not table.state.begun and setup.stage == "play"):
        return made
    return made | {"game": setup.game, "dealer": setup.dealer, "state": table.dump()}


def seat_names(seats: Sequence[str | None], persons: Mapping[str, str]) -> tuple[str | None, ...]:
    """Names for persons, seat 1 first: a person without a name is its seat; None and "" stay what they are."""
    return tuple(person and persons.get(person, f"Seat {seat}") for seat, person in enumerate(seats, 1))
