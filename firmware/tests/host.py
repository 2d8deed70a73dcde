"""The host of a panel in real time: its adapter, and waiting for what comes of it."""

import threading
import time
from collections.abc import Callable, Mapping

from doubtable.devices import panel_protocol as protocol
from doubtable.devices.panel import PanelButtons
from doubtable.devices.ports import Deliver
from doubtable.inputs import Edge, Input, Source

from unix_panel import PATIENCE


class Buttons(PanelButtons):
    """Tells of every turn, after which anything may be different."""

    def __init__(self, port: str, lines: Mapping[int, int], deliver: Deliver, *, mixed: bool) -> None:
        super().__init__(port, lines, deliver, mixed=mixed)
        self.turned = threading.Condition()

    def step(self) -> None:
        super().step()
        with self.turned:
            self.turned.notify_all()


class Host:
    """The adapter and what it delivered. ``lines``: seat -> line. ``mixed``: as of PanelButtons."""

    def __init__(self, port: str, lines: Mapping[int, int], *, mixed: bool = False) -> None:
        self.got: list[Input] = []
        self.buttons = Buttons(port, lines, self.got.append, mixed=mixed)

    @property
    def edges(self) -> list[Edge]:
        return [each for each in self.got if isinstance(each, Edge)]

    @property
    def sources(self) -> list[bool]:
        return [each.up for each in self.got if isinstance(each, Source)]

    def wait(self, until: Callable[[], bool]) -> None:
        """While the adapter's thread runs."""
        with self.buttons.turned:
            came = self.buttons.turned.wait_for(until, PATIENCE)
        assert came, f"in vain; fault {self.buttons.fault}, got {self.got[-9:]}"

    def step_until(self, until: Callable[[], bool]) -> None:
        """Without the adapter's thread: nothing is read but here."""
        end = time.monotonic() + PATIENCE
        while not until():
            assert time.monotonic() < end, f"in vain; fault {self.buttons.fault}"
            self.buttons.step()

    def status(self) -> protocol.Status:
        session = self.buttons.session
        with self.buttons.locked:
            session.status = None
            session.ask_status()
        self.wait(lambda: session.status is not None)
        assert session.status is not None
        return session.status

    def close(self) -> None:
        self.buttons.close()
