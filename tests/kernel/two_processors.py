"""Races on a guest with two processors, where edges are no longer read in the order in which they were stamped.

Nothing bounces here: emulated processors wake each other up within milliseconds, those of a Pi within microseconds, and
a bounce that comes before the kernel's thread has run moves the stamp (see doubtable.devices.kernel_edges).
"""

import pytest

from kernel.virtual_time import RACES, race


def test_200_races_with_two_processors(capsys: pytest.CaptureFixture[str]) -> None:
    ours = race("stamps", seed=2, bounces=0)
    with capsys.disabled():
        print(f"\n{RACES} races, two processors: {ours.wrong_first} wrong, {ours.inversions} edges read out of order")  # noqa: T201
    assert (ours.races, ours.wrong_first, ours.wrong_order, ours.missing) == (RACES, 0, 0, 0)
