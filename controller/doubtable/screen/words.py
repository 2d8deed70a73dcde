"""Every text that a guest reads, in the house's language: one gettext catalogue, keys are the English texts.

A key may have places in braces, ``"{name}: SHOW"``. A value for a place is a text, a number, or a key with values of
its own. In a text of capitals, names become capitals too. A text with ``{count}`` has a form for one and one for many.
Three keys are not texts but facts that a language words in its own way: CLAIM (count, rank), RANK (rank, count), HAND
(hand, as a tape writes it).
"""

import re
from collections.abc import Callable, Mapping
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files

from doubtable.screen.lettering import SOFT

LANGUAGES = ("en", "de", "es")
DOMAIN = "doubtable"
HELP_LINES, HELP_CHARACTERS = 2, 17  # at most, with names of three letters

# One and many of a rank, as it is called out loud.
RANK_NAMES = {
    "A": ("ACE", "ACES"),
    "K": ("KING", "KINGS"),
    "Q": ("QUEEN", "QUEENS"),
    "J": ("JACK", "JACKS"),
    "T": ("TEN", "TENS"),
    "9": ("NINE", "NINES"),
    "8": ("EIGHT", "EIGHTS"),
    "7": ("SEVEN", "SEVENS"),
    "6": ("SIX", "SIXES"),
    "5": ("FIVE", "FIVES"),
    "4": ("FOUR", "FOURS"),
    "3": ("THREE", "THREES"),
    "2": ("TWO", "TWOS"),
}
# Declarations of Liar Poker: with one rank and, where the game has one, with two.
HAND_NAMES = {
    ("high", 1): "HIGH CARD {rank}",
    ("pair", 1): "PAIR {rank}",
    ("two_pairs", 1): "TWO PAIRS {rank}",
    ("two_pairs", 2): "TWO PAIRS {rank} {second}",
    ("three", 1): "THREE {rank}",
    ("straight", 1): "STRAIGHT TO {rank}",
    ("flush", 1): "FLUSH WITH {rank}",
    ("full", 1): "FULL HOUSE {rank}",
    ("full", 2): "FULL HOUSE {rank} {second}",
    ("four", 1): "FOUR {rank}",
    ("straight_flush", 1): "STRAIGHT FLUSH TO {rank}",
}
# The categories of Liar Poker as labels of a strip.
CATEGORY_NAMES = {
    "high": "HIGH CARD",
    "pair": "PAIR",
    "two_pairs": "TWO PAIRS",
    "three": "THREE OF A KIND",
    "straight": "STRAIGHT",
    "flush": "FLUSH",
    "full": "FULL HOUSE",
    "four": "FOUR OF A KIND",
    "straight_flush": "STRAIGHT FLUSH",
}
HOUSE_WORD = "I doubt it"


class Words:
    """The texts of one language. ``house_word`` is what a doubt is called here; "" takes the language's neutral one."""

    def __init__(self, language: str = "en", house_word: str = "") -> None:
        self.language = language
        self._catalogue = catalogue(language)
        self.house_word = house_word or self._catalogue.gettext(HOUSE_WORD)

    def say(self, key: str, values: Mapping[str, object] | None = None) -> str:
        """The text of a key with its places filled. A text that is in no catalogue stays as it is."""
        given = values or {}
        if key in FACTS:
            return FACTS[key](self, given)
        count = given.get("count")
        text = self._catalogue.ngettext(key, "", count) if isinstance(count, int) else ""
        if not text or (text == key and count == 1):  # not in the catalogue with a form for many
            text = self._catalogue.gettext(key)
        text = typeset(text)
        if not given:
            return text
        around = _outside_places(text)
        capitals = around == around.upper()
        return text.format_map({place: self._filled(value, capitals) for place, value in given.items()})

    def label(self, label: str) -> str:
        """A label of a strip: a rank as it stands on a card, a category, a number, or a text of the catalogue."""
        if label in RANK_NAMES:
            return sign(label)
        text = CATEGORY_NAMES.get(label, label).upper()
        number = re.search(r"[0-9]+", text)
        if number is None or number[0] == text:
            return self.say(text)
        return self.say(text.replace(number[0], "{seat}"), {"seat": number[0]})

    def decimal(self, value: str) -> str:
        """A number with the language's decimal mark."""
        return value if self.language == "en" else value.replace(".", ",")

    def rank(self, rank: str, count: int = 1) -> str:
        """A rank as it is called out loud: "KING", "KINGS"."""
        one, many = RANK_NAMES[rank]
        return self._catalogue.ngettext(one, many, count)

    def claim(self, count: int, rank: str) -> str:
        """A claim: "3 KINGS"."""
        return f"{count} {self.rank(rank, count)}"

    def hand(self, declaration: str) -> str:
        """A declaration of Liar Poker as a tape writes it, "two_pairs K Q", in words."""
        category, *ranks = declaration.split(" ")
        places = dict(zip(("rank", "second"), map(sign, ranks), strict=False))
        return self.say(HAND_NAMES[category, len(ranks)], places)

    def seat(self, number: int, name: str | None) -> str:
        """A seat's name, or its number where nobody gave it one."""
        return name or self.say("SEAT {seat}", {"seat": number})

    def _filled(self, value: object, capitals: bool) -> str:
        if isinstance(value, tuple):
            key, values = value
            return self.say(key, values)
        return str(value).upper() if capitals else str(value)


def typeset(text: str) -> str:
    """A text as a typographer sets it: its apostrophes round, its three dots one sign.

    "|", as the catalogue marks where a long word may break, becomes a soft hyphen, which is seen only in a break.
    """
    return text.replace("'", "’").replace("...", "…").replace("|", SOFT)  # noqa: RUF001


def signed(score: int) -> str:
    """A score with its sign, and a minus as wide as the plus."""
    return f"{score:+d}".replace("-", "−") if score else "0"  # noqa: RUF001


def sign(rank: str) -> str:
    """A rank as it stands on a card: "10" for T."""
    return "10" if rank == "T" else rank


def catalogue(language: str) -> NullTranslations:
    """The catalogue of one of LANGUAGES; ValueError for any other."""
    if language not in LANGUAGES:
        raise ValueError(f"language {language!r} is none of {', '.join(LANGUAGES)}")
    path = files("doubtable.screen") / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    with path.open("rb") as file:
        return GNUTranslations(file)


def _outside_places(text: str) -> str:
    return "".join(part.rpartition("}")[2] for part in text.split("{"))


FACTS: dict[str, Callable[[Words, Mapping[str, object]], str]] = {
    "CLAIM": lambda words, values: words.claim(int(str(values["count"])), str(values["rank"])),
    "RANK": lambda words, values: words.rank(str(values["rank"]), int(str(values.get("count", 1)))),
    "HAND": lambda words, values: words.hand(str(values["hand"])),
}
