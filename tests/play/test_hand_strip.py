"""The strip below the table: a hand of any size leaves the line above it free and shows every rank and suit."""

from itertools import pairwise

import pytest

from doubtable.cards import packs
from doubtable.hand_strip import HEIGHT, TITLE, Button, HandStrip, Strip
from doubtable.screen.lettering import Lettering
from doubtable.screen.sizes import Box
from doubtable.window import TABLE

CORNER = 24, 44  # of a card, from its top left: its rank and its suit


@pytest.fixture(scope="module")
def lettering() -> Lettering:
    return Lettering()


def boxes(strip: HandStrip, count: int, every: int) -> list[Box]:
    """Where ``count`` cards lie, every so manieth of them picked (0: none)."""
    hand = packs(2)[:count]
    picked = frozenset(hand[::every]) if every else frozenset()
    return strip.hand_boxes(Strip(hand, picked, (), (), None, True, ()))


@pytest.mark.parametrize("every", [0, 1, 2, 3])
@pytest.mark.parametrize("wide", [TABLE.width, 1366, 1920])
def test_no_card_lies_over_the_line_above_nor_over_anothers_rank_and_suit(
    wide: int, every: int, lettering: Lettering
) -> None:
    strip = HandStrip(Box(0, TABLE.height, wide, HEIGHT), lettering)
    line = TABLE.height + 8 + TITLE
    for count in range(1, 105):
        cards = boxes(strip, count, every)
        assert len(cards) == count
        assert min(card.y for card in cards) >= line
        assert max(card.bottom for card in cards) <= min(box.y for box in buttons(strip))
        assert max(card.right for card in cards) <= 12 + (wide - 24) * 66 // 100
        if count <= 52:
            for place, card in enumerate(cards):
                corner = Box(card.x, card.y, *CORNER)
                assert not any(meets(corner, other) for other in cards[place + 1 :]), (count, place)
        for card, after in pairwise(cards):
            assert (card.x, card.y) != (after.x, after.y), "each can be clicked"


def buttons(strip: HandStrip) -> list[Box]:
    return strip.button_boxes(Strip((), frozenset(), (), (), None, True, (Button(1, "Ann", False, False, True),)))


def meets(one: Box, other: Box) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom
