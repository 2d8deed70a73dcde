"""Checks of the conversation with the host."""

import struct

from panel import protocol
from panel.frames import pack
from panel.link import BEAT, SILENCE, Link
from panel.outbox import Outbox
from pure_data import frames_in


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
