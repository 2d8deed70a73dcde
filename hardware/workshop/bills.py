"""The bill of materials of a build: how many of which part, what it costs, what to take instead."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from workshop.builds import Build
from workshop.from_files import Lists
from workshop.layout import screen_inches
from workshop.wires import metres

GROUPS = ("controller", "board", "seat", "cable", "power", "reader", "cards", "screen", "print")
PER_SEAT_PRINTS = ("pod-collar", "pod-floor", "bezel", "card-groove")
TABLE_PRINTS = ("reader-tray", "reader-lid", "claim-frame")
TAGS = {"rdm6300": "em4100", "pn532": "ntag213"}


@dataclass(frozen=True)
class Item:
    """A line of the bill. ``eur`` is the price of one; ``count`` may be metres or kilograms."""

    key: str
    group: str
    name: str
    count: float
    eur: float
    instead: str

    @property
    def total(self) -> float:
        return round(self.count * self.eur, 2)


def packs(seats: int) -> int:
    """Decks of cards: two from six players."""
    return 1 if seats <= 5 else 2


def bill(build: Build, lists: Lists, grams: Mapping[str, float]) -> list[Item]:
    """All lines, by group. ``grams``: what each printed part weighs."""
    items = []
    for key, count in _counts(build, lists, grams):
        part = lists.part(key)
        items.append(Item(key, part["group"], part["name"], count, part["eur"], part["instead"]))
    return sorted(items, key=lambda item: GROUPS.index(item.group))


def total(items: list[Item]) -> float:
    return round(sum(item.total for item in items), 2)


def _counts(build: Build, lists: Lists, grams: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    choices, seats = lists.of_plan(build.plan), len(build.seats)
    yield from (("pi4", 1), ("pi-supply", 1), ("sd", 1), ("box", 1))
    yield from _panel() if build.registers else [("ribbon40", 1)]
    yield from _board(build, choices["driver"])
    yield choices["button"], seats
    yield "lugs", seats
    yield "cable3", math.ceil(metres(build) * 1.1)
    if build.lamp.volts == 12:
        yield from (("supply12", 1), ("fuse", 1), ("power-strip", 1))
    yield from _reader(build)
    yield from (("cards", packs(seats)), (TAGS[build.reader], packs(seats)), ("sleeves", packs(seats)))
    inches = screen_inches(seats)
    yield f"screen{inches}", 1
    if inches > 7:
        yield "hdmi", 1
    yield from (("speaker", 1), ("screws", 1), ("small-screws", 1), ("tape", 1))
    yield "filament", math.ceil(filament_kg(seats, grams))


def _panel() -> Iterator[tuple[str, float]]:
    yield from (("pico", 1), ("usb-cable", 1), ("headers20", 2), ("hc595", 2))


def _board(build: Build, driver: str) -> Iterator[tuple[str, float]]:
    seats = len(build.seats)
    yield from (("perfboard", 1 if seats <= 8 else 2), ("r1k", seats), ("r330", seats))
    registers = 2 if build.registers else 0
    filtered = seats if build.seats[0].circuit.filtered else 0
    if filtered or registers:
        yield "c100n", filtered + registers  # a register has one across its supply
    if filtered:
        yield "bat85", 2 * seats
    yield driver, build.driver_chips
    yield "ic-sockets", build.driver_chips + registers
    yield "terminal3", seats + (1 if build.lamp.volts == 12 else 0) + (1 if _on_uart(build) else 0)


def _on_uart(build: Build) -> bool:
    return any(link.line is not None for link in build.links)


def _reader(build: Build) -> Iterator[tuple[str, float]]:
    yield build.reader, 1
    if not _on_uart(build):
        yield "usb-serial", 1
    elif build.reader == "rdm6300":
        yield from (("r6k8", 1), ("r10k", 1))


def filament_kg(seats: int, grams: Mapping[str, float]) -> float:
    """At most: every part filled solid. Common settings take two thirds of it."""
    every_seat = seats * sum(grams[name] for name in PER_SEAT_PRINTS)
    return (every_seat + sum(grams[name] for name in TABLE_PRINTS)) / 1000
