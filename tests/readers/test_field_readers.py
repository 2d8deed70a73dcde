"""F21-F28 and F31 as they were reported: the bytes of the field, in several chunkings and late in the clock's life.

F29 and F30 (unplugged, back under another name) need a port: tests/devices/test_serial_reader.py.
"""

from collections.abc import Callable, Iterable

import pytest

from devices.panel_bench import LINES, Line, Panel
from doubtable.devices.panel_session import State
from doubtable.inputs import Edge, Serial
from doubtable.readers import READERS, Reader, Sighting, reader_of
from doubtable.readers.pn532_frames import scan
from doubtable.timing import MS, S
from games.at_table import at

LATER = (0, 7 * 24 * 3600 * S)
Cut = Callable[[bytes], Iterable[bytes]]
CUTS: tuple[Cut, ...] = (
    lambda data: [data],
    lambda data: [data[at : at + 1] for at in range(len(data))],
    lambda data: [data[at : at + 5] for at in range(0, len(data), 5)],
)
everywhere = pytest.mark.parametrize("later", LATER, ids=["at-start", "after-a-week"])
cut_anyhow = pytest.mark.parametrize("cut", CUTS, ids=["whole", "byte-by-byte", "in-fives"])


def seen(reader: Reader, reads: Iterable[tuple[int, str]], cut: Cut, later: int, until: int = 0) -> list[Sighting]:
    """What a reader says to (ms, bytes), each read cut up; times are told as reported."""
    state, said = reader.start(), list[Sighting]()
    for ms, text in reads:
        for piece in cut(bytes.fromhex(text)):
            state, new = reader.feed(state, ms * MS + later, piece)
            said += new
    _, new = reader.advance(state, until * MS + later)
    return [Sighting(each.ns - later, each.id, each.present) for each in (*said, *new)]


def came(sightings: Iterable[Sighting]) -> list[str]:
    return [each.id for each in sightings if each.present]


RDM, ID12, PN532 = READERS["rdm6300"], READERS["id12"], READERS["pn532"]
CLONE = "02 30 31 31 34 41 45 33 42 42 43 3C 03"
FULL = "02 30 44 30 30 33 31 39 43 44 30 37 30 03"


@everywhere
@cut_anyhow
def test_f21_a_clone_with_a_raw_checksum(cut: Cut, later: int) -> None:
    assert came(seen(RDM, [(0, CLONE), (1500, CLONE)], cut, later)) == ["0114AE3BBC"]
    assert came(seen(RDM, [(0, "02 30 31 30 30 30 30 30 30 30 32 03 03")], cut, later)) == ["0100000002"]
    strict = reader_of("rdm6300", raw_checksum=False)
    assert came(seen(strict, [(0, CLONE), (1500, CLONE), (2000, FULL)], cut, later)) == ["0D00319CD0"]


@everywhere
@cut_anyhow
@pytest.mark.parametrize("reader", [ID12, RDM], ids=["id12", "rdm6300"])
def test_f22_cr_and_lf_before_the_end(reader: Reader, cut: Cut, later: int) -> None:
    assert came(seen(reader, [(0, "02 30 35 30 30 32 30 37 42 33 32 36 43 0D 0A 03")], cut, later)) == ["0500207B32"]


@everywhere
@cut_anyhow
def test_f23_repeats_a_stump_a_pause_and_the_frame_again(cut: Cut, later: int) -> None:
    reads = [(0, FULL), (50, FULL), (100, FULL), (150, "02 30 44 30"), (2150, FULL)]
    said = seen(RDM, reads, cut, later)
    assert came(said) == ["0D00319CD0", "0D00319CD0"]
    assert [each.present for each in said] == [True, False, True]


F24 = ("000000078F88", "00F00000F000", "F000060007F1", "B59A99E5A9FA", "4FFB388FFFFC", "DA9386B5EA90", "DAEF6FEE2B9F",
       "000000000000")  # fmt: skip


def test_f24_cards_that_do_not_exist_never_count_and_the_notice_is_not_a_flicker() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=1)
    table.slap(3)
    notices: list[bool] = []
    for frame in F24:
        table.ms += 250
        serial = b"\x02" + frame.encode() + b"\x03"
        table.feed(Serial(table.ns, serial))
        for _ in range(2):
            table.wait(100)
            notices.append(("UNKNOWN CARD", {}) in table.view.notices)
    assert len(table.all("tag")) == len(F24)
    assert table.all("reveal") == []
    assert table.phase == "reveal"
    assert table.all("verdict") == []
    assert all(notices), "one notice that stays, not one for each frame"


@everywhere
@cut_anyhow
def test_f25_neighbours_are_two_cards(cut: Cut, later: int) -> None:
    reads = [(0, "02 37 38 30 30 33 45 35 43 31 45 30 34 03"), (900, "02 37 38 30 30 33 45 35 43 31 46 30 35 03")]
    assert came(seen(RDM, reads, cut, later)) == ["78003E5C1E", "78003E5C1F"]


@everywhere
@cut_anyhow
def test_f26_a_seven_byte_uid_whose_last_two_bytes_come_later(cut: Cut, later: int) -> None:
    first = "00 00 FF 15 EB D5 4B 01 01 03 44 20 07 04 73 68 A2 C7 22 80 06 75 77 81 02 80"
    assert seen(PN532, [(0, first)], cut, later) == []
    assert came(seen(PN532, [(0, first), (5, "91 00")], cut, later)) == ["047368A2C72280"]


def test_f27_ack_and_answer_in_one_read() -> None:
    frames, rest = scan(bytes.fromhex("00 00 FF 00 FF 00 00 00 FF 03 FD D5 4B 00 E0 00"))
    assert [each.kind for each in frames] == ["ack", "data"]
    assert frames[1].body == bytes.fromhex("D5 4B 00")
    assert rest.strip(b"\x00") == b""


@everywhere
@cut_anyhow
def test_f28_a_resting_card_that_is_seen_every_second_poll(cut: Cut, later: int) -> None:
    none, card = "00 00 FF 03 FD D5 4B 00 E0 00", "00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 92 25 6F EB {} 00"
    body = bytes.fromhex("D5 4B 01 01 00 04 08 04 92 25 6F EB")
    card = card.format(f"{-sum(body) % 256:02X}")
    polls = [none, card, none, card, none, card, none, none, none]
    said = seen(PN532, [(200 * number, poll) for number, poll in enumerate(polls)], cut, later)
    assert [(each.ns // MS, each.id, each.present) for each in said] == [
        (200, "92256FEB", True),
        (1600, "92256FEB", False),
    ]


def test_f31_the_far_board_restarts_in_mid_line() -> None:
    rubbish = bytes.fromhex("70 30 3A 20 95 ED") + b"bumper_front_top.change=0;\xf6"
    rubbish += b"I (12) boot: ESP-IDF v4.4 2nd stage bootloader@87\r\n"
    line = Line(Panel(), LINES)
    line.connect()
    bad = line.session.bad
    line.panel = Panel(session=99)  # started anew: its clock and its numbers are others
    line.session.feed(rubbish + b"\x00", line.now)
    assert line.session.bad == bad + 1
    line.run(1500)
    assert line.session.state is State.UP
    assert line.sources == [False, True]
    line.panel.press(4)
    pressed = line.now
    line.run(20)
    edge = next(each for each in line.got if isinstance(each, Edge))
    assert (edge.seat, edge.level) == (5, 1)
    assert abs(edge.ns - pressed) < 2 * MS, "the panel's clock was measured anew"
    assert line.session.bad == bad + 1
