"""The emulated readers behave like the parts: real frames on a real pty, in virtual time, with the parts' faults."""

from collections.abc import Iterator

import pytest

from devices.reader_bench import Inbox, open_things
from doubtable.devices.pn532_emulator import Pn532Emulator
from doubtable.devices.reader_emulators import LiveEmulator, RdmEmulator, VirtualReader, em4100_frame
from doubtable.devices.serial_reader import SerialReader
from doubtable.readers import READERS
from doubtable.timing import MS, S

A, B = "0500207B32", "0D00319CD0"
UID = "FB0EE20B"


class Table:
    """A reader on the table: its inbox and its virtual time."""

    def __init__(self, kind: str, emulator: RdmEmulator | Pn532Emulator) -> None:
        self.inbox = Inbox(READERS[kind])
        self.emulator = emulator
        self.reader = VirtualReader(READERS[kind], emulator, self.inbox)

    def after(self, ms: int) -> list[tuple[str, bool]]:
        """What has come and gone when ``ms`` more have passed."""
        self.reader.advance(self.reader.now + ms * MS)
        return self.inbox.tags()


@pytest.fixture
def rdm() -> Iterator[Table]:
    table = Table("rdm6300", RdmEmulator())
    yield table
    table.reader.close()


@pytest.fixture
def pn532() -> Iterator[Table]:
    table = Table("pn532", Pn532Emulator())
    yield table
    table.reader.close()


def test_the_frames_are_those_of_the_parts() -> None:
    assert em4100_frame(A) == bytes.fromhex("02 30 35 30 30 32 30 37 42 33 32 36 43 03")
    assert em4100_frame(A, "id12") == bytes.fromhex("02 30 35 30 30 32 30 37 42 33 32 36 43 0D 0A 03")
    assert em4100_frame("0100000002", "clone") == bytes.fromhex("02 30 31 30 30 30 30 30 30 30 32 03 03")


def test_a_frame_takes_its_time_on_the_wire(rdm: Table) -> None:
    rdm.reader.put(A)
    assert rdm.after(14) == []
    assert rdm.after(1) == [(A, True)]


@pytest.mark.parametrize(("kind", "style"), [("rdm6300", "rdm6300"), ("id12", "id12"), ("rdm6300", "clone")])
def test_a_tag_left_lying_is_one_presence_until_it_is_lifted(kind: str, style: str) -> None:
    table = Table(kind, RdmEmulator(style))
    table.reader.put(A)
    assert table.after(10_000) == [(A, True)]
    table.reader.lift()
    table.after(5000)
    table.reader.put(A)
    assert table.after(100) == [(A, True), (A, False), (A, True)]
    table.reader.close()


def test_a_reader_that_is_not_asked_repeats_every_50_ms(rdm: Table) -> None:
    rdm.reader.put(A)
    rdm.after(1000)
    assert rdm.inbox.data == em4100_frame(A) * 20


def test_noise_at_power_up_hides_no_tag(rdm: Table) -> None:
    rdm.emulator.power_up(b"\x00\xff\x02\x30\x35\x02\x03\xfe")
    rdm.reader.put(A)
    assert rdm.after(100) == [(A, True)]


def test_broken_frames_are_passed_over(rdm: Table) -> None:
    rdm.emulator.broken = 4
    rdm.reader.put(A)
    assert rdm.after(200) == []
    assert rdm.after(50) == [(A, True)]


def test_a_few_broken_frames_do_not_make_a_resting_tag_leave(rdm: Table) -> None:
    rdm.reader.put(A)
    rdm.after(200)
    rdm.emulator.broken = 6
    assert rdm.after(2000) == [(A, True)]


def test_a_second_tag_freezes_the_reader_until_both_are_lifted(rdm: Table) -> None:
    rdm.reader.put(A)
    rdm.after(200)
    rdm.reader.put(B)
    before = len(rdm.inbox.data)
    rdm.after(1000)
    assert len(rdm.inbox.data) <= before + 14
    rdm.reader.lift()
    rdm.reader.put(B)
    assert rdm.after(100) == [(A, True), (A, False), (B, True)]


def test_silence_is_silence(rdm: Table) -> None:
    rdm.emulator.mute = True
    rdm.reader.put(A)
    rdm.after(1000)
    assert rdm.inbox.data == b""


@pytest.mark.parametrize("kind", sorted(READERS))
def test_rubbish_of_a_wrong_speed_is_never_a_tag(kind: str) -> None:
    emulator = Pn532Emulator() if kind == "pn532" else RdmEmulator("id12" if kind == "id12" else "rdm6300")
    emulator.wrong_baud = True
    table = Table(kind, emulator)
    table.reader.put(UID if kind == "pn532" else A)
    assert table.after(3000) == []
    assert table.inbox.data != b""
    table.reader.close()


