"""What `make` says on a machine that lacks something: one line that names it. Nothing is installed here."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with the project's Makefile and nothing installed."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def python(folder: Path, script: str) -> str:
    """A stand-in for an interpreter; ``$2`` is the program it is given with -c."""
    path = folder / "fake-python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    if shutil.which("make") is None:
        pytest.skip("make is missing: apt install make")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", "-s", *arguments], cwd=folder, capture_output=True, text=True, env=environment, check=False, timeout=60
    )


@pytest.mark.parametrize("target", ["setup", "play", "test", "lint"])
def test_without_venv_one_line_names_the_package(clone: Path, target: str) -> None:
    fake = python(clone, 'case "$2" in *ensurepip*) exit 1;; esac')
    ended = make(clone, target, f"PYTHON={fake}")
    assert ended.returncode != 0
    said = [line for line in (ended.stdout + ended.stderr).splitlines() if not line.startswith("make: ***")]
    assert len(said) == 1
    assert "apt install python3-venv" in said[0]
    assert not (clone / ".venv").exists()


def test_an_old_python_is_named(clone: Path) -> None:
    fake = python(clone, 'case "$2" in *version_info*) echo "doubtable needs Python 3.11 to 3.14" >&2; exit 1;; esac')
    ended = make(clone, "setup", f"PYTHON={fake}")
    assert ended.returncode != 0
    assert "3.11 to 3.14" in ended.stderr
    assert not (clone / ".venv").exists()


def test_without_any_python_one_line_says_so(clone: Path) -> None:
    ended = make(clone, "setup", "PYTHON=no-such-python")
    assert ended.returncode != 0
    said = [line for line in (ended.stdout + ended.stderr).splitlines() if not line.startswith("make: ***")]
    assert len(said) == 1
    assert "no-such-python" in said[0]
    assert "install" in said[0]


def test_make_without_a_target_says_what_there_is(clone: Path) -> None:
    ended = make(clone, "help")
    assert ended.returncode == 0
    for target in ("make play", "make test", "make lint"):
        assert target in ended.stdout
