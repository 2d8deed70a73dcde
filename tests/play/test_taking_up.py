"""A window whose game was cut off: what is saved, and how it is taken up again."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from doubtable import tape
from doubtable.cli import main
from doubtable.devices.ports import monotonic_clock
from doubtable.games import GAMES
from doubtable.inputs import Do
from doubtable.journal import Journal
from doubtable.journal.gate import NOT_SAVED
from doubtable.players import People, showing
from doubtable.recovery import ANYTHING, Asked, Kept, keep
from doubtable.simulation import NAMES, Simulation, simulated_table
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


# Another table than the one that was left ----------------------------------------------------------------------------


def test_a_game_that_was_named_is_not_passed_over_for_one_that_was_cut_off(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "journal.db"
    assert keep_once(path, "classic", Asked()) == "classic"
    assert keep_once(path, "liar-poker", Asked()) == "classic"
    assert keep_once(path, "classic", Asked("classic")) == "classic"
    assert not caplog.records
    assert keep_once(path, "liar-poker", Asked("liar-poker")) == "liar-poker"
    ended = "the game of classic with 4 people that was left has ended; doubtable export --game 1 has all of it"
    assert [each.message for each in caplog.records] == [ended]


def keep_once(path: Path, game: str, asked: Asked, people: int = 4) -> str:
    """Which game a start of the program goes on with, or begins."""
    kept = keep(path, simulated_table(game, people), asked=asked)
    kept.journal.set_origin(monotonic_clock())  # else it is as old as the machine's last start, perhaps too old
    given = Do(kept.table.state.now, 1, "claim", 1)
    kept.journal.take(1, given)
    if kept.journal.hear(1, kept.table.feed(given)):
        kept.journal.point(1, kept.table.dump())
    kept.journal.close()
    return str(kept.table.game.id)


def test_a_simulated_table_goes_on_whatever_its_size_was(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    assert keep_once(path, "rounds", ANYTHING, 3) == "rounds"
    kept = keep(path, simulated_table("classic", 4), asked=Asked(names=NAMES))
    assert (kept.table.game.id, kept.table.names, kept.waiting is not None) == ("rounds", NAMES[:3], True)
    kept.journal.close()
    kept = keep(path, simulated_table("classic", 4), asked=Asked(names=NAMES))
    assert (kept.table.game.id, kept.table.names) == ("rounds", NAMES[:3]), "once more"
    kept.journal.close()


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Kept]:
    """What `doubtable play` would show in windows, of which none is opened; a classic game of four was left."""
    shown: list[Kept] = []

    def window(*table: object, kept: Kept, **facts: object) -> int:
        shown.append(kept)
        return 0

    monkeypatch.setattr("doubtable.play_cli.has_display", lambda: True)
    monkeypatch.setattr("doubtable.window.play_in_window", window)
    (tmp_path / "state").mkdir()
    keep_once(tmp_path / "state" / "journal.db", "classic", ANYTHING)
    return shown


def goes_on(shown: list[Kept]) -> bool:
    """Whether the last window showed the game that was left."""
    return shown[-1].waiting is not None and shown[-1].table.names == NAMES[:4]


@pytest.mark.parametrize(
    ("arguments", "anew"),
    [
        (("--people", "3"), "doubtable play --game classic --people 3"),
        (("--option", "scoring=per_card"), "doubtable play --game classic --option scoring=per_card"),
    ],
)
def test_a_game_that_was_left_is_not_ended_by_a_table_of_another_size_or_other_rules(
    arguments: tuple[str, ...],
    anew: str,
    windows: list[Kept],
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert main(["play", *arguments]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "a game of classic with 4 people was left: doubtable play goes on with it, " in told
    assert told.endswith(f"{anew} ends it and begins anew\n")
    assert not windows
    assert main(["play"]) == 0
    assert goes_on(windows), "nothing was lost"
    assert main(anew.split()[1:]) == 0
    assert not goes_on(windows)
    assert [each.endswith("has ended; doubtable export --game 1 has all of it") for each in caplog.messages] == [True]
    assert main(["export", "--game", "1", "--out", "left.jsonl"]) == 0
    assert main(["replay", "left.jsonl"]) == 0
    assert '"event":"claim"' in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [(), ("--people", "4"), ("--game", "classic"), ("--option", "scoring=chip"), ("--seed", "9", "--people", "4")],
)
def test_what_agrees_with_a_game_that_was_left_goes_on_with_it(
    arguments: tuple[str, ...], windows: list[Kept], caplog: pytest.LogCaptureFixture
) -> None:
    assert main(["play", *arguments]) == 0
    assert goes_on(windows)
    assert not caplog.messages


def test_a_real_table_with_other_seats_begins_anew_and_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "journal.db"
    keep_once(path, "classic", ANYTHING)
    assert keep_once(path, "classic", ANYTHING, 5) == "classic"
    assert "the game of classic with 4 people that was left has ended" in caplog.messages[0]


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
        state, cards = again.state.base.game, people.cards  # as far as it was told
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
