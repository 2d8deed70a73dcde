"""From the touch to the lamp, our table's way and gpiozero's: that both answer. The figures are the benchmark's."""

import json
import subprocess
import sys

import pytest

from kernel.lamp_delay import Delays

PRESSES = 5
MOST_US = 50_000  # whatever the way: what takes longer has not answered to the touch but to the release


@pytest.mark.parametrize("way", ["table", "when_pressed"])
def test_every_touch_is_answered_by_a_lamp(way: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kernel.lamp_delay", way, str(PRESSES), "1"],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    delays = Delays(**json.loads(done.stdout))
    assert delays.presses == PRESSES
    assert 0 < delays.median_us <= delays.p99_us <= delays.most_us < MOST_US
