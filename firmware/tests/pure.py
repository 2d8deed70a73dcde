"""Checks of the pure modules that run alike on a computer's Python and on MicroPython: no pytest, no typing.

python pure.py        micropython pure.py        (with the folder above on the path; a name runs that check alone)
"""

import json
import struct
import sys

from panel import protocol
from panel.frames import LONGEST, FrameReader, cobs_decode, cobs_encode, pack
from panel.link import BEAT, SILENCE, Link
from panel.outbox import Outbox
from panel.protocol import MASK, WRAP, before
from panel.ring import LATE, MARGIN, ROUND, Ring

VECTORS = "vectors.json"


def vectors():
    with open(__file__.rsplit("/", 1)[0] + "/" + VECTORS if "/" in __file__ else VECTORS) as file:
        return json.load(file)


def unhex(text):
    return bytes(int(pair, 16) for pair in text.split())


def frames_in(data, longest=LONGEST):
    reader = FrameReader(longest)
    return [frame for frame in map(reader.feed, data) if frame is not None], reader.bad


class Dice:
    """The same throws on both interpreters."""

    def __init__(self, seed):
        self._state = seed

    def below(self, limit):
        self._state = (self._state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self._state >> 8) % limit

    def bytes(self, count):
        return bytes(self.below(256) for _ in range(count))


# --- frames


def check_cobs_examples():
    for plain, encoded in vectors()["cobs"]:
        assert bytes(cobs_encode(unhex(plain))) == unhex(encoded)
        assert cobs_decode(unhex(encoded)) == unhex(plain)


def check_cobs_of_every_length():
    for length in range(520):
        for filling in (b"\x00", b"\x01", b"\xff"):
            data = filling * length
            encoded = bytes(cobs_encode(data))
            assert 0 not in encoded
            assert cobs_decode(encoded) == data


def check_frames_from_the_host_are_understood():
    for vector in vectors()["to_panel"]:
        frames, bad = frames_in(unhex(vector["frame"]))
        assert bad == 0 and len(frames) == 1
        kind, payload = frames[0]
        assert kind == vector["kind"]
        fields = protocol.read(kind, payload)
        assert fields is not None
        plain = [field if isinstance(field, int) else "".join("%02x" % byte for byte in field) for field in fields]
        assert plain == vector["fields"], vector["name"]


def check_frames_to_the_host_are_as_agreed():
    for vector in vectors()["to_host"]:
        fields = vector["fields"]
        name = vector["name"]
        if vector["kind"] == protocol.HELLO:
            assert fields[:3] == [protocol.PROTOCOL, list(protocol.FIRMWARE), protocol.LINES]
            payload = protocol.hello(fields[3], fields[4], fields[5], bytes.fromhex(fields[6]))
        elif vector["kind"] == protocol.EVENTS:
            samples = b"".join(struct.pack(protocol.SAMPLE, *sample) for sample in fields[2])
            payload = protocol.events(fields[0], fields[1], samples)
        else:
            make = {
                protocol.PONG: protocol.pong,
                protocol.LEVELS: protocol.levels,
                protocol.RESUMED: protocol.resumed,
                protocol.STATUS: protocol.status,
            }[vector["kind"]]
            payload = make(*fields)
        assert pack(vector["kind"], payload) == unhex(vector["frame"]), name


def check_what_is_no_frame():
    good = unhex(vectors()["to_panel"][2]["frame"])
    for vector in vectors()["no_frames"]:
        frames, bad = frames_in(unhex(vector["bytes"]) + good, 32)
        assert bad == vector["bad"], vector["name"]
        assert len(frames) == 1, vector["name"]


def check_noise_never_wedges_the_reader():
    dice = Dice(9)
    good = pack(protocol.PING, b"\x01\x00\x00\x00\x02\x00\x00\x00")
    reader = FrameReader(32)
    for _ in range(200):
        for byte in dice.bytes(dice.below(80)):
            reader.feed(byte)
        got = [reader.feed(byte) for byte in good]
        assert (protocol.PING, b"\x01\x00\x00\x00\x02\x00\x00\x00") in got


def check_a_message_of_the_wrong_length_is_none():
    assert protocol.read(protocol.PING, b"\x01\x00\x00\x00") is None
    assert protocol.read(0x55, b"") is None
    assert protocol.read(protocol.HELLO, b"\x01") is None


