"""The host's side of a PN532, against scripted answers in virtual time."""

import pytest

from doubtable.readers.pn532_host import (
    ACK_WITHIN,
    ANEW_AFTER,
    ANSWER_WITHIN,
    BROKEN_AFTER,
    POLL,
    WAKE_UP,
    Pn532Host,
)
from doubtable.timing import MS
from readers.reader_streams import EMPTY_FIELD, listing, pn532, pn532_extended

ACK = bytes.fromhex("00 00 FF 00 FF 00")
NACK = bytes.fromhex("00 00 FF FF 00 00")
ERROR = bytes.fromhex("00 00 FF 01 FF 7F 81 00")
SAM = bytes.fromhex("00 00 FF 03 FD D4 14 01 17 00")
FIRMWARE = bytes.fromhex("00 00 FF 02 FE D4 02 2A 00")
RETRIES = bytes.fromhex("00 00 FF 06 FA D4 32 05 FF 01 02 F3 00")
LIST = bytes.fromhex("00 00 FF 04 FC D4 4A 01 00 E1 00")
RELEASE = pn532(b"\xd4\x52\x00")
SAM_ANSWER = bytes.fromhex("00 00 FF 02 FE D5 15 16 00")
FIRMWARE_ANSWER = bytes.fromhex("00 00 FF 06 FA D5 03 32 01 06 07 E8 00")
RETRIES_ANSWER = pn532(b"\xd5\x33")
RELEASE_ANSWER = pn532(b"\xd5\x53\x00")
FOUND = bytes.fromhex("00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 FB 0E E2 0B D8 00")


def listing_host() -> tuple[Pn532Host, int]:
    """A host that has set its chip up and has just sent the first listing; and the time."""
    host = Pn532Host()
    host.start(0)
    for answer in (SAM_ANSWER, FIRMWARE_ANSWER, RETRIES_ANSWER):
        written = host.received(10 * MS, ACK + answer)
    assert written == LIST
    return host, 10 * MS


def test_it_wakes_configures_asks_and_sets_finite_retries_before_the_first_listing() -> None:
    host = Pn532Host()
    assert host.start(0) == bytes.fromhex("55 55") + bytes(14) + SAM
    assert host.received(1 * MS, ACK) == b""
    assert host.received(2 * MS, SAM_ANSWER) == FIRMWARE
    assert host.received(3 * MS, ACK + FIRMWARE_ANSWER) == RETRIES
    assert host.received(4 * MS, ACK + RETRIES_ANSWER) == LIST
    assert host.firmware == "PN532 1.6"
    assert host.ready is None
    host.received(5 * MS, ACK + EMPTY_FIELD)
    assert host.ready is True


def test_an_empty_field_is_listed_again_one_poll_after_the_last_listing() -> None:
    host, ns = listing_host()
    assert host.received(ns + 30 * MS, ACK + EMPTY_FIELD) == b""
    assert host.deadline == ns + POLL
    assert host.wake(ns + POLL - 1) == b""
    assert host.wake(ns + POLL) == LIST


def test_a_listed_tag_is_released_before_the_next_listing() -> None:
    host, ns = listing_host()
    assert host.received(ns + 9 * MS, ACK + FOUND) == RELEASE
    assert host.received(ns + 12 * MS, ACK + RELEASE_ANSWER) == b""
    assert host.wake(ns + POLL) == LIST


@pytest.mark.parametrize("answer", [pn532(listing("04A1B2C3D4E580")), pn532_extended(listing("FB0EE20B"))])
@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_answers_in_any_chunks_and_kinds_of_frame_are_understood(answer: bytes, size: int) -> None:
    host, ns = listing_host()
    stream = ACK + answer
    written = [host.received(ns + at, stream[at : at + size]) for at in range(0, len(stream), size)]
    assert b"".join(written) == RELEASE


