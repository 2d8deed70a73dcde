"""Where the tools are. One that is missing is a failure: without it nothing would have been tested."""

import shutil
import sys
from pathlib import Path

import pytest

FIRMWARE = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(FIRMWARE), str(FIRMWARE.parent / "controller")]

PANEL = FIRMWARE / "panel"


def tool(name: str) -> str:
    """The path of a program of this environment."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        pytest.fail(
            f"{name} is not installed: run firmware/tests/run.sh, which installs firmware/tests/requirements.txt"
        )
    return found


@pytest.fixture(scope="session")
def micropython() -> str:
    """MicroPython's unix port."""
    return tool("micropython")


@pytest.fixture(scope="session")
def mpy_cross() -> str:
    return tool("mpy-cross")
