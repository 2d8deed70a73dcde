"""From the touch to the lamp, our table's way and gpiozero's: that both answer. The figures are the benchmark's."""

import json
import subprocess
import sys

import pytest

from kernel.lamp_delay import Delays

PRESSES = 5
# us. A table's lamps answer within 20 ms of the confirmed press (confirm_ms is left out). Of the other way it is
# only asked that it answered to the touch, not to the release.
MOST_US = {"table": 20_000, "when_pressed": 50_000}


@pytest.mark.parametrize("way", MOST_US)
def test_every_touch_is_answered_by_a_lamp(way: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kernel.lamp_delay", way, str(PRESSES), "1"],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    delays = Delays(**json.loads(done.stdout))
    assert delays.presses == PRESSES
    assert 0 < delays.median_us <= delays.p99_us <= delays.most_us < MOST_US[way]
