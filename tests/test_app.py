"""The app around the core, with a clock that a test turns and devices that a test plays."""

from collections.abc import Mapping
from itertools import pairwise

import pytest

from app_bench import START, Bench, Clock, Wires, edge, names
from doubtable.app import DRAIN_WAIT, IDLE_WAIT, LOOK_EVERY, LOOK_SELDOM, STILL_AFTER
from doubtable.button_sources import SILENT, ButtonSources
from doubtable.devices.ports import DeviceError
from doubtable.devices.simulated import SimulatedButtons
from doubtable.games.bare import RaceOnly
from doubtable.inputs import Do, Edge, Input, Levels, Serial, Source, TagSeen, Time
from doubtable.simulation import Simulation, simulated_table
from doubtable.table import Table
from doubtable.timing import MS, Timing


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_time_is_fed_only_as_far_as_the_wires_were_read(bench: Bench) -> None:
    bench.deliver(edge(1, 1, 1))
    bench.at(100, drained=4)
    assert "press" not in names(bench.events), "the burst could still go on"
    bench.at(100)
    assert bench.events[-1].name == "press"
    assert bench.events[-1].ns == 1 * MS


def test_time_is_fed_only_when_the_table_has_asked_for_it(bench: Bench) -> None:
    bench.deliver(Levels(START, dict.fromkeys((1, 2, 3, 4), 0)))
    for ms in range(1, 1000, 7):
        bench.at(ms)
    assert len(bench.fed) == 1, bench.fed


