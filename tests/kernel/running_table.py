"""The installed program as a process in the guest, and everything around it that a person has: eyes and fingers."""

import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from kernel.sim import Wires

PATIENCE = 240.0  # s; an emulated processor needs some ten seconds to start the program, on a busy machine a minute
GLANCE = 0.02  # s between two looks at the lamps
WATCH = 2.8  # s in which a rhythm shows: two periods of the slow one
Found = TypeVar("Found")
PROGRAM = Path(sys.executable).with_name("doubtable")


class RunningTable:
    """``doubtable play --config FILE --game classic`` as a process. Events are told once each, in order."""

    def __init__(self, config: Path, *more: str, env: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            [PROGRAM, "play", "--config", config, "--game", "classic", *more],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONFAULTHANDLER": "1", **(env or {})},
        )
        self._news = threading.Condition()
        self._lines: dict[str, list[str]] = {"out": [], "err": []}
        self._told = 0
        streams = (("out", self._process.stdout), ("err", self._process.stderr))
        self._ears = [threading.Thread(target=self._listen, args=each, daemon=True) for each in streams]
        for ear in self._ears:
            ear.start()

    def _listen(self, name: str, stream: Any) -> None:
        for line in stream:
            with self._news:
                self._lines[name].append(line.rstrip("\n"))
                self._news.notify_all()

    def until(self, name: str, **facts: object) -> dict[str, Any]:
        """The next event of this name with these facts; TimeoutError says what came instead."""
        found: dict[str, Any] = {}

        def came() -> bool:
            while self._told < len(self._lines["out"]):
                event = json.loads(self._lines["out"][self._told])
                self._told += 1
                if event["event"] == name and facts.items() <= event.items():
                    found.update(event)
                    return True
            return False

        self._wait(came, f"event {name} {facts}")
        return found

    def until_said(self, text: str) -> str:
        """The line on standard error that has ``text`` in it."""

        def said() -> str | None:
            return next((line for line in self._lines["err"] if text in line), None)

        self._wait(lambda: said() is not None, f"words {text!r}")
        return said() or ""

    def _wait(self, came: Any, what: str) -> None:
        with self._news:
            if not self._news.wait_for(came, PATIENCE):
                tail = {name: lines[-12:] for name, lines in self._lines.items()}
                raise TimeoutError(f"no {what}; the last lines: {json.dumps(tail, indent=1)}")

    def freeze(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def ended(self) -> tuple[int, str]:
        """Exit status and standard error of a program that ends by itself. TimeoutError says where it hangs."""
        try:
            status = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"the program did not end; {self._where_it_hangs()}") from None
        self._hear_out()
        return status, "\n".join(self._lines["err"])

    def _where_it_hangs(self) -> str:
        """What the kernel knows of its threads, then its last words: with SIGABRT Python tells the lines of each."""
        threads = []
        for task in sorted(Path(f"/proc/{self._process.pid}/task").iterdir()):
            facts = {name: (task / name).read_text().strip() for name in ("comm", "wchan", "syscall", "stack")}
            state = (task / "stat").read_text().rpartition(")")[2].split()[0]
            threads.append("{comm}: {} in {wchan}, system call {syscall}\n{stack}".format(state, **facts))
        before = len(self._lines["err"])
        self._process.send_signal(signal.SIGABRT)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)
            self._hear_out()
        err = self._lines["err"]
        return "\n".join(["the kernel says:", *threads, "it says:", *err[max(0, before - 12) :]])

    def stop(self) -> int:
        """Tells it to end, as a service manager does."""
        self.tell()
        return self.ended()[0]

    def tell(self) -> None:
        """Tells it to end and does not wait."""
        self._process.send_signal(signal.SIGTERM)

    def tell_until_it_hears(self) -> None:
        """Tells it to end again and again, until it says that it was told, or for a tenth of PATIENCE."""
        end = time.monotonic() + PATIENCE / 10
        while not any("told to stop" in line for line in self._lines["err"]) and time.monotonic() < end:
            self.tell()

    def _hear_out(self) -> None:
        for ear in self._ears:
            ear.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends a program that still runs because a case failed."""
        self._process.kill()
        self._process.wait(PATIENCE)
        self._hear_out()
        for stream in (self._process.stdout, self._process.stderr):
            assert stream is not None
            stream.close()


class Hammering:
    """Somebody who hammers on all buttons, from a thread of its own, until ``close``."""

    def __init__(self, wires: Wires, lines: Iterable[int]) -> None:
        self._wires, self._lines = wires, list(lines)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._over.wait(GLANCE / 10):
            for line in self._lines:
                self._wires.press(line)
                self._wires.release(line)

    def close(self) -> None:
        self._over.set()
        self._thread.join()


class Guests:
    """Fingers on the buttons' lines and eyes on the lamps'. ``buttons``, ``lamps``: seat -> line."""

    def __init__(self, wires: Wires, buttons: Mapping[int, int], lamps: Mapping[int, int]) -> None:
        self.wires, self._buttons, self._lamps = wires, buttons, lamps

    def tap(self, seat: int) -> None:
        self._press(seat, lambda: time.sleep(0.12))

    def hold(self, seat: int, until: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Lets go when ``until`` has found what the hold brings about, and returns it."""
        return self._press(seat, until)

    def _press(self, seat: int, until: Callable[[], Found]) -> Found:
        # Without bounces: an emulated processor that pauses for 5 ms in the middle of them makes two presses of one.
        self.wires.press(self._buttons[seat])
        found = until()
        self.wires.release(self._buttons[seat])
        time.sleep(0.1)
        return found

    def slap(self, *seats: int, apart: float) -> None:
        """Presses one after the other, ``apart`` s; they let go together."""
        begin = time.monotonic()
        for place, seat in enumerate(seats):
            while time.monotonic() < begin + place * apart:
                pass
            self.wires.press(self._buttons[seat])
        time.sleep(0.12)
        for seat in seats:
            self.wires.release(self._buttons[seat])

    def lit(self) -> set[int]:
        return {seat for seat, line in self._lamps.items() if self.wires.level(line)}

    def see(self, **wanted: str) -> None:
        """Waits until the lamps look like this, ``seat_1="steady"``: off (the others too), steady, pulsing or fast."""
        expected = {seat: wanted.get(f"seat_{seat}", "off") for seat in self._lamps}
        end = time.monotonic() + PATIENCE
        seen: dict[int, str] = {}
        while seen != expected:
            if time.monotonic() > end:
                raise TimeoutError(f"the lamps are {seen}, and should be {expected}")
            seen = self._watch()

    def _watch(self) -> dict[int, str]:
        glances = []
        end = time.monotonic() + WATCH
        while time.monotonic() < end:
            glances.append(self.lit())
            time.sleep(GLANCE)
        return {seat: _rhythm([seat in lit for lit in glances]) for seat in self._lamps}


def _rhythm(glances: list[bool]) -> str:
    """In WATCH a lamp of 0.8 Hz switches 4 or 5 times, one of 2.5 Hz 14 times."""
    switches = sum(one != other for one, other in itertools.pairwise(glances))
    if not switches:
        return "steady" if glances[0] else "off"
    return {1: "changing", 2: "changing"}.get(switches, "pulsing" if switches < 9 else "fast")
