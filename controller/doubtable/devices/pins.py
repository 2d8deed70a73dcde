"""gpiozero's pin factories, chosen by name: the one that is named runs, or the error says why it cannot.

gpiozero picks a factory by itself when none is given, and falls back from one to the next with no more than a warning.
Here a factory is always made on purpose and handed to each device.

Thread safety: one thread at a time.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import chdir, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from doubtable.devices.chips import FoundChip, find_chip
from doubtable.devices.ports import DeviceError

INSTALL_LGPIO = (
    "install lgpio: python3-lgpio of Raspberry Pi OS, or pip install 'lgpio>=0.2.2' with Python 3.11 or 3.12"
)
INSTALL_RPI_GPIO = "install RPi.GPIO on a board up to the Pi 4, or rpi-lgpio on newer ones; never both"


class Pins:
    """One gpiozero factory for all devices that use it.

    gpiozero's factories for the local Pi share one table of pins, so lamps and fallback buttons must share the factory
    too. The first ``open`` makes it, the last ``close`` ends it.

    ``kind``: lgpio | rpigpio | native | mock. lgpio and rpi-lgpio take the chip with the first of ``labels`` that is
    there, or the one at ``path``; the others know only the Pi's own. ``dev`` is the folder of the chips' devices.
    """

    def __init__(self, kind: str, *, labels: Sequence[str], path: str | None = None, dev: Path = Path("/dev")) -> None:
        if kind not in KINDS:
            raise DeviceError(f'pin factory "{kind}"', "does not exist", f"choose one of {', '.join(KINDS)}")
        self.kind = kind
        self.place = f"gpiozero's pin factory {kind}"
        self._labels = labels
        self._path = path
        self._dev = dev
        self._chip: FoundChip | None = None  # where the factory is told one
        self._factory: Any = None
        self._users = 0

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What the factory and its devices raise when the hardware fails."""
        from gpiozero.exc import GPIOZeroError  # noqa: PLC0415  gpiozero takes 60 ms to import: not without lamps

        lgpio = sys.modules.get("lgpio")  # rpi-lgpio raises its errors too
        return (OSError, RuntimeError, GPIOZeroError, *([lgpio.error] if lgpio is not None else []))

    def open(self) -> Any:
        """The gpiozero factory. DeviceError with the cause when it cannot be made."""
        if self._factory is None:
            self._factory = KINDS[self.kind](self)
        self._users += 1
        return self._factory

    def close(self) -> None:
        """Ends the factory when its last user has closed."""
        self._users = max(0, self._users - 1)
        if self._users == 0:
            self.forget()

    def forget(self) -> None:
        """Lets go of the factory, also of one whose chip has gone. Its devices can only be closed."""
        factory, self._factory = self._factory, None
        if factory is not None:
            # With its pins the factory talks to each of them first, and fails half-way when the chip has gone. Without
            # them it lets the chip go at once, and the pins then know that nothing is left to close.
            factory.pins.clear()
            with suppress(*self.errors):
                factory.close()

    def serves(self, factory: object) -> bool:
        """Whether this factory is still the one: another user may have lost it, and its devices only raise then."""
        return factory is not None and factory is self._factory

    def renew(self) -> Any:
        """A new factory for users that have lost theirs. DeviceError while there is none to be had."""
        self.forget()
        self._factory = KINDS[self.kind](self)
        return self._factory

    def holder(self, line: int) -> str | None:
        """Who holds this line, where that can be told."""
        if self._chip is None:
            return None
        lgpio = sys.modules["lgpio"]
        try:
            handle = lgpio.gpiochip_open(self._chip.number)
        except lgpio.error:
            return None
        *_, user = lgpio.gpio_get_line_info(handle, line)
        lgpio.gpiochip_close(handle)
        return str(user) or None

    def lgpio(self) -> Any:
        """gpiozero on lgpio, for the chip with our label: by itself it would guess a number from the Pi's model."""
        self._chip = self._find_chip(self._load_lgpio())
        factory = self._load("gpiozero.pins.lgpio", INSTALL_LGPIO).LGPIOFactory
        number = self._chip.number
        return self._make(lambda: factory(chip=number))

    def rpigpio(self) -> Any:
        """gpiozero on RPi.GPIO, or on rpi-lgpio, which has the same name and is told the chip with our label."""
        factory = self._load("gpiozero.pins.rpigpio", INSTALL_RPI_GPIO).RPiGPIOFactory
        if "lgpio" in sys.modules:
            self._chip = self._find_chip(self._load_lgpio())
            os.environ["RPI_LGPIO_CHIP"] = str(self._chip.number)
        return self._make(factory)

    def native(self) -> Any:
        """gpiozero's own way, through the registers of a Pi up to the 4."""
        return self._make(self._load("gpiozero.pins.native", "choose lgpio").NativeFactory)

    def mock(self) -> Any:
        """gpiozero's pins for tests."""
        return self._make(self._load("gpiozero.pins.mock", "choose lgpio").MockFactory)

    def _load(self, module: str, way_out: str) -> Any:
        try:
            with chdir(Path.cwd()):  # lgpio changes into LG_WD when it is loaded
                return import_module(module)
        except (ImportError, RuntimeError, OSError) as error:  # RPi.GPIO raises RuntimeError away from a Pi
            if isinstance(error, FileNotFoundError):  # lgpio's own words name a file that nobody knows
                self._check_directory()
            raise DeviceError(self.place, f"cannot be loaded ({_one_line(error)})", way_out) from error

    def _load_lgpio(self) -> Any:
        self._check_directory()
        lgpio = self._load("lgpio", INSTALL_LGPIO)
        if not hasattr(lgpio, "gpiochip_open"):
            raise DeviceError(self.place, "the installed lgpio is the empty release 0.0.0.2", INSTALL_LGPIO)
        return lgpio

    def _check_directory(self) -> None:
        directory = Path(os.environ.get("LG_WD") or Path.cwd())
        if not os.access(directory, os.W_OK | os.X_OK):
            what = f"lgpio keeps a pipe in its working directory, and {directory} is not writable"
            raise DeviceError(self.place, what, "set LG_WD to a directory that is")

    def _find_chip(self, lgpio: Any) -> FoundChip:
        """Through lgpio itself: who needs the fallback may have no libgpiod 2."""
        found: list[FoundChip] = []
        shut: list[str] = []
        paths = {path.resolve() for path in self._dev.glob("gpiochip[0-9]*")}
        for path in sorted(paths, key=lambda path: (len(path.name), path.name)):
            try:
                handle = lgpio.gpiochip_open(FoundChip(str(path), "", 0).number)
            except lgpio.error:
                shut.append(str(path))
                continue
            _, lines, _, label = lgpio.gpio_get_chip_info(handle)
            lgpio.gpiochip_close(handle)
            found.append(FoundChip(str(path), label, lines))
        if shut and not found:
            raise DeviceError(self.place, f"{', '.join(shut)} cannot be opened", "add this user to the group gpio")
        return find_chip(found, self._labels, self._path)

    def _make(self, make: Callable[[], Any]) -> Any:
        try:
            factory = make()
            _ = factory.board_info  # the Pi's model: without it no pin has a place
        except self.errors as error:
            raise DeviceError(self.place, f"cannot start ({_one_line(error)})", "name another in table.toml") from error
        return factory


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


KINDS: Mapping[str, Callable[[Pins], Any]] = {
    "lgpio": Pins.lgpio,
    "rpigpio": Pins.rpigpio,
    "native": Pins.native,
    "mock": Pins.mock,
}
