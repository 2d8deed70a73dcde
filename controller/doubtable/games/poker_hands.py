"""The declarations of Liar Poker: one rising list per level, and the one question whether cards contain one.

A declaration is a category and the ranks that name it; suits and kickers are never named. Higher means later in the
list. The list is this file's and stands nowhere else: ``named`` has 309 declarations, ``simple`` 100. ``simple``
names two pairs by the higher pair and a full house by its trips.

To contain is not to be: four aces contain a pair of aces and no pair of kings. Every declaration is a list of ways,
each a list of demands, "at least so many cards of this rank"; cards contain it iff they meet all demands of one way
(and, for the flushes, are five of one suit).
"""

from collections.abc import Sequence

import msgspec

from doubtable.cards import RANKS, Card

RISING = RANKS[::-1]  # "23456789TJQKA": ranks in declarations rise
LEVELS = ("named", "simple")
# Every category in rising order, with the cards that a proof needs.
NEEDED = {
    "high": 1,
    "pair": 2,
    "two_pairs": 4,
    "three": 3,
    "straight": 5,
    "flush": 5,
    "full": 5,
    "four": 4,
    "straight_flush": 5,
}
_SEVEN_UP = RISING[RISING.index("7") :]  # some rank of 7 or more is in every hand with no pair and no straight
_TOPS = RISING[RISING.index("5") :]  # the top cards of straights: A2345 up to TJQKA


class DeclarationError(ValueError):
    """A text that names no declaration of its level; says which word is wrong and what may stand there."""


class Declaration(msgspec.Struct, frozen=True, cache_hash=True):
    """One thing to declare: the category and, as the category is named, one or two ranks (the higher pair or the
    trips first). ``str`` gives the text of a tape, for example ``"two_pairs K Q"``; ``parse`` reads it."""

    category: str
    ranks: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.category, *self.ranks))

    @property
    def needed(self) -> int:
        """How many cards prove it."""
        return NEEDED[self.category]


def _namings(category: str, level: str) -> list[tuple[str, ...]]:
    """The ranks by which ``category`` can be named, rising."""
    if category in ("high", "flush"):
        return [(rank,) for rank in _SEVEN_UP]
    if category in ("straight", "straight_flush"):
        return [(top,) for top in _TOPS]
    if category == "two_pairs":
        if level == "simple":
            return [(high,) for high in RISING[1:]]
        return [(high, low) for place, high in enumerate(RISING) for low in RISING[:place]]
    if category == "full" and level == "named":
        return [(trips, pair) for trips in RISING for pair in RISING if pair != trips]
    return [(rank,) for rank in RISING]


_LISTS = {
    level: tuple(Declaration(category, ranks) for category in NEEDED for ranks in _namings(category, level))
    for level in LEVELS
}
_INDEX = {level: {declaration: place for place, declaration in enumerate(_LISTS[level])} for level in LEVELS}


def declarations(level: str) -> tuple[Declaration, ...]:
    """All declarations of ``level``, rising. The place in it is a declaration's index."""
    return _LISTS[level]


def index(declaration: Declaration, level: str) -> int:
    """The place of ``declaration`` in the list of ``level``; DeclarationError if it does not stand there."""
    try:
        return _INDEX[level][declaration]
    except KeyError:
        raise DeclarationError(_fault(declaration, level)) from None


def parse(text: object, level: str) -> Declaration:
    """The declaration that ``text`` names at ``level``, one space between words. DeclarationError names the fault."""
    if not isinstance(text, str):
        raise DeclarationError(f'{text!r} is no declaration: write a category and its ranks, for example "pair K"')
    category, *ranks = text.split(" ")
    declaration = Declaration(category, tuple(ranks))
    if declaration not in _INDEX[level]:
        raise DeclarationError(_fault(declaration, level))
    return declaration


