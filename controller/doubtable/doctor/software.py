"""What is installed: versions, libraries that exclude each other, programs that take serial ports away."""

import platform
import re
from collections.abc import Iterator

from doubtable import __version__
from doubtable.config.pins import UNSTABLE_PORTS
from doubtable.doctor.case import Case
from doubtable.doctor.findings import Finding

SHOWN = ("gpiod", "gpiozero", "lgpio", "pygame-ce", "pygame", "pyserial", "msgspec", "pydantic")
PYTHON = platform.python_version()
EMPTY_LGPIO = "0.0.0.2"  # what pip takes on a Python without a wheel of lgpio
THIEVES = {"ModemManager": "sends AT commands to every new port", "brltty": "takes CH340, CP210x and FT232 adapters"}
RULES = ("/etc/udev/rules.d/*doubtable*.rules", "/usr/lib/udev/rules.d/*doubtable*.rules")
FIVE = re.compile(r"Raspberry Pi (5|500|Compute Module 5)\b")


def versions(case: Case) -> Iterator[Finding]:
    """The versions of this program and of what it stands on; a fault for what is configured and missing."""
    packages = case.machine.packages()
    listed = [f"{name} {packages[name]}" for name in SHOWN if name in packages]
    lacking = list(_lacking(case, packages))
    yield from lacking
    if not lacking:
        yield Finding("versions", "ok", ", ".join([f"doubtable {__version__}", f"Python {PYTHON}", *listed]))


def _lacking(case: Case, packages: dict[str, str]) -> Iterator[Finding]:
    config = case.config

    def lack(what: str, todo: str) -> Finding:
        return Finding("versions", "fault", what, todo)

    if "gpio" in config.sources and _older(packages.get("gpiod"), (2, 2)):
        found = packages.get("gpiod", "is not installed, or is the one of Debian 12 (1.6)")
        yield lack(
            f"gpiod {found}: buttons need libgpiod 2.2",
            "pip install 'gpiod>=2.2', or python3-libgpiod of Debian 13",
        )
    if not case.on_header:
        return
    if _older(packages.get("gpiozero"), (1, 6, 2)):
        yield lack(f"gpiozero {packages.get('gpiozero', 'is not installed')}", "pip install 'gpiozero>=1.6.2'")
    if config.lamps.factory == "lgpio" and packages.get("lgpio", EMPTY_LGPIO) == EMPTY_LGPIO:
        found = "is the empty release 0.0.0.2" if "lgpio" in packages else "is not installed"
        yield lack(
            f"lgpio {found}: it switches the lamps",
            "sudo apt install python3-lgpio (Raspberry Pi OS), or with Python 3.11, 3.12: pip install 'lgpio>=0.2.2'",
        )


def _older(version: str | None, least: tuple[int, ...]) -> bool:
    numbers = tuple(int(part) for part in re.findall(r"\d+", version or "")[: len(least)])
    return numbers < least


def libraries(case: Case) -> Iterator[Finding]:
    """RPi.GPIO and rpi-lgpio are imported by one name: with both installed one hides the other."""
    packages = case.machine.packages()
    old, new = packages.get("rpi-gpio"), packages.get("rpi-lgpio")
    needed = case.on_header and case.config.lamps.factory == "rpigpio"
    five = FIVE.match(case.machine.text("/proc/device-tree/model") or "")
    if old and new:
        what = f"RPi.GPIO {old} and rpi-lgpio {new} are both installed: they have one name, and one hides the other"
        keep, drop = ("rpi-lgpio", "RPi.GPIO") if five else ("the one you need", "the other")
        yield Finding("libraries", "fault", what, f"keep {keep}, remove {drop}: pip uninstall, apt remove")
    elif old and five:
        state = "fault" if needed else "warning"
        what = f"RPi.GPIO {old} does not work on a Raspberry Pi 5"
        yield Finding("libraries", state, what, "pip uninstall RPi.GPIO; rpi-lgpio offers the same")  # type: ignore[arg-type]
    elif needed and not old and not new:
        what = 'lamps.factory = "rpigpio", and neither RPi.GPIO nor rpi-lgpio is installed'
        yield Finding("libraries", "fault", what, 'install one of them, or write factory = "lgpio"')
    else:
        one = f"RPi.GPIO {old}" if old else f"rpi-lgpio {new}" if new else "neither RPi.GPIO nor rpi-lgpio"
        yield Finding("libraries", "ok", f"{one}, so none hides another")


def usb(case: Case) -> Iterator[Finding]:
    """Programs that take a serial port on USB away."""
    ports = [port for port in (case.config.reader.port, case.config.panel.port) if port is not None]
    on_usb = [port for port in ports if "usb" in port.lower() or port.startswith(UNSTABLE_PORTS)]
    if not on_usb:
        yield Finding("usb", "ok", "nothing hangs on a serial port on USB")
        return
    processes = case.machine.processes()
    if not processes:
        yield Finding("usb", "unknown", "this system does not say which programs run", "see docs/hardware-setup.md")
        return
    ruled = any(case.machine.glob(pattern) for pattern in RULES)
    thieves = [name for name in THIEVES if name in processes]
    for name in thieves:
        if name == "ModemManager" and ruled:
            continue
        todo = "install the rules of deploy/udev, or: sudo systemctl disable --now ModemManager"
        if name == "brltty":
            todo = "sudo systemctl mask --now brltty, unless somebody here reads Braille"
        yield Finding("usb", "warning", f"{name} runs: it {THIEVES[name]}", todo)
    if not thieves or (thieves == ["ModemManager"] and ruled):
        rest = "; ModemManager runs, and the rules keep it away" if thieves else ""
        yield Finding("usb", "ok", f"nobody takes {' and '.join(on_usb)}{rest}")
