"""Decks on the disk: read, written, damaged, in play and retired."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from decks.deck_bench import tag, whole
from doubtable import decks
from doubtable.cards import Card, packs
from doubtable.decks import Deck, DeckError

KING = Card("K", "S")


def test_no_folder_is_no_deck(tmp_path: Path) -> None:
    assert decks.load(tmp_path) == {}
    assert decks.shelf(tmp_path) == ()
    assert decks.find(tmp_path, "red") is None


@pytest.mark.parametrize("count", [1, 2])
def test_a_deck_comes_back_as_it_was_saved(tmp_path: Path, count: int) -> None:
    deck = whole("red", count=count)
    decks.save(tmp_path, deck)
    assert decks.find(tmp_path, "red") == deck
    assert decks.load(tmp_path) == deck.cards
    assert list(decks.load(tmp_path)) == list(deck.cards), "the order of enrolment stays"


def test_files_of_before_there_was_a_number_of_packs(tmp_path: Path) -> None:
    folder = tmp_path / "decks"
    folder.mkdir()
    cards = {"0500207b32": {"card": "KS"}, "0500207B33": {"card": "KS", "pack": 2}}
    (folder / "red.json").write_text(json.dumps({"name": "red", "cards": cards}))
    assert decks.load(tmp_path) == {"0500207B32": KING, "0500207B33": Card("K", "S", 2)}
    deck = decks.find(tmp_path, "red")
    assert deck is not None
    assert deck.packs == 2


def test_missing_and_spares() -> None:
    deck = Deck("red", 1, {tag(1): KING, tag(2): KING, tag(3): Card("A", "S")})
    assert len(deck.missing) == 50
    assert KING not in deck.missing
    assert deck.spares == 1
    assert deck.tags(KING) == (tag(1), tag(2))
    assert str(deck) == "red: 2 of 52 cards, 1 spare"
    assert len(Deck("two", 2).missing) == 104


def test_a_retired_deck_does_not_count_but_is_known(tmp_path: Path) -> None:
    decks.save(tmp_path, whole("red", 1))
    decks.save(tmp_path, whole("blue", 100, retired=True))
    assert decks.load(tmp_path) == whole("red", 1).cards
    assert [(deck.name, deck.retired) for deck in decks.shelf(tmp_path)] == [("red", False), ("blue", True)]
    strangers = decks.strangers(tmp_path)
    assert len(strangers) == 52
    assert strangers[tag(101)] == "blue"


def test_two_decks_in_play_with_the_same_cards_are_told() -> None:
    red, blue, old = whole("red", 1), whole("blue", 100), whole("old", 200, retired=True)
    assert decks.doubles((red, blue, old)) == ((red, blue),)
    second = Deck("second", 2, {tag(300 + n): replace(card, pack=2) for n, card in enumerate(packs(1))})
    assert decks.doubles((red, second)) == ()


def test_a_tag_that_is_two_cards_is_refused(tmp_path: Path) -> None:
    decks.save(tmp_path, Deck("red", 1, {tag(1): KING}))
    decks.save(tmp_path, Deck("blue", 1, {tag(1): Card("A", "S")}))
    with pytest.raises(DeckError, match=r"blue|red.*retire one of them"):
        decks.load(tmp_path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "it has 0 bytes"),
        ('{"name": "red", "cards": {"0500207B32"', "it is cut off"),
        ('{"name": "red"}', '"cards" is missing'),
        ('{"name": "red", "cards": {"0500207B32": {}}}', '"card" is missing at cards[...]'),
        ('{"name": 7, "cards": {}}', "a value of another kind at name"),
        ("[]", "a value of another kind stands in it"),
        ("\0" * 64, "it is no JSON"),
        ("[" * 100_000, "a value of another kind stands in it"),
        ('{"name": "red", "cards": {}, "more": ' + "[" * 100_000, "it is no JSON"),
        (" " * 1_000_001, "it is larger than a megabyte"),
        ('{"name": "red", "cards": {"0500207B32": {"card": "1S"}}}', "1S"),
        ('{"name": "red", "cards": {"0500207B32": {"card": "KS", "pack": 3}}}', "pack 3"),
        ('{"name": "red", "cards": {"0000000000": {"card": "KS"}}}', "is no tag"),
        ('{"name": "red", "cards": {"KS": {"card": "KS"}}}', '"KS" is no tag'),
        ("\xff", "it is no JSON"),
        ('{"name": "\xff", "cards": {}}', "it is no text in UTF-8"),
    ],
)
def test_a_damaged_file_is_one_line_that_names_it(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "decks" / "red.json"
    path.parent.mkdir()
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(DeckError) as caught:
        decks.load(tmp_path)
    assert str(path) in str(caught.value)
    assert says in str(caught.value)
    assert str(caught.value).endswith("move this file away, then enrol that deck anew or import a copy of it")
    assert "\n" not in str(caught.value)


def test_a_folder_that_may_not_be_looked_into_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(folder: Path) -> Iterator[Path]:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(Path, "iterdir", refused)
    for look in (decks.load, decks.shelf, decks.strangers, lambda state: decks.find(state, "red")):
        with pytest.raises(DeckError, match=r"decks: permission denied: do this as the table's user or as root"):
            look(tmp_path)


def test_after_a_power_cut_the_deck_before_the_last_change_is_used(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "decks" / "red.json"
    one, two = Deck("red", 1, {tag(1): KING}), Deck("red", 1, {tag(1): KING, tag(2): Card("A", "S")})
    decks.save(tmp_path, one)
    decks.save(tmp_path, two)
    path.write_bytes(b"")
    with caplog.at_level(logging.WARNING):
        assert decks.load(tmp_path) == one.cards
    assert "0 bytes" in caplog.text
    decks.save(tmp_path, two)
    assert decks.load(tmp_path) == two.cards
    assert path.with_name("red.json.damaged").read_bytes() == b"", "the bad file is kept aside"


def test_a_write_that_fails_leaves_the_old_deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decks.save(tmp_path, Deck("red", 1, {tag(1): KING}))

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(DeckError, match=r"no space left on device: the deck is not stored: make room on the disk$"):
        decks.save(tmp_path, whole("red"))
    monkeypatch.undo()
    assert decks.load(tmp_path) == {tag(1): KING}


@pytest.mark.parametrize("name", ["", "a/b", "../red", "-red", "rot und blau", "x" * 33, ".red"])
def test_names_that_are_no_names(name: str) -> None:
    with pytest.raises(DeckError, match="is no name of a deck"):
        decks.check_name(name)


def test_removing_takes_the_copy_too(tmp_path: Path) -> None:
    for _ in range(2):
        decks.save(tmp_path, whole("red"))
    decks.remove(tmp_path, whole("red"))
    assert list((tmp_path / "decks").iterdir()) == []
