"""Enrolment: what each showing comes to."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks.deck_bench import tag, whole
from doubtable import enrolment
from doubtable.cards import Card, CardError, packs
from doubtable.decks import Deck
from doubtable.enrolment import Enrolment

ACE, KING = Card("A", "S"), Card("K", "S")


def empty(count: int = 1, *others: Deck) -> Enrolment:
    return enrolment.begin(Deck("red", count), others)


def shown(state: Enrolment, *tags: str) -> tuple[Enrolment, list[str]]:
    kinds: list[str] = []
    for each in tags:
        state, said = enrolment.show(state, each)
        kinds.append(said.kind)
    return state, kinds


def test_a_tag_is_a_card_when_it_was_shown_twice_running() -> None:
    state, kinds = shown(empty(), tag(1), tag(1))
    assert kinds == ["once", "enrolled"]
    assert state.deck.cards == {tag(1): ACE}
    assert state.wanted == KING


def test_another_tag_in_between_counts_for_neither() -> None:
    state, kinds = shown(empty(), tag(1), tag(9), tag(1), tag(1))
    assert kinds == ["once", "changed", "changed", "enrolled"]
    assert state.deck.cards == {tag(1): ACE}


def test_the_id_of_zeros_is_never_a_tag() -> None:
    state, kinds = shown(empty(), "0000000000", "0000000000", "00000000")
    assert kinds == ["zero"] * 3
    assert state.deck.cards == {}


def test_zeros_between_two_showings_break_them() -> None:
    _, kinds = shown(empty(), tag(1), "0000000000", tag(1))
    assert kinds == ["once", "zero", "once"]


@pytest.mark.parametrize(("retired", "name"), [(True, "KS of deck blue (retired)"), (False, "KS of deck blue:")])
def test_a_tag_of_another_deck_is_named(retired: bool, name: str) -> None:
    blue = Deck("blue", 1, {tag(5): KING}, retired)
    state, said = enrolment.show(empty(1, blue), tag(5))
    assert said.kind == "strange"
    assert name in said.line
    assert state.deck.cards == {}


def test_a_tag_that_the_deck_has_is_named() -> None:
    state, _ = shown(empty(), tag(1), tag(1))
    state, said = enrolment.show(state, tag(1))
    assert said.kind == "double"
    assert "is the AS of this deck already" in said.line
    assert state.wanted == KING


def test_undo_asks_for_the_last_card_again() -> None:
    state, _ = shown(empty(), tag(1), tag(1), tag(2), tag(2))
    state, card = enrolment.undo(state)
    assert (card, state.wanted, state.deck.cards) == (KING, KING, {tag(1): ACE})
    state, kinds = shown(state, tag(3), tag(3))
    assert kinds == ["once", "enrolled"]
    assert state.deck.cards == {tag(1): ACE, tag(3): KING}


def test_undo_of_nothing() -> None:
    assert enrolment.undo(empty()) == (empty(), None)


def test_undo_forgets_a_showing_that_was_half_done() -> None:
    state, _ = shown(empty(), tag(1), tag(1), tag(2))
    state, _ = enrolment.undo(state)
    _, kinds = shown(state, tag(2))
    assert kinds == ["once"]


def test_a_chosen_card_that_has_a_tag_gets_a_spare() -> None:
    state = enrolment.choose(enrolment.begin(whole("red"), ()), "ks")
    assert state.wanted == KING
    state, kinds = shown(state, tag(900), tag(900))
    assert kinds == ["once", "enrolled"]
    assert state.deck.tags(KING) == (tag(2), tag(900))
    assert state.wanted is None


@pytest.mark.parametrize("text", ["XX", "K", "KS3", "KS2", "KSS", "", "10S"])
def test_what_names_no_card_of_this_deck(text: str) -> None:
    with pytest.raises(CardError):
        enrolment.choose(empty(), text)


def test_the_second_pack() -> None:
    state = enrolment.choose(empty(2), "KS2")
    assert state.wanted == Card("K", "S", 2)
    assert enrolment.spelled(Card("K", "S", 2), 2) == "KS, king of spades of pack 2"


def test_a_skipped_card_stays_missing() -> None:
    state = enrolment.skip(empty())
    assert state.wanted == KING
    state, _ = shown(state, tag(2), tag(2))
    assert ACE in state.deck.missing
    whole_but_one = Deck("red", 1, dict(list(whole("red").cards.items())[1:]))
    assert enrolment.skip(enrolment.begin(whole_but_one, ())).wanted is None


def test_all_of_two_packs_in_their_order() -> None:
    state = empty(2)
    for number, card in enumerate(packs(2), 1):
        assert state.wanted == card
        assert state.enrolled == number - 1
        state, _ = shown(state, tag(number), tag(number))
    assert state.wanted is None
    assert tuple(state.deck.cards.values()) == packs(2)


TAGS = st.sampled_from(["0000000000", *(tag(number) for number in range(1, 7))])
STEPS = st.lists(st.one_of(TAGS, st.sampled_from(["undo", "skip", "AS", "KS"])), max_size=60)


@settings(max_examples=150)
@given(STEPS)
def test_whatever_is_shown_no_tag_is_two_cards_and_each_was_seen_twice_running(steps: list[str]) -> None:
    blue = Deck("blue", 1, {tag(6): KING})
    state, before = empty(1, blue), ""
    for step in steps:
        had = dict(state.deck.cards)
        if step == "undo" and not had:
            assert enrolment.undo(state) == (state, None), "nothing changes"
            continue
        if step == "undo":
            state, card = enrolment.undo(state)
            assert len(state.deck.cards) == len(had) - 1
            assert state.wanted == card
        elif step == "skip":
            state = enrolment.skip(state)
        elif step in ("AS", "KS"):
            state = enrolment.choose(state, step)
        elif state.wanted is not None:
            wanted = state.wanted
            state, said = enrolment.show(state, step)
            if said.kind == "enrolled":
                assert before == step
                assert state.deck.cards == {**had, step: wanted}
            else:
                assert state.deck.cards == had, "nothing changes"
        before = step
        assert "0000000000" not in state.deck.cards
        assert tag(6) not in state.deck.cards
