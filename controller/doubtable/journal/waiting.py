"""GO ON: a table that a power cut has stopped, until somebody wants to play on."""

from msgspec.structs import replace

from doubtable.events import Event
from doubtable.games.bare import Buttons
from doubtable.house import PARKED
from doubtable.inputs import Device, Do, Edge, Input, Levels, Restart, Source, Time
from doubtable.journal.clock import Clocks
from doubtable.journal.reading import Last
from doubtable.table import Table
from doubtable.timing import MS
from doubtable.view import OFF, PULSING, Text, View, look


def gap(last: Last | None, latest: int, clocks: Clocks, mono: int) -> int:
    """How long the table was off, in ns of whole ms: from its time ``latest`` to ``mono`` of this machine.

    Exact within one boot. Else by wall time, if that was set before and after and did not go back. Else only the time
    since the machine was switched on is known.
    """
    off = mono
    if last is not None and last.boot and last.boot == clocks.boot:
        off = mono - (last.wall.origin + latest)
    elif last is not None and last.wall.is_set and clocks.is_set():
        by_wall = clocks.wall() - (latest + last.wall.offset)
        off = by_wall if by_wall > 0 else mono
    return max(0, off) // MS * MS + MS


class Waiting:
    """A table that stands still as the cut left it, until a seated guest holds a button. Main thread only.

    Buttons are understood by the same code as in a game; nothing that happens here reaches the table but the devices
    that came or went meanwhile.
    """

    def __init__(self, table: Table, latest: int, last: Last | None, clocks: Clocks) -> None:
        self._table, self._latest, self._last, self._clocks = table, latest, last, clocks
        size = len(table.names)
        game = Buttons(tuple(range(1, size + 1)), size, {}, table.timing)
        self._buttons = Table(game, table.names, 1, habits=table.habits)
        self._devices: dict[str, Input] = {}

    def feed(self, given: Input) -> Event | None:
        """An input of a device, in the time of this start; returns the ``hold`` that goes on, or None."""
        if isinstance(given, Source):
            self._devices[f"source {given.source}"] = given
        if isinstance(given, Device):
            self._devices[f"device {given.device}"] = given
        if not isinstance(given, Edge | Levels | Source | Time):
            return None
        return next((each for each in self._buttons.feed(given) if each.name == "hold"), None)

    def deadline(self) -> int | None:
        """When it has to be told the time, in ns."""
        return self._buttons.deadline()

    def restart(self, mono: int) -> Restart:
        """The input with which the table goes on, at ``mono`` of this machine's clock."""
        return Restart(self._latest, gap(self._last, self._latest, self._clocks, mono))

    def before(self, on: int, seat: int) -> list[Input]:
        """What the table gets first at ``on``, its time after the restart: the latest word of each device that came or
        went meanwhile; and if it was paused or parked, ``seat`` ends that too: nobody says GO ON twice.
        """
        first = [replace(each, ns=on) for each in self._devices.values()]
        paused = self._table.fold.house.paused and seat in self._table.game.seats
        return [*first, Do(on, seat, "go_on")] if paused else first

    def view(self, number: int) -> View:
        """The table as it was, all lamps pulsing, and how it goes on."""
        view = look(self._table, self._latest, number)
        seats = tuple(replace(seat, lamp=PULSING if seat.occupied else OFF) for seat in view.seats)
        paused: tuple[str, Text, Text] = ("pause", ("PAUSE", {}), ("HOLD = GO ON", {}))
        scene, headline, help_line = PARKED if self._table.fold.house.parked else paused
        return replace(view, scene=scene, seats=seats, strips=(), headline=headline, help=help_line)
