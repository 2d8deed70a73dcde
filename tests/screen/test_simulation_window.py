from collections.abc import Iterator

import pygame
import pytest
from msgspec.structs import replace

from doubtable.screen import palette
from doubtable.screen.examples import NOW, lay, reveal, window
from doubtable.screen.hand import HandView, Hit
from doubtable.screen.simulation import (
    BEZEL,
    DESK_HEIGHT,
    Click,
    Press,
    Quit,
    SimulationWindow,
    window_size,
)
from doubtable.screen.words import Words
from doubtable.view import View

HAND = HandView(1, "Ann", ("AS", "KD", "TH", "9C", "2S"))


@pytest.fixture
def opened() -> Iterator[SimulationWindow]:
    made = SimulationWindow(Words("en"), 1080, "dummy")
    made.hand = HAND
    yield made
    made.close()


def pixels() -> bytes:
    surface = pygame.display.get_surface()
    assert surface is not None
    return pygame.image.tobytes(surface, "RGB")


def screen_pixels() -> bytes:
    """The table's screen without the desk."""
    surface = pygame.display.get_surface()
    assert surface is not None
    wide, high = surface.get_size()
    return pygame.image.tobytes(surface.subsurface((0, 0, wide, high - DESK_HEIGHT)), "RGB")


def mouse(kind: int, x: int, y: int, button: int = 1) -> pygame.event.Event:
    return pygame.event.Event(kind, pos=(x, y), button=button)


def targets(opened: SimulationWindow, kind: str) -> dict[int, tuple[int, int]]:
    """Points of the window that hit something of a kind, by its number."""
    surface = pygame.display.get_surface()
    assert surface is not None
    wide, high = surface.get_size()
    found: dict[int, tuple[int, int]] = {}
    for y in range(high - DESK_HEIGHT, high, 6):
        for x in range(0, wide, 6):
            for action in opened.meaning(mouse(pygame.MOUSEBUTTONDOWN, x, y)):
                hit = action.hit if isinstance(action, Click) else Hit("button", getattr(action, "seat", 0))
                if hit.kind == kind:
                    found.setdefault(hit.number, (x, y))
            opened.meaning(mouse(pygame.MOUSEBUTTONUP, x, y))
    return found


def test_the_window_fits_usual_desktops() -> None:
    assert [window_size(height)[1] for height in (768, 900, 1080, 2160)] == [722, 810, 882, 882]


def test_the_hand_is_on_the_desk_and_never_on_the_table_s_screen(opened: SimulationWindow) -> None:
    opened.show(lay(4), NOW)
    screen, whole = screen_pixels(), pixels()
    opened.hand = replace(HAND, cards=("2D", "3D", "4D"))
    opened.show(lay(4), NOW)
    assert screen_pixels() == screen
    assert pixels() != whole


def test_the_desk_is_clearly_another_thing_than_the_screen(opened: SimulationWindow) -> None:
    opened.show(lay(4), NOW)
    surface = pygame.display.get_surface()
    assert surface is not None
    high = surface.get_height()
    assert surface.get_at((3, high - 3))[:3] == palette.DESK
    assert surface.get_at((2, 2))[:3] == palette.DESK_INK
    assert surface.get_at((BEZEL + 2, BEZEL + 2))[:3] != palette.DESK
    assert palette.contrast(palette.DESK, palette.GROUND) > 4.5


def test_every_card_button_and_place_can_be_clicked(opened: SimulationWindow) -> None:
    opened.show(lay(13), NOW)
    assert sorted(targets(opened, "card")) == [0, 1, 2, 3, 4]
    assert sorted(targets(opened, "button")) == list(range(1, 14))
    assert targets(opened, "tray")
    assert targets(opened, "spot")


def test_cards_of_the_packet_can_be_carried_only_when_they_are_to_be_shown(opened: SimulationWindow) -> None:
    opened.hand = replace(HAND, packet=3)
    opened.show(reveal(4), NOW)
    assert targets(opened, "packet") == {}
    opened.hand = replace(HAND, packet=3, to_show=True)
    opened.show(reveal(4), NOW)
    assert sorted(targets(opened, "packet")) == [0, 1, 2]


def test_thirty_cards_can_still_be_clicked_one_by_one(opened: SimulationWindow) -> None:
    opened.hand = replace(HAND, cards=("7S",) * 30)
    opened.show(lay(4), NOW)
    assert sorted(targets(opened, "card")) == list(range(30))


def test_the_mouse_presses_a_button_until_it_is_let_go_anywhere(opened: SimulationWindow) -> None:
    opened.show(lay(4), NOW)
    x, y = targets(opened, "button")[3]
    assert opened.meaning(mouse(pygame.MOUSEBUTTONDOWN, x, y)) == [Press(3, True)]
    assert opened.meaning(mouse(pygame.MOUSEBUTTONUP, 5, 5)) == [Press(3, False)]
    assert opened.meaning(mouse(pygame.MOUSEBUTTONUP, 5, 5)) == []
    assert opened.meaning(mouse(pygame.MOUSEBUTTONDOWN, x, y, button=3)) == []


def test_keys_are_buttons(opened: SimulationWindow) -> None:
    seats = []
    for key in "1234567890qwe":
        (down,) = opened.meaning(pygame.event.Event(pygame.KEYDOWN, key=ord(key)))
        (up,) = opened.meaning(pygame.event.Event(pygame.KEYUP, key=ord(key)))
        assert isinstance(down, Press)
        assert down.down
        assert up == Press(down.seat, False)
        seats.append(down.seat)
    assert seats == list(range(1, 14))
    assert opened.meaning(pygame.event.Event(pygame.KEYDOWN, key=ord("z"))) == []


def test_closing_the_window_is_told(opened: SimulationWindow) -> None:
    opened.show(lay(4), NOW)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert Quit() in opened.actions()


def lit(opened: SimulationWindow, view: View, ns: int) -> list[int]:
    """The seats whose buttons shine."""
    opened.show(view, ns)
    surface = pygame.display.get_surface()
    assert surface is not None
    found = []
    for seat, (x, y) in targets(opened, "button").items():
        area = [surface.get_at((x + dx, y + dy))[:3] for dx in range(0, 60, 4) for dy in range(0, 60, 4)]
        if area.count(palette.LAMP) > 10:
            found.append(seat)
    return found


def test_the_buttons_shine_like_the_lamps(opened: SimulationWindow) -> None:
    view = window(4)
    assert lit(opened, view, 0) == [2, 3, 4]  # a pulsing lamp shines in the first half of its 1250 ms
    assert lit(opened, view, 700_000_000) == [3, 4]


def test_nothing_is_drawn_when_nothing_has_changed(opened: SimulationWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    opened.show(lay(4), NOW)
    boxes: list[object] = []
    monkeypatch.setattr(pygame.display, "update", boxes.append)
    opened.show(replace(lay(4), number=9), NOW)
    assert boxes == []
    opened.hand = replace(HAND, chosen=(2,))
    opened.show(lay(4), NOW)
    assert len(boxes) == 1
