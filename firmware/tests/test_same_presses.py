"""The tape that is played through every kind of button, here through main.py on the unix port, in real time."""

import sys
from contextlib import closing
from pathlib import Path

from conftest import FIRMWARE
from host import Host
from unix_panel import UnixPanel, in_real_time

sys.path.append(str(FIRMWARE.parent / "tests"))
from devices import same_presses

TOLERANCE = 2_000_000  # ns: half a round trip on a busy machine, and how exactly the script's beginning is known


def test_the_panel_gives_the_tapes_events(micropython: str, tmp_path: Path) -> None:
    down = 0
    script = []
    for move in same_presses.moves():
        bit = 1 << move.seat
        down = down | bit if move.level else down & ~bit
        script.append((move.ns // 1000, down))
    with (
        in_real_time(),
        closing(UnixPanel(micropython, tmp_path)) as panel,
        closing(Host(panel.port, {seat: seat for seat in same_presses.SEATS})) as host,
    ):
        host.buttons.start()
        clock = host.buttons.session.clock
        error = clock.uncertainty
        begun = panel.play(script)
        host.wait(lambda: len(host.edges) == len(script))
        error = max(error, clock.uncertainty)
    found = same_presses.events(host.got, begun * 1000)
    assert same_presses.differences(found, TOLERANCE + error) == []
