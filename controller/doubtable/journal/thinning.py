"""Games older than the owner wants to keep: their rows go, their sums stay, and so does the hash of the last row."""

import sqlite3
from typing import NamedTuple

from doubtable.timing import S

DAY = 86_400 * S
ALWAYS_KEPT = 50  # games: a clock that was set wrong must not empty the journal
# The newest game that is known to be old; those before it are older still, whatever their clock said.
NEWEST_OLD = """
    SELECT max(id) FROM games
    WHERE clock_set = ? AND began < ? AND ended <> '' AND id <= (SELECT max(id) FROM games) - ?
"""


class Thinned(NamedTuple):
    """The last row that is gone, and its hash."""

    upto: int
    head: bytes


def thin(database: sqlite3.Connection, now: int, is_set: bool, days: int) -> Thinned | None:
    """Take out whole packs of games that began more than ``days`` before ``now`` (ns since 1970); None: there are none.

    Times are compared only when both clocks were set, or neither: a clock that nobody sets stands still while the table
    is off, so the days that it counts are days at least. A game stays with everything from the checkpoint on at which
    its replay begins. Inside a transaction of the caller's.
    """
    (old,) = database.execute(NEWEST_OLD, (is_set, now - days * DAY, ALWAYS_KEPT)).fetchone()
    if old is None:
        return None
    kept = database.execute("SELECT min(base) FROM games WHERE id > ?", (old,)).fetchone()
    gone = database.execute("SELECT last, after FROM packs WHERE last <= ? ORDER BY last DESC LIMIT 1", kept).fetchone()
    if gone is None:
        return None
    upto, head = gone
    database.execute("DELETE FROM packs WHERE last <= ?", (upto,))
    database.execute("DELETE FROM races WHERE n <= ?", (upto,))
    database.execute("DELETE FROM stops WHERE last <= ?", (upto,))
    database.execute("DELETE FROM clocks WHERE n < (SELECT max(n) FROM clocks WHERE n <= ?)", (upto,))
    database.execute("UPDATE games SET facts = '' WHERE first <= ?", (upto,))
    database.execute("DELETE FROM points WHERE n <= ? AND n NOT IN (SELECT base FROM games WHERE facts <> '')", (upto,))
    database.execute("DELETE FROM facts WHERE id NOT IN (SELECT facts FROM games UNION SELECT facts FROM points)")
    database.execute("INSERT OR REPLACE INTO anchors (n, hash) VALUES (?, ?)", (upto, head))
    return Thinned(upto, head)
