"""The declarations of Liar Poker: the list, its texts, its entry strips, and what contains what."""

import os
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import pytest

from doubtable.cards import Card, packs
from doubtable.games.poker_hands import (
    LEVELS,
    NEEDED,
    Declaration,
    DeclarationError,
    contains,
    declarations,
    index,
    parse,
    strips,
)

HANDS = 2_598_960
RISING = "23456789TJQKA"

INDICES = {
    "high 7": 0,
    "high A": 7,
    "pair 2": 8,
    "pair A": 20,
    "two_pairs 3 2": 20 + 1,
    "two_pairs A K": 98,
    "three 2": 99,
    "three A": 111,
    "straight 5": 112,
    "straight A": 121,
    "flush 7": 122,
    "flush A": 129,
    "full 2 3": 130,
    "full A K": 285,
    "four 2": 286,
    "four A": 298,
    "straight_flush 5": 299,
    "straight_flush A": 308,
}
SIMPLE_INDICES = {
    "high 7": 0,
    "high A": 7,
    "pair 2": 8,
    "pair A": 20,
    "two_pairs 3": 21,
    "two_pairs A": 32,
    "three 2": 33,
    "three A": 45,
    "straight 5": 46,
    "straight A": 55,
    "flush 7": 56,
    "flush A": 63,
    "full 2": 64,
    "full A": 76,
    "four 2": 77,
    "four A": 89,
    "straight_flush 5": 90,
    "straight_flush A": 99,
}
# Hands, of all 2,598,960, that contain one declaration of the category.
COUNTS = {
    "high": 886_656,
    "pair": 108_336,
    "two_pairs": 1_632,
    "three": 4_560,
    "straight": 1_024,
    "flush": 1_980,
    "full": 24,
    "four": 48,
    "straight_flush": 4,
}
CLASSES = {
    "high": 1_302_540,
    "pair": 1_098_240,
    "two_pairs": 123_552,
    "three": 54_912,
    "straight": 10_200,
    "flush": 5_108,
    "full": 3_744,
    "four": 624,
    "straight_flush": 40,
}


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.split())


def plain_contents(hand: tuple[Card, ...]) -> set[str]:
    """All declarations of both levels that a hand contains, as one would list them on paper from Counters; shares
    nothing with the package's check."""
    ranks = Counter(card.rank for card in hand)
    pairs = sorted((rank for rank in ranks if ranks[rank] >= 2), key=RISING.index, reverse=True)
    one_suit = max(Counter(card.suit for card in hand).values()) == 5
    found = {f"high {rank}" for rank in ranks if RISING.index(rank) >= 5}
    found |= {f"pair {rank}" for rank in pairs}
    found |= {f"three {rank}" for rank in ranks if ranks[rank] >= 3}
    found |= {f"four {rank}" for rank in ranks if ranks[rank] == 4}
    if len(pairs) == 2:
        found |= {f"two_pairs {pairs[0]} {pairs[1]}", f"two_pairs {pairs[0]}"}
        for trips, pair in (pairs, pairs[::-1]):
            if ranks[trips] == 3:
                found |= {f"full {trips} {pair}", f"full {trips}"}
    runs = ["A2345", *(RISING[low : low + 5] for low in range(9))]
    tops = [run[-1] for run in runs if set(run) == set(ranks)]
    found |= {f"straight {top}" for top in tops}
    if one_suit:
        found |= {f"flush {rank}" for rank in ranks if RISING.index(rank) >= 5}
        found |= {f"straight_flush {top}" for top in tops}
    return found


def kinds_of_hands() -> Iterator[tuple[tuple[Card, ...], int]]:
    """One hand of every kind (its ranks, and whether all suits are one) with the number of hands of that kind."""
    for ranks in combinations_with_replacement(RISING, 5):
        counts = Counter(ranks)
        if max(counts.values()) > 4:
            continue
        hands = prod(comb(4, count) for count in counts.values())
        seen: Counter[str] = Counter()
        mixed = []
        for place, rank in enumerate(ranks):
            suits = "SHDC" if place % 2 == 0 or counts[rank] > 1 else "HSDC"
            mixed.append(Card(rank, suits[seen[rank]]))
            seen[rank] += 1
        if len(counts) == 5:
            yield tuple(Card(rank, "S") for rank in ranks), 4
            hands -= 4
        yield tuple(mixed), hands


@pytest.fixture(scope="module")
def kinds() -> list[tuple[tuple[Card, ...], int]]:
    return list(kinds_of_hands())


