"""What a running table says of itself at its desk: its devices, and what is wrong with them."""

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from doubtable import __version__
from doubtable.config import Config
from doubtable.desk import DeviceReport, Report
from doubtable.devices.ports import DeviceError
from doubtable.table import Table
from doubtable.wiring import Devices

if TYPE_CHECKING:  # a table without a screen needs no pygame
    from doubtable.screen.display import Display


def reporter(config: Config, table: Table, devices: Devices, display: "Display | None") -> Callable[[], Report]:
    """The report of this table, as often as it is asked for. It only looks; any thread."""
    path = None if config.path is None else str(config.path)

    def report() -> Report:
        told = tuple(_devices(config, devices, display))
        return Report(__version__, os.getpid(), str(config.state), path, table.game.id, told)

    return report


def _devices(config: Config, devices: Devices, display: "Display | None") -> Iterator[DeviceReport]:
    buttons = devices.buttons.fault
    yield DeviceReport("buttons", _text(buttons), {"source": " and ".join(config.sources)})
    yield DeviceReport("lamps", _text(devices.lamps.fault))
    if "panel" in config.sources and config.panel.port is not None:
        lost = buttons if buttons is not None and buttons.place.startswith("panel") else None
        yield DeviceReport("panel", _text(lost), {"port": config.panel.port})
    if devices.reader is not None:
        facts = {"kind": config.reader.kind, "port": str(config.reader.port)}
        yield DeviceReport("reader", _text(devices.reader.fault), facts)
    if display is not None:
        retry, panel = display.retry, display.panel
        why = f"no screen: {retry.why}; see that it is connected and switched on" if retry.state == "absent" else ""
        yield DeviceReport("screen", why, {"size": f"{panel.width}x{panel.height}", "driver": config.screen.driver})


def _text(fault: DeviceError | None) -> str:
    return "" if fault is None else str(fault)
