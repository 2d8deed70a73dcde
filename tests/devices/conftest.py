"""What several device tests stand on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.panel_bench import Served
from doubtable.devices import panel, panel_session
from doubtable.timing import S


@pytest.fixture
def short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A panel's turn without bytes is over at once: time is the test's."""
    monkeypatch.setattr(panel, "TURN", 0.0005)


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A panel in real time; a machine that stands still for a while does not lose it."""
    monkeypatch.setattr(panel, "START_WITHIN", 60.0)
    monkeypatch.setattr(panel_session, "SILENCE", 30 * S)
    made = Served(tmp_path)
    yield made
    made.close()
