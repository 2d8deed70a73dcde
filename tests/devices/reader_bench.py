"""What the reader tests share: a cable behind a stable path, a clock, an inbox with a parser at its end."""

import queue
import threading
from collections.abc import Callable
from pathlib import Path

from doubtable.devices.reader_emulators import Emulator
from doubtable.inputs import Device, Input, Serial
from doubtable.readers import Reader


class Clock:
    """ns that pass only when a test says so; read by any thread."""

    def __init__(self) -> None:
        self.ns = 0

    def __call__(self) -> int:
        return self.ns


class Cable:
    """A stable path that leads to whichever reader is plugged in, as udev's links by id do."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "by-id-reader"
        self.emulator: Emulator | None = None

    def plug(self, emulator: Emulator) -> None:
        """The reader appears under the stable path."""
        self.emulator = emulator
        self.path.symlink_to(emulator.wire.port)

    def pull(self) -> None:
        """The reader and its name vanish."""
        if self.emulator is not None:
            self.path.unlink()
            self.emulator.close()
            self.emulator = None


class Inbox:
    """All that was delivered, from any thread, and what the parser makes of it."""

    def __init__(self, reader: Reader) -> None:
        self.inputs: list[Input] = []
        self._new: queue.Queue[Input] = queue.Queue()
        self._reader = reader

    def __call__(self, given: Input) -> None:
        self.inputs.append(given)
        self._new.put(given)

    def wait_for(self, enough: Callable[[], bool]) -> None:
        """Wait until what was delivered is enough; fails when nothing comes for a minute."""
        while not enough():
            self._new.get(timeout=60)

    @property
    def data(self) -> bytes:
        """All bytes, in order."""
        return b"".join(given.data for given in self.inputs if isinstance(given, Serial))

    @property
    def ups(self) -> list[tuple[int, bool]]:
        """When (ns) the reader came and went."""
        return [(given.ns, given.up) for given in self.inputs if isinstance(given, Device)]

    def tags(self) -> list[tuple[str, bool]]:
        """The tags that came and went, up to the last input."""
        state, said = self._reader.start(), list[tuple[str, bool]]()
        for given in self.inputs:
            if isinstance(given, Serial):
                state, new = self._reader.feed(state, given.ns, given.data)
                said += [(sighting.id, sighting.present) for sighting in new]
        return said

    def arrivals(self) -> list[str]:
        """The tags that came."""
        return [tag for tag, present in self.tags() if present]


def open_things() -> tuple[int, list[str]]:
    """How many descriptors and which threads this process has."""
    return len(list(Path("/dev/fd").iterdir())), sorted(thread.name for thread in threading.enumerate())
