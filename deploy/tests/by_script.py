"""install.sh on a machine that has no package of ours: a virtual environment, the same service, and away again."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from machine import Failed, Machine

if TYPE_CHECKING:
    from boot import Bench

SOURCE = ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "controller", "firmware", "deploy", "docs")
ENVIRON = ("env", "PIP_NO_INDEX=1", "PIP_FIND_LINKS=/root/wheels", "PIP_DISABLE_PIP_VERSION_CHECK=1")
PUTS = "+ install -D"  # a file that is put in its place


def installed_by_script(bench: "Bench") -> str:
    """Twice, then taken away: the second time changes nothing, what was played stays."""
    machine = bench.machine
    _source(machine, bench.wheels)
    shutil.rmtree(machine.root / "etc/systemd/system/doubtable.service.d")  # the unit as it is
    machine.out("apt-get", "install", "-y", "python3-venv")
    began = machine.now()
    first = _script(machine)
    took = machine.now() - began
    machine.ready_at()
    if first.count(PUTS) < 5 or "/opt/doubtable/venv" not in machine.out("systemctl", "cat", "doubtable"):
        raise Failed(f"it said: {first}")
    where = machine.out("readlink", "-f", "/usr/local/bin/doubtable")
    machine.out("doubtable", "config", "check", "/etc/doubtable/table.toml")
    code = "from doubtable.devices.panel_flash import firmware_folder; print(firmware_folder())"
    firmware = machine.out("/opt/doubtable/venv/bin/python", "-c", code)
    if not where.startswith("/opt/doubtable") or not firmware.startswith("/opt/doubtable"):
        raise Failed(f"the program is {where}, its firmware {firmware}")
    machine.write("/etc/doubtable/table.toml", (machine.root / "etc/doubtable/table.toml").read_text() + "# mine\n")
    second = _script(machine)
    machine.ready_at()
    if PUTS in second:
        raise Failed(f"the second time it put files again: {second}")
    if not (machine.root / "etc/doubtable/table.toml").read_text().endswith("# mine\n"):
        raise Failed("the owner's table.toml was changed")
    if list((machine.root / "root/source").glob("build")):
        raise Failed("it left things in the source")
    _script(machine, "--uninstall")
    left = [each for each in ("opt/doubtable", "usr/local/bin/doubtable") if (machine.root / each).exists()]
    kept = (machine.root / "etc/doubtable/table.toml", bench.folder / "disk/journal.db")
    if left or not all(path.exists() for path in kept) or machine.succeeds("systemctl", "cat", "doubtable"):
        raise Failed(f"--uninstall left {left}, kept {[str(path) for path in kept if path.exists()]}")
    machine.off()
    return f"{took:.1f} s; the second time nothing is new; table.toml and games outlive --uninstall"


def _source(machine: Machine, wheels: Path) -> None:
    """The source as a maker has it, and what an index would give, for there is no network in here."""
    there = machine.root / "root"
    without = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in SOURCE:
        path = Path(__file__).parents[2] / name
        if path.is_dir():
            shutil.copytree(path, there / "source" / name, ignore=without)
        else:
            (there / "source").mkdir(exist_ok=True)
            shutil.copy(path, there / "source")
    shutil.copytree(wheels, there / "wheels")


def _script(machine: Machine, *words: str) -> str:
    return machine.out(*ENVIRON, "sh", "/root/source/deploy/install.sh", *words)