def check_before():
    assert before(1, 2) and not before(2, 1) and not before(7, 7)
    assert before(WRAP, 0) and before(4294967290, 5) and not before(5, 4294967290)


# --- stamps


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


# --- outbox


def check_the_oldest_go_when_it_is_full():
    box = Outbox(4)
    for number in range(6):
        box.add(1000 + number, number + 1, 1 if number else 3)
    assert box.lost == 3 and box.fullest == 4  # the first sample had two edges
    assert box.rewind(1) == 4
    first, last, data = box.batch(10)
    assert (first, last, len(data)) == (4, 1005, 32)


def check_sent_samples_that_made_room_are_lost_only_when_asked_for():
    box = Outbox(4)
    for number in range(4):
        box.add(number, number + 1, 1)
    box.batch(3)
    for number in range(2):
        box.add(9, number, 1)
    assert box.lost == 0
    assert box.rewind(3) == 3 and box.lost == 0
    box.batch(4)
    for number in range(2):
        box.add(9, number, 1)
    assert box.rewind(4) == 5 and box.lost == 1
    assert box.rewind(4) == 5 and box.lost == 1


def check_confirmed_samples_are_forgotten_and_others_sent_again():
    box = Outbox(8)
    for number in range(5):
        box.add(number, number + 1, 1)
    assert box.batch(3)[0] == 1 and box.waiting == 2
    box.confirm(3)
    assert box.rewind(1) == 3
    first, _, data = box.batch(10)
    assert first == 3 and len(data) == 24
    box.confirm(99)
    assert box.rewind(6) == 6 and box.batch(10) == (6, 0, b"")


def check_what_was_not_sent_is_not_confirmed():
    box = Outbox(8)
    box.add(1, 1, 1)
    box.confirm(2)
    assert box.waiting == 1


def check_a_hole_ends_a_batch():
    box = Outbox(8)
    box.add(1, 1, 1)
    box.skip(5)
    box.add(2, 0, 1)
    assert box.batch(10)[0] == 1 and box.waiting == 1
    assert box.batch(10)[0] == 7 and box.lost == 5


def check_numbers_wrap():
    box = Outbox(4)
    box.following = WRAP
    box.add(1, 1, 1)
    box.add(2, 0, 1)
    first, _, data = box.batch(10)
    assert first == WRAP and len(data) == 16 and box.following == 1
    box.confirm(0)
    assert box.rewind(0) == 0


# --- the conversation


class Talk:
    """A link, its clock and what it says."""

    def __init__(self, capacity=64):
        self.now = 10_000
        self.outbox = Outbox(capacity)
        self.link = Link(self.outbox, 77, b"\x01\x02\x03\x04\x05\x06\x07\x08", lambda: self.now)
        self.given_up = 0

    def hear(self, kind, payload=b""):
        for byte in pack(kind, payload):
            self.given_up += self.link.feed(byte)

    def say(self, levels=0):
        """The kinds and payloads of everything it has to say now."""
        out = []
        while True:
            frame = self.link.poll(self.now, self.now - 10, levels, (0, 0, 0, 0))
            if not frame:
                return out
            frames, bad = frames_in(frame)
            assert bad == 0
            out += frames

    def kinds(self):
        return [kind for kind, _ in self.say()]


def check_nothing_is_said_before_a_host_is_there():
    talk = Talk()
    talk.outbox.add(5, 1, 1)
    talk.now += 10 * SILENCE
    assert talk.say() == []
    for byte in b"AT\r\n\x03\x04garbage\x00":
        talk.link.feed(byte)
    assert talk.say() == [] and talk.link.bad == 1


def check_any_host_is_greeted_first():
    for kind, payload in ((protocol.ASK_HELLO, b"\x01"), (protocol.PING, bytes(8)), (protocol.ASK_STATUS, b"")):
        talk = Talk()
        talk.hear(kind, payload)
        assert talk.given_up == 1
        assert talk.kinds()[0] == protocol.HELLO


def check_a_beat_without_events():
    talk = Talk()
    talk.hear(protocol.ASK_HELLO, b"\x01")
    talk.say()
    talk.now += BEAT - 1
    assert talk.say() == []
    talk.now += 1
    ((kind, payload),) = talk.say()
    assert kind == protocol.EVENTS and struct.unpack("<II", payload) == (1, talk.now - 10)


