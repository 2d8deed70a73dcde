"""The doctor's output in docs/hardware-setup.md: made from machines of files, so that it is what the program says.

`python tests/doctor/written_examples.py` from the project's folder (with PYTHONPATH=tests) writes it anew; a test
compares it.
"""

import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from decks.deck_bench import whole
from devices.fake_gpio import FakeClock
from doctor.machines import FakeMachine, fake_gpiod
from doctor.people import Fingers, Somebody
from doubtable import __version__, decks
from doubtable.desk import DeviceReport
from doubtable.doctor import SECTIONS, Case, Machine, Nobody, examine, software
from doubtable.doctor.findings import summary

PAGE = Path(__file__).parents[2] / "docs" / "hardware-setup.md"
PARTS = re.compile(r"(<!-- made from the doctor: (\w+) -->\n).*?(<!-- end of it -->\n)", re.DOTALL)
TABLE = """plan = "8-gpio"
[reader]
kind = "rdm6300"
port = "/dev/serial0"
[screen]
driver = "kmsdrm"
size = "1024x600"
"""
WORK = (
    DeviceReport("buttons", facts={"source": "gpio"}),
    DeviceReport("lamps"),
    DeviceReport("reader", facts={"kind": "rdm6300", "port": "/dev/serial0"}),
    DeviceReport("screen", facts={"size": "1024x600", "driver": "kmsdrm"}),
)


def good(folder: Path) -> Iterator[str]:
    """Everything, at a table that runs and is in order; somebody presses every button."""
    service = "Uid:\t990\t990\t990\t990\nGid:\t990\t990\t990\t990\nGroups:\t20 29 44 105 106 986\n"
    machine = FakeMachine(folder, {"/proc/77/status": service, "/etc/passwd": "doubtable:x:990:990::/:/\n"}, {})
    decks.save(machine.state, whole("red"))
    clock = FakeClock()
    fingers = Fingers(clock)
    fingers.levels(seats=8)

    def press_all() -> None:
        for seat in range(1, 9):
            fingers.press(seat, 400 + 370 * (seat * 5 % 8))

    person = Somebody(clock, {"Press every button once": press_all, "Lay a card": lambda: ""})
    case = Case(machine.config(TABLE), Machine(folder, {}), person, fingers.running(*WORK), clock)
    sections = [name for name in SECTIONS if name not in ("panel", "usb")]
    yield from said(case, sections, lambda each: each.about != "a card")


def bad(folder: Path) -> Iterator[str]:
    """Four usual faults, at a table that does not run."""
    held = '{"label": "pinctrl-bcm2711", "lines": 58, "held": {"18": "spi0 CS0"}}'
    files = {"/usr/bin/vcgencmd": "#!/bin/sh\necho throttled=0x50005\n", "/dev/gpiochip0": held, "/dev/ttyS0": None}
    overlay = "overlay / overlay rw,lowerdir=/lower,upperdir=/upper/data,workdir=/upper/work 0 0\n"
    machine = FakeMachine(folder, {**files, "/proc/self/mounts": overlay}, {"RPi.GPIO": "0.7.1", "rpi-lgpio": "0.6"})
    clock = FakeClock()
    nobody = Nobody(lambda seconds: clock.pass_ms(round(seconds * 1000)))
    case = Case(machine.config(TABLE), Machine(folder, {}), nobody, None, clock)
    yield from said(case, ["supply", "journal", "libraries", "chip", "reader", "decks"])


def said(case: Case, sections: list[str], shown: Callable[..., bool] = lambda each: True) -> Iterator[str]:
    """What the command prints."""
    found = [each for each in examine(case, sections) if shown(each)]
    yield f"doubtable {__version__}, table.toml"
    for each in found:
        yield from each.lines(max(map(len, sections)))
    yield summary(found)


MADE = {"good": good, "bad": bad}


def anew(text: str) -> str:
    """The page with its examples as the doctor gives them now."""

    def one(found: "re.Match[str]") -> str:
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            fake_gpiod(patch)
            patch.setattr(software, "PYTHON", "3.13.5")
            lines = [line.replace(__version__, "0.1.0") for line in MADE[found[2]](Path(folder))]
        return found[1] + "\n".join(["```text", *lines, "```"]) + "\n" + found[3]

    return PARTS.sub(one, text)


if __name__ == "__main__":
    PAGE.write_text(anew(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
