"""`doubtable play --config table.toml`: the table with its hardware, from the first lamp to the last.

Events go to stdout, one JSON object per line as `doubtable replay` prints them; what the host must know goes to stderr.
"""

import argparse
import logging
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING

from msgspec.structs import replace

from doubtable import decks, places, service
from doubtable.app import IDLE_WAIT, WINDOW_WAIT, App
from doubtable.closing import ClosingTime, local_minute
from doubtable.config import Config, ConfigError, change, load
from doubtable.desk import Desk
from doubtable.desk_report import reporter
from doubtable.devices.ports import DeviceError, monotonic_clock
from doubtable.event_log import EventLog
from doubtable.games.options import OptionError
from doubtable.house_rules import check_options
from doubtable.inputs import Device, Input, Order
from doubtable.journal import JournalError
from doubtable.journal.clock import clock_is_set
from doubtable.journal.exporting import header
from doubtable.players import simulated_tags
from doubtable.promptness import promptly
from doubtable.recovery import keep
from doubtable.service import Service
from doubtable.simulation import header_of
from doubtable.stopping import Stop
from doubtable.table import Table
from doubtable.tape import header_line
from doubtable.timing import MS
from doubtable.user_error import UserError
from doubtable.wiring import Devices, devices_of, table_of

if TYPE_CHECKING:  # a table without a screen needs no pygame
    from doubtable.screen.attending import Attending
    from doubtable.screen.display import Display
    from doubtable.screen.table_screen import TableScreen
    from doubtable.screen.voice import Voice

log = logging.getLogger(__name__)

FAILED = 1
STANDS = "; it stands as it was left until somebody holds a button"
SCREEN_WAIT = 250 * MS  # a screen's own keys are looked at so often while no menu is open; buttons wake the loop
GAME = "classic"  # of a simulated table, where neither the command line nor table.toml names one


def read(args: argparse.Namespace) -> tuple[Config, Table]:
    """The configuration of ``--config`` and its table; a real one begins in the lobby when ``--game`` names no game.

    Raises ConfigError or UserError.
    """
    config = load(args.config, check_options, environ=places.environment(args.config, os.environ), recover=True)
    game = args.game or (config.game or GAME if simulated(config) else None)
    if args.record is not None and game is None:
        raise UserError("--record: an evening that begins in the lobby is no tape: name the game with --game")
    try:
        cards = simulated_tags() if simulated(config) else decks.load(config.state)
        table = table_of(config, game, cards)
    except OptionError as error:
        raise UserError(f"{args.config}: {error}; see doubtable games") from error
    except decks.DeckError as error:
        raise UserError(str(error)) from error
    if config.reader.kind == "simulated" and not simulated(config):
        what = 'reader.kind: "simulated" has its tray in the window of a simulated table'
        raise UserError(f'{args.config}: {what}: name the reader, or write kind = "none"')
    return config, table


def strangers(config: Config) -> dict[str, str]:
    """Tag -> deck, of the decks that are not in play. One that cannot be read keeps no table from playing."""
    try:
        return decks.strangers(config.state)
    except decks.DeckError as error:
        log.warning("cards of decks that are not in play are not named: %s", error)
        return {}


def simulated(config: Config) -> bool:
    """Whether no seat of the table has hardware."""
    return config.sources == ("simulated",)


def wait_to_be_mended(why: str, file: service.File, stop: Stop, display: "Display | None" = None) -> None:
    """As a service: the fault on the screen until ``file`` changes or some time has passed. Else nothing."""
    if not service.runs(os.environ):
        return
    from doubtable.fault_page import hold  # noqa: PLC0415 - imports pygame
    from doubtable.screen.display import Display  # noqa: PLC0415

    hold(why, file, display or Display(), lambda: stop.told)


def run(config: Config, table: Table, record: Callable[[str], object] | None = None) -> int:
    """Run the table until it is told to stop. Exit status 0, or 1 for a device or journal that cannot be used."""
    logging.basicConfig(stream=sys.stderr, format="doubtable: %(message)s", level=logging.WARNING)
    for warning in config.warnings:
        log.warning("%s: warning: %s", config.path, warning)
    file = None if config.path is None else service.File(config.path)
    inbox: SimpleQueue[Input] = SimpleQueue()
    with Stop() as stop, ExitStack() as open_things:
        desk = Desk(places.runtime_directory(config.state, os.environ) / places.SOCKET)
        open_things.callback(desk.close)
        manager = Service(os.environ)
        open_things.callback(manager.close)
        if service.runs(os.environ):
            service.tell_where_it_hangs()
            open_things.callback(service.main_thread_answers)
        events = EventLog(sys.stdout)
        open_things.callback(events.close)
        screen = _screen(config)
        display = None if screen is None else screen.display
        voice = _voice(config)
        try:
            kept = keep(config.journal, table, keep_days=config.keep_days)
            open_things.callback(kept.journal.close)
            kept.table.strangers = strangers(config)
            devices = devices_of(config, desk.listening(inbox.put))
            app = App(
                kept.table,
                devices.buttons,
                devices.lamps,
                clock=monotonic_clock,
                screen=screen,
                voice=voice,
                heard=events,
                record=record,
                inbox=inbox,
                journal=kept.journal,
                waiting=kept.waiting,
            )
            if record is not None:
                record(header_line(header(kept.table, header_of)))
            open_things.callback(app.close)
            _start(devices, open_things)
        except (DeviceError, JournalError) as error:
            sys.stderr.write(f"doubtable: {error}\n")
            manager.status(str(error))
            if file is not None:
                wait_to_be_mended(str(error), file, stop, display)
            return FAILED
        if devices.reader is None:
            app.deliver(Device(monotonic_clock(), "reader", up=False))
        desk.start(reporter(config, kept.table, devices, display))
        app.step()  # lamps and screen show the table
        ready = _summary(config, kept.table) + STANDS * app.stands_still
        sys.stderr.write(f"doubtable: ready: {ready}\n")
        service.main_thread_answers()
        manager.ready(ready)
        attending = None if screen is None else _attending(config, app, screen, voice)
        closing = ClosingTime(config.closing, partial(local_minute, clock_is_set))
        with promptly():
            _play(app, devices, screen, attending, stop, manager, closing)
        manager.stopping()
        sys.stderr.write("doubtable: told to stop\n")
    return 0


