"""The part of docs/play.md that is made from the games: their house rules.

``python -m games.written_play``, in the folder tests, writes it anew; a test compares it.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from doubtable.games import GAMES
from doubtable.games.options import Option

PLAY = Path(__file__).parents[2] / "docs" / "play.md"
OPTIONS = re.compile(r"(?<=<!-- options -->\n).*?(?=<!-- end -->)", re.DOTALL)


def _said(value: object) -> str:
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _values(option: Option) -> str:
    if isinstance(option.values, range):
        return f"{option.values[0]} to {option.values[-1]}"
    return ", ".join(map(_said, option.values))


def rows() -> Iterator[str]:
    yield "| game | option | values | default | |"
    yield "|---|---|---|---|---|"
    for game, rules in GAMES.items():
        for name, option in rules.options_known.items():
            yield f"| {game} | `{name}` | {_values(option)} | {_said(option.default)} | {option.line} |"


def written(page: str) -> str:
    """``page`` with its table of house rules made anew."""
    return OPTIONS.sub(lambda _: "\n".join(rows()) + "\n", page)


if __name__ == "__main__":
    PLAY.write_text(written(PLAY.read_text(encoding="utf-8")), encoding="utf-8")