def category_of(hand: tuple[Card, ...]) -> str:
    """What a hand is, by the product's own check: the category of the highest declaration that it contains and that
    needs no rank of 7 or more to be named."""
    for declaration in reversed(declarations("named")):
        if declaration.category not in ("high", "flush") and contains(declaration, hand):
            return declaration.category
    return "high"


@pytest.mark.parametrize(("level", "count"), [("named", 309), ("simple", 100)])
def test_the_list_has_its_length_and_the_index_goes_both_ways(level: str, count: int) -> None:
    every = declarations(level)
    assert len(every) == len(set(every)) == count
    assert [index(declaration, level) for declaration in every] == list(range(count))


@pytest.mark.parametrize(
    ("level", "text", "place"),
    [("named", *item) for item in INDICES.items()] + [("simple", *item) for item in SIMPLE_INDICES.items()],
)
def test_index(level: str, text: str, place: int) -> None:
    assert index(parse(text, level), level) == place
    assert str(declarations(level)[place]) == text


def test_index_by_formula() -> None:
    for declaration in declarations("named"):
        first, last = RISING.index(declaration.ranks[0]), RISING.index(declaration.ranks[-1])
        assert (
            index(declaration, "named")
            == {
                "high": first - 5,
                "pair": 8 + first,
                "two_pairs": 21 + comb(first, 2) + last,
                "three": 99 + first,
                "straight": 112 + first - 3,
                "flush": 122 + first - 5,
                "full": 130 + 12 * first + (last if last < first else last - 1),
                "four": 286 + first,
                "straight_flush": 299 + first - 3,
            }[declaration.category]
        )


@pytest.mark.parametrize("level", LEVELS)
def test_every_text_is_read_back(level: str) -> None:
    for declaration in declarations(level):
        assert parse(str(declaration), level) == declaration


@pytest.mark.parametrize(
    ("level", "text", "fault"),
    [
        ("named", "poker K", "'poker' is no category: one of high, pair"),
        ("named", "", "'' is no category"),
        ("named", "pair", "named by one rank at level named, not by 0"),
        ("named", "pair K Q", "named by one rank at level named, not by 2"),
        ("named", "pair 10", "'10' is no rank"),
        ("named", "pair k", "'k' is no rank"),
        ("named", "pair  K", "not by 2"),
        ("named", "high 6", "high is named from 7 to A, not by 6"),
        ("named", "flush 2", "flush is named from 7 to A, not by 2"),
        ("named", "straight 4", "straight is named from 5 to A, not by 4"),
        ("named", "two_pairs Q K", "the higher pair comes first"),
        ("named", "two_pairs K K", "the two ranks of two_pairs differ"),
        ("named", "full 9 9", "the two ranks of full differ"),
        ("named", "two_pairs K", "named by two ranks at level named, not by 1"),
        ("simple", "two_pairs K Q", "named by one rank at level simple, not by 2"),
        ("simple", "two_pairs 2", "two_pairs is named from 3 to A, not by 2"),
        ("simple", "full K Q", "named by one rank at level simple, not by 2"),
        ("named", 7, "7 is no declaration"),
        ("named", None, "None is no declaration"),
    ],
)
def test_a_wrong_text_says_what_is_wrong(level: str, text: object, fault: str) -> None:
    with pytest.raises(DeclarationError) as error:
        parse(text, level)
    assert fault in str(error.value)


def test_a_declaration_of_the_other_level_has_no_index() -> None:
    with pytest.raises(DeclarationError, match="named by one rank at level simple"):
        index(parse("full K Q", "named"), "simple")


def test_cards_needed() -> None:
    needed = {declaration.category: declaration.needed for declaration in declarations("named")}
    assert list(needed.values()) == [1, 2, 4, 3, 5, 5, 5, 4, 5]


@pytest.mark.parametrize("level", LEVELS)
def test_strips_hold_what_is_higher_in_rising_order(level: str) -> None:
    every = declarations(level)
    for above in range(-1, len(every)):
        entered = [
            Declaration(category, (rank, *second))
            for category, ranks in strips(level, above).items()
            for rank, seconds in ranks.items()
            for second in ([[low] for low in seconds] if seconds else [[]])
        ]
        assert entered == list(every[above + 1 :])


def test_strips_begin_with_the_smallest_raise() -> None:
    assert strips("named", index(parse("two_pairs K J", "named"), "named"))["two_pairs"] == {
        "K": ("Q",),
        "A": tuple("23456789TJQK"),
    }
    assert strips("named", 307) == {"straight_flush": {"A": ()}}
    assert strips("named", 308) == {}
    assert list(strips("simple")) == list(NEEDED)


