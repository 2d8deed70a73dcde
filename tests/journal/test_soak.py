"""Nothing piles up: memory, threads, descriptors, and what the journal takes on the disk."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from journal.conftest import CI, LONG

TESTS = Path(__file__).parents[1]
GAMES, SETTLE, DEALS = (1000, 50, 10) if LONG else (60, 30, 10) if CI else (6, 3, 1)
MOST_GROWTH = 2_000_000  # bytes, after the first SETTLE games
MOST_PER_HOUR = 1_500_000  # bytes of journal per hour of play, packed


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads memory and descriptors from Linux' /proc")
def test_evening_after_evening_nothing_grows() -> None:
    command = [sys.executable, str(TESTS / "journal" / "soak.py")]
    command += ["--games", str(GAMES), "--settle", str(SETTLE), "--deals", str(DEALS)]
    command += [] if LONG else ["--short"]
    environ = os.environ | {"PYTHONPATH": str(TESTS)}
    done = subprocess.run(command, capture_output=True, text=True, env=environ, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    sys.stdout.write(f"{found}\n")
    assert found["games"] == GAMES
    assert found["memory"] < MOST_GROWTH
    assert found["threads"] == 0
    assert found["files"] == 0
    assert found["bytes"] < MOST_PER_HOUR * found["hours"] + 200_000
