"""Checks of frames and protocol: bytes to messages and back, and what is no message."""

import struct

from panel import protocol
from panel.frames import FrameReader, cobs_decode, cobs_encode, pack
from panel.protocol import WRAP, before
from pure_data import Dice, frames_in, unhex, vectors


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
