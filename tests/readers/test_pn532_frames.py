"""PN532 frames: lengths are trusted, good frames always read, whatever stands before them."""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubtable.readers import READERS, ReaderState
from doubtable.readers.pn532_frames import ACK, ERROR, NACK, Frame, extended, framed, listed, scan
from readers.reader_streams import EMPTY_FIELD, arrivals, listing, pn532, pn532_extended, run

PN532 = READERS["pn532"]
UIDS = st.sampled_from([4, 7, 10]).flatmap(lambda size: st.binary(min_size=size, max_size=size)).map(bytes.hex)
CAPITAL_UIDS = UIDS.map(str.upper)
SEVEN = bytes.fromhex("00 00 FF 15 EB D5 4B 01 01 03 44 20 07 04 73 68 A2 C7 22 80 06 75 77 81 02 80 91 00")

REAL = [
    ("00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 FB 0E E2 0B D8 00", "FB0EE20B"),
    ("00 00 FF 0F F1 D5 4B 01 01 00 44 00 07 04 A1 B2 C3 D4 E5 80 40 00", "04A1B2C3D4E580"),
    (SEVEN.hex(), "047368A2C72280"),
]


@pytest.mark.parametrize(("text", "uid"), REAL)
def test_captured_answers_read_whole_and_cut_anywhere(text: str, uid: str) -> None:
    frame = bytes.fromhex(text)
    assert arrivals(PN532, frame) == [uid]
    assert arrivals(PN532, *(bytes([byte]) for byte in frame)) == [uid]
    for at in range(1, len(frame)):
        assert arrivals(PN532, frame[:at], frame[at:]) == [uid], at
        assert arrivals(PN532, frame[:at]) == ([uid] if at == len(frame) else [])


def test_an_answer_cut_off_two_bytes_before_its_end_waits_for_them() -> None:
    state, said = run(PN532, [(0, SEVEN[:-2])])
    assert said == []
    _, then = PN532.feed(state, 5_000_000, SEVEN[-2:])
    assert [sighting.id for sighting in then] == ["047368A2C72280"]


def test_ack_and_empty_field_in_one_read_are_two_frames_with_nothing_left() -> None:
    frames, rest = scan(bytes.fromhex("00 00 FF 00 FF 00 00 00 FF 03 FD D5 4B 00 E0 00"))
    assert frames == (Frame("ack"), Frame("data", b"\xd5\x4b\x00"))
    assert listed(frames[1].body) == (0, "")
    assert rest == b"\x00"  # the closing 00 may be the first byte of the next frame


def test_all_kinds_of_frames_are_told_apart() -> None:
    body = listing("92256FEB")
    frames, _ = scan(NACK + ERROR + ACK + pn532(body) + pn532_extended(body))
    assert [frame.kind for frame in frames] == ["nack", "error", "ack", "data", "data"]
    assert frames[3].body == frames[4].body == body


@given(body=st.binary(max_size=264).map(lambda rest: b"\xd5" + rest))
def test_frames_of_every_length_survive_the_way_there_and_back(body: bytes) -> None:
    if b"\x00\x00\xff" in body:
        return
    for made in (framed(body), extended(body)):
        assert scan(made)[0] == (Frame("data", body),)
    assert framed(body) == (pn532 if len(body) < 256 else pn532_extended)(body)


@pytest.mark.parametrize("size", [0, 266])
def test_a_frame_that_does_not_fit_is_not_made(size: int) -> None:
    with pytest.raises(ValueError, match="1 to 265"):
        framed(bytes(size))


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("D5 4B 01 01 00 04 08 05 01 02 03 04 05", id="UID of five bytes"),
        pytest.param("D5 4B 01 01 00 04 08 07 01 02 03 04", id="UID shorter than it says"),
        pytest.param("D5 4B 01 01 00 04 08 04 01 02 03 04 05", id="ATS longer than the frame"),
        pytest.param("D5 4B 01 01 00 04 08 04 01 02 03 04 02 05 06", id="bytes behind the ATS"),
        pytest.param("D5 4B 02 01 00 04 08 04 01 02 03 04 02 00 04 08 04 05 06 07 08", id="two tags"),
        pytest.param("D5 4B 01 01 00 04", id="too short for any tag"),
        pytest.param("D5 4B 00 00", id="an empty list with something in it"),
        pytest.param("D5 03 32 01 06 07", id="another command's answer"),
    ],
)
def test_answers_that_list_no_single_tag_say_nothing(body: str) -> None:
    assert listed(bytes.fromhex(body)) is None
    assert arrivals(PN532, pn532(bytes.fromhex(body)), pn532(listing("92256FEB"))) == ["92256FEB"]


