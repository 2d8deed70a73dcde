"""`doubtable deck enrol | check | list | rename | export | import | retire`: what they print, and their exit codes."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from doubtable import decks, enrolment, places
from doubtable.cards import RANKS, SUITS, Card, CardError, packs
from doubtable.config import Config, ConfigError, load
from doubtable.decks import Deck, DeckError
from doubtable.enrolment import Enrolment
from doubtable.inputs import Device, Input, Serial
from doubtable.readers import Reader
from doubtable.timing import S
from doubtable.user_error import BAD_INPUT, UserError

if TYPE_CHECKING:
    from doubtable.devices.serial_reader import ReaderPort

GOOD, FAILED = 0, 1
LONGEST_WAIT = 1 * S
MOST_NAMED = 13  # missing cards that are named one by one below the picture
HELP = "Enter a card (KS) to go to it, u to take back the last one, s to skip this one, q to end."


def run(args: argparse.Namespace) -> int:
    """The command that ``args.what`` names. Raises UserError."""
    try:
        return COMMANDS[args.what](args, _config(args.config))
    except ConfigError as error:
        sys.stderr.write(f"{error.told()}\n")
        return BAD_INPUT
    except DeckError as error:
        raise UserError(str(error)) from error


def _config(given: Path | None) -> Config:
    path = places.table_file(given, places.here())
    return load(path, environ=places.environment(path, os.environ))


# Enrolling ----------------------------------------------------------------------------------------------------------


class Enroller:
    """A person with a deck in hand. ``hear`` takes what comes from the reader, ``typed`` what comes from the keyboard.

    Every card is stored at once: whenever this ends, the next time goes on from there.
    """

    def __init__(
        self,
        state: Enrolment,
        reader: Reader,
        save: Callable[[Deck], None],
        out: Callable[[str], object],
    ) -> None:
        self.state = state
        self.ended = False
        self._reader = reader
        self._presence = reader.start()
        self._save = save
        self._out = out
        self._lost = False
        self._spares = state.wanted is None  # whoever begins with a whole deck wants spares

    @property
    def done(self) -> bool:
        """Whether there is nothing more to do."""
        return self.ended or (self.state.wanted is None and not self._spares)

    def ask(self) -> None:
        """Say which card is wanted."""
        wanted, deck = self.state.wanted, self.state.deck
        if wanted is None:
            self._out("every card has its tag: name a card (KS) for a spare, or q to end")
        else:
            spare = ", a spare" if deck.tags(wanted) else ""
            place = f"[{self.state.enrolled + 1}/{len(packs(deck.packs))}] " if not spare else ""
            self._out(f"{place}show {enrolment.spelled(wanted, deck.packs)}{spare}")

    def hear(self, given: Input) -> None:
        """Bytes of the reader, or that it came or went."""
        if isinstance(given, Serial):
            self._presence, sightings = self._reader.feed(self._presence, given.ns, given.data)
            for each in sightings:
                if each.present and not self.done:
                    self._shown(each.id)
        elif isinstance(given, Device):
            if given.up and self._lost:
                self._out("the reader is back")
            self._lost = not given.up

    def _shown(self, tag: str) -> None:
        if self.state.wanted is None:
            card = self.state.deck.cards.get(tag)
            self._out(f"{tag}: is " + (f"the {card}" if card else self.state.others.get(tag, "not in this deck")))
            return
        self.state, said = enrolment.show(self.state, tag)
        self._out(f"  {said.line}")
        if said.kind == "enrolled":
            self._save(self.state.deck)
        if said.kind not in ("once", "changed") and not self.done:
            self.ask()

    def typed(self, line: str) -> None:
        """A line of the keyboard, without its end."""
        word = line.strip()
        match word.lower():
            case "q":
                self.ended = True
                return
            case "u":
                self._undo()
            case "s":
                self.state = enrolment.skip(self.state)
            case "" | "?" | "h":
                self._out(HELP)
            case _:
                try:
                    self.state = enrolment.choose(self.state, word)
                except CardError as error:
                    self._out(f"{error}. {HELP}")
        if not self.done:
            self.ask()

    def _undo(self) -> None:
        self.state, card = enrolment.undo(self.state)
        if card is None:
            self._out("there is nothing to take back")
        else:
            self._out(f"taken back: the {card} has lost that tag")
            self._save(self.state.deck)


def enrol(args: argparse.Namespace, config: Config) -> int:
    """Lead through the cards of a deck until each has its tag, or the person ends it."""
    reader, path = _reader(config)
    deck = _begun(args, config.state)
    enroller = Enroller(
        enrolment.begin(deck, decks.shelf(config.state)), reader, lambda new: decks.save(config.state, new), _out
    )
    from doubtable.devices.serial_reader import ReaderPort  # noqa: PLC0415 - the other commands need no reader

    _out(f"{deck}; reader {config.reader.kind} at {path}. Every card is shown twice: show it, lift it, show it again.")
    _out(HELP)
    port = ReaderPort(reader, path, enroller.hear)
    try:
        _serve(enroller, port, config)
    finally:
        port.close()
        deck = enroller.state.deck
        more = f"; go on with: doubtable deck enrol {deck.name}" if deck.missing else ""
        _out(f"{deck}{more}")
    _warn_of_doubles(config.state, deck)
    return GOOD


def _reader(config: Config) -> tuple[Reader, str]:
    from doubtable.wiring import reader_named  # noqa: PLC0415 - the other commands need no devices

    reader = reader_named(config)
    if reader is None or config.reader.port is None:
        where = f"{config.path}: no reader is named in it" if config.path else "there is no table.toml here"
        raise UserError(f"{where}: name a file with a section [reader]: --config FILE")
    return reader, config.reader.port


def _begun(args: argparse.Namespace, state: Path) -> Deck:
    """The deck as far as it is enrolled; a new one when there is none of that name."""
    name = decks.check_name(args.name)
    found = decks.find(state, name)
    if found is None:
        return Deck(name, args.packs or 1)
    if found.retired:
        raise UserError(f"deck {name} is retired: take it back with: doubtable deck retire --undo {name}")
    if args.packs is not None and args.packs < found.packs:
        raise UserError(f"deck {name} has {found.packs} packs: enrol another name, or leave --packs out")
    return replace(found, packs=args.packs or found.packs)


def _serve(enroller: Enroller, port: "ReaderPort", config: Config) -> None:
    """Until the deck is done: bytes to the enroller, lines of the keyboard too, and what is wrong with the reader."""
    from doubtable.devices.waiting import readable  # noqa: PLC0415 - the other commands need no devices

    keyboard: int | None = sys.stdin.fileno() if sys.stdin is not None else None
    told = ""
    rest = b""
    enroller.ask()
    while not enroller.done:
        due = port.step()
        fault = "" if port.fault is None else str(port.fault)
        if fault != told:
            told = fault
            if fault:
                _out(f"{fault}{_holder(fault, config)}")
        if enroller.done:
            return
        wait = LONGEST_WAIT if due is None else max(0, min(due - _now(), LONGEST_WAIT))
        ears = [each for each in (keyboard, port.descriptor) if each is not None]
        if keyboard in readable(ears, wait / S) and keyboard is not None:
            data = os.read(keyboard, 4096)
            if not data:
                keyboard = None  # no keyboard (or its end): the reader alone goes on
                if enroller.state.wanted is None:
                    return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                enroller.typed(line.decode("utf-8", "replace"))


def _now() -> int:
    from doubtable.devices.ports import monotonic_clock  # noqa: PLC0415

    return monotonic_clock()


def _holder(fault: str, config: Config, environ: Mapping[str, str] = os.environ) -> str:
    """Who has the reader, when it is a running table."""
    from doubtable import desk  # noqa: PLC0415

    if "another program" not in fault or desk.find(config, environ) is None:
        return ""
    return " (the running table has it: stop that while you enrol, as a service: sudo systemctl stop doubtable)"


# The shelf ----------------------------------------------------------------------------------------------------------


def check(args: argparse.Namespace, config: Config) -> int:
    """Which cards are missing, as a picture; 1 when some are."""
    shelf = decks.shelf(config.state)
    asked = [_named(config.state, args.name)] if args.name else [deck for deck in shelf if not deck.retired]
    if not asked:
        raise UserError(f"{config.state / decks.FOLDER}: there is no deck in play: doubtable deck enrol NAME")
    for place, deck in enumerate(asked):
        _out(("" if place == 0 else "\n") + picture(deck))
    _warn_of_doubles(config.state, asked[0] if args.name else None)
    return FAILED if any(deck.missing for deck in asked) else GOOD


def picture(deck: Deck) -> str:
    """The deck as 4 x 13 places for each pack: a card that has a tag by its name, "--" for one that has none."""
    lines = [f"{deck}{' (retired)' if deck.retired else ''}"]
    missing = set(deck.missing)
    for pack in range(1, deck.packs + 1):
        lines += [f"pack {pack}"] if deck.packs > 1 else []
        for suit in SUITS:
            cards = [Card(rank, suit, pack) for rank in RANKS]
            lines.append("  " + " ".join(f"{'--' if card in missing else card!s}{_mark(deck, card)}" for card in cards))
    if len(missing) > MOST_NAMED:
        lines.append(f"missing: {len(missing)} cards, those with --")
    elif missing:
        lines.append(f"missing: {', '.join(_short(card, deck.packs) for card in deck.missing)}")
    if deck.spares:
        lines.append("+ has a spare tag")
    return "\n".join(line.rstrip() for line in lines)


def _mark(deck: Deck, card: Card) -> str:
    return "+" if len(deck.tags(card)) > 1 else " "


def _short(card: Card, of_packs: int) -> str:
    return f"{card} of pack {card.pack}" if of_packs > 1 else str(card)


def list_(args: argparse.Namespace, config: Config) -> int:
    """All decks, a line each."""
    shelf = decks.shelf(config.state)
    for deck in shelf:
        place = "retired" if deck.retired else "in play"
        _out(f"{place}  {deck}{f', {len(deck.missing)} missing' if deck.missing else ''}")
    if not shelf:
        _out(f"no deck in {config.state / decks.FOLDER}: doubtable deck enrol NAME")
    _warn_of_doubles(config.state, None)
    return GOOD


def rename(args: argparse.Namespace, config: Config) -> int:
    """Give a deck another name."""
    deck = _named(config.state, args.old)
    _free(config.state, args.new)
    decks.save(config.state, replace(deck, name=args.new))
    decks.remove(config.state, deck)
    _out(f"deck {args.old} is called {args.new} now")
    return GOOD


def retire(args: argparse.Namespace, config: Config) -> int:
    """Take a deck out of play, or back into it."""
    deck = _named(config.state, args.name)
    moved = replace(deck, retired=not args.undo)
    if deck.retired == moved.retired:
        _out(f"deck {args.name} is {'retired' if deck.retired else 'in play'} already")
        return GOOD
    if not moved.retired:
        _check_tags(config.state, moved)
    decks.save(config.state, moved)
    decks.remove(config.state, deck)
    _out(f"deck {args.name} is {'retired: its cards do not count any more' if moved.retired else 'in play again'}")
    _out(RESTART)
    return GOOD


def export(args: argparse.Namespace, config: Config) -> int:
    """Write a deck to a file, for another table."""
    deck = _named(config.state, args.name)
    if args.file is None:
        sys.stdout.write(decks.encode(deck).decode())
        return GOOD
    try:
        with args.file.open("xb") as file:
            file.write(decks.encode(deck))
    except FileExistsError:
        raise UserError(f"{args.file}: is there already: name another file, or move this one away") from None
    except OSError as error:
        raise UserError(f"{args.file}: {decks.reason(error)}: name a file that can be written") from error
    _out(f"{args.file}: {deck}")
    return GOOD


def import_(args: argparse.Namespace, config: Config) -> int:
    """Take a deck from a file."""
    todo = "name a file that doubtable deck export wrote"
    try:
        with args.file.open("rb") as file:
            data = file.read(decks.MOST_BYTES + 1)
    except OSError as error:
        raise UserError(f"{args.file}: {decks.reason(error)}: {todo}") from error
    deck = decks.decode(data, str(args.file), todo)
    deck = replace(deck, name=decks.check_name(args.name or deck.name))
    _free(config.state, deck.name)
    _check_tags(config.state, deck)
    decks.save(config.state, deck)
    _out(f"{deck}: imported")
    _warn_of_doubles(config.state, deck)
    _out(RESTART)
    return GOOD


RESTART = "a table that runs learns of it when it is started anew (as a service: sudo systemctl restart doubtable)"


def _named(state: Path, name: str) -> Deck:
    deck = decks.find(state, name)
    if deck is None:
        names = ", ".join(each.name for each in decks.shelf(state))
        others = f"decks are {names}" if names else "enrol one with doubtable deck enrol NAME"
        raise UserError(f"there is no deck {name} in {state / decks.FOLDER}: {others}")
    return deck


def _free(state: Path, name: str) -> None:
    if decks.find(state, decks.check_name(name)) is not None:
        raise UserError(f"there is a deck {name} already: choose another name, or rename that one")


def _check_tags(state: Path, deck: Deck) -> None:
    """No tag of ``deck`` is in another deck. Raises UserError, which names the first."""
    others = enrolment.begin(deck, decks.shelf(state)).others
    known = [(tag, card) for tag, card in deck.cards.items() if tag in others]
    if known:
        tag, card = known[0]
        more = f" ({len(known)} tags in all)" if len(known) > 1 else ""
        raise UserError(
            f"tag {tag}, the {card} of deck {deck.name}, is the {others[tag]}{more}: a tag is one card only"
        )


def _warn_of_doubles(state: Path, deck: Deck | None) -> None:
    for one, other in decks.doubles(decks.shelf(state)):
        if deck is None or deck.name in (one.name, other.name):
            _out(
                f"note: decks {one.name} and {other.name} are both in play and have the same cards: a card of one "
                "counts for the other's. Retire the one that stays in the drawer: doubtable deck retire NAME"
            )


def _out(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


COMMANDS: dict[str, Callable[[argparse.Namespace, Config], int]] = {
    "enrol": enrol,
    "check": check,
    "list": list_,
    "rename": rename,
    "export": export,
    "import": import_,
    "retire": retire,
}