@pytest.mark.parametrize("tag", ["05", "0500207B3200", "rubbish"])
def test_what_is_no_tag_cannot_be_put_down(rdm: Table, pn532: Table, tag: str) -> None:
    for table in (rdm, pn532):
        with pytest.raises(ValueError):  # noqa: PT011 - two kinds of wrong, one kind of error
            table.reader.put(tag)


@pytest.mark.parametrize("uid", [UID, "04A1B2C3D4E580", "0102030405060708090A"])
@pytest.mark.parametrize("halts", [False, True])
@pytest.mark.parametrize("extend", [False, True])
def test_a_pn532_reads_every_length_of_uid_as_one_presence(uid: str, halts: bool, extend: bool) -> None:
    table = Table("pn532", Pn532Emulator(halts=halts, extend=extend))
    table.after(500)
    assert table.inbox.ups[0][1] is True
    table.reader.put(uid)
    assert table.after(5000) == [(uid, True)]
    table.reader.lift()
    assert table.after(1000) == [(uid, True), (uid, False)]
    table.reader.close()


def test_a_pn532_is_polled_for_tags_only_after_its_retries_are_finite(pn532: Table) -> None:
    pn532.after(1000)
    assert isinstance(pn532.emulator, Pn532Emulator)
    codes = [body[1] for body in pn532.emulator.heard]
    assert codes[:4] == [0x14, 0x02, 0x32, 0x4A]
    assert set(codes[4:]) == {0x4A}
    assert pn532.reader.port.firmware == "PN532 1.6"


def test_without_finite_retries_an_empty_field_is_never_answered() -> None:
    emulator = Pn532Emulator()
    for command in (b"\x55\x55" + bytes(14), bytes.fromhex("00 00 FF 04 FC D4 4A 01 00 E1 00")):
        emulator._listen(command)
    emulator.step(10 * S)
    assert emulator._searching
    emulator.put(UID)
    emulator.step(11 * S)
    assert not emulator._searching
    emulator.close()


@pytest.mark.parametrize("fault", ["broken", "lost_acks", "refuse", "errors"])
@pytest.mark.parametrize("count", [1, 2])
def test_a_pn532_that_answers_badly_now_and_then_is_still_read(pn532: Table, fault: str, count: int) -> None:
    pn532.after(300)
    pn532.reader.put(UID)
    pn532.after(300)
    for _ in range(5):
        setattr(pn532.emulator, fault, count)
        assert pn532.after(1000) == [(UID, True)]
    assert pn532.inbox.ups == [(pn532.inbox.ups[0][0], True)]


def test_a_pn532_that_lost_its_supply_is_missed_and_set_up_anew(pn532: Table) -> None:
    pn532.after(300)
    pn532.emulator.power_up(b"\x00\xff\x00\x00\x55")
    pn532.after(5000)
    assert [up for _, up in pn532.inbox.ups] == [True, False, True]
    pn532.reader.put(UID)
    assert pn532.after(300) == [(UID, True)]


def test_a_pn532_that_falls_silent_is_missed_and_found_again(pn532: Table) -> None:
    pn532.after(300)
    pn532.emulator.mute = True
    pn532.after(3000)
    assert pn532.inbox.ups[-1][1] is False
    assert "no reader answers" in str(pn532.reader.port.fault)
    pn532.emulator.mute = False
    pn532.after(2000)
    assert pn532.inbox.ups[-1][1] is True
    assert pn532.reader.port.fault is None


def test_two_tags_side_by_side_are_not_read_by_a_pn532(pn532: Table) -> None:
    pn532.reader.put(UID)
    pn532.reader.put("04A1B2C3D4E580")
    assert pn532.after(1000) == []


def test_the_same_evening_twice_gives_the_same_inputs() -> None:
    def evening() -> list[object]:
        table = Table("pn532", Pn532Emulator(halts=True))
        for uid in (UID, "04A1B2C3D4E580", UID):
            table.reader.put(uid)
            table.after(1000)
            table.reader.lift()
            table.after(700)
        table.reader.close()
        return list(table.inbox.inputs)

    assert evening() == evening()


@pytest.mark.parametrize("kind", ["rdm6300", "pn532"])
def test_a_card_clicked_onto_a_live_reader_travels_through_the_pty_and_nothing_leaks(kind: str) -> None:
    before = open_things()
    emulator = Pn532Emulator() if kind == "pn532" else RdmEmulator()
    tag = UID if kind == "pn532" else A
    live = LiveEmulator(emulator)
    inbox = Inbox(READERS[kind])
    reader = SerialReader(READERS[kind], live.port, inbox)
    live.start()
    reader.start()
    inbox.wait_for(lambda: (True,) in [(up,) for _, up in inbox.ups])
    live.put(tag)
    inbox.wait_for(lambda: inbox.arrivals() == [tag])
    live.lift()
    reader.close()
    live.close()
    live.close()
    assert open_things() == before


def test_a_live_reader_that_never_started_closes() -> None:
    before = open_things()
    LiveEmulator(RdmEmulator()).close()
    assert open_things() == before
