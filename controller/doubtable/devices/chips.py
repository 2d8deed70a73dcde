"""GPIO chips: found by label, with libgpiod 2.

Chip numbers move between kernels (a Pi 5's header was gpiochip4, then 0, then 11 to 15), labels do not: pinctrl-rp1 on
a Pi 5, pinctrl-bcm2711 on a Pi 4, pinctrl-bcm2835 on a Pi 0 to 3. A label that is not there is a fault, never a guess.

Thread safety: KernelGpio has no state. KernelLines needs one thread at a time, but ``wait`` may run beside the others.
"""

import errno
from collections.abc import Collection, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from doubtable.devices.kernel_edges import LineEdge
from doubtable.devices.ports import DeviceError, cause

Pull = Literal["up", "down", "none"]
"""up: button to ground, pulled up; down: to 3.3 V, pulled down; none: to ground, with a resistor of its own."""

CONSUMER = "doubtable"
EVENT_BUFFER = 1024  # events; the kernel's most. Its default is 16 per line, and what overflows is the first press.
INSTALL_GPIOD = "install libgpiod 2 for Python: pip install 'gpiod>=2.2', or python3-libgpiod of Debian 13"


class FoundChip(NamedTuple):
    """A GPIO chip of this machine."""

    path: str
    label: str
    lines: int

    def __str__(self) -> str:
        return f'{self.path} "{self.label}" ({self.lines} lines)'

    @property
    def number(self) -> int:
        """The number in its path, which libraries want that know no labels."""
        digits = Path(self.path).resolve().name.removeprefix("gpiochip")
        if not digits.isdecimal():
            raise DeviceError(f"GPIO chip {self.path}", "has no number", "name it as /dev/gpiochipN")
        return int(digits)


class Lines(Protocol):
    """Input lines that are held in one request. Everything raises OSError when the chip has gone."""

    def wait(self, timeout: float) -> bool:
        """True as soon as there is something to read (edges, or the end of the chip); False after ``timeout`` s."""

    def read(self) -> list[LineEdge]:
        """The kernel's events that wait, all of them, oldest first; blocks when there are none."""

    def levels(self) -> dict[int, int]:
        """Line -> level, 1 = active."""

    def close(self) -> None:
        """Lets the lines go."""


class Gpio(Protocol):
    """The machine's GPIO: what an adapter needs of it."""

    def chips(self) -> list[FoundChip]:
        """All chips that can be opened, each once. DeviceError when some exist and none may be opened."""

    def request(self, path: str, lines: Collection[int], pull: Pull) -> Lines:
        """Holds the lines as inputs with both edges; active is pressed. OSError 16: a line is held by someone."""

    def holders(self, path: str, lines: Collection[int]) -> dict[int, str]:
        """Line -> who holds it, for those that are held."""


def chip_place(labels: Sequence[str], path: str | None) -> str:
    """How errors name the chip that is looked for."""
    return f"GPIO chip {path}" if path is not None else "GPIO chip " + " or ".join(f'"{label}"' for label in labels)


def find_chip(found: Iterable[FoundChip], labels: Sequence[str], path: str | None = None) -> FoundChip:
    """The one chip with the first of these labels that is there, or the one at ``path`` whatever its label.

    DeviceError lists what was found.
    """
    chips = list(found)
    if path is not None:
        fit = [chip for chip in chips if _same_file(chip.path, path)]
    else:
        with_label = ([chip for chip in chips if chip.label == label] for label in labels)
        fit = next((some for some in with_label if some), [])
    if len(fit) == 1:
        return fit[0]
    place = chip_place(labels, path)
    if not chips:
        raise DeviceError(place, "this machine has no GPIO chip", 'play without hardware: source = "simulated"')
    listed = ", ".join(str(chip) for chip in chips)
    if fit:
        raise DeviceError(place, f"{len(fit)} chips have the label (found: {listed})", "name one by its path")
    raise DeviceError(place, f"not there (found: {listed})", "name one of these by its label, or by its path")


