"""`doubtable doctor --speed`: how fast this machine is at what a table does, in a few seconds.

No wires, no display and no table are needed, and nothing is changed: races are made up, pictures are drawn into memory,
and a file beside the journal is written and removed. What a figure must be stands in the limits below.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from msgspec.structs import replace

from doubtable.config import Config
from doubtable.doctor.findings import Finding
from doubtable.games.bare import RaceOnly
from doubtable.inputs import Edge, Time
from doubtable.table import Table
from doubtable.timing import MS, S, Timing

SEATS = 13
RACES = 20
LEAST_EDGES = 2_000  # a second: thirteen cheap switches that are slapped at once make some 500
MOST_PICTURE = 100.0  # ms: the eye takes what is later for a delay
MOST_CHANGE = 20.0  # ms
MOST_COMMIT = 250.0  # ms: after 500 the screen says NOT SAVED
COMMITS = 30
PAGE = 8192  # bytes of one commit

SLOW_DISK = "a better card (A2), or the journal on an SSD: the game never waits, but the screen will say NOT SAVED"
SLOW_MACHINE = "end other programs, look at supply and heat (doubtable doctor --only supply)"


def speed(config: Config) -> Iterator[Finding]:
    """A finding for each figure; "warning" where it is too slow to play well."""
    yield _edges()
    yield from _pictures(config.screen.size or (1024, 600))
    yield _commits(config.journal.parent)


def race(dice: Random) -> Iterator[Edge]:
    """Every seat slaps once within 0.3 s; each contact bounces four times as it closes and as it opens."""
    edges = []
    for seat in range(1, SEATS + 1):
        ns = S + dice.randrange(20 * MS, 320 * MS)
        for level in (1, 0):
            at = ns
            for bounce in range(9):
                edges.append((at, seat, level if bounce % 2 == 0 else 1 - level))
                at += dice.randrange(5_000, 300_000)
            ns += 120 * MS
    for number, (at, seat, level) in enumerate(sorted(edges), 1):
        yield Edge(at, seat, level, "gpio", number)


def play(edges: list[Edge]) -> int:
    """One race at a table of thirteen, time told every millisecond in which it has something to do: the doubter."""
    timing = Timing().for_seats(SEATS)
    table = Table(RaceOnly(tuple(range(1, SEATS + 1)), SEATS, {}, timing, 1, S), ("",) * SEATS, 1)
    told = table.feed(Time(S))
    read = S
    for edge in edges:
        if edge.ns >= read + MS:
            read = edge.ns // MS * MS
            due = table.deadline()
            if due is not None and due <= read:
                told += table.feed(Time(read))
        told += table.feed(edge)
    (doubter,) = (each.facts["seat"] for each in told if each.name == "doubt")
    return int(doubter)


def _edges() -> Finding:
    dice = Random(1)
    races = [list(race(dice)) for _ in range(RACES)]
    seconds = min(sum(_took(partial(play, each)) for each in races) for _ in range(3))
    count = round(sum(map(len, races)) / seconds)
    what = f"{count:,} edges a second through debounce, gestures and race, {SEATS} bouncing buttons"
    return _finding(what, "buttons", count >= LEAST_EDGES, f"{LEAST_EDGES:,} are enough", SLOW_MACHINE)


def _pictures(size: tuple[int, int]) -> Iterator[Finding]:
    from doubtable.screen.examples import NOW, examples, lay  # noqa: PLC0415 - imports pygame
    from doubtable.screen.picture import Picture  # noqa: PLC0415
    from doubtable.screen.sizes import Panel  # noqa: PLC0415
    from doubtable.screen.words import Words  # noqa: PLC0415
    from doubtable.view import StripView  # noqa: PLC0415

    picture = Picture(Panel(*size), Words())
    scenes = [(view, ns) for _, view, ns in examples(SEATS)]
    for view, ns in scenes:  # letters are rendered once and kept
        picture.show(view, ns)
    taken = []
    for view, ns in scenes:
        rounds = []
        for _ in range(3):
            picture.forget()
            rounds.append(_took(partial(picture.show, view, ns)) * 1e3)
        taken.append(min(rounds))
    wide = f"{size[0]}x{size[1]}, {SEATS} seats"
    what = f"{statistics.median(taken):.1f} ms to draw a whole picture, {max(taken):.1f} ms at most ({wide})"
    yield _finding(what, "picture", max(taken) <= MOST_PICTURE, f"{MOST_PICTURE:.0f} ms are enough", SLOW_MACHINE)
    changes = []
    for step in range(50):
        view = replace(lay(SEATS), strips=(StripView(1, ("-", "1", "2", "3", "4"), step % 5),))
        changes.append(_took(partial(picture.show, view, NOW)) * 1e3)
    change = statistics.median(changes)
    what = f"{change:.2f} ms to draw a change"
    yield _finding(what, "picture", change <= MOST_CHANGE, f"{MOST_CHANGE:.0f} ms are enough", SLOW_MACHINE)


def _commits(folder: Path) -> Finding:
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            taken = [_took(partial(_write, file.fileno())) * 1e3 for _ in range(COMMITS)]
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        return Finding("speed", "unknown", f"nothing could be written in {folder} ({why})", about="disk")
    what = f"{statistics.median(taken):.1f} ms until the disk has a commit, {max(taken):.1f} ms at most, in {folder}"
    return _finding(what, "disk", max(taken) <= MOST_COMMIT, f"{MOST_COMMIT:.0f} ms are enough", SLOW_DISK)


def _write(descriptor: int) -> None:
    os.write(descriptor, os.urandom(PAGE))
    os.fsync(descriptor)


def _took(work: Callable[[], object]) -> float:
    """Seconds that ``work`` takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _finding(what: str, about: str, good: bool, limit: str, todo: str) -> Finding:
    return Finding("speed", "ok" if good else "warning", f"{what}; {limit}", "" if good else todo, about)
