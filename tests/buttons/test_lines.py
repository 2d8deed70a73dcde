"""One line: edges become presses, releases and noise; reads become what got lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubtable.buttons import lines
from doubtable.buttons.lines import DOWN, UP, Line, Settled
from doubtable.inputs import Edge
from doubtable.timing import MS, Timing

TIMING = Timing()
FOREVER = 10**15


def fed(line: Line, *edges: tuple[float, int]) -> Line:
    """``line`` after edges of (ms, level), none of them late."""
    for at, level in edges:
        line, late = lines.take_edge(line, Edge(round(at * MS), 1, level), TIMING)
        assert not late
    return line


def settled(line: Line, until: int = FOREVER) -> tuple[Line, list[Settled]]:
    """``line`` with everything due by ``until``, and that."""
    found = []
    while (due := lines.due(line, TIMING)) is not None and due <= until:
        line, one = lines.take_due(line, TIMING)
        assert one.due == due
        found.append(one)
    return line, found


def kinds(found: list[Settled]) -> list[tuple[str, float]]:
    return [(each.kind, each.start / MS) for each in found]


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ([(0, 1)], [("press", 0)]),
        ([(0, 1), (1, 0)], [("noise", 0)]),
        ([(0, 1), (1, 0), (2, 1)], [("press", 0)]),
        ([(0, 1), (4.999999, 0), (9.999998, 1)], [("press", 0)]),
        ([(0, 1), (5, 0)], [("press", 0), ("release", 5)]),
        ([(0, 1), (3, 0), (8, 1), (9, 0)], [("noise", 0), ("noise", 8)]),
        ([(0, 0)], []),
    ],
)
def test_bursts(edges: list[tuple[float, int]], expected: list[tuple[str, float]]) -> None:
    _, found = settled(fed(Line(), *edges))
    assert kinds(found) == expected


def test_a_burst_is_known_confirm_after_its_last_edge() -> None:
    line = fed(Line(), (0, 1), (1, 0), (2, 1))
    assert lines.due(line, TIMING) == 7 * MS
    assert settled(line, 7 * MS - 1)[1] == []
    assert lines.unsettled_since(line) == 0


def test_what_an_edge_settles_waits_until_it_is_due() -> None:
    """Edges of one line may be fed long before time has passed: the table meets them in order of dues."""
    line = fed(Line(), (0, 1), (100, 0), (200, 1))
    assert [each.due for each in settled(line)[1]] == [5 * MS, 105 * MS, 205 * MS]
    assert lines.unsettled_since(line) == 0


@pytest.mark.parametrize("level", [UP, DOWN])
def test_repeats_are_counted_and_move_nothing(level: int) -> None:
    line, _ = settled(fed(Line(heard=True, level=1 - level), (0, level)))
    line, found = settled(fed(line, (100, level), (200, level)))
    assert (line.level, [each.kind for each in found], sum(each.repeats for each in found)) == (
        level,
        ["repeats", "repeats"],
        2,
    )


def test_the_first_edge_up_of_a_line_nobody_has_heard_of_is_no_repeat() -> None:
    line, found = settled(fed(Line(), (0, 0)))
    assert (line.heard, found) == (True, [])


@pytest.mark.parametrize("late_at", [0.5, 1.999999])
@pytest.mark.parametrize("running", [False, True])
def test_an_edge_older_than_the_settled_burst_is_late(late_at: float, running: bool) -> None:
    line, _ = settled(fed(Line(), (0, 1), (1, 0), (2, 1)), 50 * MS)
    if running:
        line = fed(line, (100, 0))
    after, late = lines.take_edge(line, Edge(round(late_at * MS), 1, 0), TIMING)
    assert late
    assert after == line, "it changes nothing"


def test_a_read_of_another_level_waits_for_its_edge_and_is_then_inferred() -> None:
    line = lines.take_level(lines.start_level(0, UP), 100 * MS, DOWN)
    assert lines.due(line, TIMING) == 150 * MS
    line, (press,) = settled(line)
    assert (press.kind, press.start, press.low) == ("press", 100 * MS, 0)
    assert line.level == DOWN


@pytest.mark.parametrize("edge_at", [1, 60, 100])
def test_a_true_edge_up_to_the_read_replaces_it(edge_at: int) -> None:
    line = lines.take_level(lines.start_level(0, UP), 100 * MS, DOWN)
    _, found = settled(fed(line, (edge_at, 1)))
    assert [(each.kind, each.start, each.low) for each in found] == [("press", edge_at * MS, None)]


def test_an_edge_after_the_read_proves_that_none_is_coming() -> None:
    line = lines.take_level(lines.start_level(0, UP), 100 * MS, DOWN)
    _, found = settled(fed(line, (120, 0)))
    assert kinds(found) == [("press", 100), ("release", 120)]
    assert 120 * MS <= found[0].due <= 120 * MS + 1


def test_an_edge_stamped_within_its_uncertainty_after_the_read_is_the_one() -> None:
    line = lines.take_level(lines.start_level(0, UP), 100 * MS, DOWN)
    line, _ = lines.take_edge(line, Edge(100 * MS + 60_000, 1, 1, uncertainty=100_000), TIMING)
    assert kinds(settled(line)[1]) == [("press", 100.06)]


def test_the_level_as_it_should_be_moves_the_lower_bound_up() -> None:
    line = lines.take_level(lines.start_level(0, UP), 50 * MS, UP)
    line = lines.take_level(line, 100 * MS, DOWN)
    assert settled(line)[1][0].low == 50 * MS


def test_a_read_back_at_the_old_level_takes_the_read_before_back() -> None:
    line = lines.take_level(lines.start_level(0, UP), 100 * MS, DOWN)
    assert settled(lines.take_level(line, 110 * MS, UP))[1] == []


def test_a_second_read_does_not_make_it_later() -> None:
    line = lines.take_level(lines.start_level(0, UP), 100 * MS, DOWN)
    line = lines.take_level(line, 110 * MS, DOWN)
    assert kinds(settled(line)[1]) == [("press", 100)]


def test_a_read_within_a_bounce_infers_nothing() -> None:
    line = lines.take_level(fed(lines.start_level(0, UP), (10, 1)), 11 * MS, UP)
    assert kinds(settled(fed(line, (10.9, 0), (11.1, 1)))[1]) == [("press", 10)]


def test_a_read_against_the_bursts_last_edge_shows_the_edge_that_is_missing() -> None:
    """Up at 12 by the last edge, down at 15 by the read, and no edge comes: the press is the burst's."""
    line = lines.take_level(fed(lines.start_level(0, UP), (10, 1), (12, 0)), 15 * MS, DOWN)
    line, found = settled(line)
    assert (kinds(found), line.level) == ([("press", 10)], DOWN)


