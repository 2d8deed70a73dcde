"""The system under the table: rights, time of day, disk."""

import os
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from doubtable.doctor.case import Case
from doubtable.doctor.findings import Finding
from doubtable.doctor.machine import Machine
from doubtable.journal import storage

RELEASED = 1_735_689_600  # s since 1970: before 2025 this program was not there, so no clock was right
NO_BATTERY = 1_000_000  # uV: the clock of a Pi 5 without a cell
SQLITE = b"SQLite format 3\0"
FULL, LOW = 20_000, 200_000  # KiB free: a fault, a warning


def groups(case: Case) -> Iterator[Finding]:
    """Whether the user may open what is configured."""
    needed = _needed(case)
    report = case.running.report if case.running is not None else None
    account = case.machine.account(report.pid if report is not None else None)
    if account is None:
        yield Finding("groups", "unknown", "this system does not say which groups the user has", "on Linux: id")
        return
    who = f"user {account.name}"
    missing = {name: why for name, why in needed.items() if name not in account.groups}
    if account.uid == 0:
        yield Finding("groups", "ok", f"{who} may open everything")
    elif not needed:
        yield Finding("groups", "ok", f"{who} needs none: no device is configured")
    elif not missing:
        yield Finding("groups", "ok", f"{who} has {', '.join(needed)}")
    for name, why in missing.items() if account.uid else ():
        if name in account.entered:
            todo = "log out and in again"
        else:
            todo = f"sudo usermod -aG {name} {account.name}, then log out and in again"
        state = "warning" if name == "audio" else "fault"
        yield Finding("groups", state, f"{who} is not in the group {name}: {why}", todo)  # type: ignore[arg-type]


def _needed(case: Case) -> dict[str, str]:
    config = case.config
    needed = {"gpio": "buttons and lamps cannot be opened"} if case.on_header else {}
    if config.reader.port is not None or "panel" in config.sources:
        needed["dialout"] = "the reader's and the panel's port cannot be opened"
    if config.screen.driver == "kmsdrm":
        needed |= dict.fromkeys(("video", "render"), "the screen cannot be opened")
        needed["input"] = "touch and keyboard are not heard"
    if config.sound.volume and not case.all_simulated:
        needed["audio"] = "the table is silent"
    return needed


def clock(case: Case) -> Iterator[Finding]:
    """The time of day: whether it is set, and whether it outlives a power cut. Doubts do not depend on it."""
    now = _wall(case.machine)
    if now is None:
        yield Finding("clock", "unknown", "this system does not say its time of day", "look with: date")
        return
    if now < RELEASED:
        day = time.strftime("%Y-%m-%d", time.gmtime(now))
        yield Finding("clock", "fault", f"it is not set: it says {day}", "connect the network once, or: sudo date -s")
        return
    rtc = _keeps_time(case.machine)
    said = case.machine.run("timedatectl", "show", "--property=NTPSynchronized", "--value")
    synchronized = {"yes": True, "no": False}.get(said.text) if said is not None else None
    if rtc:
        how = "set over the network" if synchronized else "set by its own clock"
        yield Finding("clock", "ok", f"{how}; a battery keeps it over a power cut")
    elif synchronized:
        yield Finding("clock", "ok", "set over the network; no battery keeps it: without a network it is late at start")
    elif synchronized is None:
        yield Finding("clock", "unknown", "no battery, and nothing says whether it is set", "compare: date")
    else:
        what = "not set since the start, and no battery keeps it: times in the journal, quiet hours and closing are off"
        yield Finding("clock", "warning", what, "connect the network, or add a clock module (on a Pi 5 a cell at J5)")


def _wall(machine: Machine) -> int | None:
    """Seconds since 1970, as /proc has them: the time of the start and the time since."""
    lines = (machine.text("/proc/stat") or "").splitlines()
    start = next((line.split()[1] for line in lines if line.startswith("btime ")), "")
    up = (machine.text("/proc/uptime") or "").partition(".")[0]
    return int(start) + int(up) if start.isdigit() and up.isdigit() else None


