"""A table whose journal cannot be opened plays on, and its screen says NOT SAVED."""

from doubtable.events import Event
from doubtable.inputs import Input
from doubtable.journal.errors import JournalError
from doubtable.journal.facts import State
from doubtable.journal.reading import Race


class Unsaved:
    """In a journal's place: it keeps nothing and never says that anything is saved. ``fault``: why."""

    committed = -1
    over: bytes | None = None
    races: tuple[Race, ...] = ()

    def __init__(self, error: JournalError) -> None:
        self.fault = str(error)

    def set_origin(self, origin: int) -> None:
        """As Journal.set_origin."""

    def take(self, number: int, given: Input, *, quiet: bool = False) -> None:
        """As Journal.take."""

    def hear(self, number: int, events: list[Event]) -> bool:
        """As Journal.hear."""
        return False

    def point(self, number: int, state: State) -> None:
        """As Journal.point."""

    def close(self) -> None:
        """As Journal.close."""
