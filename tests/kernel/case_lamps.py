"""devices/lamps.py on the kernel's own GPIO interface, through gpiozero on lgpio."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import gpiod
import pytest

from doubtable.devices.gpio import GpioButtons
from doubtable.devices.lamps import GpioLamps
from doubtable.devices.pins import Pins
from doubtable.devices.ports import DeviceError
from kernel.inbox import Inbox
from kernel.sim import BUTTONS, LAMPS, PI4, SimChip


@pytest.fixture
def lamps() -> Iterator[GpioLamps]:
    board = GpioLamps(LAMPS, Pins("lgpio", labels=[PI4]))
    yield board
    board.close()


def lit(chip: SimChip) -> set[int]:
    return {seat for seat, line in LAMPS.items() if chip.level(line)}


def holder(chip: SimChip, line: int) -> str | None:
    with gpiod.Chip(chip.path) as opened:
        info = opened.get_line_info(line)
    return info.consumer if info.used else None


def test_lamps_show_what_they_are_told(chip: SimChip, lamps: GpioLamps) -> None:
    lamps.start()
    assert lit(chip) == set()
    lamps.show({seat: seat % 3 == 0 for seat in LAMPS})
    assert lit(chip) == {3, 6, 9, 12}
    lamps.show({3: False, 4: True})
    assert lit(chip) == {4, 6, 9, 12}


def test_close_turns_the_lamps_off_and_lets_the_lines_go(chip: SimChip, lamps: GpioLamps) -> None:
    lamps.start()
    lamps.show(dict.fromkeys(LAMPS, True))
    assert all(holder(chip, line) for line in LAMPS.values())
    lamps.close()
    assert lit(chip) == set()
    assert not any(holder(chip, line) for line in LAMPS.values())


def test_lamps_and_buttons_share_the_chip(chip: SimChip, lamps: GpioLamps, inbox: Inbox) -> None:
    buttons = GpioButtons(BUTTONS, inbox.put, labels=[PI4])
    buttons.start()
    lamps.start()
    lamps.show({1: True})
    assert lit(chip) == {1}
    buttons.close()


def test_a_line_that_is_held_is_named_with_its_holder(chip: SimChip, lamps: GpioLamps) -> None:
    other = gpiod.request_lines(chip.path, {LAMPS[5]: gpiod.LineSettings()}, consumer="door bell")
    with pytest.raises(DeviceError, match='lamp of seat 5 on line 23: held already by "door bell"; end that program'):
        lamps.start()
    assert not holder(chip, LAMPS[1])
    other.release()
    lamps.start()
    lamps.show({5: True})
    assert lit(chip) == {5}


def test_lamps_of_a_chip_that_was_removed_come_back_with_the_newest_states(lamps: GpioLamps) -> None:
    with SimChip() as chip:
        lamps.start()
        lamps.show({1: True, 2: True})
    lamps.show({2: False})
    assert "lamps: lost" in str(lamps.fault)
    time.sleep(0.6)
    lamps.show({})
    assert "this machine has no GPIO chip" in str(lamps.fault)
    time.sleep(0.6)
    with SimChip("gpio-brcmstb", 32, "other"), SimChip() as chip:
        assert chip.path != "/dev/gpiochip0"
        lamps.show({3: True})
        assert lamps.fault is None
        assert lit(chip) == {1, 3}
        lamps.close()
        assert lit(chip) == set()


def test_a_chip_that_is_not_there(lamps: GpioLamps) -> None:
    with (
        SimChip("pinctrl-rp1", 54),
        pytest.raises(DeviceError, match=r'not there \(found: .*"pinctrl-rp1"'),
    ):
        lamps.start()


def test_a_user_whose_directory_is_not_writable_is_told(chip: SimChip) -> None:
    """As under a service manager: working directory /, no root. lgpio keeps a pipe where it works."""
    Path(chip.path).chmod(0o666)
    script = f"""
import os
from doubtable.devices.lamps import GpioLamps
from doubtable.devices.pins import Pins
from doubtable.devices.ports import DeviceError
lamps = GpioLamps({{1: 14}}, Pins("lgpio", labels=[{PI4!r}]))
try:
    lamps.start()
    lamps.show({{1: True}})
    print("lit", os.getcwd())
except DeviceError as error:
    print(error)
"""
    assert run_as_nobody(script, {}) == (
        "gpiozero's pin factory lgpio: lgpio keeps a pipe in its working directory, and / is not writable; "
        "set LG_WD to a directory that is"
    )
    assert run_as_nobody(script, {"LG_WD": "/dev/shm"}) == "lit /"


def run_as_nobody(script: str, more: dict[str, str]) -> str:
    """What the script prints as an ordinary user in /. Its Python may lie in a folder that only root enters."""
    for folder in Path(sys.executable).resolve().parents:
        folder.chmod(folder.stat().st_mode | 0o005)  # in the guest's own layer
    environment = {name: value for name, value in os.environ.items() if name != "LG_WD"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd="/",
        env=environment | more,
        user="nobody",
        group="nogroup",
        extra_groups=[],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    return done.stdout.strip() or done.stderr
