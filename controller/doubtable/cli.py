"""The command `doubtable`: every subcommand, its help, and its exit status.

Exit 0 for success, 1 for a check that failed, 2 for bad input. What a user can cause is one line on stderr that says
what was wrong and what to do. Imports are inside the commands, so that `doubtable --help` answers at once.
"""

import argparse
import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from doubtable import __version__
from doubtable.option_values import a_path, one_or_more, seconds, whole_number
from doubtable.user_error import BAD_INPUT, UserError

FAILED = 1
NOT_WRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # of a stream that cannot take our output
INTERRUPTED = 130  # what a shell says of a command that Ctrl-C has ended


class OneLineParser(argparse.ArgumentParser):
    """Argparse whose errors are one line, as all our errors are. ``prog`` in what it gives: the command as called."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.set_defaults(prog=self.prog)

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"doubtable: {message}; see {self.prog} --help\n")


def _play(args: argparse.Namespace) -> int:
    from doubtable import play_cli  # noqa: PLC0415 - see above

    return play_cli.play(args)


def _demo(args: argparse.Namespace) -> int:
    from doubtable import demo_cli  # noqa: PLC0415

    return demo_cli.demo(args)


def _replay(args: argparse.Namespace) -> int:
    from doubtable import tape_cli  # noqa: PLC0415

    return tape_cli.replay(args.files, check=args.check)


def _race(args: argparse.Namespace) -> int:
    from doubtable import journal_cli, tape_cli  # noqa: PLC0415

    if args.file is None:
        return journal_cli.races(args)
    for option in ("game", "config", "journal"):
        if getattr(args, option) is not None:
            raise UserError(f"--{option} is for the journal and does not go with a tape: leave out one of them")
    return tape_cli.races(args.file, last=args.last)


def _export(args: argparse.Namespace) -> int:
    from doubtable import journal_cli  # noqa: PLC0415

    return journal_cli.export(args)


def _verify(args: argparse.Namespace) -> int:
    from doubtable import journal_cli  # noqa: PLC0415

    return journal_cli.verify(args)


def _forget(args: argparse.Namespace) -> int:
    from doubtable import journal_cli  # noqa: PLC0415

    return journal_cli.forget(args)


def _stats(args: argparse.Namespace) -> int:
    from doubtable import journal_cli  # noqa: PLC0415

    return journal_cli.stats(args)


def _games(args: argparse.Namespace) -> int:
    from doubtable import play_cli  # noqa: PLC0415

    return play_cli.games(args.name)


def _config(args: argparse.Namespace) -> int:
    from doubtable import config_cli  # noqa: PLC0415

    if args.what == "new":
        return config_cli.new(args.plan, args.out)
    from doubtable.house_rules import check_options  # noqa: PLC0415

    if args.what == "show":
        return config_cli.show(args.file, check_options)
    return config_cli.check(args.file, check_options)


def _deck(args: argparse.Namespace) -> int:
    from doubtable import deck_cli  # noqa: PLC0415

    return deck_cli.run(args)


def _panel(args: argparse.Namespace) -> int:
    from doubtable import panel_cli  # noqa: PLC0415

    return panel_cli.flash(args.port) if args.what == "flash" else panel_cli.test(args.port, args.seconds)


def _doctor(args: argparse.Namespace) -> int:
    from doubtable import doctor_cli  # noqa: PLC0415

    return doctor_cli.run(args)


def _report(args: argparse.Namespace) -> int:
    from doubtable import report_cli  # noqa: PLC0415

    return report_cli.run(args)


def _command(
    commands: "argparse._SubParsersAction[OneLineParser]",
    name: str,
    run: Callable[[argparse.Namespace], int],
    summary: str,
    example: str,
) -> argparse.ArgumentParser:
    made = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.set_defaults(run=run)
    return made


def _what(
    whats: "argparse._SubParsersAction[Any]",
    name: str,
    summary: str,
    example: str,
    *parents: argparse.ArgumentParser,
) -> argparse.ArgumentParser:
    """A command's own command; ``example`` is what follows its name."""
    form = argparse.RawDescriptionHelpFormatter
    about = summary[0].upper() + summary[1:] + "."
    made: argparse.ArgumentParser = whats.add_parser(
        name, help=summary, description=about, formatter_class=form, parents=parents
    )
    made.epilog = f"example:\n  {made.prog} {example}".rstrip()
    return made


CONFIG_HELP = "table.toml of the table; default: the one in this folder, else /etc/doubtable/table.toml"


