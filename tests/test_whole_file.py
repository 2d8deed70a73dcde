"""A file that is written whole: its content, its mode, and the old one when the disk refuses."""

import os
import stat
from pathlib import Path

import pytest

from doubtable import whole_file


def test_a_new_file_has_the_data_and_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "cards"
    whole_file.replace(path, b"one", 0o600)
    whole_file.replace(path, b"two", 0o600)
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_disk_that_refuses_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cards"
    path.write_bytes(b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        whole_file.replace(path, b"new")
    assert path.read_bytes() == b"old"
