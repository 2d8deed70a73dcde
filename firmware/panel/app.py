"""The main loop: ring, port, lamps, in turns of a few milliseconds.

It never waits for the host, so that the ring is drained every few milliseconds whatever the host does. A
port that is asked whether it can write says yes when it takes one byte, and keeps the program for up to half a second
if it is given more. The USB buffer holds 256 bytes and empties in packets of at most 64: as long as everything goes in
chunks of 16, the room in it is a multiple of 16, and room for one byte is room for a chunk.
"""

import micropython
import os
import select
import sys
from machine import unique_id
from time import ticks_diff, ticks_us, time_ns

from panel.lamps import Lamps
from panel.link import Link
from panel.outbox import Outbox
from panel.protocol import WRAP
from panel.ring import Ring
from panel.sampler import Sampler

AT_ONCE = 32  # bytes read before the ring is looked at again
CHUNK = 16  # bytes
CHUNKS = 4  # written before the ring is looked at again
LAG = 10  # us from a pin to the ring, at most: one sample, FIFO, DMA
NAP = 3  # ms to sleep when there is nothing to send; a byte of the host ends it


class Stamps:
    """Microseconds since it was made, 32 bits wide. ticks_us wraps earlier: it has to be read more often than that."""

    def __init__(self) -> None:
        self.now = 0
        self._ticks = ticks_us()

    def read(self) -> int:
        ticks = ticks_us()
        self.now = (self.now + ticks_diff(ticks, self._ticks)) & WRAP
        self._ticks = ticks
        return self.now


class Port:
    """The USB serial line, which MicroPython has as standard input and output."""

    def __init__(self) -> None:
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._readable = select.poll()
        self._readable.register(sys.stdin, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sys.stdout, select.POLLOUT)
        self._left = b""

    @property
    def idle(self) -> bool:
        return not self._left

    def receive(self, nap: int) -> "int | None":
        """The next byte; waits up to ``nap`` ms for one."""
        for _, event in self._readable.ipoll(nap):
            if event & select.POLLIN:
                return self._in.read(1)[0]
        return None

    def send(self, frame: bytes) -> None:
        """Frames are filled up with delimiters to whole chunks."""
        self._left = frame + bytes(-len(frame) % CHUNK)

    def flush(self) -> bool:
        """Writes what the port takes at once; False when it takes nothing more."""
        for _ in range(CHUNKS):
            if not self._left:
                break
            if not self._takes_one():
                return False
            self._out.write(self._left[:CHUNK])
            self._left = self._left[CHUNK:]
        return True

    def _takes_one(self) -> bool:
        for _, event in self._writable.ipoll(0):
            if event & select.POLLOUT:
                return True
        return False


class Panel:
    def __init__(self) -> None:
        self._lamps = Lamps()
        self._outbox = Outbox()
        self._stamps = Stamps()
        self._sampler = Sampler(self._stamps.read)
        self._ring = Ring(self._sampler.buffer, self._sampler.start, self._outbox)
        # Chance alone would do, if a chip's noise were as good as it should be.
        session = (int.from_bytes(os.urandom(4), "little") ^ time_ns() // 1000) & WRAP
        self._link = Link(self._outbox, session, unique_id(), self._stamps.read)
        self._port = Port()

    def run(self) -> None:
        """Until the host says stop. Whatever ends it: lamps off, sampler at rest, so that it can be started again."""
        try:
            while not self._link.stopped:
                self.turn()
        finally:
            self._lamps.show(0)
            self._sampler.close()

    def turn(self) -> None:
        now = self._stamps.read()
        stalled = self._sampler.stalled()
        self._ring.drain(self._sampler.written(), now, stalled)
        busy = not self._port.idle
        if self._port.idle:
            ring = self._ring
            status = (ring.epochs, ring.overwritten, ring.stalls, ring.longest)
            frame = self._link.poll(now, (now - LAG) & WRAP, self._sampler.levels(), status)
            self._port.send(frame)
            busy = bool(frame)
        blocked = not self._port.flush()
        self._hear(0 if busy and not blocked else NAP)
        self._lamps.show(self._link.lamps)

    def _hear(self, nap: int) -> None:
        for _ in range(AT_ONCE):
            byte = self._port.receive(nap)
            if byte is None:
                return
            nap = 0
            if self._link.feed(byte):
                self._port.send(b"")


def main() -> None:
    micropython.kbd_intr(-1)  # a byte 03 in a frame must not end the program
    try:
        Panel().run()
    finally:
        micropython.kbd_intr(3)
