"""The attendant's menu: a PIN, pages, and orders that the table takes like any other input."""

from pathlib import Path
from queue import SimpleQueue

import pygame
import pytest
from msgspec.structs import replace

from doubtable import real_table
from doubtable.app import App
from doubtable.cards import Card
from doubtable.config import load
from doubtable.devices.simulated import SimulatedButtons, SimulatedLamps
from doubtable.inputs import Input, Order
from doubtable.screen.attendant import ALONE, KEYPAD, LOCKED, MENU, OK, Attendant
from doubtable.screen.attending import LONG_TOUCH, Attending
from doubtable.screen.display import Display
from doubtable.screen.examples import lay
from doubtable.screen.pages import service_grid
from doubtable.screen.stage import Stage
from doubtable.screen.table_screen import TableScreen
from doubtable.screen.words import Words
from doubtable.timing import S
from games.at_table import at

PIN = "2580"
VIEW = replace(lay(4), seats=tuple(replace(seat, count=10) for seat in lay(4).seats), pile=12)


class Desk:
    """A menu and what it has ordered."""

    def __init__(self, pin: str | None = PIN) -> None:
        self.orders: list[Order] = []
        self.volumes: list[int] = []
        self.menu = Attendant(pin, self.orders.append, self.volumes.append)

    def pin(self, digits: str = PIN, ns: int = 0) -> "Desk":
        self.menu.open(ns)
        for digit in digits:
            self.menu.type(digit, ns)
        self.menu.choose(KEYPAD.index(OK), VIEW, ns)
        return self

    def pick(self, *labels: str) -> "Desk":
        for label in labels:
            items = self.menu.pages[-1].items
            self.menu.choose(items.index(label), VIEW, 0)
        return self


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        (("UNDO",), Order(0, "undo")),
        (("SKIP A TURN",), Order(0, "skip")),
        (("NEW GAME",), Order(0, "new_game")),
        (("CARD BY HAND", "K", "♠"), Order(0, "card", card=Card.parse("KS"))),
        (("A SEAT LEAVES", "SEAT 3"), Order(0, "remove", seat=3)),
        (("SET COUNTS", "SEAT 2", "1", "9", OK), Order(0, "set_hands", hands=(10, 19, 10, 10))),
    ],
)
def test_each_item_orders_what_it_says_and_shuts_the_menu(labels: tuple[str, ...], order: Order) -> None:
    desk = Desk().pin().pick(*labels)
    assert desk.orders == [order]
    assert not desk.menu.is_open


def test_the_second_pack_s_card_can_be_named_where_there_are_two() -> None:
    desk, two = Desk().pin(), replace(VIEW, pile=80)
    for label in ("CARD BY HAND", "T", "♥", "PACK 2"):
        desk.menu.choose(desk.menu.pages[-1].items.index(label), two, 0)
    assert desk.orders == [Order(0, "card", card=Card.parse("TH", 2))]


def test_orders_are_taken_by_the_table() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=2)
    desk = Desk().pin().pick("UNDO")
    assert table.feed(replace(desk.orders[0], ns=table.ns))
    assert (table.phase, table.hands) == ("claim", [13] * 4)


def test_without_a_pin_it_stays_shut() -> None:
    assert not Desk(None).pin("").menu.is_open


def test_a_wrong_pin_opens_nothing_and_three_shut_it_for_half_a_minute() -> None:
    desk = Desk().pin("0000")
    assert desk.menu.over(VIEW, 0).headline == ("WRONG PIN", {})
    desk.pin("1111").pin("258")
    assert not desk.menu.is_open
    assert not desk.pin(PIN, LOCKED - 1).menu.is_open
    assert desk.pin(PIN, LOCKED).menu.pages[-1].items == MENU


def test_digits_of_a_pin_are_never_shown() -> None:
    menu = Desk().menu
    menu.open(0)
    menu.type("2", 0)
    menu.type("5", 0)
    assert menu.over(VIEW, 0).headline == ("{name}", {"name": "••"})


def test_back_leads_one_page_back_and_then_out() -> None:
    desk = Desk().pin().pick("CARD BY HAND", "K", "BACK", "BACK")
    assert desk.menu.pages[-1].items == MENU
    assert not desk.pick("BACK").menu.is_open
    assert desk.orders == []


def test_a_minute_without_a_key_shuts_it_and_the_table_shows() -> None:
    desk = Desk().pin()
    assert desk.menu.over(VIEW, ALONE - 1).scene == "service"
    assert desk.menu.over(VIEW, ALONE) == VIEW


def test_what_the_table_has_to_say_stays_over_the_menu() -> None:
    marked = replace(VIEW, notices=(("NOT SAVED", {}),))
    assert Desk().pin().menu.over(marked, 0).notices == marked.notices


def test_the_volume_goes_by_tens_and_ends_at_its_ends() -> None:
    desk = Desk().pin().pick("SOUND", *["LOUDER"] * 4, *["QUIETER"] * 2)
    assert desk.volumes == [80, 90, 100, 100, 90, 80]
    assert desk.menu.over(VIEW, 0).headline == ("VOLUME {count}", {"count": 80})


def test_the_sound_page_says_why_the_table_is_silent() -> None:
    quiet = ("VOLUME {count}, QUIET UNTIL {time}", {"time": "08:00"})
    for why, headline in ((lambda: quiet, (quiet[0], {"time": "08:00", "count": 80})), (lambda: None, None)):
        desk = Desk()
        desk.menu = Attendant(PIN, desk.orders.append, desk.volumes.append, silence=why)
        desk.pin().pick("SOUND", "LOUDER")
        assert desk.menu.over(VIEW, 0).headline == (headline or ("VOLUME {count}", {"count": 80}))


