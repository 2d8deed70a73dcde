"""`doubtable verify`: is everything there as it was written?"""

import sqlite3
from hashlib import sha256
from typing import NamedTuple

from doubtable.journal import chain, reading
from doubtable.journal.chain import Broken
from doubtable.journal.errors import BEGIN_ANEW, UNREADABLE
from doubtable.journal.replay import DAMAGED, Failure, replay

PROVES = (
    "This proves that no row of the journal is damaged, missing, added or moved since it was written.\n"
    "It does not prove that nobody with the file wrote all of it anew: for that, compare a game's code\n"
    "with the one that stood on the screen when it was over."
)

LATEST = (
    ("a game", "SELECT max(coalesce(last, first)) FROM games"),
    ("a checkpoint", "SELECT max(n) FROM points"),
    ("a race", "SELECT max(n) FROM races"),
)


class Wrong(Exception):
    """What does not fit, in one line."""


class NotOver(LookupError):
    """A game that is still on: no fault of the journal."""


class Verified(NamedTuple):
    """Rows ``first`` to ``last`` are whole. ``games``: those that ended in them, with the hashes of their ends."""

    first: int
    last: int
    games: tuple[tuple[int, bytes], ...]


class _Walk:
    """How far the rows are whole, and what they say of the games and checkpoints that are kept beside them."""

    def __init__(self) -> None:
        self.first, self.last, self.head = 1, 0, chain.FIRST
        self.games: list[tuple[int, int, bytes]] = []  # row, game, hash
        self.points: list[tuple[int, str]] = []  # row, hash of the state

    def go(self, database: sqlite3.Connection) -> None:
        """Row by row to the end. Raises Broken, or one of UNREADABLE, at the first that is damaged."""
        self.last, self.head = reading.begin_of(database)
        self.first = self.last + 1
        for row in reading.rows(database):
            self.head = chain.check([row], self.head, self.last)
            if row.kind == chain.OVER:
                self.games.append((row.n, int(reading.body_of(row)["game"]), row.hash))
            if row.kind == chain.POINT:
                self.points.append((row.n, reading.body_of(row)["state"]))
            self.last = row.n

    def compare(self, database: sqlite3.Connection) -> None:
        """Games and checkpoints with what the rows say of them. Raises Wrong, or one of UNREADABLE."""
        heads = dict(database.execute("SELECT id, head FROM games WHERE ended <> ''"))
        points = {n: sha256(state).hexdigest() for n, state in database.execute("SELECT n, state FROM points")}
        for n, game, head in self.games:
            if heads.get(game) != head:
                raise Wrong(f"row {n}: game {game} ends here with another hash than its own record says")
        for n, state in self.points:
            if points.get(n, "") not in ("", state):
                raise Wrong(f"row {n}: its checkpoint is another one than that which was written")
        for what, query in LATEST:
            (latest,) = database.execute(query).fetchone()
            if latest is not None and latest > self.last:
                raise Wrong(f"the rows end at {self.last}, but {what} belongs to row {latest}")

    def whole(self) -> str:
        """Which rows are whole, in words."""
        return "no row can be read" if self.last < self.first else f"rows {self.first} to {self.last} are whole"


def verify(database: sqlite3.Connection) -> Verified:
    """Check every row, and the games and checkpoints that are kept beside them. Raises Wrong at the first fault."""
    walk = _Walk()
    try:
        walk.go(database)
        walk.compare(database)
    except Broken as broken:
        raise Wrong(f"{broken}; {walk.whole()}; {BEGIN_ANEW}") from broken
    except UNREADABLE as error:
        raise Wrong(f"the file is damaged: {error}; {walk.whole()}; {BEGIN_ANEW}") from error
    return Verified(walk.first, walk.last, tuple((game, head) for _, game, head in walk.games))


def verify_game(database: sqlite3.Connection, game: int) -> int:
    """Play a recorded game again and compare its events with their digest; their rows' number. Raises Wrong, NotOver
    for a game that is still on, LookupError for one that is not there.
    """
    found = reading.game(database, game)
    if found.digest is None or found.last is None:
        raise NotOver(f"game {game} is not over yet, so there is nothing to compare it with")
    try:
        again = replay(database, found.point, found.last)
    except (Failure, Broken, *DAMAGED) as error:
        raise Wrong(f"game {game} cannot be played again: {error}") from error
    books = [each.game for each in again.ended if each.game.first == found.first]
    books += [again.book.game] if again.book.game is not None and again.book.game.first == found.first else []
    if not books or books[0].digest != found.digest:
        raise Wrong(
            f"game {game}: its events are not those that were recorded (a newer doubtable may decide otherwise)"
        )
    return found.last - found.first + 1
