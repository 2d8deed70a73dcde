import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubtable.devices.panel_clock import PanelClock

MS = 1_000_000
S = 1_000_000_000


class Lab:
    """A panel whose clock is ``offset`` ns behind and runs ``ppm`` slow, and a line with given delays."""

    def __init__(self, offset: int = 77 * S, ppm: int = 0) -> None:
        self.clock = PanelClock()
        self.now = 100 * S
        self._zero = self.now - offset
        self._ppm = ppm

    def us(self, ns: int) -> int:
        """The panel's time at a table time."""
        passed = ns - self._zero
        return (passed - passed * self._ppm // 1_000_000) // 1000

    def ping(self, there: int, back: int, think: int = 400_000) -> None:
        """A ping that takes ``there`` and ``back`` ns, and ``think`` in the panel."""
        received = self.now + there
        answered = received + think
        self.clock.measure(self.now, self.us(received), self.us(answered), answered + back)
        self.now = answered + back

    def error(self, ns: int) -> int:
        return abs(self.clock.ns(self.us(ns)) - ns)


def test_a_tick_that_wraps() -> None:
    """Seat 6 at 5, then seat 4 at 4294967290: seat 4 was earlier, by 11 us."""
    clock = PanelClock()
    six = clock.unwrap(5)
    four = clock.unwrap(4294967290)
    assert six - four == 11
    assert clock.unwrap(6) - six == 1


@given(st.integers(0, (1 << 32) - 1), st.lists(st.integers(-(1 << 30), 1 << 30), max_size=40))
def test_unwrapped_stamps_keep_their_distances(start: int, moves: list[int]) -> None:
    clock = PanelClock()
    true = newest = start
    base = clock.unwrap(start) - start
    for move in moves:
        true = newest + move
        assert clock.unwrap(true % (1 << 32)) - base == true
        newest = max(newest, true)


def test_the_smallest_round_trip_wins() -> None:
    lab = Lab()
    for there, back in ((5 * MS, MS), (90_000, 110_000), (9 * MS, 40_000), (2 * MS, 3 * MS)):
        lab.ping(there, back)
    lab.clock.refit()
    assert not lab.clock.jumped
    assert lab.clock.best_trip == pytest.approx(200_000, abs=2_000)
    assert lab.error(lab.now) <= 12_000
    assert 100_000 <= lab.clock.uncertainty <= 100_000 + 50_000 + 3_000 + 2_000_000 // 10


def test_the_panels_own_time_is_no_part_of_the_round_trip() -> None:
    lab = Lab()
    lab.ping(100_000, 100_000, think=50 * MS)
    assert lab.clock.best_trip == pytest.approx(200_000, abs=2_000)


@pytest.mark.parametrize("ppm", [-60, 0, 60])
@pytest.mark.parametrize("seed", range(5))
def test_the_true_time_lies_within_the_uncertainty(ppm: int, seed: int) -> None:
    """Four pings a second, any delays, two crystals that drift: over an hour, at every moment."""
    dice = random.Random(seed)
    lab = Lab(ppm=ppm)
    for _ in range(8):
        lab.ping(dice.randrange(50_000, 3 * MS), dice.randrange(50_000, 3 * MS))
    lab.clock.refit()
    for second in range(3600 if seed == 0 else 120):
        for _ in range(4):
            lab.now += 240 * MS
            worst = 40 * MS if second % 30 < 12 else 3 * MS  # twelve busy seconds
            lab.ping(dice.randrange(50_000, worst), dice.randrange(50_000, worst))
        lab.clock.refit()
        assert not lab.clock.jumped
        assert lab.error(lab.now) <= lab.clock.uncertainty
        assert lab.error(lab.now + 900 * MS) <= lab.clock.uncertainty + 900 * MS // 10_000


@given(st.integers(0, 1 << 30))
def test_order_among_the_panels_stamps_is_never_changed(seed: int) -> None:
    dice = random.Random(seed)
    lab = Lab(ppm=dice.randrange(-80, 80))
    lab.ping(dice.randrange(9 * MS), dice.randrange(9 * MS))
    lab.clock.refit()
    told: list[tuple[int, int]] = []
    for _ in range(20):
        lab.now += 200 * MS
        stamp = lab.us(lab.now)
        told += [(us, lab.clock.ns(us)) for us in (stamp, stamp + 1, stamp + 2)]
        lab.now += 800 * MS
        lab.ping(dice.randrange(9 * MS), dice.randrange(9 * MS))
        lab.clock.refit()
        assert not lab.clock.jumped
    assert all(later[1] > earlier[1] for earlier, later in pairwise(told))
    assert [lab.clock.ns(us) for us, _ in told] == [ns for _, ns in told]  # and a late stamp maps as it would have


def test_a_refit_bends_and_does_not_jump() -> None:
    lab = Lab()
    lab.ping(4 * MS, 100_000)  # wrong by 2 ms
    lab.clock.refit()
    lab.now += S
    lab.ping(100_000, 100_000)
    at = lab.us(lab.now)
    lab.clock.refit()
    here = lab.clock.ns(at)
    assert abs(lab.clock.ns(at + 10) - here - 10_000) <= 10
    assert abs(lab.clock.ns(at + 1_000_000) - here - S) <= 500_000
    assert lab.clock.uncertainty >= 1_400_000  # what is left to bend is owned up to


def test_a_better_measurement_counts_from_the_refit_on() -> None:
    lab = Lab()
    lab.ping(3 * MS, 10_000)
    lab.clock.refit()
    lab.ping(50_000, 50_000)
    assert lab.error(lab.now) <= lab.clock.uncertainty
    assert lab.clock.uncertainty > MS


def test_a_clock_that_jumped_is_found() -> None:
    lab = Lab()
    lab.ping(100_000, 100_000)
    lab.clock.refit()
    other = Lab(offset=77 * S + 3 * MS)
    other.now = lab.now + S
    other.clock = lab.clock
    other.ping(900_000, 900_000)  # no better than the old one, but they cannot both be right
    assert lab.clock.jumped