@pytest.mark.parametrize(
    ("sound", "key"), [('quiet_hours = "22:00-08:00"', "VOLUME {count}, QUIET UNTIL {time}"), ("", "VOLUME {count}")]
)
def test_a_real_table_s_menu_knows_the_quiet_hours(
    sound: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doubtable.screen.voice.local_minute", lambda: 23 * 60)
    path = tmp_path / "table.toml"
    path.write_text(f'plan = "4-gpio"\nstate = "{tmp_path}"\n[attendant]\npin = "{PIN}"\n[sound]\n{sound}\n')
    config = load(path, environ={"HOME": str(tmp_path)})
    voice, screen = real_table._voice(config), TableScreen(Display((800, 480), driver="dummy", full=False), Words())
    assert voice is not None
    app = App(at("classic", 4).table, SimulatedButtons((), lambda given: None), SimulatedLamps(()), clock=lambda: S)
    real_table._attending(config, app, screen, voice)
    desk = Desk()
    desk.menu = screen.attendant
    assert desk.pin().pick("SOUND").menu.over(VIEW, 0).headline[0] == key
    voice.close()
    screen.close()


def test_a_real_table_s_menu_orders_by_its_inbox_and_keeps_the_volume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    path = tmp_path / "table.toml"
    path.write_text(f'plan = "4-gpio"\nstate = "{tmp_path}"\n[attendant]\npin = "{PIN}"\n')
    config, inbox = load(path), SimpleQueue[Input]()
    table = at("classic", 4).table
    app = App(table, SimulatedButtons((), inbox.put), SimulatedLamps(()), clock=lambda: 7 * S, inbox=inbox)
    screen = TableScreen(Display((800, 480), driver="dummy", full=False), Words())
    attending = real_table._attending(config, app, screen, None)
    for code in (pygame.K_F1, *map(ord, PIN), pygame.K_LEFT, pygame.K_RETURN, pygame.K_RETURN):
        attending.take(key(code), VIEW, 0)
    ordered = inbox.get_nowait()
    assert (type(ordered), getattr(ordered, "act", "")) == (Order, "undo")
    assert ordered.ns > 0  # stamped by the machine's clock, as every input
    for code in (
        pygame.K_F1,
        *map(ord, PIN),
        pygame.K_LEFT,
        pygame.K_RETURN,
        pygame.K_UP,
        pygame.K_UP,
        pygame.K_RETURN,
    ):
        attending.take(key(code), VIEW, 0)
    attending.take(key(pygame.K_RETURN), VIEW, 0)
    assert load(path).sound.volume == 60
    screen.close()


# Keys and touches ----------------------------------------------------------------------------------------------------


def key(code: int) -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=code)


def test_by_keys_alone_a_turn_is_skipped() -> None:
    desk = Desk()
    screen = TableScreen(Display((800, 480), driver="dummy", full=False), Words(), attendant=desk.menu)
    attending = Attending(screen)
    assert not attending.take(key(pygame.K_2), VIEW, 0)  # shut: a key is a seat's button
    assert attending.take(key(pygame.K_F1), VIEW, 0)
    for code in (*map(ord, PIN), *[pygame.K_LEFT], pygame.K_RETURN, pygame.K_DOWN, pygame.K_RETURN):
        assert attending.take(key(code), VIEW, 0)
    assert desk.orders == [Order(0, "skip")]
    assert not attending.take(pygame.event.Event(pygame.KEYUP, key=pygame.K_1), VIEW, 0)
    screen.close()


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_by_touches_alone_on_a_turned_glass(turn: int) -> None:
    desk = Desk()
    screen = TableScreen(Display((800, 480), turn, driver="dummy", full=False), Words(), attendant=desk.menu)
    attending = Attending(screen)
    screen.show(VIEW, 0)
    assert not attending.take(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(5, 5), button=1), VIEW, 0)
    assert attending.take(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(5, 5), button=1), VIEW, LONG_TOUCH)
    for label in (*PIN, OK, "A SEAT LEAVES", "SEAT 4"):
        screen.show(VIEW, 4 * S)
        number = desk.menu.pages[-1].items.index(label)
        spot = pixel(screen, number)
        assert screen.item_at(*spot) == number
        attending.take(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=spot, button=1), VIEW, 4 * S)
        attending.take(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=spot, button=1), VIEW, 4 * S)
    assert desk.orders == [Order(4 * S, "remove", seat=4)]
    screen.close()


def pixel(screen: TableScreen, number: int) -> tuple[int, int]:
    """A pixel of the display that shows the middle of an item."""
    from doubtable.screen.lettering import Lettering  # noqa: PLC0415 - fonts only once a screen is there

    panel = screen.display.panel
    stage = Stage(panel, 4, Words(), Lettering())
    _, cells = service_grid(stage, len(screen.attendant.pages[-1].items))
    want = cells[number].centre
    for x in range(2, panel.width, 4):
        for y in range(2, panel.height, 4):
            seen = screen.display.to_picture(x, y)
            if abs(seen[0] - want[0]) <= 3 and abs(seen[1] - want[1]) <= 3:
                return x, y
    raise AssertionError("no pixel shows it")
