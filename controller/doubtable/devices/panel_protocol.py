"""The host's end of the panel's line: frames and messages, bytes in and out, no port. See docs/panel-protocol.md.

A frame is 00, COBS of (kind, payload, CRC-32), 00. Stamps (``us``) are microseconds of the panel's clock, edges are
numbered from the panel's start; both are 32 bits wide and wrap. Lines are numbered from 0, level 1 is down.
"""

import struct
import zlib
from collections.abc import Callable

import msgspec

PROTOCOL = 1
MINIMUM_FIRMWARE = (1, 0, 0)
LINES = 13
WRAP = 1 << 32
LONGEST = 253  # bytes of kind + payload + CRC
STOP_WORD = b"STOP"


class Hello(msgspec.Struct, frozen=True):
    """Who the panel is. ``session`` is drawn at its start, ``following`` is the number of its next edge."""

    protocol: int
    firmware: tuple[int, int, int]
    lines: int
    capacity: int  # samples it keeps for a host that is away
    session: int
    following: int
    board: bytes

    @property
    def version(self) -> str:
        return ".".join(str(part) for part in self.firmware)


class Sample(msgspec.Struct, frozen=True):
    """All lines at ``us``: ``levels`` from then on, ``changed`` the lines whose edge this was; both one bit a line."""

    us: int
    levels: int
    changed: int

    def edges(self) -> list[tuple[int, int]]:
        """(line, level) of each edge, in ascending order of lines, as they are numbered."""
        return [(line, self.levels >> line & 1) for line in range(LINES) if self.changed >> line & 1]


class Events(msgspec.Struct, frozen=True):
    """Samples in order of stamps. ``first``: number of their first edge. Every edge up to ``upto`` has been sent."""

    first: int
    upto: int
    samples: tuple[Sample, ...] = ()


class Pong(msgspec.Struct, frozen=True):
    """Answer to a ping: when it was received and when this was sent, and the number of the panel's next edge."""

    token: int
    received: int
    sent: int
    following: int


class LevelsRead(msgspec.Struct, frozen=True):
    """All lines as the pins were at ``us``."""

    token: int
    us: int
    levels: int


class Resumed(msgspec.Struct, frozen=True):
    """Events go on at number ``begins``; what lies between ``asked`` and it is lost."""

    asked: int
    begins: int


class Status(msgspec.Struct, frozen=True):
    """Counters since the panel's start."""

    lost: int  # edges that can no longer be sent
    bad: int  # pieces of rubbish received
    epochs: int  # drains that came too late to give stamps
    overwritten: int  # words that the ring lost
    stalls: int  # drains that found the state machine's queue had been full
    longest: int  # us, the longest time between two drains
    fullest: int  # samples, the most that ever waited for the host


Message = Hello | Events | Pong | LevelsRead | Resumed | Status

HELLO = 0x81
HELLO_LAYOUT = "<B3xBHII8s"
EVENTS = 0x82
ANSWERS: dict[int, tuple[str, Callable[..., Message]]] = {
    0x83: ("<IIII", Pong),
    0x84: ("<IIH", LevelsRead),
    0x85: ("<II", Resumed),
    0x86: ("<IIIIIII", Status),
}


class FrameReader:
    """Bytes in, frames out, whatever the chunks. ``bad`` counts what stood between delimiters and was no frame."""

    def __init__(self) -> None:
        self.bad = 0
        self._held = bytearray()

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """(kind, payload) of each frame that ``data`` completes."""
        frames = []
        *pieces, rest = data.split(b"\0")
        for piece in pieces:
            self._hold(piece)
            if self._held:
                frame = _body(bytes(self._held))
                if frame is None:
                    self.bad += 1
                else:
                    frames.append(frame)
                self._held.clear()
        self._hold(rest)
        return frames

    def _hold(self, piece: bytes) -> None:
        # One byte more than a frame can have is enough to know that this is none.
        self._held += piece[: LONGEST + 2 - len(self._held)]


def frame(kind: int, payload: bytes = b"") -> bytes:
    """One frame with both delimiters; ValueError for a payload that is too long."""
    body = bytes((kind,)) + payload
    body += struct.pack("<I", zlib.crc32(body))
    if len(body) > LONGEST:
        raise ValueError(f"a payload of {len(payload)} bytes is longer than a frame can carry")
    blocks = (bytes((len(block) + 1,)) + block for block in body.split(b"\0"))
    return b"\0" + b"".join(blocks) + b"\0"


def _body(encoded: bytes) -> tuple[int, bytes] | None:
    """Kind and payload of what stood between two delimiters; None when it is no frame."""
    if len(encoded) > LONGEST + 1:
        return None
    blocks = []
    at = 0
    while at < len(encoded):
        end = at + encoded[at]
        if end > len(encoded):
            return None
        blocks.append(encoded[at + 1 : end])
        at = end
    body = b"\0".join(blocks)
    if len(body) < 5 or struct.unpack("<I", body[-4:])[0] != zlib.crc32(body[:-4]):
        return None
    return body[0], body[1:-4]


def message(kind: int, payload: bytes) -> Message | None:
    """What the panel said; None for a kind or a length that this protocol does not have."""
    if kind == HELLO:
        return _hello(payload)
    if kind == EVENTS and len(payload) >= 8 and len(payload) % 8 == 0:
        first, upto = struct.unpack_from("<II", payload)
        return Events(first, upto, tuple(Sample(*fields) for fields in struct.iter_unpack("<IHH", payload[8:])))
    layout, make = ANSWERS.get(kind, ("", None))
    if make is None or struct.calcsize(layout) != len(payload):
        return None
    return make(*struct.unpack(layout, payload))


def _hello(payload: bytes) -> Hello | None:
    """Any protocol's hello: its first four bytes stay as they are, so an old panel can be told what it lacks."""
    if len(payload) < 4:
        return None
    major, minor, patch = payload[1:4]
    if payload[0] != PROTOCOL:
        return Hello(payload[0], (major, minor, patch), 0, 0, 0, 0, b"")
    if len(payload) != struct.calcsize(HELLO_LAYOUT):
        return None
    return Hello(payload[0], (major, minor, patch), *struct.unpack(HELLO_LAYOUT, payload)[1:])


def ask_hello() -> bytes:
    """Panel: who are you. It answers Hello and from then on sends Events."""
    return frame(0x01, bytes((PROTOCOL,)))


def resume(following: int) -> bytes:
    """Panel: send from this number on. It answers Resumed."""
    return frame(0x02, struct.pack("<I", following % WRAP))


def ping(token: int, following: int) -> bytes:
    """Panel: I have everything before ``following``, what time is it. It answers Pong."""
    return frame(0x03, struct.pack("<II", token % WRAP, following % WRAP))


def ask_levels(token: int) -> bytes:
    """Panel: how are the lines. It answers LevelsRead."""
    return frame(0x04, struct.pack("<I", token % WRAP))


def lamps(state: int) -> bytes:
    """Panel: these lamps on (one bit a line), the others off. No answer."""
    return frame(0x05, struct.pack("<H", state))


def ask_status() -> bytes:
    """Panel: your counters. It answers Status."""
    return frame(0x06)


def stop() -> bytes:
    """Panel: end the program and leave the line to MicroPython's prompt. No answer."""
    return frame(0x07, STOP_WORD)


def ahead(number: int, of: int) -> int:
    """By how much ``number`` lies after ``of``, both 32 bits wide, less than half a round apart; negative: before."""
    return (number - of + WRAP // 2) % WRAP - WRAP // 2
