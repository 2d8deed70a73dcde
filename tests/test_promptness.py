"""A process that answers in time, and is as it was afterwards."""

import gc
import sys
from pathlib import Path

import pytest

from doubtable import promptness
from doubtable.promptness import SLACK, TIMER_SLACK, TURN, promptly


def test_the_collector_and_the_turns_of_threads() -> None:
    turn, frozen = sys.getswitchinterval(), gc.get_freeze_count()
    with promptly():
        assert sys.getswitchinterval() == pytest.approx(TURN)
        assert gc.get_freeze_count() > frozen
    assert (sys.getswitchinterval(), gc.get_freeze_count()) == (turn, 0)


@pytest.mark.skipif(not TIMER_SLACK.exists(), reason="needs Linux with /proc: it says how late a wait may end")
def test_a_wait_may_end_a_microsecond_late_at_most() -> None:
    before = TIMER_SLACK.read_text()
    with promptly():
        assert int(TIMER_SLACK.read_text()) == SLACK
    assert TIMER_SLACK.read_text() == before


def test_where_waits_cannot_be_made_exact_the_rest_is_done(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(promptness, "TIMER_SLACK", tmp_path / "no" / "such")
    with promptly():
        assert sys.getswitchinterval() == pytest.approx(TURN)
