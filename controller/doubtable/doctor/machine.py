"""The machine that is examined: its /sys, /proc, /dev, /etc, /run and programs, all below one root.

With another root than / nothing of the machine that the doctor runs on is looked at: so tests build machines of files,
and a maker could examine an SD card. Thread safety: it has no state.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

PROGRAMS = ("usr/bin", "bin", "usr/sbin", "sbin")
ANSWER_WITHIN = 5.0  # s
MOST_BYTES = 1_000_000


class Said(NamedTuple):
    """What a program answered: its exit status, and its output and errors together."""

    status: int
    text: str


class Account(NamedTuple):
    """Who a process is: user number, user name, and the names of the groups that it has and that it is entered in."""

    uid: int
    name: str
    groups: frozenset[str]
    entered: frozenset[str]


class Machine:
    """The machine below ``root``."""

    def __init__(self, root: Path = Path("/"), environ: Mapping[str, str] = os.environ) -> None:
        self.root = root
        self.environ = environ

    @property
    def real(self) -> bool:
        """Whether it is the machine that this program runs on."""
        return self.root == Path("/")

    def path(self, path: str | Path) -> Path:
        """Where the absolute ``path`` lies below the root."""
        return self.root / str(path).lstrip("/")

    def text(self, path: str) -> str | None:
        """A file's text without blanks and zeros around it; None when it cannot be read."""
        try:
            with self.path(path).open("rb") as file:
                return file.read(MOST_BYTES).decode("utf-8", "replace").strip("\0 \n\t")
        except OSError:
            return None

    def exists(self, path: str) -> bool:
        """Whether there is something at the end of ``path``, as far as this user may look."""
        return os.path.exists(self.path(path))  # noqa: PTH110 - Path.exists raises where a folder may not be entered

    def glob(self, pattern: str) -> list[Path]:
        """The paths below the root that fit, gpiochip2 before gpiochip10."""
        found = self.root.glob(pattern.lstrip("/"))
        return sorted(found, key=lambda path: [int(part) if part.isdigit() else part for part in _parts(path)])

    def shown(self, path: Path) -> str:
        """How a path below the root is written: without the root."""
        return str(Path("/") / path.relative_to(self.root)) if path.is_relative_to(self.root) else str(path)

    def resolved(self, path: str | Path) -> Path:
        """``path`` with all links followed, as the machine itself would write it."""
        real = self.path(path).resolve()
        root = self.root.resolve()
        return Path("/") / real.relative_to(root) if real.is_relative_to(root) else real

    def run(self, program: str, *arguments: str) -> Said | None:
        """What the program answers; None when the machine does not have it, or it does not answer in time."""
        found = [place for folder in PROGRAMS if os.access(place := self.root / folder / program, os.X_OK)]
        if not found:
            return None
        try:
            ran = subprocess.run(
                [found[0], *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=ANSWER_WITHIN,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return Said(ran.returncode, ran.stdout.decode("utf-8", "replace").strip())

    def packages(self) -> dict[str, str]:
        """Name (in lower case, with "-") -> version of the Python packages that a program here would find."""
        folders = [str(self.path(folder)) for folder in sys.path if folder]
        found: dict[str, str] = {}
        for each in metadata.distributions(path=folders):
            name, version = each.metadata["Name"], each.metadata["Version"]
            if name and version:
                found.setdefault(re.sub(r"[-_.]+", "-", name).lower(), version)
        return found

    def processes(self) -> dict[str, int]:
        """Name -> number of one process of that name."""
        found: dict[str, int] = {}
        for path in self.glob("/proc/[0-9]*/comm"):
            name = self.text(self.shown(path))
            if name:
                found.setdefault(name, int(path.parent.name))
        return found

    def account(self, pid: int | None = None) -> Account | None:
        """Who a process is (without ``pid`` this one); None when /proc does not say."""
        status = self.text(f"/proc/{'self' if pid is None else pid}/status")
        if status is None:
            return None
        facts = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        try:
            uid = int(facts["Uid"].split()[1])
            numbers = {int(word) for word in f"{facts['Groups']} {facts['Gid'].split()[1]}".split()}
        except (KeyError, ValueError, IndexError):
            return None
        users = [line.split(":") for line in (self.text("/etc/passwd") or "").splitlines()]
        name = next((user[0] for user in users if len(user) > 2 and user[2] == str(uid)), str(uid))
        groups = [line.split(":") for line in (self.text("/etc/group") or "").splitlines()]
        have = {group[0] for group in groups if len(group) > 2 and group[2].isdigit() and int(group[2]) in numbers}
        entered = {group[0] for group in groups if len(group) > 3 and name in group[3].split(",")}
        return Account(uid, name, frozenset(have), frozenset(entered))


def _parts(path: Path) -> list[str]:
    return [part for part in re.split(r"(\d+)", str(path)) if part]
