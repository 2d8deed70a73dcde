"""Buttons on the bench: presses, bounce, noise, and what is down from the start."""

import pytest

from devices.fake_gpio import FakeClock
from doubtable.doctor.bench import Bench
from doubtable.inputs import Edge, Levels, Source
from doubtable.timing import MS, Timing

TIMING = Timing()

# A captured press of a cheap switch (ns, level): 527 us from the first edge to the last.
CAPTURED = [
    *((188812, 1), (196062, 0), (421812, 1), (428125, 0), (431812, 1), (437875, 0), (500937, 1), (507000, 0)),
    *((547500, 1), (559500, 0), (635625, 1), (642875, 0), (671875, 1), (674375, 0), (713000, 1), (716100, 0)),
    (716687, 1),
]


def bench(*edges: tuple[int, int], until: int = 200 * MS) -> tuple[Bench, list[tuple[int, int]]]:
    made = Bench([1, 2], TIMING)
    made.hear(Levels(0, {1: 0, 2: 0}))
    for ns, level in edges:
        made.hear(Edge(ns, 1, level))
    return made, made.advance(until)


def test_a_captured_press_has_the_bounce_of_its_first_to_its_last_edge() -> None:
    made, presses = bench(*CAPTURED)
    assert presses == [(1, 716687 - 188812)]
    assert (made.seats[1].presses, made.seats[1].bounce, made.seats[1].noise) == (1, 527875, 0)
    assert made.seats[1].down
    assert made.seats[2].presses == 0


def test_a_press_is_told_once_and_not_before_it_rests() -> None:
    made, presses = bench((10 * MS, 1), until=14 * MS)
    assert presses == []
    assert made.advance(15 * MS) == [(1, 0)]
    assert made.advance(30 * MS) == []


def test_spikes_are_noise_each() -> None:
    spikes = [edge for n in range(1, 41) for edge in ((n * 50 * MS, 1), (n * 50 * MS + 120_000, 0))]
    made, presses = bench(*spikes, until=3000 * MS)
    assert presses == []
    assert made.seats[1].noise == 40


def test_the_longest_bounce_counts() -> None:
    made, _ = bench(
        (10 * MS, 1), (11 * MS, 0), (13 * MS, 1), (100 * MS, 0), (150 * MS, 1), (250 * MS, 0), until=400 * MS
    )
    assert made.seats[1].presses == 2
    assert made.seats[1].bounce == 3 * MS


@pytest.mark.parametrize("released", [False, True])
def test_down_since_it_was_first_looked_at(released: bool) -> None:
    made = Bench([1], TIMING)
    made.hear(Levels(0, {1: 1}))
    if released:
        made.hear(Edge(10 * MS, 1, 0))
    made.advance(500 * MS)
    assert (made.seats[1].held, made.seats[1].down) == (not released, not released)
    assert made.seats[1].presses == 0


def test_a_lost_release_is_found_by_the_levels() -> None:
    made, _ = bench((10 * MS, 1), until=100 * MS)
    assert made.seats[1].down
    made.hear(Levels(200 * MS, {1: 0}))
    made.advance(500 * MS)
    assert not made.seats[1].down


def test_an_inferred_press_has_no_bounce() -> None:
    made = Bench([1], TIMING)
    made.hear(Levels(0, {1: 0}))
    made.hear(Levels(100 * MS, {1: 1}))
    assert made.advance(500 * MS) == [(1, 0)]


def test_sources_that_go_and_come() -> None:
    made = Bench([1], TIMING)
    made.hear(Source(0, "gpio", False))
    assert made.lost == {"gpio"}
    made.hear(Source(1, "gpio", True))
    assert made.lost == set()


def test_seats_of_others_are_no_concern() -> None:
    made = Bench([2], TIMING)
    made.hear(Edge(FakeClock().ns, 1, 1))
    made.hear(Levels(0, {1: 1, 3: 0}))
    assert made.advance(100 * MS) == []
