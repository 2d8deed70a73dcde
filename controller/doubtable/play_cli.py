"""`doubtable play` and `games`."""

import argparse
import logging
import os
import re
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from doubtable import tape
from doubtable.config import Config, ConfigError, load
from doubtable.events import Event
from doubtable.games import GAMES, game_type
from doubtable.games.options import OptionError
from doubtable.journal import JournalError
from doubtable.simulation import NAMES, Simulation, simulated_table, usual_people
from doubtable.stopping import Stop
from doubtable.table import Table
from doubtable.user_error import BAD_INPUT, UserError

if TYPE_CHECKING:  # a demonstration needs no database
    from doubtable.recovery import Asked

FAILED = 1
DEFAULT_GAME = "classic"
DEMO_CLAIMS = 60
NUMBER = re.compile("-?[0-9]{1,18}")
PICTURE = "doubtable-last-screen.png"


def read_options(pairs: list[str]) -> dict[str, object]:
    """``NAME=VALUE`` pairs as option values: numbers, true and false are what they look like."""
    read: dict[str, object] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise UserError(f"--option {pair}: write NAME=VALUE, for example scoring=per_card")
        known: dict[str, object] = {"true": True, "false": False}
        read[name] = int(text) if NUMBER.fullmatch(text) else known.get(text, text)
    return read


def table_for(args: argparse.Namespace, game: str) -> Table:
    """The simulated table of the command line. UserError for a game, option or number of people that there is not."""
    try:
        people = usual_people(game) if args.people is None else args.people
        return simulated_table(game, people, read_options(getattr(args, "option", [])))
    except OptionError as error:
        raise UserError(f"{error}; see doubtable games") from error


def play(args: argparse.Namespace) -> int:
    """The table: a window where there is a display, else a demonstration game in virtual time."""
    if args.config is None:
        config, table = load(None), table_for(args, args.game or DEFAULT_GAME)
    else:
        from doubtable import real_table, service  # noqa: PLC0415 - imports the devices

        if args.people is not None:
            raise UserError(f"--people is for a table without --config: {args.config} says which seats there are")
        file = service.File(args.config)
        try:
            config, table = real_table.read(args)
        except ConfigError as error:
            sys.stderr.write(f"{error.told()}\n")
            with Stop() as stop:
                real_table.wait_to_be_mended(str(error), file, stop)
            return BAD_INPUT
        except UserError as error:
            with Stop() as stop:
                real_table.wait_to_be_mended(str(error), file, stop)
            raise
        if service.runs(os.environ) or not real_table.simulated(config):
            with recorder(args.record) as record:
                return real_table.run(config, table, record if args.record else None)
    return play_simulated(args, table, config)


def play_simulated(args: argparse.Namespace, table: Table, config: Config) -> int:
    """A table without hardware: in a window it keeps the journal of ``config``."""
    why = "no display"
    if has_display():
        from doubtable.window import NoDisplay  # noqa: PLC0415 - imports pygame

        try:
            return _in_window(args, table, config)
        except NoDisplay as error:
            why = f"no display ({error})"
    return demonstration(args, table, why)


def _in_window(args: argparse.Namespace, table: Table, config: Config) -> int:
    from doubtable.recovery import WouldEnd, keep  # noqa: PLC0415 - a demonstration needs no database
    from doubtable.window import play_in_window  # noqa: PLC0415

    logging.basicConfig(stream=sys.stderr, format="doubtable: %(message)s", level=logging.WARNING)
    words = config.screen.language, config.screen.house_word or ""
    with recorder(args.record) as record:
        try:
            kept = keep(config.journal, table, keep_days=config.keep_days, asked=_asked(args))
        except WouldEnd as left:
            anew = f"doubtable play --game {table.game.id}" + _named(args)
            goes_on = "doubtable play goes on with it"
            raise UserError(
                f"a game of {left.game} with {left.people} people was left: {goes_on}, {anew} ends it and begins anew"
            ) from left
        except JournalError as error:
            sys.stderr.write(f"doubtable: {error}\n")
            return FAILED
        with closing(kept.journal):
            return play_in_window(table, args.seed, record if args.record else None, *words, kept=kept, config=config)


