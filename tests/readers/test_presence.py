"""A resting tag is one presence: when it begins, when it ends, and what does not end it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubtable.readers import READERS, Reader, Sighting
from doubtable.timing import MS
from readers.reader_streams import EMPTY_FIELD, line, listing, pn532, raw, rdm, run

A, B = "0D00319CD0", "78003E5C1E"
RDM6300, ID12, PN532 = READERS["rdm6300"], READERS["id12"], READERS["pn532"]


@pytest.mark.parametrize(("reader", "frame"), [(RDM6300, rdm(A)), (ID12, line(A))], ids=["rdm6300", "id12"])
def test_repeats_are_one_presence_that_400_ms_of_silence_end(reader: Reader, frame: bytes) -> None:
    state, said = run(reader, [(ms * MS, frame) for ms in (0, 50, 100)])
    assert said == [Sighting(0, A, present=True)]
    assert reader.due(state) == 500 * MS
    assert reader.advance(state, 500 * MS - 1) == (state, ())
    state, said_then = reader.advance(state, 700 * MS)
    assert said_then == (Sighting(500 * MS, A, present=False),)
    assert reader.due(state) is None


def test_silence_that_ended_a_tag_is_told_before_what_comes_after_it() -> None:
    _, said = run(RDM6300, [(0, rdm(A)), (1000 * MS, rdm(A))])
    assert said == [
        Sighting(0, A, present=True),
        Sighting(400 * MS, A, present=False),
        Sighting(1000 * MS, A, present=True),
    ]


def test_another_tag_ends_the_first() -> None:
    _, said = run(RDM6300, [(0, rdm(A)), (50 * MS, rdm(B))])
    assert said == [
        Sighting(0, A, present=True),
        Sighting(50 * MS, A, present=False),
        Sighting(50 * MS, B, present=True),
    ]


def test_broken_frames_and_noise_neither_end_a_presence_nor_keep_it_up() -> None:
    broken = rdm(A)[:6] + b"F" + rdm(A)[7:]
    state, said = run(RDM6300, [(0, rdm(A)), (50 * MS, broken), (100 * MS, b"\xff\x02\x00"), (390 * MS, broken)])
    assert said == [Sighting(0, A, present=True)]
    assert RDM6300.due(state) == 400 * MS


def test_a_raw_checksum_clone_repeats_every_1500_ms_and_its_resting_tag_is_still_one_presence() -> None:
    frame = bytes.fromhex("02 30 31 31 34 41 45 33 42 42 43 3C 03")
    state, said = run(RDM6300, [(0, frame), (1500 * MS, frame)])
    assert said == [Sighting(0, "0114AE3BBC", present=True)]
    assert RDM6300.advance(state, 3500 * MS)[1] == (Sighting(3500 * MS, "0114AE3BBC", present=False),)


@given(gaps=st.lists(st.integers(0, 399), max_size=20), clone=st.booleans())
def test_a_tag_that_never_falls_silent_never_leaves(gaps: list[int], clone: bool) -> None:
    reads, ns = [(0, (raw if clone else rdm)(B))], 0
    for gap in gaps:
        ns += gap * MS
        reads.append((ns, (raw if clone else rdm)(B)))
    assert run(RDM6300, reads)[1] == [Sighting(0, B, present=True)]


def polls(*answers: str, every: int = 200 * MS) -> list[tuple[int, bytes]]:
    """PN532 answers from 0 on: a UID, "none", or "broken"."""
    broken = pn532(listing("92256FEB"))[:-3] + b"\x00\x55\x00"
    made = {"none": EMPTY_FIELD, "broken": broken}
    return [(n * every, made.get(answer) or pn532(listing(answer))) for n, answer in enumerate(answers)]


def test_a_tag_seen_every_second_poll_is_one_presence_until_the_third_miss_running() -> None:
    uid = "92256FEB"
    _, said = run(PN532, polls("none", uid, "none", uid, "none", uid, "none", "none", "none"))
    assert said == [Sighting(200 * MS, uid, present=True), Sighting(1600 * MS, uid, present=False)]


@given(misses=st.lists(st.integers(0, 2), min_size=1, max_size=10), uid=st.sampled_from(["92256FEB", "047368A2C72280"]))
def test_fewer_than_three_misses_running_never_end_a_presence(misses: list[int], uid: str) -> None:
    answers = [answer for count in misses for answer in [uid, *["none"] * count]]
    state, said = run(PN532, polls(*answers))
    assert said == [Sighting(0, uid, present=True)]
    assert PN532.due(state) is None


def test_a_broken_answer_is_not_a_miss() -> None:
    uid = "92256FEB"
    _, said = run(PN532, polls(uid, "none", "none", "broken", "broken", "broken", uid, "none", "none"))
    assert said == [Sighting(0, uid, present=True)]


def test_time_alone_ends_nothing_on_a_reader_that_is_asked() -> None:
    state, _ = run(PN532, polls("92256FEB"))
    assert PN532.advance(state, 10**12) == (state, ())


def test_another_uid_ends_the_first() -> None:
    _, said = run(PN532, polls("92256FEB", "047368A2C72280"))
    assert [(sighting.id, sighting.present) for sighting in said] == [
        ("92256FEB", True),
        ("92256FEB", False),
        ("047368A2C72280", True),
    ]
