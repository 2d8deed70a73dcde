"""`doubtable export`, `verify`, `forget`, `stats`, and `race` without a tape: the journal on the command line.

They work while the table plays: whoever looks gets a copy of the journal as it is at that moment.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection
from typing import TextIO

from doubtable import places
from doubtable.config import ConfigError, load
from doubtable.journal import JournalError, chain, exporting, forgetting, reading, verifying
from doubtable.journal.snapshot import snapshot
from doubtable.simulation import header_of
from doubtable.stats import collect
from doubtable.stats_plot import PlotError, plot
from doubtable.stats_report import as_csv, as_text
from doubtable.timing import S
from doubtable.user_error import UserError

FAILED = 1
LAST_CODES = 10  # of how many games verify prints the codes; of an older one with --game


def path_of(args: argparse.Namespace) -> Path:
    """The journal that is meant: ``--journal``, or that of the table's configuration."""
    if args.journal is not None:
        return Path(args.journal)
    try:
        path = places.table_file(args.config, places.here())
        return load(path, environ=places.environment(path, os.environ)).journal
    except ConfigError as error:
        raise UserError(str(error)) from error


@contextmanager
def _opened(args: argparse.Namespace) -> Iterator[Connection]:
    try:
        with snapshot(path_of(args)) as database:
            yield database
    except JournalError as error:
        raise UserError(str(error)) from error
    except chain.Broken as error:
        raise UserError(f"{path_of(args)}: {error}; doubtable verify says what is whole") from error


def _game(database: Connection, wanted: int | None) -> int:
    """The game that is meant: the one named, or the last."""
    number = reading.last_game(database) if wanted is None else wanted
    if number is None:
        raise UserError("no game has been recorded yet")
    return number


def export(args: argparse.Namespace) -> int:
    """Write a recorded game as a tape."""
    with _opened(args) as database:
        number = _game(database, args.game)
        try:
            lines = list(exporting.lines(database, number, header_of, anonymous=args.anonymous))
        except LookupError as error:
            raise UserError(str(error)) from error
    with _writing(args.out) as out:
        out.writelines(line + "\n" for line in lines)
    if args.out is not None:
        sys.stderr.write(f"doubtable: game {number}: {len(lines) - 1} inputs to {args.out}\n")
    return 0


@contextmanager
def _writing(path: Path | None) -> Iterator[TextIO]:
    if path is None:
        yield sys.stdout
        return
    try:
        with path.open("w", encoding="utf-8") as file:
            yield file
    except OSError as error:
        raise UserError(f"--out {path}: {error.strerror}: name a file that can be written") from error


def verify(args: argparse.Namespace) -> int:
    """Check the whole journal, or one game by playing it again; 1 when something does not fit."""
    again = ""
    with _opened(args) as database:
        try:
            found = verifying.verify(database)
            if args.game is not None:
                rows = verifying.verify_game(database, args.game)
                again = f"game {args.game} was played again from its {rows} rows: the same events, byte for byte\n"
        except verifying.Wrong as wrong:
            sys.stdout.write(f"NOT WHOLE: {path_of(args)}: {wrong}\n")
            return FAILED
        except verifying.NotOver as on:
            again = f"{on}; its rows so far are whole\n"
        except LookupError as error:
            raise UserError(str(error)) from error
    if found.last < found.first:
        sys.stdout.write("the journal is empty\n")
        return 0
    older = "" if found.first == 1 else f" (what is older was thinned out; row {found.first - 1} is the anchor)"
    sys.stdout.write(f"rows {found.first} to {found.last} are whole{older}\n")
    for game, head in found.games:
        if game == args.game or (game, head) in found.games[-LAST_CODES:]:
            sys.stdout.write(f"game {game}: code {chain.code(head)}\n")
    sys.stdout.write(again + verifying.PROVES + "\n")
    return 0


def forget(args: argparse.Namespace) -> int:
    """Take a name out of the journal; 1 when it is not there."""
    try:
        gone = forgetting.forget(path_of(args), args.name)
    except JournalError as error:
        raise UserError(str(error)) from error
    if not gone:
        sys.stderr.write(f"doubtable: {args.name!r} is no name in the journal\n")
        return FAILED
    sys.stdout.write(
        f"{args.name!r} is gone from the journal; the games stay, without the name. If it stands in table.toml, take it"
        " out there too, or the next start writes it anew\n"
    )
    return 0


def stats(args: argparse.Namespace) -> int:
    """Print the statistics, as text or CSV, or draw them."""
    with _opened(args) as database:
        found = collect(database)
    if args.plot is not None:
        try:
            plot(found, args.plot)
        except PlotError as error:
            raise UserError(str(error)) from error
        sys.stderr.write(f"doubtable: drawn: {args.plot}\n")
    if args.csv or args.plot is None:
        sys.stdout.write(as_csv(found) if args.csv else as_text(found))
    return 0


def races(args: argparse.Namespace) -> int:
    """Print the races of the recorded games with their margins, the last one last."""
    with _opened(args) as database:
        if args.game is not None and not 1 <= args.game <= (reading.last_game(database) or 0):
            raise UserError(f"game {args.game} is not in the journal")
        found = reading.races(database, args.last, args.game)
    texts = []
    for each in found:
        when = _when(each.wall, is_set=each.is_set)
        texts.append(f"game {each.game}, {when}\n{each.record}")
    sys.stdout.write("\n\n".join(texts) + "\n" if texts else "no race has been recorded\n")
    return 0


def _when(wall: int | None, *, is_set: bool) -> str:
    if wall is None:
        return "at an unknown time"
    text = datetime.fromtimestamp(wall // S).isoformat(" ", "seconds")
    return text if is_set else f"{text} (clock not set)"
