"""Where and when figures were taken: without that they say nothing."""

import os
import platform
import re
from importlib import metadata
from pathlib import Path

import msgspec


class Load(msgspec.Struct, frozen=True):
    """How busy the machine was before the row, and after it: processes that wanted a processor, over a minute."""

    before: float
    after: float


def load_now() -> float:
    """The load of the last minute; 0 where the system does not say."""
    try:
        return round(os.getloadavg()[0], 2)
    except OSError:
        return 0.0


def processor() -> str:
    """The model of this machine, or of its processor."""
    for place, pattern in (
        ("/proc/device-tree/model", r"(.+)"),
        ("/proc/cpuinfo", r"model name\s*:\s*(.+)"),
    ):
        try:
            found = re.search(pattern, Path(place).read_text(encoding="utf-8", errors="replace"))
        except OSError:
            continue
        if found:
            return found[1].strip("\0 ")
    return platform.processor() or platform.machine()


def described() -> dict[str, str]:
    """This machine in words, and the versions that matter."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("msgspec", "gpiozero", "pygame-ce"))
    return {
        "processor": processor(),
        "cores": str(os.cpu_count() or 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "versions": versions,
    }