def test_after_noise_a_lost_press_may_have_been_the_noises() -> None:
    line, _ = settled(fed(lines.start_level(0, UP), (10, 1), (12, 0)), 20 * MS)
    (press,) = settled(lines.take_level(line, 30 * MS, DOWN))[1]
    assert press.low is not None
    assert press.low < 10 * MS


def test_a_read_older_than_what_is_known_is_nothing() -> None:
    line, _ = settled(fed(lines.start_level(0, UP), (10, 1)), 50 * MS)
    assert lines.take_level(line, 5 * MS, UP) == line


levels = st.lists(st.tuples(st.integers(0, 8 * MS), st.integers(0, 1)), max_size=30)


@given(levels)
def test_the_state_always_follows_the_true_level(row: list[tuple[int, int]]) -> None:
    """Whatever the edges, the line ends at the level of the last one, in bursts that take turns."""
    line, at = lines.start_level(0, UP), 0
    for gap, level in row:
        at += gap
        line, late = lines.take_edge(line, Edge(at, 1, level), TIMING)
        assert not late
    line, found = settled(line)
    assert line.level == (row[-1][1] if row else UP)
    moves = [each.kind for each in found if each.kind in ("press", "release")]
    assert moves == ["press", "release"] * (len(moves) // 2) + ["press"] * (len(moves) % 2)
    assert [each.start for each in found] == sorted(each.start for each in found)


@given(levels, st.integers(1, 2**62))
def test_a_line_does_not_care_what_the_clock_shows(row: list[tuple[int, int]], later: int) -> None:
    outcomes = []
    for start in (0, later):
        line, at = lines.start_level(start, UP), start
        for gap, level in row:
            at += gap
            line, _ = lines.take_edge(line, Edge(at, 1, level), TIMING)
        outcomes.append([(each.kind, each.start - start, each.due - start) for each in settled(line, 2**63)[1]])
    assert outcomes[0] == outcomes[1]
