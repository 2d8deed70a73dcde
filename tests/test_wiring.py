"""From table.toml to the devices and the table they feed: what is configured is what works, on the wire."""

import queue
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from decks.deck_bench import tag, whole
from doubtable import decks
from doubtable.config import load
from doubtable.devices.reader_emulators import LiveEmulator, RdmEmulator
from doubtable.events import Event
from doubtable.inputs import Input, Serial
from doubtable.wiring import devices_of, table_of

SEATS = "".join(f'[seats.{seat}]\nsource = "simulated"\n' for seat in (1, 2, 3))
FRAMES = 3


class Wired:
    """A table.toml's reader on a pty, in real time, and its table, fed with what the reader delivers."""

    def __init__(self, folder: Path, style: str, more: str) -> None:
        self.live = LiveEmulator(RdmEmulator(style, every=50_000_000))
        path = folder / "table.toml"
        reader = f'[reader]\nkind = "rdm6300"\nport = "{self.live.port}"\n{more}\n'
        path.write_text(f'state = "{folder}"\n{reader}{SEATS}', encoding="utf-8")
        config = load(path)
        self._inbox: queue.SimpleQueue[Input] = queue.SimpleQueue()
        self.devices = devices_of(config, self._inbox.put)
        self.table = table_of(config, "classic", decks.load(folder))
        self.events: list[Event] = []
        self.live.start()
        assert self.devices.reader is not None
        self.devices.reader.start()

    def hear(self, count: int) -> None:
        """Feed the table until ``count`` more bytes of the reader have come."""
        while count > 0:
            given = self._inbox.get(timeout=60)
            self.events += self.table.feed(given)
            count -= len(given.data) if isinstance(given, Serial) else 0

    @property
    def cards(self) -> list[str | None]:
        return [each.facts["card"] for each in self.events if each.name == "tag"]

    def close(self) -> None:
        assert self.devices.reader is not None
        self.devices.reader.close()
        self.live.close()


Wire = Callable[[str, str], Wired]


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    decks.save(tmp_path, whole("red"))
    made: list[Wired] = []

    def make(style: str, more: str) -> Wired:
        made.append(Wired(tmp_path, style, more))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.mark.parametrize(
    ("style", "more", "read"),
    [
        ("rdm6300", "", True),
        ("clone", "", True),
        ("clone", "raw_checksum = true", True),
        ("clone", "raw_checksum = false", False),
        ("rdm6300", "raw_checksum = false", True),
    ],
)
def test_whether_a_clones_raw_checksum_is_taken_is_configured(wire: Wire, style: str, more: str, read: bool) -> None:
    wired = wire(style, more)
    wired.live.put(tag(2))
    wired.hear(FRAMES * 13)
    assert wired.cards == (["KS"] if read else [])


def test_a_table_without_raw_checksums_names_its_parser_in_tapes_and_journal(wire: Wire) -> None:
    assert wire("clone", "raw_checksum = false").table.reader.name == "rdm6300-strict"
    assert wire("clone", "").table.reader.name == "rdm6300"
