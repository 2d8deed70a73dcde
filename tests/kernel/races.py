"""Who pressed first? ``python -m kernel.races WAY COUNT SEED BOUNCES`` plays races and reads them in one way.

``stamps`` is ours: the button source named gpio, in order of stamps. ``when_pressed`` is what one writes with
gpiozero: who calls back first was first. ``bounce_time`` is that with gpiozero's debounce, ``fallback`` is our source
named gpiozero.
The result is one JSON object.
"""

import itertools
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from gpiozero import Button
from gpiozero.pins.lgpio import LGPIOFactory

from doubtable.devices.fallback_buttons import GpiozeroButtons
from doubtable.devices.gpio import GpioButtons
from doubtable.devices.pins import Pins
from doubtable.devices.ports import ButtonSource, Deliver
from doubtable.inputs import Edge, Input
from kernel.hands import Move, make_race
from kernel.sim import BUTTONS, PI4, SimChip


class Seen(NamedTuple):
    """A press as a way has it: the ns that it goes by, its number or arrival, who, and the ns at which it was there."""

    ns: int
    number: int
    seat: int
    arrived: int


class Result(NamedTuple):
    """What a way made of the races. Delays are from the contact to the program."""

    races: int
    wrong_first: int
    wrong_order: int
    missing: int
    inversions: int  # presses that arrived after a later one
    delay_median_us: float
    delay_p99_us: float
    delay_most_us: float
    stamp_off_most_us: float
    closest_us: float


@contextmanager
def source_way(make: Callable[[Deliver], ButtonSource]) -> Iterator[list[Seen]]:
    seen: list[Seen] = []

    def deliver(put: Input) -> None:
        if isinstance(put, Edge) and put.level:
            seen.append(Seen(put.ns, put.seq or len(seen), put.seat, time.monotonic_ns()))

    source = make(deliver)
    source.start()
    yield seen
    source.close()


@contextmanager
def when_pressed_way(bounce_time: float | None) -> Iterator[list[Seen]]:
    seen: list[Seen] = []

    def pressed_by(seat: int) -> Callable[[], None]:
        def pressed() -> None:
            now = time.monotonic_ns()
            seen.append(Seen(now, len(seen), seat, now))

        return pressed

    factory = LGPIOFactory(chip=0)
    buttons = [Button(line, bounce_time=bounce_time, pin_factory=factory) for line in BUTTONS.values()]
    for seat, button in zip(BUTTONS, buttons, strict=True):
        button.when_pressed = pressed_by(seat)
    yield seen
    for button in buttons:
        button.when_pressed = None
        button.pin.when_changed = None
        button.close()
    factory.close()


WAYS = {
    "stamps": lambda: source_way(lambda deliver: GpioButtons(BUTTONS, deliver, labels=[PI4])),
    "when_pressed": lambda: when_pressed_way(None),
    "bounce_time": lambda: when_pressed_way(0.02),
    "fallback": lambda: source_way(lambda deliver: GpiozeroButtons(BUTTONS, deliver, Pins("lgpio", labels=[PI4]))),
}


def play_all(chip: SimChip, races: list[list[Move]]) -> list[dict[int, int]]:
    """Plays the races with hands in a process of their own. Per race: seat -> ns of its first contact, in order."""
    done = subprocess.run(
        [sys.executable, "-m", "kernel.hands", str(chip.folder)],
        input=json.dumps(races),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    truth = [{int(seat): ns for seat, ns in race.items()} for race in json.loads(done.stdout)]
    return [dict(sorted(race.items(), key=lambda press: press[1])) for race in truth]


def judge(truth: list[dict[int, int]], seen: list[Seen]) -> Result:
    """Every race by itself: the first press of each seat between its start and the next one's."""
    wrong_first = wrong_order = missing = 0
    delays: list[int] = []
    off: list[int] = []
    starts = [min(race.values()) for race in truth]
    for race, start, end in zip(truth, starts, [*starts[1:], starts[-1] + 10**10], strict=True):
        first: dict[int, Seen] = {}
        for press in sorted(press for press in seen if start <= press.arrived < end):
            first.setdefault(press.seat, press)
        order = list(first)
        wrong_first += order[:1] != list(race)[:1]
        wrong_order += order != list(race)
        missing += len(race.keys() - first.keys())
        delays += [first[seat].arrived - ns for seat, ns in race.items() if seat in first]
        off += [abs(first[seat].ns - ns) for seat, ns in race.items() if seat in first]
    gaps = [later - sooner for race in truth for sooner, later in itertools.pairwise(race.values())]
    hundredths = statistics.quantiles(delays, n=100)
    return Result(
        len(truth),
        wrong_first,
        wrong_order,
        missing,
        sum(later.ns < sooner.ns for sooner, later in itertools.pairwise(seen)),
        *(round(ns / 1000, 1) for ns in (statistics.median(delays), hundredths[98], max(delays), max(off), min(gaps))),
    )


def main() -> None:
    way, (count, seed, bounces) = sys.argv[1], map(int, sys.argv[2:])
    rng = random.Random(seed)
    races = [make_race(rng, bounces) for _ in range(count)]
    with SimChip() as chip, WAYS[way]() as seen:
        truth = play_all(chip, races)
        time.sleep(0.5)  # what is still on its way
    json.dump(judge(truth, seen)._asdict(), sys.stdout)


if __name__ == "__main__":
    main()
