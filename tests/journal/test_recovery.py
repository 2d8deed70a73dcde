"""The plug was pulled in the middle of a claim: the table comes back at the same claim."""

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from doubtable.cards import Card
from doubtable.events import Event
from doubtable.inputs import Device, Do, Input, Order, Restart, Serial, Source
from doubtable.journal import Journal, chain, reading
from doubtable.journal.clock import WallClock
from doubtable.journal.reading import Last
from doubtable.journal.waiting import gap
from doubtable.players import simulated_tags
from doubtable.recovery import recover
from doubtable.table import Table
from doubtable.timing import MS, S, Timing
from journal.evening import NAMES, WALL, Evening, Virtual, new_table
from journal.following import rows_of

HOUR = 3600 * S


def cut(evening: Evening, to: Path) -> Path:
    """The files as they are: the power is off. The old table is then switched off out of sight."""
    assert evening.journal is not None
    evening.journal.flush()
    to.mkdir()
    for each in evening.journal.path.parent.glob("journal.db*"):
        if not each.name.endswith(("-shm", ".lock")):
            shutil.copy(each, to / each.name)
    evening.close()
    return to / "journal.db"


def claim(evening: Evening, count: int = 1) -> None:
    """The seat on turn lays cards."""
    turn = evening.table.public()["turn"]
    evening.app.deliver(Do(evening.machine.ns, turn, "claim", count))
    evening.step()


def feed(evening: Evening, given: Input) -> None:
    evening.app.deliver(given)
    evening.step()


def names(events: list[Event]) -> list[str]:
    return [each.name for each in events]


def restart_of(evening: Evening) -> tuple[int, int]:
    """Stamp and gap of the last restart in its journal."""
    assert evening.journal is not None
    evening.journal.flush()
    found = [reading.input_on(row, 4) for row in rows_of(evening.journal.path) if row.kind == chain.IN]
    last = [each for each in found if isinstance(each, Restart)][-1]
    return last.ns, last.gap


# GO ON --------------------------------------------------------------------------------------------------------------


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


def frame_of(tag: str) -> bytes:
    """What an RDM6300 sends for a tag."""
    check = 0
    for byte in bytes.fromhex(tag):
        check ^= byte
    return b"\x02" + tag.encode() + f"{check:02X}".encode() + b"\x03"


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


# The clock ----------------------------------------------------------------------------------------------------------


def test_within_one_boot_the_clock_goes_on_as_if_it_had_never_stopped(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1, machine=Virtual(7 * S))
    first.run_to(12 * S)
    claim(first)  # at 5 s of the table
    path = cut(first, tmp_path / "cut")
    second = Evening(path, 2, machine=Virtual(100 * S, is_set=False, wall=0))
    second.go_on()
    stamp, off = restart_of(second)
    assert stamp == 5 * S
    assert 0 <= stamp + off - (100 * S + 100 * MS + 700 * MS - 7 * S) <= 2 * MS
    second.close()


BEFORE = Last("boot-1", WallClock(0, WALL, True))


@pytest.mark.parametrize(
    ("last", "machine", "mono", "expected"),
    [
        (BEFORE, Virtual(500 * S, "boot-1"), 500 * S, 400 * S + MS),
        (BEFORE, Virtual(20 * S, "boot-2", wall=WALL + HOUR), 20 * S, HOUR + 20 * S - 100 * S + MS),
        (BEFORE, Virtual(20 * S, "boot-2", wall=WALL + HOUR, is_set=False), 20 * S, 20 * S + MS),
        (BEFORE, Virtual(20 * S, "boot-2", wall=WALL - HOUR), 20 * S, 20 * S + MS),
        (Last("boot-1", WallClock(0, 0, False)), Virtual(20 * S, "boot-2"), 20 * S, 20 * S + MS),
        (Last("", WallClock(0, 0, False)), Virtual(20 * S, ""), 20 * S, 20 * S + MS),
        (None, Virtual(20 * S, "boot-2"), 20 * S, 20 * S + MS),
    ],
)
def test_the_gap_is_what_the_clocks_can_vouch_for(
    last: Last | None, machine: Virtual, mono: int, expected: int
) -> None:
    """Last input at 100 s of the table."""
    assert gap(last, 100 * S, machine.clocks(), mono) == expected


