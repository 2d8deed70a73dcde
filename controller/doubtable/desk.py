"""The desk of a running table: a socket in its runtime directory, over which `doubtable doctor` asks it.

A running table holds its devices, so a doctor cannot open them. It asks here instead. One request a connection, one
line of JSON each way:

    {"ask": "report"}              -> Report: the devices as the table has them
    {"ask": "heard", "since": n}   -> Heard: what the devices delivered since number n, as lines of a tape

Nothing can be changed through it. The owner of the socket and its group may ask.
"""

import logging
import os
import socket
import stat
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from doubtable import places, tape
from doubtable.config import Config
from doubtable.devices.ports import Deliver
from doubtable.devices.waiting import readable
from doubtable.inputs import Edge, Input, Levels, Serial, Source

log = logging.getLogger(__name__)

Answer = TypeVar("Answer", "Report", "Heard")

KEPT = 4096  # inputs that can still be asked for: a minute of eight people who hammer
LONGEST_PATH = 107  # bytes; the kernel's limit for a socket's name
REQUEST_WITHIN = 1.0  # s
MOST_BYTES = 4096  # of a request


class DeskError(Exception):
    """A running table that cannot be asked: one line."""


class DeviceReport(msgspec.Struct, frozen=True):
    """One device as the running table has it. ``facts`` are for people.

    ``fault`` is empty while it works, ``warning`` while it works well; both are "what; what to do".
    """

    name: str
    fault: str = ""
    facts: dict[str, str] = {}
    warning: str = ""


class Report(msgspec.Struct, frozen=True):
    """A running table: who it is, and its devices by the names that the doctor uses."""

    version: str
    pid: int
    state: str  # the state directory
    config: str | None = None
    game: str = ""
    devices: tuple[DeviceReport, ...] = ()

    def device(self, name: str) -> DeviceReport | None:
        """The device of that name; None: the table has none."""
        return next((each for each in self.devices if each.name == name), None)


class Heard(msgspec.Struct, frozen=True):
    """Lines of a tape, in the order of delivery; ``next`` is the number to ask from, ``lost`` what was not kept."""

    next: int
    lost: int = 0
    lines: tuple[str, ...] = ()


