"""A PN532 on a pty that behaves like the part, faults included."""

from doubtable.devices.reader_emulators import Wire
from doubtable.readers.pn532_frames import (
    ACK,
    ERROR,
    FROM_HOST,
    FROM_PN532,
    LISTED,
    NACK,
    Frame,
    extended,
    framed,
    scan,
)
from doubtable.timing import MS


class Pn532Emulator:
    """A PN532 on its UART: sleeps until it is woken, then answers ACK and answer to each command.

    Without finite retries a listing of an empty field is never answered. A released tag misses the next listing when
    ``halts``. Faults: ``power_up`` (asleep again, with noise), ``broken`` (so many answers come damaged, until asked
    again), ``lost_acks``, ``refuse`` (so many commands get a NACK), ``errors`` (so many get an error frame), ``mute``,
    ``wrong_baud``. Two tags side by side are not read.
    """

    ACK_AFTER = 1 * MS
    ANSWER_AFTER = 5 * MS

    def __init__(self, halts: bool = False, extend: bool = False) -> None:
        self.wire = Wire(115_200)
        self.broken = self.lost_acks = self.refuse = self.errors = 0
        self.mute = self.wrong_baud = False
        self.heard: list[bytes] = []  # the commands' bodies, in order
        self._halts = halts
        self._extend = extend
        self._tags: list[str] = []
        self._now = 0
        self.power_up(b"")

    @property
    def port(self) -> str:
        """The path to open."""
        return self.wire.port

    def power_up(self, noise: bytes) -> None:
        """The supply comes (back): asleep, nothing configured, ``noise`` first."""
        self._awake = False
        self._retries = 0xFF  # for ever
        self._halted = False
        self._searching = False
        self._buffer = b""
        self._last = b""
        self.wire.send(self._now, noise)

    def put(self, tag: str) -> None:
        """Lay a tag with a UID of 4, 7 or 10 bytes onto the reader; ValueError for another."""
        if len(bytes.fromhex(tag)) not in (4, 7, 10):
            raise ValueError(f"UID {tag!r} has not 4, 7 or 10 bytes")
        self._tags.append(tag)
        self._halted = False

    def lift(self) -> None:
        """Take away whatever lies there."""
        self._tags.clear()

    def step(self, ns: int) -> None:
        """Do all that is due by ``ns``."""
        self._now = ns
        self._listen(self.wire.received())
        if self._searching and len(self._tags) == 1:
            self._searching = False
            self._answer(b"\x4b" + self._found())
        self.wire.step(ns)

    def due(self) -> int | None:
        """The ns at which the bytes under way have left."""
        return self.wire.due()

    def close(self) -> None:
        """Pull the plug."""
        self.wire.close()

    def _listen(self, data: bytes) -> None:
        if not self._awake:
            at = data.find(b"\x55\x55")
            if at < 0:
                return
            self._awake, data = True, data[at + 2 :]
        frames, self._buffer = scan(self._buffer + data, FROM_HOST)
        for frame in frames:
            self._take(frame)

    def _take(self, frame: Frame) -> None:
        if frame.kind == "ack":
            self._searching = False
        elif frame.kind == "nack":
            self._send(self.ANSWER_AFTER, self._last)
        elif self.refuse:
            self.refuse -= 1
            self._send(self.ACK_AFTER, NACK)
        else:
            self.heard.append(frame.body)
            if self.lost_acks:
                self.lost_acks -= 1
            else:
                self._send(self.ACK_AFTER, ACK)
            self._obey(frame.body)

    def _obey(self, body: bytes) -> None:
        code = body[1:2]
        if self.errors or code not in (b"\x02", b"\x14", b"\x32", b"\x4a", b"\x52"):
            self.errors = max(0, self.errors - 1)
            self._send(self.ANSWER_AFTER, ERROR)
        elif code == b"\x02":
            self._answer(bytes.fromhex("03 32 01 06 07"))
        elif code == b"\x14":
            self._answer(b"\x15")
        elif code == b"\x32":
            if body[2] == 5:
                self._retries = body[5]
            self._answer(b"\x33")
        elif code == b"\x4a":
            self._list()
        else:
            self._halted = self._halts and bool(self._tags)
            self._answer(b"\x53\x00")

    def _list(self) -> None:
        halted, self._halted = self._halted, False
        if len(self._tags) == 1 and not halted:
            self._answer(b"\x4b" + self._found())
        elif self._retries == 0xFF:
            self._searching = True
        else:
            self._answer(b"\x4b\x00")

    def _found(self) -> bytes:
        uid = bytes.fromhex(self._tags[0])
        sens = {4: b"\x00\x04", 7: b"\x00\x44", 10: b"\x00\x84"}[len(uid)]
        return b"\x01\x01" + sens + b"\x08" + bytes([len(uid)]) + uid

    def _answer(self, rest: bytes) -> None:
        body = bytes([FROM_PN532]) + rest
        self._last = extended(body) if self._extend and body.startswith(LISTED) else framed(body)
        damaged = self._last[:-3] + bytes([self._last[-3] ^ 0x10]) + self._last[-2:]
        self._send(self.ANSWER_AFTER, damaged if self.broken else self._last)
        self.broken = max(0, self.broken - 1)

    def _send(self, after: int, data: bytes) -> None:
        if self.wrong_baud:
            data = bytes((byte * 31 + 7) & 0x7F | 0x80 for byte in data[::2])
        if not self.mute:
            self.wire.send(self._now + after, data)
