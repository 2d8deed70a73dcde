"""lamp: from the touch of a button to the lamp that answers, on the kernel's own GPIO in a virtual machine."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.figures import Bench, PeerMissing, Row, figure, times_at_most

TESTS = Path(__file__).parent.parent
BESIDE = "gpiozero, when_pressed to LED.on, in the same guest"
GOAL = times_at_most(0.6)
WITHIN = 300  # s


def guest() -> tuple[Path, Path]:
    """The kernel test's guest and its lgpio. Raises PeerMissing where they have not been built."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "doubtable" / "kernel-test"
    guests, lgpio = sorted(cache.glob("guest-*/version")), sorted(cache.glob("lgpio-*"))
    if not guests or not lgpio:
        raise PeerMissing("there is no guest: make test-kernel builds it once (Debian 12, x86-64)")
    return guests[-1].parent, lgpio[-1]


def delays(way: str, count: int, seed: int) -> dict[str, Any]:
    """What ``kernel.lamp_delay`` says of one way, in a guest on virtual time. Raises PeerMissing."""
    machine, lgpio = guest()
    environ = os.environ | {
        "VM_GUEST": str(machine),
        "VM_ICOUNT": "1",
        "VM_TIMEOUT": str(WITHIN),
        "VM_ENV": f"PYTHONPATH={TESTS}:{lgpio} LG_WD=/run",
    }
    command = [
        str(TESTS / "kernel" / "vm.sh"),
        sys.executable,
        "-m",
        "kernel.lamp_delay",
        way,
        str(count),
        str(seed),
    ]
    try:
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=WITHIN + 20)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PeerMissing(f"the guest does not run here: {error}") from error
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        words = (done.stderr or done.stdout).strip().splitlines()
        raise PeerMissing(f"the guest does not run here: {words[-1] if words else 'no word from it'}")
    found: dict[str, Any] = json.loads(lines[-1])
    return found


def row(bench: Bench) -> Row:
    """The row. Virtual time repeats to the microsecond: one round is enough."""
    count = bench.pick(8, 200)  # of fewer the 99th hundredth is the slowest of all
    found: dict[str, dict[str, Any]] = {}
    reason = ""
    for way in ("table", "when_pressed"):
        bench.say(f"{count} presses in a guest: {way}")
        try:
            found[way] = delays(way, count, 1)
        except PeerMissing as missing:
            reason = str(missing)
            break
    done = (
        f"{count} clean presses on the kernel's simulated GPIO chip, from just before the contact closes, 5 us before"
        " the kernel's stamp, to just after the lamp was written, in virtual time of one nanosecond an instruction."
        " Ours: a table of 13, wired as in play but for screen, reader and journal, where a slap darkens ten lamps, of"
        " which the last counts; the confirm time of 5 ms is left out, and what can be worked out meanwhile is."
        " gpiozero: 13 buttons, when_pressed switches one LED; no debounce, so nothing to be left out."
    )
    if "table" not in found:
        nothing = figure("touch to lamp", "ms", 0.0, beside=BESIDE, missing=reason)
        return Row(name="lamp", done=done, figures=(nothing,), virtual=True)
    theirs = found.get("when_pressed", {})
    return Row(
        name="lamp",
        done=done,
        virtual=True,
        figures=tuple(
            figure(
                f"touch to lamp, {name}",
                "ms",
                found["table"][key] / 1e3,
                GOAL,
                beside=BESIDE,
                theirs=theirs[key] / 1e3 if theirs else None,
                missing=reason,
            )
            for name, key in (("p50", "median_us"), ("p99", "p99_us"))
        ),
    )
