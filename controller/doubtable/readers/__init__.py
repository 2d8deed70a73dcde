"""Card readers: bytes in, tags out (pure). A new reader is one file here and one line in READERS."""

from doubtable.readers.id12 import id12
from doubtable.readers.pn532 import Pn532
from doubtable.readers.presence import Reader, ReaderState, Sighting
from doubtable.readers.rdm6300 import rdm6300

READERS: dict[str, Reader] = {reader.name: reader for reader in (rdm6300(), id12(), Pn532())}

__all__ = ["READERS", "Reader", "ReaderState", "Sighting"]
