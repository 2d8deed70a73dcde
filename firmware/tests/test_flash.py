"""``doubtable panel flash``: the real mpremote and mpy-cross bring the program onto an emulated board, and it runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from doubtable.devices import panel_flash
from doubtable.devices.panel_flash import Flash

from chip import PATIENCE, Chip
from conftest import PANEL
from image import NoImageError, image

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
    try:
        made.wait_for(lambda: made.now() >= BOOTED, "MicroPython's prompt")
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def said(chip: Chip, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What flashing showed; afterwards the program runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(panel_flash, "PATIENCE", PATIENCE)
        steps = list(Flash(chip.port, tmp_path_factory.mktemp("mpy")).steps())
    chip.wait_for(lambda: chip.sampling, "the program's start")
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
