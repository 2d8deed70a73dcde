"""What happened at the table, so that nothing is lost: every input in the order in which the table got it, on the disk.

    writer.py    Journal: the thread, its file and lock
    scribe.py    inputs and events -> rows, games, checkpoints
    chain.py     rows and the hash that ties them together
    book.py, totals.py    what is remembered of the game that is on
    schema.py, reading.py    the file: tables, migrations, what stands in it
    packs.py, thinning.py  games that are over, and games that are old
    snapshot.py, replay.py, verifying.py, exporting.py, forgetting.py    looking into it
    gate.py      what the screen may show before the disk has it
    looking_back.py   the photo finish of races that are over
    waiting.py   GO ON after a power cut; unsaved.py   a disk that does not work
    clock.py, storage.py, lock.py    the machine: clocks, mount table, one writer

The table is not asked and never waits. `doubtable.recovery` brings it back after a power cut.
"""

from doubtable.journal.errors import JournalError
from doubtable.journal.unsaved import Unsaved
from doubtable.journal.writer import Journal

__all__ = ["Journal", "JournalError", "Unsaved"]
