"""The pin factory that is named is the one that runs, or the error says why it cannot."""

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from devices.fake_gpio import PI4, FakeGpio
from doubtable.devices.pins import Pins
from doubtable.devices.ports import DeviceError


def pins(kind: str, *, label: str = "pinctrl-bcm2711") -> Pins:
    return Pins(kind, label=label, gpio=FakeGpio(PI4._replace(path="/dev/gpiochip7")))


class LgpioError(Exception):
    """Stands for lgpio.error."""


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A fake lgpio, and gpiozero's factory on it; gives the chip numbers that were opened."""
    opened: list[Any] = []
    module = ModuleType("lgpio")
    module.__dict__.update(error=LgpioError, gpiochip_open=None)

    class LGPIOFactory(MockFactory):  # type: ignore[misc]
        def __init__(self, chip: int) -> None:
            super().__init__()
            opened.append(chip)

    factory = ModuleType("gpiozero.pins.lgpio")
    factory.__dict__.update(LGPIOFactory=LGPIOFactory)
    monkeypatch.setitem(sys.modules, "lgpio", module)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", factory)
    return opened


def test_lgpio_is_told_the_number_of_the_chip_with_our_label(lgpio: list[Any]) -> None:
    pins("lgpio").open()
    assert lgpio == [7]


def test_one_factory_for_all_users_until_the_last_has_closed(lgpio: list[Any]) -> None:
    shared = pins("lgpio")
    assert shared.open() is shared.open()
    shared.close()
    first = shared.open()
    shared.close()
    shared.close()
    shared.close()
    assert shared.open() is not first
    assert lgpio == [7, 7]


def test_a_chip_that_is_not_there_is_not_replaced_by_another(lgpio: list[Any]) -> None:
    with pytest.raises(DeviceError, match=r'GPIO chip "pinctrl-rp1": not there \(found: /dev/gpiochip7'):
        pins("lgpio", label="pinctrl-rp1").open()
    assert lgpio == []


def test_an_unknown_factory_lists_those_that_exist() -> None:
    with pytest.raises(DeviceError, match='pin factory "pigpio": does not exist; choose one of lgpio, rpigpio, native'):
        pins("pigpio")


@pytest.mark.parametrize(
    ("kind", "module"), [("lgpio", "lgpio"), ("rpigpio", "RPi"), ("native", "gpiozero.pins.native")]
)
def test_a_back_end_that_is_missing_is_named_with_its_cause(
    kind: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
    with pytest.raises(DeviceError, match=f"gpiozero's pin factory {kind}: cannot be loaded \\(.*{module}.*\\); "):
        pins(kind).open()


def test_the_empty_release_of_lgpio_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    with pytest.raises(DeviceError, match=r"empty release 0\.0\.0\.2; install lgpio"):
        pins("lgpio").open()


def test_lgpio_needs_a_writable_directory(lgpio: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LG_WD", str(tmp_path / "absent"))
    with pytest.raises(DeviceError, match=r"absent is not writable; set LG_WD to a directory that is"):
        pins("lgpio").open()
    monkeypatch.setenv("LG_WD", str(tmp_path))
    pins("lgpio").open()
    assert lgpio == [7]


def test_the_working_directory_stays_what_it_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lgpio: list[Any]
) -> None:
    monkeypatch.delitem(sys.modules, "lgpio")
    (tmp_path / "lgpio.py").write_text(f"import os\nos.chdir({str(tmp_path)!r})\nerror = gpiochip_open = OSError\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(Path(__file__).parent)
    pins("lgpio").open()
    assert Path(os.curdir).resolve() == Path(__file__).parent


def test_a_board_that_is_no_pi_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch, lgpio: list[Any]) -> None:
    def no_revision(_: object) -> int:
        raise OSError("unable to locate Pi revision\nin /proc/cpuinfo")

    monkeypatch.setattr(MockFactory, "_get_revision", no_revision)
    with pytest.raises(DeviceError, match=r"cannot start \(unable to locate Pi revision in /proc/cpuinfo\); name"):
        pins("lgpio").open()