@given(uid=CAPITAL_UIDS, ats=st.binary(max_size=20), cuts=st.sets(st.integers(1, 45)))
def test_every_uid_reads_whatever_the_chunking_in_both_kinds_of_frame(uid: str, ats: bytes, cuts: set[int]) -> None:
    for frame in (pn532(listing(uid, ats)), pn532_extended(listing(uid, ats))):
        if b"\x00\x00\xff" in frame[3:]:
            return
        edges = [0, *sorted(cut for cut in cuts if cut < len(frame)), len(frame)]
        assert arrivals(PN532, *(frame[a:b] for a, b in pairwise(edges))) == [uid]


HEADS = st.sampled_from(
    ["00 00 FF", "00 FF", "00 00 FF FF", "00 00 FF FF FF", "00 FF FF FF 00 01", "00 00 FF 00", "00 FF 20 E0 D5 4B 01"]
).map(bytes.fromhex)
NOISE = st.lists(st.one_of(st.binary(max_size=12), HEADS), max_size=4).map(b"".join)


@given(noise=NOISE, uid=CAPITAL_UIDS, long=st.booleans())
def test_the_good_frame_after_any_noise_is_read_at_once(noise: bytes, uid: str, long: bool) -> None:
    frame = (pn532_extended if long else pn532)(listing(uid))
    if b"\x00\x00\xff" in frame[3:]:
        return
    assert arrivals(PN532, noise + frame)[-1:] == [uid]


@given(stump=CAPITAL_UIDS, kept=st.integers(1, 21), uid=CAPITAL_UIDS)
def test_an_answer_that_broke_off_yields_nothing_and_spoils_nothing(stump: str, kept: int, uid: str) -> None:
    begun = pn532(listing(stump))[: min(kept, 12)]
    assert arrivals(PN532, begun + pn532(listing(uid))) == [uid]


@pytest.mark.parametrize(
    "noise", ["00 FF FF", "00 FF 00", "00 FF", "FF", "00 FF 01", "00 FF 02 FE D5 2B", "00 00 FF FF"]
)
def test_noise_that_would_take_the_first_bytes_of_a_frame_for_its_own_end(noise: str) -> None:
    assert arrivals(PN532, bytes.fromhex(noise) + pn532(listing("FB0EE20B"))) == ["FB0EE20B"]


def test_a_frame_that_lost_its_end_does_not_borrow_it_from_the_next_one() -> None:
    body = listing("0102CB00")  # its UID ends in 00, and so do its bytes' sum, DCS and the 00 behind it
    assert sum(body) % 256 == 0
    stump = pn532(body)[:-3]
    assert arrivals(PN532, stump + pn532(listing("FB0EE20B"))) == ["FB0EE20B"]


@given(uid=CAPITAL_UIDS, at=st.integers(2, 18), bit=st.integers(0, 7))
def test_one_turned_bit_never_makes_another_uid(uid: str, at: int, bit: int) -> None:
    frame = bytearray(pn532(listing(uid)))
    frame[min(at, len(frame) - 1)] ^= 1 << bit
    assert arrivals(PN532, bytes(frame)) in ([], [uid])


@given(data=st.lists(st.one_of(NOISE, CAPITAL_UIDS.map(listing).map(pn532), st.just(EMPTY_FIELD)), max_size=12))
def test_the_state_survives_json_at_every_point(data: list[bytes]) -> None:
    state = PN532.start()
    for n, chunk in enumerate(data):
        state, _ = PN532.feed(state, n * 10_000_000, chunk)
        assert msgspec.convert(msgspec.to_builtins(state), ReaderState) == state
        assert msgspec.json.decode(msgspec.json.encode(state), type=ReaderState) == state
