"""The processes of what is measured beside us, and the environment that some of them need."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.figures import Bench, PeerMissing

HERE = Path(__file__).parent
REQUIREMENTS = HERE / "requirements.txt"


def environment(bench: Bench) -> Path:
    """The Python of an environment with what requirements.txt names; made once. Raises PeerMissing."""
    folder = bench.work / "bench-venv"
    python, stamp = folder / "bin" / "python", folder / "installed"
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()
    if stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
        return python
    bench.say("installing mpf and open_spiel into build/bench-venv (once)")
    shutil.rmtree(folder, ignore_errors=True)
    _run([sys.executable, "-m", "venv", str(folder)])
    _run([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", str(REQUIREMENTS)])
    stamp.write_text(wanted, encoding="ascii")
    return python


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PeerMissing(f"cannot be installed here: {error}") from error
    if done.returncode:
        raise PeerMissing(f"cannot be installed here: {last_line(done.stderr, 'ERROR')}")


def last_line(text: str, mark: str = "") -> str:
    """The last line that begins with ``mark``, or the last one at all."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if line.startswith(mark)), lines[-1] if lines else "no word of why")


class Peer:
    """One peer's process, ready to play rounds."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def round(self) -> float:
        """One round: the seconds that it took."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return float(self.answer())

    def answer(self) -> str:
        """Its next line. Raises PeerMissing when it has ended."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if line:
            return line.strip()
        assert self._process.stderr is not None
        raise PeerMissing(f"does not run here: {last_line(self._process.stderr.read())}")


@contextmanager
def running(python: Path, program: str, given: object) -> Iterator[Peer]:
    """The program ``peers/PROGRAM.py`` with what it is given, ready. Raises PeerMissing."""
    command = [str(python), str(HERE / "peers" / f"{program}.py")]
    environ = os.environ | {"PYTHONUNBUFFERED": "1"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environ) as process:
        assert process.stdin is not None
        try:
            try:
                process.stdin.write(json.dumps(given) + "\n")
                process.stdin.flush()
            except BrokenPipeError:
                pass  # its last words are on stderr
            peer = Peer(process)
            while peer.answer() != "ready":
                pass
            yield peer
        finally:
            process.kill()