def _start(devices: Devices, open_things: ExitStack) -> None:
    devices.buttons.start()
    devices.lamps.start()
    if devices.reader is not None:
        open_things.callback(devices.reader.close)
        devices.reader.start()


def _play(
    app: App,
    devices: Devices,
    screen: "TableScreen | None",
    attending: "Attending | None",
    stop: Stop,
    manager: Service,
    closing: ClosingTime,
) -> None:
    while not stop.told:
        manager.alive(monotonic_clock())
        due = None if app.stands_still else closing.order(app.table.fold.house.hours, monotonic_clock())
        if due is not None:
            app.deliver(due)
        app.step(app.wait_time(_longest_wait(screen, devices)))
        if screen is not None and attending is not None:
            _attend(app, screen, attending, devices, stop)


def _longest_wait(screen: "TableScreen | None", devices: Devices) -> int:
    """How long, in ns, the loop may sleep as far as the keys and touches of its screen go."""
    if screen is None:
        return IDLE_WAIT
    watched = devices.keys or (screen.attendant is not None and screen.attendant.is_open)
    return WINDOW_WAIT if watched else SCREEN_WAIT


def _attend(app: App, screen: "TableScreen", attending: "Attending", devices: Devices, stop: Stop) -> None:
    """Keys are the attendant's menu's, the buttons of seats without hardware, and leaf through the races; a closed
    window ends the table.
    """
    import pygame  # noqa: PLC0415 - a table without a screen needs none

    from doubtable.keyboard import leaf, press_key  # noqa: PLC0415

    for event in pygame.event.get() if screen.display.shown else ():
        if event.type == pygame.QUIT:
            stop.told = True
        if app.view is not None and attending.take(event, app.view, app.now()):
            continue
        leaf(event, app)
        if devices.keys is not None:
            press_key(event, devices.keys, devices.keyed)


def _attending(config: Config, app: App, screen: "TableScreen", voice: "Voice | None") -> "Attending":
    """The attendant's menu on the screen: what it orders goes to the table like any input, the volume is kept."""
    from doubtable.screen.attendant import Attendant  # noqa: PLC0415
    from doubtable.screen.attending import Attending  # noqa: PLC0415

    def set_volume(volume: int) -> None:
        if voice is not None:
            voice.set_volume(volume)
        try:
            change(config, {"sound.volume": volume}, check_options)
        except (ConfigError, OSError) as error:
            log.warning("the volume is not kept: %s", error)

    def order(given: Order) -> None:
        app.deliver(replace(given, ns=monotonic_clock()))

    silence = (lambda: None) if voice is None else voice.silence
    screen.attendant = Attendant(config.attendant.pin, order, set_volume, volume=config.sound.volume, silence=silence)
    return Attending(screen)


def _screen(config: Config) -> "TableScreen | None":
    if config.screen.driver == "none":
        return None
    from doubtable.screen.display import Display  # noqa: PLC0415
    from doubtable.screen.table_screen import TableScreen  # noqa: PLC0415
    from doubtable.screen.words import Words  # noqa: PLC0415

    driver = "" if config.screen.driver == "auto" else config.screen.driver
    words = Words(config.screen.language, config.screen.house_word or "")
    return TableScreen(Display(config.screen.size, config.screen.turn, driver), words)


def _voice(config: Config) -> "Voice | None":
    """The loudspeaker that table.toml names, with its volume and quiet hours; without a screen it is silent."""
    if config.screen.driver == "none":
        return None
    from doubtable.screen.speaker import Loudness  # noqa: PLC0415
    from doubtable.screen.voice import open_voice  # noqa: PLC0415

    hours = config.sound.quiet_hours
    quiet = (0, 0) if hours is None else tuple(each.hour * 60 + each.minute for each in hours)
    loudness = Loudness(config.sound.volume, quiet=(quiet[0], quiet[1]))
    return open_voice(loudness, config.sound.device or "")


def _summary(config: Config, table: Table) -> str:
    reader = f"reader {config.reader.kind} at {config.reader.port}" if config.reader.port else "no reader"
    screen = f"screen {config.screen.driver}" if config.screen.driver != "none" else "no screen"
    cards = f"{len(table.cards)} enrolled cards" if table.cards else "no enrolled cards"
    buttons = " and ".join(config.sources)
    return f"{table.game.id} at {len(config.seats)} seats, buttons {buttons}, {reader}, {cards}, {screen}"