def _add_deck(commands: "argparse._SubParsersAction[OneLineParser]") -> None:
    deck = _command(
        commands, "deck", _deck, "teach the table its cards, and keep its decks", "doubtable deck enrol red --packs 2"
    )
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--config", type=a_path, metavar="FILE", help=CONFIG_HELP)
    whats = deck.add_subparsers(dest="what", metavar="WHAT", required=True)
    enrol = _what(whats, "enrol", "show every card to the reader; can be gone on with", "red --packs 2", common)
    enrol.add_argument("name")
    enrol.add_argument("--packs", type=whole_number, choices=(1, 2), help="packs of 52 cards in this deck; default: 1")
    check = _what(whats, "check", "which cards are missing, as a picture", "red", common)
    check.add_argument("name", nargs="?", help="default: every deck in play")
    _what(whats, "list", "all decks", "", common)
    rename = _what(whats, "rename", "give a deck another name", "red old-red", common)
    rename.add_argument("old")
    rename.add_argument("new")
    export = _what(whats, "export", "write a deck to a file, for another table", "red red.deck", common)
    export.add_argument("name")
    export.add_argument("file", type=a_path, nargs="?", help="default: standard output")
    taken = _what(whats, "import", "take a deck from a file", "red.deck --name red2", common)
    taken.add_argument("file", type=a_path)
    taken.add_argument("--name", help="default: the name in the file")
    retire = _what(whats, "retire", "take a deck out of play; its tags stay known", "red", common)
    retire.add_argument("name")
    retire.add_argument("--undo", action="store_true", help="back into play")


def _panel_parser(commands: "argparse._SubParsersAction[OneLineParser]") -> None:
    panel = _command(
        commands, "panel", _panel, "flash or test the Pico button panel", "doubtable panel test --seconds 20"
    )
    panel_whats = panel.add_subparsers(dest="what", metavar="WHAT", required=True)
    flash = _what(panel_whats, "flash", "put our firmware on a Pico with MicroPython", "/dev/ttyACM0")
    flash.add_argument("port", nargs="?", help="its serial port; without it the only board plugged in")
    test = _what(panel_whats, "test", "live lines, round trip, clock offset, drops", "--seconds 20")
    test.add_argument("port", nargs="?", help="its serial port; without it the only board plugged in")
    test.add_argument("--seconds", type=seconds, metavar="N", help="end by itself after N seconds")


