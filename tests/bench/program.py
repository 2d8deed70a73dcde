"""The whole program in a process of its own: how long it takes to start, how much it holds, what it uses when idle."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
SEATS = 13
WITHIN = 30.0  # s in which a program must have started


class StartError(RuntimeError):
    """A program that does not start, with its last words."""


class Started(NamedTuple):
    """A running program: how long (s) it took to say that it is ready."""

    pid: int
    took: float

    def memory(self) -> float:
        """What it holds in memory now, in MB."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1000

    def used(self) -> float:
        """Seconds of processor time so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def started(command: list[str], ready: str, environ: Mapping[str, str], folder: Path) -> Iterator[Started]:
    """The program once a line with ``ready`` has come from it. Raises StartError."""
    began = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **environ}, cwd=folder
    ) as process:
        try:
            _wait_for(process, ready.encode(), began + WITHIN)
            yield Started(process.pid, time.perf_counter() - began)
        finally:
            process.kill()


def _wait_for(process: "subprocess.Popen[bytes]", ready: bytes, until: float) -> None:
    assert process.stdout is not None
    out, said = process.stdout.fileno(), b""
    while ready not in said:
        seen, _, _ = select.select([out], [], [], max(0.0, until - time.perf_counter()))
        more = os.read(out, 65536) if seen else b""
        if not more:
            raise StartError(said.decode(errors="replace").strip().rpartition("\n")[2] or "no word from it")
        said += more


def table(folder: Path) -> Path:
    """A table.toml of 13 seats without hardware, its journal beside it; made anew."""
    seats = "".join(f'[seats.{seat}]\nname = "Seat {seat}"\n' for seat in range(1, SEATS + 1))
    path = folder / "table.toml"
    path.write_text(
        f'game = "classic"\nstate = "{folder / "state"}"\n[buttons]\nsource = "simulated"\n[reader]\nkind = "none"\n'
        f'[screen]\nsize = "1024x600"\n{seats}',
        encoding="utf-8",
    )
    return path


@contextmanager
def running_table(folder: Path) -> Iterator[Started]:
    """The table as the service runs it, from the first picture on."""
    command = [sys.executable, str(HERE / "first_frame.py"), str(table(folder))]
    # A service tells systemd that it is ready; that nobody listens is one line in its log.
    with started(command, "frame\n", {"NOTIFY_SOCKET": str(folder / "nobody")}, folder) as program:
        yield program