def _same_file(one: str, other: str) -> bool:
    return Path(one).resolve() == Path(other).resolve()


class KernelGpio:
    """The kernel's GPIO character devices through libgpiod's own binding, generation 2."""

    def chips(self) -> list[FoundChip]:
        gpiod = load_gpiod()
        found: list[FoundChip] = []
        forbidden: list[str] = []
        # Sorted by length first: gpiochip2 before gpiochip10. Links to a chip (a Pi 5 has one) are the same chip.
        paths = {str(path.resolve()) for path in Path("/dev").glob("gpiochip*")}
        for path in sorted(paths, key=lambda text: (len(text), text)):
            try:
                with gpiod.Chip(path) as chip:
                    info = chip.get_info()
                    found.append(FoundChip(path, info.label, info.num_lines))
            except PermissionError:
                forbidden.append(path)
            except OSError as error:
                if error.errno not in (errno.ENODEV, errno.ENOENT, errno.ENXIO):  # it went away as we looked
                    raise DeviceError(f"GPIO chip {path}", cause(error), "try again, or restart the Pi") from error
        if forbidden and not found:
            what = "may not be opened by this user"
            raise DeviceError(f"GPIO chips {', '.join(forbidden)}", what, "add the user to the group gpio")
        return found

    def request(self, path: str, lines: Collection[int], pull: Pull) -> Lines:
        gpiod = load_gpiod()
        bias = gpiod.line.Bias
        settings = gpiod.LineSettings(
            direction=gpiod.line.Direction.INPUT,
            edge_detection=gpiod.line.Edge.BOTH,
            bias={"up": bias.PULL_UP, "down": bias.PULL_DOWN, "none": bias.DISABLED}[pull],
            active_low=pull != "down",
            event_clock=gpiod.line.Clock.MONOTONIC,
            # No debounce_period: it would move the stamp to the end of the bounce.
        )
        request = gpiod.request_lines(
            path, {tuple(sorted(lines)): settings}, consumer=CONSUMER, event_buffer_size=EVENT_BUFFER
        )
        return KernelLines(request, gpiod.EdgeEvent.Type.RISING_EDGE)

    def holders(self, path: str, lines: Collection[int]) -> dict[int, str]:
        with load_gpiod().Chip(path) as chip:
            infos = [chip.get_line_info(line) for line in sorted(lines)]
        return {info.offset: info.consumer or "a program without a name" for info in infos if info.used}


class KernelLines:
    """One libgpiod request."""

    def __init__(self, request: Any, rising: object) -> None:
        self._request = request
        self._rising = rising

    def wait(self, timeout: float) -> bool:
        return bool(self._request.wait_edge_events(timeout))

    def read(self) -> list[LineEdge]:
        return [
            LineEdge(event.timestamp_ns, event.line_offset, int(event.event_type is self._rising), event.global_seqno)
            for event in self._request.read_edge_events(EVENT_BUFFER)
        ]

    def levels(self) -> dict[int, int]:
        values = self._request.get_values()
        return {line: value.value for line, value in zip(self._request.offsets, values, strict=True)}

    def close(self) -> None:
        self._request.release()


def load_gpiod() -> Any:
    """The module ``gpiod`` of generation 2. DeviceError when it is missing or has the interface of generation 1."""
    try:
        gpiod = import_module("gpiod")
    except ImportError as error:
        raise DeviceError("GPIO", f"the Python module gpiod cannot be loaded ({error})", INSTALL_GPIOD) from error
    if not hasattr(gpiod, "LineSettings"):
        # Debian 12 ships libgpiod 1.6, and PyPI once had another package of this name.
        version = getattr(gpiod, "__version__", None) or gpiod.version_string()
        raise DeviceError("GPIO", f"gpiod is {version}, an older generation with another interface", INSTALL_GPIOD)
    return gpiod
