"""Inside the machine under test: a button panel and a card reader on ptys, and hands that use them.

The panel is the firmware's own program (frames, outbox, link) on a pty; the service finds it by a path as udev's. Runs
until it is killed. Orders come as lines through a FIFO: `press LINE MS`, `reader in`, `put TAG`, `lift`. What the lamps
of the panel show is written to the file `lamps`, a line for every change.

    python3 hands.py FOLDER
"""

import grp
import os
import sys
import time
from pathlib import Path

from devices.panel_bench import Cable, Panel
from doubtable.devices.reader_emulators import LiveEmulator, RdmEmulator

MS = 1_000_000
US = 1_000
US_WRAP = 0xFFFFFFFF  # the panel's clock has 32 bits


def us() -> int:
    """The panel's clock."""
    return time.monotonic_ns() // US & US_WRAP


class Hands:
    """What the orders do. ``due``: (time in ns, line) of the buttons that are let go."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.panel = Panel(session=os.getpid())
        self.panel.us = us()
        self.cable = Cable(folder, self.panel)
        own(self.cable.path)
        self.reader = LiveEmulator(RdmEmulator())
        self.reader.start()
        self.due: list[tuple[int, int]] = []
        self.lit = 0

    def obey(self, order: str) -> None:
        match order.split():
            case ["press", line, ms]:
                self.panel.press(int(line), at=us())
                self.due.append((time.monotonic_ns() + int(ms) * MS, int(line)))
            case ["reader", "in"]:
                own(Path(self.reader.port))
                (self.folder / "reader").symlink_to(self.reader.port)
            case ["put", tag]:
                self.reader.put(tag)
            case ["lift"]:
                self.reader.lift()

    def let_go(self) -> None:
        """The buttons whose time has come, stamped with it: a slow machine makes no hold of a tap."""
        for at, line in [each for each in self.due if each[0] <= time.monotonic_ns()]:
            self.panel.press(line, at=at // US & US_WRAP)
            self.due.remove((at, line))

    def step(self) -> None:
        self.panel.us = us()
        self.cable.serve()
        if self.panel.link.lamps != self.lit:
            self.lit = self.panel.link.lamps
            with (self.folder / "lamps").open("a") as file:
                file.write(f"{self.lit:013b}\n")


def own(port: Path) -> None:
    """As udev does: the ports belong to the group dialout."""
    os.chown(port, 0, grp.getgrnam("dialout").gr_gid)
    port.chmod(0o660)


def main(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    os.mkfifo(folder / "orders")
    hands = Hands(folder)
    orders = os.open(folder / "orders", os.O_RDWR | os.O_NONBLOCK)
    while True:
        hands.let_go()  # before new presses: stamps never go back
        try:
            for order in os.read(orders, 4096).decode().splitlines():
                hands.obey(order)
        except BlockingIOError:
            pass
        hands.step()
        time.sleep(0.002)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
