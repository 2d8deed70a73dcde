"""Positions that many tests begin with: a claim that is open, one that is doubted, a hand that was declared."""

from typing import Any

from games.at_table import AtTable, at


def claimed(count: int = 1, *, seats: int = 4, game: str = "classic", **start: Any) -> AtTable:
    """Seat 1's claim of aces is open."""
    table = at(game, seats, turn=1, **start) if start else at(game, seats)
    table.say(1, "claim", count=count, **({"rank": "A"} if game == "wrong-rank" else {}))
    return table


def doubted(count: int = 1, *, seats: int = 4, by: int = 3, **start: Any) -> AtTable:
    """Seat ``by`` has doubted seat 1's claim of aces."""
    table = claimed(count, seats=seats, **start)
    table.slap(by)
    assert table.phase == "reveal"
    return table


def declared(seats: int = 4) -> AtTable:
    """Liar Poker: seat 2 holds the hand and has declared a pair of kings; seat 3 answers."""
    table = at("liar-poker", seats)
    table.slap(2)
    table.say(2, "declare", hand="pair K")
    return table


def voting(game: str = "classic", seats: int = 5) -> AtTable:
    """Seat 3 says that seat 5 is gone; the other three are asked."""
    table = at(game, seats)
    table.menu(3, "SEAT 5 IS GONE")
    return table
