import struct

import pytest

from devices.panel_bench import LINES, MS, Line, Panel
from doubtable.devices import panel_protocol as protocol
from doubtable.devices.panel_session import PanelSession, State
from doubtable.inputs import Edge, Input, Levels, Source


@pytest.fixture
def line() -> Line:
    made = Line(Panel())
    made.connect()
    return made


def test_levels_first_and_no_source() -> None:
    panel = Panel()
    panel.press(4)
    line = Line(panel)
    line.connect()
    (levels,) = line.got
    assert isinstance(levels, Levels)
    assert levels.levels == {seat: int(seat == 5) for seat in LINES}
    assert 0 < line.now - levels.ns < 30 * MS
    assert line.session.problem is None


def test_what_was_pressed_before_the_levels_is_no_edge(line: Line) -> None:
    panel = Panel()
    panel.press(4)
    line = Line(panel)
    line.session.opened(line.now)
    while line.session.state is not State.READING:
        line.step()
    panel.press(4)
    line.until(State.UP)
    line.run(100)
    (levels,) = line.levels
    assert levels.levels[5] == 0
    assert line.edges == []
    panel.press(4)
    line.run(100)
    assert [edge.seq for edge in line.edges] == [1]


def test_edges_have_the_panels_stamps_on_the_tables_clock(line: Line) -> None:
    line.run(1000)
    pressed = line.now
    line.panel.press(2, at=line.panel.us)
    line.panel.press(0, at=line.panel.us + 1)
    line.run(50)
    three, one = line.edges
    assert (three.seat, three.level, three.source, three.seq) == (3, 1, "panel", 1)
    assert (one.seat, one.seq, one.ns - three.ns) == (1, 2, 1000)
    assert abs(three.ns - pressed) < 400_000


def test_all_thirteen_at_once_have_one_stamp(line: Line) -> None:
    line.panel.press(*range(13))
    line.run(50)
    assert [edge.seat for edge in line.edges] == list(range(1, 14))
    assert [edge.seq for edge in line.edges] == list(range(1, 14))
    assert len({edge.ns for edge in line.edges}) == 1


def test_lines_without_a_seat_are_silent_and_leave_no_hole() -> None:
    line = Line(Panel(), {1: 3, 2: 7})
    line.connect()
    for at in (3, 5, 7, 12, 3):
        line.panel.press(at)
        line.run(30)
    assert [(edge.seat, edge.seq) for edge in line.edges] == [(1, 1), (2, 2), (1, 3)]
    assert line.levels[0].levels == {1: 0, 2: 0}
    assert line.sources == []


def test_alone_a_microsecond_mixed_half_the_best_round_trip() -> None:
    alone = Line(Panel())
    mixed = Line(Panel(), mixed=True, delay=400_000)
    for line in (alone, mixed):
        line.connect()
        line.panel.press(0)
        line.run(50)
    assert alone.session.uncertainty == alone.edges[0].uncertainty == 1_000
    assert 400_000 <= mixed.session.uncertainty <= 700_000
    assert 400_000 <= mixed.edges[0].uncertainty <= 700_000


def test_drained_keeps_up_and_never_runs_ahead_of_an_edge(line: Line) -> None:
    last = line.session.drained
    for turn in range(600):
        if turn % 7 == 0:
            line.panel.press(turn % 13)
        line.run(3)
        edges = [edge.ns for edge in line.edges]
        assert line.session.drained >= last
        assert line.now - line.session.drained < 30 * MS
        line.run(1)
        assert all(edge.ns > last for edge in line.edges[len(edges) :])
        last = line.session.drained


def test_levels_on_demand(line: Line) -> None:
    line.panel.press(6)
    line.session.read_levels()
    line.run(20)
    kinds = [type(each) for each in line.got[1:]]
    assert kinds == [Edge, Levels]
    assert line.levels[1].levels[7] == 1


def test_nothing_is_asked_of_a_lost_panel() -> None:
    session = PanelSession(LINES, list[Input]().append)
    session.read_levels()
    assert session.output() == b""
    assert session.problem == ("is not there", "plug it in")


