"""A window that is killed and started again: every real card lies where it lay, and so does what was picked."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from doubtable.card_file import CardFile
from doubtable.cards import Card
from doubtable.inputs import Restart
from doubtable.journal import Journal
from doubtable.players import People
from doubtable.real_cards import RealCards
from doubtable.simulation import Simulation, simulated_table
from doubtable.table import Table
from doubtable.timing import MS
from play.guest import Guest

Sit = Callable[..., Guest]


def saved(guest: Guest) -> None:
    """What has been fed is on the disk."""
    assert guest.kept is not None
    assert isinstance(guest.kept.journal, Journal)
    assert guest.kept.journal.flush()


def killed(guest: Guest, folder: Path) -> Path:
    """The folder's files as a kill leaves them; the journal there."""
    to = folder / "killed"
    to.mkdir()
    for path in folder.glob("journal.db*"):
        if not path.name.endswith("-shm"):
            shutil.copy(path, to / path.name)
    guest.window.close()
    return to / "journal.db"


def claim(guest: Guest, card: Card) -> None:
    """One card laid by the guest, who picks it first."""
    guest.click("card", guest.window.hand.cards.index(card))
    guest.key(1, 60)
    guest.key(1, 500)
    guest.until(lambda: guest.said("claim"))


def best(guest: Guest) -> Card:
    """A true card for the first claim, or else any."""
    return next((card for card in guest.window.hand.cards if card.rank == "A"), guest.window.hand.cards[-1])


@pytest.mark.parametrize("seed", [1, 2])
def test_a_claim_is_judged_after_a_kill_by_the_card_that_was_laid(tmp_path: Path, seed: int, sit_down: Sit) -> None:
    first = sit_down(seed, tmp_path / "journal.db")
    first.wait(50)
    card = best(first)
    claim(first, card)
    saved(first)
    cards, before = first.window.people.cards.layout, first.window.hand.cards
    again = sit_down(seed + 1, killed(first, tmp_path))
    again.wait(300)
    assert again.window.people.cards.layout == cards
    assert (again.window.hand.cards, again.window.people.cards.packet) == (before, [card])
    assert "with every card" in again.window.strip().hint
    again.key(1, 900)
    again.until(lambda: again.said("window"))
    again.wait(200)
    again.key(3, 80)
    again.until(lambda: again.said("doubt"))
    again.until(lambda: again.said("verdict"))
    assert again.said("reveal")[0].facts["card"] == str(card)
    assert again.said("verdict")[0].facts["true"] is (card.rank == "A")


def test_what_was_picked_is_picked_after_a_kill(tmp_path: Path, sit_down: Sit) -> None:
    first = sit_down(1, tmp_path / "journal.db")
    first.wait(50)
    for place in (0, 3):
        first.click("card", place)
    picked = first.window.hand.picked
    assert len(picked) == 2
    saved(first)
    again = sit_down(2, killed(first, tmp_path))
    again.wait(300)
    assert again.window.hand.picked == picked


def test_a_window_that_was_closed_goes_on_with_the_same_cards(tmp_path: Path, sit_down: Sit) -> None:
    first = sit_down(1, tmp_path / "journal.db")
    first.wait(50)
    claim(first, best(first))
    cards = first.window.people.cards.layout
    first.window.close()
    again = sit_down(2, tmp_path / "journal.db")
    again.wait(100)
    assert again.window.people.cards.layout.same_places(cards)


