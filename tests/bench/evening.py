"""replay: an evening played again, and a table brought back after a power cut.

growth: what an input costs at few seats and many, and with little and much in the journal.
"""

import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bench.figures import Bench, Figure, Goal, Row, at_most, figure, take_turns
from doubtable import tape
from doubtable.games.bare import Buttons
from doubtable.inputs import Edge, Input, Time
from doubtable.journal import Journal
from doubtable.recovery import recover
from doubtable.simulation import Simulation, simulated_table
from doubtable.table import Table
from doubtable.timing import MS, Timing

PEOPLE = 6
LATER = 5_000 * MS  # between two inputs that are written into a journal
FLAT = 1.5


class Evening(NamedTuple):
    """What was recorded: the tape's header line, and the inputs."""

    header: str
    inputs: tuple[Input, ...]

    def table(self) -> Table:
        """The table at the start of the evening."""
        return tape.table_of(tape.read([self.header]))


@cache
def evening(inputs: int, people: int = PEOPLE) -> Evening:
    """So many inputs of simulated people who play classic, deal after deal: bouncing edges, serial bytes, time."""
    lines: list[str] = []
    simulation = Simulation(simulated_table("classic", people), 1, record=lines.append, deals=10_000)
    with closing(simulation):
        while len(lines) <= inputs:
            simulation.step()
    rows = tape.read(lines[: inputs + 1]).rows
    return Evening(lines[0], tuple(row.given for row in rows if row.given is not None))


def replayed(played: Evening) -> float:
    """Seconds to feed the evening to a new table."""
    table = played.table()
    began = time.perf_counter()
    for each in played.inputs:
        table.feed(each)
    return time.perf_counter() - began


# A journal ---------------------------------------------------------------------------------------------------------


def journal_at(path: Path, table: Table) -> Journal:
    """A journal for ``table``, begun."""
    journal = Journal(path)
    recover(journal, table)
    journal.set_origin(0)
    return journal


def keep(journal: Journal, table: Table, first: int, inputs: Sequence[Input]) -> None:
    """Feed and write as the app does."""
    for number, each in enumerate(inputs, first):
        journal.take(number, each)
        events = table.feed(each)
        if journal.hear(number, events):
            journal.point(number, table.dump())


def recovered(path: Path, played: Evening) -> float:
    """Seconds until the table stands again as the journal has it."""
    began = time.perf_counter()
    journal = Journal(path)
    found = recover(journal, played.table())
    took = time.perf_counter() - began
    journal.close()
    assert found.number >= len(played.inputs)
    return took


def replay_row(bench: Bench) -> Row:
    """The row ``replay``."""
    count = bench.pick(4_000, 20_000)
    bench.say(f"playing an evening of {count} inputs")
    played = evening(count)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        table = played.table()
        with closing(journal_at(path, table)) as journal:
            keep(journal, table, 1, played.inputs)
        ways = {"replay": partial(replayed, played), "recovery": partial(recovered, path, played)}
        seconds = take_turns(bench, bench.pick(3, 7), ways)
    minutes = round(played.inputs[-1].ns / 60e9)
    return Row(
        name="replay",
        done=f"{count} inputs of {PEOPLE} simulated people who play classic deal after deal ({minutes} min by their"
        " clock): bouncing edges, bytes of the reader, levels, time. Replay feeds them all to a new table. Recovery"
        " opens the journal that they were written to, as after a power cut: from the last checkpoint on, at most 500"
        " inputs.",
        figures=(
            figure(f"an evening of {count} inputs", "s", seconds["replay"], at_most(1.0, "s")),
            figure("recovery from a checkpoint", "s", seconds["recovery"], at_most(0.3, "s")),
        ),
    )


# growth -------------------------------------------------------------------------------------------------------------


def filled(path: Path, played: Evening, count: int) -> int:
    """A journal with ``count`` inputs of single presses in it, and checkpoints; returns the last one's number."""
    table = played.table()
    with closing(journal_at(path, table)) as journal:
        state: dict[str, Any] = table.dump()
        for number in range(1, count + 1):
            journal.take(number, Edge(number * LATER, 1 + number % PEOPLE, number % 2))
            if journal.hear(number, []):
                journal.point(number, state)
        journal.flush()
        return journal.committed


