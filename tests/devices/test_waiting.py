"""Waiting for descriptors with any number, and not longer than was meant."""

import os
import resource
from pathlib import Path

import pytest

from doubtable.devices.waiting import SLACK, readable, wake_on_time

TIMER_SLACK = Path("/proc/self/timerslack_ns")


def test_a_descriptor_beyond_the_reach_of_select_is_waited_for() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2100:
        pytest.skip("the limit of open files cannot be raised to 2,100 here: ulimit -Hn 2100")
    resource.setrlimit(resource.RLIMIT_NOFILE, (2100, hard))
    ears, mouth = os.pipe()
    try:
        far = 2050
        os.dup2(ears, far)
        assert readable([far], 0) == set()
        os.write(mouth, b"!")
        assert readable([ears, far], 1) == {ears, far}
        os.close(far)
    finally:
        os.close(ears)
        os.close(mouth)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.skipif(not TIMER_SLACK.exists(), reason="needs Linux with /proc: it says how late a sleep may end")
def test_the_main_thread_may_be_woken_a_microsecond_late_at_most() -> None:
    before = TIMER_SLACK.read_text()
    try:
        wake_on_time()
        assert int(TIMER_SLACK.read_text()) == SLACK
    finally:
        TIMER_SLACK.write_text(before)
