"""`doubtable verify`: is everything there as it was written?"""

import sqlite3
from hashlib import sha256
from typing import NamedTuple

from doubtable.journal import chain, reading
from doubtable.journal.chain import Broken
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


class Verified(NamedTuple):
    """Rows ``first`` to ``last`` are whole. ``games``: those that ended in them, with the hashes of their ends."""

    first: int
    last: int
    games: tuple[tuple[int, bytes], ...]


def verify(database: sqlite3.Connection) -> Verified:
    """Check every row, and the games and checkpoints that are kept beside them. Raises Wrong at the first fault."""
    before, head = reading.begin_of(database)
    first, games, last = before + 1, [], before
    heads = dict(database.execute("SELECT id, head FROM games WHERE ended <> ''"))
    points = {n: sha256(state).hexdigest() for n, state in database.execute("SELECT n, state FROM points")}
    try:
        for row in reading.rows(database):
            head, last = chain.check([row], head, last), row.n
            if row.kind == chain.OVER:
                game = int(reading.body_of(row)["game"])
                if heads.get(game) != row.hash:
                    raise Wrong(f"row {row.n}: game {game} ends here with another hash than its own record says")
                games.append((game, row.hash))
            if row.kind == chain.POINT and points.get(row.n, "") not in ("", reading.body_of(row)["state"]):
                raise Wrong(f"row {row.n}: its checkpoint is another one than that which was written")
    except Broken as broken:
        raise Wrong(str(broken)) from broken
    for what, query in LATEST:
        (latest,) = database.execute(query).fetchone()
        if latest is not None and latest > last:
            raise Wrong(f"the rows end at {last}, but {what} belongs to row {latest}")
    return Verified(first, last, tuple(games))


def verify_game(database: sqlite3.Connection, game: int) -> int:
    """Play a recorded game again and compare its events with their digest; their rows' number. Raises Wrong."""
    found = reading.game(database, game)
    if found.digest is None or found.last is None:
        raise Wrong(f"game {game} is not over: it has no digest yet")
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
