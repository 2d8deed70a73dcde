"""Waiting for descriptors with any number."""

import os
import resource

import pytest

from doubtable.devices.waiting import readable


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
