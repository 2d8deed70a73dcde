"""What every kernel case stands on. The cases run in the guest only: see run.sh."""

from collections.abc import Iterator

import pytest

from kernel.inbox import Inbox
from kernel.sim import SimChip


@pytest.fixture
def chip() -> Iterator[SimChip]:
    """A Pi 4's header, simulated by the kernel."""
    with SimChip() as chip:
        yield chip


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()
