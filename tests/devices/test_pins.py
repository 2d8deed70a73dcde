"""The pin factory that is named is the one that runs, or the error says why it cannot."""

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from doubtable.devices.pins import Pins
from doubtable.devices.ports import DeviceError


class LgpioError(Exception):
    """Stands for lgpio.error."""


class FakeLgpio(ModuleType):
    """lgpio as far as it is used: chips by number, and who holds which line."""

    error = LgpioError

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.labels = {0: "gpio-brcmstb", 7: "pinctrl-bcm2711"}
        self.users = {23: "door bell"}
        self.open: list[int] = []

    def gpiochip_open(self, number: int) -> int:
        if number not in self.labels:
            raise LgpioError("can not open gpiochip")
        self.open.append(number)
        return number

    def gpiochip_close(self, handle: int) -> None:
        self.open.remove(handle)

    def gpio_get_chip_info(self, handle: int) -> tuple[int, int, str, str]:
        return 0, 58, f"gpiochip{handle}", self.labels[handle]

    def gpio_get_line_info(self, handle: int, line: int) -> tuple[int, int, int, str, str]:
        return 0, line, 0, "", self.users.get(line, "")


@pytest.fixture
def dev(tmp_path: Path) -> Path:
    """A folder of devices with two chips, one of which has a second name, as on a Pi 5."""
    folder = tmp_path / "dev"
    folder.mkdir()
    for number in (0, 7):
        (folder / f"gpiochip{number}").touch()
    (folder / "gpiochip4").symlink_to("gpiochip0")
    return folder


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> FakeLgpio:
    module = FakeLgpio()
    monkeypatch.setitem(sys.modules, "lgpio", module)
    return module


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """gpiozero's factories on lgpio and RPi.GPIO, faked; gives what they were told when they were made."""
    told: list[Any] = []

    class LGPIOFactory(MockFactory):  # type: ignore[misc]
        def __init__(self, chip: int) -> None:
            super().__init__()
            told.append(chip)

    class RPiGPIOFactory(MockFactory):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            told.append(os.environ.get("RPI_LGPIO_CHIP"))

    monkeypatch.delenv("RPI_LGPIO_CHIP", raising=False)
    for kind, factory in (("lgpio", LGPIOFactory), ("rpigpio", RPiGPIOFactory)):
        module = ModuleType(kind)
        module.__dict__[factory.__name__] = factory
        monkeypatch.setitem(sys.modules, f"gpiozero.pins.{kind}", module)
    return told


def pins(kind: str, dev: Path = Path("/dev/null"), *, label: str = "pinctrl-bcm2711") -> Pins:
    return Pins(kind, labels=[label], dev=dev)


def test_lgpio_is_told_the_number_of_the_chip_with_our_label(lgpio: FakeLgpio, opened: list[Any], dev: Path) -> None:
    pins("lgpio", dev).open()
    assert opened == [7]
    assert lgpio.open == []  # what was opened to look at is shut again


def test_a_path_overrides_the_label(lgpio: FakeLgpio, opened: list[Any], dev: Path) -> None:
    Pins("lgpio", labels=["pinctrl-bcm2711"], path=str(dev / "gpiochip4"), dev=dev).open()
    assert opened == [0]


def test_rpi_lgpio_is_told_the_chip_too(
    lgpio: FakeLgpio, opened: list[Any], dev: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RPI_LGPIO_CHIP", "0")
    pins("rpigpio", dev).open()
    assert opened == ["7"]


def test_rpi_gpio_itself_knows_no_chips(opened: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    pins("rpigpio").open()
    assert opened == [None]


def test_who_holds_a_line(lgpio: FakeLgpio, opened: list[Any], dev: Path) -> None:
    on_lgpio = pins("lgpio", dev)
    assert on_lgpio.holder(23) is None  # not open yet
    on_lgpio.open()
    assert [on_lgpio.holder(line) for line in (23, 24)] == ["door bell", None]
    assert lgpio.open == []
    del lgpio.labels[7]
    assert on_lgpio.holder(23) is None


def test_chips_that_this_user_may_not_open(lgpio: FakeLgpio, opened: list[Any], dev: Path) -> None:
    lgpio.labels.clear()
    with pytest.raises(DeviceError, match=r"gpiochip0, .*gpiochip7 cannot be opened; add this user to the group gpio"):
        pins("lgpio", dev).open()


def test_one_factory_for_all_users_until_the_last_has_closed(lgpio: FakeLgpio, opened: list[Any], dev: Path) -> None:
    shared = pins("lgpio", dev)
    assert shared.open() is shared.open()
    shared.close()
    first = shared.open()
    shared.close()
    shared.close()
    shared.close()
    assert shared.open() is not first
    assert opened == [7, 7]


def test_a_chip_that_is_not_there_is_not_replaced_by_another(lgpio: FakeLgpio, opened: list[Any], dev: Path) -> None:
    with pytest.raises(DeviceError, match=r'GPIO chip "pinctrl-rp1": not there \(found: .*/gpiochip0 "gpio-brcmstb"'):
        pins("lgpio", dev, label="pinctrl-rp1").open()
    assert opened == []


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


def test_lgpio_needs_a_writable_directory(
    lgpio: FakeLgpio, opened: list[Any], dev: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LG_WD", str(tmp_path / "absent"))
    with pytest.raises(DeviceError, match=r"absent is not writable; set LG_WD to a directory that is"):
        pins("lgpio", dev).open()
    monkeypatch.setenv("LG_WD", str(tmp_path))
    pins("lgpio", dev).open()
    assert len(opened) == 1


def test_rpi_lgpio_needs_one_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """rpi-lgpio loads lgpio, which cannot open the pipe that it could not make."""
    monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
    monkeypatch.delitem(sys.modules, "RPi", raising=False)
    (tmp_path / "RPi.py").write_text("open('absent/.lgd-nfy-3')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("LG_WD", str(tmp_path / "absent"))
    with pytest.raises(DeviceError, match=r"factory rpigpio: .*absent is not writable; set LG_WD to a directory"):
        pins("rpigpio").open()


def test_the_working_directory_stays_what_it_was(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """lgpio changes into LG_WD when it is loaded."""
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    (tmp_path / "lgpio.py").write_text(f"import os\nos.chdir({str(tmp_path)!r})\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(Path(__file__).parent)
    with pytest.raises(DeviceError, match="empty release"):
        pins("lgpio").open()
    del sys.modules["lgpio"]
    assert Path(os.curdir).resolve() == Path(__file__).parent


def test_a_board_that_is_no_pi_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, lgpio: FakeLgpio, opened: list[Any], dev: Path
) -> None:
    def no_revision(_: object) -> int:
        raise OSError("unable to locate Pi revision\nin /proc/cpuinfo")

    monkeypatch.setattr(MockFactory, "_get_revision", no_revision)
    with pytest.raises(DeviceError, match=r"cannot start \(unable to locate Pi revision in /proc/cpuinfo\); name"):
        pins("lgpio", dev).open()
