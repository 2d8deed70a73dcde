"""What goes wrong with claims and cards, and what then holds: the rows of the rules' list."""

import pytest
from msgspec.structs import replace

from doubtable.inputs import Device, Input, Source, TagGone, TagSeen
from doubtable.table import Table
from games.at_table import NAMES, AtTable, at
from games.positions import claimed, declared, doubted

TAGS = {"D000000001": "AS", "D000000002": "AH"}


# Claims ---------------------------------------------------------------------------------------------------------------


def test_a_claimant_presses_on_its_own_claim() -> None:
    table = claimed()
    table.press(1)
    table.wait(1000)
    assert (table.last("void"), table.all("doubt")) == ({"seat": 1, "why": "claimant"}, [])


@pytest.mark.parametrize("count", [1, 4])
def test_words_follow_the_cards_once(count: int) -> None:
    table = claimed(2)
    table.say(1, "correct", count=count)
    assert (table.hands, table.state.pile) == ([13 - count, 13, 13, 13], count)
    table.say(1, "correct", count=3)
    assert table.last("refused")["why"] == "a claim is corrected once"


@pytest.mark.parametrize(("count", "why"), [(5, "1 to 4"), (0, "1 to 4"), (2, "already")])
def test_cards_over_the_maximum_go_back(count: int, why: str) -> None:
    table = claimed(2)
    table.say(1, "correct", count=count)
    assert why in table.last("refused")["why"]
    assert table.state.claim.count == 2


def test_correcting_to_the_last_cards_is_a_last_call() -> None:
    table = claimed(2, hands=(3, 17, 16, 16))
    table.say(1, "correct", count=3)
    assert (table.phase, table.last("corrected")) == ("last_call", {"seat": 1, "count": 3, "rank": "A", "last": True})
    table = claimed(3, hands=(3, 17, 16, 16))
    table.say(1, "correct", count=1)
    assert (table.phase, table.hands[0]) == ("doubt", 2)


def test_a_play_out_of_turn_goes_back_without_penalty() -> None:
    table = at("classic", 4)
    before = table.state
    table.say(3, "claim", count=2)
    assert table.last("refused") == {"seat": 3, "why": "it is the turn of seat 1"}
    assert table.state == before


# Cards ----------------------------------------------------------------------------------------------------------------


def test_an_unreadable_tag_is_entered_by_hand_and_marked() -> None:
    table = doubted(2)
    table.order("card", card=table.card("AS"))
    table.show("AH")
    assert table.all("reveal") == [
        {"card": "AS", "ok": True, "by_hand": True},
        {"card": "AH", "ok": True},
    ]


def test_the_same_card_twice_is_counted_once() -> None:
    table = doubted(2)
    table.show("AS", "AS")
    assert len(table.all("reveal")) == 1
    table.wait(5100)
    assert table.last("missing") == {"count": 1}


def test_with_two_packs_both_count() -> None:
    table = claimed(2, seats=6)
    table.slap(3)
    table.show("AS", "AS'")
    table.wait(2000)
    assert [facts.get("pack", 1) for facts in table.all("reveal")] == [1, 2]
    assert table.last("verdict")["true"] is True


@pytest.mark.parametrize("first", ["AS", "AS'"])
@pytest.mark.parametrize("second", ["AS", "AS'"])
def test_with_one_pack_no_two_are_the_same_card(first: str, second: str) -> None:
    """Whichever pack of the deck is used: "with two packs both 7S count"."""
    table = doubted(2)
    table.show(first)
    table.wait(100)
    table.show(second)
    assert table.all("reveal") == [{"card": "AS", "ok": True}]
    table.wait(5100)
    assert table.last("missing") == {"count": 1}
    table.show("AD'")
    table.wait(2000)
    assert table.last("verdict")["true"] is True


@pytest.mark.parametrize("pack", ["", "'"])
def test_a_card_of_either_pack_is_known_to_be_elsewhere_with_one(pack: str) -> None:
    table = doubted(1)
    table.show("5S")
    table.say(2, "claim", count=1)
    table.slap(4)
    table.show(f"5S{pack}")
    assert table.last("elsewhere") == {"card": "5S", "seat": 1}


def test_liar_poker_is_of_one_pack() -> None:
    table = declared()
    table.say(3, "liar")
    table.say(2, "show")
    table.show("KS", "KS'")
    assert not table.all("proved")
    table.show("KD'")
    assert table.last("proved") == {"seat": 2}


def tagged(game: str = "classic") -> AtTable:
    """A table whose cards have tags; seat 1 claims two aces."""
    table = at(game, 4)
    cards = {tag: table.card(text) for tag, text in TAGS.items()}
    return AtTable(Table(table.rules, NAMES[:4], 4, cards=cards))


def test_a_tag_that_lay_there_when_the_reveal_began_must_be_shown_again() -> None:
    table = tagged()
    table.say(1, "claim", count=2)
    table.feed(TagSeen(table.ns, "D000000001"))
    table.slap(3)
    table.wait(1000)
    assert table.all("reveal") == []
    table.feed(TagGone(table.ns, "D000000001"))
    table.feed(TagSeen(table.ns, "D000000001"))
    assert table.all("reveal") == [{"card": "AS", "ok": True}]


