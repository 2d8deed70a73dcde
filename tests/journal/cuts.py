"""What tests of a cut do: play by hand, pull the plug, lay a card on the reader."""

import shutil
from pathlib import Path

from doubtable.events import Event
from doubtable.inputs import Do, Input
from journal.evening import Evening


def cut(evening: Evening, to: Path) -> Path:
    """The files as they are: the power is off. The old table is then switched off out of sight."""
    assert evening.journal is not None
    evening.journal.flush()
    to.mkdir()
    for each in evening.journal.path.parent.glob("journal.db*"):
        if not each.name.endswith(("-shm", ".lock")):
            shutil.copy(each, to / each.name)
    evening.close()
    return to / "journal.db"


def claim(evening: Evening, count: int = 1) -> None:
    """The seat on turn lays cards."""
    turn = evening.table.public()["turn"]
    evening.app.deliver(Do(evening.machine.ns, turn, "claim", count))
    evening.step()


def feed(evening: Evening, given: Input) -> None:
    evening.app.deliver(given)
    evening.step()


def names(events: list[Event]) -> list[str]:
    return [each.name for each in events]


def frame_of(tag: str) -> bytes:
    """What an RDM6300 sends for a tag."""
    check = 0
    for byte in bytes.fromhex(tag):
        check ^= byte
    return b"\x02" + tag.encode() + f"{check:02X}".encode() + b"\x03"