class Desk:
    """Owner of the socket and its thread. A socket that cannot be opened ends no table: ``start`` logs why.

    ``start`` and ``close`` belong to one thread and may be called twice.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept: deque[Input] = deque(maxlen=KEPT)
        self._number = 0
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._thread: threading.Thread | None = None
        self._ears, self._bell = socket.socketpair()

    def listening(self, deliver: Deliver) -> Deliver:
        """``deliver``, with an ear at it: what the devices deliver through it can be asked for. Any thread."""

        def both(given: Input) -> None:
            if isinstance(given, (Edge, Levels, Serial, Source)):
                with self._lock:
                    self._kept.append(given)
                    self._number += 1
            deliver(given)

        return both

    def start(self, report: Callable[[], Report]) -> None:
        """Open the socket and serve it; ``report`` is called in the desk's thread and must only look.

        RuntimeError after close.
        """
        if self._ears.fileno() < 0:
            raise RuntimeError("this desk was closed: make a new one")
        if self._thread is not None:
            return
        try:
            self._socket = _listen(self._path)
        except (OSError, DeskError) as error:
            why = error.strerror.lower() if isinstance(error, OSError) and error.strerror else error
            log.warning("%s: doctor cannot ask this table: %s", self._path, why)
            return
        self._thread = threading.Thread(target=self._run, args=(self._socket, report), name="desk")
        self._thread.start()

    def close(self) -> None:
        """End the thread and wait for it, close the socket."""
        if self._thread is not None and self._socket is not None:
            self._bell.send(b"!")
            self._thread.join()
            self._socket.close()
            self._path.unlink(missing_ok=True)
        self._thread = self._socket = None
        self._ears.close()
        self._bell.close()

    def _run(self, listening: socket.socket, report: Callable[[], Report]) -> None:
        ears = self._ears.fileno()
        while ears not in readable([ears, listening.fileno()], None):
            with suppress(OSError), listening.accept()[0] as guest:  # a guest that leaves half-way is no matter
                request = read_line(guest)
                guest.settimeout(REQUEST_WITHIN)
                guest.sendall(self._answer(request, report) + b"\n")

    def _answer(self, request: bytes, report: Callable[[], Report]) -> bytes:
        try:
            asked: Mapping[str, Any] = msgspec.json.decode(request, type=dict)
        except (msgspec.DecodeError, UnicodeDecodeError):
            asked = {}
        if asked.get("ask") == "report":
            return msgspec.json.encode(report())
        if asked.get("ask") == "heard" and isinstance(asked.get("since", 0), int):
            return msgspec.json.encode(self._heard(asked.get("since", 0)))
        return msgspec.json.encode({"error": "ask for report or heard"})

    def _heard(self, since: int) -> Heard:
        with self._lock:
            number, kept = self._number, list(self._kept)
        first = number - len(kept)
        lost = max(0, first - since)
        wanted = kept[max(0, since - first) :] if since < number else []
        return Heard(number, lost, tuple(tape.input_line(each) for each in wanted))


def _listen(path: Path) -> socket.socket:
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise DeskError(f"its path is longer than {LONGEST_PATH} bytes")
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_socket():
        if _alive(path):
            raise DeskError("another table runs here")
        path.unlink()  # left by a table that was killed
    made = socket.socket(socket.AF_UNIX)
    try:
        made.bind(str(path))
        path.chmod(0o660)
        made.listen()
    except OSError:
        made.close()
        raise
    return made


def _alive(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as trial:
        return trial.connect_ex(str(path)) == 0


def read_line(guest: socket.socket, now: Callable[[], float] = time.monotonic) -> bytes:
    """What ``guest`` sends up to the end of a line: within one time for all of it, else a byte now and then would keep
    a table from ending.
    """
    data = b""
    ends = now() + REQUEST_WITHIN
    while b"\n" not in data and len(data) < MOST_BYTES and (left := ends - now()) > 0:
        guest.settimeout(left)
        piece = guest.recv(MOST_BYTES)
        if not piece:
            break
        data += piece
    return data.partition(b"\n")[0]


# The guest's side ---------------------------------------------------------------------------------------------------


def find(config: Config, environ: Mapping[str, str], root: Path = Path("/")) -> Path | None:
    """The socket of the table that runs with this state directory or this table.toml; None when none runs.

    One that this user may not even look for is given too: whose it is cannot be told.
    """
    for path in places.sockets(config.state, environ, root):
        try:
            if stat.S_ISSOCK(path.stat().st_mode) and _same(ask_report(path), config):
                return path
        except PermissionError:
            return path
        except (OSError, DeskError):
            continue
    return None


def _same(report: Report, config: Config) -> bool:
    return report.state == str(config.state) or (config.path is not None and report.config == str(config.path))


def ask_report(path: Path) -> Report:
    """The running table's report. Raises OSError (nobody there, not allowed) or DeskError (no sense)."""
    return _ask(path, {"ask": "report"}, Report)


def ask_heard(path: Path, since: int) -> Heard:
    """What its devices delivered since a number. Raises OSError or DeskError."""
    return _ask(path, {"ask": "heard", "since": since}, Heard)


def _ask(path: Path, request: Mapping[str, Any], kind: type[Answer]) -> Answer:
    with socket.socket(socket.AF_UNIX) as host:
        host.settimeout(2 * REQUEST_WITHIN)
        host.connect(str(path))
        host.sendall(msgspec.json.encode(request) + b"\n")
        with host.makefile("rb") as answer:
            line = answer.readline()
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DeskError(f"{path}: answers what makes no sense ({error}): is it of another version?") from error
