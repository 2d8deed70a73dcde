"""The table's own devices, opened for an examination and let go after it."""

import queue
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from msgspec.structs import replace

from doubtable.config import Config
from doubtable.devices.ports import DeviceError
from doubtable.doctor.case import Case
from doubtable.doctor.ears import DeskEars, Ears, OwnEars
from doubtable.doctor.findings import Finding
from doubtable.inputs import Input
from doubtable.wiring import Devices, devices_of


class Opened(NamedTuple):
    """Devices of the table, and what they say. ``devices`` None: the running table has them, and tells."""

    devices: Devices | None
    ears: Ears


def placed(case: Case) -> Config:
    """The configuration with its ports below the machine's root."""
    config, machine = case.config, case.machine
    if machine.real:
        return config
    ports = {
        name: section.model_copy(update={"port": str(machine.path(section.port))})
        for name, section in (("reader", config.reader), ("panel", config.panel))
        if section.port is not None
    }
    return replace(config, **ports)


@contextmanager
def opened(case: Case, *, buttons: bool = False, lamps: bool = False) -> Iterator[Opened]:
    """Buttons and lamps of the table, started as the table starts them; or the running table. Raises DeviceError."""
    if case.running is not None:
        yield Opened(None, DeskEars(case.running.ask, len(case.config.seats), case.clock))
        return
    inbox: queue.SimpleQueue[Input] = queue.SimpleQueue()
    with ExitStack() as things:
        devices = devices_of(placed(case), inbox.put)
        if devices.reader is not None:
            things.callback(devices.reader.close)
        if buttons or "panel" in case.config.sources:  # a panel is both, and its buttons come first
            things.callback(devices.buttons.close)
            devices.buttons.start()
        if lamps:
            things.callback(devices.lamps.close)
            devices.lamps.start()
        yield Opened(devices, OwnEars(inbox, devices.buttons if buttons else None, case.clock))


def refused(name: str, error: DeviceError) -> Finding:
    """The finding for a device that cannot be used."""
    return Finding(name, "fault", error.what, error.way_out, error.place)


def running_device(case: Case, name: str, todo: str) -> Finding | None:
    """What the running table says of a device; None when no table runs. ``todo`` is for one that it does not have."""
    if case.running is None:
        return None
    report = case.running.report
    if report is None:
        return Finding(
            name, "unknown", "a running table may have it, and this user may not ask", "sudo doubtable doctor"
        )
    device = report.device(name)
    if device is None:
        return Finding(name, "warning", "the running table does not have it, though it is configured", todo)
    if device.fault or device.warning:
        what, _, way_out = (device.fault or device.warning).partition("; ")
        return Finding(name, "fault" if device.fault else "warning", what, way_out or todo)
    facts = ", ".join(f"{key} {value}" for key, value in device.facts.items())
    return Finding(name, "ok", f"works at the running table{': ' * bool(facts)}{facts}")


def simulated(case: Case, name: str, what: str) -> Finding:
    """The finding for a device without hardware: what it is, and how it is at the table that runs."""
    report = case.running.report if case.running is not None else None
    if report is None or report.device(name) is None:
        return Finding(name, "ok", what)
    at_table = running_device(case, name, "start the table anew")
    assert at_table is not None
    return at_table
