"""Streams for the reader tests: frames built from the data sheets alone, damage, and an oracle that knows no parser."""

import os
import random
import re
from collections.abc import Iterator

from doubtable.readers import Reader, ReaderState, Sighting

FUZZ_BYTES = 10_000_000 if os.environ.get("DOUBTABLE_LONG") else 200_000


def xor_of(tag: str) -> int:
    """The checksum of an EM4100 id."""
    value = 0
    for byte in bytes.fromhex(tag):
        value ^= byte
    return value


def rdm(tag: str) -> bytes:
    """14 bytes: 02, ten digits, two digits, 03."""
    return f"\x02{tag}{xor_of(tag):02X}\x03".encode("ascii")


def line(tag: str) -> bytes:
    """16 bytes: the same with CR LF before the 03."""
    return f"\x02{tag}{xor_of(tag):02X}\r\n\x03".encode("ascii")


def raw(tag: str) -> bytes:
    """13 bytes: the checksum is one raw byte."""
    return b"\x02" + tag.encode("ascii") + bytes([xor_of(tag), 0x03])


def pn532(body: bytes) -> bytes:
    """A normal frame around TFI and what follows."""
    return b"\x00\x00\xff" + bytes([len(body), 256 - len(body)]) + body + bytes([-sum(body) & 0xFF, 0x00])


def pn532_extended(body: bytes) -> bytes:
    """An extended frame."""
    high, low = len(body) >> 8, len(body) & 0xFF
    head = b"\x00\x00\xff\xff\xff" + bytes([high, low, -(high + low) & 0xFF])
    return head + body + bytes([-sum(body) & 0xFF, 0x00])


def listing(uid: str, ats: bytes = b"") -> bytes:
    """The answer that lists one tag; ``ats`` without its own length byte."""
    data = bytes.fromhex(uid)
    rest = bytes([len(ats) + 1]) + ats if ats else b""
    return b"\xd5\x4b\x01\x01\x00\x04\x08" + bytes([len(data)]) + data + rest


EMPTY_FIELD = pn532(b"\xd5\x4b\x00")


def run(reader: Reader, reads: list[tuple[int, bytes]]) -> tuple[ReaderState, list[Sighting]]:
    """The reader fed with (ns, bytes)."""
    state, said = reader.start(), list[Sighting]()
    for ns, data in reads:
        state, new = reader.feed(state, ns, data)
        said += new
    return state, said


def arrivals(reader: Reader, *reads: bytes, step: int = 1_000_000) -> list[str]:
    """The ids that arrived out of reads 1 ms apart."""
    _, said = run(reader, [(n * step, data) for n, data in enumerate(reads)])
    return [sighting.id for sighting in said if sighting.present]


def cut(rng: random.Random, data: bytes, most: int) -> Iterator[bytes]:
    """``data`` in reads of 1 to ``most`` bytes."""
    at = 0
    while at < len(data):
        end = at + rng.randint(1, most)
        yield data[at:end]
        at = end


def em4100_truth(stream: bytes) -> set[str]:
    """Every id that stands anywhere in ``stream`` in a frame with a right checksum."""
    found = set()
    for match in re.finditer(rb"(?=\x02([0-9A-Fa-f]{10})(?:([0-9A-Fa-f]{2})(?:\r\n)?|(.))\x03)", stream, re.DOTALL):
        tag = match[1].decode("ascii").upper()
        if (int(match[2], 16) if match[2] is not None else match[3][0]) == xor_of(tag):
            found.add(tag)
    return found


def pn532_truth(stream: bytes) -> set[str]:
    """Every UID that stands anywhere in ``stream`` in a listing with right lengths and checksum."""
    found = set()
    for match in re.finditer(rb"(?=\x00\xff)", stream):
        at = match.start() + 2
        size, skip = stream[at] if at < len(stream) else 0, 2
        if stream[at : at + 2] == b"\xff\xff":
            size, skip = int.from_bytes(stream[at + 2 : at + 4], "big"), 5
        body = stream[at + skip : at + skip + size]
        if body[:4] == b"\xd5\x4b\x01\x01" and (sum(body) + sum(stream[at + skip + size :][:1])) % 256 == 0:
            found.add(body[8 : 8 + body[7]].hex().upper() if len(body) > 7 else "")
    return found
