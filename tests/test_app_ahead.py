"""What is due is foreseen while the loop would sleep: its lamps come on time, and never for nothing."""

from collections.abc import Mapping

import pytest

from app_bench import START, Bench, edge
from doubtable.app import DRAIN_WAIT, IDLE_WAIT, QUIET
from doubtable.devices.simulated import SimulatedLamps
from doubtable.inputs import Do
from doubtable.timing import MS


@pytest.fixture
def bench() -> Bench:
    return Bench()


class Board(SimulatedLamps):
    """Lamps that note at which input they were switched."""

    def __init__(self, bench: Bench) -> None:
        super().__init__((1, 2, 3, 4), clock=bench.clock)
        self.bench = bench
        self.switched: list[tuple[frozenset[int], int]] = []

    def show(self, states: Mapping[int, bool]) -> None:
        super().show(states)
        self.switched.append((self.lit, len(self.bench.fed)))


def foreseeing(bench: Bench) -> Board:
    """A window is open, and the loop has waited 1 ms for the press of seat 3: what its slap does is foreseen."""
    bench.app.lamps = board = Board(bench)
    board.start()
    bench.at(0)
    bench.deliver(Do(START + MS, bench.app.table.fold.game.turn, "claim", count=1))
    bench.at(2)
    board.switched.clear()
    bench.clock.ns = bench.wires.drained = START + 11 * MS
    bench.deliver(edge(10, 3, 1))
    bench.app.step(wait=1)
    assert bench.app.wait_time(IDLE_WAIT) == QUIET, "it may still bounce"
    bench.clock.ns = bench.wires.drained = bench.clock.ns + QUIET
    bench.app.step(wait=1)
    assert bench.app.wait_time(IDLE_WAIT) > QUIET
    assert not board.switched, "confirm_ms is not over"
    return board


def test_after_a_wait_the_lamps_of_what_is_due_are_switched_before_it_is_fed(bench: Bench) -> None:
    board = foreseeing(bench)
    fed = len(bench.fed)
    bench.at(15)
    assert board.switched[0] == (board.lit, fed)
    assert 3 in board.lit
    assert len(board.switched) == 1, "what was foreseen has come: nothing is left to be switched"
    assert len(bench.fed) == fed + 1


def test_what_was_foreseen_does_not_hold_after_an_edge_that_came_between(bench: Bench) -> None:
    board = foreseeing(bench)
    bench.deliver(edge(12, 3, 0))
    bench.at(15)
    assert not board.switched, "it was a spike of 2 ms"
    bench.deliver(edge(20, 4, 1))
    bench.at(25)
    assert [lit & {3, 4} for lit, _ in board.switched] == [{4}]


def test_what_is_foreseen_is_not_shown_before_the_wires_were_read(bench: Bench) -> None:
    board = foreseeing(bench)
    bench.at(15, drained=14)
    assert not board.switched
    bench.deliver(edge(14, 3, 0))
    bench.at(16)
    assert not board.switched, "the press was 4 ms long"


def test_the_loop_wakes_when_something_is_due_and_not_later(bench: Bench) -> None:
    foreseeing(bench)
    bench.clock.ns = START + 15 * MS - 200
    assert bench.app.wait_time(IDLE_WAIT) == 200
    bench.clock.ns = START + 15 * MS
    assert bench.app.wait_time(IDLE_WAIT) == DRAIN_WAIT, "a source is not read as far: no loop that never waits"
