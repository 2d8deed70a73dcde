"""From a table's configuration to its devices. Nothing is opened here; what is configured is what is made."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from doubtable.button_sources import ButtonSources
from doubtable.buttons.gestures import Habits
from doubtable.cards import Card
from doubtable.config import Config
from doubtable.devices.ports import ButtonSource, CardReader, Deliver, DeviceError, LampBoard
from doubtable.devices.simulated import SimulatedButtons
from doubtable.games import GAMES, PRESETS, game_type
from doubtable.readers import KINDS, Reader, reader_of
from doubtable.table import Table

if TYPE_CHECKING:  # a table without a panel needs no serial port
    from doubtable.devices.panel import PanelButtons


class Lamps:
    """Several lamp boards as one: the header's and the panel's. Thread safety: one thread at a time."""

    def __init__(self, boards: tuple[LampBoard, ...]) -> None:
        self._boards = boards

    @property
    def fault(self) -> DeviceError | None:
        return next((board.fault for board in self._boards if board.fault is not None), None)

    def start(self) -> None:
        try:
            for board in self._boards:
                board.start()
        except DeviceError:
            self.close()
            raise

    def show(self, states: Mapping[int, bool]) -> None:
        for board in self._boards:
            board.show(states)

    def close(self) -> None:
        for board in self._boards:
            board.close()


class Devices(NamedTuple):
    """The devices of one table, not started. ``reader`` None: there is none. ``keyed``: seats whose button is a key.

    ``panel`` is one of the sources of ``buttons``, and is here only to be asked how it is.
    """

    buttons: ButtonSources
    lamps: Lamps
    reader: CardReader | None
    keys: SimulatedButtons | None
    keyed: tuple[int, ...]
    panel: "PanelButtons | None" = None


def table_of(config: Config, game: str | None, cards: Mapping[str, Card]) -> Table:
    """The table that a configuration describes: in the lobby, or with all seats in ``game`` whose deal is done.

    Raises OptionError when the game is not for so many seats.
    """
    names = tuple(seat.name or "" for seat in config.seats)
    habits = tuple(Habits(seat.hold, seat.ignore_repeats, seat.no_hold) for seat in config.seats)
    configured = reader_named(config)
    reader = "rdm6300" if configured is None else configured.name
    if game is None:
        rules = {name: PRESETS[config.preset].get(name, {}) | config.options.get(name, {}) for name in GAMES}
        return Table.evening(names, config.timing, rules, cards=cards, reader=reader, habits=habits)
    seats = tuple(seat.number for seat in config.seats)
    options = PRESETS[config.preset].get(game, {}) | config.options.get(game, {})
    built = game_type(game)(seats, len(seats), options, config.timing)
    return Table(built, names, seats[-1], cards=cards, reader=reader, habits=habits)


def reader_named(config: Config) -> Reader | None:
    """The parser of the configured reader; None: there is none, or a simulated one."""
    kind = config.reader.kind
    return reader_of(kind, config.reader.raw_checksum) if kind in KINDS else None


def lines_of(config: Config, what: str, *sources: str) -> dict[int, int]:
    """Seat -> line of its "button" or "lamp", for the seats on these sources that have one."""
    lines = {seat.number: getattr(seat, what) for seat in config.seats if seat.source in sources}
    return {seat: line for seat, line in lines.items() if line is not None}


def devices_of(config: Config, deliver: Deliver) -> Devices:
    """Everything that ``config`` names. Raises DeviceError for a pin factory that does not exist."""
    sources: list[ButtonSource] = []
    boards: list[LampBoard] = []
    panel = _panel(config, deliver, sources, boards) if "panel" in config.sources else None
    if "gpio" in config.sources or "gpiozero" in config.sources:
        _header(config, deliver, sources, boards)
    keyed = tuple(seat.number for seat in config.seats if seat.source == "simulated")
    keys = SimulatedButtons(keyed, deliver) if keyed else None
    if keys is not None:
        sources.append(keys)
    buttons, lamps = ButtonSources(sources, deliver), Lamps(tuple(boards))
    return Devices(buttons, lamps, _reader(config, deliver), keys, keyed, panel)


def _header(config: Config, deliver: Deliver, sources: list[ButtonSource], boards: list[LampBoard]) -> None:
    from doubtable.devices.lamps import GpioLamps  # noqa: PLC0415 - a table imports what it has
    from doubtable.devices.pins import Pins  # noqa: PLC0415

    labels, path, pull = config.chip_labels, config.buttons.chip_path, config.buttons.pull
    pins = Pins(config.lamps.factory, labels=labels, path=path)
    lamps = lines_of(config, "lamp", "gpio", "gpiozero")
    if lamps:
        boards.append(GpioLamps(lamps, pins, active_high=config.lamps.active_high))
    if lines := lines_of(config, "button", "gpiozero"):
        from doubtable.devices.fallback_buttons import GpiozeroButtons  # noqa: PLC0415

        sources.append(GpiozeroButtons(lines, deliver, pins, pull=pull))
    if lines := lines_of(config, "button", "gpio"):
        from doubtable.devices.gpio import GpioButtons  # noqa: PLC0415

        sources.append(GpioButtons(lines, deliver, labels=labels, path=path, pull=pull))


def _panel(config: Config, deliver: Deliver, sources: list[ButtonSource], boards: list[LampBoard]) -> "PanelButtons":
    from doubtable.devices.panel import PanelButtons, PanelLamps  # noqa: PLC0415

    assert config.panel.port is not None  # the check of the configuration has seen to it
    buttons = PanelButtons(
        config.panel.port, lines_of(config, "button", "panel"), deliver, mixed=len(config.sources) > 1
    )
    sources.append(buttons)
    if lamps := lines_of(config, "lamp", "panel"):
        boards.append(PanelLamps(buttons, lamps))
    return buttons


def _reader(config: Config, deliver: Deliver) -> CardReader | None:
    reader = reader_named(config)
    if reader is None:
        return None
    from doubtable.devices.serial_reader import SerialReader  # noqa: PLC0415

    assert config.reader.port is not None  # the check of the configuration has seen to it
    return SerialReader(reader, config.reader.port, deliver)
