"""What the host has not confirmed yet: samples with their stamps and numbers, the oldest dropped when full.

Pure. A sample is one state of all lines in which at least one line changed; its edges take as many numbers as lines
changed, in ascending order of lines. A number that was given out and has no sample is a lost edge: the host sees it.
"""

import struct

from panel.protocol import WRAP, before

CAPACITY = 1024  # samples
RECORD = "<IIHH"  # number of its first edge, stamp, levels, changed lines
SIZE = 12


def edges_in(changed: int) -> int:
    count = 0
    while changed:
        changed &= changed - 1
        count += 1
    return count


class Outbox:
    def __init__(self, capacity: int = CAPACITY) -> None:
        self.capacity = capacity
        self.following = 1  # the number that the next edge gets
        self.lost = 0  # edges that can no longer be sent
        self.fullest = 0
        self._records = bytearray(capacity * SIZE)
        self._oldest = 0  # index of the oldest record
        self._held = 0
        self._sent = 0  # of those held
        self._unconfirmed = 1  # samples before this number were sent and had to make room: lost if asked for again

    def add(self, stamp: int, levels: int, changed: int) -> None:
        """A sample; when full, the oldest one makes room. If it has not been sent, its edges are lost."""
        if self._held == self.capacity:
            number, _, _, changed = self._record(0)
            if self._sent:
                self._unconfirmed = (number + edges_in(changed)) & WRAP
            else:
                self.lost += edges_in(changed)
            self._forget(1)
        at = (self._oldest + self._held) % self.capacity * SIZE
        struct.pack_into(RECORD, self._records, at, self.following, stamp, levels, changed)
        self._held += 1
        self.fullest = max(self.fullest, self._held)
        self.following = (self.following + edges_in(changed)) & WRAP

    def skip(self, edges: int) -> None:
        """Edges that happened and cannot be told: their numbers stay empty."""
        self.lost += edges
        self.following = (self.following + edges) & WRAP

    def confirm(self, following: int) -> None:
        """The host has everything before this number."""
        while self._sent and before(self._record(0)[0], following):
            self._forget(1)

    def rewind(self, following: int) -> int:
        """Sends again from this number on; the number at which it can really begin."""
        while self._held and before(self._record(0)[0], following):
            self._forget(1)
        if before(following, self._unconfirmed):
            self.lost += (self._unconfirmed - following) & WRAP
        self._unconfirmed = following
        self._sent = 0
        return self._record(0)[0] if self._held else self.following

    @property
    def waiting(self) -> int:
        """Samples that have not been sent."""
        return self._held - self._sent

    def batch(self, limit: int) -> "tuple[int, int, bytes]":
        """The next samples without a hole in their numbers, now sent: number of the first edge, last stamp, bytes."""
        first = expected = self._record(self._sent)[0] if self.waiting else self.following
        last = 0
        out = bytearray()
        while self.waiting and limit:
            number, stamp, levels, changed = self._record(self._sent)
            if number != expected:
                break
            out += struct.pack("<IHH", stamp, levels, changed)
            last = stamp
            expected = (number + edges_in(changed)) & WRAP
            self._sent += 1
            limit -= 1
        return first, last, bytes(out)

    def _record(self, index: int) -> "tuple[int, int, int, int]":
        at = (self._oldest + index) % self.capacity * SIZE
        return struct.unpack_from(RECORD, self._records, at)

    def _forget(self, records: int) -> None:
        self._oldest = (self._oldest + records) % self.capacity
        self._held -= records
        self._sent = max(0, self._sent - records)
