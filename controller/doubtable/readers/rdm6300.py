"""RDM6300 and RDM630: 125 kHz, 9600 8N1, a frame about every 50 ms while the tag lies there; the clones too.

It also reads the frames of an ID-12LA, which hang on the same wire at the same speed: a reader that is named wrong in
the configuration would otherwise be silent without a reason to see.
"""

from doubtable.readers.em4100 import HEX_ENDED, LINE_ENDED, RAW_ENDED, Em4100

STRICT = "rdm6300-strict"  # the name of the parser to which the clones' 13-byte frames are noise


def rdm6300(raw_checksum: bool = True) -> Em4100:
    """The reader; without ``raw_checksum`` the strict one."""
    endings = (HEX_ENDED, LINE_ENDED)
    return Em4100("rdm6300", (*endings, RAW_ENDED)) if raw_checksum else Em4100(STRICT, endings)
