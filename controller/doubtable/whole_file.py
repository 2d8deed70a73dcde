"""Writing a file that is never seen half written, whenever the power goes."""

import os
from pathlib import Path


def replace(path: Path, data: bytes, mode: int = 0o666) -> None:
    """``path`` holds ``data``, all or nothing; a new file gets ``mode`` less the umask. Raises OSError."""
    fresh = path.with_name(path.name + ".new")
    with open(fresh, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # else the new name itself may be lost
    finally:
        os.close(folder)
