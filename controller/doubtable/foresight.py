"""What the lamps will be when time alone does what is due next, worked out while the loop would sleep.

A press is one ``confirm`` ns after its stamp, and from its stamp on there is nothing to do but wait. The table comes
from its inputs alone, so a second one in the same state that is told of that time already says what the table itself
will say then, if nothing else is fed until then. When the time has come the lamps need only be switched.
"""

from typing import NamedTuple

from doubtable.inputs import Time
from doubtable.table import Table
from doubtable.view import lamp_on, lamps


class Foresight(NamedTuple):
    """Seat -> whether its lamp shines at ``due`` (ns), as long as no input comes before."""

    due: int
    lit: dict[int, bool]


def foresee(table: Table, due: int) -> Foresight:
    """The lamps at ``due``, the deadline of ``table``, which is left as it is."""
    twin = table.twin()
    twin.feed(Time(due))
    return Foresight(due, {seat: lamp_on(lamp, due) for seat, lamp in enumerate(lamps(twin, due), 1)})
