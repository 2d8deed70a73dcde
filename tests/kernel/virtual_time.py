"""Cases whose times count. They run in virtual time: 1 ns per instruction, whatever this machine is doing besides.

A processor with 1,000 million instructions a second is about what a Pi 3 has in one core.
"""

import json
import subprocess
import sys
import time

import pytest

from doubtable.devices.lamps import GpioLamps
from doubtable.devices.pins import Pins
from kernel.races import Result
from kernel.sim import LAMPS, PI4, SimChip


def race(way: str, count: int, seed: int = 1, bounces: int = 8, hold_ms: int = 120, straggler_ms: int = 50) -> Result:
    """The same races, decided in one way, in a process of their own."""
    done = subprocess.run(
        [sys.executable, "-m", "kernel.races", way, *map(str, (count, seed, bounces, hold_ms, straggler_ms))],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return Result(**json.loads(done.stdout))


def test_200_races_beside_the_usual_way(capsys: pytest.CaptureFixture[str]) -> None:
    ours, usual = race("table", 200), race("when_pressed", 200)
    with capsys.disabled():
        print(f"\n{'':24}{'our table':>16}{'when_pressed':>16}")  # noqa: T201
        for name, mine, theirs in zip(Result._fields, ours, usual, strict=True):
            print(f"{name.replace('_', ' '):24}{mine:>16}{theirs:>16}")  # noqa: T201
    assert (ours.races, ours.wrong_doubter, ours.beyond_straggler, ours.press_again) == (200, 0, 0, 0)
    assert ours.presses_missing == 0
    assert ours.closest_us >= 50
    assert ours.stamp_late_most_us < 100  # the uncertainty that the source declares
    assert usual.wrong_doubter > 0, "these races are too easy to tell anything"


def test_all_lamps_of_a_change_switch_within_5_ms(capsys: pytest.CaptureFixture[str]) -> None:
    with SimChip() as chip:
        lamps = GpioLamps(LAMPS, Pins("lgpio", labels=[PI4]))
        lamps.start()
        lamps.show(dict.fromkeys(LAMPS, True))  # the first use of anything is slower
        lamps.show(dict.fromkeys(LAMPS, False))
        before = time.monotonic_ns()
        lamps.show(dict.fromkeys(LAMPS, True))
        took = time.monotonic_ns() - before
        assert all(chip.level(line) for line in LAMPS.values())
        lamps.close()
    with capsys.disabled():
        print(f"\n13 lamps switched in {took / 1e6:.2f} ms")  # noqa: T201
    assert took < 5_000_000
