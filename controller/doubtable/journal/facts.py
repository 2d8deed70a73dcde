"""What a table is besides its state, so that it can be replayed anywhere: seats, times, deck, reader, habits."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from doubtable.buttons.gestures import Habits
from doubtable.cards import Card
from doubtable.games.base import Setup
from doubtable.table import Table
from doubtable.timing import Timing

State = Mapping[str, Any]
"""What ``Table.dump`` gives."""


class Facts(msgspec.Struct, frozen=True):
    """Seats hold a person's id, "" for a seat nobody named, None for one where nobody sits. Names stand elsewhere."""

    seats: tuple[str | None, ...]
    timing: Timing
    cards: dict[str, Card]
    reader: str
    habits: tuple[Habits, ...]

    @property
    def id(self) -> str:
        return sha256(self.encode()).hexdigest()[:16]

    @property
    def deck(self) -> str:
        """The deck that the tags make: its packs and a name; "" for a table without tags."""
        if not self.cards:
            return ""
        packs = max(card.pack for card in self.cards.values())
        return f"{packs}-{sha256(' '.join(sorted(self.cards)).encode()).hexdigest()[:8]}"

    def encode(self) -> bytes:
        return msgspec.json.encode(self, order="deterministic")


def facts_of(table: Table, persons: Mapping[str, str]) -> Facts:
    """The facts of ``table``; ``persons`` maps names to ids."""
    seats = tuple(persons[name] if name else name for name in table.names)
    return Facts(seats, table.timing, dict(table.cards), table.reader.name, table.habits)


def decode(body: str | bytes) -> Facts:
    """The facts of their JSON."""
    return msgspec.json.decode(body, type=Facts)


def table_at(facts: Facts, names: Sequence[str | None], state: State) -> Table:
    """The table with these facts as it was when ``state`` was dumped. msgspec.ValidationError for a state that is none.

    A state from before the first input still has its opening to say, and that is its game's.
    """
    also: dict[str, Any] = {"cards": facts.cards, "reader": facts.reader, "habits": facts.habits}
    table = Table.evening(tuple(names), facts.timing, **also)
    setup = msgspec.convert(state["setup"], Setup)
    if not state["begun"] and setup.stage == "play":
        table = Table(table.game_for(setup), tuple(names), setup.dealer, **also)
    table.load(state)
    return table
