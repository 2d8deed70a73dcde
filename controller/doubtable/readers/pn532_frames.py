"""The frames of a PN532 and the tags in its answers (13.56 MHz, ISO 14443 A; NXP UM0701-02, 6.2.1 and 7.3.5).

    normal    00 00 FF LEN LCS TFI .. DCS 00         LEN + LCS = 0, TFI + .. + DCS = 0 (mod 256)
    extended  00 00 FF FF FF LENM LENL LCS TFI .. DCS 00
    ACK       00 00 FF 00 FF 00      NACK  00 00 FF FF 00 00      error  00 00 FF 01 FF 7F 81 00

The preamble's length varies, so a frame begins at ``00 FF``. The length byte is trusted: a frame ends where it says and
never where a read ends. No byte of a good frame is lost to the noise before it:

- A frame begun that has the header of another one inside was broken off, and the search goes on behind its first byte.
  So neither the wait for the rest of a broken frame nor its checksum, right by chance, can cost the frame that follows.
- The 00 behind a frame must be there but is not used up: it may be the first byte of the next one. So may be DCS.
"""

import msgspec

HEADER = b"\x00\x00\xff"
START = b"\x00\xff"
FROM_HOST = 0xD4
FROM_PN532 = 0xD5
ACK = bytes.fromhex("00 00 FF 00 FF 00")
NACK = bytes.fromhex("00 00 FF FF 00 00")
ERROR = bytes.fromhex("00 00 FF 01 FF 7F 81 00")
LISTED = b"\xd5\x4b"  # the answer to InListPassiveTarget
LONGEST = 265  # bytes TFI .. data of an extended frame
UID_LENGTHS = (4, 7, 10)
NO_BODY = {b"\x00\xff": "ack", b"\xff\x00": "nack"}


class Frame(msgspec.Struct, frozen=True):
    """A frame: ``kind`` is ack, nack, error or data; ``body`` of data is TFI and what follows, without DCS."""

    kind: str
    body: bytes = b""


def framed(body: bytes) -> bytes:
    """The frame that carries ``body`` (TFI and what follows, up to 265 bytes), extended where it has to be."""
    if not 1 <= len(body) <= LONGEST:
        raise ValueError(f"a frame of {len(body)} bytes: 1 to {LONGEST} fit")
    return extended(body) if len(body) > 255 else HEADER + bytes([len(body), -len(body) % 256]) + _closed(body)


def extended(body: bytes) -> bytes:
    """The extended frame that carries ``body``; the chip may answer in one at any length."""
    lengths = divmod(len(body), 256)
    return HEADER + b"\xff\xff" + bytes([*lengths, -sum(lengths) % 256]) + _closed(body)


def _closed(body: bytes) -> bytes:
    return body + bytes([-sum(body) % 256, 0])


def scan(buffer: bytes, sender: int = FROM_PN532) -> tuple[tuple[Frame, ...], bytes]:
    """The frames of ``sender`` in ``buffer``, and the bytes from the first undecided one on (else a last 00)."""
    frames: list[Frame] = []
    at = 0
    while (at := buffer.find(START, at)) >= 0:
        judged = _judge(buffer, at, sender)
        if judged is None:
            return tuple(frames), buffer[at:]
        frame, at = judged
        if frame is not None:
            frames.append(frame)
    return tuple(frames), b"\x00" if buffer.endswith(b"\x00") else b""


def _judge(buffer: bytes, at: int, sender: int) -> tuple[Frame | None, int] | None:
    """The frame that begins at ``at``, if it is one, and where to look on; None while that is open."""
    wrong = (None, at + 1)
    head = buffer[at + 2 : at + 7]
    if head[:2] in NO_BODY:
        if len(head) < 3:
            return None
        return (Frame(NO_BODY[head[:2]]), at + 3) if head[2] == 0 else wrong
    span = _span(head)
    if span is None:
        return None
    body, length = at + 2 + span[0], span[1]
    checksum = body + length
    if not length or _header_inside(buffer[body : checksum + 1]):
        return wrong
    if len(buffer) < checksum + 2:
        return None
    frame = _opened(buffer[body : checksum + 2], sender)
    return (frame, checksum) if frame is not None else wrong


def _span(head: bytes) -> tuple[int, int] | None:
    """The bytes from the start code to TFI and those from TFI to DCS (0: no header); None while that is open."""
    extended = head[:2] == b"\xff\xff"
    if len(head) < (5 if extended else 2):
        return None
    lengths, size = (head[2:5], head[2] * 256 + head[3]) if extended else (head[:2], head[0])
    return (5 if extended else 2), (size if sum(lengths) % 256 == 0 and size <= LONGEST else 0)


def _opened(rest: bytes, sender: int) -> Frame | None:
    """The frame of TFI .. data, DCS and the 00 behind it."""
    body = rest[:-2]
    if sum(rest[:-1]) % 256 or rest[-1]:
        return None
    if body == b"\x7f":
        return Frame("error", body)
    return Frame("data", body) if body[0] == sender else None


def _header_inside(body: bytes) -> bool:
    at = 0
    while (at := body.find(HEADER, at)) >= 0:
        lengths = body[at + 3 : at + 5]
        if len(lengths) == 2 and (sum(lengths) % 256 == 0 or lengths in NO_BODY or lengths == b"\xff\xff"):
            return True
        at += 1
    return False


def listed(body: bytes) -> tuple[int, str] | None:
    """How many tags an answer lists and the id of the only one; None for another or a malformed answer.

    D5 4B, number, then per tag: its number, SENS_RES (2), SEL_RES (1), length of the UID, UID, and for ISO 14443-4 tags
    the ATS with its own length first. Two tags at once say neither that one came nor that one left.
    """
    if body == LISTED + b"\x00":
        return 0, ""
    if not body.startswith(LISTED + b"\x01\x01") or len(body) < 8 or body[7] not in UID_LENGTHS:
        return None
    end = 8 + body[7]
    ats = body[end:]
    if len(body) < end or (ats and ats[0] != len(ats)):
        return None
    return 1, body[8:end].hex().upper()