def _asked(args: argparse.Namespace) -> "Asked":
    """What a game that was left must be to go on; unless a game to begin with was named it is not ended for another."""
    from doubtable.recovery import Asked  # noqa: PLC0415

    any_size = args.people is None and args.config is None
    named = args.people is not None or bool(args.option)
    return Asked(args.game, read_options(args.option), NAMES if any_size else (), ends=bool(args.game) or not named)


def _named(args: argparse.Namespace) -> str:
    """What the command line says of the table besides its game, once more."""
    people = "" if args.people is None else f" --people {args.people}"
    return people + "".join(f" --option {each}" for each in args.option)


def has_display() -> bool:
    """Whether a window can be opened here."""
    if os.environ.get("SDL_VIDEODRIVER") in ("dummy", "offscreen"):
        return False
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def unwritable(path: Path) -> str:
    """Why a file cannot be written there; "" when it can. A file that is made to find out goes at once."""
    try:
        if path.is_dir():
            return "is a folder"
        if path.exists():
            return "" if os.access(path, os.W_OK) else "may not be written"
        if not path.parent.is_dir():
            return f"there is no folder {path.parent}"
        path.open("xb").close()
        path.unlink()
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return ""


class recorder:  # noqa: N801 - used like open()
    """A tape that is being written, line by line; nothing for no path. UserError when it cannot be written, or when
    there is something in that file already: an evening that was recorded is never written over.

    A disk that is full later ends the tape, with a line that says so, and not the game.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: TextIO | None = None

    def __enter__(self) -> "recorder":
        if self._path is not None:
            why = unwritable(self._path)
            if why:
                raise UserError(f"--record {self._path}: {why}: name a file that can be written")
            if self._path.is_file() and self._path.stat().st_size:
                raise UserError(f"--record {self._path}: is there already: name another file, or move this one away")
            try:
                self._file = self._path.open("w", encoding="utf-8", buffering=1)
            except OSError as error:
                raise UserError(f"--record {self._path}: {error.strerror}: name a file that can be written") from error
        return self

    def __call__(self, line: str) -> None:
        if self._file is not None:
            try:
                self._file.write(line + "\n")
            except OSError as error:
                sys.stderr.write(f"doubtable: {self._path}: {error.strerror}: the tape ends here, the game goes on\n")
                self._file = None

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()


def demonstration(args: argparse.Namespace, table: Table, why: str) -> int:
    """Without a display: a game in virtual time, its events, a picture of the last screen. ``why``: what is wrong."""
    from doubtable.screen.picture import PictureScreen  # noqa: PLC0415 - imports pygame

    path = args.picture or Path(PICTURE)
    fault = unwritable(path)
    if fault:
        raise UserError(f"{why}, and the picture cannot be written: {path}: {fault}: name a place with --picture")
    screen = PictureScreen(len(table.names))
    with recorder(args.record) as record:
        simulation = Simulation(table, args.seed, screen=screen, heard=_print_events, record=record)
        try:
            simulation.run(DEMO_CLAIMS)
            screen.save(path)
        finally:
            simulation.close()
    sys.stdout.write(f"{why}: a demonstration game of {simulation.claims} claims was played in virtual time\n")
    sys.stdout.write(f"the last screen: {path.resolve()}\n")
    return 0


def _print_events(events: list[Event], ns: int) -> None:
    for each in events:
        sys.stdout.write(tape.event_line(each) + "\n")


def games(name: str | None) -> int:
    """The list of games, or one game's rules in short with its options."""
    if name is None:
        for game in GAMES.values():
            least, most = game.players
            sys.stdout.write(f"{game.id:<12} {game.title:<28} {least}-{most} players\n")
        return 0
    try:
        game = game_type(name)
    except OptionError as error:
        raise UserError(str(error)) from error
    sys.stdout.write(f"{game.title} ({game.id}), {game.players[0]} to {game.players[1]} players\n\n{game.rules}\n\n")
    for option, known in game.options_known.items():
        values = (
            f"{known.values[0]} to {known.values[-1]}"
            if isinstance(known.values, range)
            else " | ".join(str(each).lower() if isinstance(each, bool) else str(each) for each in known.values)
        )
        default = str(known.default).lower() if isinstance(known.default, bool) else known.default
        sys.stdout.write(f"  {option:<14} {values:<28} default {default}: {known.line}\n")
    return 0