def check_events_come_at_once_and_upto_never_runs_ahead():
    talk = Talk()
    talk.hear(protocol.ASK_HELLO, b"\x01")
    talk.say()
    for number in range(60):
        talk.outbox.add(9000 + number, number + 1, 1)
    frames = talk.say()
    assert [kind for kind, _ in frames] == [protocol.EVENTS] * 3
    uptos = [struct.unpack_from("<II", payload) for _, payload in frames]
    assert uptos == [(1, 9024), (26, 9049), (51, talk.now - 10)]


def check_ping():
    talk = Talk()
    talk.hear(protocol.ASK_HELLO, b"\x01")
    talk.say()
    talk.outbox.add(9000, 1, 1)
    talk.say()
    talk.hear(protocol.PING, struct.pack("<II", 5, 2))
    asked = talk.now
    talk.now += 300
    ((kind, payload),) = talk.say()
    assert kind == protocol.PONG and struct.unpack("<IIII", payload) == (5, asked, asked + 300, 2)
    assert talk.outbox.rewind(1) == 2  # the ping has confirmed it


def check_levels_speak_after_the_edges_that_led_to_them():
    talk = Talk()
    talk.hear(protocol.ASK_HELLO, b"\x01")
    talk.say()
    talk.outbox.add(9000, 4, 4)
    talk.hear(protocol.ASK_LEVELS, struct.pack("<I", 3))
    frames = talk.say(levels=4)
    assert [kind for kind, _ in frames] == [protocol.EVENTS, protocol.LEVELS]
    assert struct.unpack("<IIH", frames[1][1]) == (3, talk.now, 4)


def check_resume_says_where_it_really_begins():
    talk = Talk(capacity=4)
    talk.hear(protocol.ASK_HELLO, b"\x01")
    talk.say()
    for number in range(6):
        talk.outbox.add(number, number & 1, 1)
    talk.hear(protocol.RESUME, struct.pack("<I", 1))
    frames = talk.say()
    assert struct.unpack("<II", frames[0][1]) == (1, 3) and frames[0][0] == protocol.RESUMED
    assert struct.unpack_from("<I", frames[1][1]) == (3,)


def check_lamps_and_their_end():
    talk = Talk()
    talk.hear(protocol.ASK_HELLO, b"\x01")
    talk.hear(protocol.LAMPS, struct.pack("<H", 0x1003))
    assert talk.link.lamps == 0x1003
    talk.now += SILENCE + 1
    talk.say()
    assert talk.link.lamps == 0 and not talk.link.attached


def check_a_host_that_comes_back_gets_what_it_missed():
    talk = Talk()
    talk.hear(protocol.ASK_HELLO, b"\x01")
    talk.say()
    talk.outbox.add(20_000, 1, 1)
    talk.say()  # sent, and never read
    talk.now += 2 * SILENCE
    talk.say()
    talk.outbox.add(30_000, 0, 1)
    talk.hear(protocol.ASK_HELLO, b"\x01")
    talk.hear(protocol.RESUME, struct.pack("<I", 1))
    frames = talk.say()
    assert [kind for kind, _ in frames] == [protocol.HELLO, protocol.RESUMED, protocol.EVENTS]
    assert len(frames[2][1]) == 8 + 16


def check_stop_needs_its_word():
    talk = Talk()
    talk.hear(protocol.STOP, b"TOPS")
    assert not talk.link.stopped
    talk.hear(protocol.STOP, b"STOP")
    assert talk.link.stopped and not talk.link.attached


def check_a_host_that_asks_too_fast():
    talk = Talk()
    talk.hear(protocol.ASK_HELLO, b"\x01")
    talk.say()
    for token in range(300):
        talk.hear(protocol.ASK_LEVELS, struct.pack("<I", token))
    frames = talk.say()
    assert len(frames) < 20
    assert struct.unpack_from("<I", frames[-1][1]) == (299,)


CHECKS = {name: value for name, value in list(globals().items()) if name.startswith("check_")}


def main(names):
    for name in names or sorted(CHECKS):
        CHECKS[name]()
        print("ok", name)


if __name__ == "__main__":
    main(sys.argv[1:])
