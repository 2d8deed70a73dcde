"""Card readers: bytes in, tags out (pure). A new reader is one file here and one line in READERS.

table.toml names a kind, a tape and a journal name the parser: "rdm6300-strict" is the kind rdm6300 at a table that
takes no raw checksums.
"""

from doubtable.readers.id12 import id12
from doubtable.readers.pn532 import Pn532
from doubtable.readers.presence import Reader, ReaderState, Sighting
from doubtable.readers.rdm6300 import STRICT, rdm6300

READERS: dict[str, Reader] = {
    reader.name: reader for reader in (rdm6300(), rdm6300(raw_checksum=False), id12(), Pn532())
}
KINDS = tuple(name for name in READERS if name != STRICT)

__all__ = ["KINDS", "READERS", "Reader", "ReaderState", "Sighting", "reader_of"]


def reader_of(kind: str, raw_checksum: bool = True) -> Reader:
    """The parser for a kind of KINDS; ``raw_checksum`` false: an RDM6300 whose clones' frames are noise. KeyError."""
    return READERS[STRICT if kind == "rdm6300" and not raw_checksum else kind]
