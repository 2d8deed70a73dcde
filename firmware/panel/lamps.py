"""The lamps: two 74HC595 (or TPIC6B595 for 12 V) in a row on SPI0, all of them switched by one edge of the latch.

Hardware. Bit 0 of the state is output QA of the register next to the panel. The bus is shared with a place for an
MFRC522 reader, which this firmware does not drive: it is kept in reset and deselected, so it stays silent.
"""

from machine import SPI, Pin

RATE = 1_000_000  # Hz: 16 us for all lamps, slow enough for a metre of ribbon cable
READ, SELECT, CLOCK, DATA, LATCH, READER_RESET = 16, 17, 18, 19, 20, 21


class Lamps:
    """All off when made: the registers come up with what chance has put there."""

    def __init__(self) -> None:
        Pin(READER_RESET, Pin.OUT, value=0)
        Pin(SELECT, Pin.OUT, value=1)
        self._latch = Pin(LATCH, Pin.OUT, value=0)
        self._spi = SPI(0, baudrate=RATE, polarity=0, phase=0, sck=Pin(CLOCK), mosi=Pin(DATA), miso=Pin(READ))
        self._shown = -1
        self.show(0)

    def show(self, state: int) -> None:
        """Bit n = lamp of line n; nothing happens when it is shown already."""
        if state != self._shown:
            self._shown = state
            self._spi.write(bytes((state >> 8, state & 0xFF)))
            self._latch.value(1)
            self._latch.value(0)
