"""Waiting: for descriptors with any number (select() fails from the 1,024th on, and a long evening may get there), and
no longer than was meant.
"""

import selectors
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

SLACK = 1_000  # ns


def readable(descriptors: Iterable[int], seconds: float | None) -> set[int]:
    """Those of ``descriptors`` that can be read, waiting at most ``seconds`` for the first (None: for ever)."""
    with selectors.PollSelector() as selector:  # opens no descriptor of its own, as epoll and kqueue would
        for descriptor in descriptors:
            selector.register(descriptor, selectors.EVENT_READ)
        return {key.fd for key, _ in selector.select(seconds)}


def wake_on_time() -> None:
    """From now on a wait of the main thread ends at most SLACK late: Linux takes 50 us by itself, to spare current.

    Where that cannot be set it stays as it is. See PR_SET_TIMERSLACK in prctl(2). Any thread.
    """
    with suppress(OSError):
        Path("/proc/self/timerslack_ns").write_text(str(SLACK))
