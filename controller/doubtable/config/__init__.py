"""The table's configuration: table.toml, pin plans, and settings changed at the table.

``load`` reads them into a frozen Config or raises ConfigError with every problem at once. Importing this package does
not import pydantic; ``load`` does.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from doubtable.config.problem import ConfigError, Problem
from doubtable.config.values import Config, Seat, Setting

__all__ = ["Config", "ConfigError", "Problem", "Seat", "Setting", "load"]


def _any_options(game: str, options: Mapping[str, Any]) -> Iterable[Problem]:
    return ()


def load(
    path: Path | None,
    check_options: Callable[[str, Mapping[str, Any]], Iterable[Problem]] = _any_options,
    *,
    environ: Mapping[str, str] = os.environ,
    recover: bool = False,
) -> Config:
    """The configuration of ``path``; without a path a simulated table.

    ``check_options(game, options)`` judges a game's name and house rules; its problems' keys are names of options, ""
    for the game itself. ``environ`` gives the state directory's default. ``recover``: damaged settings files are moved
    aside (for the running table; a command that only looks changes nothing).

    Raises ConfigError with all problems of the file. Settings changed at the table that are damaged or do not fit any
    more never raise: they are left out, and ``Config.warnings`` says so.
    """
    from doubtable.config.loading import load_table  # noqa: PLC0415 - imports pydantic, which a mere --help need not

    return load_table(path, check_options, environ, recover)
