"""`doubtable play`: the demonstration without a display, and the window as a guest drives it, by keys and mouse."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pygame
import pytest

from doubtable import tape
from doubtable.cli import main
from doubtable.events import Event
from doubtable.games import GAMES
from doubtable.games.reveals import shown_cards
from doubtable.inputs import Do
from doubtable.journal import Journal
from doubtable.journal.gate import NOT_SAVED
from doubtable.keyboard import KEYS, SEAT_OF_KEY
from doubtable.players import People, showing
from doubtable.recovery import keep
from doubtable.simulation import Simulation, simulated_table
from doubtable.timing import MS, Timing
from doubtable.view import View
from doubtable.window import Window, play_in_window

LONGEST = 60.0  # s until a wait gives up
QUICK = Timing(hold=400 * MS, doubt=1500 * MS, any_more=200 * MS)


@pytest.fixture(autouse=True)
def no_display(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A demonstration of a few claims."""
    monkeypatch.setattr("doubtable.play_cli.DEMO_CLAIMS", 12)


def descriptors() -> list[str]:
    """What is open."""
    found = []
    for path in Path("/dev/fd").iterdir():
        with suppress(OSError):  # that of the folder itself has gone by then
            found.append(str(path.readlink()))
    return sorted(found)


# Without a display --------------------------------------------------------------------------------------------------


def test_without_a_display_a_game_is_played_and_its_picture_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    began = time.monotonic()
    assert main(["play"]) == 0
    assert time.monotonic() - began < 20
    said = capsys.readouterr().out.splitlines()
    events = [line for line in said if line.startswith("{")]
    assert events[0].startswith('{"event":"deal","ns":0,')
    assert any('"event":"verdict"' in line for line in events), "a doubt was decided by cards on the reader"
    assert said[-1] == f"the last screen: {tmp_path / 'doubtable-last-screen.png'}"
    assert pygame.image.load(tmp_path / "doubtable-last-screen.png").get_size() == (1024, 600)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("game", GAMES)
