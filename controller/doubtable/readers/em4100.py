"""Frames of the readers for EM4100 tags (125 kHz), which only send: ``02``, ten hex digits, a checksum, ``03``.

A frame is told by its bytes, never by a read's length. Every frame begun is *wrong*, *open* or *read*:

    wrong   its first byte is dropped and the search goes on at the next 02, so no byte of a later frame is lost
    open    it may still become a frame: wait for more
    read    all of it is consumed

The three endings exclude each other by their bytes (03, a hex digit and 0D stand at the same places), so the order in
which they are tried decides nothing. The checksum is the XOR of the five id bytes.

One pair looks alike: a frame of two checksum digits that lost a byte, and a clone's frame whose raw checksum happens to
be a digit's character. A reader that has sent two digits twice is no clone, so from then on it is the former, until a
frame comes that only a clone can send.
"""

from collections.abc import Callable
from functools import reduce
from operator import xor

import msgspec
from msgspec.structs import replace

from doubtable.readers.presence import SILENCE, ReaderState, Step, begun, heard, seen, silent
from doubtable.timing import MS

START = 0x02
END = 0x03
HEX = frozenset(b"0123456789ABCDEFabcdef")
ID = slice(1, 11)  # ten hex digits: five bytes, all kept; the printed number is made of the last four or three
LONGEST = 16

# The clone that sends a raw checksum was captured repeating its frame every 1.5 s while the tag lies there, and not
# every 50 ms as the others do: a shorter silence would make a new presence of every repeat.
RAW_SILENCE = 2000 * MS

Ending = Callable[[bytes], bool | None]  # what follows the id: True right, False wrong, None open


def hex_checksum(tail: bytes) -> bool | None:
    """RDM6300: two hex digits, 03. ``tail`` is all that follows the ten digits, and longer than the ending perhaps."""
    return _shape(tail, b"\x03")


def hex_checksum_line(tail: bytes) -> bool | None:
    """ID-12LA, ID-20LA: two hex digits, CR, LF, 03."""
    return _shape(tail, b"\r\n\x03")


def raw_checksum(tail: bytes) -> bool | None:
    """Clones: one raw byte, which may be 02 or 03 itself, then 03."""
    return tail[1] == END if len(tail) > 1 else None


def _shape(tail: bytes, end: bytes) -> bool | None:
    if not HEX.issuperset(tail[:2]):
        return False
    rest = tail[2 : 2 + len(end)]
    if not end.startswith(rest):
        return False
    return True if rest == end else None


class Ended(msgspec.Struct, frozen=True):
    """One way to end a frame: how it is told, how long it is, and after which silence its sender's tag is gone."""

    told: Ending
    length: int  # bytes after the ten digits
    silence: int = SILENCE  # ns
    raw: bool = False


HEX_ENDED = Ended(hex_checksum, 3)
LINE_ENDED = Ended(hex_checksum_line, 5)
RAW_ENDED = Ended(raw_checksum, 2, RAW_SILENCE, raw=True)


class Judged(msgspec.Struct, frozen=True):
    """What became of a frame: the bytes used up, its id if it was right, how it ended, and its checksum."""

    used: int
    tag: str | None = None
    ended: Ended = HEX_ENDED
    checksum: bytes = b""  # its first byte

    def two_digits(self, before: int) -> int:
        """How many frames with two digits (2 are as good as more) speak against a clone, after this one."""
        if not self.ended.raw:
            return min(before + 1, 2)
        return before if HEX.issuperset(self.checksum) else 0


WRONG = Judged(1)


class Em4100(msgspec.Struct, frozen=True):
    """A reader that sends EM4100 frames by itself, with the endings it uses."""

    name: str
    endings: tuple[Ended, ...]
    baud: int = 9600

    def host(self) -> None:
        return None

    def start(self) -> ReaderState:
        return ReaderState()

    def due(self, state: ReaderState) -> int | None:
        return state.until

    def advance(self, state: ReaderState, ns: int) -> Step:
        return silent(state, ns)

    def feed(self, state: ReaderState, ns: int, data: bytes) -> Step:
        state, sightings = silent(state, ns)
        buffer, at = begun(state, ns) + data, 0
        while (at := buffer.find(START, at)) >= 0:
            judged = self._judge(buffer[at : at + LONGEST], state.two_digits >= 2)
            if judged is None:
                return heard(state, ns, buffer[at:]), sightings
            at += judged.used
            if judged.tag is not None:
                state = replace(state, two_digits=judged.two_digits(state.two_digits))
                state, came = seen(state, ns, judged.tag, judged.ended.silence)
                sightings += came
        return heard(state, ns, b""), sightings

    def _judge(self, frame: bytes, no_clone: bool) -> Judged | None:
        """What became of ``frame``, which begins with 02; None while it is open."""
        digits, tail = frame[ID], frame[ID.stop :]
        if not HEX.issuperset(digits):
            return WRONG
        if len(digits) < 10:
            return None
        told = [(ended, ended.told(tail)) for ended in self.endings]
        for ended, fits in told:
            alike = ended.raw and no_clone and HEX.issuperset(tail[:1])
            if fits and not alike and _checksum(digits) == (tail[0] if ended.raw else int(tail[:2], 16)):
                return Judged(ID.stop + ended.length, digits.decode("ascii").upper(), ended, tail[:1])
        return None if any(fits is None for _, fits in told) else WRONG


def _checksum(digits: bytes) -> int:
    return reduce(xor, bytes.fromhex(digits.decode("ascii")))
