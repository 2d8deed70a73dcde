"""What several device tests stand on."""

import pytest

from doubtable.devices import panel


@pytest.fixture
def short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A panel's turn without bytes is over at once: time is the test's."""
    monkeypatch.setattr(panel, "TURN", 0.0005)
