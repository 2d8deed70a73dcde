"""Checks of the ring: from the sampler's words to edges, their stamps and their numbers."""

import struct

from panel import protocol
from panel.outbox import Outbox
from panel.protocol import MASK, WRAP
from panel.ring import LATE, MARGIN, ROUND, Ring
from pure_data import Dice, vectors


def word(ticks, down):
    return struct.pack("<I", (down ^ MASK) << 19 | (-ticks % ROUND))


class Wire:
    """A ring and what the DMA does with it. Time begins at ``start``."""

    def __init__(self, words=64, start=1000, capacity=64):
        self.outbox = Outbox(capacity)
        self.buffer = bytearray(words * 4)
        self.ring = Ring(self.buffer, start, self.outbox)
        self.start = start
        self.written = 0
        self.add(0, 0)

    def add(self, ticks, down):
        at = self.written % (len(self.buffer) // 4) * 4
        self.buffer[at : at + 4] = word(ticks, down)
        self.written += 1

    def drain(self, ticks, stalled=False):
        self.ring.drain(self.written, self.start + ticks & WRAP, stalled)

    def sent(self):
        first, _, data = self.outbox.batch(1000)
        samples = [struct.unpack(protocol.SAMPLE, data[at : at + 8]) for at in range(0, len(data), 8)]
        return first, samples


def check_stamps_of_the_vectors():
    stamps = vectors()["stamps"]
    ring = Ring(bytearray(64 * 4), stamps["start"], Outbox(8))
    for each in stamps["words"]:
        assert ring.stamp(each["counter"], each["now"]) == each["us"], each


def check_a_press_and_its_neighbour():
    wire = Wire()
    wire.add(500, 0b1000)
    wire.add(501, 0b1100)
    wire.drain(2000)
    assert wire.sent() == (1, [(1500, 0b1000, 0b1000), (1501, 0b1100, 0b0100)])
    assert wire.outbox.following == 3


def check_all_thirteen_in_one_sample_take_thirteen_numbers():
    wire = Wire()
    wire.add(500, MASK)
    wire.drain(2000)
    wire.add(3000, 0)
    wire.drain(4000)
    assert wire.sent() == (1, [(1500, MASK, MASK), (4000, 0, MASK)])
    assert wire.outbox.following == 27


def check_the_first_word_is_a_state_and_no_edge():
    wire = Wire()
    wire.drain(100)
    assert wire.sent() == (1, [])
    pressed = Wire()
    pressed.written = 0
    pressed.add(0, 0b101)
    pressed.drain(100)
    assert pressed.sent() == (1, []) and pressed.ring.levels == 0b101


def check_a_chattering_line_over_many_rounds_of_the_counter():
    wire = Wire()
    dice = Dice(4)
    down = 0
    now = ticks = 0
    expected = []
    for _ in range(400):
        for _ in range(dice.below(5)):
            ticks = max(ticks + 1, now + dice.below(90_000))
            down ^= 1 << dice.below(13)
            expected.append((wire.start + ticks & WRAP, down))
            wire.add(ticks, down)
        now = max(now + 90_000, ticks)
        wire.drain(now + 10)
        _, samples = wire.sent()
        for sample in samples:
            assert sample[:2] == expected.pop(0)
        wire.outbox.rewind(wire.outbox.following)
    assert not expected and wire.outbox.lost == 0 and now > 60 * ROUND


def check_stamps_over_the_wrap_of_32_bits():
    wire = Wire(start=WRAP - 2000)
    wire.add(1995, 1)
    wire.add(2010, 3)
    wire.drain(2300)
    assert [stamp for stamp, _, _ in wire.sent()[1]] == [WRAP - 5, 9]


def check_a_drain_that_comes_too_late_gives_no_stamps():
    wire = Wire()
    wire.drain(100)
    wire.add(150_000, 0b11)
    wire.add(300_000, 0b01)
    wire.drain(100 + LATE + 1)
    assert wire.ring.epochs == 1 and wire.outbox.lost == 3
    assert wire.sent() == (4, []) and wire.outbox.following == 4
    wire.add(500_000, 0)  # from here on everything is known again
    wire.drain(500_100)
    assert wire.sent() == (4, [(501_000, 0, 1)])


def check_a_late_drain_of_nothing_loses_nothing():
    wire = Wire()
    wire.drain(100)
    wire.drain(5_000_000)
    assert wire.ring.epochs == 1 and wire.outbox.lost == 0
    wire.add(5_000_500, 1)
    wire.drain(5_000_600)
    assert wire.sent() == (1, [(5_001_500, 1, 1)])


def check_a_ring_that_was_overwritten():
    wire = Wire(words=64)
    wire.drain(10)
    for at in range(100):
        wire.add(1000 + at, (at + 1) & 1)
    wire.drain(2000)
    kept = 64 - MARGIN
    first, samples = wire.sent()
    assert wire.ring.overwritten == 100 - kept
    assert first == 100 - kept + 2  # the first one left only tells the state
    assert [stamp for stamp, _, _ in samples] == [2000 + at for at in range(100 - kept + 1, 100)]
    assert wire.outbox.following == 101 and wire.outbox.lost == 100 - kept + 1


def check_a_full_fifo_leaves_a_hole():
    wire = Wire()
    wire.drain(10)
    wire.add(1000, 0b110)
    wire.drain(2000, stalled=True)
    assert wire.sent() == (2, [(2000, 0b110, 0b110)]) and wire.outbox.lost == 1 and wire.ring.stalls == 1


def check_the_longest_pause_is_remembered():
    wire = Wire()
    for now in (100, 300, 5300, 5400):
        wire.drain(now)
    assert wire.ring.longest == 5000
