"""The panel is pulled out and comes back under another name, again and again: nothing leaks, nothing is lost after it.

50 times in the normal run, 1,000 times with DOUBTABLE_LONG=1, on an injected clock. The reader's turn is in
test_serial_reader.py.
"""

import os
import queue
from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.panel_bench import LINES, Bench, Panel
from devices.reader_bench import open_things
from doubtable.app import App
from doubtable.button_sources import ButtonSources
from doubtable.devices.panel import PanelLamps
from doubtable.devices.panel_session import State
from doubtable.devices.ports import RETRY
from doubtable.events import Event
from doubtable.inputs import Input
from doubtable.simulation import simulated_table

CYCLES = 1000 if os.environ.get("DOUBTABLE_LONG") else 50
STEP = 5  # ms


@pytest.fixture
def bench(tmp_path: Path, short_turns: None) -> Iterator[Bench]:
    made = Bench(tmp_path, turn=STEP)
    yield made
    made.close()


def test_a_panel_that_comes_and_goes_leaks_nothing_and_loses_no_press_after_its_return(bench: Bench) -> None:
    lamps = PanelLamps(bench.buttons, LINES)
    before = open_things()
    bench.connect()
    running = open_things()
    pressed: list[int] = []
    for cycle in range(CYCLES):
        bench.cable.pull()
        bench.until_state(State.LOST)
        assert bench.buttons.fault is not None
        if cycle % 2:
            bench.cable.panel = Panel(session=1000 + cycle)  # it lost its supply too: everything begins anew
        lamps.show({seat: seat == cycle % 13 + 1 for seat in LINES})
        bench.clock.ns += RETRY
        bench.panel.us += RETRY // 1000
        bench.cable.plug()
        bench.until_state(State.UP)
        assert bench.buttons.fault is None
        bench.until_lit(1 << cycle % 13)
        line = cycle * 5 % 13
        bench.panel.press(line)
        bench.step()
        bench.panel.press(line)
        pressed += [line + 1, line + 1]
        bench.until_edges(len(pressed))
    assert open_things() == running
    assert [edge.seat for edge in bench.edges] == pressed
    assert [edge.level for edge in bench.edges] == [1, 0] * CYCLES
    assert [edge.seq for edge in bench.edges] == list(range(1, 2 * CYCLES + 1))
    assert all(one.ns < other.ns for one, other in zip(bench.edges, bench.edges[1:], strict=False))
    assert bench.sources == [False, True] * CYCLES
    assert len(bench.levels) > CYCLES
    bench.close()
    assert open_things()[1] == before[1]


def test_the_game_goes_on_while_the_panel_is_away_and_says_so(bench: Bench) -> None:
    inbox: queue.SimpleQueue[Input] = queue.SimpleQueue()
    sources = ButtonSources([bench.buttons], inbox.put, bench.clock)
    heard: list[Event] = []
    table = simulated_table("classic", len(LINES))
    app = App(
        table,
        sources,
        PanelLamps(bench.buttons, LINES),
        clock=bench.clock,
        heard=lambda events, ns: heard.extend(events),
        inbox=inbox,
    )
    told = 0

    def run(ms: int) -> None:
        nonlocal told
        for _ in range(ms // STEP):
            bench.step()
            for given in bench.got[told:]:
                inbox.put(given)
            told = len(bench.got)
            app.step()

    def press(seat: int, ms: int) -> None:
        bench.panel.press(seat - 1)
        run(ms)
        bench.panel.press(seat - 1)
        run(200)

    def said(name: str) -> list[Event]:
        return [each for each in heard if each.name == name]

    def gone() -> bool:
        assert app.view is not None
        return ("PANEL IS GONE", {}) in app.view.notices

    bench.connect()
    run(200)
    press(1, 100)
    press(1, 900)
    assert [each.facts["count"] for each in said("claim")] == [1]
    bench.cable.pull()
    run(1000)
    assert gone()
    assert table.fold.game.window is not None, "the claim still stands"
    bench.cable.plug()
    run(2500)
    assert not gone()
    press(3, 100)
    run(1000)
    assert [each.facts["seat"] for each in said("doubt")] == [3]
    app.close()
