"""The GPIO chip and its lines."""

import errno
from collections.abc import Iterator
from pathlib import Path

from doubtable.config.pins import PI_CHIPS
from doubtable.devices.chips import CONSUMER, FoundChip, KernelGpio, find_chip, load_gpiod
from doubtable.devices.ports import DeviceError, cause
from doubtable.doctor.case import HEADER, Case
from doubtable.doctor.findings import Finding
from doubtable.wiring import lines_of


def chip(case: Case) -> Iterator[Finding]:
    """Whether the chip is there by its label, may be opened, and has all the lines free that the table wants."""
    if not case.on_header:
        yield Finding("chip", "ok", "none is needed: no seat hangs on this computer's own lines")
        return
    labels, path = case.config.chip_labels, case.config.buttons.chip_path
    try:
        found = find_chip(_chips(case), labels, None if path is None else str(case.machine.path(path).resolve()))
        yield from _lines(case, found)
    except DeviceError as error:
        yield Finding("chip", "fault", error.what, error.way_out, error.place)


def _chips(case: Case) -> list[FoundChip]:
    """The chips of the machine, each once. DeviceError when some exist and none may be opened."""
    gpiod = load_gpiod()
    found: list[FoundChip] = []
    forbidden: list[str] = []
    for path in dict.fromkeys(path.resolve() for path in case.machine.glob("/dev/gpiochip*")):
        try:
            with gpiod.Chip(str(path)) as opened:
                info = opened.get_info()
                found.append(FoundChip(str(path), info.label, info.num_lines))
        except PermissionError:
            forbidden.append(case.machine.shown(path))
        except OSError as error:
            if error.errno not in (errno.ENODEV, errno.ENOENT, errno.ENXIO):
                raise DeviceError(case.machine.shown(path), cause(error), "try again, or restart the Pi") from error
    if forbidden and not found:
        what = "may not be opened by this user"
        raise DeviceError(", ".join(forbidden), what, "sudo usermod -aG gpio $USER, then log out and in again")
    return found


def _lines(case: Case, found: FoundChip) -> Iterator[Finding]:
    board = PI_CHIPS.get(found.label)
    shown = case.machine.shown(Path(found.path))
    name = f'{shown} "{found.label}"{f", {board}" if board else ""}'
    wanted = {
        line: f"{what} of seat {seat}"
        for what in ("button", "lamp")
        for seat, line in lines_of(case.config, what, *HEADER).items()
    }
    beyond = [f"{line} ({use})" for line, use in sorted(wanted.items()) if line >= found.lines]
    if beyond:
        what = f"{name} has {found.lines} lines, and none of {', '.join(beyond)}"
        yield Finding("chip", "fault", what, "correct the lines in table.toml")
        return
    holders = KernelGpio().holders(found.path, wanted)
    if case.running is not None:
        holders = {line: who for line, who in holders.items() if not _ours(who)}
    for line, who in holders.items():
        yield Finding(
            "chip",
            "fault",
            f'held already by "{who}"',
            "end that program, or switch off that bus (sudo raspi-config), or use another line",
            f"line {line} ({wanted[line]})",
        )
    if not holders:
        free = "held by the running table" if case.running is not None else "free"
        yield Finding("chip", "ok", f"{name}: all {len(wanted)} lines are {free}")


def _ours(holder: str) -> bool:
    """Whether the running table holds a line under this name: its buttons, or gpiozero's lamps."""
    return holder in (CONSUMER, "lg") or "doubtable" in holder
