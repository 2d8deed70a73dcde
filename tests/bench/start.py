"""start: how long until the first picture and until the help, and how much memory, beside a framework's start."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench import peer
from bench.figures import Bench, PeerMissing, Row, at_most, figure, take_turns
from bench.program import StartError, running_table, started

MPF = """#config_version=6
playfields:
  playfield:
    tags: default
    default_source_device: None
switches:
"""
MPF_START = "mpf game -x -b -t, one machine of 13 switches"
SETTLED = 1.0  # s after the first picture


def _help() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "doubtable", "--help"], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def _nothing() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - began


def _table(folder: Path, held: list[float]) -> float:
    with running_table(folder) as program:
        time.sleep(SETTLED)  # what a start needs for a moment is given back by then
        held.append(program.memory())
        return program.took


def _mpf(python: Path, folder: Path, held: list[float]) -> float:
    """MPF until its main loop runs; what it has read it keeps in its own cache, which the first start fills."""
    command = [str(python), "-m", "mpf", "game", str(folder), "-x", "-b", "-t"]
    try:
        with started(command, "Starting the main run loop", {"TMPDIR": str(folder)}, folder) as program:
            time.sleep(SETTLED)  # as for ours
            held.append(program.memory())
            return program.took
    except StartError as error:
        raise PeerMissing(f"does not start here: {error}") from error


def row(bench: Bench) -> Row:
    """The row."""
    ours_held: list[float] = []
    mpf_held: list[float] = []
    reason = ""
    with tempfile.TemporaryDirectory() as made:
        folder, machine = Path(made) / "table", Path(made) / "mpf"
        folder.mkdir()
        (machine / "config").mkdir(parents=True)
        switches = "".join(f"  s{seat}:\n    number: {seat}\n" for seat in range(1, 14))
        (machine / "config" / "config.yaml").write_text(MPF + switches, encoding="utf-8")
        ways: dict[str, Callable[[], float]] = {
            "frame": partial(_table, folder, ours_held),
            "help": _help,
            "nothing": _nothing,
        }
        try:
            mpf = partial(_mpf, peer.environment(bench), machine, mpf_held)
            mpf()
            ways["mpf"] = mpf
        except PeerMissing as missing:
            reason = str(missing)
        seconds = take_turns(bench, bench.pick(3, 7), ways)
    theirs = seconds.get("mpf")
    return Row(
        name="start",
        done="The table of 13 seats as the service runs it, from the start of the process to the first picture of"
        " 1024x600 shown, journal opened; SDL keeps the screen in memory. Memory is what the process holds"
        " (VmRSS) 1 s later. MPF until its main loop runs, its configuration in its cache, without a screen. Medians"
        " of starts in turn; files are in the system's cache.",
        figures=(
            figure(
                "first picture",
                "s",
                seconds["frame"],
                at_most(0.6, "s"),
                beside=MPF_START,
                theirs=theirs,
                missing=reason,
            ),
            figure(
                "--help", "s", seconds["help"], at_most(0.12, "s"), beside="python -c pass", theirs=seconds["nothing"]
            ),
            figure(
                "memory",
                "MB",
                statistics.median(ours_held),
                at_most(70, "MB"),
                beside=MPF_START,
                theirs=statistics.median(mpf_held[1:]) if theirs else None,
                missing=reason,
            ),
        ),
    )