def _journal_parsers(commands: "argparse._SubParsersAction[OneLineParser]") -> None:
    """What looks into the journal, also while the table plays."""
    race = _command(commands, "race", _race, "show who doubted first and by how much", "doubtable race evening.jsonl")
    race.add_argument("file", type=a_path, nargs="?", metavar="TAPE", help="a recorded tape; without it the journal")
    race.add_argument("--last", type=one_or_more, metavar="N", help="only the last N races")
    race.add_argument("--game", type=whole_number, metavar="N", help="only this game of the journal")
    export = _command(
        commands, "export", _export, "write a recorded game as a tape", "doubtable export --out game.jsonl"
    )
    export.add_argument("--game", type=whole_number, metavar="N", help="which game; without it the last")
    export.add_argument("--anonymous", action="store_true", help="without names")
    export.add_argument("--out", type=a_path, metavar="FILE", help="where to; without it to the screen")
    verify = _command(commands, "verify", _verify, "check that the journal is whole", "doubtable verify --game 3")
    verify.add_argument("--game", type=whole_number, metavar="N", help="play this game again too, and compare")
    forget = _command(commands, "forget", _forget, "take a name out of the journal", "doubtable forget Ann")
    forget.add_argument("name", metavar="NAME")
    stats = _command(
        commands, "stats", _stats, "games, doubts, reaction times, buttons that die", "doubtable stats --csv"
    )
    stats.add_argument("--csv", action="store_true", help="as a table for programs")
    stats.add_argument("--plot", type=a_path, metavar="FILE", help="draw it into an SVG file for the browser")
    for each in (race, export, verify, forget, stats):
        each.add_argument("--config", type=a_path, metavar="FILE", help=CONFIG_HELP)
        each.add_argument("--journal", type=a_path, metavar="FILE", help="the journal itself")


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = OneLineParser(
        prog="doubtable",
        description="I Doubt It on a real table: who doubted first, to a tenth of a millisecond.",
        epilog="example:\n  doubtable play --people 4",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"doubtable {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)

    play = _command(
        commands, "play", _play, "run the table; without hardware a simulated one", "doubtable play --people 4"
    )
    play.add_argument("--config", type=a_path, help="table.toml of a real table")
    play.add_argument(
        "--game", help="begin with this game (see doubtable games); default: classic, at a real table the lobby"
    )
    play.add_argument(
        "--people",
        type=whole_number,
        metavar="N",
        help="seats of the simulated table, you among them; default: 4, if the game allows",
    )
    play.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a house option of the game")
    play.add_argument(
        "--record",
        type=a_path,
        metavar="FILE",
        help="write everything that happens as a tape; a file that is there already is never written over",
    )
    play.add_argument("--seed", type=whole_number, default=1, help="of the simulated deal and people")
    play.add_argument(
        "--picture",
        type=a_path,
        metavar="PNG",
        help="where the last screen goes without a display; a picture that is there is written over",
    )

    demo = _command(
        commands,
        "demo",
        _demo,
        "let simulated people play, without a journal",
        "doubtable demo --games 3 --fast --seed 7",
    )
    demo.add_argument("--games", type=whole_number, default=1, metavar="N", help="how many games")
    demo.add_argument("--game", default="classic", help="which game, or all")
    demo.add_argument(
        "--people", type=whole_number, metavar="N", help="seats of the simulated table; default: 4, if the game allows"
    )
    demo.add_argument("--styles", metavar="A,B", help="of the people, seat by seat in turn; default: all there are")
    demo.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a house option of the game")
    demo.add_argument("--fast", action="store_true", help="in virtual time, as fast as it goes")
    demo.add_argument("--seed", type=whole_number, default=1, help="same seed, same evening")
    demo.add_argument(
        "--claims", type=whole_number, default=500, metavar="N", help="a game is cut off after so many claims"
    )

    replay = _command(
        commands, "replay", _replay, "feed tapes to the table", "doubtable replay --check tests/tapes/*.jsonl"
    )
    replay.add_argument("--check", action="store_true", help="compare with the tapes' own expectations")
    replay.add_argument("files", nargs="+", type=a_path, metavar="FILE")

    _journal_parsers(commands)

    games = _command(commands, "games", _games, "list the games, or one with its rules", "doubtable games classic")
    games.add_argument("name", nargs="?", help="one game")

    config = _command(
        commands, "config", _config, "check, show or make a table.toml", "doubtable config check table.toml"
    )
    whats = config.add_subparsers(dest="what", metavar="WHAT", required=True)
    check = _what(whats, "check", "report every problem at once", "table.toml")
    check.add_argument("file", type=a_path)
    show = _what(whats, "show", "all values and where they come from", "table.toml")
    show.add_argument("file", type=a_path, nargs="?")
    new = _what(whats, "new", "write a commented table.toml for a plan", "--plan 8-gpio table.toml")
    new.add_argument("--plan", help="of the lines; without it the plans are listed")
    new.add_argument("out", type=a_path, nargs="?", default=Path("table.toml"))

    _add_deck(commands)

    _panel_parser(commands)
    doctor = _command(
        commands, "doctor", _doctor, "find out what is wrong, and what to do", "doubtable doctor --only buttons"
    )
    doctor.add_argument("--config", type=a_path, metavar="FILE", help=CONFIG_HELP)
    doctor.add_argument("--json", action="store_true", help="for programs; nobody is asked to press or to look")
    doctor.add_argument("--only", action="append", default=[], metavar="WHAT", help="chip, supply, buttons, lamps, ...")
    doctor.add_argument("--speed", action="store_true", help="only how fast this machine is, in a few seconds")

    report = _command(
        commands,
        "report",
        _report,
        "pack what a helper needs to know, without names",
        "doubtable report --out report.tar.gz",
    )
    report.add_argument("--config", type=a_path, metavar="FILE", help=CONFIG_HELP)
    report.add_argument("--journal", type=a_path, metavar="FILE", help="the journal; default: the table's own")
    report.add_argument("--out", type=a_path, metavar="FILE", help="default: doubtable-report-TIME.tar.gz here")
    return top


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    if sys.platform == "win32":
        sys.stderr.write("doubtable: runs on Linux and macOS: on Windows use it under WSL\n")
        return BAD_INPUT
    if sys.stdout is None:  # closed by whoever called us (>&-): nobody listens
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the program ends
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        try:
            return _run(_parsed(arguments))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone: head, less
        _drop_output()
        sys.stderr.close()
        return 0
    except OSError as error:
        if error.errno not in NOT_WRITTEN or error.filename is not None:
            raise
        _drop_output()
        sys.stderr.write(f"doubtable: the output cannot be written: {error.strerror}\n")
        return FAILED


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    """The command line. What no command knows is said with the help of the very command that was called."""
    args, rest = parser().parse_known_args(arguments)
    if rest:
        sys.stderr.write(f"doubtable: unrecognized arguments: {' '.join(rest)}; see {args.prog} --help\n")
        sys.exit(BAD_INPUT)
    return args


def _run(args: argparse.Namespace) -> int:
    try:
        run: Callable[[argparse.Namespace], int] = args.run
        return run(args)
    except UserError as error:
        sys.stderr.writelines(f"doubtable: {line}\n" for line in str(error).splitlines())
        return BAD_INPUT
    except KeyboardInterrupt:  # the table's own loop catches Ctrl-C; this was one of the others
        return INTERRUPTED


def _drop_output() -> None:
    """What could not be written is still in the buffer: without this Python would try, and fail, again as it ends."""
    with suppress(OSError, ValueError):  # a stream that is no file
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)


if __name__ == "__main__":
    sys.exit(main())
