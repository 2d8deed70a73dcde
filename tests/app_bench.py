"""An app on a clock that a test turns, with devices that a test plays: what the tests of the app share."""

from doubtable.app import App
from doubtable.devices.ports import DeviceError
from doubtable.devices.simulated import SimulatedLamps
from doubtable.events import Event
from doubtable.inputs import Edge, Input
from doubtable.simulation import simulated_table
from doubtable.timing import MS
from doubtable.view import View

START = 7_000 * MS  # what the machine's clock says when the table starts


class Clock:
    """ns that pass only when a test says so."""

    def __init__(self) -> None:
        self.ns = START

    def __call__(self) -> int:
        return self.ns


class Wires:
    """A button source in a test's hands: ``drained`` is how far it says it has been read."""

    warning = ""
    uncertainty = 0
    fault: DeviceError | None = None

    def __init__(self, name: str = "gpio") -> None:
        self.name = name
        self.drained = START
        self.levels_read = 0
        self.closed = 0
        self.broken = False

    def start(self) -> None:
        if self.broken:
            raise DeviceError(self.name, "not there", "plug it in")

    def close(self) -> None:
        self.closed += 1

    def read_levels(self) -> None:
        self.levels_read += 1

    def drained_to(self) -> int:
        return self.drained


class Watcher:
    """A screen that counts, and notes what the lamps showed when it was given a view."""

    def __init__(self, lamps: SimulatedLamps) -> None:
        self.lamps = lamps
        self.views: list[View] = []
        self.lit: list[frozenset[int]] = []
        self.closed = 0

    def show(self, view: View, ns: int) -> None:
        if not self.views or view is not self.views[-1]:
            self.views.append(view)
            self.lit.append(self.lamps.lit)

    def close(self) -> None:
        self.closed += 1


class Bench:
    """An app on a clock, with wires and a record of what was fed."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.wires = Wires()
        self.lamps = SimulatedLamps((1, 2, 3, 4), clock=self.clock)
        self.lamps.start()
        self.screen = Watcher(self.lamps)
        self.fed: list[str] = []
        self.events: list[Event] = []
        self.app = App(
            simulated_table("classic", 4),
            self.wires,
            self.lamps,
            clock=self.clock,
            screen=self.screen,
            heard=lambda events, ns: self.events.extend(events),
            record=self.fed.append,
        )

    def at(self, ms: int, drained: int | None = None) -> None:
        """It is so late, and the wires have been read up to ``drained`` ms."""
        self.clock.ns = START + ms * MS
        self.wires.drained = START + (ms if drained is None else drained) * MS
        self.app.step()

    def deliver(self, given: Input) -> None:
        self.app.deliver(given)


def edge(ms: int, seat: int, level: int) -> Edge:
    return Edge(START + ms * MS, seat, level)


def names(events: list[Event]) -> list[str]:
    return [each.name for each in events]