def spoilt(data: bytes, fault: str) -> bytes:
    """The file with a fault: half of it, or a content that cannot be true."""
    if fault == "cut in half":
        return data[: len(data) // 2]
    kept = json.loads(data)
    layout = kept[-1]["layout"]
    hand = layout["hands"]["1"]
    match fault:
        case "a card twice":
            hand[0] = hand[1]
        case "no card":
            hand[0]["rank"] = "Z"
        case "a seat less":
            del layout["hands"]["4"]
        case "a card less":
            hand.pop()
    return json.dumps(kept[-1:]).encode()


@pytest.mark.parametrize("fault", ["cut in half", "a card twice", "no card", "a seat less", "a card less"])
def test_cards_that_are_lost_are_new_and_the_line_says_so_and_no_claim_becomes_a_lie(
    tmp_path: Path, fault: str, sit_down: Sit, caplog: pytest.LogCaptureFixture
) -> None:
    first = sit_down(1, tmp_path / "journal.db")
    first.wait(50)
    claim(first, best(first))
    saved(first)
    journal = killed(first, tmp_path)
    cards = journal.with_name("journal.db.cards")
    cards.write_bytes(spoilt(cards.read_bytes(), fault))
    again = sit_down(2, journal)
    again.wait(100)
    assert "All hands are new" in again.window.strip().hint
    assert [card.rank for card in again.window.people.cards.packet] == ["A"]
    assert [len(cards) for cards in again.window.people.cards.hands.values()] == again.window.table.public()["hands"]
    told = [each.message for each in caplog.records if "journal.db.cards" in each.message]
    assert len(told) == (fault == "cut in half")
    assert all(each.endswith("all hands are dealt anew") for each in told)
    assert CardFile(journal).read(10**9) == (again.window.people.cards.layout,), "from now on they are kept"


@pytest.mark.parametrize("game", ["classic", "wrong-rank", "rounds", "liar-poker"])
@pytest.mark.parametrize("seed", [1, 4])
def test_wherever_a_game_is_cut_the_cards_lie_as_they_lay(game: str, seed: int) -> None:
    """Also when the cut comes after the journal has an input and before the file has what it moved."""
    simulation = Simulation(simulated_table(game, 4), seed)
    cards, moves = simulation.people.cards, 0
    before = cards.layout
    for _ in range(2000):
        simulation.step()
        if cards.layout.same_places(before):
            before = cards.layout
            continue
        moves += 1
        for known in (cards.layout, before):
            if known is before and (game == "liar-poker" or before.hands == cards.layout.hands):
                continue
            people = others(simulation.table, game)
            dump = people.table.dump()
            assert people.put_back([known])
            assert people.cards.layout.hands == cards.layout.hands
            assert people.cards.packet == cards.packet
            assert people.table.dump() == dump, "the core learns nothing of it"
            people.hear(people.table.feed(Restart(simulation.ns, MS)), simulation.ns)
            people.take_up(simulation.ns)
            assert people.put_back([people.cards.layout]), "what was not told yet has moved cards once"
            assert getattr(people.mind, "due", "") == getattr(simulation.people.mind, "due", ""), "they remember"
        before = cards.layout
        if simulation.over:
            break
    simulation.close()
    assert moves > 10


def others(played: Table, game: str) -> People:
    """People with cards of their own who take up the table as it was ``played`` so far."""
    table = simulated_table(game, 4)
    table.load(played.dump())
    return People(table, table.game.seats, lambda *press: None, lambda *laid: None, 77)


def test_what_the_journal_lost_the_cards_forget_too(tmp_path: Path) -> None:
    file, cards = CardFile(tmp_path / "journal.db"), RealCards(Random(1))
    layouts = []
    for number, committed in ((3, 0), (9, 3), (12, 9)):
        cards.deal(range(1, 5), 1, (13,) * 4, 1)
        layouts.append(cards.layout)
        file.keep(number, cards.layout, committed)
    known = CardFile(tmp_path / "journal.db")
    assert known.read(12) == (layouts[2], layouts[1])
    assert known.read(11) == (layouts[1],)
    assert known.read(8) == ()
    assert (tmp_path / "journal.db.cards").stat().st_mode & 0o077 == 0, "hidden cards are the owner's"


def test_a_disk_that_is_full_does_not_end_the_game(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file, cards = CardFile(tmp_path / "no folder" / "journal.db"), RealCards(Random(1))
    file.keep(1, cards.layout, 0)
    file.keep(2, cards.layout, 0)
    assert [each.message.endswith("the cards are kept no longer") for each in caplog.records] == [True]


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "journal.db.cards").mkdir()
    assert CardFile(tmp_path / "journal.db").read(1) == ()
    assert [each.message.endswith("all hands are dealt anew") for each in caplog.records] == [True]


def test_without_a_journal_nothing_is_kept(tmp_path: Path, sit_down: Sit) -> None:
    guest = sit_down()
    guest.wait(50)
    claim(guest, best(guest))
    assert not list(tmp_path.rglob("*.cards*"))
