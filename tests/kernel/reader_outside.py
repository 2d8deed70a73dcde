"""A card reader outside the guest: an RDM6300 at the far end of the guest's serial port.

``python -m kernel.reader_outside WIRE ORDERS``: two sockets of qemu. Frames go into WIRE, a serial port of the guest,
as long as a tag lies there. What to lay there is told through ORDERS, another port: ``put 0500207B32``, ``lift``. It
ends when the guest does.
"""

import selectors
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path

from doubtable.devices.reader_emulators import em4100_frame

EVERY = 0.05  # s between two frames of a tag that lies there
GUEST_STARTS_WITHIN = 300.0  # s
POWER_UP_NOISE = b"\x00\xf8\x02\xff"


def connect(path: Path) -> socket.socket:
    end = time.monotonic() + GUEST_STARTS_WITHIN
    while True:
        wire = socket.socket(socket.AF_UNIX)
        try:
            wire.connect(str(path))
        except OSError:
            wire.close()
            if time.monotonic() > end:
                sys.exit(f"reader_outside: no guest at {path}")
            time.sleep(0.1)
        else:
            return wire


def serve(wire: socket.socket, orders: socket.socket) -> None:
    """Sends the tag's frame again and again; returns when the guest has gone."""
    tag = ""
    told = b""
    wire.sendall(POWER_UP_NOISE)
    with selectors.DefaultSelector() as ears:
        ears.register(orders, selectors.EVENT_READ)
        while True:
            if ears.select(EVERY if tag else None):
                heard = orders.recv(4096)
                if not heard:
                    return
                *lines, told = (told + heard).split(b"\n")
                for line in lines:
                    tag = line.decode().removeprefix("put").strip() if line.startswith(b"put") else ""
            if tag:
                wire.sendall(em4100_frame(tag))


def main() -> None:
    wire, orders = (connect(Path(path)) for path in sys.argv[1:3])
    with wire, orders, suppress(BrokenPipeError, ConnectionResetError):  # the guest ended in the middle of a frame
        serve(wire, orders)


if __name__ == "__main__":
    main()
