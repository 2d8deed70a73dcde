"""The bank: of all buttons the one that is next due, whatever has been looked at before."""

from hypothesis import given
from hypothesis import strategies as st

from doubtable.buttons import gestures, lines
from doubtable.buttons.bank import NEVER_DUE, Bank
from doubtable.buttons.gestures import Finger, Habits
from doubtable.buttons.lines import Line
from doubtable.inputs import Edge
from doubtable.timing import MS, Timing

TIMING = Timing()
SIZE = 4


def bank(*edges: tuple[float, int, int]) -> Bank:
    """A bank after edges of (ms, seat, level)."""
    made = Bank(SIZE, (Habits(),) * SIZE, TIMING)
    for at, seat, level in edges:
        made.take_edge(Edge(round(at * MS), seat, level))
    return made


def afresh(kept: Bank) -> Bank:
    """A bank with the same lines and fingers that has nothing in mind."""
    other = Bank(SIZE, kept.habits, TIMING)
    other.put(*kept.freeze())
    return other


def test_nothing_is_due_where_nothing_was_pressed() -> None:
    assert bank().next() is NEVER_DUE


def test_the_line_that_settles_first_is_next() -> None:
    assert bank((1, 3, 1), (0, 2, 1), (2, 2, 0)).next() == (6 * MS, 0, 1 * MS, "line", 2)


def test_of_two_that_settle_at_once_the_earlier_burst_is_next() -> None:
    assert bank((1, 2, 1), (0, 4, 1), (2, 2, 0), (2, 4, 0)).next()[2:] == (0, "line", 3)


def test_a_hold_that_fires_while_its_release_settles_comes_after_it_when_the_release_began_before() -> None:
    """A release burst under way decides by its stamp."""
    for began, what in ((699, "line"), (700, "finger"), (701, "finger")):
        made = bank((0, 1, 1))
        made.press(0, made.take_line(0).start)
        made.take_edge(Edge(began * MS, 1, 0))
        assert made.next()[3] == what


def test_an_edge_that_is_late_is_told_and_leaves_the_line_as_it_was() -> None:
    made = bank((0, 1, 1), (10, 1, 0))
    before = made.lines[0]
    assert made.take_edge(Edge(-1, 1, 1))
    assert made.lines[0] is before


def test_only_a_burst_that_goes_on_leaves_all_as_before() -> None:
    made = bank((0, 1, 1))
    for at, seat, level, same in ((1, 1, 0, True), (2, 1, 1, True), (3, 2, 1, False), (8, 1, 0, False)):
        made.as_before = True
        made.take_edge(Edge(at * MS, seat, level))
        assert made.as_before is same


def test_the_newest_stamp_is_that_of_a_burst_or_of_what_has_settled() -> None:
    assert bank((0, 1, 1), (7, 2, 1), (3, 1, 0)).newest() == 7 * MS
    assert bank((9, 1, 0)).newest() == 9 * MS


def test_what_was_put_in_takes_the_place_of_all() -> None:
    made = bank((0, 1, 1))
    made.next()
    made.put((Line(),) * SIZE, (Finger(),) * SIZE)
    assert made.next() is NEVER_DUE


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, SIZE), st.integers(0, 1), st.booleans()), max_size=30))
def test_what_is_next_is_the_same_for_one_who_has_forgotten_everything(
    steps: list[tuple[int, int, int, bool]],
) -> None:
    made, ns = bank(), 0
    for wait, seat, level, looks in steps:
        ns += wait * MS
        made.take_edge(Edge(ns, seat, level))
        if looks:
            assert made.next() == afresh(made).next()
            _, _, _, what, place = made.next()
            if what == "line":
                settled = made.take_line(place)
                if settled.kind == "press":
                    made.press(place, settled.start)
                elif settled.kind == "release":
                    made.release(place, settled.start)
    assert made.next() == afresh(made).next()
    dues = [lines.due(line, TIMING) for line in made.lines]
    dues += [gestures.due(finger, Habits(), TIMING) for finger in made.fingers]
    soonest = min((due for due in dues if due is not None), default=None)
    assert soonest is None or made.next()[0] >= soonest
