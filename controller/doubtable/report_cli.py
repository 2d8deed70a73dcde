"""`doubtable report`: one archive for whoever is asked for help. It holds no names.

    doctor.txt, doctor.json   the findings
    log.txt                   what the service has logged lately
    races.txt                 the last races, by seats
    settings.txt              the effective configuration, where it comes from
    about.txt                 versions, times

Names of people in table.toml and in the journal, the machine's own name and those of home folders are struck out of
everything; also when table.toml is wrong, as far as it can be read. PIN and house word are not told.
"""

import argparse
import io
import os
import platform
import re
import sys
import tarfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from doubtable import __version__, places
from doubtable.config import Config, ConfigError, load
from doubtable.doctor import Case, Machine, Nobody, examine
from doubtable.doctor.findings import summary, to_json
from doubtable.doctor_cli import running_table
from doubtable.house_rules import check_options
from doubtable.journal import JournalError, chain, reading
from doubtable.journal.snapshot import snapshot
from doubtable.service import File
from doubtable.user_error import UserError

RACES = 50
LOG_LINES = 3000
STRUCK = "(name)"
SECRET = ("attendant.pin", "screen.house_word")  # and every seat's name
HOME = re.compile(r"(?<=/home/)[^/\s\"':,]+")

Parts = dict[str, str]  # file -> text


def run(args: argparse.Namespace, machine: Machine | None = None, now: Callable[[], float] = time.time) -> int:
    """Write the archive; 0 also when something could not be told: then the archive says so. Raises UserError."""
    machine = machine or Machine()
    path = places.table_file(args.config, places.here())
    for option, named in (("--config", args.config), ("--journal", args.journal)):
        if named is not None and not os.path.exists(named):  # noqa: PTH110 - Path.exists raises for a name too long
            sys.stderr.write(f"doubtable: {option} {named}: there is no such file: the report is made without it\n")
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now()))
    out: Path = args.out or Path(f"doubtable-report-{stamp}.tar.gz")
    parts, names = collect(path, machine, args.journal)
    parts["about.txt"] = about(stamp)
    names.add(platform.node())
    write(out, {file: strike(text, names) for file, text in parts.items()}, int(now()))
    sys.stdout.write(f"{out}: {', '.join(sorted(parts))}; no names are in it\n")
    return 0


def collect(path: Path | None, machine: Machine, journal: Path | None) -> tuple[Parts, set[str]]:
    """The texts, and the names to strike out of them."""
    parts = {"log.txt": log(machine)}
    try:
        config = load(path, check_options, environ=places.environment(path, os.environ))
    except ConfigError as error:
        readable = {} if path is None else File(path).readable()
        # In whatever section: its name may be the fault.
        names = {str(value) for key, value in readable.items() if key.endswith((".name", ".pin"))}
        parts["settings.txt"] = f"{error}\n"
        journal = journal or journal_of(readable)
    else:
        names = {seat.name for seat in config.seats if seat.name}
        parts["settings.txt"] = settings(config)
        parts |= doctor(config, machine)
        journal = journal or config.journal
    parts["races.txt"], known = races(journal)
    return parts, names | known


def journal_of(readable: Mapping[str, str | int]) -> Path:
    """Where the journal most likely is when table.toml has faults: as far as that can be read, else the service's."""
    state = Path(str(readable.get("state", places.SERVICE_STATE)))
    return Path(str(readable.get("journal.path", state / "journal.db")))


def doctor(config: Config, machine: Machine) -> Parts:
    """What the doctor finds without asking anybody to press or to look."""
    running = running_table(config, machine)
    findings = list(examine(Case(config, machine, Nobody(time.sleep), running)))
    wide = max(len(each.name) for each in findings)
    lines = [line for each in findings for line in each.lines(wide)]
    head = {"doubtable": __version__, "table": str(config.path), "running": running is not None}
    return {"doctor.txt": "\n".join([*lines, summary(findings), ""]), "doctor.json": to_json(findings, head) + "\n"}


def log(machine: Machine) -> str:
    """The last lines of the service's log."""
    asked = ("-u", "doubtable", "-n", str(LOG_LINES), "-o", "short-iso-precise", "--no-hostname", "--no-pager")
    said = machine.run("journalctl", *asked)
    if said is None:
        return "this system has no journalctl\n"
    return f"{said.text}\n" if said.status == 0 else f"the log cannot be read: {said.text}\n"


def races(journal: Path) -> tuple[str, set[str]]:
    """The last races of the journal, and the names that are in it."""
    try:
        with snapshot(journal) as database:
            found = reading.races(database, RACES, None)
            names = set(reading.persons(database).values())
    except (JournalError, chain.Broken) as error:
        return f"{error}\n", set()
    return "\n\n".join(f"game {each.game}\n{each.record}" for each in found) + "\n", names


def settings(config: Config) -> str:
    """The effective values that are no secret: neither PIN nor names."""
    name = re.compile(r"seats\.\d+\.name")
    told = [each for each in config.settings if each.key not in SECRET and not name.fullmatch(each.key)]
    return "".join(f"{each.key} = {each.value}  # {each.origin}\n" for each in told)


def about(stamp: str) -> str:
    """Which program on which system, and when."""
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return f"doubtable {__version__}\nPython {platform.python_version()}\n{system}\nmade {stamp} (UTC)\n"


def strike(text: str, names: Iterable[str]) -> str:
    """``text`` without these names, in whatever case they are written, the longest first; without home folders'."""
    for name in sorted(filter(None, names), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", STRUCK, text, flags=re.IGNORECASE)
    return HOME.sub(STRUCK, text)


def write(out: Path, parts: Parts, mtime: int) -> None:
    """The archive, readable by its owner only. UserError when it cannot be written, or would be written over a file."""
    try:
        descriptor = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file, tarfile.open(fileobj=file, mode="w:gz") as archive:
            for name, text in sorted(parts.items()):
                _add(archive, f"doubtable-report/{name}", text.encode(errors="backslashreplace"), mtime)
    except FileExistsError:
        raise UserError(f"--out {out}: is there already: name another file, or move this one away") from None
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise UserError(f"--out {out}: {why}: name a file that can be written") from error


def _add(archive: tarfile.TarFile, name: str, data: bytes, mtime: int) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mtime = len(data), mtime
    archive.addfile(member, io.BytesIO(data))
