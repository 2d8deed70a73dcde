"""The fold: moments applied in order of stamps, whatever came first; what a press means is decided at its stamp."""

import itertools

import pytest

from doubtable import fold as folds
from doubtable.acts import close, enter
from doubtable.events import Event
from doubtable.games.bare import RaceOnly
from doubtable.games.base import Act
from doubtable.games.classic import Classic
from doubtable.moments import DOUBT_NEXT, END_LAST, LOCK_FIRST, Fold, Moment, SeatBook, Step, WindowBook
from doubtable.timing import MS, Timing

TIMING = Timing(tie=5 * MS)
SIX = (1, 2, 3, 4, 5, 6)
FOREVER = 10**15


def race(opens: int = 0, closes: int | None = None, seats: tuple[int, ...] = SIX) -> tuple[RaceOnly, Fold]:
    game = RaceOnly(seats, 6, {}, TIMING, 1, opens * MS, None if closes is None else closes * MS)
    state, _ = game.begin(1, None, 0)
    return game, Fold(state, (SeatBook(),) * 6)


def classic() -> tuple[Classic, Fold]:
    game = Classic(SIX, 6, {}, TIMING)
    state, _ = game.begin(6, None, 0)
    return game, Fold(state, (SeatBook(),) * 6)


def down(at: float, seat: int, outcome: str = "") -> Moment:
    return Moment(round(at * MS), DOUBT_NEXT, "down", seat, outcome=outcome)


def act(at: float, seat: int, name: str, prio: int = END_LAST, count: int | None = None) -> Moment:
    return Moment(round(at * MS), prio, "act", seat, act=Act(seat, name, count))


CLAIM = act(0, 1, "claim", LOCK_FIRST, 1)


def end_of(steps: list[Step]) -> Fold:
    return steps[-1].fold


def said(steps: list[Step]) -> list[Event]:
    return [event for step in steps for event in step.events]


def voids(steps: list[Step]) -> list[tuple[int, str]]:
    return [(event.facts["seat"], event.facts["why"]) for event in said(steps) if event.name == "void"]


def run(game: RaceOnly | Classic, base: Fold, *moments: Moment, until: float | None = None) -> list[Step]:
    now = max(moment.ns for moment in moments) if until is None else round(until * MS)
    steps, _ = folds.run(base, moments, game, now)
    return steps


# Order -----------------------------------------------------------------------------------------------------------


def test_moments_are_applied_in_order_of_stamps_whatever_came_first() -> None:
    game, base = classic()
    moments = (CLAIM, down(5000, 4), act(5100, 2, "start"), down(5200, 5))
    first = end_of(run(game, base, *moments))
    for mixed in itertools.permutations(moments):
        assert end_of(run(game, base, *mixed)) == first
    assert [each.seat for each in first.race] == [4]


def test_an_earlier_doubt_undoes_a_start() -> None:
    game, base = classic()
    assert end_of(run(game, base, CLAIM, act(5100, 2, "start"))).game.window is None
    undone = end_of(run(game, base, CLAIM, act(5100, 2, "start"), down(5099, 4)))
    assert undone.game.window is not None
    assert undone.game.turn == 1


def test_at_one_stamp_a_lock_comes_first_then_a_doubt_then_what_ends_a_window() -> None:
    game, base = classic()
    assert [each.seat for each in end_of(run(game, base, down(0, 4), CLAIM)).race] == [4]
    assert [each.seat for each in end_of(run(game, base, CLAIM, act(5100, 2, "start"), down(5100, 4))).race] == [4]


