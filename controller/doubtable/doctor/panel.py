"""The Pico button panel."""

import queue
from collections.abc import Iterator

from doubtable.devices.panel import PanelButtons
from doubtable.devices.ports import DeviceError
from doubtable.doctor.case import Case
from doubtable.doctor.findings import Finding
from doubtable.doctor.opened import placed, refused, running_device
from doubtable.inputs import Input
from doubtable.timing import MS
from doubtable.wiring import lines_of

LISTENED = 1200 * MS  # some pings
TURN = 100 * MS


def panel(case: Case) -> Iterator[Finding]:
    """Whether the panel answers, with which program, how fast, and whether it lost anything."""
    port = case.config.panel.port
    if "panel" not in case.config.sources or port is None:
        yield Finding("panel", "ok", "none is configured")
        return
    at_table = running_device(case, "panel", "start the table anew")
    if at_table is not None:
        yield at_table
        return
    inbox: queue.SimpleQueue[Input] = queue.SimpleQueue()
    config = placed(case)
    assert config.panel.port is not None
    buttons = PanelButtons(config.panel.port, lines_of(config, "button", "panel"), inbox.put, clock=case.clock)
    try:
        buttons.start()
        with buttons.locked:
            buttons.session.ask_status()
        end = case.clock() + LISTENED
        while case.clock() < end:
            case.person.wait(TURN)
        yield _judged(buttons, port)
    except DeviceError as error:
        yield refused("panel", error)
    finally:
        buttons.close()


def _judged(buttons: PanelButtons, port: str) -> Finding:
    fault = buttons.fault
    if fault is not None:
        return refused("panel", fault)
    with buttons.locked:
        session = buttons.session
        version = session.hello.version if session.hello is not None else "unknown"
        trip, lost, bad = session.clock.best_trip, session.lost, session.bad
        status = session.status
    lost += status.lost if status is not None else 0
    what = f"firmware {version}, round trip {trip / MS:.1f} ms"
    if lost:
        return Finding("panel", "warning", f"{what}, {lost} edges lost", "plug it into the Pi itself, not a hub", port)
    if bad > 1:  # the first piece may be the rest of a frame
        return Finding("panel", "warning", f"{what}, {bad} broken frames", "another USB cable, with data wires", port)
    return Finding("panel", "ok", f"{what}, nothing lost", about=port)