def test_an_evening_that_was_left_too_long_ago_is_over(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    claim(first)
    path = cut(first, tmp_path / "cut")
    second = Evening(path, 2, machine=Virtual(0, "boot-2", wall=WALL + 13 * HOUR))
    assert second.recovered.waiting is None
    second.run_to(S)
    assert "deal" in names(second.events)
    second.close()
    database = sqlite3.connect(path)
    assert database.execute("SELECT id, ended FROM games ORDER BY id").fetchall() == [(1, "cut"), (2, "")]
    database.close()


# What may be wrong --------------------------------------------------------------------------------------------------


class Planted(Exception):
    """A fault of the program, for one input only."""


def plant(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """From now on every table fails at a claim of ``count`` cards."""
    true = Table.feed

    def feed(self: Table, given: Input) -> list[Event]:
        if isinstance(given, Do) and given.act == "claim" and given.count == count:
            raise Planted("no such claim")
        return true(self, given)

    monkeypatch.setattr(Table, "feed", feed)


def test_an_input_that_fails_is_passed_over_and_kept(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    claim(first, 1)
    first.run_to(3 * S)
    before = first.table.public()
    plant(monkeypatch, 3)
    with pytest.raises(Planted):
        claim(first, 3)
    rows = len(rows_of(cut(first, tmp_path / "cut")))

    for boot in ("boot-2", "boot-3"):  # the second start needs no second fault
        second = Evening(tmp_path / "cut" / "journal.db", 2, machine=Virtual(0, boot))
        assert second.recovered.waiting is not None
        assert second.table.public() == before
        assert [f"row {rows} cannot" in each for each in second.recovered.faults] == [True] * (boot == "boot-2")
        assert second.journal is not None
        second.journal.flush()
        second.journal.close()
    third = Evening(tmp_path / "cut" / "journal.db", 3, machine=Virtual(0, "boot-4"))
    third.go_on()
    claim(third, 2)
    third.run_to(third.machine.ns + S)
    assert third.table.public()["phase"] == "doubt"
    third.close()
    found = rows_of(tmp_path / "cut" / "journal.db")
    assert '"claim", "count": 3' in found[rows - 1].body
    skips = [reading.body_of(row) for row in found if row.kind == chain.SKIP]
    assert skips == [{"first": rows, "last": rows, "error": "Planted: no such claim"}]


def test_a_checkpoint_that_cannot_be_read_is_passed_over(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    for _ in first.play(40):
        pass
    state = first.table.dump()
    path = cut(first, tmp_path / "cut")
    database = sqlite3.connect(path)
    points = [n for (n,) in database.execute("SELECT n FROM points ORDER BY n DESC")]
    assert len(points) > 1
    database.execute("UPDATE points SET state = x'00' WHERE n = ?", (points[0],))
    database.commit()
    database.close()
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    assert second.table.dump() == state
    second.close()


def test_with_no_checkpoint_that_can_be_read_the_table_begins_anew(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    path = cut(first, tmp_path / "cut")
    database = sqlite3.connect(path)
    database.execute("UPDATE points SET state = x'00'")
    database.commit()
    database.close()
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    assert second.recovered.waiting is None
    second.close()


def test_a_stop_and_a_start_in_the_middle_of_a_game_go_on_from_the_last_checkpoint(path: Path) -> None:
    """An update: nothing is replayed, so a newer program need not decide old races again."""
    first = Evening(path, 1)
    for _ in first.play(30):
        pass
    state = first.table.dump()
    first.close()
    assert rows_of(path)[-1].kind == chain.POINT
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    assert second.table.dump() == state
    second.close()


def test_other_seats_begin_anew_other_names_do_not(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    path = cut(first, tmp_path / "cut")
    five = Table.evening((*NAMES, "Eva"), Timing())
    journal = Journal(path, clocks=Virtual(0, "boot-2").clocks())
    assert recover(journal, five).table is five
    journal.close()


def test_names_are_those_of_today(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    path = cut(first, tmp_path / "cut")
    table = new_table()
    table.names = ("Zoe", *NAMES[1:])
    second = Evening(path, 2, machine=Virtual(0, "boot-2"), table=table)
    assert second.recovered.waiting is not None
    assert second.table.names == ("Zoe", *NAMES[1:])
    second.close()


def test_new_times_count_from_the_next_game_on(path: Path, tmp_path: Path) -> None:
    """What was recorded holds until the game is over; between games the table's own settings do."""
    first = Evening(path, 1, table=new_table(lobby=True))
    first.run_to(S)
    path = cut(first, tmp_path / "cut")
    slow = Table.evening(NAMES, replace(new_table().timing, doubt=9 * S))
    second = Evening(path, 2, machine=Virtual(0, "boot-2"), table=slow)
    assert second.table.timing.doubt == 9 * S
    second.close()


# Orders -------------------------------------------------------------------------------------------------------------


def test_an_undo_is_an_input_like_any_other(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    claim(first, 2)
    first.run_to(2 * S)
    feed(first, Order(first.machine.ns, "undo"))
    assert names(first.events)[-1] == "hands"
    before = first.table.public()
    path = cut(first, tmp_path / "cut")
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    assert second.table.public() == before
    assert before["pile"] == 0
    second.close()


@pytest.mark.parametrize(
    ("act", "facts"),
    [
        ("undo", {}),
        ("set_hands", {"hands": (10, 14, 13, 13)}),
        ("card", {"card": Card("A", "S")}),
        ("skip", {}),
        ("remove", {"seat": 3}),
        ("new_game", {}),
    ],
)
@pytest.mark.parametrize("doubted", [False, True])
def test_every_order_is_there_after_a_cut(
    path: Path, tmp_path: Path, act: str, facts: dict[str, Any], doubted: bool
) -> None:
    """Whatever the order did, or was refused for, it is a row, and the table comes back behind it."""
    first = Evening(path, 1)
    first.run_to(S)
    claim(first, 2)
    turn = first.table.public()["turn"]
    feed(first, Do(first.machine.ns, turn % 4 + 1, "doubt" if doubted else "start"))
    first.run_to(first.machine.ns + S)
    said = len(first.events)
    feed(first, Order(first.machine.ns, act, **facts))
    first.run_to(first.machine.ns + 100 * MS)
    assert len(first.events) > said, "something came of it"
    state = first.table.dump()
    path = cut(first, tmp_path / "cut")
    assert f'"act": "{act}"' in " ".join(row.body for row in rows_of(path))
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    assert second.table.dump() == state
    second.close()


def test_an_undo_never_goes_across_a_shown_card_nor_a_cut(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    claim(first, 2)
    turn = first.table.public()["turn"]
    feed(first, Do(first.machine.ns, turn % 4 + 1, "doubt"))
    first.run_to(first.machine.ns + S)
    feed(first, Serial(first.machine.ns, frame_of(next(iter(simulated_tags(1))))))
    first.run_to(first.machine.ns + 100 * MS)
    path = cut(first, tmp_path / "cut")
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    second.go_on()
    feed(second, Order(second.machine.ns, "undo"))
    assert second.events[-1].facts["why"] == "a card has been shown"
    second.close()