@pytest.mark.parametrize(
    ("text", "hand", "answer"),
    [
        ("pair K", "KS KH KD 7C 4S", True),
        ("pair K", "AS AH AD AC KS", False),
        ("pair A", "AS AH AD AC KS", True),
        ("straight 5", "AS 2H 3D 4C 5S", True),
        ("straight 6", "AS 2H 3D 4C 5S", False),
        ("straight A", "AS KH QD JC TS", True),
        ("straight 5", "QS KH AD 2C 3S", False),
        ("flush 9", "2S 4S 9S JS KS", True),
        ("flush T", "2S 4S 9S JS KS", False),
        ("flush 9", "2S 4S 9H JS KS", False),
        ("straight_flush A", "AS KS QS JS TS", True),
        ("straight_flush A", "AS KS QS JS TH", False),
        ("straight_flush 5", "AS 2S 3S 4S 5S", True),
        ("full 2 3", "2S 2H 2D 3C 3S", True),
        ("full 3 2", "2S 2H 2D 3C 3S", False),
        ("two_pairs 3 2", "2S 2H 2D 3C 3S", True),
        ("four 9", "9S 9H 9D 9C 2S", True),
        ("three 9", "9S 9H 9D 9C 2S", True),
    ],
)
def test_contains(text: str, hand: str, answer: bool) -> None:
    assert contains(parse(text, "named"), cards(hand)) is answer


@pytest.mark.parametrize(
    ("text", "hand", "answer"),
    [
        ("two_pairs K", "KS KH 2D 2C 4S", True),
        ("two_pairs K", "KS KH AD AC 4S", False),
        ("two_pairs A", "KS KH AD AC 4S", True),
        ("two_pairs K", "KS KH KD KC 4S", False),
        ("two_pairs A", "KS KH KD AC AS", True),
        ("full K", "KS KH KD 2C 2S", True),
        ("full K", "KS KH KD AC AS", True),
        ("full K", "KS KH KD KC 2S", False),
    ],
)
def test_contains_simple(text: str, hand: str, answer: bool) -> None:
    assert contains(parse(text, "simple"), cards(hand)) is answer


def test_cards_shown_so_far() -> None:
    pair = parse("pair K", "named")
    assert not contains(pair, ())
    assert not contains(pair, cards("KS"))
    assert contains(pair, cards("KS KH"))
    for declaration in declarations("named"):
        shown = cards("AS AH AD AC KS")[: declaration.needed - 1]
        assert not contains(declaration, shown)


def test_all_declarations_on_random_hands_against_a_plain_check() -> None:
    dice = random.Random(309)
    pack = packs(1)
    every = {str(declaration): declaration for level in LEVELS for declaration in declarations(level)}
    # Most hands of a whole pack contain little, so half of the hands are dealt from few ranks or few suits.
    short = [card for card in pack if card.suit in "SH"], [card for card in pack if card.rank in "A2345K"]
    for number in range(20_000):
        hand = tuple(dice.sample(pack if number % 2 else short[number // 2 % 2], 5))
        assert {text for text, declaration in every.items() if contains(declaration, hand)} == plain_contents(hand)


def test_kinds_of_hands_make_up_all_hands(kinds: list[tuple[tuple[Card, ...], int]]) -> None:
    classes: Counter[str] = Counter()
    for hand, hands in kinds:
        category = category_of(hand)
        if len({card.suit for card in hand}) == 1 and category != "straight_flush":
            category = "flush"
        classes[category] += hands
    assert classes.total() == HANDS
    assert classes == CLASSES


def test_count_of_hands_that_contain_each_declaration(kinds: list[tuple[tuple[Card, ...], int]]) -> None:
    for declaration in declarations("named"):
        count = sum(hands for hand, hands in kinds if contains(declaration, hand))
        assert count == COUNTS[declaration.category], str(declaration)


@pytest.mark.skipif(os.environ.get("DOUBTABLE_LONG") != "1", reason="goes through every hand: set DOUBTABLE_LONG=1")
def test_count_over_every_single_hand() -> None:
    chosen = [parse(text, "named") for text in INDICES]
    counts: Counter[Declaration] = Counter()
    for hand in combinations(packs(1), 5):
        for declaration in chosen:
            if contains(declaration, hand):
                counts[declaration] += 1
    assert counts == {declaration: COUNTS[declaration.category] for declaration in chosen}
