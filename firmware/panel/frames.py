"""Frames on the USB serial line: 00, COBS of (kind, payload, CRC-32), 00.

Pure: the same file runs on the panel's MicroPython and on a computer's Python. A frame has a 00 on both sides, so
whatever rubbish stands before it (a modem probe, a boot message, half a frame) is cut off and dropped alone.
"""

import binascii
import struct

LONGEST = 253  # bytes of kind + payload + CRC: one COBS block


def cobs_encode(data: bytes) -> bytearray:
    """``data`` without any 00: each block between zeros with its length + 1 in front (Cheshire and Baker, 1999)."""
    out = bytearray()
    for rest in data.split(b"\0"):
        block = rest
        while len(block) >= 254:
            out.append(255)
            out += block[:254]
            block = block[254:]
        out.append(len(block) + 1)
        out += block
    return out


def cobs_decode(data: "bytes | bytearray") -> "bytearray | None":
    """What was encoded, or None when a length points past the end."""
    out = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        end = at + code
        if code == 0 or end > len(data):
            return None
        out += data[at + 1 : end]
        at = end
        if code != 255 and at < len(data):
            out.append(0)
    return out


def pack(kind: int, payload: bytes) -> bytes:
    """The bytes of one frame, both delimiters included."""
    body = bytes((kind,)) + payload
    body += struct.pack("<I", binascii.crc32(body) & 0xFFFFFFFF)
    return b"\0" + bytes(cobs_encode(body)) + b"\0"


class FrameReader:
    """Bytes in, frames out. ``bad`` counts what stood between two delimiters and was no frame."""

    def __init__(self, longest: int = LONGEST) -> None:
        self.bad = 0
        self._longest = longest + 1  # COBS adds one byte to a block
        self._held = bytearray()
        self._overlong = False

    @property
    def empty(self) -> bool:
        """Whether the next byte begins a frame."""
        return not self._held

    def feed(self, byte: int) -> "tuple[int, bytes] | None":
        """One byte; the (kind, payload) of a frame that it completes."""
        if byte:
            if len(self._held) < self._longest:
                self._held.append(byte)
            else:
                self._overlong = True
            return None
        if not self._held:
            return None
        body = None if self._overlong else cobs_decode(self._held)
        self._held = bytearray()
        self._overlong = False
        if body is None or len(body) < 5:
            self.bad += 1
            return None
        (crc,) = struct.unpack("<I", body[-4:])
        if crc != binascii.crc32(body[:-4]) & 0xFFFFFFFF:
            self.bad += 1
            return None
        return body[0], bytes(body[1:-4])
