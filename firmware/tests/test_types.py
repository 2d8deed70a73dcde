"""The whole firmware against the stubs of MicroPython for the RP2040."""

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import FIRMWARE, PANEL

STUBS = Path(sys.prefix) / "stubs"

CONFIG = """[mypy]
strict = true
mypy_path = {stubs}:{firmware}
custom_typeshed_dir = {stubs}
namespace_packages = true
explicit_package_bases = true
cache_dir = /dev/null
follow_imports = silent
show_absolute_path = true
"""


def faults(target: Path, tmp_path: Path) -> list[str]:
    """What mypy has against ``target``. The stubs have faults of their own, which are not ours to mend."""
    config = tmp_path / "mypy.ini"
    config.write_text(CONFIG.format(stubs=STUBS, firmware=FIRMWARE))
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(config), str(target)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode < 2, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if line.startswith(str(target)) and " error: " in line]


@pytest.fixture(autouse=True)
def stubs_are_there() -> None:
    if not (STUBS / "rp2").exists():
        pytest.fail(f"the stubs are not in {STUBS}: run firmware/tests/run.sh, which puts them there")


def test_the_firmware(tmp_path: Path) -> None:
    assert faults(PANEL, tmp_path) == []


def test_a_wrong_call_is_found(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from machine import Pin\n\nlevel: str = Pin(3, Pin.IN).value()\nPin(3).blink()\n")
    assert len(faults(wrong, tmp_path)) == 2
