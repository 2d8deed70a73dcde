"""A referee that plays whole random games by the rules and writes down, as a tape, what a table must say to them.

It shares no code with the product. ``play_random`` gives the lines; a replay that checks them judges the product.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from referee.liar_poker import LiarPoker
from referee.packet_guests import play_packets
from referee.packets import Packets
from referee.poker_guests import play_poker
from referee.round_guests import play_rounds
from referee.rounds import Rounds
from referee.script import Line

GAMES = ("classic", "wrong-rank", "liar-poker", "rounds")


def play_random(
    game: str,
    seed: int,
    seats: int | Sequence[str | None] = 4,
    options: Mapping[str, Any] | None = None,
    doubt_rate: float = 0.3,
    *,
    timing: Mapping[str, Any] | None = None,
) -> list[Line]:
    """The lines of a tape of one random game: inputs, and after every settled step what must have come of it.

    ``seats``: a number, or names with None where nobody sits. ``doubt_rate``: how often a claim is doubted, 0 to 1.
    ``timing``: of a tape's times only ``tie_ms``, up to 100; the others are the rules' own. The same arguments give the
    same lines.
    """
    dice = random.Random(f"{game} {seed}")
    names = [f"S{seat + 1}" for seat in range(seats)] if isinstance(seats, int) else list(seats)
    dealer = dice.choice([seat for seat, name in enumerate(names, 1) if name is not None])
    header = {"tape": 1, "game": game, "seats": names, "dealer": dealer, "about": f"referee, seed {seed}"}
    header |= {"options": dict(options or {}), "timing": dict(timing or {})}
    if game == "liar-poker":
        poker = LiarPoker(header)
        play_poker(poker, dice, doubt_rate)
        return poker.tape.lines
    if game == "rounds":
        rounds = Rounds(header)
        play_rounds(rounds, dice, doubt_rate)
        return rounds.tape.lines
    packets = Packets(header)
    play_packets(packets, dice, doubt_rate)
    return packets.tape.lines
