"""Card readers on a pty that behave like the parts, faults included: for the simulated table and for tests.

What is put onto an emulated reader travels as real frames through a real serial port. Time is driven from outside:
``step(ns)`` does all that is due by ``ns``, ``due()`` says when the next thing is. ``VirtualReader`` runs an emulator
and the port that reads it in virtual time, ``LiveEmulator`` runs an emulator on the real clock. Bytes leave at the
speed of their line, not all at once.
"""

import array
import contextlib
import fcntl
import os
import pty
import termios
import threading
import time
import tty
from collections import deque
from collections.abc import Callable
from functools import reduce
from operator import xor
from typing import Protocol

from doubtable.devices.ports import Clock, Deliver, monotonic_clock
from doubtable.devices.serial_reader import ReaderPort
from doubtable.devices.waiting import readable
from doubtable.readers import Reader
from doubtable.timing import MS, S


class Emulator(Protocol):
    """What every emulated reader can do. Not thread-safe."""

    wire: "Wire"

    def put(self, tag: str) -> None:
        """Lay the tag ``tag`` (hex digits) onto the reader."""

    def lift(self) -> None:
        """Take away whatever lies there."""

    def step(self, ns: int) -> None:
        """Do all that is due by ``ns``."""

    def due(self) -> int | None:
        """The ns of the next thing that is due; None: nothing happens by time alone."""

    def close(self) -> None:
        """Pull the plug; it may be called twice."""


class Wire:
    """The far end of a serial line: ``port`` is the path to open, ``descriptor`` is what to wait at for a host's bytes.

    Bytes leave one after the other at ``baud``."""

    def __init__(self, baud: int) -> None:
        self.descriptor, self._near = pty.openpty()
        tty.setraw(self._near)
        os.set_blocking(self.descriptor, False)
        self.sent = 0  # bytes that were taken by the line, ever
        self.taken = 0  # bytes of the host, ever
        self.port = os.ttyname(self._near)
        self._byte_ns = 10 * S // baud  # 8N1: ten bits
        self._leaving: deque[tuple[int, int]] = deque()  # (ns, byte)
        self.open = True

    def send(self, ns: int, data: bytes) -> None:
        """Queue ``data``: its first byte begins at ``ns``, or when the line is free."""
        begin = max(ns, self._leaving[-1][0] if self._leaving else ns)
        self._leaving.extend((begin + (n + 1) * self._byte_ns, byte) for n, byte in enumerate(data))

    def step(self, ns: int) -> None:
        """Let all bytes go that have left by ``ns``; what no host takes is lost, as on a real line."""
        gone = bytearray()
        while self._leaving and self._leaving[0][0] <= ns:
            gone.append(self._leaving.popleft()[1])
        if gone and self.open:
            with contextlib.suppress(BlockingIOError):
                self.sent += os.write(self.descriptor, gone)

    def received(self) -> bytes:
        """What the host has written since the last call."""
        if not self.open:
            return b""
        try:
            data = os.read(self.descriptor, 4096)
        except BlockingIOError:
            return b""
        self.taken += len(data)
        return data

    def waiting(self) -> int:
        """How many bytes of the host have arrived and are not taken yet."""
        if not self.open:
            return 0
        count = array.array("i", [0])
        fcntl.ioctl(self.descriptor, termios.FIONREAD, count)
        return count[0]

    def due(self) -> int | None:
        """When the last queued byte has left."""
        return self._leaving[-1][0] if self._leaving else None

    def close(self) -> None:
        """Hang up: the host's next read fails."""
        if self.open:
            self.open = False
            self._leaving.clear()
            os.close(self.descriptor)
            os.close(self._near)


def em4100_frame(tag: str, style: str = "rdm6300") -> bytes:
    """The frame for the ten hex digits ``tag`` as an rdm6300, an id12 or a raw-checksum clone sends it."""
    checksum = reduce(xor, bytes.fromhex(tag))
    ending = {"rdm6300": b"%02X\x03", "id12": b"%02X\r\n\x03", "clone": b"%c\x03"}[style]
    return b"\x02" + tag.upper().encode("ascii") + ending % checksum