def _keeps_time(machine: Machine) -> bool:
    """Whether a clock with a battery is there. A Pi 5 always has the clock, but not always the cell."""
    for path in machine.glob("/sys/class/rtc/rtc[0-9]*"):
        cell = machine.text(f"{machine.shown(path)}/battery_voltage") or ""
        if not cell.isdigit() or int(cell) >= NO_BATTERY:
            return True
    return False


def disk(case: Case) -> Iterator[Finding]:
    """Room for the journal and the state directory."""
    places = {"state directory": case.config.state, "journal": case.config.journal.parent}
    told: set[str] = set()
    for what, path in places.items():
        there = _existing(case.machine, path)
        said = case.machine.run("df", "-Pk", str(case.machine.path(there)))
        fields = said.text.splitlines()[-1].split() if said is not None and said.status == 0 and said.text else []
        if len(fields) < 6 or not fields[3].isdigit():
            yield Finding("disk", "unknown", f"df does not say what is free at {there}", "look with: df -h", what)
            continue
        free, mount = int(fields[3]), case.machine.shown(Path(fields[5]))
        if mount in told:
            continue
        told.add(mount)
        room = f"{free // 1024} MB free at {mount}"
        if free < FULL:
            yield Finding("disk", "fault", f"{room}: games are not kept", "make room: sudo apt clean, old logs", what)
        elif free < LOW:
            yield Finding("disk", "warning", room, "make room: sudo apt clean, old logs, a larger card", what)
        else:
            yield Finding("disk", "ok", room, about=what)


def _existing(machine: Machine, path: Path) -> Path:
    """``path``, or the nearest folder above it that is there."""
    return next(each for each in (path, *path.parents) if machine.exists(str(each)) or each == Path("/"))


def journal(case: Case) -> Iterator[Finding]:
    """Whether what is written to the journal is there after the power was off."""
    machine, path = case.machine, case.config.journal
    mounts = machine.text("/proc/self/mounts")
    if mounts is None:
        yield Finding(
            "journal", "unknown", f"{path}: this system does not say what lies on which disk", "look with: df"
        )
        return
    real = machine.resolved(path)
    fault = storage.fault(real, mounts)
    if fault:
        what, _, todo = fault.rpartition(": ")
        yield Finding("journal", "fault", what, todo, str(path))
        return
    there = _existing(machine, path)
    wrong = _no_journal(machine, path, there)
    if wrong:
        yield Finding("journal", "fault", wrong, "correct state or [journal] path in table.toml", str(path))
        return
    if case.running is None and not os.access(machine.path(there), os.W_OK):
        yield _forbidden(machine, path, there)
        return
    under = [mount for mount in storage.mounts_of(mounts) if PurePosixPath(real).is_relative_to(mount.point)]
    mount = max(under, key=lambda each: len(each.point.parts), default=None)
    on = f"on {mount.point} ({mount.kind})" if mount is not None else "on a disk"
    yield Finding("journal", "ok", f"permanent, {on}", about=str(path))


def _no_journal(machine: Machine, path: Path, there: Path) -> str:
    """Why ``path``, of which ``there`` exists, can be no journal; "" when nothing is known to be against it."""
    place = machine.path(there)
    if there != path:
        return "" if os.path.isdir(place) else f"{there} is no folder, and none can be made in it"  # noqa: PTH112
    if not os.path.isfile(place):  # noqa: PTH113 - the methods of Path raise where a folder may not be entered
        return "it is no file: the journal is one"
    try:
        with place.open("rb") as file:
            begins = file.read(len(SQLITE))
    except OSError:
        return ""
    return "" if begins in (b"", SQLITE) else "it is no journal: something else stands in that file"


def _forbidden(machine: Machine, path: Path, there: Path) -> Finding:
    """The user of this doctor may not write there; whether the table's user may is told by whose it is."""
    if machine.path(there).stat().st_uid == os.geteuid():
        return Finding("journal", "fault", f"{there} is yours and may not be written", f"chmod u+w {there}", str(path))
    todo = f"right if the table runs as the user of that folder; else: sudo chown -R $USER {there}"
    return Finding("journal", "warning", f"{there} may not be written by this user", todo, str(path))
