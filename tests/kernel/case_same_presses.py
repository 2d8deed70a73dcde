"""The tape that is played through every kind of button, here through the kernel's GPIO, in virtual time."""

import time

from devices import same_presses
from doubtable.devices.gpio import GpioButtons
from doubtable.inputs import Input
from kernel.hands import wait_until
from kernel.inbox import Inbox
from kernel.sim import BUTTONS, PI4, SimChip

LEAD = 100_000_000  # ns before the first move
LATE = 100_000  # ns by which the finger may set off late: more would hide how late the stamps are
TRIES = 20
LINES = {seat: BUTTONS[seat] for seat in same_presses.SEATS}


def played(chip: SimChip, inbox: Inbox) -> tuple[list[Input], int, int]:
    """What the source delivered, when the tape's time began, and how late the finger set off at most (ns)."""
    buttons = GpioButtons(LINES, inbox.put, labels=[PI4])
    buttons.start()
    delivered = [inbox.next()]
    for line in LINES.values():
        chip.release(line)
    begun, late = time.monotonic_ns() + LEAD, 0
    for move in same_presses.moves():
        wait_until(begun + move.ns)
        late = max(late, time.monotonic_ns() - begun - move.ns)
        (chip.press if move.level else chip.release)(LINES[move.seat])
    delivered += inbox.edges(len(same_presses.moves()))
    buttons.close()
    return delivered, begun, late


def test_the_kernels_gpio_gives_the_tapes_events(chip: SimChip, inbox: Inbox) -> None:
    for _ in range(TRIES):
        delivered, begun, late = played(chip, inbox)
        if late < LATE:
            break  # else virtual time has leapt, often at a first use: the finger was at fault and nothing else is told
    assert late < LATE, f"virtual time leapt in each of {TRIES} tries"
    tolerance = late + GpioButtons.uncertainty
    assert same_presses.differences(same_presses.events(delivered, begun), tolerance) == []
