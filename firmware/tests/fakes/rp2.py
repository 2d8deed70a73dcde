"""MicroPython's rp2 on the unix port: a state machine that samples a script of presses, and the DMA behind it.

The script stands in the file that PANEL_WIRE names, and grows while it is read: lines of "microseconds lines-down"
(decimal, hexadecimal), the first number counted from the start of the state machine. A line "played" is passed on to
the log when all that stands before it has come. What the PIO program does with changes is tested elsewhere, cycle by
cycle; here the words that it pushes are made from the script as real time reaches them.
"""

import os
import uctypes
from time import ticks_diff, ticks_us

ROUND = 1 << 19
FIFO = 8
PLAYED = "played\n"


def log(line):
    """One line to the pipe that PANEL_LOG names."""
    path = os.getenv("PANEL_LOG")
    if path:
        with open(path, "a") as out:
            out.write(line + "\n")


class Wire:
    """The pins, from the script."""

    def __init__(self):
        self.down = 0
        self.begun = None  # us of ticks_us
        self._script = open(os.getenv("PANEL_WIRE"))  # noqa: SIM115  # read line by line: the heap is a Pico's
        self._line = ""
        self._next = None
        self._ticks = 0
        self._passed = 0

    def begin(self):
        self.begun = self._ticks = ticks_us()  # and nothing more: the panel reads its own clock at once

    def changes(self):
        """Those that real time has reached since the last call, as (us, lines down)."""
        if self.begun is None:
            return
        ticks = ticks_us()
        self._passed += ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        while self._more() and self._next[0] <= self._passed:
            us, self.down = self._next
            self._next = None
            yield us, self.down

    def _more(self):
        """Whether there is a next change, perhaps of a time that has yet to come."""
        while self._next is None:
            self._line += self._script.readline()
            if not self._line.endswith("\n"):
                return False  # the rest of it is still being written
            if self._line == PLAYED:
                log("played")
            else:
                us, down = self._line.split()
                self._next = int(us), int(down, 16)
            self._line = ""
        return True


WIRE = Wire()


class PIO:
    SHIFT_LEFT = 0
    SHIFT_RIGHT = 1
    JOIN_NONE = 0
    JOIN_TX = 1
    JOIN_RX = 2


def asm_pio(**options):
    return lambda program: (program, options)


class StateMachine:
    def __init__(self, number, program, freq, in_base):
        assert number == 0 and freq == 25_000_000
        self.executed = []

    def exec(self, instruction):
        self.executed.append(instruction)

    def active(self, on):
        if on:
            assert self.executed == ["mov(y, invert(null))", "mov(isr, null)", "mov(osr, null)"]
            WIRE.begin()


class DMA:
    """One channel, from the state machine into a ring."""

    def __init__(self):
        self._left = 0
        self._at = 0
        self._first = True

    def pack_ctrl(self, **options):
        return options

    def config(self, read=None, write=None, count=0, ctrl=None, trigger=False):
        if write is not None:
            assert read == 0x50200020 and ctrl["treq_sel"] == 4 and ctrl["ring_sel"] and not ctrl["inc_read"]
            self._words = (1 << ctrl["ring_size"]) // 4
            address = uctypes.addressof(write)
            assert address % (1 << ctrl["ring_size"]) == 0 and len(write) == 1 << ctrl["ring_size"]
            self._ring = uctypes.bytearray_at(address, len(write))
        if trigger:
            self._left = count

    def active(self, on=None):
        if on is not None:
            assert not on
            self._left = 0
        return self._left > 0

    def close(self):
        assert self._left == 0  # the real one goes on writing

    @property
    def count(self):
        if self._first and WIRE.begun is not None:
            self._first = False
            log("start %d" % WIRE.begun)
            self._push(0, 0)
        for us, down in WIRE.changes():
            self._push(us, down)
        return self._left

    def _push(self, us, down):
        word = ((down ^ 0x1FFF) << 19) | (-us % ROUND)
        self._ring[self._at * 4 : self._at * 4 + 4] = word.to_bytes(4, "little")
        self._at = (self._at + 1) % self._words
        self._left -= 1
