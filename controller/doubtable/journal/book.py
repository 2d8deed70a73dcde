"""What the journal remembers of the games while they are played. Part of every checkpoint, so a replay continues it.

A game lasts from the row whose events hold a ``deal`` to the one whose events hold its ``over``; the next deal, the
lobby, or a table that is not gone on with, cuts it off.
"""

from collections.abc import Iterable
from hashlib import sha256

import msgspec

from doubtable import tape
from doubtable.events import Event
from doubtable.inputs import Edge, Input, Restart
from doubtable.journal.totals import Totals

OVER, CUT = "over", "cut"
START = "0" * 64


class GameBook(msgspec.Struct):
    """The game that is on: its first row, the checkpoint before it, and the digest of its events so far (hex)."""

    first: int
    base: int
    digest: str = START
    totals: Totals = msgspec.field(default_factory=Totals)
    id: int = 0  # 0 until the game's row is written


class Ended(msgspec.Struct, frozen=True):
    """A game that ended with row ``last``; ``how`` is OVER or CUT."""

    game: GameBook
    last: int
    how: str


class Book(msgspec.Struct):
    """``latest``: the latest stamp (ns). ``deals`` of this evening. ``point``: row of the last checkpoint."""

    latest: int = 0
    deals: int = 0
    point: int = 0
    row: int = 0  # of the last input
    game: GameBook | None = None

    def take(self, row: int, given: Input) -> None:
        """An input, on row ``row``."""
        self.row = row
        self.latest = max(self.latest, given.ns) + (given.gap if isinstance(given, Restart) else 0)
        if self.game is not None and isinstance(given, Edge):
            self.game.totals.edge(given)

    def hear(self, events: Iterable[Event], before: int) -> list[Ended]:
        """What came of that input; ``before``: the row before it. Returns the games that ended by it."""
        events = list(events)
        names = {each.name for each in events}
        ended: list[Ended] = []
        if self.game is not None and names & {"deal", "lobby"}:
            ended.append(Ended(self.game, before, CUT))
            self.game = None
        if "deal" in names:
            self.deals += 1
            self.game = GameBook(self.row, self.point)
            self.game.totals.began = self.latest
        game = self.game
        if game is not None:
            game.digest = digest(game.digest, events)
            game.totals.hear(events)
            game.totals.ended = self.latest
            if "over" in names:
                ended.append(Ended(game, self.row, OVER))
                self.game = None
        return ended

    def cut(self) -> list[Ended]:
        """Nobody goes on with the game that is on."""
        ended = [] if self.game is None else [Ended(self.game, self.row, CUT)]
        self.game = None
        return ended


def digest(before: str, events: Iterable[Event]) -> str:
    """The digest of an event stream, continued: each event's line with the digest of those before it."""
    for each in events:
        before = sha256((before + tape.event_line(each)).encode()).hexdigest()
    return before
