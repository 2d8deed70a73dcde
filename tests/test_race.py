"""Who doubted first: ties, widths, what an inferred press leaves open, knocks, and the record."""

import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubtable.race import (
    Candidate,
    Record,
    Voided,
    bump_seats,
    decide,
    distance,
    is_certain,
    order,
    tie_width,
    uncertainties_of,
)
from doubtable.timing import MS, Timing

US = 1000


def at(seat: int, ms: float, low: float | None = None) -> Candidate:
    return Candidate(seat, round(ms * MS), None if low is None else round(low * MS))


@pytest.mark.parametrize(
    ("claimant", "seat", "size", "places"), [(1, 2, 4, 1), (4, 1, 4, 1), (3, 2, 4, 3), (7, 13, 13, 6), (2, 2, 5, 5)]
)
def test_distance_goes_clockwise_from_the_claimant(claimant: int, seat: int, size: int, places: int) -> None:
    assert distance(claimant, seat, size) == places


def test_the_earliest_is_the_doubter() -> None:
    decision = decide([at(2, 10.1), at(5, 0)], 1, 6, 10 * MS)
    assert (decision.doubter, decision.ns, decision.tie) == (5, 0, False)
    assert decision.race == ((5, 0), (2, 10_100 * US))


def test_of_a_tie_the_nearest_to_the_claimants_left() -> None:
    decision = decide([at(5, 0), at(6, 10), at(2, 10.000001)], 1, 6, 10 * MS)
    assert (decision.doubter, decision.tie) == (5, True)
    assert decide([at(5, 0), at(6, 10), at(2, 10)], 1, 6, 10 * MS).doubter == 2


def test_a_tie_is_never_chained() -> None:
    assert decide([at(4, 0), at(3, 5), at(2, 9)], 1, 6, 5 * MS).doubter == 3


def test_a_tie_of_width_0_is_of_equal_stamps() -> None:
    assert decide([at(4, 1), at(3, 1), at(2, 1.000001)], 1, 6, 0).doubter == 3


stamps = st.lists(st.integers(0, 30), min_size=1, max_size=6).map(lambda row: [each * MS for each in row])


@given(stamps, st.integers(0, 20), st.permutations(range(6)))
def test_delivery_and_numbers_of_seats_decide_nothing(row: list[int], tie: int, shuffle: list[int]) -> None:
    candidates = [Candidate(seat, ns) for seat, ns in enumerate(row, 2)]
    shuffled = [candidates[place] for place in shuffle if place < len(candidates)]
    decision = decide(candidates, 1, 8, tie * MS)
    assert decide(shuffled, 1, 8, tie * MS) == decision
    turned = [Candidate(each.seat % 8 + 1, each.ns) for each in candidates]
    assert decide(turned, 2, 8, tie * MS).doubter == decision.doubter % 8 + 1


@pytest.mark.parametrize(
    ("uncertainties", "width", "why"),
    [
        ([], 5 * MS, "house rule"),
        ([0, 100 * US], 5 * MS, "house rule"),
        ([10 * MS], 10 * MS, "uncertainty of the sources"),
        ([10 * MS, 100 * US, 3 * MS], 13 * MS, "uncertainty of the sources"),
        ([2 * MS, 3 * MS], 5 * MS, "house rule"),
    ],
)
def test_the_tie_is_as_wide_as_the_house_says_or_the_sources_are_unsure(
    uncertainties: list[int], width: int, why: str
) -> None:
    assert tie_width(Timing(tie=5 * MS), uncertainties) == (width, why)


def test_a_press_after_the_tie_makes_no_source_less_certain() -> None:
    near = Candidate(5, 0, source="panel", uncertainty=100 * US)
    far = Candidate(2, 40 * MS, source="keys", uncertainty=20 * MS)
    timing = Timing(tie=5 * MS)
    assert uncertainties_of([near, far], {"panel": 100 * US}, timing) == {"panel": 100 * US}
    assert uncertainties_of([far, near], {"panel": 100 * US}, timing) == {"panel": 100 * US}


@pytest.mark.parametrize("timing", [Timing(tie=0), Timing(tie=5 * MS)])
def test_a_source_nobody_declared_counts_where_its_press_lies_in_the_tie_it_makes(timing: Timing) -> None:
    first, second = Candidate(5, 0, source="gpio"), Candidate(2, 8 * MS, source="keys", uncertainty=10 * MS)
    for row in ([first, second], [second, first]):
        assert uncertainties_of(row, {"gpio": 100 * US}, timing)["keys"] == 10 * MS


