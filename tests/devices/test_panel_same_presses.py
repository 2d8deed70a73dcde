from devices import same_presses
from devices.panel_bench import MS, Line, Panel
from doubtable import tape
from doubtable.devices.simulated import SimulatedButtons
from doubtable.inputs import Input

SPACE = MS  # ns: two presses of the tape are further apart than this


def test_the_tape_itself_holds() -> None:
    found = tape.load(same_presses.TAPE)
    assert tape.check(found, tape.table_of(found)) == []


def test_the_simulation_gives_the_tapes_events_exactly() -> None:
    got: list[Input] = []
    now = 5_000_000_000
    buttons = SimulatedButtons(same_presses.SEATS, got.append, clock=lambda: now, uncertainty=0)
    buttons.start()
    for move in same_presses.moves():
        buttons.press(move.seat, bool(move.level), now + move.ns)
    buttons.close()
    assert same_presses.differences(same_presses.events(got, now), tolerance=0) == []


def test_the_panel_gives_them_within_what_it_declares() -> None:
    line = Line(Panel(), {seat: 13 - seat for seat in same_presses.SEATS})
    line.connect()
    begun, begun_us = line.now, line.panel.us
    for move in same_presses.moves():
        while line.now - begun < move.ns:
            line.step()
        line.panel.press(13 - move.seat, at=begun_us + move.ns // 1000)
    while line.now - begun < same_presses.end():
        line.step()
    found = same_presses.events(line.got, begun)
    assert same_presses.differences(found, tolerance=SPACE) == []
    assert same_presses.differences(found, tolerance=0) != []  # it is another clock, and that shows


def test_a_press_at_another_seat_is_a_difference() -> None:
    got: list[Input] = []
    buttons = SimulatedButtons(same_presses.SEATS, got.append, clock=lambda: 0, uncertainty=0)
    buttons.start()
    for move in same_presses.moves():
        buttons.press(2 if move.seat == 3 else 3 if move.seat == 2 else move.seat, bool(move.level), move.ns)
    assert same_presses.differences(same_presses.events(got, 0), SPACE) != []
