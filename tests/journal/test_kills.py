"""A table killed at random moments, again and again, on one journal: what its screen has shown is never lost."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from journal.following import Follower

TESTS = Path(__file__).parents[1]
PATIENCE = 60  # s for a child that shows nothing
KILLS = 2000 if os.environ.get("DOUBTABLE_LONG") else 200 if os.environ.get("DOUBTABLE_CI") else 20


class Nursery:
    """Forks children that have everything imported already."""

    def __init__(self) -> None:
        environ = os.environ | {"PYTHONPATH": str(TESTS)}
        command = [sys.executable, str(TESTS / "journal" / "child.py")]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ)

    def bear(self, path: Path, seed: int, pipe: Path) -> int:
        """A child that plays on; its pid."""
        assert self.process.stdin is not None
        order = {"path": str(path), "seed": seed, "pipe": str(pipe), "boot": f"boot-{seed // 3}"}
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return int(self._line())

    def gone(self) -> None:
        """Wait until the child is."""
        assert self._line() == "gone"

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.close()


def watch(pipe: int, lines: int, more: float) -> bytes:
    """What comes out of the pipe: so many lines, and what comes within ``more`` s after them."""
    seen, until = b"", time.monotonic() + PATIENCE
    while (left := until - time.monotonic()) > 0:
        if select.select([pipe], [], [], left)[0]:
            seen += os.read(pipe, 65536)
            if seen.count(b"\n") >= lines and until > time.monotonic() + more:
                until = time.monotonic() + more
    return seen


def test_what_was_shown_is_there_after_every_kill(tmp_path: Path, nursery: Nursery) -> None:
    random, follower = Random(4), Follower()
    path, pipe = tmp_path / "journal.db", tmp_path / "pipe"
    os.mkfifo(pipe)
    facts = 0
    for number in range(1, KILLS + 1):
        end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        pid = nursery.bear(path, number, pipe)
        seen = watch(end, random.randrange(1, 60), random.uniform(0, 0.01))
        os.kill(pid, signal.SIGKILL)
        nursery.gone()
        while some := os.read(end, 65536):
            seen += some
        os.close(end)
        for line in seen.decode().splitlines():
            shown, tab, fact = line.partition("\t")
            if tab and fact.endswith("]"):
                follower.saw(int(shown), fact)
                facts += 1
        assert follower.follow(path) == [], f"after kill {number}"
    sys.stdout.write(f"{KILLS} kills, {facts} facts shown, {follower.checked} compared, 0 lost\n")
    assert facts > 5 * KILLS
    assert follower.checked > 3 * KILLS
