"""Events of the kernel become edges. Line 17 starts released (0), line 4 pressed (1), both known at 100 ns."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubtable.devices.kernel_edges import EdgeReading, LineEdge


@pytest.fixture
def reading() -> EdgeReading:
    return EdgeReading({17: 0, 4: 1}, 100, queue=6)


def test_edges_that_alternate_pass_as_they_are(reading: EdgeReading) -> None:
    events = [LineEdge(200, 17, 1, 1), LineEdge(250, 4, 0, 2), LineEdge(300, 17, 0, 3)]
    assert reading.edges(events) == events


def test_the_same_level_again_means_the_other_one_in_between(reading: EdgeReading) -> None:
    assert reading.edges([LineEdge(200, 17, 0, 2)]) == [LineEdge(200, 17, 1, 1), LineEdge(200, 17, 0, 2)]
    assert reading.edges([LineEdge(300, 17, 1, 4)]) == [LineEdge(300, 17, 1, 3)]
    assert reading.edges([LineEdge(400, 17, 1, 6)]) == [LineEdge(400, 17, 0, 4), LineEdge(400, 17, 1, 5)]


def test_an_edge_from_before_the_start_up_levels_is_in_them_already(reading: EdgeReading) -> None:
    assert reading.edges([LineEdge(90, 4, 1, 1)]) == [LineEdge(90, 4, 1, 1)]


def test_overwritten_numbers_leave_no_hole(reading: EdgeReading) -> None:
    first = reading.edges([LineEdge(200, 17, 1, 5)])
    assert [edge.seq for edge in first + reading.edges([LineEdge(300, 17, 0, 9)])] == [1, 2]


def test_a_full_queue_lost_what_is_missing_before_it(reading: EdgeReading) -> None:
    reading.edges([LineEdge(200, 17, 1, 1)])
    full = [LineEdge(300 + n, 17, n % 2, 8 + n) for n in range(6)]
    assert [edge.seq for edge in reading.edges(full)] == [8, 9, 10, 11, 12, 13]


def test_after_a_loss_the_same_level_says_nothing(reading: EdgeReading) -> None:
    full = [LineEdge(300 + n, 4, 1 - n % 2, 8 + n) for n in range(6)]
    edges = reading.edges(full)
    assert [edge.level for edge in edges] == [1, 0, 1, 0, 1, 0]
    assert [edge.level for edge in reading.edges([LineEdge(400, 17, 0, 14)])] == [0]


def test_a_full_queue_without_a_hole_lost_nothing(reading: EdgeReading) -> None:
    full = [LineEdge(300 + n, 17, 1 - n % 2, 1 + n) for n in range(6)]
    assert [edge.seq for edge in reading.edges(full)] == [1, 2, 3, 4, 5, 6]


@given(
    st.lists(st.tuples(st.sampled_from([4, 17]), st.integers(0, 1), st.integers(1, 4)), max_size=60), st.integers(1, 5)
)
def test_levels_alternate_whatever_ran_together(moves: list[tuple[int, int, int]], read: int) -> None:
    """Every line's edges alternate, none gets lost, and the numbers have no hole as long as the queue is not full."""
    seq, events = 0, []
    for place, (line, level, step) in enumerate(moves):
        seq += step
        events.append(LineEdge(200 + place, line, level, seq))
    reading = EdgeReading({17: 0, 4: 1}, 100, queue=6)
    edges = [edge for start in range(0, len(events), read) for edge in reading.edges(events[start : start + read])]
    assert [edge.seq for edge in edges] == list(range(1, len(edges) + 1))
    assert [edge.ns for edge in edges] == sorted(edge.ns for edge in edges)
    for line, start in ((17, 0), (4, 1)):
        levels = [start] + [edge.level for edge in edges if edge.line == line]
        assert all(one != other for one, other in itertools.pairwise(levels))
        last = [event.level for event in events if event.line == line][-1:]
        assert levels[-1:] == last or not last
