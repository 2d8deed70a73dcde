"""RDM6300, its clones, ID-12LA: frames from the field, and what must hold for every id and every chunking."""

import random
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubtable import readers
from doubtable.readers import READERS, ReaderState, reader_of
from doubtable.readers.rdm6300 import rdm6300
from readers.reader_streams import arrivals, em4100_truth, line, raw, rdm, run

RDM6300, ID12 = READERS["rdm6300"], READERS["id12"]
IDS = st.integers(0, 2**40 - 1).map(lambda number: f"{number:010X}")
KINDS = {"rdm": rdm, "line": line, "raw": raw}

REAL = [
    ("02 30 31 30 30 36 33 45 39 41 45 32 35 03", "010063E9AE"),
    ("02 30 35 30 30 32 30 37 42 33 32 36 43 03", "0500207B32"),
    ("02 31 46 30 30 36 34 34 42 42 36 38 36 03", "1F00644BB6"),
    ("02 30 31 31 34 41 45 33 42 42 43 3C 03", "0114AE3BBC"),
    ("02 30 31 30 30 30 30 30 30 30 32 03 03", "0100000002"),
    ("02 30 35 30 30 32 30 37 42 33 32 36 43 0D 0A 03", "0500207B32"),
    ("02 30 44 30 30 33 31 39 43 44 30 37 30 03", "0D00319CD0"),
    ("02 37 38 30 30 33 45 35 43 31 45 30 34 03", "78003E5C1E"),
    ("02 37 38 30 30 33 45 35 43 31 46 30 35 03", "78003E5C1F"),
]


@pytest.mark.parametrize(("text", "tag"), REAL)
def test_captured_frames_read_whole_and_cut_anywhere(text: str, tag: str) -> None:
    frame = bytes.fromhex(text)
    assert arrivals(RDM6300, frame) == [tag]
    assert arrivals(RDM6300, *(bytes([byte]) for byte in frame)) == [tag]
    for at in range(1, len(frame)):
        assert arrivals(RDM6300, frame[:at], frame[at:]) == [tag], at


@given(tag=IDS, kind=st.sampled_from(sorted(KINDS)), cuts=st.sets(st.integers(1, 15)))
def test_every_id_reads_whatever_the_chunking(tag: str, kind: str, cuts: set[int]) -> None:
    frame = KINDS[kind](tag)
    edges = [0, *sorted(cut for cut in cuts if cut < len(frame)), len(frame)]
    assert arrivals(RDM6300, *(frame[a:b] for a, b in pairwise(edges))) == [tag]


@given(tag=IDS)
def test_an_id12_reads_lines_and_plain_frames_but_no_raw_checksums(tag: str) -> None:
    assert arrivals(ID12, line(tag)) == [tag]
    assert arrivals(ID12, rdm(tag)) == [tag]
    assert arrivals(ID12, raw(tag)) == []


@pytest.mark.parametrize("checksum", [0x02, 0x03, 0x0D, 0x30, 0x3C, 0x46, 0xFF])
def test_a_clones_raw_checksum_may_be_any_byte(checksum: int) -> None:
    tag = f"01000000{checksum ^ 1:02X}"
    assert arrivals(RDM6300, raw(tag)) == [tag]


@given(clone=IDS, plain=IDS)
def test_without_the_clone_dialect_its_frames_are_noise_that_spoils_nothing(clone: str, plain: str) -> None:
    strict = rdm6300(raw_checksum=False)
    assert arrivals(strict, raw(clone), rdm(plain)) == [plain]
    assert arrivals(strict, raw(clone) + rdm(plain)) == [plain]


def test_a_plain_reader_whose_frame_lost_a_byte_is_not_taken_for_a_clone() -> None:
    rng = random.Random(1)
    tags = (f"{rng.getrandbits(40):010X}" for _ in range(100_000))
    lost = ((tag, rdm(tag)[:5] + rdm(tag)[6:]) for tag in tags)
    tag, damaged = next((tag, frame) for tag, frame in lost if em4100_truth(frame))  # by its bytes alone a clone's
    assert arrivals(RDM6300, damaged) != []
    known = [rdm("0500207B32")] * 2
    assert arrivals(RDM6300, *known, damaged) == ["0500207B32"]
    assert arrivals(RDM6300, *known, damaged, rdm(tag)) == ["0500207B32", tag]


