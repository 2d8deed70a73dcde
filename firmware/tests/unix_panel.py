"""The real main.py on MicroPython's unix port, its serial line on a pty, the chip's hardware faked from a script."""

import os
import pty
import subprocess
import tty
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from conftest import FIRMWARE, PANEL

Change = tuple[int, int]  # us since the sampler's start, lines that are down from then on

IN_TIME = -15  # niceness of what has to keep real time on a busy machine


def hurry(process: int, niceness: int = IN_TIME) -> None:
    """A panel has its processor to itself. Where this may not be asked for (only root may), a busy machine may tell."""
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, process, niceness)


class UnixPanel:
    """The program holds the master of the pty as its standard input and output, so ``port`` can be opened and closed.

    Its clock is the machine's monotonic one: ``begun`` and the lamps' times are on the table's own clock.
    """

    def __init__(self, micropython: str, folder: Path, script: Iterable[Change] = ()) -> None:
        self._log = folder / "panel.log"
        self._errors = folder / "panel.err"
        wire = folder / "wire"
        wire.write_text("".join(f"{us} {down:x}\n" for us, down in script))
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._micropython = micropython
        self._environment = {
            "MICROPYPATH": f"{FIRMWARE / 'tests' / 'fakes'}:{FIRMWARE}:.frozen",
            "PANEL_WIRE": str(wire),
            "PANEL_LOG": str(self._log),
        }
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Also anew, after ``stop``: the script begins anew too."""
        self._log.write_text("")
        with self._errors.open("w") as errors:
            self._process = subprocess.Popen(
                [self._micropython, "-X", "heapsize=192k", str(PANEL / "main.py")],
                stdin=self._master,
                stdout=self._master,
                stderr=errors,
                env=self._environment,
            )
        hurry(self._process.pid)

    def stop(self) -> None:
        """As if the power were gone, while the port stays."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        self.stop()
        for descriptor in (self._master, self._slave):
            with suppress(OSError):
                os.close(descriptor)

    def wait(self, timeout: float) -> int:
        """The exit status, when the program ends by itself."""
        assert self._process is not None
        return self._process.wait(timeout)

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def errors(self) -> str:
        return self._errors.read_text()

    @property
    def begun(self) -> int:
        """us of the machine's monotonic clock at which the script began."""
        return next(int(line.split()[1]) for line in self._log.read_text().splitlines() if line.startswith("start"))

    @property
    def lamps(self) -> list[int]:
        """What the lamps were switched to, in order."""
        return [int(line.split()[2], 16) for line in self._log.read_text().splitlines() if line.startswith("lamps")]

    def write(self, data: bytes) -> None:
        """As the host, past its adapter."""
        os.write(self._slave, data)
