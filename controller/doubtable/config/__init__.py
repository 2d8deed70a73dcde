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

__all__ = ["Config", "ConfigError", "Problem", "Seat", "Setting", "any_options", "change", "load"]


def any_options(game: str, options: Mapping[str, Any]) -> Iterable[Problem]:
    """Takes every game and every house rule: for whoever has no list of games at hand."""
    return ()


def load(
    path: Path | None,
    check_options: Callable[[str, Mapping[str, Any]], Iterable[Problem]] = any_options,
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


def change(
    config: Config,
    settings: Mapping[str, Any],
    check_options: Callable[[str, Mapping[str, Any]], Iterable[Problem]] = any_options,
) -> Config:
    """Store settings changed at the table ({"sound.volume": 40}; None = as in table.toml again); the new configuration.

    The stored values are those of table.toml: numbers, true or false, texts as they would be written there.
    Raises ConfigError when a setting does not fit or cannot be changed at the table, and OSError when the state
    directory cannot be written; then the old settings stand.
    """
    from doubtable.config.loading import change_settings  # noqa: PLC0415 - imports pydantic

    return change_settings(config, settings, check_options)
