"""The plug was pulled in the middle of a claim: the table comes back at the same claim."""

from pathlib import Path

from doubtable.inputs import Device, Do, Serial, Source
from doubtable.players import simulated_tags
from doubtable.table import Table
from doubtable.timing import MS, S
from journal.cuts import claim, cut, feed, frame_of, names
from journal.evening import HOUR, NAMES, WALL, Evening, Virtual, new_table
from journal.following import rows_of


def test_the_table_comes_back_at_the_same_claim_and_its_window_has_its_full_time(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1, table=new_table())
    first.run_to(3 * S)
    claim(first, 2)
    first.run_to(first.machine.ns + 300 * MS)
    before = first.table.public()
    assert before["phase"] == "doubt"
    path = cut(first, tmp_path / "cut")

    second = Evening(path, 2, machine=Virtual(90 * S, "boot-2"))
    assert second.recovered.waiting is not None
    second.run_to(second.machine.ns + 30 * S)  # nothing happens by itself
    assert second.events == []
    assert second.table.public() == before
    second.go_on()
    assert names(second.events)[:2] == ["window", "read_levels"]
    assert second.table.public() == before
    opened = second.events[0].ns
    window = second.table.fold.game.window
    assert (window.opened, window.starts - opened) == (opened, second.table.timing.doubt)
    second.run_to(second.machine.ns + 500 * MS)
    second.tap(before["turn"] % 4 + 1)  # the next seat starts its turn
    assert second.table.public()["turn"] == before["turn"] % 4 + 1
    second.close()


def test_a_tap_does_not_go_on_and_a_button_that_leans_does_not(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    path = cut(first, tmp_path / "cut")
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    second.buttons.press(2, True)  # down when the levels are read for the first time: held since the start
    while not second.app.inbox.empty():
        second.app.inbox.get_nowait()
    second.buttons.read_levels()
    second.run_to(5 * S)
    second.tap(1)
    assert second.events == []
    second.hold(3)
    assert "restart" in rows_text(second)
    second.close()


def rows_text(evening: Evening) -> str:
    assert evening.journal is not None
    evening.journal.flush()
    return " ".join(row.body for row in rows_of(evening.journal.path))


def test_all_lamps_pulse_and_the_help_line_says_how_to_go_on(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    path = cut(first, tmp_path / "cut")
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    second.run_to(100 * MS)
    view = second.app.view
    assert view is not None
    assert (view.scene, view.help) == ("pause", ("HOLD = GO ON", {}))
    assert {seat.lamp for seat in view.seats} == {"pulsing"}
    assert second.lamps.lit == {1, 2, 3, 4}
    second.run_to(700 * MS)
    assert second.lamps.lit == frozenset()
    second.close()


def test_a_race_under_way_is_dropped_and_recorded(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(3 * S)
    claim(first)
    first.run_to(first.machine.ns + 200 * MS)
    turn = first.table.public()["turn"]
    others = [seat for seat in range(1, 5) if seat != turn and seat != turn % 4 + 1]
    first.buttons.press(others[0], True)
    first.run_to(first.machine.ns + 8 * MS)  # confirmed, not decided
    assert first.table.fold.race
    path = cut(first, tmp_path / "cut")
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    second.go_on()
    assert names(second.events)[:2] == ["cut", "window"]
    record = second.events[0].facts["record"]
    assert (record.outcome, [each.seat for each in record.candidates]) == ("cut", [others[0]])
    assert second.table.public()["doubter"] is None
    second.close()


def test_cards_shown_stay_and_the_tag_on_the_reader_counts_once(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(3 * S)
    claim(first, 2)
    turn = first.table.public()["turn"]
    feed(first, Do(first.machine.ns, turn % 4 + 1, "doubt"))
    first.run_to(first.machine.ns + S)
    tag = next(tag for tag, card in simulated_tags(1).items() if card.rank == "A")
    feed(first, Serial(first.machine.ns, frame_of(tag)))
    first.run_to(first.machine.ns + 100 * MS)
    assert names(first.events)[-1:] == ["reveal"]
    path = cut(first, tmp_path / "cut")

    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    second.go_on()
    feed(second, Serial(second.machine.ns, frame_of(tag)))  # it still lies there
    second.run_to(second.machine.ns + 300 * MS)
    assert "tag" in names(second.events)
    assert "reveal" not in names(second.events)
    assert second.table.public()["phase"] == "reveal"
    other = next(tag for tag, card in simulated_tags(1).items() if card.rank == "A" and card.suit == "H")
    feed(second, Serial(second.machine.ns, frame_of(other)))
    second.run_to(second.machine.ns + 3 * S)
    verdict = next(each for each in second.events if each.name == "verdict")
    assert verdict.facts["true"]
    second.close()


def test_what_devices_said_meanwhile_reaches_the_table(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    path = cut(first, tmp_path / "cut")
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    for up in (True, False):
        feed(second, Device(second.machine.ns, "reader", up))
    feed(second, Source(second.machine.ns, "gpio", up=True, uncertainty=0))
    second.go_on()
    assert [each.facts for each in second.events if each.name == "fault"] == [{"device": "reader", "what": "gone"}]
    second.close()


def test_a_parked_game_goes_on_with_one_hold_the_next_morning(path: Path, tmp_path: Path) -> None:
    """Parked for the night, the plug pulled, and back within twelve hours: hands and turn are there, GO ON once."""
    first = Evening(path, 1)
    first.run_to(3 * S)
    claim(first, 2)
    first.run_to(first.machine.ns + 10 * S)
    first.tap(2)  # its turn begins
    first.run_to(first.machine.ns + 700 * S)
    before = first.table.public()
    assert names(first.events)[-1] == "parked"
    path = cut(first, tmp_path / "cut")
    second = Evening(path, 2, machine=Virtual(0, "boot-2", wall=WALL + 11 * HOUR))
    assert second.recovered.waiting is not None
    second.run_to(S)
    assert second.app.view is not None
    assert (second.app.view.scene, second.app.view.help) == ("attract", ("PARKED:\nHOLD = GO ON", {}))
    second.go_on()
    assert "go_on" in names(second.events)
    assert not second.table.fold.house.paused
    assert second.table.public() == before
    assert second.app.view.scene == "lay"
    second.close()


def test_who_does_not_play_ends_no_pause(path: Path, tmp_path: Path) -> None:
    table = Table.evening(NAMES, new_table().timing)
    first = Evening(path, 1, table=table)
    for seat in (2, 3, 4):
        first.tap(seat)
    while "deal" not in names(first.events):
        first.hold(2)
        first.run_to(first.machine.ns + 6 * S)
    feed(first, Do(first.machine.ns, first.table.game.seats[0], "pause"))
    assert first.table.fold.house.paused
    path = cut(first, tmp_path / "cut")
    second = Evening(path, 2, machine=Virtual(0, "boot-2"), table=Table.evening(NAMES, new_table().timing))
    second.go_on()
    assert second.table.fold.house.paused
    second.hold(2)
    assert not second.table.fold.house.paused
    second.close()
