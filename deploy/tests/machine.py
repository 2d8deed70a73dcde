"""A machine that boots: a Debian root in systemd-nspawn, with a state directory on a disk of its own."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

LONGEST = 60.0  # s until a wait gives up
UNIT = "doubtable"
# A container has its host's clock, and with it an uptime that no machine has just after it was switched on: a game that
# was left would be too old on a host that has been up for 12 hours. So it gets a clock of its own, SINCE s behind.
SINCE = max(0, int(time.monotonic()) - 60) if Path("/proc/self/ns/time").exists() else 0
TREE = "/opt/doubtable-tree"  # where the project's tests and firmware are seen inside


class Failed(Exception):
    """What was expected did not come; one line."""


class Machine:
    """Owner of one root folder and of the container that runs from it."""

    def __init__(self, root: Path, tree: Path, disk: Path, log: Path) -> None:
        self.root, self._tree, self._log = root, tree, log
        self.disk: Path | None = disk  # None: the state directory is a folder of the root, or mounted inside
        self.extra: tuple[str, ...] = ()  # more words for systemd-nspawn
        self.through: tuple[str, ...] = ()  # a command that runs the one after it, and gives it its root
        self._nspawn: subprocess.Popen[bytes] | None = None
        self.leader = 0
        self.began = 0.0  # monotonic s

    def boot(self) -> None:
        """Switch it on; returns when commands can be run in it."""
        command = ["systemd-nspawn", "-q", "--register=no", "--keep-unit", "--private-network", "--resolv-conf=off"]
        command += [f"--bind-ro={self._tree}:{TREE}", *self.extra, "-b"]
        command += [f"--bind={self.disk}:/var/lib/doubtable"] if self.disk else []
        command = [*self.through, *command] if self.through else [*command, "-D", str(self.root)]
        if SINCE:
            command = ["unshare", "--time", f"--monotonic=-{SINCE}", f"--boottime=-{SINCE}", *command]
        self.began = time.monotonic()
        with self._log.open("ab") as log:
            self._nspawn = subprocess.Popen(command, stdout=log, stderr=log, stdin=-3)
        try:
            self.until(self._answers, "the container does not answer")
        except Failed as error:
            raise Failed(f"{error}: {self._log.read_text(errors='replace')[-2000:]}") from error

    def _answers(self) -> bool:
        """Whether commands run inside; finds the container's first process on the way."""
        assert self._nspawn is not None
        pid = self._nspawn.pid
        # nspawn's own first child ends when it has made the one that becomes the machine's first process.
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            self.leader = int(child)
            if self.succeeds("systemctl", "list-jobs"):
                return True
        return False

    def cut(self) -> None:
        """Pull the plug: everything is killed at once."""
        assert self._nspawn is not None
        os.kill(self.leader, signal.SIGKILL)  # the first process takes all with it
        self._nspawn.wait(LONGEST)
        self._nspawn = None

    def off(self) -> None:
        """Shut down in order. May be called twice."""
        if self._nspawn is None:
            return
        with suppress(ProcessLookupError):
            os.kill(self.leader, signal.SIGRTMIN + 3)
        try:
            self._nspawn.wait(LONGEST)
        except subprocess.TimeoutExpired:
            self._nspawn.kill()
            self._nspawn.wait(LONGEST)
        self._nspawn = None

    # Inside ---------------------------------------------------------------------------------------------------------

    def run(self, *command: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
        """A command as root inside."""
        inside = [
            "nsenter",
            "-t",
            str(self.leader),
            "-a",
            "-r",
            "-w",
            "env",
            "-i",
            "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin",
            "LANG=C.UTF-8",
        ]
        inside += ["DEBIAN_FRONTEND=noninteractive", *command]
        return subprocess.run(inside, input=given, text=True, capture_output=True, check=False, timeout=300)

    def succeeds(self, *command: str) -> bool:
        return self.run(*command).returncode == 0

    def out(self, *command: str, given: str | None = None) -> str:
        """What a command prints; Failed when it fails."""
        done = self.run(*command, given=given)
        if done.returncode:
            raise Failed(f"{' '.join(command)}: {done.returncode}: {(done.stderr or done.stdout).strip()[-600:]}")
        return done.stdout.strip()

    def write(self, path: str, text: str) -> None:
        (self.root / path.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path.lstrip("/")).write_text(text)

    # The service ----------------------------------------------------------------------------------------------------

    def fact(self, name: str) -> str:
        """A property of the unit."""
        return self.out("systemctl", "show", UNIT, "--property", name, "--value")

    def ready_at(self) -> float:
        """Wait until the table can be played; when that was, in s of the monotonic clock."""
        self.until(lambda: self.fact("ActiveState") == "active", "the table is not ready")
        return self._entered()

    def _entered(self) -> float:
        """When the service became ready, s of our monotonic clock."""
        return int(self.fact("ActiveEnterTimestampMonotonic")) / 1e6 + SINCE

    def ready_again(self, before: str, since: float) -> float:
        """Wait for another process than ``before`` that is ready; s from ``since`` until then."""

        def other() -> bool:
            return self.fact("MainPID") not in (before, "0") and self.fact("ActiveState") == "active"

        self.until(other, "the table did not come back")
        return self._entered() - since

    def now(self) -> float:
        """The monotonic clock, s."""
        return time.monotonic()

    def log(self) -> str:
        """What the service has logged."""
        return self.out("journalctl", "-u", UNIT, "-o", "cat", "--no-pager")

    def until(self, true: Callable[[], bool], otherwise: str, within: float = LONGEST) -> float:
        """Wait until something is so; the s that it took. Raises Failed."""
        began = time.monotonic()
        while not true():
            if time.monotonic() - began > within:
                raise Failed(otherwise)
            time.sleep(0.05)
        return time.monotonic() - began