# --- what gets lost on the way


def test_a_frame_that_is_lost_is_sent_again(line: Line) -> None:
    line.mangle = lambda frame: b"" if b"\x82" in frame else frame
    for at in range(5):
        line.panel.press(at)
        line.run(5)
    line.mangle = lambda frame: frame
    line.run(200)
    assert [(edge.seat, edge.seq) for edge in line.edges] == [(seat, seat) for seat in range(1, 6)]
    assert line.sources == []
    assert line.session.lost == 0


def test_every_third_frame_mangled_loses_nothing(line: Line) -> None:
    count = 0

    def mangle(frame: bytes) -> bytes:
        nonlocal count
        count += 1
        return frame[:-3] + b"\x55\x00" if count % 3 == 0 else frame

    line.mangle = mangle
    for at in range(200):
        line.panel.press(at % 13)
        line.run(6)
    line.mangle = lambda frame: frame
    line.run(500)
    assert [edge.seq for edge in line.edges] == list(range(1, 201))
    assert line.session.bad > 50
    assert line.sources == []


def test_a_hole_shows_in_the_numbers_of_the_edges_after_it(line: Line) -> None:
    line.panel.outbox.skip(16)
    line.panel.press(3)
    line.run(200)
    assert [(edge.seat, edge.seq) for edge in line.edges] == [(4, 17)]
    assert line.session.lost == 16
    assert line.sources == []


def test_a_hole_without_an_edge_after_it_is_a_source_that_went_and_came(line: Line) -> None:
    line.panel.outbox.skip(2)
    line.run(300)
    assert line.edges == []
    assert line.sources == [False, True]
    assert isinstance(line.got[-1], Levels)
    line.panel.press(3)
    line.run(50)
    assert [edge.seq for edge in line.edges] == [3]
    assert line.sources == [False, True]


# --- lost and found


def test_silence_is_a_loss_and_what_was_pressed_meanwhile_comes_with_its_own_stamps(line: Line) -> None:
    line.run(3000)
    line.cut = True
    line.run(1000)
    assert line.sources == [False]
    assert line.session.problem is not None
    true = []
    for at in range(5):
        line.run(3000)
        true.append(line.now)
        line.panel.press(at)
    line.run(4000)
    line.cut = False
    line.until(State.UP)
    line.run(300)
    assert line.sources == [False, True]
    back = line.got.index(next(each for each in line.got if isinstance(each, Source) and each.up))
    assert [type(each) for each in line.got[back + 1 :]] == [Edge] * 5 + [Levels]
    for edge, ns in zip(line.edges, true, strict=True):
        assert abs(edge.ns - ns) < MS
    assert [edge.seq for edge in line.edges] == [1, 2, 3, 4, 5]
    assert line.session.lost == 0


def test_when_too_much_happened_meanwhile_the_oldest_are_gone_and_counted() -> None:
    line = Line(Panel(capacity=32))
    line.connect()
    line.cut = True
    line.run(600)
    for at in range(50):
        line.panel.press(at % 13)
        line.run(1)
    line.cut = False
    line.until(State.UP)
    line.run(300)
    assert [edge.seq for edge in line.edges] == list(range(19, 51))
    assert line.session.lost == 18
    assert line.sources == [False, True]


def test_a_panel_that_starts_anew_has_new_levels_and_a_new_clock(line: Line) -> None:
    line.panel.press(0)
    line.run(100)
    old = line.panel
    line.panel = Panel(session=78)
    line.panel.press(8)
    line.panel.us = 40
    line.run(3000)
    assert line.session.state is State.UP
    assert line.sources == [False, True]
    back = line.got.index(next(each for each in line.got if isinstance(each, Source) and each.up))
    levels = line.got[back + 1]
    assert isinstance(levels, Levels)
    assert levels.levels == {seat: int(seat == 9) for seat in LINES}
    line.panel.press(8)
    line.run(50)
    assert [(edge.seat, edge.level, edge.seq) for edge in line.edges] == [(1, 1, 1), (9, 0, 2)]
    assert abs(line.edges[1].ns - line.now) < 60 * MS
    assert old.outbox.waiting == 0


