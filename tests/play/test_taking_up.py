"""A window whose game was cut off: what is saved, and how it is taken up again."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from doubtable import tape
from doubtable.cli import main
from doubtable.games import GAMES
from doubtable.inputs import Do
from doubtable.journal import Journal
from doubtable.journal.gate import NOT_SAVED
from doubtable.players import People, showing
from doubtable.recovery import keep
from doubtable.simulation import Simulation, simulated_table
from doubtable.view import View
from play.guest import Guest


def shown(guest: Guest) -> list[int]:
    """Numbers of the inputs on which the views rest that the window is given, as they come, NOT SAVED left out."""
    numbers: list[int] = []
    show = guest.window.screen.show

    def noted(view: View, ns: int) -> None:
        if NOT_SAVED not in view.notices:
            assert view.number <= guest.kept.journal.committed  # type: ignore[union-attr]
            numbers.append(view.number)
        show(view, ns)

    guest.window.screen.show = noted  # type: ignore[method-assign]
    return numbers


def test_the_window_shows_what_is_saved_and_comes_back_at_the_same_claim(
    tmp_path: Path, sit_down: Callable[..., Guest]
) -> None:
    first = sit_down(1, tmp_path / "journal.db")
    numbers = shown(first)
    first.wait(50)
    first.key(1, 80)
    first.key(1, 500)
    first.until(lambda: first.said("claim"))
    first.until(lambda: numbers[-1] == first.window.app.number)
    assert isinstance(first.kept and first.kept.journal, Journal)
    before = first.window.table.public()
    folder = tmp_path / "after the cut"
    folder.mkdir()
    for name in ("journal.db", "journal.db-wal"):
        shutil.copy(tmp_path / name, folder / name)
    first.window.close()

    second = sit_down(2, folder / "journal.db")
    assert second.kept is not None
    assert second.kept.waiting is not None
    second.wait(300)
    assert (second.window.table.public(), second.events) == (before, []), "the people wait for you"
    assert "hold key 1 to go on" in second.window.strip().hint
    assert len(second.window.hand.cards) == before["hands"][0]
    second.key(1, 900)
    second.until(lambda: len(second.said("claim")) > 0 or second.said("doubt"))
    assert second.said("window")[0].facts == {"state": "open", "again": True}
    found = tape.read(second.lines)
    assert found.header["state"]["base"]["game"]["claim"]["count"] == 1


def test_a_game_that_was_named_is_not_passed_over_for_one_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    assert keep_once(path, "classic", None) == "classic"
    assert keep_once(path, "liar-poker", None) == "classic"
    assert keep_once(path, "classic", "classic") == "classic"
    assert keep_once(path, "liar-poker", "liar-poker") == "liar-poker"


def keep_once(path: Path, game: str, only: str | None) -> str:
    """Which game a start of the program goes on with, or begins."""
    kept = keep(path, simulated_table(game, 4), only=only)
    given = Do(kept.table.state.now, 1, "claim", 1)
    kept.journal.take(1, given)
    kept.journal.hear(1, kept.table.feed(given))
    kept.journal.close()
    return str(kept.table.game.id)


def test_two_windows_on_one_journal_are_one_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("doubtable.play_cli.has_display", lambda: True)
    (tmp_path / "state").mkdir()
    first = Journal(tmp_path / "state" / "journal.db")
    assert main(["play"]) == 1
    assert f"process {os.getpid()} writes it already; stop that table first" in capsys.readouterr().err
    first.close()


@pytest.mark.parametrize("game", GAMES)
def test_people_who_take_up_a_game_hold_as_many_cards_as_the_table_says(game: str) -> None:
    table = simulated_table(game, 4)
    simulation = Simulation(table, 5, deals=2)
    for step in range(4000):
        simulation.step()
        if step % 100 or table.game.id not in GAMES:
            continue
        again = simulated_table(game, 4)
        again.load(table.dump())
        people = People(again, again.game.seats, lambda *press: None, lambda *laid: None, step)
        state, cards = again.fold.game, people.cards
        held = [len(cards.hands.get(seat, ())) for seat in range(1, 5)]
        assert held == (list(state.hands) or [0] * 4)
        assert len(cards.pile) == state.pile
        everything = [*cards.stock, *cards.pile, *(card for hand in cards.hands.values() for card in hand)]
        assert len(everything) == len(set(everything)) == 52 * getattr(state, "packs", 1)
        seen = [str(card) for card, _ in again.game.shown(state)]
        packet = people.mind.packet(showing(again) or 1)
        assert [str(card) for card in packet[: len(seen)]] == seen
        people.take_up(table.state.now)
    simulation.close()
