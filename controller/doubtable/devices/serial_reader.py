"""The card reader on its serial port: one thread that carries bytes to the core, and finds the reader again.

What pyserial does when a reader is pulled out, and what follows from it:

- Three kinds of errors come: SerialException, a plain OSError (``in_waiting``; pyserial issue 401) and termios.error
  (flushing; not an OSError). All three mean "gone" (serial_faults.py).
- The name may be taken by another port while the old descriptor is open, so the old one is closed before a new try, and
  only the configured path, a stable one, is opened: at most once in 500 ms.
- Opening drops what had come in before. From then on nothing is dropped.
- A pty knows no DTR and RTS (OSError 25): they are left alone; these readers need neither.
"""

import contextlib
import errno
import os
import threading
from pathlib import Path

import serial

from doubtable.devices.ports import RETRY, Clock, Deliver, DeviceError, monotonic_clock
from doubtable.devices.serial_faults import GONE, NO_PORT, number, said
from doubtable.devices.waiting import readable
from doubtable.inputs import Device, Serial
from doubtable.readers import Reader
from doubtable.timing import MS, S

LONGEST_WAIT = 50 * MS  # a thread that waits for a time looks at its clock as often: an injected clock cannot wake it
WAYS_OUT = {
    errno.EACCES: "add the user to the group dialout",
    errno.EAGAIN: "another program has it open: end that one",
} | dict.fromkeys(NO_PORT, "name the reader's port: ls -l /dev/serial/by-id")
WRITE_WITHIN = 0.5  # s; a host that cannot write for so long has lost its reader


class ReaderPort:
    """The port of a reader, open or lost; ``step`` does all that is to be done now. Not thread-safe.

    Delivers ``Device(ns, "reader", up)`` when the reader comes or goes (once at first, if it is missing) and
    ``Serial(ns, data)`` for every read. A reader that has to be asked is up when it has answered.
    """

    def __init__(self, reader: Reader, path: str | Path, deliver: Deliver, clock: Clock = monotonic_clock) -> None:
        self.fault: DeviceError | None = None  # why there is no reader
        self.firmware: str | None = None
        self.received = 0  # bytes, ever
        self.written = 0
        self._reader = reader
        self._path = str(path)
        self._deliver = deliver
        self._clock = clock
        self._port: serial.Serial | None = None
        self._host = reader.host()
        self._next_try = clock()
        self._up: bool | None = None

    @property
    def descriptor(self) -> int | None:
        """The open port's descriptor, to wait for bytes."""
        return self._port.fileno() if self._port is not None else None

    def waiting(self) -> int:
        """How many bytes have arrived and are not read yet; 0 when there is no port, and when it fails."""
        try:
            return self._port.in_waiting if self._port is not None else 0
        except GONE:
            return 0  # the next step says so

    def step(self) -> int | None:
        """Open what can be opened, read and write what is there once; the ns at which time alone asks for more."""
        try:
            if self._port is None and self._clock() >= self._next_try:
                self._open()
            if self._port is not None:
                self._exchange(self._port)
        except GONE as error:
            self.fault = _fault(self._path, error)
            self.close()
            self._say(False)
        if self._port is None:
            return self._next_try
        return self._host.deadline if self._host is not None else None

    def close(self) -> None:
        """Close the port; it may be called twice, and ``step`` would open it again."""
        port, self._port = self._port, None
        if port is not None:
            with contextlib.suppress(*GONE):  # the descriptor of a device that is gone is released all the same
                port.close()

    def _open(self) -> None:
        self._next_try = self._clock() + RETRY
        self._port = serial.Serial(self._path, self._reader.baud, timeout=0, write_timeout=WRITE_WITHIN, exclusive=True)
        self.fault = None
        if self._host is None:
            self._say(True)
        else:
            self._write(self._port, self._host.start(self._clock()))

    def _exchange(self, port: serial.Serial) -> None:
        data = port.read(max(1, port.in_waiting))
        ns = self._clock()
        if data:
            self.received += len(data)
            self._deliver(Serial(ns, data))
        if self._host is None:
            return
        self._write(port, self._host.received(ns, data) + self._host.wake(ns))
        self.firmware = self._host.firmware
        if self._host.ready is not None:
            silent = DeviceError(self._path, "the port is open but no reader answers", "check its switches and wires")
            self.fault = None if self._host.ready else silent
            self._say(self._host.ready)

    def _write(self, port: serial.Serial, data: bytes) -> None:
        if data:
            self.written += port.write(data) or 0

    def _say(self, up: bool) -> None:
        if up != self._up:
            self._up = up
            self._deliver(Device(self._clock(), "reader", up))


class SerialReader:
    """Owner of the thread that runs a ReaderPort. ``start`` and ``close`` belong to one thread and may be repeated.

    ``deliver`` is called in the reader's thread; a queue's ``put`` is one.
    """

    def __init__(self, reader: Reader, path: str | Path, deliver: Deliver, clock: Clock = monotonic_clock) -> None:
        self._port = ReaderPort(reader, path, deliver, clock)
        self._clock = clock
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._ears, self._bell = os.pipe()

    @property
    def fault(self) -> DeviceError | None:
        """Why there is no reader; None while there is one."""
        return self._port.fault

    @property
    def firmware(self) -> str | None:
        """What the reader said it is; None: it did not."""
        return self._port.firmware

    def start(self) -> None:
        """Start the thread, once. RuntimeError after close."""
        if self._closing.is_set():
            raise RuntimeError("this reader was closed: make a new one")
        if self._thread is not None:
            return
        self._thread = threading.Thread(target=self._run, name="reader")
        self._thread.start()

    def close(self) -> None:
        """End the thread, wait for it, close the port."""
        if self._closing.is_set():
            return
        self._closing.set()
        os.write(self._bell, b"!")
        if self._thread is not None:
            self._thread.join()
        self._port.close()
        os.close(self._ears)
        os.close(self._bell)

    def _run(self) -> None:
        while not self._closing.is_set():
            due = self._port.step()
            wait = None if due is None else max(0, min(due - self._clock(), LONGEST_WAIT)) / S
            port = self._port.descriptor
            readable([self._ears, *([port] if port is not None else [])], wait)


def _fault(path: str, error: BaseException) -> DeviceError:
    todo = WAYS_OUT.get(number(error), "plug the reader in, it is looked for twice a second")
    return DeviceError(path, said(error), todo)