def test_timers_take_their_place_among_the_moments() -> None:
    game, base = race(opens=1000, closes=2000)
    steps = run(game, base, down(999, 2), down(1500, 3), until=500)
    assert [(step.ns // MS, step.moment is None) for step in steps] == [(999, False), (1000, True), (1500, False)]


def test_a_race_stops_the_clock_of_its_window() -> None:
    game, base = race(closes=2000)
    frozen = end_of(run(game, base, down(1999, 3), until=5000))
    assert frozen.game.window is not None
    assert folds.next_timer(frozen, game) is None


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_steps_that_are_still_true_are_kept_and_give_the_same_fold(order: tuple[int, ...]) -> None:
    """Moments come in any order, with a timer among them; what lies before a new one is not folded again."""
    game, base = race(opens=1000, closes=2000)
    moments = [down(999, 2), down(1500, 3), down(1510, 4), down(2100, 5)]
    steps: list[Step] = []
    came: tuple[Moment, ...] = ()
    for place in order:
        came = (*came, moments[place])
        anew, timer = folds.run(base, came, game, 2050 * MS)
        before, (steps, again) = steps, folds.run(base, came, game, 2050 * MS, steps)
        assert (steps, again) == (anew, timer)
        earlier = [step for step in before if step.ns < moments[place].ns]
        assert all(steps[at] is step for at, step in enumerate(earlier))


@pytest.mark.parametrize(("at", "candidates"), [(1999.999999, [3, 2]), (2000, [3]), (2010, [3])])
def test_a_close_bounds_even_the_race_that_undid_it(at: float, candidates: list[int]) -> None:
    game, base = race(closes=2000)
    fold = end_of(run(game, base, down(1995, 3), down(at, 2)))
    assert [each.seat for each in fold.race] == candidates


@pytest.mark.parametrize(("at", "candidates"), [(5100, [4, 5]), (5100.000001, [4])])
def test_a_start_bounds_even_the_race_that_undid_it(at: float, candidates: list[int]) -> None:
    game, base = classic()
    fold = end_of(run(game, base, CLAIM, down(5090, 4), act(5100, 2, "start"), down(at, 5)))
    assert [each.seat for each in fold.race] == candidates


def test_an_act_that_an_earlier_stamp_has_made_impossible_does_nothing() -> None:
    game, base = classic()
    steps = run(game, base, CLAIM, down(10, 4), act(20, 1, "correct", END_LAST, 2))
    assert end_of(steps).game.claim.count == 1
    assert not [event for event in said(steps) if event.name in ("corrected", "refused")]


# Presses ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "seat", "why"),
    [(999, 2, "early"), (1000, 1, "claimant"), (2000, 2, "late")],
)
def test_why_a_press_is_void(at: float, seat: int, why: str) -> None:
    game, base = race(opens=1000, closes=2000)
    assert voids(run(game, base, down(at, seat))) == [(seat, why)]


def test_nobody_sits_there() -> None:
    game, base = race(seats=(1, 3, 4, 5))
    assert voids(run(game, base, down(10, 2))) == [(2, "empty")]


def test_a_candidate_is_one_once() -> None:
    game, base = race()
    fold = end_of(run(game, base, down(10, 2), down(200, 2), down(500, 2)))
    assert [(each.seat, each.ns) for each in fold.race] == [(2, 10 * MS)]


def test_the_first_early_press_locks_out_and_every_press_in_it_starts_it_anew() -> None:
    game, base = race(opens=1000)
    steps = run(game, base, down(900, 2), down(1149, 2), down(1398, 2), down(1648, 2))
    assert voids(steps) == [(2, "early"), (2, "locked_out"), (2, "locked_out")]
    assert [each.ns for each in end_of(steps).race] == [1648 * MS]


def test_after_three_early_presses_a_seat_is_out_for_500_ms_of_the_window() -> None:
    game, base = race(opens=1000)
    early = [down(at, 2) for at in (100, 200, 300)]
    assert voids(run(game, base, *early, down(1499.999999, 2)))[-1] == (2, "locked_out")
    assert [each.seat for each in end_of(run(game, base, *early, down(1500, 2))).race] == [2]


def test_locked_out_presses_after_the_lock_are_not_among_the_three() -> None:
    game, base = race(opens=1000)
    steps = run(game, base, down(980, 2), down(1010, 2), down(1020, 2), down(1030, 2), down(1280, 2))
    assert end_of(steps).books[1].early == 1
    assert [each.seat for each in end_of(steps).race] == [2]


def test_the_count_of_early_presses_begins_anew_when_a_window_closes() -> None:
    game, base = race(opens=1000, closes=2000)
    steps = run(game, base, *[down(at, 2) for at in (100, 200, 300)], until=2500)
    assert end_of(steps).books[1].early == 0
    assert end_of(steps).closed == 2000 * MS


def test_presses_in_another_seats_lock_out_count() -> None:
    game, base = race(opens=1000)
    assert [each.seat for each in end_of(run(game, base, down(990, 2), down(1010, 3))).race] == [3]


def test_the_next_seats_press_is_no_candidate_until_it_is_a_hold() -> None:
    game, base = classic()
    assert end_of(run(game, base, CLAIM, down(100, 2))).race == ()
    assert [each.seat for each in end_of(run(game, base, CLAIM, down(100, 2, "hold"))).race] == [2]
    assert end_of(run(game, base, CLAIM, down(100, 2, "tap"))).race == ()


def test_a_doubt_past_the_buttons_is_a_press() -> None:
    game, base = classic()
    assert [each.seat for each in end_of(run(game, base, CLAIM, down(100, 2, "doubt"))).race] == [2]
    assert voids(run(game, base, CLAIM, down(100, 1, "doubt"))) == [(1, "claimant")]


# Knocks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("presses", "bumped"),
    [
        ([(10, 2), (11, 3), (12, 4), (13, 5)], True),
        ([(10, 2), (11, 3), (12, 4), (13.000001, 5)], False),
        ([(10, 2), (11, 3), (12, 4), (12.5, 4)], False),
        ([(10, 1), (11, 3), (12, 4), (12.5, 5)], False),
        ([(13, 5), (12, 4), (10, 2), (11, 3)], True),
    ],
)
def test_a_knock_is_four_seats_within_3_ms(presses: list[tuple[float, int]], bumped: bool) -> None:
    game, base = race()
    assert end_of(run(game, base, *[down(at, seat) for at, seat in presses])).window_book.bumped is bumped


def test_a_new_window_knows_of_no_knock() -> None:
    game, base = race()
    fold = end_of(run(game, base, *[down(10, seat) for seat in (2, 3, 4, 5)]))
    state, _ = game.again(fold.game, 100 * MS)
    reopened = enter(fold, state, 100 * MS)
    assert reopened.window_book == WindowBook()


def test_close_notes_the_time_and_forgets_the_race() -> None:
    game, base = race()
    shut = close(end_of(run(game, base, down(10, 2))), 70 * MS)
    assert (shut.race, shut.closed) == ((), 70 * MS)
    assert close(shut, 5 * MS).closed == 70 * MS, "never back in time"