class RdmEmulator:
    """An RDM6300, an ID-12LA or a raw-checksum clone: sends the tag's frame at once and then every ``every`` ns.

    Faults: ``power_up`` (noise), ``broken`` (so many frames are cut short or have a bit turned, in turn),
    ``wrong_baud`` (rubbish instead of frames), ``mute`` (silence). A second tag beside the first freezes it until both
    are lifted.
    """

    def __init__(self, style: str = "rdm6300", every: int | None = None) -> None:
        self.wire = Wire(9600)
        self.broken = 0
        self.wrong_baud = False
        self.mute = False
        self._style = style
        self._every = every if every is not None else (1500 * MS if style == "clone" else 50 * MS)
        self._tags: list[str] = []
        self._now = 0
        self._next: int | None = None  # None: with the next step

    @property
    def port(self) -> str:
        """The path to open."""
        return self.wire.port

    def power_up(self, noise: bytes) -> None:
        """The plug goes in: ``noise`` comes first."""
        self.wire.send(self._now, noise)

    def put(self, tag: str) -> None:
        """Lay a tag of ten hex digits onto the reader; ValueError for another."""
        if len(bytes.fromhex(tag)) != 5:
            raise ValueError(f"tag {tag!r} has not ten hex digits")
        self._tags.append(tag)
        self._next = None

    def lift(self) -> None:
        """Take away whatever lies there."""
        self._tags.clear()

    def step(self, ns: int) -> None:
        """Do all that is due by ``ns``."""
        self._now = ns
        self._next = (ns if self._next is None else self._next) if self._sends() else None
        while self._next is not None and self._next <= ns:
            self.wire.send(self._next, self._frame(self._tags[0]))
            self._next += self._every
        self.wire.received()  # a host that writes is not heard
        self.wire.step(ns)

    def due(self) -> int | None:
        """The ns of the next thing that is due."""
        frame = (self._now if self._next is None else self._next) if self._sends() else None
        return min((ns for ns in (self.wire.due(), frame) if ns is not None), default=None)

    def close(self) -> None:
        """Pull the plug."""
        self.wire.close()

    def _sends(self) -> bool:
        return len(self._tags) == 1 and not self.mute

    def _frame(self, tag: str) -> bytes:
        frame = em4100_frame(tag, self._style)
        if self.wrong_baud:
            return bytes((byte * 31 + 7) & 0xFE for byte in frame[::2])
        if not self.broken:
            return frame
        self.broken -= 1
        return frame[:7] if self.broken % 2 else frame[:5] + bytes([frame[5] ^ 1]) + frame[6:]


class VirtualReader:
    """An emulated reader and the port that reads it, on one virtual clock, in the caller's thread.

    The bytes pass a real pty. The kernel hands them over in its own time, so every step waits until they are through;
    TimeoutError when they are not within a second.
    """

    def __init__(self, reader: Reader, emulator: Emulator, deliver: Deliver, now: int = 0) -> None:
        self.now = now  # ns
        self.emulator = emulator
        self.port = ReaderPort(reader, emulator.wire.port, deliver, lambda: self.now)
        self._lost = emulator.wire.sent  # what came before the port was open
        self._deadline = self.port.step()
        self._settle()

    def put(self, tag: str) -> None:
        """Lay a tag onto the reader."""
        self.emulator.put(tag)

    def lift(self) -> None:
        """Take away whatever lies there."""
        self.emulator.lift()

    def advance(self, ns: int) -> None:
        """Let time pass up to ``ns``; what comes by then is delivered with its stamps."""
        while self.now < ns:
            due = [at for at in (self.emulator.due(), self._deadline) if at is not None]
            self.now = min([ns, *(max(at, self.now + 1) for at in due)])
            self._settle()

    def close(self) -> None:
        """Close the port and pull the plug; it may be called twice."""
        self.port.close()
        self.emulator.close()

    def _settle(self) -> None:
        wire = self.emulator.wire
        while True:
            self.emulator.step(self.now)
            if not wire.open:
                self._deadline = self.port.step()
                return
            self._await(self.port.waiting, wire.sent - self._lost - self.port.received)
            self._deadline = self.port.step()
            if wire.taken == self.port.written:
                return
            self._await(wire.waiting, self.port.written - wire.taken)

    def _await(self, waiting: Callable[[], int], count: int) -> None:
        """Until ``count`` bytes are through: to read them in pieces would make the pieces depend on the machine."""
        until = monotonic_clock() + S
        while self.port.descriptor is not None and waiting() < count:
            if monotonic_clock() > until:
                raise TimeoutError(f"bytes on {self.emulator.wire.port} do not arrive")
            time.sleep(0)


class LiveEmulator:
    """Owner of a thread that runs an emulated reader on the real clock. ``put``, ``lift`` from any thread.

    ``start`` and ``close`` belong to one thread.
    """

    def __init__(self, emulator: Emulator, clock: Clock = monotonic_clock) -> None:
        self._emulator = emulator
        self._clock = clock
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._closed = False
        self._ears, self._bell = os.pipe()
        self._thread = threading.Thread(target=self._run, name="emulated reader")

    @property
    def port(self) -> str:
        """The path to open."""
        return self._emulator.wire.port

    def start(self) -> None:
        """Start the thread; once."""
        self._thread.start()

    def put(self, tag: str) -> None:
        """Lay a tag onto the reader."""
        with self._lock:
            self._emulator.put(tag)
        os.write(self._bell, b"!")

    def lift(self) -> None:
        """Take away whatever lies there."""
        with self._lock:
            self._emulator.lift()

    def close(self) -> None:
        """End the thread, wait for it, pull the plug; it may be called twice."""
        if self._closed:
            return
        self._closed = True
        self._closing.set()
        os.write(self._bell, b"!")
        if self._thread.is_alive():
            self._thread.join()
        self._emulator.close()
        os.close(self._ears)
        os.close(self._bell)

    def _run(self) -> None:
        while not self._closing.is_set():
            with self._lock:
                self._emulator.step(self._clock())
                due = self._emulator.due()
            wait = None if due is None else max(0, due - self._clock()) / S
            if self._ears in readable([self._ears, self._emulator.wire.descriptor], wait):
                os.read(self._ears, 4096)
