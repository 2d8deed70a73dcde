"""What happens to a table in a bar, done to a booted machine: `boot.py FOLDER WHEELS`. Called by run.sh.

Every case leaves the service running and the game going on for the next one; times are printed.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import by_script
import read_only
import wear
from machine import TREE, Failed, Machine

BENCH = "/run/bench"
TABLE = f"""state = "/var/lib/doubtable"
[buttons]
source = "panel"
[panel]
port = "{BENCH}/by-id-panel"
[reader]
kind = "rdm6300"
port = "{BENCH}/reader"
[timing]
hold_ms = 400
doubt_ms = 1000
[seats.1]
button = 0
lamp = 0
[seats.2]
button = 1
lamp = 1
[seats.3]
button = 2
lamp = 2
"""
# The unit as it is, but that it begins with a game, and that the log has the events too.
DROP_IN = """[Unit]
After=bench.service
[Service]
ExecStart=
ExecStart=/usr/bin/doubtable play --config /etc/doubtable/table.toml --game classic
StandardOutput=journal
LogRateLimitBurst=0
"""
HANDS = f"""[Service]
Environment=PYTHONPATH={TREE}/tests PYTHONDONTWRITEBYTECODE=1
ExecStart=/usr/bin/python3 {TREE}/deploy/tests/hands.py {BENCH}
ExecStartPost=/bin/sh -c 'until [ -e {BENCH}/by-id-panel ]; do sleep 0.02; done'
[Install]
WantedBy=multi-user.target
"""
RANKS = ("A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2")  # as they are due
VERIFY = """import argparse, pathlib, sys
from doubtable import journal_cli
path = pathlib.Path("/var/lib/doubtable/journal.db")
sys.exit(journal_cli.verify(argparse.Namespace(journal=path, config=None, game=None)))
"""
HERE = Path(__file__).parents[2]
BY_TURNS = {"1010101010101", "0101010101010"}  # lamps of a panel when the table cannot start
READY_WITHIN = 5.0  # s from the start of the machine, and after every mishap but a hang


class Bench:
    """The cases, in their order, on one machine."""

    def __init__(self, folder: Path, wheels: Path) -> None:
        self.folder, self.wheels = folder, wheels
        self.machine = Machine(folder / "root", HERE, folder / "disk", folder / "console.log")
        self.claims = 0

    # Hands and eyes -------------------------------------------------------------------------------------------------

    def order(self, text: str) -> None:
        self.machine.out("sh", "-c", f"echo '{text}' > {BENCH}/orders")

    def events(self, name: str) -> list[dict[str, object]]:
        """The events of that name that the service has printed since it was installed."""
        lines = [line for line in self.machine.log().splitlines() if line.startswith("{")]
        return [event for event in map(json.loads, lines) if event.get("event") == name]

    def claim(self) -> dict[str, object]:
        """Whose turn it is counts to one and holds; the claim."""
        seat = self.claims % 3
        before = len(self.events("claim"))
        self.order(f"press {seat} 60")
        time.sleep(0.4)
        self.order(f"press {seat} 700")
        self.machine.until(lambda: len(self.events("claim")) > before, f"seat {seat + 1} cannot claim", 10)
        claim = self.events("claim")[-1]
        if claim["seat"] != seat + 1:
            raise Failed(f"seat {seat + 1} was to claim, but it was {claim}")
        self.claims += 1
        time.sleep(1.2)  # nobody doubts
        return claim

    def go_on(self) -> None:
        """After a start in mid-game: the table waits; seat 1 holds, and the game is where it was."""
        self.machine.until(lambda: self.report().get("panel", "?") == "", "the panel is not found again")
        self.order("press 0 700")
        time.sleep(3)  # the doubt window of the last claim goes on where it was cut off
        claim = self.claim()
        rank = RANKS[(self.claims - 1) % len(RANKS)]
        if claim["rank"] != rank:
            raise Failed(f"the game did not go on: rank {rank} was due, and it was {claim}")

    def lamps(self) -> list[str]:
        """What the panel's lamps have shown since the machine was switched on, a pattern for every change."""
        return self.machine.run("cat", f"{BENCH}/lamps").stdout.splitlines()

    def report(self) -> dict[str, str]:
        """Device -> fault, as the running table's desk tells it; nothing while there is no desk."""
        code = (
            "import json, pathlib, doubtable.desk as d;"
            "r = d.ask_report(pathlib.Path('/run/doubtable/desk.sock'));"
            "print(json.dumps({each.name: each.fault for each in r.devices}))"
        )
        said = self.machine.run("python3", "-c", code)
        told: dict[str, str] = json.loads(said.stdout) if said.returncode == 0 else {}
        return told

    # The cases ------------------------------------------------------------------------------------------------------

    def install(self) -> str:
        """apt installs the package on a fresh machine; the table runs without hardware."""
        machine = self.machine
        machine.boot()
        began = time.monotonic()
        for name in ("old.deb", "new.deb"):
            (machine.root / "root" / name).write_bytes((self.folder / name).read_bytes())
        machine.out("apt-get", "install", "-y", "--no-install-recommends", "/root/old.deb")
        took = time.monotonic() - began
        ready = machine.ready_at() - began
        groups = machine.out("id", "-nG", "doubtable").split()
        pid = machine.fact("MainPID")
        held = Path(f"/proc/{pid}").exists()
        status = machine.out("grep", "Groups:", f"/proc/{pid}/status").split()[1:]
        wanted = [
            machine.out("getent", "group", name).split(":")[2]
            for name in ("gpio", "dialout", "video", "render", "input", "audio")
        ]
        if not set(wanted) <= set(status):
            raise Failed(f"groups {wanted} are missing in {status} ({groups}, {held})")
        if "enabled" not in machine.out("systemctl", "is-enabled", "doubtable"):
            raise Failed("it would not start at power-on")
        return f"apt {took:.1f} s, ready {ready:.1f} s after its beginning"

    def hardened(self) -> str:
        """systemd's own judgement of the unit and the rules, on Debian 13."""
        self.machine.out("systemd-analyze", "verify", "--man=no", "doubtable.service")
        self.machine.out("udevadm", "verify", "/usr/lib/udev/rules.d/99-doubtable.rules")
        said = self.machine.run("systemd-analyze", "security", "--threshold=15", "--no-pager", "doubtable.service")
        if said.returncode:
            raise Failed(said.stdout.strip().splitlines()[-1])
        # No network: an Internet socket cannot be made by what the unit runs.
        props = [f"-p{each}" for each in ("RestrictAddressFamilies=AF_UNIX AF_NETLINK", "User=doubtable")]
        tried = self.machine.run(
            "systemd-run", "-q", "--wait", *props, "python3", "-c", "import socket; socket.socket()"
        )
        if tried.returncode == 0:
            raise Failed("it could open an Internet socket")
        return said.stdout.strip().splitlines()[-1].lstrip("→ ")

    def command_line(self) -> str:
        """Commands with Debian's libraries, the manual, a working directory that can be written (F39)."""
        machine = self.machine
        version = machine.out("doubtable", "--version")
        machine.out("doubtable", "config", "check", "/etc/doubtable/table.toml")
        machine.out("sh", "-c", "zgrep -q 'doubtable play' /usr/share/man/man1/doubtable.1.gz")
        where = machine.out("readlink", f"/proc/{machine.fact('MainPID')}/cwd")
        if where != "/run/doubtable":
            raise Failed(f"it works in {where}")
        machine.out("systemd-run", "-q", "--wait", "-pUser=doubtable", "test", "-w", where)
        installed = set(machine.out("dpkg", "-L", "doubtable").splitlines())
        code = "from doubtable.devices.panel_flash import firmware_folder; print(firmware_folder())"
        firmware = Path(machine.out("python3", "-c", code))
        missing = {str(firmware / each.name) for each in (HERE / "firmware" / "panel").glob("*.py")} - installed
        if missing or firmware != Path("/usr/share/doubtable/firmware"):
            raise Failed(f"panel flash looks in {firmware}; the package has no {', '.join(sorted(missing))}")
        machine.out("doubtable", "report", "--out", "/root/report.tar.gz")
        log = machine.out("tar", "-xOf", "/root/report.tar.gz", "doubtable-report/log.txt")
        if "ready: " not in log:
            raise Failed(f"the report has no log: {log}")
        return f"{version}; {len(installed)} files"

    def boot_without_reader(self) -> str:
        """From power-on to a table that can be played, its reader not plugged in yet (F41)."""
        machine = self.machine
        machine.write("/etc/doubtable/table.toml", TABLE)
        machine.write("/etc/systemd/system/doubtable.service.d/test.conf", DROP_IN)
        machine.write("/etc/systemd/system/bench.service", HANDS)
        machine.out("systemctl", "daemon-reload")
        machine.out("systemctl", "enable", "-q", "bench.service")
        machine.off()
        machine.boot()
        took = machine.ready_at() - machine.began
        if took > READY_WITHIN:
            raise Failed(f"ready after {took:.1f} s")
        machine.until(lambda: self.report().get("panel", "?") == "", "the panel is not found")
        machine.until(lambda: bool(self.report().get("reader")), "nothing says that the reader is absent")
        time.sleep(3)
        self.order("reader in")
        late = machine.until(lambda: self.report().get("reader") == "", "the reader is not found")
        self.claim()
        return f"ready {took:.1f} s after power-on; the reader attached {late:.1f} s after it was plugged in"

    def killed(self) -> str:
        """SIGKILL in mid-game."""
        before, since = self.machine.fact("MainPID"), time.monotonic()
        self.machine.out("systemctl", "kill", "-s", "KILL", "doubtable")
        took = self.machine.ready_again(before, since)
        if took > READY_WITHIN:
            raise Failed(f"ready after {took:.1f} s")
        self.go_on()
        return f"ready {took:.1f} s after SIGKILL; the game went on"

    def hangs(self) -> str:
        """SIGSTOP: the watchdog ends it, and the log shows where it stood."""
        before, since = self.machine.fact("MainPID"), time.monotonic()
        self.machine.out("systemctl", "kill", "-s", "STOP", "doubtable")
        took = self.machine.ready_again(before, since)
        self.machine.until(self._tells_where_it_hung, "the log does not show where it hung", 10)
        self.go_on()
        return f"ready {took:.1f} s after it began to hang; the log has the lines where it stood; the game went on"

    def _tells_where_it_hung(self) -> bool:
        _, aborted, lines = self.machine.log().partition("Fatal Python error: Aborted")
        return bool(aborted) and "real_table.py" in lines

    def broken_table(self) -> str:
        """A table.toml that is wrong: a clear line; mended, the table goes on by itself."""
        machine = self.machine
        machine.write("/etc/doubtable/table.toml", TABLE.replace("[seats.3]", "[seets.3]"))
        machine.run("systemctl", "restart", "--no-block", "doubtable")
        line = "/etc/doubtable/table.toml: seets: unknown key: do you mean seats?"
        told = machine.until(lambda: line in machine.log(), "the log does not tell the fault")
        before = len(self.lamps())
        machine.until(lambda: set(self.lamps()[before:]) >= BY_TURNS, "the lamps do not tell the fault")
        if "Traceback" in machine.log():
            raise Failed("the log has a traceback")
        since = time.monotonic()
        machine.write("/etc/doubtable/table.toml", TABLE)
        took = machine.ready_again("0", since)
        if took > READY_WITHIN:
            raise Failed(f"ready {took:.1f} s after it was mended")
        if "code=exited, status=2" not in machine.log():  # F41: what cannot start does not end as if all were well
            raise Failed("it did not end with status 2")
        self.go_on()
        return f"told after {told:.1f} s, by log and lamps; ready {took:.1f} s after it was mended; the game went on"

    def full_disk(self) -> str:
        """No room for the journal: the game goes on, the table says so, and what it held back is saved later."""
        machine = self.machine
        pid = machine.fact("MainPID")
        for block in ("64k", "1k"):
            fill = f"dd if=/dev/zero of=/var/lib/doubtable/ballast-{block} bs={block} 2> /dev/null; sync; true"
            machine.run("sh", "-c", fill)
        try:
            self.claim()
            machine.until(lambda: "not saved" in machine.log(), "nothing says that the journal is not saved", 15)
            self.claim()
            if machine.fact("MainPID") != pid:
                raise Failed("the service did not outlive it")
        finally:
            machine.out("sh", "-c", "rm /var/lib/doubtable/ballast-*")
        took = machine.until(lambda: "saved again" in machine.log(), "it is not saved again", 15)
        self.claim()
        return f"three claims with the disk full; saved again {took:.1f} s after there was room"

    def upgrade(self) -> str:
        """apt installs a newer version in mid-game."""
        before, since = self.machine.fact("MainPID"), time.monotonic()
        self.machine.out("apt-get", "install", "-y", "--no-install-recommends", "/root/new.deb")
        took = self.machine.ready_again(before, since)
        if self.machine.out("cat", "/etc/doubtable/table.toml") != TABLE.strip():
            raise Failed("the owner's table.toml was changed")
        self.go_on()
        return f"ready {took:.1f} s after apt began; the game went on"

    def power_cut(self) -> str:
        """The whole machine killed in mid-game, and switched on again."""
        self.claim()
        self.machine.cut()
        self.machine.boot()
        took = self.machine.ready_at() - self.machine.began
        self.order("reader in")
        if took > READY_WITHIN:
            raise Failed(f"ready after {took:.1f} s")
        self.go_on()
        said = self.machine.out("python3", "-c", VERIFY)
        return f"ready {took:.1f} s after power-on; the game went on; {said.splitlines()[0]}"

    def clean_stop(self) -> str:
        """systemctl stop: at once, with status 0."""
        since = time.monotonic()
        self.machine.out("systemctl", "stop", "doubtable")
        took = time.monotonic() - since
        result = self.machine.fact("Result"), self.machine.fact("ExecMainStatus")
        if result != ("success", "0"):
            raise Failed(f"it ended with {result}")
        return f"{took:.1f} s"

    def remove(self) -> str:
        """apt remove keeps what was played, apt purge does not."""
        machine = self.machine
        machine.out("apt-get", "remove", "-y", "doubtable")
        kept = machine.root / "etc/doubtable/table.toml", self.folder / "disk" / "journal.db"
        missing = [str(path) for path in kept if not path.exists()]
        if missing:
            raise Failed(f"remove took {missing}")
        machine.out("apt-get", "purge", "-y", "doubtable")
        if any(path.exists() for path in kept):
            raise Failed("purge left data")
        return "kept, then gone"


