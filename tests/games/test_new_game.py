"""A fifth game is one file (odd_even.py) and one line: everything else plays, shows, records and undoes it."""

import json

import pytest

from doubtable import tape
from doubtable.cli import main
from doubtable.events import Event
from doubtable.games import GAMES
from doubtable.games.options import OptionError
from doubtable.journal.totals import Totals
from doubtable.simulation import Simulation, header_of, simulated_table
from games.at_table import AtTable, at, evening
from games.odd_even import OddEven


@pytest.fixture(autouse=True)
def one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, OddEven.id, OddEven)


def both_odd(table: AtTable) -> None:
    """Seat 1, the dealer's left, wins a round."""
    table.hold(1)
    table.hold(2)


def test_played_by_buttons_to_its_end() -> None:
    table = at("odd-even", 2)
    both_odd(table)
    table.hold(1)
    table.press(2)
    table.hold(2)  # odd, even: a round for seat 2
    both_odd(table)
    assert table.last("win") == {"seat": 1}
    assert table.last("over") == {"scores": [1, -1]}


def test_shown_by_a_generic_scene() -> None:
    table = at("odd-even", 2)
    seen = table.view
    assert (seen.scene, seen.headline, seen.help) == ("guess", ("ODD OR EVEN?", {}), ("TAP = NEXT\nHOLD = DO IT", {}))
    assert [(strip.seat, strip.labels, strip.cursor) for strip in seen.strips] == [(1, ("ODD", "EVEN", "MENU"), 0)]
    assert table.lamps() == ("pulsing", "off")
    table.press(1)
    assert table.view.strips[0].cursor == 1


def test_played_by_simulated_people_replayed_and_thawed() -> None:
    lines: list[str] = []
    heard: list[Event] = []
    table = simulated_table("odd-even", 2, {"rounds": 5})
    simulation = Simulation(table, 3, heard=lambda events, ns: heard.extend(events), record=lines.append)
    simulation.run()
    simulation.close()
    assert simulation.over
    found = tape.read(lines)
    again = tape.table_of(found)
    assert again.game.options == {"rounds": 5}
    assert list(tape.replay(found, again)) == heard
    thawed = tape.table_of(found)
    thawed.load(json.loads(json.dumps(table.dump())))
    assert thawed.dump() == table.dump()


def test_undone() -> None:
    table = at("odd-even", 2)
    table.hold(1)
    before = table.state
    table.press(2)
    table.hold(2)
    assert table.state.won == {2: 1}
    table.order("undo")
    assert table.state == before
    assert table.cursor(2) == "ODD"


def test_an_undone_end_does_not_count() -> None:
    table = at("odd-even", 2)
    both_odd(table)
    both_odd(table)
    assert (table.view.totals, table.view.deals) == ((1, -1), 1)
    table.order("undo")
    assert (table.phase, table.view.totals, table.view.deals) == ("guess", (0, 0), 0)


def test_its_length_is_counted_like_any_games() -> None:
    table = at("odd-even", 2)
    both_odd(table)
    totals = Totals()
    totals.hear(table.said)
    assert totals.claims == 2


def test_its_acts_stand_on_tapes() -> None:
    header = tape.header_line(header_of(at("odd-even", 2).table))
    act = '{"ms": 5, "do": {"seat": 1, "act": "guess", "says": "odd"}}'
    found = tape.read([header, act, '{"expect": {"event": "guess", "seat": 1}}'])
    assert tape.check(found, tape.table_of(found)) == []


def test_chosen_in_the_lobby_and_dealt() -> None:
    table = evening(2)
    table.press(1)
    table.press(2)
    table.hold(2)
    table.pick(2, "Odd or Even", "BOOK")
    table.wait(5200)
    table.hold(2)
    assert (table.phase, table.state.turn, table.state.dealer) == ("guess", 1, 2)


def test_demonstrated_with_as_many_people_as_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--game", "odd-even", "--games", "2", "--fast"]) == 0
    assert "odd-even, 2 people, seed 1: 2 games" in capsys.readouterr().out


def test_options_and_rules_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "odd-even"]) == 0
    assert "rounds" in capsys.readouterr().out
    with pytest.raises(OptionError, match="option rounds 12 does not exist: 1 to 9"):
        at("odd-even", 2, options={"rounds": 12})
