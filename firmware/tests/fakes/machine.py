"""MicroPython's machine on the unix port: as much as the panel uses. SPI bytes go to the log of rp2."""

import rp2
from time import ticks_us

_clock = 125_000_000


def freq(new=None):
    global _clock
    if new is not None:
        _clock = new
    return _clock


def unique_id():
    return b"\xe6\x61\x43\x11\x5f\x7a\x2b\x29"


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 1
    LATCH = 20

    def __init__(self, number, mode=0, pull=None, value=None):
        self.number = number
        if number <= 12 and mode == Pin.IN and pull is None:
            assert number == 0  # the state machine's first pin

    def value(self, level):
        if self.number == Pin.LATCH and level:
            rp2.log("lamps %d %s" % (ticks_us(), SPI.shifted.hex()))


class SPI:
    shifted = b""

    def __init__(self, number, baudrate, polarity, phase, sck, mosi, miso):
        assert (number, sck.number, mosi.number, miso.number) == (0, 18, 19, 16)

    def write(self, data):
        SPI.shifted = bytes(data)


class _Memory:
    """GPIO_IN of SIO and FDEBUG of PIO0."""

    def __getitem__(self, address):
        if address == 0xD0000004:
            return rp2.WIRE.down ^ 0x3FFFFFFF
        assert address == 0x50200008
        return 0


mem32 = _Memory()
