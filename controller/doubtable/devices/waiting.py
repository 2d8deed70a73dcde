"""Waiting for descriptors with any number: select() fails from the 1,024th on, and a long evening may get there."""

import selectors
from collections.abc import Iterable


def readable(descriptors: Iterable[int], seconds: float | None) -> set[int]:
    """Those of ``descriptors`` that can be read, waiting at most ``seconds`` for the first (None: for ever)."""
    with selectors.PollSelector() as selector:  # opens no descriptor of its own, as epoll and kqueue would
        for descriptor in descriptors:
            selector.register(descriptor, selectors.EVENT_READ)
        return {key.fd for key, _ in selector.select(seconds)}
