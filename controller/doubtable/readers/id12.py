"""ID-12LA and ID-20LA: the frame of an RDM6300 with CR LF before its end (and without)."""

from doubtable.readers.em4100 import HEX_ENDED, LINE_ENDED, Em4100


def id12() -> Em4100:
    """The reader."""
    return Em4100("id12", (LINE_ENDED, HEX_ENDED))
