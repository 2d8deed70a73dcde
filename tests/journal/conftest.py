"""What the journal's tests stand on."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from journal.power import Disk, remembering

LONG = bool(os.environ.get("DOUBTABLE_LONG"))
CI = LONG or bool(os.environ.get("DOUBTABLE_CI"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the journal of this test lies."""
    return tmp_path / "journal.db"


@pytest.fixture
def disk() -> Iterator[Disk]:
    """A disk that remembers, under every journal that is opened in this test."""
    try:
        with remembering() as made:
            yield made
    except LookupError as missing:
        if CI:
            raise
        pytest.skip(str(missing))
