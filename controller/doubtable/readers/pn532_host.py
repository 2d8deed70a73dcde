"""The host's side of a PN532 on its UART: wakes it, sets it up, polls it, and asks again for what came broken.

Sans I/O: every call gets the time and gives the bytes to write. One command is under way at a time.

    step       event                                   then
    (opened)                                           wake-up and SAMConfiguration; step: sent
    sent       ACK                                     step: taken
    sent       NACK; no ACK for 100 ms                 the command again
    sent/taken its answer (an ACK may be lost)         the next command, or rest
    taken      bytes that end in no frame for 30 ms    NACK: the chip sends its answer again
    taken      error frame                             the command again
    taken      no answer in time                       ACK, which aborts the command; the command again
    any        a command failed three times            rest, not ready; then all anew from the wake-up
    rest       its time is over                        list (or wake-up)

Finite retries are set before the first listing: by default the chip looks for a tag for ever and never says that the
field is empty. A tag that was listed is released, so that the next listing finds it anew; a released tag that misses
one listing costs nothing, as three misses running make a departure.
"""

import msgspec

from doubtable.readers.pn532_frames import ACK, FROM_PN532, NACK, Frame, framed, scan
from doubtable.timing import MS

WAKE_UP = b"\x55\x55" + bytes(14)
POLL = 150 * MS  # from one listing to the next: three misses are then about the silence of the other readers
ACK_WITHIN = 100 * MS  # the chip takes 15 ms at most; a USB adapter and a busy host need more
ANSWER_WITHIN = 500 * MS
BROKEN_AFTER = 30 * MS  # the longest frame takes 24 ms at 115200 baud
ANEW_AFTER = 500 * MS
TRIES = 3


class Command(msgspec.Struct, frozen=True):
    """A command's body: D4, code, parameters."""

    body: bytes

    def answered_by(self, frame: Frame) -> bool:
        """An answer's code is the command's plus one."""
        return frame.body[:2] == bytes([FROM_PN532, self.body[1] + 1])


SAM_NORMAL = Command(bytes.fromhex("D4 14 01"))  # no security module
FIRMWARE = Command(bytes.fromhex("D4 02"))
FINITE_RETRIES = Command(bytes.fromhex("D4 32 05 FF 01 02"))  # item 5: ATR, PSL, passive activation
LIST_ONE = Command(bytes.fromhex("D4 4A 01 00"))  # one tag, 106 kbit/s type A
RELEASE_ALL = Command(bytes.fromhex("D4 52 00"))
FOLLOWING = {SAM_NORMAL: FIRMWARE, FIRMWARE: FINITE_RETRIES, FINITE_RETRIES: LIST_ONE}


class Pn532Host:
    """One PN532 on one open port. Not thread-safe: it belongs to the thread that owns the port."""

    def __init__(self) -> None:
        self.deadline = 0
        self.ready: bool | None = None
        self.firmware: str | None = None
        self._command = SAM_NORMAL
        self._step = "rest"
        self._buffer = b""
        self._tries = 0
        self._nacks = 0
        self._answer_by = 0
        self._listed_at = 0

    def start(self, ns: int) -> bytes:
        """The port was opened at ``ns``: everything begins at the wake-up."""
        self.ready = None
        return self._wake_up(ns)

    def received(self, ns: int, data: bytes) -> bytes:
        """``data`` was read at ``ns``."""
        heard = self._buffer + data
        frames, self._buffer = scan(heard)
        reply = b""
        for frame in frames:
            reply += self._take(ns, frame)
        if self._step == "taken" and heard.rpartition(ACK[1:])[2].strip(b"\x00"):  # more than the ACK, but no answer
            self.deadline = min(self._answer_by, ns + BROKEN_AFTER)
        return reply

    def wake(self, ns: int) -> bytes:
        """What the passing of time up to ``ns`` asks for."""
        if ns < self.deadline:
            return b""
        if self._step == "rest":
            return self._begin(ns, LIST_ONE) if self.ready else self._wake_up(ns)
        if self._step == "taken" and ns < self._answer_by and self._nacks < TRIES:
            self._nacks += 1
            self._buffer = b""
            self.deadline = self._answer_by
            return NACK
        abort = ACK if self._step == "taken" else b""
        return abort + self._again(ns)

    def _take(self, ns: int, frame: Frame) -> bytes:
        if self._step == "rest":
            return b""
        if self._command.answered_by(frame):
            return self._answered(ns, frame)
        if frame.kind == "ack" and self._step == "sent":
            self._step = "taken"
            self.deadline = self._answer_by = ns + ANSWER_WITHIN
            return b""
        return self._again(ns) if frame.kind in ("nack", "error") else b""

    def _answered(self, ns: int, frame: Frame) -> bytes:
        if self._command == FIRMWARE and len(frame.body) >= 5:
            self.firmware = f"PN5{frame.body[2]:02X} {frame.body[3]}.{frame.body[4]}"
        if self._command in FOLLOWING:
            return self._begin(ns, FOLLOWING[self._command])
        if self._command == LIST_ONE and frame.body[2:3] != b"\x00":
            self.ready = True
            return self._begin(ns, RELEASE_ALL)
        self.ready = True
        self._rest(max(ns, self._listed_at + POLL))
        return b""

    def _wake_up(self, ns: int) -> bytes:
        self._buffer = b""
        return WAKE_UP + self._begin(ns, SAM_NORMAL)

    def _begin(self, ns: int, command: Command) -> bytes:
        self._command = command
        self._tries = 0
        if command == LIST_ONE:
            self._listed_at = ns
        return self._again(ns)

    def _again(self, ns: int) -> bytes:
        """The command once more, or the end of all patience with it."""
        if self._tries == TRIES:
            self.ready = False
            self._rest(ns + ANEW_AFTER)
            return b""
        self._tries += 1
        self._nacks = 0
        self._step = "sent"
        self.deadline = ns + ACK_WITHIN
        return framed(self._command.body)

    def _rest(self, until: int) -> None:
        self._step = "rest"
        self.deadline = until
