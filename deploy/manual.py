"""doubtable(1), made from the command line's own --help: `python deploy/manual.py > doubtable.1`."""

import argparse
import re
import sys
from collections.abc import Iterator

from doubtable import __version__
from doubtable.cli import parser


def manual(top: argparse.ArgumentParser) -> Iterator[str]:
    """The lines of the page: its commands as sections, each with what --help says of it."""
    yield f'.TH DOUBTABLE 1 "" "doubtable {__version__}" "User Commands"'
    yield ".SH NAME"
    yield "doubtable \\- the card game I Doubt It on a real table"
    yield ".SH SYNOPSIS"
    yield ".B doubtable"
    yield ".I COMMAND"
    yield "[\\-\\-help] ..."
    yield ".SH DESCRIPTION"
    yield plain(top.description or "")
    yield ".SH COMMANDS"
    for name, command in commands(top):
        yield f".SS doubtable {plain(name)}"
        yield from verbatim(command.format_help())
    yield ".SH FILES"
    for path, what in (
        ("/etc/doubtable/table.toml", "the table's configuration"),
        ("/var/lib/doubtable", "decks, journal, settings changed at the table"),
        ("/usr/share/doc/doubtable", "how to install and to operate a table"),
    ):
        yield from (".TP", f".I {path}", what)


def commands(top: argparse.ArgumentParser, before: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command with its name, a command's own commands after it."""
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield f"{before}{name}", command
                yield from commands(command, f"{before}{name} ")


def plain(text: str) -> str:
    """Text that troff takes as it is."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", escaped, flags=re.M)


def verbatim(text: str) -> Iterator[str]:
    """A block that is shown as it stands."""
    yield ".nf"
    yield from plain(text.rstrip()).splitlines()
    yield ".fi"


if __name__ == "__main__":
    sys.stdout.write("\n".join(manual(parser())) + "\n")
