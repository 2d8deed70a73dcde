"""The wire list: every cable of a build outside the box, its cores, and how long to cut it."""

from collections.abc import Iterator
from dataclasses import dataclass

from workshop.builds import Build, Seat

CORE_MM2 = 0.25
SUPPLY_MM2 = 0.75
READER_M = 0.5
SUPPLY_M = 1.5


@dataclass(frozen=True)
class End:
    """Where a cable ends: its short name and what it is."""

    name: str
    what: str


@dataclass(frozen=True)
class Core:
    carries: str
    colour: str
    start_pole: str
    end_pole: str


@dataclass(frozen=True)
class Cable:
    """One cable. Poles are the terminals at either end, in their order."""

    name: str
    kind: str
    metres: float
    mm2: float
    start: End
    start_poles: tuple[str, ...]
    end: End
    end_poles: tuple[str, ...]
    cores: tuple[Core, ...]


def cables(build: Build) -> Iterator[Cable]:
    """All cables, the seats' first."""
    for seat in build.seats:
        yield _seat_cable(build, seat)
    if any(link.line is not None for link in build.links):
        yield _reader_cable(build)
    if any(supply.rail == "12 V" for supply in build.supplies):
        yield _supply_cable()


def _seat_cable(build: Build, seat: Seat) -> Cable:
    at_board = tuple(build.cores)
    at_seat = {"button": "switch NO", "lamp": "lamp +", "ground": "switch COM and lamp -"}
    return Cable(
        name=f"W{seat.number}",
        kind=f"control cable, {len(build.cores)} cores",
        metres=seat.cable_m,
        mm2=CORE_MM2,
        start=End(f"T{seat.number}", "terminal on the seat board"),
        start_poles=at_board,
        end=End(f"Seat {seat.number}", "button"),
        end_poles=tuple(at_seat[carries] for carries in at_board),
        cores=tuple(Core(carries, colour, carries, at_seat[carries]) for carries, colour in build.cores.items()),
    )


def _reader_cable(build: Build) -> Cable:
    """On the header's serial port; a reader on USB comes with its cable."""
    if build.reader == "pn532":
        supply, wires = "3.3 V", [("data out", "green"), ("data in", "blue")]
    else:
        supply, wires = "5 V", [("data out", "green")]
    poles = [(supply, "red"), ("ground", "black"), *wires]
    at_reader = {supply: "VCC", "ground": "GND", "data out": "TX", "data in": "RX"}
    return Cable(
        name="WR",
        kind="reader cable",
        metres=READER_M,
        mm2=CORE_MM2,
        start=End("TR", "terminal on the seat board"),
        start_poles=tuple(pole for pole, _ in poles),
        end=End("Reader", build.reader.upper()),
        end_poles=tuple(at_reader[pole] for pole, _ in poles),
        cores=tuple(Core(pole, colour, pole, at_reader[pole]) for pole, colour in poles),
    )


def _supply_cable() -> Cable:
    return Cable(
        name="WL",
        kind="from the plug supply",
        metres=SUPPLY_M,
        mm2=SUPPLY_MM2,
        start=End("TL", "terminal on the seat board, after the fuse"),
        start_poles=("+12 V", "ground"),
        end=End("Supply", "plug supply 12 V, 2 A"),
        end_poles=("+", "-"),
        cores=(Core("+12 V", "red", "+12 V", "+"), Core("ground", "black", "ground", "-")),
    )


HEADING = ("cable", "core", "colour", "mm2", "from", "pole", "to", "pole there", "cut to (m)")


def rows(build: Build) -> Iterator[tuple[str, ...]]:
    """The wire list, a row for each core, under HEADING."""
    for cable in cables(build):
        for core in cable.cores:
            yield (
                cable.name,
                core.carries,
                core.colour,
                f"{cable.mm2:g}",
                cable.start.name,
                core.start_pole,
                cable.end.name,
                core.end_pole,
                f"{cable.metres:.1f}",
            )


def metres(build: Build) -> float:
    """Seat cable to buy, all seats together."""
    return round(sum(seat.cable_m for seat in build.seats), 1)
