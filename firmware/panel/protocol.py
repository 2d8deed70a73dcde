"""The panel's words: message kinds, their layout, versions. docs/panel-protocol.md explains each of them.

Pure. Stamps are microseconds of the panel's own clock, edges are numbered from the panel's start; both are 32 bits
wide and wrap, so they are only ever compared by ``before``.
"""

import struct

PROTOCOL = 1
FIRMWARE = (1, 0, 0)
LINES = 13
MASK = 0x1FFF
WRAP = 0xFFFFFFFF

# host to panel
ASK_HELLO = 0x01
RESUME = 0x02
PING = 0x03
ASK_LEVELS = 0x04
LAMPS = 0x05
ASK_STATUS = 0x06
STOP = 0x07

# panel to host
HELLO = 0x81
EVENTS = 0x82
PONG = 0x83
LEVELS = 0x84
RESUMED = 0x85
STATUS = 0x86

STOP_WORD = b"STOP"

FROM_HOST = {ASK_HELLO: "<B", RESUME: "<I", PING: "<II", ASK_LEVELS: "<I", LAMPS: "<H", ASK_STATUS: "<", STOP: "<4s"}

SAMPLE = "<IHH"  # stamp, levels after it, which lines changed
SAMPLES_PER_FRAME = 25


def before(a: int, b: int) -> bool:
    """Whether ``a`` comes before ``b``: both 32 bits, less than half a round apart."""
    return (a - b) & WRAP > WRAP // 2


def read(kind: int, payload: bytes) -> "tuple | None":  # type: ignore[type-arg]
    """The fields of a host's message; None when it is none or has the wrong length."""
    layout = FROM_HOST.get(kind)
    if layout is None or struct.calcsize(layout) != len(payload):
        return None
    return struct.unpack(layout, payload)


def hello(capacity: int, session: int, following: int, board: bytes) -> bytes:
    return struct.pack("<BBBBBHII8s", PROTOCOL, *FIRMWARE, LINES, capacity, session, following & WRAP, board)


def events(first: int, upto: int, samples: bytes) -> bytes:
    return struct.pack("<II", first & WRAP, upto & WRAP) + samples


def pong(token: int, received: int, sent: int, following: int) -> bytes:
    return struct.pack("<IIII", token, received & WRAP, sent & WRAP, following & WRAP)


def levels(token: int, stamp: int, state: int) -> bytes:
    return struct.pack("<IIH", token, stamp & WRAP, state)


def resumed(asked: int, begins: int) -> bytes:
    return struct.pack("<II", asked & WRAP, begins & WRAP)


def status(lost: int, bad: int, epochs: int, overwritten: int, stalls: int, longest: int, fullest: int) -> bytes:
    return struct.pack("<IIIIIII", lost, bad, epochs, overwritten, stalls, longest & WRAP, fullest)