def _fault(declaration: Declaration, level: str) -> str:
    """What keeps ``declaration`` out of the list of ``level``."""
    category, ranks = declaration.category, declaration.ranks
    start = f'"{declaration}":'
    if category not in NEEDED:
        return f"{start} {category!r} is no category: one of {', '.join(NEEDED)}"
    namings = _namings(category, level)
    words = len(namings[0])
    if len(ranks) != words:
        count = "one rank" if words == 1 else "two ranks"
        return f"{start} {category} is named by {count} at level {level}, not by {len(ranks)}"
    for rank in ranks:
        if rank not in RANKS or len(rank) != 1:
            return f"{start} {rank!r} is no rank: one of {' '.join(RISING)}"
    if ranks[0] == ranks[-1] and words == 2:
        return f"{start} the two ranks of {category} differ"
    if category == "two_pairs" and words == 2:
        return f"{start} the higher pair comes first"
    return f"{start} {category} is named from {namings[0][0]} to {namings[-1][0]}, not by {ranks[0]}"


Strips = dict[str, dict[str, tuple[str, ...]]]


def strips(level: str, above: int = -1) -> Strips:
    """What is still higher than the declaration with index ``above`` (-1: nothing was declared), as the steps in which
    one button enters it: category -> rank -> the second ranks (none where one rank names it). Everything rises, so
    the first option of every step leads to the smallest raise. Empty after the highest declaration."""
    chain: Strips = {}
    for declaration in _LISTS[level][above + 1 :]:
        rank, *second = declaration.ranks
        step = chain.setdefault(declaration.category, {})
        step[rank] = (*step.get(rank, ()), *second)
    return chain


Demands = tuple[tuple[str, int], ...]


def _straight(top: str) -> str:
    """The five ranks of the straight to ``top``; below the 2 lies the ace."""
    place = RISING.index(top)
    return "".join(RISING[place - step] for step in range(5))


def _ways(declaration: Declaration) -> tuple[Demands, ...]:
    """The ways to contain ``declaration`` by ranks: each a list of (rank, at least so many cards of it)."""
    first, *second = declaration.ranks
    match declaration.category:
        case "two_pairs":
            lower = second or RISING[: RISING.index(first)]
            return tuple(((first, 2), (low, 2)) for low in lower)
        case "full":
            others = second or RISING.replace(first, "")
            return tuple(((first, 3), (pair, 2)) for pair in others)
        case "straight" | "straight_flush":
            return (tuple((rank, 1) for rank in _straight(first)),)
        case "flush":
            return (((first, 1),),)
        case _:
            return (((first, declaration.needed),),)


_WAYS = {declaration: _ways(declaration) for level in LEVELS for declaration in _LISTS[level]}
_ONE_SUIT = ("flush", "straight_flush")


def contains(declaration: Declaration, cards: Sequence[Card]) -> bool:
    """Whether ``cards``, at most five different ones, as held or as shown so far, contain ``declaration``.

    KeyError for what stands in no level's list.
    """
    if len(cards) == 5:  # a loop over the cards, or a Counter of them, would take most of the time
        a, b, c, d, e = cards
        ranks: tuple[str, ...] = (a.rank, b.rank, c.rank, d.rank, e.rank)
    else:
        ranks = tuple(card.rank for card in cards)
    for demands in _WAYS[declaration]:
        for rank, count in demands:
            if ranks.count(rank) < count:
                break
        else:
            return declaration.category not in _ONE_SUIT or (
                len(cards) == 5 and len({card.suit for card in cards}) == 1
            )
    return False


def serving(declaration: Declaration, cards: Sequence[Card]) -> tuple[bool, ...]:
    """Which of ``cards``, in this order, go towards a proof of ``declaration``; of several ways the most met one.

    A flush is of the first card's suit. KeyError as for `contains`.
    """
    best: tuple[bool, ...] = (False,) * len(cards)
    for demands in _WAYS[declaration]:
        open_still = dict(demands)
        ticks = []
        for card in cards:
            suits = declaration.category not in _ONE_SUIT or card.suit == cards[0].suit
            ticks.append(suits and (declaration.category == "flush" or open_still.get(card.rank, 0) > 0))
            open_still[card.rank] = open_still.get(card.rank, 0) - 1
        best = max(best, tuple(ticks), key=sum)
    return best
