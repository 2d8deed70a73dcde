"""commit: races decided while the disk is quick, and while every commit takes 150 ms."""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bench.figures import Bench, Goal, Row, figure
from doubtable.app import App
from doubtable.devices.ports import monotonic_clock
from doubtable.devices.simulated import SimulatedButtons, SimulatedLamps
from doubtable.events import Event
from doubtable.inputs import Do
from doubtable.journal import Journal
from doubtable.recovery import recover
from doubtable.simulation import simulated_table
from doubtable.timing import MS

PEOPLE, SLOW = 6, 0.15  # s
WITHIN = 10_000 * MS
REST = 30 * MS


class SlowDisk:
    """A database whose every commit takes so many seconds longer."""

    def __init__(self, database: Any, seconds: float) -> None:
        self._database, self._seconds = database, seconds
        self.commits = 0

    def execute(self, text: str, *values: Any) -> Any:
        if text == "COMMIT":
            self.commits += 1
            time.sleep(self._seconds)  # the slow disk that is measured
        return self._database.execute(text, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)


class Decided(NamedTuple):
    """A race: from the first stamp to the time of its decision (ns), and from there until the program knew."""

    after: int
    late: int


class Evening:
    """A table on the machine's own clock with a journal, at which races are run."""

    def __init__(self, path: Path, seconds: float) -> None:
        table = simulated_table("classic", PEOPLE)
        self.journal = Journal(path)
        self.disk = SlowDisk(self.journal.database, seconds)
        self.journal.database = self.disk  # type: ignore[assignment]
        found = recover(self.journal, table)
        seats = tuple(range(1, PEOPLE + 1))
        self.heard: list[tuple[Event, int]] = []
        self.buttons = SimulatedButtons(seats, self._deliver, clock=monotonic_clock, source="gpio", uncertainty=0)
        lamps = SimulatedLamps(seats)
        self.app = App(found.table, self.buttons, lamps, clock=monotonic_clock, heard=self._hear, journal=self.journal)
        lamps.start()
        self.buttons.start()

    def _deliver(self, given: Any) -> None:
        self.app.deliver(given)

    def _hear(self, events: list[Event], ns: int) -> None:
        self.heard += [(event, self.app.now()) for event in events]

    def until(self, wanted: Callable[[Event], bool]) -> tuple[Event, int]:
        """Run until such an event comes: the event, and when it came."""
        end = self.app.now() + WITHIN
        while self.app.now() < end:
            for event, ns in self.heard:
                if wanted(event):
                    self.heard.clear()
                    return event, ns
            self.app.step(self.app.wait_time(20 * MS))
        raise AssertionError("the table has not decided")

    def race(self, dice: Random) -> Decided:
        """A claim, two slaps that bounce, a decision; then the verdict by agreement."""
        claimant = self.app.table.fold.game.turn
        self.app.deliver(Do(monotonic_clock(), claimant, "claim", count=1))
        self.until(lambda each: each.name == "window" and each.facts["state"] == "open")
        others = [1 + (claimant + step) % PEOPLE for step in range(1, PEOPLE - 1)]
        start = monotonic_clock()
        for seat in dice.sample(others, 2):
            for step, down in enumerate((True, False, True)):
                self.buttons.press(seat, down, start + step * 200_000)
            start += dice.randrange(200_000, 3 * MS)
        doubt, ns = self.until(lambda each: each.name in ("doubt", "press_again"))
        record = doubt.facts["record"]
        for seat in others:
            self.buttons.press(seat, False, monotonic_clock())
        self.app.deliver(Do(monotonic_clock(), claimant, "give_in"))
        self.until(lambda each: each.name == "verdict")
        rested = self.app.now() + REST
        while self.app.now() < rested:  # a button that is down at the next claim would not count
            self.app.step(self.app.wait_time(5 * MS))
        return Decided(record.decided - min(each.ns for each in record.candidates), ns - record.decided)

    def close(self) -> None:
        self.app.close()


def races(count: int, seconds: float) -> tuple[list[Decided], int]:
    """``count`` races at a disk whose commits take so much longer, and how many commits there were."""
    dice = Random(1)
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(Path(folder) / "journal.db", seconds)
        try:
            return [evening.race(dice) for _ in range(count)], evening.disk.commits
        finally:
            evening.close()


def row(bench: Bench) -> Row:
    """The row."""
    count = bench.pick(4, 20)
    bench.say(f"{count} races with commits of 150 ms")
    slow, commits = races(count, SLOW)
    bench.say(f"{count} races with quick commits")
    quick, _ = races(count, 0)
    equal = Goal("equal", "ratio", least=1.0, most=1.0)
    return Row(
        name="commit",
        done=f"{count} races of two bouncing slaps each, on the machine's own clock with a journal on its disk; the"
        f" same again with a disk of which every commit takes 150 ms longer ({commits} commits). The first figure is"
        " the time of decision as the race record has it; the second is how much later the program knew; the third"
        " counts the races that were decided at another time after the first slap than with quick commits.",
        figures=(
            figure(
                "first slap to decision, by the stamps",
                "ms",
                statistics.median(each.after for each in slow) / MS,
                equal,
                beside="ours with quick commits",
                theirs=statistics.median(each.after for each in quick) / MS,
            ),
            figure(
                "decision to the program, median",
                "ms",
                statistics.median(each.late for each in slow) / MS,
                beside="ours with quick commits",
                theirs=statistics.median(each.late for each in quick) / MS,
            ),
            figure(
                "races with another time of decision",
                "",
                sum(each.after != other.after for each, other in zip(slow, quick, strict=True)),
                at_most_none(),
            ),
        ),
    )


def at_most_none() -> Goal:
    """Not one."""
    return Goal("none", most=0)
