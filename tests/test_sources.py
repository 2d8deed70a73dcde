"""Numbers of a source: gaps are what has not come, in whatever order the rest came."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubtable.inputs import Edge
from doubtable.sources import Missing, SourceBook, take_gap, take_seq
from doubtable.timing import MS


def taken(*edges: tuple[int, int | None]) -> SourceBook:
    """A source after edges of (ms, seq)."""
    book = SourceBook()
    for at, seq in edges:
        book = take_seq(book, Edge(at * MS, 1, 1, seq=seq))
    return book


def test_the_first_number_may_be_any() -> None:
    assert taken((0, 4711)).missing == ()


def test_numbers_in_a_row_are_no_gap() -> None:
    assert taken((0, 7), (1, 8), (2, 9)) == SourceBook(seq=9, seq_ns=2 * MS)


def test_a_jump_knows_between_which_stamps_the_missing_ones_lie() -> None:
    assert taken((10, 7), (30, 12)).missing == (Missing(8, 11, 10 * MS, 30 * MS),)


def test_a_jump_of_a_line_that_was_behind_begins_at_its_own_stamp() -> None:
    (gap,) = taken((30, 7), (10, 12)).missing
    assert (gap.low, gap.seen) == (10 * MS, 10 * MS)


@pytest.mark.parametrize(
    ("late", "left"),
    [(8, [(9, 11)]), (11, [(8, 10)]), (9, [(8, 8), (10, 11)]), (7, [(8, 11)]), (3, [(8, 11)])],
)
def test_a_number_that_comes_late_is_missing_no_more(late: int, left: list[tuple[int, int]]) -> None:
    book = taken((10, 7), (30, 12), (20, late))
    assert [(gap.first, gap.last) for gap in book.missing] == left


def test_an_edge_without_a_number_changes_nothing() -> None:
    book = taken((10, 7))
    assert take_seq(book, Edge(20 * MS, 1, 1)) is book


def test_gaps_are_taken_oldest_first() -> None:
    book, gap = take_gap(taken((0, 1), (1, 3), (2, 5)))
    assert (gap.first, [each.first for each in book.missing]) == (2, [4])


@given(st.permutations(list(range(2, 12))), st.integers(0, 9))
def test_exactly_what_has_not_come_is_missing(order: list[int], cut: int) -> None:
    came = [1, *order[:cut], 12]
    book = taken(*((place, seq) for place, seq in enumerate(came)))
    missing = {seq for gap in book.missing for seq in range(gap.first, gap.last + 1)}
    assert missing == set(range(1, 13)) - set(came)
