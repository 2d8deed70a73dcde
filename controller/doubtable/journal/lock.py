"""One table writes a journal: a lock file beside it, held by the kernel as long as the process lives.

A lock that only names a pid would outlive a power cut; this one is let go by whatever ends the process. The pid in the
file is for the message alone.
"""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from doubtable.journal.errors import JournalError


class Lock:
    """The lock of one journal. Raises JournalError with the pid of whoever has it."""

    def __init__(self, journal: Path) -> None:
        path = journal.with_name(journal.name + ".lock")
        try:
            self._file: int | None = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            what = f"its lock file cannot be written: {(error.strerror or str(error)).lower()}"
            way_out = "look at the folder's owner and mode, and whether it is read-only"
            raise JournalError(str(path), what, way_out, stops=False) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid = os.read(self._file, 20).decode("ascii", "replace").strip() or "unknown"
            self.close()
            what = f"process {pid} writes it already"
            way_out = (
                "stop that table first, or give this one a file of its own: path under [journal] in a table.toml of its"
                " own, or another folder in XDG_STATE_HOME"
            )
            raise JournalError(str(journal), what, way_out) from None
        with suppress(OSError):  # a full disk: the lock holds without its message
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def close(self) -> None:
        """Let the lock go. May be called twice."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
