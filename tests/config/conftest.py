"""A table.toml in a temporary folder, and its problems as lines of text."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from doubtable.config import Config, ConfigError, Problem, load

Write = Callable[[str], Path]
Load = Callable[[str], Config]
Problems = Callable[[str], list[str]]


def toy_options(game: str, options: Mapping[str, Any]) -> Iterable[Problem]:
    """A list of games with one game, "toy", that has one house rule."""
    if game != "toy":
        yield Problem("", "there is no such game", "games: toy")
        return
    for name, value in options.items():
        if name != "rounds":
            yield Problem(name, "unknown house rule", "toy has: rounds")
        elif not (isinstance(value, int) and 1 <= value <= 9):
            yield Problem(name, f"{value} is out of range", "from 1 to 9")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(text: str) -> Path:
        path = tmp_path / "table.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"STATE_DIRECTORY": str(tmp_path / "state")}


@pytest.fixture
def loaded(write: Write, environ: dict[str, str]) -> Load:
    """The Config of a text."""
    return lambda text: load(write(text), toy_options, environ=environ)


@pytest.fixture
def problems(loaded: Load) -> Problems:
    """The problems of a text, one line each, without the file's name; empty when there are none."""

    def found(text: str) -> list[str]:
        try:
            loaded(text)
        except ConfigError as error:
            return [str(problem) for problem in error.problems]
        return []

    return found