def test_a_panel_that_says_it_has_started_anew_is_lost_with_a_reason(line: Line) -> None:
    hello = bytes((protocol.PROTOCOL, *protocol.MINIMUM_FIRMWARE))
    hello += struct.pack("<BHII8s", protocol.LINES, 1024, 78, 0, b"another!")
    line.session.feed(protocol.frame(protocol.HELLO, hello), line.now)
    assert line.sources == [False]
    assert line.session.problem == ("was started anew", "nothing to do: it is measured anew")
    line.until(State.UP)
    assert line.session.problem is None


def test_a_panel_that_had_not_heard_us_gets_its_lamps_again(line: Line) -> None:
    line.session.show(0x0801)
    line.run(50)
    assert line.panel.link.lamps == 0x0801
    line.panel.link.attached = False
    line.panel.link.lamps = 0
    line.run(1000)
    assert line.panel.link.lamps == 0x0801
    assert line.sources == []


def test_lamps_that_were_set_while_the_panel_was_away(line: Line) -> None:
    line.session.closed(line.now, "is lost", "wait")
    line.session.show(0x0003)
    line.run(100)
    line.connect()
    line.run(50)
    assert line.panel.link.lamps == 3
    assert line.sources == [False, True]


def test_a_clock_that_jumps_is_measured_anew(line: Line) -> None:
    line.run(15_000)
    line.panel.us += 3_000_000
    line.run(15_000)
    assert line.sources == [False, True]
    line.panel.press(1)
    line.run(50)
    assert abs(line.edges[-1].ns - line.now) < 60 * MS


@pytest.mark.parametrize("drift", [-6, 6])  # 60 parts in a million
def test_drift_is_followed(line: Line, drift: int) -> None:
    line.drift = drift
    for _ in range(30):
        line.run(1000)
        pressed = line.now
        line.panel.press(1)
        line.run(50)
        assert abs(line.edges[-1].ns - pressed) < 500_000
    assert line.sources == []


# --- panels that cannot be worked with


def test_old_firmware_is_one_line_with_the_command() -> None:
    session = PanelSession(LINES, list[Input]().append)
    session.opened(0)
    session.feed(protocol.frame(0x81, bytes([0, 0, 9, 1]) + bytes(19)), MS)
    assert session.state is State.GREETING
    assert session.problem is not None
    what, way_out = session.problem
    assert what.startswith("has firmware 0.9.1, which speaks protocol 0; this program speaks 1")
    assert way_out == "run: doubtable panel flash"


def test_a_board_without_the_program() -> None:
    session = PanelSession(LINES, list[Input]().append)
    session.opened(0)
    session.feed(b"\r\nMicroPython v1.25.0 on 2025-04-15; Raspberry Pi Pico with RP2040\r\n>>> ", MS)
    assert session.problem == ("runs MicroPython but not the panel's program", "run: doubtable panel flash")


def test_a_program_that_has_ended_is_started_again() -> None:
    session = PanelSession(LINES, list[Input]().append)
    session.opened(0)
    said = b""
    for ms in range(0, 6500, 10):
        session.tick(ms * MS)
        said += session.output()
    assert said.count(protocol.ask_hello()) == 13
    assert said.count(b"\x03\x03\x02\x04") == 2


def test_rubbish_is_counted_and_harmless(line: Line) -> None:
    before = line.session.bad
    line.session.feed(b"AT\r\n\x00\xff\xfe\x00Traceback\x00", line.now)
    line.run(100)
    assert line.session.bad == before + 3
    assert line.session.state is State.UP
    assert line.sources == []


def test_counters(line: Line) -> None:
    line.session.ask_status()
    line.run(20)
    assert line.session.status is not None
    assert line.session.status.longest == 4100
