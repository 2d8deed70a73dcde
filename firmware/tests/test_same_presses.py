"""The tape that is played through every kind of button, here through main.py on the unix port, in real time."""

import sys
import time
from pathlib import Path

from doubtable.devices.panel import PanelButtons
from doubtable.inputs import Edge, Input

from conftest import FIRMWARE
from unix_panel import UnixPanel, hurry

sys.path.append(str(FIRMWARE.parent / "tests"))
from devices import same_presses

LEAD = 1_500_000  # us from the sampler's start to the tape's: time to connect
TOLERANCE = 2_000_000  # ns: half a round trip on a busy machine, and how exactly the script's beginning is known


def test_the_panel_gives_the_tapes_events(micropython: str, tmp_path: Path) -> None:
    down = 0
    script = []
    for move in same_presses.moves():
        bit = 1 << move.seat
        down = down | bit if move.level else down & ~bit
        script.append((LEAD + move.ns // 1000, down))
    hurry(0)
    panel = UnixPanel(micropython, tmp_path, script)
    got: list[Input] = []
    buttons = PanelButtons(panel.port, {seat: seat for seat in same_presses.SEATS}, got.append)
    try:
        buttons.start()
        count = len(script)
        limit = time.monotonic() + 20
        while sum(isinstance(each, Edge) for each in got) < count:
            assert time.monotonic() < limit, got
            time.sleep(0.02)
    finally:
        buttons.close()
        panel.close()
        hurry(0, 0)
    found = same_presses.events(got, (panel.begun + LEAD) * 1000)
    assert same_presses.differences(found, TOLERANCE) == []