def test_an_edge_that_comes_in_between_is_fed_before_the_time(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wires deliver an edge at the very moment at which they are asked how far they were read."""
    bench.deliver(edge(1, 1, 1))

    def drained_to() -> int:
        if len(bench.fed) == 0:
            bench.deliver(edge(3, 1, 0))
        return START + 100 * MS

    monkeypatch.setattr(bench.wires, "drained_to", drained_to)
    bench.at(100)
    bench.at(101)
    assert [line.split(", ")[0] for line in bench.fed] == ['{"ns": 1000000', '{"ns": 3000000', '{"ns": 100000000}']
    assert "press" not in names(bench.events), "it was a spike of 2 ms"


def test_bytes_of_the_reader_wait_for_edges_stamped_before_them(bench: Bench) -> None:
    bench.deliver(Serial(START + 50 * MS, b"\x02"))
    bench.deliver(edge(60, 2, 1))
    bench.at(70, drained=40)
    assert bench.fed == [], "an edge of 45 ms may still come; what was delivered later waits behind"
    assert bench.app.wait_time(IDLE_WAIT) == DRAIN_WAIT
    bench.deliver(edge(45, 1, 1))
    bench.at(71)
    assert [("serial" in line, '"edge": [2' in line, '"edge": [1' in line) for line in bench.fed[:3]] == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ]
    assert bench.app.wait_time(IDLE_WAIT) > 0


def test_stamps_count_from_the_start_and_are_never_negative(bench: Bench) -> None:
    bench.deliver(Edge(START - 5, 1, 1))
    bench.at(0)
    assert bench.fed[0].startswith('{"ns": 0,')


def test_the_core_asks_for_the_levels_and_the_app_reads_them(bench: Bench) -> None:
    bench.deliver(Source(START, "gpio", up=True))
    bench.deliver(Source(START + 1, "gpio", up=False))
    bench.deliver(Source(START + 2, "gpio", up=True))
    bench.at(1)
    assert "read_levels" in names(bench.events)
    assert bench.wires.levels_read == 1


def test_lamps_are_switched_before_the_screen_is_drawn(bench: Bench) -> None:
    bench.at(0)
    turn = bench.app.table.fold.game.turn
    assert bench.lamps.lit == {turn}, "pulsing: its choice"
    assert bench.screen.lit == [{turn}]


def test_a_view_is_made_only_when_something_can_have_changed_it(bench: Bench) -> None:
    bench.at(0)
    for _ in range(10):
        bench.app.step()
    assert len(bench.screen.views) == 1
    bench.at(int(LOOK_EVERY / MS) + 1)
    assert len(bench.screen.views) == 2


def runs(bench: Bench, until: int) -> list[int]:
    """The loop sleeps as long as it may, up to ``until`` ms; returns when it made a view anew, in ms."""
    made: list[int] = []
    while bench.app.now() < until * MS:
        bench.clock.ns += bench.app.wait_time(50 * MS)
        bench.wires.drained = bench.clock.ns
        before = len(bench.screen.views)
        bench.app.step()
        made += [bench.app.now() // MS] * (len(bench.screen.views) - before)
    return made


def test_at_a_still_table_a_view_is_made_seldom(bench: Bench) -> None:
    bench.at(0)
    lively = runs(bench, STILL_AFTER // MS)
    assert len(lively) == STILL_AFTER // LOOK_EVERY
    still = runs(bench, 2 * STILL_AFTER // MS)
    assert len(still) <= 2 * STILL_AFTER // LOOK_SELDOM, "and for the pulsing lamp"
    assert {625 * pulse for pulse in range(9, 17)} <= set(still)
    bench.deliver(edge(10_100, 1, 1))
    assert len(runs(bench, 11_100)) >= 1000 * MS // LOOK_EVERY, "somebody presses"


def test_what_is_shown_for_a_moment_goes_on_time(bench: Bench) -> None:
    """At a table that has been still: a void press, and a tag that nobody knows."""
    bench.at(0)
    runs(bench, 7000)
    assert bench.app.view is not None
    bench.deliver(edge(7000, 2, 1))
    bench.deliver(TagSeen(START + 7010 * MS, "FFFFFFFFFF"))
    bench.deliver(edge(7060, 2, 0))
    runs(bench, 8950)
    assert (bench.app.view.seats[1].void, len(bench.app.view.notices)) == ("early", 1)
    runs(bench, 9050)
    assert (bench.app.view.seats[1].void, len(bench.app.view.notices)) == ("", 1)
    runs(bench, 10_950)
    assert len(bench.app.view.notices) == 1
    runs(bench, 11_050)
    assert not bench.app.view.notices


def test_while_a_window_is_open_the_table_is_not_still(bench: Bench) -> None:
    bench.at(0)
    turn = bench.app.table.fold.game.turn
    bench.deliver(Do(START + MS, turn, "claim", count=1))
    bench.at(2)
    assert bench.app.table.fold.game.window is not None
    made = runs(bench, 12_000)
    assert max(late - early for early, late in pairwise(made)) <= LOOK_EVERY // MS
    bench.deliver(Do(bench.clock.ns, 3, "doubt"))
    made = runs(bench, 22_000)
    assert bench.app.view is not None
    assert bench.app.view.scene == "reveal"
    assert max(late - early for early, late in pairwise(made)) <= LOOK_EVERY // MS


def test_pulsing_lamps_switch_on_time(bench: Bench) -> None:
    bench.at(0)
    while bench.clock.ns < START + 3000 * MS:
        bench.clock.ns += bench.app.wait_time(IDLE_WAIT)
        bench.wires.drained = bench.clock.ns
        bench.app.step()
    switched = [(change.ns - START) // MS for change in bench.lamps.changes]
    assert switched == [0, 625, 1250, 1875, 2500]


def test_lamps_that_are_lost_are_an_input_and_are_asked_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.at(0)
    shows: list[Mapping[int, bool]] = []
    monkeypatch.setattr(bench.lamps, "show", shows.append)
    bench.lamps.fault = DeviceError("lamps", "lost", "wait")
    bench.at(630)
    bench.at(631)
    assert '"device": "lamps", "up": false' in bench.fed[-1]
    bench.at(700)
    assert len(shows) > 1, "they are looked for again"
    bench.lamps.fault = None
    bench.at(800)
    bench.at(801)
    assert '"device": "lamps", "up": true' in bench.fed[-1]


def test_close_puts_the_lamps_out_and_may_be_called_twice(bench: Bench) -> None:
    bench.at(0)
    assert bench.lamps.lit
    bench.app.close()
    bench.app.close()
    assert not bench.lamps.lit
    assert bench.wires.closed == bench.screen.closed == 2


def sources() -> tuple[Clock, Wires, Wires, list[Input], ButtonSources]:
    clock, header, panel, delivered = Clock(), Wires("gpio"), Wires("panel"), list[Input]()
    return clock, header, panel, delivered, ButtonSources((header, panel), delivered.append, clock)


def test_several_sources_are_drained_as_far_as_the_slowest() -> None:
    clock, header, panel, _, both = sources()
    clock.ns, header.drained, panel.drained = START + 100, START + 90, START + 60
    assert both.drained_to() == START + 60


def test_a_source_that_says_it_is_lost_holds_nothing_up() -> None:
    clock, header, panel, delivered, both = sources()
    clock.ns, header.drained = START + 2 * SILENT, START + 2 * SILENT - 5
    panel.fault = DeviceError("panel", "pulled out", "plug it in")
    assert both.drained_to() == header.drained
    assert delivered == [], "it says so itself"
    header.fault = panel.fault
    assert both.drained_to() == clock.ns


def test_a_silent_source_is_lost_after_half_a_second_and_back_when_it_is_heard() -> None:
    clock, header, panel, delivered, both = sources()
    clock.ns = header.drained = START + SILENT
    assert both.drained_to() == START
    assert delivered == []
    clock.ns = header.drained = START + SILENT + 1
    assert both.drained_to() == clock.ns
    assert both.drained_to() == clock.ns
    assert delivered == [Source(START, "panel", up=False)], "lost since it was last heard"
    panel.drained = clock.ns
    assert both.drained_to() == clock.ns
    assert delivered[1:] == [Source(clock.ns, "panel", up=True)]


def test_no_race_is_decided_on_the_time_in_which_a_source_was_silent() -> None:
    clock, header, _, delivered, both = sources()
    game = RaceOnly((1, 2, 3, 4), 4, {}, Timing(tie=5 * MS), 1, START - SILENT)
    table = Table(game, ("A", "B", "C", "D"), 1)
    events = [*table.feed(Source(START - MS, "gpio", up=True)), *table.feed(Source(START - MS, "panel", up=True))]
    events += table.feed(Edge(START + 100 * MS, 3, 1))
    for passed in range(0, SILENT + 20 * MS, 10 * MS):
        clock.ns = header.drained = START + passed
        told = both.drained_to()
        for given in (*delivered, Time(told)):
            events += table.feed(given)
        delivered.clear()
    assert [each.facts["why"] for each in events if each.name == "press_again"] == ["gap"]
    assert not [each for each in events if each.name == "doubt"]


def test_when_one_source_cannot_be_started_none_is_left_open() -> None:
    _, header, panel, _, both = sources()
    panel.broken = True
    with pytest.raises(DeviceError):
        both.start()
    assert header.closed == panel.closed == 1


def test_a_whole_game_leaves_no_lamp_on() -> None:
    simulation = Simulation(simulated_table("classic", 4), seed=3)
    try:
        simulation.run(most_claims=500)
    finally:
        simulation.close()
    assert simulation.over
    assert not simulation.lamps.lit


def test_simulated_buttons_are_always_drained() -> None:
    clock = Clock()
    buttons = SimulatedButtons((1, 2), lambda given: None, clock=clock)
    assert ButtonSources((buttons,), lambda given: None, clock).drained_to() == START


def test_when_a_game_is_over_memory_is_given_back_after_all_have_seen_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []
    monkeypatch.setattr("doubtable.app.give_back", lambda: given.append(bench.screen.views[-1].scene))
    bench.deliver(Do(START + 1 * MS, 1, "gone"))
    bench.at(100)
    assert given == []
    bench.deliver(Do(START + 101 * MS, 2, "gone"))  # two are left: too few for the game
    bench.at(200)
    assert "over" in names(bench.events)
    bench.at(1000)
    assert given == ["over"], "once, and not before the screen shows the end"
