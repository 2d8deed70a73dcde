"""The window as a guest drives it, by keys and mouse."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pygame
import pytest

from doubtable import tape
from doubtable.events import Event
from doubtable.keyboard import SEAT_OF_KEY
from doubtable.simulation import simulated_table
from doubtable.timing import MS
from doubtable.window import play_in_window, without_lines
from play.guest import Guest


def descriptors() -> list[str]:
    """What is open."""
    found = []
    for path in Path("/dev/fd").iterdir():
        with suppress(OSError):  # that of the folder itself has gone by then
            found.append(str(path.readlink()))
    return sorted(found)


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
    before = {name: len(guest.said(name)) for name in ("reveal", "verdict")}

    def came(name: str) -> list[Event]:
        return guest.said(name)[before[name] :]

    for place in range(len(packet)):
        guest.click("packet", place)
        guest.until(lambda place=place: came("verdict") or len(came("reveal")) > place)  # type: ignore[misc]
    guest.until(lambda: came("verdict"))
    assert {each.facts["card"] for each in came("reveal")} <= {str(card) for card in packet}
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


def test_only_the_lines_that_are_meant_are_kept_from_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    """ALSA's, which it writes past everybody where there is no sound; also when what is done meanwhile fails."""

    @without_lines(b"ALSA lib ")
    def opens() -> None:
        os.write(2, b"ALSA lib confmisc.c:855:(parse_card) cannot find card '0'\n")
        sys.stderr.write("doubtable: no sound: ALSA: no such device\n")
        os.write(2, b"ALSA lib pcm.c:2666:(snd_pcm_open_noupdate) Unknown PCM default\nand no line end")
        raise OSError("planted")

    with pytest.raises(OSError, match="planted"):
        opens()
    sys.stderr.write("; after it\n")
    assert capfd.readouterr().err == "doubtable: no sound: ALSA: no such device\nand no line end; after it\n"


def test_thirteen_seats_have_a_key_each() -> None:
    assert sorted(SEAT_OF_KEY.values()) == list(range(1, 14))
    assert SEAT_OF_KEY[pygame.K_1] == 1
    assert SEAT_OF_KEY[pygame.K_0] == 10
    assert SEAT_OF_KEY[pygame.K_e] == 13


def test_the_next_deal_has_other_cards(sit_down: Callable[..., Guest]) -> None:
    guest, again = sit_down(), sit_down()
    guest.wait(50)
    first = guest.window.hand.cards
    assert first == again.window.hand.cards, "the same seed begins with the same deal"
    guest.window._seat_people()  # as when the table has begun another game
    assert len(guest.window.hand.cards) == 13
    assert set(guest.window.hand.cards) != set(first)
