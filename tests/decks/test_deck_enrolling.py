"""A deck enrolled card by card through every reader, in virtual time: what is said, named and stored."""

from collections.abc import Callable, Iterator

import pytest

from decks.deck_bench import tag, whole
from doubtable import deck_cli, enrolment
from doubtable.cards import Card, packs
from doubtable.deck_cli import Enroller
from doubtable.decks import Deck
from doubtable.devices.pn532_emulator import Pn532Emulator
from doubtable.devices.reader_emulators import Emulator, RdmEmulator, VirtualReader
from doubtable.readers import READERS
from doubtable.timing import MS

REST, GAP = 700 * MS, 900 * MS  # how long a card lies on the reader, and until the next one does


class Hands:
    """Somebody who shows cards to an emulated reader, in virtual time, and what is said to them."""

    def __init__(self, kind: str, emulator: Emulator, deck: Deck, *shelf: Deck) -> None:
        self.said: list[str] = []
        self.saved: list[Deck] = []
        state = enrolment.begin(deck, shelf)
        self.enroller = Enroller(state, READERS[kind], self.saved.append, self.said.append)
        self.enroller.ask()
        self.reader = VirtualReader(READERS[kind], emulator, self.enroller.hear)
        self.reader.advance(1000 * MS)

    def show(self, *tags: str) -> None:
        for each in tags:
            self.reader.put(each)
            self.reader.advance(self.reader.now + REST)
            self.reader.lift()
            self.reader.advance(self.reader.now + GAP)

    def close(self) -> None:
        self.reader.close()


@pytest.fixture
def hands() -> Iterator[Callable[..., Hands]]:
    made: list[Hands] = []

    def make(kind: str = "rdm6300", emulator: Emulator | None = None, deck: Deck | None = None, *shelf: Deck) -> Hands:
        made.append(Hands(kind, emulator or RdmEmulator(), deck or Deck("red"), *shelf))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.mark.parametrize(
    ("kind", "emulator", "digits"),
    [
        ("rdm6300", RdmEmulator, 10),
        ("id12", lambda: RdmEmulator("id12", every=10_000_000 * MS), 10),  # one frame an entry
        ("pn532", Pn532Emulator, 14),
        ("pn532", lambda: Pn532Emulator(halts=True), 8),
    ],
    ids=["rdm6300", "id12-once-an-entry", "pn532-7-bytes", "pn532-halting"],
)
def test_a_few_cards_with_every_reader(
    hands: Callable[..., Hands], kind: str, emulator: Callable[[], Emulator], digits: int
) -> None:
    person = hands(kind, emulator())
    for number, card in enumerate(packs(1)[:5], 1):
        assert f"show {card}" in person.said[-1]
        person.show(tag(number, digits), tag(number, digits))
    assert list(person.saved[-1].cards.values()) == list(packs(1)[:5])


def test_a_whole_deck_is_stored_card_by_card(hands: Callable[..., Hands]) -> None:
    person = hands()
    for number in range(1, 53):
        person.show(tag(number), tag(number))
    assert person.enroller.done
    assert person.saved[-1] == whole("red")
    assert [len(deck.cards) for deck in person.saved] == list(range(1, 53)), "after each card all of it is on the disk"


def test_a_card_that_rests_is_shown_once(hands: Callable[..., Hands]) -> None:
    person = hands()
    person.reader.put(tag(1))
    person.reader.advance(person.reader.now + 20_000 * MS)
    assert person.saved == []
    assert sum("once more" in line for line in person.said) == 1


def test_strange_and_double_tags_are_named_through_the_reader(hands: Callable[..., Hands]) -> None:
    blue = Deck("blue", 1, {tag(7): Card("Q", "H")})
    person = hands("rdm6300", RdmEmulator(), Deck("red"), blue)
    person.show(tag(1), tag(1), tag(1), tag(7), "0000000000", "0000000000")
    said = "\n".join(person.said)
    assert "is the AS of this deck already" in said
    assert "is the QH of deck blue: not taken" in said
    assert "no tag has this number" in said
    assert person.saved[-1].cards == {tag(1): Card("A", "S")}


def test_noise_and_broken_frames_enrol_nothing(hands: Callable[..., Hands]) -> None:
    emulator = RdmEmulator()
    person = hands("rdm6300", emulator)
    emulator.broken = 12
    emulator.power_up(bytes(range(256)))
    person.show(tag(1))
    emulator.wrong_baud = True
    person.show(tag(2), tag(2))
    assert person.saved == []


def test_keys_undo_skip_choose_and_end(hands: Callable[..., Hands]) -> None:
    person = hands()
    person.show(tag(1), tag(1))
    person.enroller.typed("u")
    assert person.saved[-1].cards == {}
    person.show(tag(2), tag(2))
    assert person.saved[-1].cards == {tag(2): Card("A", "S")}
    person.enroller.typed("s")
    assert "show QS" in person.said[-1]
    person.enroller.typed("td")
    assert "show TD, ten of diamonds" in person.said[-1]
    person.enroller.typed("what")
    assert deck_cli.HELP in person.said[-2]
    person.enroller.typed("AS")
    assert "a spare" in person.said[-1]
    person.enroller.typed("q")
    assert person.enroller.done


def test_a_whole_deck_takes_spares_and_names_what_is_shown(hands: Callable[..., Hands]) -> None:
    person = hands("rdm6300", RdmEmulator(), whole("red"))
    assert not person.enroller.done
    person.show(tag(3))
    assert person.said[-1] == f"{tag(3)}: is the QS"
    person.show(tag(99))
    assert "not in this deck" in person.said[-1]
    person.enroller.typed("QS")
    person.show(tag(99), tag(99))
    assert person.saved[-1].tags(Card("Q", "S")) == (tag(3), tag(99))
    assert not person.enroller.done