def test_tags_outside_a_reveal_are_not_kept() -> None:
    table = tagged()
    table.feed(TagSeen(table.ns, "D000000002"))
    assert table.all("tag") == [{"id": "D000000002", "card": "AH"}]
    assert table.all("reveal") == []


def test_an_unknown_tag_never_counts_and_is_named_on_the_screen() -> None:
    table = tagged()
    table.say(1, "claim", count=1)
    table.slap(3)
    table.feed(TagSeen(table.ns, "0102030405"))
    assert table.last("tag") == {"id": "0102030405", "card": None}
    assert ("UNKNOWN CARD", {}) in table.view.notices
    assert table.all("reveal") == []


def test_a_card_of_a_deck_that_is_not_in_play_never_counts_and_its_deck_is_named() -> None:
    table = tagged()
    table.table.strangers = {"0102030405": "blue"}
    table.say(1, "claim", count=1)
    table.slap(3)
    table.feed(TagSeen(table.ns, "0102030405"))
    assert table.last("tag") == {"id": "0102030405", "card": None}
    assert ("CARD OF DECK {deck}", {"deck": "blue"}) in table.view.notices
    assert table.all("reveal") == []


def test_a_card_that_is_shown_twice_is_named_on_the_screen() -> None:
    table = tagged()
    table.say(1, "claim", count=2)
    table.slap(3)
    table.feed(TagSeen(table.ns, "D000000001"))
    assert ("SHOWN ALREADY", {}) not in table.view.notices
    table.wait(1000)
    table.feed(TagSeen(table.ns, "D000000001"))
    assert ("SHOWN ALREADY", {}) in table.view.notices
    assert len(table.all("reveal")) == 1
    table.feed(TagSeen(table.ns, "D000000002"))
    assert ("SHOWN ALREADY", {}) not in table.view.notices


def test_a_card_of_a_proof_that_is_shown_twice_is_named_on_the_screen() -> None:
    table = tagged("liar-poker")
    table.slap(1)
    table.say(1, "declare", hand="pair A")
    table.say(2, "liar")
    table.say(1, "show")
    table.feed(TagSeen(table.ns, "D000000001"))
    assert ("SHOWN ALREADY", {}) not in table.view.notices
    table.wait(1000)
    table.feed(TagSeen(table.ns, "D000000001"))
    assert ("SHOWN ALREADY", {}) in table.view.notices
    assert len(table.all("reveal")) == 1
    table.feed(TagSeen(table.ns, "D000000002"))
    assert table.last("point")["seat"] == 2


def test_a_card_that_another_seat_picked_up_is_reported_and_counts() -> None:
    table = doubted(2)
    table.show("AS", "5C")  # a lie: seat 1 takes both
    table.say(2, "claim", count=1)
    table.slap(4)
    table.show("5C")
    assert table.last("elsewhere") == {"card": "5C", "seat": 1}
    assert ("KNOWN ELSEWHERE", {}) in table.view.notices
    assert table.last("verdict")["true"] is False, "the verdict goes by the cards"


def test_once_that_seat_has_laid_cards_nobody_knows() -> None:
    table = doubted(2)
    table.show("AS", "5C")
    for seat in (2, 3, 4, 1):
        table.say(seat, "claim", count=1)
        table.wait(4100)
    table.say(2, "claim", count=1)
    table.slap(4)
    table.show("5C")
    assert table.all("elsewhere") == []


def test_a_card_set_aside_is_reported() -> None:
    table = at("rounds", 4)
    table.say(1, "lead", rank="K")
    table.slap(3)
    table.show("5C")  # seat 1 takes it
    table.say(1, "leave")  # and its cards are set aside
    assert table.state.turn == 3
    table.say(3, "lead", rank="Q")
    table.slap(2)
    table.show("5C")
    assert table.last("elsewhere") == {"card": "5C", "seat": None}


# Devices --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (Source(0, "panel", up=False), "PANEL IS GONE"),
        (Source(0, "gpio", up=False), "BUTTONS ARE GONE"),
        (Device(0, "lamps", up=False), "LAMPS ARE GONE"),
        (Device(0, "reader", up=False), "NO READER"),
    ],
)
def test_what_is_lost_is_said_while_the_game_goes_on_and_no_longer_when_it_is_back(given: Input, text: str) -> None:
    table = tagged()
    table.feed(replace(given, ns=table.ns))
    assert (text, {}) in table.view.notices
    table.say(1, "claim", count=1)
    assert table.phase == "doubt"
    table.feed(replace(given, ns=table.ns, up=True))
    assert (text, {}) not in table.view.notices


def test_a_last_round_is_said_before_a_reader_that_is_missing() -> None:
    table = at("classic", 4, options={"bell_min": 2})
    table.feed(Device(table.ns, "reader", up=False))
    table.wait(121_000)
    assert [text for text, _ in table.view.notices] == ["LAST ROUND", "NO READER"]
