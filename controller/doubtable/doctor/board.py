"""The board: which one it is, its kernel, its supply."""

import re
from collections.abc import Iterator

from doubtable.doctor.case import Case
from doubtable.doctor.findings import Finding

OLDEST_KERNEL = (5, 10)  # the interface of libgpiod 2; stamps are monotonic since 5.7

# vcgencmd get_throttled: bits 0 to 3 now, the same 16 bits higher since the start. Bit 2 says that the processor is
# slowed down, for whatever reason, and not that it is hot (raspberrypi/firmware issue 615).
THROTTLED = {0: "under-voltage", 1: "frequency capped", 2: "throttled", 3: "soft temperature limit"}
EARLIER = 16
VOLTAGE, HEAT = 0, 3


def model(case: Case) -> Iterator[Finding]:
    """Which computer this is."""
    pi = case.machine.text("/proc/device-tree/model")
    other = case.machine.text("/sys/class/dmi/id/product_name")
    if pi is not None and pi.startswith("Raspberry Pi"):
        yield Finding("model", "ok", pi)
    elif pi or other:
        what = f"{pi or other}: no Raspberry Pi"
        if not case.on_header:
            yield Finding("model", "ok", f"{what}, and nothing of this table hangs on one's header")
        else:
            yield Finding(
                "model",
                "warning",
                f"{what}, but buttons hang on a header's lines",
                "see that `chip` in table.toml is this board's label, and the plan's lines those of its header",
            )
    else:
        yield Finding("model", "unknown", "this computer does not say what it is", "look at the board")


def kernel(case: Case) -> Iterator[Finding]:
    """Whether the kernel stamps edges as this program needs it."""
    release = case.machine.text("/proc/sys/kernel/osrelease")
    found = re.match(r"(\d+)\.(\d+)", release or "")
    if release is None or found is None:
        yield Finding("kernel", "unknown", "this system does not say its kernel", "on Linux: uname -r")
        return
    if (int(found[1]), int(found[2])) >= OLDEST_KERNEL:
        yield Finding("kernel", "ok", release)
        return
    oldest = ".".join(map(str, OLDEST_KERNEL))
    what = f"{release}: older than {oldest}, without the interface that libgpiod 2 needs"
    yield Finding(
        "kernel",
        "fault" if "gpio" in case.config.sources else "warning",
        what,
        "update the system: sudo apt full-upgrade, or a newer Raspberry Pi OS",
    )


def supply(case: Case) -> Iterator[Finding]:
    """Whether the supply holds its voltage, and whether the processor is slowed down."""
    said = case.machine.run("vcgencmd", "get_throttled")
    if said is None:
        what = "nothing here tells of the supply (vcgencmd is missing: only a Raspberry Pi has it)"
        yield Finding("supply", "unknown", what, "on a Raspberry Pi: sudo apt install raspi-utils-core")
        return
    found = re.fullmatch(r"throttled=(0x[0-9a-fA-F]+)", said.text)
    if found is None:
        what = f'vcgencmd does not say ("{said.text.splitlines()[0] if said.text else said.status}")'
        yield Finding("supply", "unknown", what, "it needs the group video: sudo usermod -aG video $USER, log in again")
        return
    yield judged(int(found[1], 16))


def judged(word: int) -> Finding:
    """What the word of ``vcgencmd get_throttled`` means."""
    now = [bit for bit in THROTTLED if word >> bit & 1]
    earlier = [bit for bit in THROTTLED if word >> EARLIER & 1 << bit]
    parts = [f"{_names(now)} now"] if now else []
    parts += [f"{_names(earlier)} earlier"] if earlier else []
    if not parts:
        return Finding("supply", "ok", "no under-voltage and no throttling since the start")
    what = f"{', '.join(parts)} (0x{word:x})"
    if VOLTAGE in now:
        todo = "the supply or its cable is too weak: use the Pi's own 5.1 V supply with a short cable, before all else"
        return Finding("supply", "fault", what, todo)
    if VOLTAGE in earlier:
        return Finding("supply", "warning", what, "the supply or its cable is weak: use the Pi's own 5.1 V supply")
    if HEAT in now or HEAT in earlier:
        return Finding("supply", "warning", what, "the Pi gets hot: air holes in its box, a heat sink")
    return Finding("supply", "warning", what, "the Pi was slowed down: look at its supply, then at its heat")


def _names(bits: list[int]) -> str:
    return " and ".join(THROTTLED[bit] for bit in bits)
