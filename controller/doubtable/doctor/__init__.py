"""The doctor: what is wrong with a table, and what to do about it.

    machine.py        the machine below one root: /sys, /proc, /dev, programs
    case.py           the table, the machine, the person, the running table
    findings.py       ok | warning | fault | unknown, for people and programs
    examination.py    all sections: board, system, software, chip, panel, buttons, lamps, reader, decks, screen, sound
    ears.py, bench.py what buttons and reader say, and what their edges tell of contacts and cables

Devices are opened only when no table runs; a running table is asked over its desk (doubtable.desk).
"""

from doubtable.doctor.case import Case, Nobody, Person, Running, Terminal
from doubtable.doctor.examination import SECTIONS, examine
from doubtable.doctor.findings import Finding
from doubtable.doctor.machine import Machine

__all__ = ["SECTIONS", "Case", "Finding", "Machine", "Nobody", "Person", "Running", "Terminal", "examine"]