def written(path: Path, played: Evening, inputs: Sequence[Input]) -> float:
    """Microseconds per input to play and write on in a copy of a journal, until the last one is on the disk."""
    table = played.table()
    journal = Journal(Path(shutil.copy(path, path.with_suffix(".copy"))))
    with closing(journal):
        recover(journal, table)
        journal.set_origin(0)
        first = journal.committed + 1
        began = time.perf_counter()
        keep(journal, table, first, inputs)
        journal.flush()
        return (time.perf_counter() - began) / len(inputs) * 1e6


def two_buttons(count: int) -> list[Input]:
    """``count`` inputs of two seats that tap in turn, with bounce, and of time that passes."""
    dice = Random(1)
    made: list[Input] = []
    ns = 0
    while len(made) < count:
        ns += 300 * MS
        seat = 1 + len(made) % 2
        for level, wait in ((1, 120 * MS), (0, 0)):
            at = ns
            for _ in range(dice.randrange(4)):
                made += [Edge(at, seat, level), Edge(at + 100_000, seat, 1 - level)]
                at += 200_000
            made += [Edge(at, seat, level), Time(at + 6 * MS)]
            ns += wait
    return made[:count]


def tapped(size: int, inputs: Sequence[Input]) -> float:
    """Microseconds per input of two buttons at a table of ``size`` seats."""
    seats = tuple(range(1, size + 1))
    table = Table(Buttons(seats, size, {}, Timing().for_seats(size)), ("",) * size, 1)
    began = time.perf_counter()
    for each in inputs:
        table.feed(each)
    return (time.perf_counter() - began) / len(inputs) * 1e6


def _flat(name: str, least: str, few: float, many: float) -> Figure:
    goal = Goal(f"flat: at most {FLAT:g} x", "ratio", most=FLAT)
    return figure(name, "us", many, goal, beside=f"ours {least}", theirs=few)


def _listed(values: Mapping[int, float]) -> str:
    return ", ".join(f"{key}: {value:.0f}" for key, value in values.items())


def _journals(bench: Bench, depths: Sequence[int], some: Sequence[Input], base: Evening) -> dict[int, float]:
    """Microseconds per input by how many stand in the journal already."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {depth: Path(folder) / f"{depth}.db" for depth in depths}
        for depth, path in paths.items():
            bench.say(f"a journal of {depth} inputs")
            filled(path, base, depth)
        ways = {str(depth): partial(written, path, base, some) for depth, path in paths.items()}
        taken = take_turns(bench, bench.pick(3, 7), ways)
    return {depth: taken[str(depth)] for depth in depths}


def growth_row(bench: Bench) -> Row:
    """The row ``growth``."""
    count, rounds = bench.pick(1_000, 6_000), bench.pick(3, 7)
    sizes = (3, 4, 6, 8, 10, 13)
    bench.say(f"playing evenings of {count} inputs at {', '.join(map(str, sizes))} seats")
    evenings = {size: evening(count, size) for size in sizes}
    taps = two_buttons(count)
    ways = {f"evening {size}": partial(replayed, played) for size, played in evenings.items()}
    ways |= {f"taps {size}": partial(tapped, size, taps) for size in (2, *sizes)}
    taken = take_turns(bench, rounds, ways)
    game = {size: taken[f"evening {size}"] / count * 1e6 for size in sizes}
    buttons = {size: taken[f"taps {size}"] for size in (2, *sizes)}
    depths = (10, 1_000, bench.pick(5_000, 100_000))
    some = evenings[PEOPLE].inputs[: bench.pick(500, 2_000)]
    journal = _journals(bench, depths, some, evenings[PEOPLE])
    return Row(
        name="growth",
        done=f"Two buttons: the same {count} edges and ticks of time, fed to tables of so many seats; us per input"
        f" {_listed(buttons)}. A game: {count} inputs of an evening of classic at each number of seats (more people do"
        f" other things), replayed; us per input {_listed(game)}. Journal: {len(some)} inputs played and written on in"
        f" a journal that holds so many, until all are on the disk; us per input {_listed(journal)}.",
        figures=(
            _flat("two buttons, at 13 seats", "at 2 seats", buttons[2], buttons[13]),
            _flat("a game of 13", "of 3", game[3], game[13]),
            _flat(f"with {depths[-1]} inputs in the journal", "with 10", journal[10], journal[depths[-1]]),
        ),
    )


rows = (replay_row, growth_row)
