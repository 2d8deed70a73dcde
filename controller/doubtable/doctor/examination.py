"""The whole examination: every section, in the order in which a maker would look."""

from collections.abc import Callable, Iterator, Sequence

from doubtable.doctor import board, buttons, chip, lamps, panel, reader, sight, software, system, table
from doubtable.doctor.case import Case
from doubtable.doctor.findings import Finding

Section = Callable[[Case], Iterator[Finding]]

SECTIONS: dict[str, Section] = {
    "table": table.table,
    "model": board.model,
    "kernel": board.kernel,
    "supply": board.supply,
    "clock": system.clock,
    "disk": system.disk,
    "journal": system.journal,
    "groups": system.groups,
    "versions": software.versions,
    "libraries": software.libraries,
    "usb": software.usb,
    "chip": chip.chip,
    "panel": panel.panel,
    "buttons": buttons.buttons,
    "lamps": lamps.lamps,
    "reader": reader.reader,
    "decks": table.cards,
    "screen": sight.screen,
    "sound": sight.sound,
}


def examine(case: Case, only: Sequence[str] = ()) -> Iterator[Finding]:
    """All findings, or those of the sections ``only``; each as soon as it is known."""
    for name, section in SECTIONS.items():
        if not only or name in only:
            yield from section(case)
