"""Whether what is written to a path is there after the power was off: by the mount table.

A read-only root lays an overlay of memory over the disk, and by default over the data partition too; then everything
works, and nothing is left the next day.
"""

import re
from pathlib import Path, PurePosixPath
from typing import NamedTuple

MOUNTS = Path("/proc/self/mounts")
MEMORY = frozenset(
    {"overlay", "overlayfs", "aufs", "tmpfs", "ramfs", "rootfs", "squashfs", "devtmpfs", "proc", "sysfs"}
)


class Mount(NamedTuple):
    """One line of the mount table."""

    point: PurePosixPath
    kind: str
    read_only: bool


def mounts_of(text: str) -> list[Mount]:
    """The mounts of a mount table's text (the form of /proc/mounts); lines that are none are passed over."""
    found = []
    for line in text.splitlines():
        fields = line.split()
        if len(fields) >= 4:
            point = re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), fields[1])
            found.append(Mount(PurePosixPath(point), fields[2], "ro" in fields[3].split(",")))
    return found


def fault(path: Path, mounts: str) -> str:
    """What is wrong with keeping a journal at ``path`` (absolute, links resolved); "" when nothing is known to be."""
    under = [mount for mount in mounts_of(mounts) if PurePosixPath(path).is_relative_to(mount.point)]
    if not under:
        return ""
    deepest = max(len(mount.point.parts) for mount in under)
    mount = [each for each in under if len(each.point.parts) == deepest][-1]  # of two at one place the later one shows
    if mount.kind in MEMORY:
        return (
            f"journal not on permanent storage: {mount.point} is {mount.kind}, what is written there is gone after a "
            "power cut: put [journal] path on a partition of its own (for overlayroot with recurse=0)"
        )
    if mount.read_only:
        return f"journal on a read-only file system ({mount.point}): put [journal] path on one that can be written"
    return ""


def fault_here(path: Path) -> str:
    """``fault`` by this machine's own mount table; "" where there is none (macOS)."""
    try:
        text = MOUNTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return fault(path.resolve(), text)
