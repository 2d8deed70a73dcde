"""Games and house rules of a table.toml, judged by the games themselves."""

from collections.abc import Iterator, Mapping
from typing import Any

from doubtable.config.problem import Problem, choice, shown
from doubtable.games import GAMES
from doubtable.games.options import Option, OptionError


def check_options(game: str, options: Mapping[str, Any]) -> Iterator[Problem]:
    """What is wrong with a game's name (key "") and its house rules (key: the rule), with the values that there are."""
    if game not in GAMES:
        yield Problem("", f"game {shown(game)} does not exist", choice(game, GAMES))
        return
    known = GAMES[game].options_known
    for name, value in options.items():
        if name not in known:
            yield Problem(name, f"{game} has no such house rule", choice(name, known) if known else "it has none")
        elif not _has(known[name], name, value):
            yield Problem(name, f"{shown(value)} is not possible", f"write {values_of(known[name])}")


def _has(option: Option, name: str, value: object) -> bool:
    if not isinstance(value, bool | int | str):
        return False  # 2.0 equals 2, but is not what a game counts with
    try:
        option.check(name, value)
    except OptionError:
        return False
    return True


def values_of(option: Option) -> str:
    """The values of a house rule as a table.toml writes them."""
    if isinstance(option.values, range):
        return f"{option.values[0]} to {option.values[-1]}"
    return " or ".join(shown(value) for value in option.values)
