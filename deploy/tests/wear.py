"""What a table writes while it is played: the wear of an SD card (docs/operate.md)."""

import os
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from machine import Failed, Machine

if TYPE_CHECKING:
    from boot import Bench

CLAIMS_MEASURED = 8
CLAIMS_AN_HOUR = 450  # a quick table: one every 8 s
SECTOR = 512  # bytes, as the kernel counts them


def written(bench: "Bench") -> str:
    """What the journal writes to its disk, file system included, and what holds the log."""
    disk = bench.folder / "disk"
    before, began, size = _sectors(disk), len(bench.events("press")), _journal(bench.machine)
    for _ in range(CLAIMS_MEASURED):
        bench.claim()
    time.sleep(2)  # its checkpoint
    sectors, presses = _sectors(disk) - before, len(bench.events("press")) - began
    claim = sectors * SECTOR // CLAIMS_MEASURED
    hour = claim * CLAIMS_AN_HOUR / 1e6
    if hour > 500:
        raise Failed(f"{hour:.0f} MB an hour of play")
    bounds = bench.machine.out("journalctl", "-b", "-u", "systemd-journald", "-o", "cat", "--no-pager")
    if "max 64" not in bounds and "max 16" not in bounds:
        raise Failed(f"nothing holds the log to 64 MB: {bounds}")
    grows = (_journal(bench.machine) - size) / CLAIMS_MEASURED * CLAIMS_AN_HOUR / 1e6
    return (
        f"{claim // 1024} KiB a claim ({presses / CLAIMS_MEASURED:.0f} presses), {hour:.0f} MB an hour of "
        f"{CLAIMS_AN_HOUR} claims, by which the journal grows by {grows:.1f} MB"
    )


def _journal(machine: Machine) -> int:
    """Bytes of the journal when all of it is in its one file."""
    code = "import sqlite3; b = sqlite3.connect('/var/lib/doubtable/journal.db').execute; "
    code += "print(b('PRAGMA page_count').fetchone()[0] * b('PRAGMA page_size').fetchone()[0])"
    return int(machine.out("runuser", "-u", "doubtable", "--", "python3", "-c", code))


def _sectors(disk: Path) -> int:
    """Sectors that the disk of the state directory has been given to write."""
    subprocess.run(["sync", "-f", str(disk)], check=True)
    number = disk.stat().st_dev
    return int(Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}/stat").read_text().split()[6])