# Inferred presses ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("candidates", "certain"),
    [
        ([at(5, 10), at(2, 18, low=0)], False),  # first, tied, or too late
        ([at(5, 10), at(2, 14, low=0)], True),  # first or nearest of the tie
        ([at(5, 10), at(6, 18, low=9)], True),  # never first by more than the tie, and farther from the left
        ([at(5, 10), at(6, 18, low=0)], False),  # it may have been first by 10 ms
        ([at(5, 10), at(2, 18, low=15)], True),  # always too late
        ([at(5, 10), at(2, 18, low=14.999998)], False),  # by a nanosecond
        ([at(2, 18, low=0)], True),  # alone
        ([at(5, 10), at(2, 11)], True),  # nothing inferred
        ([at(2, 18, low=0), at(5, 18, low=0)], False),  # neither is known
        ([at(2, 18, low=16), at(5, 18, low=16)], True),  # within the tie of each other wherever they are
    ],
)
def test_the_same_doubter_for_every_stamp_or_nobody(candidates: list[Candidate], certain: bool) -> None:
    for row in itertools.permutations(candidates):
        assert is_certain(row, 1, 6, 5 * MS, None) is certain


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.booleans()), min_size=1, max_size=3),
    st.integers(0, 6),
)
def test_certainty_is_what_trying_every_stamp_finds(row: list[tuple[int, int, bool]], tie: int) -> None:
    """On a coarse clock every stamp of every interval can be tried."""
    candidates, ranges = [], []
    for seat, (one, other, inferred) in enumerate(row, 2):
        low, high = min(one, other), max(one, other) + 1
        candidates.append(Candidate(seat, high, low if inferred else None))
        ranges.append(range(low + 1, high + 1) if inferred else range(high, high + 1))
    doubters = {
        decide([Candidate(each.seat, ns) for each, ns in zip(candidates, tried, strict=True)], 1, 6, tie).doubter
        for tried in itertools.product(*ranges)
    }
    assert is_certain(candidates, 1, 6, tie, None) == (len(doubters) == 1)


def test_too_many_unknown_presses_are_unknown() -> None:
    many = [Candidate(seat, 100 * MS, 0) for seat in range(2, 14)]
    assert not is_certain(many, 1, 13, 5 * MS, None)


# A knock on the table --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("occupied", "seats"), [(4, 3), (5, 4), (6, 4), (7, 4), (8, 4), (9, 5), (10, 5), (11, 6), (12, 6), (13, 7)]
)
def test_half_of_the_occupied_seats_at_least_four(occupied: int, seats: int) -> None:
    assert bump_seats(Timing(), occupied) == seats


@pytest.mark.parametrize("occupied", [2, 3])
def test_three_players_never_knock(occupied: int) -> None:
    assert bump_seats(Timing(), occupied) > occupied - 1


def test_the_house_may_have_its_own_number() -> None:
    assert bump_seats(Timing(bump_seats=5), 13) == 5


# The record ------------------------------------------------------------------------------------------------------

RECORD = Record(
    outcome="doubt",
    claimant=1,
    size=6,
    opened=0,
    decided=80 * MS,
    candidates=order([at(6, 24.5), at(5, 20), at(2, 50.0009), at(4, 60, low=55)]),
    tie=5 * MS,
    tie_why="house rule",
    uncertainties={"gpio": 100 * US},
    voids=(Voided(3, 10 * MS, "early"),),
    doubter=5,
)


def test_a_record_prints_as_a_table() -> None:
    assert str(RECORD).splitlines() == [
        "claim of seat 1; tie window 5 ms (house rule); gpio known to 0.1 ms",
        "times from 20000000 ns: lock -20000 us, decided +60000 us",
        " 1. seat  5          +0 us   4 left  gpio       DOUBTER",
        " 2. seat  6       +4500 us   5 left  gpio       tie",
        " 3. seat  2      +30000 us   1 left  gpio",
        " 4. seat  4      +40000 us   3 left  gpio       inferred",
        "    seat  3      -10000 us  void: early",
    ]


def test_a_record_says_why_nobody_was_taken() -> None:
    again = msgspec.structs.replace(RECORD, outcome="press_again", why="bump", doubter=None)
    assert str(again).splitlines()[-1] == "nobody: press again (bump)"
    assert again.replay() is None


def test_a_record_is_the_same_after_it_was_json() -> None:
    text = msgspec.json.encode(RECORD)
    back = msgspec.json.decode(text, type=Record)
    assert back == RECORD
    assert msgspec.json.encode(back) == text
    assert str(back) == str(RECORD)
    decision = back.replay()
    assert decision is not None
    assert (decision.doubter, decision.tie) == (5, True)


def test_a_record_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        RECORD.doubter = 6  # type: ignore[misc]