CASES: tuple[Callable[[Bench], str], ...] = (
    Bench.install,
    Bench.hardened,
    Bench.command_line,
    Bench.boot_without_reader,
    wear.written,
    Bench.killed,
    Bench.hangs,
    Bench.broken_table,
    Bench.full_disk,
    Bench.upgrade,
    Bench.power_cut,
    Bench.clean_stop,
    read_only.read_only_root,
    Bench.remove,
    by_script.installed_by_script,
)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(folder: Path, wheels: Path) -> int:
    bench, passed, began = Bench(folder, wheels), 0, time.monotonic()
    wrong = []
    try:
        for case in CASES:
            name = case.__name__.replace("_", " ")
            try:
                say(f"ok    {name}: {case(bench)}")
                passed += 1
            except (Failed, subprocess.SubprocessError, OSError) as error:
                wrong.append(f"WRONG {name}: {error}")
                say(wrong[-1])
                if bench.machine.leader:
                    say(
                        bench.machine.run("journalctl", "-u", "doubtable", "-n", "25", "-o", "cat", "--no-pager").stdout
                    )
                if case in (Bench.install, Bench.boot_without_reader):
                    break
    finally:
        bench.machine.off()
    for line in wrong:  # once more at the end, where a long log is looked at first
        say(line)
    say(f"deploy test: {time.monotonic() - began:.0f} s")
    say(f"{passed} passed, {len(CASES) - passed} failed or not reached")
    return 0 if passed == len(CASES) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
