"""The kernel's simulated GPIO chip (gpio-sim), driven from inside the guest.

A line that nobody drives follows its pull: pull-down is a button pressed to ground, pull-up one that is released.
Requesting a line with a pull sets the pull, so levels are set after the request, or with ``press`` beforehand for a
request that leaves the pull alone.
"""

import os
from pathlib import Path
from types import TracebackType
from typing import Self

CONFIG = Path("/sys/kernel/config/gpio-sim")
PI4 = "pinctrl-bcm2711"

# 13 buttons and 13 lamps fill the header. The order is mixed: the number of a line must say nothing about its seat.
BUTTONS = {1: 17, 2: 4, 3: 27, 4: 22, 5: 10, 6: 9, 7: 11, 8: 5, 9: 6, 10: 13, 11: 19, 12: 26, 13: 2}
LAMPS = {1: 14, 2: 3, 3: 15, 4: 18, 5: 23, 6: 24, 7: 25, 8: 8, 9: 7, 10: 12, 11: 16, 12: 20, 13: 21}


class Wires:
    """The lines of a simulated chip from outside: ``folder`` is the chip's in sysfs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._pulls: dict[int, int] = {}

    def press(self, line: int) -> None:
        self._pull(line, b"pull-down")

    def release(self, line: int) -> None:
        self._pull(line, b"pull-up")

    def level(self, line: int) -> int:
        """The voltage on the line: 1 is high, whoever drives it."""
        return int((self.folder / f"sim_gpio{line}" / "value").read_text())

    def close(self) -> None:
        for descriptor in self._pulls.values():
            os.close(descriptor)
        self._pulls.clear()

    def _pull(self, line: int, pull: bytes) -> None:
        descriptor = self._pulls.get(line)
        if descriptor is None:  # kept open: what is timed is one write and nothing else
            descriptor = self._pulls[line] = os.open(self.folder / f"sim_gpio{line}" / "pull", os.O_WRONLY)
        os.pwrite(descriptor, pull, 0)


class SimChip(Wires):
    """One simulated chip, live from its making until ``close``. ``path`` is its device."""

    def __init__(self, label: str = PI4, lines: int = 58, name: str = "header") -> None:
        self._config = CONFIG / name
        bank = self._config / "bank0"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text(str(lines))
        (bank / "label").write_text(label)
        (self._config / "live").write_text("1")
        chip = (bank / "chip_name").read_text().strip()
        device = (self._config / "dev_name").read_text().strip()
        self.path = f"/dev/{chip}"
        super().__init__(Path("/sys/devices/platform") / device / chip)

    def close(self) -> None:
        """Removes the chip, also from under the feet of those that hold lines of it."""
        super().close()
        if self._config.exists():
            (self._config / "live").write_text("0")
            (self._config / "bank0").rmdir()
            self._config.rmdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
