"""What a running table says of itself at its desk: its devices, and what is wrong with them."""

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from doubtable import __version__
from doubtable.config import Config
from doubtable.desk import DeviceReport, Report
from doubtable.devices.ports import CardReader, DeviceError
from doubtable.table import Table
from doubtable.timing import MS
from doubtable.wiring import Devices

if TYPE_CHECKING:  # a table without a screen needs no pygame, one without a panel no serial port
    from doubtable.devices.panel import PanelButtons
    from doubtable.screen.display import Display


def reporter(config: Config, table: Table, devices: Devices, display: "Display | None") -> Callable[[], Report]:
    """The report of this table, as often as it is asked for. It only looks; any thread."""
    path = None if config.path is None else str(config.path)

    def report() -> Report:
        told = tuple(_devices(config, devices, display))
        return Report(__version__, os.getpid(), str(config.state), path, table.game.id, told)

    return report


def simulated_reporter(config: Config, table: Table, reader: CardReader, size: tuple[int, int]) -> Callable[[], Report]:
    """The report of a table in a window of ``size``: what is simulated, and how. It only looks; any thread."""
    path = None if config.path is None else str(config.path)

    def report() -> Report:
        told = (
            DeviceReport("buttons", facts={"simulated": "by keys, the mouse and simulated people"}),
            DeviceReport("lamps", facts={"simulated": "in the picture"}),
            DeviceReport("reader", _text(reader.fault), {"simulated": "on a pseudo terminal"}),
            DeviceReport("screen", facts={"size": f"{size[0]}x{size[1]}", "driver": "window"}),
        )
        return Report(__version__, os.getpid(), str(config.state), path, table.game.id, told)

    return report


def _devices(config: Config, devices: Devices, display: "Display | None") -> Iterator[DeviceReport]:
    buttons = devices.buttons.fault
    yield DeviceReport("buttons", _text(buttons), {"source": " and ".join(config.sources)})
    yield DeviceReport("lamps", _text(devices.lamps.fault))
    if devices.panel is not None:
        yield _panel(devices.panel, str(config.panel.port))
    if devices.reader is not None:
        facts = {"kind": config.reader.kind, "port": str(config.reader.port)}
        yield DeviceReport("reader", _text(devices.reader.fault), facts)
    if display is not None:
        retry, panel = display.retry, display.panel
        why = f"no screen: {retry.why}; see that it is connected and switched on" if retry.state == "absent" else ""
        yield DeviceReport("screen", why, {"size": f"{panel.width}x{panel.height}", "driver": config.screen.driver})


def _panel(panel: "PanelButtons", port: str) -> DeviceReport:
    with panel.locked:
        session = panel.session
        facts = {"port": port, "firmware": session.hello.version if session.hello is not None else "unknown"}
        if session.clock.fitted:
            facts["round trip"] = f"{session.clock.best_trip / MS:.1f} ms"
        lost = session.lost
    warning = f"{lost} edges lost so far; plug it into the Pi itself, not a hub" if lost else ""
    return DeviceReport("panel", _text(panel.fault), facts, warning)


def _text(fault: DeviceError | None) -> str:
    return "" if fault is None else str(fault)
