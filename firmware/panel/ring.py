"""From the sampler's words to stamped samples.

Pure. A word is 13 bits of pin levels above 19 bits of a counter that falls by 1 each microsecond and wraps every
524 ms. It is written at every change and at no other time, so a word alone does not say in which round of the counter
it was written. The time of the drain does: the words were written since the last drain, and while less than a round
lies between two drains there is only one answer. A drain that comes too late has no answer: its edges are lost, and
counted, rather than given a stamp that may be wrong by half a second.

Buttons connect a pin to ground: a pin that is low is a button that is down, level 1.
"""

import struct

from panel.outbox import Outbox, edges_in
from panel.protocol import MASK, WRAP

ROUND = 1 << 19  # microseconds in which the counter wraps
LATE = 400_000  # us between two drains from which stamps would be ambiguous, with room to spare
AHEAD = 2_000  # us by which a stamp may seem to lie in the future: the start of the counter is not known exactly
MARGIN = 16  # words the DMA may write while the oldest ones are read


class Ring:
    """Reads the ring that the DMA fills. ``start``: the stamp at which the counter stood at 0."""

    def __init__(self, buffer: bytearray, start: int, outbox: Outbox) -> None:
        self.levels = 0
        self.epochs = 0  # drains that came too late
        self.overwritten = 0  # words
        self.stalls = 0  # drains that found words dropped by the full FIFO
        self.longest = 0  # us between two drains
        self.drained = start
        self._buffer = buffer
        self._words = len(buffer) // 4
        self._start = start
        self._outbox = outbox
        self._taken = 0  # words read since the start
        self._known = False  # whether the levels are those before the next word

    def drain(self, written: int, now: int, stalled: bool) -> None:
        """Takes the words up to ``written`` (all since the start); ``now`` is a stamp from just before that count."""
        pause = (now - self.drained) & WRAP
        if self._known and pause > self.longest:
            self.longest = pause
        late = self._known and pause > LATE
        self.drained = now
        if late:
            self.epochs += 1
        if stalled:
            self.stalls += 1
            self._outbox.skip(1)  # at least one
        fresh = written - self._taken
        if fresh > self._words - MARGIN:
            over = fresh - (self._words - MARGIN)
            self.overwritten += over
            self._outbox.skip(over)
            self._taken += over
            self._known = False
        while self._taken < written:
            self._take(now, late)

    def stamp(self, counter: int, now: int) -> int:
        """The stamp of a word whose counter had fallen to ``counter``, drained at ``now``."""
        age = (now - self._start + counter) % ROUND
        if age > ROUND - AHEAD:
            age -= ROUND
        return (now - age) & WRAP

    def _take(self, now: int, late: bool) -> None:
        low, high = struct.unpack_from("<HH", self._buffer, self._taken % self._words * 4)
        self._taken += 1
        levels = (high >> 3) ^ MASK
        changed = levels ^ self.levels
        self.levels = levels
        if not self._known:
            # The first word, or the first after a loss, only tells the state.
            if self._taken > 1:
                self._outbox.skip(1)
            self._known = True
        elif changed and late:
            self._outbox.skip(edges_in(changed))
        elif changed:
            self._outbox.add(self.stamp(((high & 7) << 16) | low, now), levels, changed)
