"""Races on a guest with two processors, where edges are no longer read in the order in which they were stamped.

Nothing bounces here: emulated processors wake each other up within milliseconds, those of a Pi within microseconds,
and a bounce that comes before the kernel's thread has run moves the stamp (see doubtable.devices.kernel_edges). For the
same reason buttons are held until the table has decided, and stragglers are waited for longer.
"""

import pytest

from kernel.virtual_time import race

RACES = 100


def test_races_with_two_processors(capsys: pytest.CaptureFixture[str]) -> None:
    ours = race("table", RACES, seed=2, bounces=0, hold_ms=400, straggler_ms=300)
    with capsys.disabled():
        print(  # noqa: T201
            f"\n{RACES} races, two processors: {ours.wrong_doubter} wrong, {ours.beyond_straggler} came too late to "
            f"count, {ours.press_again} times press again, {ours.read_out_of_order} edges read out of order"
        )
    assert (ours.races, ours.wrong_doubter, ours.presses_missing) == (RACES, 0, 0)
    assert ours.press_again + ours.beyond_straggler <= RACES // 10
    assert ours.read_out_of_order > 0, "this run has not shown what it is for"
