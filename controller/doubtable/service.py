"""The table as a service: what systemd is told, and what is left in the log when the main loop hangs.

systemd's side is sd_notify(3): one datagram of ``KEY=VALUE`` lines to the socket in $NOTIFY_SOCKET. That protocol is
stable and these lines are all of it that a table needs; the packages that offer it are unmaintained (sdnotify) or have
to be compiled against libsystemd (systemd-python).

The watchdog is fed by the main loop and by nothing else: a table that hangs gets SIGABRT, and Python then writes the
lines at which its main thread stood.
"""

import faulthandler
import re
import signal
import socket
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

US = 1_000  # ns
BEATS = 4  # in each interval of the watchdog
SECTION = re.compile(r"\s*\[\s*([\w.-]+)\s*\]\s*(#.*)?$")
LONGEST_FILE = 1_000_000  # bytes; a table.toml has a few thousand


class Service:
    """What systemd hears of this program; silent where nobody listens. Belongs to the main thread.

    Raises nothing: a table that cannot say that it is ready plays all the same. ``close`` may be called twice.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) if address else None
        interval = environ.get("WATCHDOG_USEC", "")
        self.every = int(interval) * US // BEATS if interval.isdecimal() else 0  # ns; 0: there is no watchdog
        self._next = 0
        self._deaf = False  # systemd could not be told, and that was said

    def ready(self, status: str) -> None:
        """The table can be played. ``status`` is what ``systemctl status`` shows."""
        self._tell("READY=1", f"STATUS={status}")

    def status(self, status: str) -> None:
        """What ``systemctl status`` shows from now on."""
        self._tell(f"STATUS={status}")

    def alive(self, ns: int) -> None:
        """The main loop is at work at ``ns`` of a clock that never goes back. Cheap: call it in every round."""
        if self.every and ns >= self._next:
            self._next = ns + self.every
            self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """The table was told to end."""
        self._tell("STOPPING=1")

    def close(self) -> None:
        """Nothing more is told."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _tell(self, *lines: str) -> None:
        if self._socket is None:
            return
        text = "\n".join(line.replace("\n", " ") for line in lines)
        try:
            self._socket.sendto(text.encode(), self._address)
            self._deaf = False
        except OSError as error:
            if not self._deaf:
                sys.stderr.write(f"doubtable: systemd was not told {lines[0]}: {error.strerror}\n")
            self._deaf = True


def runs(environ: Mapping[str, str]) -> bool:
    """Whether this program was started as a service that says when it is ready."""
    return bool(environ.get("NOTIFY_SOCKET"))


def tell_where_it_hangs() -> None:
    """From now on a SIGABRT (the watchdog's) or a crash leaves the lines of the thread that it met on stderr.

    Threads that are started before ``main_thread_answers`` leave the SIGABRT to the main thread, whose lines are those
    that matter. Those of the others are not written: faulthandler reads them while those threads run, and may crash
    by it before it comes to the main one.
    """
    faulthandler.enable(all_threads=False)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGABRT})


def main_thread_answers() -> None:
    """The other threads have been started; a SIGABRT finds the main thread. May be called twice."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGABRT})


class File:
    """A file as it was when this was made, so before it is read: what is mended meanwhile is not overlooked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._before = self._mark()

    def changed(self) -> bool:
        """Whether it has been written, replaced, made or taken away."""
        return self._mark() != self._before

    def readable(self) -> dict[str, str | int]:
        """Of a TOML file with faults what can be read all the same: key path -> text or number, line by line.

        Nothing is checked: any key may be there. What is written over several lines is left out.
        """
        try:
            with self.path.open("rb") as file:
                text = file.read(LONGEST_FILE).decode(errors="replace")
        except OSError:
            return {}
        known: dict[str, str | int] = {}
        section = ""
        for line in text.splitlines():
            if header := SECTION.match(line):
                section = f"{header[1]}."
            else:
                known |= dict(_values(line, section))
        return known

    def _mark(self) -> tuple[int, ...]:
        try:
            stat = self.path.stat()
        except OSError:
            return ()
        return stat.st_ino, stat.st_size, stat.st_mtime_ns


def _values(line: str, section: str) -> Iterator[tuple[str, str | int]]:
    """The values of one line of TOML that stands in ``section`` ("seats.1."), by their key paths."""
    try:
        found: list[tuple[str, object]] = list(tomllib.loads(line).items())
    except tomllib.TOMLDecodeError:
        return
    while found:
        key, value = found.pop()
        if isinstance(value, dict):
            found += [(f"{key}.{name}", each) for name, each in value.items()]
        elif isinstance(value, str | int):
            yield section + key, value