def test_without_an_ack_the_command_goes_out_three_times_then_all_begins_anew() -> None:
    host, ns = listing_host()
    for _ in range(2):
        ns += ACK_WITHIN
        assert host.wake(ns - 1) == b""
        assert host.wake(ns) == LIST
    ns += ACK_WITHIN
    assert host.wake(ns) == b""
    assert host.ready is False
    assert host.wake(ns + ANEW_AFTER) == WAKE_UP + SAM
    assert host.ready is False


def test_a_chip_that_never_answers_is_woken_again_and_again_but_not_fast() -> None:
    host, ns, written = Pn532Host(), 0, [0]
    host.start(0)
    while ns < 60_000 * MS:
        ns = host.deadline
        if host.wake(ns):
            written.append(ns)
    assert host.ready is False
    assert len(written) == pytest.approx(60_000 / 800 * 3, abs=3)


def test_a_chip_that_comes_back_is_ready_again() -> None:
    host = Pn532Host()
    host.start(0)
    while host.ready is None:
        host.wake(host.deadline)
    ns = host.deadline
    assert host.wake(ns) == WAKE_UP + SAM
    for answer in (SAM_ANSWER, FIRMWARE_ANSWER, RETRIES_ANSWER, EMPTY_FIELD):
        host.received(ns, ACK + answer)
    assert host.ready is True


def test_a_nack_of_the_chip_sends_the_command_again_at_once_but_not_for_ever() -> None:
    host, ns = listing_host()
    assert [host.received(ns, NACK) for _ in range(3)] == [LIST, LIST, b""]
    assert host.ready is False


def test_an_error_frame_sends_the_command_again() -> None:
    host, ns = listing_host()
    assert host.received(ns, ACK + ERROR) == LIST
    assert host.received(ns, ACK + EMPTY_FIELD) == b""
    assert host.ready is True


@pytest.mark.parametrize(
    "broken", [FOUND[:-2] + b"\x99\x00", FOUND[:9], b"\x81\x92\xff", FOUND[:12] + b"\x00" + FOUND[12:-1] + b"\x07"]
)
def test_a_broken_answer_is_asked_for_again(broken: bytes) -> None:
    host, ns = listing_host()
    assert host.received(ns, ACK + b"") == b""
    assert host.received(ns + 5 * MS, broken) == b""
    assert host.wake(ns + 5 * MS + BROKEN_AFTER) == NACK
    assert host.received(ns + 40 * MS, FOUND) == RELEASE


def test_an_answer_that_stays_broken_is_asked_for_three_times_then_the_command_is_aborted_and_sent_again() -> None:
    host, ns = listing_host()
    host.received(ns, ACK)
    asked = []
    for _ in range(4):
        host.received(ns, b"\x81\x92\xff")
        ns = host.deadline
        asked.append(host.wake(ns))
    assert asked == [NACK, NACK, NACK, ACK + LIST]


def test_no_answer_in_time_aborts_the_command_and_sends_it_again() -> None:
    host, ns = listing_host()
    host.received(ns, ACK)
    assert host.wake(ns + ANSWER_WITHIN - 1) == b""
    assert host.wake(ns + ANSWER_WITHIN) == ACK + LIST


def test_an_answer_whose_ack_was_lost_counts() -> None:
    host, ns = listing_host()
    assert host.received(ns, FOUND) == RELEASE


def test_answers_that_come_late_or_twice_change_nothing() -> None:
    host, ns = listing_host()
    host.received(ns, ACK + EMPTY_FIELD)
    deadline = host.deadline
    assert host.received(ns + 1 * MS, EMPTY_FIELD + FOUND + ACK + NACK + ERROR) == b""
    assert host.deadline == deadline
    assert host.wake(ns + POLL) == LIST
    assert host.received(ns + POLL, FIRMWARE_ANSWER) == b""


def test_a_port_that_is_opened_anew_begins_at_the_wake_up() -> None:
    host, ns = listing_host()
    host.received(ns, ACK + EMPTY_FIELD + FOUND[:7])
    assert host.start(ns + 1) == WAKE_UP + SAM
    assert host.ready is None
    assert host.received(ns + 2, ACK + SAM_ANSWER) == FIRMWARE
