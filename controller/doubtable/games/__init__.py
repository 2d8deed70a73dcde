"""The games. A new one is a file beside these and one line in GAMES."""

from doubtable.games.base import Game
from doubtable.games.classic import Classic
from doubtable.games.liar_poker import LiarPoker
from doubtable.games.options import OptionError
from doubtable.games.rounds import Rounds
from doubtable.games.wrong_rank import WrongRank

GAMES: dict[str, type[Game]] = {game.id: game for game in (Classic, WrongRank, LiarPoker, Rounds)}


PRESETS: dict[str, dict[str, dict[str, object]]] = {
    "book": {},
    "pub": {
        "classic": {"bell_min": 12, "scoring": "chip"},
        "wrong-rank": {"bell_min": 12, "scoring": "chip"},
        "liar-poker": {"detail": "simple", "points": 3},
        "rounds": {"scoring": "chip"},
    },
    "family": {"wrong-rank": {"rank_assist": "auto"}},
}
"""House rules by preset and game: the rules as written, a pub's evening, guests who never saw it."""

PRESET_SPEED = {"book": "normal", "pub": "quick", "family": "calm"}
"""The speed (see timing.SPEEDS) that belongs to a preset."""


def lock_events() -> set[str]:
    """The events of any game that tell a lock: what a game's length is counted in."""
    return {name for game in GAMES.values() for name in game.lock_events}


def game_type(name: str) -> type[Game]:
    """The rules of the game ``name``; OptionError names those that exist."""
    if name not in GAMES:
        raise OptionError(f"game {name!r} does not exist: {', '.join(GAMES)}")
    return GAMES[name]