def test_a_clear_clone_frame_after_two_digit_frames_is_read_and_so_is_an_unclear_one_after_it() -> None:
    clear, unclear = "0114AE3BBC", f"01000000{0x41 ^ 1:02X}"
    known = [rdm("0500207B32")] * 3
    assert arrivals(RDM6300, *known, raw(unclear)) == ["0500207B32"]
    assert arrivals(RDM6300, *known, raw(clear), raw(unclear)) == ["0500207B32", clear, unclear]


@given(tag=IDS, noise=st.binary(max_size=40), frame=st.sampled_from(sorted(KINDS)))
def test_the_good_frame_after_any_noise_is_read(tag: str, noise: bytes, frame: str) -> None:
    assert arrivals(RDM6300, noise + KINDS[frame](tag))[-1:] == [tag]


@given(tag=IDS, stump=IDS, kept=st.integers(1, 13), kind=st.sampled_from(sorted(KINDS)))
def test_a_stump_yields_nothing_and_spoils_nothing(tag: str, stump: str, kept: int, kind: str) -> None:
    begun = KINDS[kind](stump)[: min(kept, len(KINDS[kind](stump)) - 1)]
    assert arrivals(RDM6300, begun) == []
    assert arrivals(RDM6300, begun, rdm(tag)) == [tag]


def test_two_halves_with_a_silence_between_are_no_frame() -> None:
    frame = rdm("0500207B32")
    _, said = run(RDM6300, [(0, frame[:6]), (2_000_000_000, frame[6:]), (2_100_000_000, rdm("0D00319CD0"))])
    assert [sighting.id for sighting in said] == ["0D00319CD0"]


@given(tag=IDS, at=st.integers(1, 12), bit=st.integers(0, 7))
def test_one_turned_bit_never_makes_another_id(tag: str, at: int, bit: int) -> None:
    frame = bytearray(rdm(tag))
    frame[at] ^= 1 << bit
    assert arrivals(RDM6300, bytes(frame)) in ([], [tag])  # [tag]: a capital letter became a small one


RUBBISH = "000000078F88 00F00000F000 F000060007F1 B59A99E5A9FA 4FFB388FFFFC DA9386B5EA90 DAEF6FEE2B9F 000000000000"


@pytest.mark.parametrize("text", RUBBISH.split())
def test_rubbish_with_a_valid_checksum_is_reported_as_any_id(text: str) -> None:
    assert arrivals(RDM6300, b"\x02" + text.encode("ascii") + b"\x03") == [text[:10]]


def test_small_letters_are_read_and_reported_as_capitals() -> None:
    assert arrivals(RDM6300, rdm("0D00319CD0").replace(b"C", b"c").replace(b"D", b"d")) == ["0D00319CD0"]


@given(data=st.lists(st.one_of(st.binary(max_size=30), IDS.map(rdm), IDS.map(raw), IDS.map(line)), max_size=12))
def test_the_state_survives_json_at_every_point(data: list[bytes]) -> None:
    state = RDM6300.start()
    for n, chunk in enumerate(data):
        state, _ = RDM6300.feed(state, n * 10_000_000, chunk)
        assert msgspec.convert(msgspec.to_builtins(state), ReaderState) == state
        assert msgspec.json.decode(msgspec.json.encode(state), type=ReaderState) == state
        assert len(state.buffer) < 16


def test_what_was_cut_out_of_a_long_stream_comes_out_of_it_in_order() -> None:
    rng = random.Random(4)
    tags = [f"{rng.getrandbits(40):010X}" for _ in range(200)]
    stream = b"".join(rng.choice([rdm, line])(tag) for tag in tags)
    assert arrivals(RDM6300, stream) == tags


def test_the_parsers_by_kind_and_option() -> None:
    kinds = ["rdm6300", "id12", "pn532"]
    assert list(readers.KINDS) == kinds
    assert [reader_of(kind).name for kind in kinds] == kinds
    assert [reader_of(kind, raw_checksum=False).name for kind in kinds] == ["rdm6300-strict", "id12", "pn532"]
    assert all(name == reader.name for name, reader in READERS.items())
