"""doubtable's button panel: Raspberry Pi Pico, MicroPython 1.24 or newer.

The main loop never waits for the host: it writes one byte at a time and only when the port takes one, so that the ring
is drained every few milliseconds whatever the host does.
"""

import micropython
import os
import select
import sys
from machine import unique_id
from time import ticks_diff, ticks_us

from panel.lamps import Lamps
from panel.link import Link
from panel.outbox import Outbox
from panel.protocol import WRAP
from panel.ring import Ring
from panel.sampler import Sampler

AT_ONCE = 32  # bytes read or written before the ring is looked at again
LAG = 10  # us from a pin to the ring, at most: one sample, FIFO, DMA
NAP = 1  # ms to sleep when there is nothing to send; a byte of the host ends it


class Stamps:
    """ticks_us counts to 2^30 here and there; stamps count to 2^32."""

    def __init__(self, ticks: int) -> None:
        self.now = ticks
        self._ticks = ticks

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
        self._left = frame

    def flush(self) -> bool:
        """Writes what the port takes at once; False when it takes nothing more."""
        for at in range(min(AT_ONCE, len(self._left))):
            if not self._takes_one():
                self._left = self._left[at:]
                return False
            self._out.write(self._left[at : at + 1])
        self._left = self._left[AT_ONCE:]
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
        self._sampler = Sampler()
        self._stamps = Stamps(self._sampler.start)
        self._ring = Ring(self._sampler.buffer, self._sampler.start, self._outbox)
        self._link = Link(self._outbox, int.from_bytes(os.urandom(4), "little"), unique_id())
        self._port = Port()

    def run(self) -> None:
        """Until the host says stop."""
        while not self._link.stopped:
            self.turn()
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
            if self._link.feed(byte, self._stamps.read()):
                self._port.send(b"")


def main() -> None:
    micropython.kbd_intr(-1)  # a byte 03 in a frame must not end the program
    try:
        Panel().run()
    finally:
        micropython.kbd_intr(3)


main()
