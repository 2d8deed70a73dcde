"""The real cards of a simulated table, kept beside its journal, so that a table that was cut off has them again.

The journal knows no hidden card and must not: this file is the simulation's own. It says where the cards lay after the
last inputs that moved them, by the numbers that the journal gives to inputs. What the journal has not committed may be
lost in a cut, so what lay before that is kept too.
"""

import logging
from pathlib import Path

import msgspec

from doubtable import whole_file
from doubtable.real_cards import Layout

log = logging.getLogger(__name__)


class Kept(msgspec.Struct, frozen=True):
    """Where the cards lay after input ``number``."""

    number: int
    layout: Layout


class CardFile:
    """The file of one journal; with ``journal`` None nothing is kept. One thread."""

    def __init__(self, journal: Path | None) -> None:
        self.path = None if journal is None else journal.with_name(journal.name + ".cards")
        self._kept: tuple[Kept, ...] = ()

    def read(self, number: int) -> tuple[Layout, ...]:
        """Where the cards lay at input ``number``, the latest word first; nothing when that is not known, and a line in
        the log when the file ought to say it and cannot be read.
        """
        if self.path is None:
            return ()
        try:
            kept = msgspec.json.decode(self.path.read_bytes(), type=tuple[Kept, ...])
        except FileNotFoundError:
            return ()
        except OSError as error:
            log.warning("%s: %s: all hands are dealt anew", self.path, _reason(error))
            return ()
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            log.warning("%s: it is damaged (%s): all hands are dealt anew", self.path, error)
            return ()
        return tuple(each.layout for each in reversed(kept) if each.number <= number)

    def keep(self, number: int, layout: Layout, committed: int) -> None:
        """The cards lie so since input ``number``; the journal has inputs up to ``committed``. On the disk, or a word
        in the log, when it returns: a game never ends for this.
        """
        now = Kept(number, layout)
        if self.path is None or self._kept[-1:] == (now,):
            return
        before = [each for each in self._kept if each.number < number]
        old = [each for each in before if each.number <= committed][-1:] if number > committed else []
        self._kept = (*old, *(each for each in before if each.number > committed), now)
        try:
            whole_file.replace(self.path, msgspec.json.encode(self._kept), 0o600)
        except OSError as error:
            log.warning("%s: %s: the cards are kept no longer", self.path, _reason(error))
            self.path = None


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
