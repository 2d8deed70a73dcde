"""The real main.py on MicroPython's unix port, its serial line on a pty, the chip's hardware faked from a script."""

import os
import pty
import select
import subprocess
import time
import tty
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from conftest import FIRMWARE, PANEL

Change = tuple[int, int]  # us since the script's beginning, lines that are down from then on

IN_TIME = -15  # niceness of what has to keep real time on a busy machine
PATIENCE = 60.0  # s until a wait gives up
LEAD = 300_000  # us from ``play`` to the script's beginning: time to write it down


def hurry(process: int, niceness: int = IN_TIME) -> None:
    """A panel has its processor to itself. Where this may not be asked for (only root may), a busy machine may tell."""
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, process, niceness)


@contextmanager
def in_real_time() -> Iterator[None]:
    """This process hurries too."""
    before = os.getpriority(os.PRIO_PROCESS, 0)
    hurry(0)
    try:
        yield
    finally:
        hurry(0, before)


class UnixPanel:
    """The program holds the master of the pty as its standard input and output, so ``port`` can be opened and closed.

    Its clock is the machine's monotonic one: ``begun`` and the lamps' times are on the table's own clock.
    """

    def __init__(self, micropython: str, folder: Path) -> None:
        self._errors = folder / "panel.err"
        self._wire = folder / "wire"
        log = folder / "panel.log"
        os.mkfifo(log)
        self._log = os.open(log, os.O_RDWR | os.O_NONBLOCK)  # also for writing: it is open for as long as the test runs
        self._heard: list[str] = []
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._micropython = micropython
        self._environment = {
            "MICROPYPATH": f"{FIRMWARE / 'tests' / 'fakes'}:{FIRMWARE}:.frozen",
            "PANEL_WIRE": str(self._wire),
            "PANEL_LOG": str(log),
        }
        self._process: subprocess.Popen[bytes] | None = None
        self.begun = 0  # us of the machine's monotonic clock at which the sampler began
        self.start()

    def start(self) -> None:
        """Also anew, after ``stop``. The sampler runs when this returns."""
        self._hear()
        self._heard.clear()
        self._wire.write_text("")
        with self._errors.open("w") as errors:
            self._process = subprocess.Popen(
                [self._micropython, "-X", "heapsize=192k", str(PANEL / "main.py")],
                stdin=self._master,
                stdout=self._master,
                stderr=errors,
                env=self._environment,
            )
        hurry(self._process.pid)
        self._until(lambda: bool(self._said("start")), "start")
        self.begun = int(self._said("start")[0][0])

    def play(self, script: Iterable[Change]) -> int:
        """The buttons move like this, soon. Returns when (us of the monotonic clock) the script begins."""
        lines = [(us, f"{down:x}") for us, down in script]
        beginning = time.monotonic_ns() // 1000 + LEAD
        with self._wire.open("a") as wire:
            wire.writelines(f"{beginning - self.begun + us} {down}\n" for us, down in lines)
            wire.write("played\n")
        return beginning

    def until_played(self) -> None:
        """Waits until the script's last change has come."""
        self._until(lambda: bool(self._said("played")), "end of the script")

    def until_lamps(self, outputs: int) -> None:
        """Waits until the lamps have been switched to this."""
        self._until(lambda: self._lamps[-1:] == [outputs], f"lamps {outputs:#x}")

    def stop(self) -> None:
        """As if the power were gone, while the port stays."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        self.stop()
        for descriptor in (self._master, self._slave, self._log):
            with suppress(OSError):
                os.close(descriptor)

    def ended(self) -> int:
        """The exit status, when the program ends by itself."""
        assert self._process is not None
        return self._process.wait(PATIENCE)

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def errors(self) -> str:
        return self._errors.read_text()

    @property
    def lamps(self) -> list[int]:
        """What the lamps have been switched to, in order."""
        self._hear()
        return self._lamps

    def write(self, data: bytes) -> None:
        """As the host, past its adapter."""
        os.write(self._slave, data)

    # --- the log

    @property
    def _lamps(self) -> list[int]:
        return [int(outputs, 16) for _, outputs in self._said("lamps")]

    def _said(self, word: str) -> list[list[str]]:
        """The other words of the lines that begin with ``word``."""
        return [words[1:] for words in map(str.split, self._heard) if words[0] == word]

    def _hear(self) -> None:
        """Each line is written at once and whole."""
        with suppress(BlockingIOError):  # there is nothing more
            while True:
                self._heard += os.read(self._log, 65536).decode().splitlines()

    def _until(self, done: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not done():
            left = max(0.0, end - time.monotonic())
            assert select.select([self._log], [], [], left)[0], f"no {what}: {self._heard[-9:]}, {self.errors}"
            self._hear()
