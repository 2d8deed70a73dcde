"""draw: what the screen costs, in full, for one change, and when nothing happens, beside a plain loop."""

import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

os.environ["SDL_VIDEODRIVER"] = "dummy"  # the screen stays in memory; before pygame is imported

from msgspec.structs import replace

from bench.figures import Bench, Row, at_most, figure, take_turns
from bench.plain_loop import Plain
from bench.program import HERE, running_table
from doubtable.screen.display import Display
from doubtable.screen.examples import MS, NOW, examples, lay
from doubtable.screen.picture import Picture
from doubtable.screen.words import Words
from doubtable.view import StripView, View

SEATS, SIZE = 13, (1024, 600)
PLAIN = "a plain loop: one frame of the same size"


class Shown:
    """A picture and the display that shows it."""

    def __init__(self) -> None:
        self.display = Display(SIZE, 0, "dummy", full=False)
        self.display.attend(0)
        self.picture = Picture(self.display.panel, Words())

    def show(self, view: View, ns: int) -> float:
        """Milliseconds to bring picture and display up to a view."""
        began = time.perf_counter()
        changed = self.picture.show(view, ns)
        self.display.flip(self.picture.surface, changed, ns)
        return (time.perf_counter() - began) * 1e3


def in_full(shown: Shown) -> dict[str, float]:
    """Milliseconds for every scene, all of it painted anew."""
    taken = {}
    for name, view, ns in examples(SEATS):
        shown.picture.forget()
        taken[name] = shown.show(view, ns)
    return taken


def changes() -> Iterator[View]:
    """A cursor that moves on by one label, again and again."""
    for cursor in itertools.cycle(range(5)):
        yield replace(lay(SEATS), strips=(StripView(1, ("-", "1", "2", "3", "4"), cursor),))


def one_change(shown: Shown, views: Iterator[View], count: int) -> float:
    """The median of milliseconds for one change."""
    shown.show(next(views), NOW)
    return statistics.median(shown.show(next(views), NOW + step * MS) for step in range(count))


STILL = 6  # s after which a table that nobody touches is looked at less often


def idle(seconds: float) -> float:
    """Per cent of a processor that a table uses at which nobody does anything."""
    with tempfile.TemporaryDirectory() as folder, running_table(Path(folder)) as program:
        time.sleep(STILL)  # a real program in real time: that is what is measured
        before = program.used()
        time.sleep(seconds)  # what it uses meanwhile is the figure
        return 100 * (program.used() - before) / seconds


def plain_idle(seconds: float) -> float:
    """Per cent that the plain loop uses."""
    command = [sys.executable, str(HERE / "plain_loop.py"), str(seconds)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return float(done.stdout.split()[-1])


def row(bench: Bench) -> Row:
    """The row."""
    rounds, seconds = bench.pick(5, 15), bench.pick(2, 10)
    shown, views = Shown(), changes()
    plain = Plain()
    scenes: list[dict[str, float]] = []

    def plain_frame() -> float:
        began = time.perf_counter()
        plain.draw()
        return (time.perf_counter() - began) * 1e3

    def full() -> float:
        scenes.append(in_full(shown))
        return statistics.median(scenes[-1].values())

    in_full(shown)  # letters are rendered once and kept
    ways = {"full": full, "partial": lambda: one_change(shown, views, 20), "plain": plain_frame}
    taken = take_turns(bench, rounds, ways)
    each = {name: min(took[name] for took in scenes) for name in scenes[0]}
    slowest = max(each, key=lambda name: each[name])
    bench.say(f"idle for {seconds} s each")
    ours, theirs = idle(seconds), plain_idle(seconds)
    return Row(
        name="draw",
        done=f"1024x600, {SEATS} seats, SDL keeps the screen in memory. In full: all {len(each)} example scenes, each"
        " from nothing to the display, letters cached from the first time; the slowest scene by its quickest"
        " round. Partial: a cursor moves on by one label."
        f" Idle: {seconds} s of a running table whose turn nobody takes, from {STILL} s after its start on, lamp rhythm"
        " and journal included; the plain loop draws names, numbers, lamps and two lines of text 60 times a second.",
        figures=(
            figure("in full, median scene", "ms", taken["full"], at_most(4, "ms"), beside=PLAIN, theirs=taken["plain"]),
            figure(
                f"in full, slowest scene ({slowest})",
                "ms",
                each[slowest],
                at_most(4, "ms"),
                beside=PLAIN,
                theirs=taken["plain"],
            ),
            figure("one change", "ms", taken["partial"], at_most(0.5, "ms"), beside=PLAIN, theirs=taken["plain"]),
            figure("idle", "% CPU", ours, at_most(0.5, "% CPU"), beside="a plain 60 fps loop", theirs=theirs),
        ),
    )
