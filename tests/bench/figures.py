"""What a row of the benchmark gives: figures with their goal, and how two ways are measured side by side.

Two ways that are compared take turns, so that whatever else the machine does slows both; the median of the rounds
counts.
"""

import statistics
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from bench.machine import Load


class PeerMissing(Exception):
    """What is measured beside us cannot be had here, and why."""


class Goal(msgspec.Struct, frozen=True):
    """What a figure is to be: ``most`` or ``least`` of ours, or of the ratio ours to theirs."""

    text: str = ""
    of: Literal["ours", "ratio"] = "ours"
    least: float | None = None
    most: float | None = None
    strictly: bool = False  # the limit itself is not enough

    def met(self, ours: float, ratio: float | None) -> bool | None:
        """Whether it is; None where there is nothing to be met, or nothing to compare with."""
        value = ours if self.of == "ours" else ratio
        if value is None or (self.least is None and self.most is None):
            return None
        if value in (self.least, self.most) and self.strictly:
            return False
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)


NO_GOAL = Goal()


def at_most(limit: float, unit: str) -> Goal:
    """Ours is at most ``limit``."""
    return Goal(f"{limit:g} {unit}", most=limit)


def times_at_most(limit: float) -> Goal:
    """Ours is at most ``limit`` times theirs."""
    return Goal(f"at most {limit:g} x", "ratio", most=limit)


def times_at_least(limit: float) -> Goal:
    """Ours is at least ``limit`` times theirs."""
    return Goal(f"{limit:g} x", "ratio", least=limit)


def more(text: str = "faster") -> Goal:
    """Ours is more than theirs."""
    return Goal(text, "ratio", least=1.0, strictly=True)


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the table. ``beside`` says with what ``ours`` is compared; ``ratio`` is ours / theirs.

    ``missing``: why there is no ``theirs`` although there should be one.
    """

    figure: str
    unit: str
    ours: float
    beside: str = ""
    theirs: float | None = None
    ratio: float | None = None
    goal: str = ""
    met: bool | None = None
    missing: str = ""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the benchmark: what was done, in sentences, and its figures. Filled in by the run: when, and where.

    ``virtual``: its clock counts instructions, so that the machine's load does not matter.
    """

    name: str
    done: str
    figures: tuple[Figure, ...]
    virtual: bool = False
    date: str = ""
    short: bool = False
    load: Load | None = None


class Bench(NamedTuple):
    """What a row measures with. ``say`` tells the person who waits; ``work`` is a folder for what is made."""

    short: bool
    say: Callable[[str], None]
    work: Path

    def pick(self, short: int, full: int) -> int:
        """How many of something: for the short form, or in full."""
        return short if self.short else full


def figure(
    name: str,
    unit: str,
    ours: float,
    goal: Goal = NO_GOAL,
    *,
    beside: str = "",
    theirs: float | None = None,
    missing: str = "",
) -> Figure:
    """A figure with its ratio and whether it is as it should be."""
    ratio = ours / theirs if theirs else None
    return Figure(
        figure=name,
        unit=unit,
        ours=ours,
        beside=beside,
        theirs=theirs,
        ratio=ratio,
        goal=goal.text,
        met=goal.met(ours, ratio),
        missing=missing,
    )


def take_turns(bench: Bench, rounds: int, ways: Mapping[str, Callable[[], float]]) -> dict[str, float]:
    """The median of ``rounds`` rounds of each way, every round all of them in turn."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(1, rounds + 1):
        bench.say(f"round {number} of {rounds}")
        for name, way in ways.items():
            taken[name].append(way())
    return {name: statistics.median(values) for name, values in taken.items()}
