"""Numbers of a source: gaps are what has not come, in whatever order the rest came."""

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubtable.games.bare import RaceOnly
from doubtable.inputs import Edge, Time
from doubtable.sources import MOST_EARLIER, NOTHING_YET, Missing, SourceBook, take_gap, take_seq
from doubtable.table import Table
from doubtable.timing import MS, Timing


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


@pytest.mark.parametrize("order", list(permutations([(10, 100), (20, 100), (30, 350), (40, 350), (50, 0)])))
def test_what_it_had_said_before_a_stamp_whatever_was_delivered_first(order: list[tuple[int, int]]) -> None:
    book = SourceBook(since=NOTHING_YET)
    for at, said in order:
        book = book.hears(at, said)
    assert [book.before(at) for at in (10, 11, 30, 31, 50, 51)] == [None, 100, 100, 350, 350, 0]
    assert book.uncertainty == 0


def test_what_it_declared_counts_until_its_edges_say_otherwise() -> None:
    book = SourceBook(uncertainty=7).hears(10, 9)
    assert (book.before(0), book.before(10), book.before(11), book.uncertainty) == (7, 7, 9, 9)


def test_a_source_that_says_another_thing_every_time_takes_no_more_room() -> None:
    book = SourceBook()
    for at in range(100):
        book = book.hears(at, at % 3)
    assert len(book.earlier) == MOST_EARLIER
    assert (book.before(100), book.before(95), book.before(90)) == (99 % 3, 94 % 3, None)


@pytest.mark.parametrize("told", list(product((False, True), repeat=3)))
def test_the_time_told_in_between_changes_no_uncertainty(told: tuple[bool, ...]) -> None:
    """A window that opens by time alone, and sources that are heard of before, in and after the tie."""
    edges = (
        Edge(40 * MS, 6, 1, uncertainty=100_000),
        Edge(100 * MS, 5, 1, uncertainty=100_000),
        Edge(104 * MS, 4, 1, "panel", uncertainty=3 * MS),
        Edge(108 * MS, 2, 1),
        Edge(140 * MS, 3, 1, "keyboard", uncertainty=20 * MS),
    )
    table = Table(RaceOnly((1, 2, 3, 4, 5, 6), 6, {}, Timing(tie=5 * MS), opens=50 * MS), ("A",) * 6, 1)
    said = []
    for edge, first in zip(edges, (*told, told[0], told[1]), strict=True):
        if first:
            said += table.feed(Time(edge.ns))
        said += table.feed(edge)
    said += table.feed(Time(1000 * MS))
    (doubt,) = [each for each in said if each.name == "doubt"]
    assert (doubt.facts["seat"], doubt.facts["tie_ns"]) == (4, 5 * MS)
    assert doubt.facts["record"].uncertainties == {"gpio": 100_000, "panel": 3 * MS}
