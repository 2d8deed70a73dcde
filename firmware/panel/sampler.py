"""The sampler: one PIO state machine looks at 13 neighbouring pins once a microsecond, a DMA ring keeps what it saw.

Hardware. The loop takes 25 cycles at 25 MHz whether something changed or not, so its counter is a clock. An interrupt
handler per pin would not do: handlers run one after the other, in the order of pins and not of presses.
"""

import gc
import uctypes
from machine import Pin, freq, mem32
from rp2 import DMA, PIO, StateMachine, asm_pio

from panel.protocol import LINES, MASK

TYPE_CHECKING = False  # MicroPython has no typing; type checkers take this name as true
if TYPE_CHECKING:
    from collections.abc import Callable
    from rp2.asm_pio import (
        in_,
        isr,
        jmp,
        label,
        mov,
        noblock,
        nop,
        null,
        osr,
        pins,
        push,
        wrap,
        wrap_target,
        x,
        x_dec,
        x_not_y,
        y,
    )

FIRST_PIN = 0
RATE = 25_000_000  # Hz of the state machine: 25 cycles are 1 us
CLOCK = 125_000_000  # Hz of the chip when its own is no multiple of RATE
RING_BITS = 13  # 8 KiB: 2048 words
COUNT = 0xFFFFFFFF  # words until the DMA has to be started again

# RP2040 datasheet: 2.3.1.7 (SIO), 3.7 (PIO), 2.5.3.1 (data requests)
GPIO_IN = 0xD0000004
PIO0_FDEBUG = 0x50200008
PIO0_RXF0 = 0x50200020
DREQ_PIO0_RX0 = 4
RXSTALL0 = 1


# OSR counts down, Y holds the levels of the last sample. `push noblock` keeps the beat when nobody reads.
@asm_pio(in_shiftdir=PIO.SHIFT_LEFT, fifo_join=PIO.JOIN_RX)
def sample_pins() -> None:
    wrap_target()
    in_(pins, 13)
    mov(x, isr)
    jmp(x_not_y, "changed")
    nop()[3]
    label("tick")
    mov(x, osr)[7]
    jmp(x_dec, "counted")
    label("counted")
    mov(osr, x)
    mov(isr, null)[7]
    wrap()
    label("changed")
    mov(y, x)
    in_(osr, 19)
    push(noblock)
    jmp("tick")


class Sampler:
    """Runs from the moment it is made. ``clock`` gives the stamp of this moment; ``start`` is that at which the counter
    stood at 0, at most a few ten us after the true one and never before it. ``buffer``: the ring of 32-bit words."""

    def __init__(self, clock: "Callable[[], int]") -> None:
        if freq() % RATE:
            freq(CLOCK)
        for pin in range(FIRST_PIN, FIRST_PIN + LINES):
            Pin(pin, Pin.IN, Pin.PULL_UP)
        size = 1 << RING_BITS
        self._keep = bytearray(2 * size)  # the DMA wraps at multiples of the ring's size
        skip = -uctypes.addressof(self._keep) % size
        self.buffer = uctypes.bytearray_at(uctypes.addressof(self._keep) + skip, size)
        self._dma = DMA()
        self._dma.active(0)  # a channel that an earlier program left running would not take a new count
        self._rounds = 0
        machine = StateMachine(0, sample_pins, freq=RATE, in_base=Pin(FIRST_PIN))
        machine.exec("mov(y, invert(null))")  # no state of 13 lines: the first sample is always told
        machine.exec("mov(isr, null)")
        machine.exec("mov(osr, null)")
        control = self._dma.pack_ctrl(
            size=2, inc_read=False, inc_write=True, ring_sel=True, ring_size=RING_BITS, treq_sel=DREQ_PIO0_RX0
        )
        self._dma.config(read=PIO0_RXF0, write=self.buffer, count=COUNT, ctrl=control, trigger=True)
        gc.collect()  # not between the next two lines, or all stamps would be late by it
        machine.active(1)
        self.start = clock()
        self._machine = machine

    def written(self) -> int:
        """Words since the start."""
        if not self._dma.active():
            self._rounds += 1
            self._dma.config(count=COUNT, trigger=True)
        left: int = self._dma.count  # type: ignore[attr-defined]  # the stubs do not have it
        return self._rounds * COUNT + COUNT - left

    def stalled(self) -> bool:
        """Whether words were dropped since the last call, because the FIFO was full."""
        if mem32[PIO0_FDEBUG] & RXSTALL0:
            mem32[PIO0_FDEBUG] = RXSTALL0
            return True
        return False

    def levels(self) -> int:
        """The lines as they are now, past the PIO; 1 = down."""
        pins: int = mem32[GPIO_IN]
        return ((pins >> FIRST_PIN) & MASK) ^ MASK

    def close(self) -> None:
        """The channel is stopped before it is given back: it would go on writing to memory that is no longer ours."""
        self._machine.active(0)
        self._dma.active(0)
        self._dma.close()