def test_a_recorded_game_replays_to_the_same_bytes(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--game", game, "--seed", "7", "--record", "evening.jsonl", "--picture", "last.png"]) == 0
    played = [line for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    assert main(["replay", "evening.jsonl"]) == 0
    assert capsys.readouterr().out.splitlines() == played
    assert len(played) > 60


@pytest.mark.usefixtures("short")
def test_the_same_seed_is_the_same_evening(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for seed in ("3", "3", "4"):
        assert main(["play", "--seed", seed, "--picture", "last.png"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] != said[2]


@pytest.mark.usefixtures("short")
def test_house_options_and_times_stand_on_the_tape() -> None:
    assert main(["play", "--option", "scoring=per_card", "--record", "evening.jsonl"]) == 0
    header = tape.load(Path("evening.jsonl")).header
    assert header["options"] == {"scoring": "per_card"}
    assert header["seats"] == ["Ann", "Bob", "Cy", "Dee"]


@pytest.mark.usefixtures("short")
def test_a_simulated_table_of_a_table_toml_is_played(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    Path("table.toml").write_text(
        f'state = "{tmp_path}"\n[timing]\nhold_ms = 500\ntie_ms = 0.2\n[seats.1]\nname = "Zoe"\n[seats.2]\n[seats.3]\n'
    )
    assert main(["play", "--config", "table.toml", "--record", "evening.jsonl"]) == 0
    played = [line for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    header = tape.load(Path("evening.jsonl")).header
    assert header["seats"] == ["Zoe", "", ""]
    assert main(["replay", "evening.jsonl"]) == 0
    assert capsys.readouterr().out.splitlines() == played


# In a window --------------------------------------------------------------------------------------------------------


class Guest:
    """A window in real time, its keys and mouse, and what was said and written."""

    def __init__(self, seed: int = 1, journal: Path | None = None) -> None:
        self.events: list[Event] = []
        self.lines: list[str] = []
        table = simulated_table("classic", 4, timing=QUICK)
        self.kept = None if journal is None else keep(journal, table)
        heard = self.events.extend
        self.window = Window(table, seed, self.lines.append, lambda events, ns: heard(events), kept=self.kept)

    def until(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + LONGEST
        while not condition():
            assert time.monotonic() < end, [each.name for each in self.events[-12:]]
            self.window.step()

    def wait(self, ms: int) -> None:
        end = time.monotonic_ns() + ms * MS
        self.until(lambda: time.monotonic_ns() > end)

    def key(self, seat: int, ms: int) -> None:
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=ord(KEYS[seat - 1])))
            self.wait(ms)

    def click(self, kind: str, place: int) -> None:
        strip, layout = self.window.strip(), self.window.screen.layout
        boxes = {
            "card": layout.hand_boxes,
            "packet": layout.packet_boxes,
            "button": layout.button_boxes,
        }[kind](strip)
        spot = (boxes[place].x + 4, boxes[place].centre[1])
        for event in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            pygame.event.post(pygame.event.Event(event, pos=spot, button=pygame.BUTTON_LEFT))
            self.wait(60)

    def said(self, name: str) -> list[Event]:
        return [each for each in self.events if each.name == name]


@pytest.fixture
def guest() -> Iterator[Guest]:
    threads, open_before = threading.active_count(), descriptors()
    pygame.display.init()
    pygame.display.quit()
    guest = Guest()
    yield guest
    guest.window.close()
    guest.window.close()
    assert threading.active_count() == threads, "every thread was joined"
    assert descriptors() == open_before, "every port was closed"
    assert not guest.window.lamps.lit, "lamps are off"


def test_you_lay_the_cards_that_you_picked_and_show_the_packet_that_you_doubted(guest: Guest) -> None:
    window = guest.window
    guest.wait(50)
    picked = window.hand.cards[-2:]
    for place in (-1, -2):
        guest.click("card", place)
    assert set(window.hand.picked) == set(picked)
    guest.key(1, 80)
    guest.key(1, 80)
    guest.key(1, 500)
    guest.until(lambda: guest.said("claim"))
    assert guest.said("claim")[0].facts == {"seat": 1, "count": 2, "rank": "A"}
    assert not set(picked) & set(window.hand.cards)
    assert not window.hand.picked

    def may_slap() -> bool:
        claims = [each.facts["seat"] for each in guest.said("claim")]
        return claims[-1] in (2, 3) and window.table.fold.game.window is not None

    while not [each for each in guest.said("doubt") if each.facts["seat"] == 1]:
        guest.until(lambda: may_slap() or guest.said("over"))
        guest.click("button", 0)
        guest.wait(300)
    guest.until(lambda: window.hand.showable)
    packet = window.hand.showable
    verdicts = len(guest.said("verdict"))
    for place in range(len(packet)):
        guest.click("packet", place)
        guest.wait(400)
    guest.until(lambda: len(guest.said("verdict")) > verdicts)
    shown = [each.facts["card"] for each in guest.said("reveal")][-len(packet) :]
    assert set(shown) <= {str(card) for card in packet}
    assert guest.said("tag")[-1].facts["card"] in {str(card) for card in packet}, "it came through the reader"
    assert not window.hand.showable, "after the verdict nothing can be put on the reader"
    assert not window.hand.picked, "cards that came back are picked no longer"

    found = tape.read(guest.lines)
    replayed = [tape.event_line(each) for each in tape.replay(found, tape.table_of(found))]
    assert replayed == [tape.event_line(each) for each in guest.events], "and the tape replays to the same bytes"


def test_a_button_that_is_held_by_the_mouse_holds(guest: Guest) -> None:
    guest.wait(50)
    box = guest.window.screen.layout.button_boxes(guest.window.strip())[0]
    guest.key(1, 60)
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=box.centre, button=pygame.BUTTON_LEFT))
    guest.until(lambda: guest.said("hold"))
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(1, 1), button=pygame.BUTTON_LEFT))
    guest.until(lambda: [each for each in guest.said("release") if each.facts["seat"] == 1][1:])
    assert guest.said("claim")[0].facts["count"] == 1


def test_outside_a_reveal_nothing_can_be_put_on_the_reader(guest: Guest) -> None:
    guest.wait(50)
    guest.window.people.cards.packet = [guest.window.hand.cards[0]]
    guest.click("packet", 0)
    guest.wait(200)
    assert guest.said("tag") == []


def test_nothing_is_drawn_when_nothing_has_changed(guest: Guest) -> None:
    guest.wait(50)
    screen, view = guest.window.screen, guest.window.app.view
    assert view is not None
    ns = guest.window.app.now()
    screen.show(view, ns)
    screen.show_strip(guest.window.strip())
    drawn = screen.drawn
    for _ in range(50):
        screen.show(view, ns)
        screen.show_strip(guest.window.strip())
    assert screen.drawn == drawn


def test_the_loop_waits_at_most_five_milliseconds(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[int] = []
    step = guest.window.app.step

    def noted(wait: int) -> None:
        waits.append(wait)
        step(wait)

    monkeypatch.setattr(guest.window.app, "step", noted)
    guest.wait(100)
    assert max(waits) <= 5 * MS


def test_a_closed_window_ends_the_table_with_exit_0() -> None:
    pygame.display.init()
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert play_in_window(simulated_table("classic", 4), 1) == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_table_with_exit_0(number: signal.Signals) -> None:
    lines: list[str] = []

    def record(line: str) -> None:
        lines.append(line)
        if len(lines) == 2:
            os.kill(os.getpid(), number)

    assert play_in_window(simulated_table("classic", 4), 1, record) == 0
    assert len(lines) >= 2


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


def test_the_window_shows_what_is_saved_and_comes_back_at_the_same_claim(tmp_path: Path) -> None:
    pygame.display.init()
    first = Guest(journal=tmp_path / "journal.db")
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

    second = Guest(2, folder / "journal.db")
    assert second.kept is not None
    assert second.kept.waiting is not None
    second.wait(300)
    assert (second.window.table.public(), second.events) == (before, []), "the people wait for you"
    assert "hold key 1 to go on" in second.window.strip().hint
    assert len(second.window.hand.cards) == before["hands"][0]
    second.key(1, 900)
    second.until(lambda: len(second.said("claim")) > 0 or second.said("doubt"))
    assert second.said("window")[0].facts == {"state": "open", "again": True}
    second.window.close()
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
    given = Do(kept.table.state.latest, 1, "claim", 1)
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
        seen = [str(card) for card in shown_cards(state) or getattr(state, "shown", ())]
        packet = people.mind.packet(showing(again) or 1)
        assert [str(card) for card in packet[: len(seen)]] == seen
        people.take_up(table.state.now)
    simulation.close()


def test_thirteen_seats_have_a_key_each() -> None:
    assert sorted(SEAT_OF_KEY.values()) == list(range(1, 14))
    assert SEAT_OF_KEY[pygame.K_1] == 1
    assert SEAT_OF_KEY[pygame.K_0] == 10
    assert SEAT_OF_KEY[pygame.K_e] == 13


@pytest.mark.usefixtures("short")
def test_a_display_that_cannot_be_opened_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", ":4711")
    assert main(["play"]) == 0
    assert "no display (" in capsys.readouterr().out


# On a real display --------------------------------------------------------------------------------------------------


@pytest.fixture
def xvfb() -> Iterator[str]:
    """An X server of its own; its display's name."""
    reading, writing = os.pipe()
    try:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1366x768x24"], pass_fds=[writing], stderr=-3
        )
    except FileNotFoundError:
        os.close(reading)
        pytest.skip("Xvfb is missing: apt install xvfb")
    finally:
        os.close(writing)
    with os.fdopen(reading) as pipe:
        yield ":" + pipe.readline().strip()
    server.terminate()
    server.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_on_a_real_display_the_program_ends_cleanly(xvfb: str, number: signal.Signals) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("SDL_")} | {"DISPLAY": xvfb}
    program = subprocess.Popen(
        [sys.executable, "-m", "doubtable", "play", "--record", "/dev/stdout"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    while "levels" not in program.stdout.readline():
        assert program.poll() is None
    program.send_signal(number)
    _, said = program.communicate(timeout=LONGEST)
    assert program.returncode == 0
    assert "Traceback" not in said
