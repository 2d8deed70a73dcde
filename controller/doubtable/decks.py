"""Decks: which tag is which card. One JSON file per deck in the folder ``decks`` of the state directory.

    {"name": "red", "packs": 1, "cards": {"0500207B32": {"card": "KS", "pack": 1}}}

The file's name is the deck's. All decks in the folder are in play; those in ``decks/retired`` are not, but their tags
are still known by name. A card may have several tags (a worn one is replaced, spares lie in a drawer), a tag is one
card only. Tags stand in the order of their enrolment.

A power cut leaves either the old file or the new one. A file that is damaged all the same is read from the copy before
the last change, with a warning.
"""

import errno
import logging
import re
from contextlib import suppress
from pathlib import Path

import msgspec

from doubtable import whole_file
from doubtable.cards import Card, CardError, packs

log = logging.getLogger(__name__)

FOLDER = "decks"
RETIRED = "retired"
BEFORE = ".before"  # the file before its last change
DAMAGED = ".damaged"
AWAY = "move this file away, then enrol that deck anew or import a copy of it"
MOST_BYTES = 1_000_000  # a deck of two packs with spares has 10,000
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
FULL = (errno.ENOSPC, errno.EDQUOT)
VALUE_AT = re.compile(r" - at `\$\.(.*)`$")  # as msgspec says it
LACKING = re.compile(r"missing required field `(\w+)`")
TAG = re.compile(r"(?:[0-9A-F]{2}){4,10}")  # 4, 5, 7 or 10 bytes


class DeckError(ValueError):
    """A deck that cannot be used: one line with its file, what is wrong and what to do."""


class ForbiddenError(DeckError):
    """The decks belong to somebody else, such as the service's user: nothing is wrong with them."""


class Deck(msgspec.Struct, frozen=True):
    """A deck of one or two packs; ``cards`` by tag (upper-case hex), in the order of enrolment."""

    name: str
    packs: int = 1
    cards: dict[str, Card] = {}
    retired: bool = False

    @property
    def missing(self) -> tuple[Card, ...]:
        """The cards that no tag stands for, in order of pack, suit and rank."""
        there = set(self.cards.values())
        return tuple(card for card in packs(self.packs) if card not in there)

    @property
    def spares(self) -> int:
        """How many tags there are beyond one for each card."""
        return len(self.cards) - len(set(self.cards.values()))

    def tags(self, card: Card) -> tuple[str, ...]:
        """The tags that stand for ``card``."""
        return tuple(tag for tag, other in self.cards.items() if other == card)

    def __str__(self) -> str:
        whole = len(packs(self.packs))
        spares = f", {self.spares} spare{'s' * (self.spares != 1)}" if self.spares else ""
        return f"{self.name}: {whole - len(self.missing)} of {whole} cards{spares}"


class _Written(msgspec.Struct, frozen=True, omit_defaults=False):
    card: str
    pack: int = 1


class _File(msgspec.Struct, frozen=True):
    name: str
    cards: dict[str, _Written]
    packs: int = 0  # 0: as many as the cards say


def load(state: Path) -> dict[str, Card]:
    """Tag -> card of all decks in play below the state directory; none when there is no deck. Raises DeckError."""
    cards: dict[str, Card] = {}
    for path in _files(state / FOLDER):
        for tag, card in _deck(path).cards.items():
            if cards.setdefault(tag, card) != card:
                raise DeckError(
                    f"{path}: tag {tag} is {card} here and {cards[tag]} in another deck: retire one of them"
                )
    return cards


def shelf(state: Path) -> tuple[Deck, ...]:
    """All decks, those in play first, by name. Raises DeckError."""
    in_play = [_deck(path) for path in _files(state / FOLDER)]
    return (*in_play, *(msgspec.structs.replace(_deck(path), retired=True) for path in _files(_retired(state))))


def strangers(state: Path) -> dict[str, str]:
    """Tag -> its deck's name, for the tags of retired decks: they never count, but can be named. Raises DeckError."""
    in_play = load(state)
    return {tag: deck.name for deck in shelf(state) if deck.retired for tag in deck.cards if tag not in in_play}


def doubles(decks: tuple[Deck, ...]) -> tuple[tuple[Deck, Deck], ...]:
    """Pairs of decks in play that have the same cards of the same pack: a card of one counts for the other's."""
    in_play = [deck for deck in decks if not deck.retired]
    return tuple(
        (one, other)
        for place, one in enumerate(in_play)
        for other in in_play[place + 1 :]
        if set(one.cards.values()) & set(other.cards.values())
    )


def find(state: Path, name: str) -> Deck | None:
    """The deck of that name, in play or retired; None when there is none. Raises DeckError."""
    return next((deck for deck in shelf(state) if deck.name == name), None)


def check_name(name: str) -> str:
    """``name``, if a deck may be called so. Raises DeckError."""
    if not NAME.fullmatch(name):
        raise DeckError(f'"{name}" is no name of a deck: up to 32 letters, digits, - and _, for example red')
    return name


def save(state: Path, deck: Deck) -> None:
    """Write the deck; after a power cut either the old or the new one is there. Raises DeckError."""
    path = _path(state, deck)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _keep_before(path)
        whole_file.replace(path, encode(deck))
    except OSError as error:
        todo = "make room on the disk" if error.errno in FULL else "look at the folder's owner"
        raise DeckError(f"{path}: {reason(error)}: the deck is not stored: {todo}") from error


def remove(state: Path, deck: Deck) -> None:
    """Take the deck's files away: it was saved under another name or in another place. Raises DeckError."""
    path = _path(state, deck)
    try:
        path.unlink(missing_ok=True)
        path.with_name(path.name + BEFORE).unlink(missing_ok=True)
    except OSError as error:
        raise DeckError(f"{path}: {reason(error)}: look at the folder's owner") from error


def encode(deck: Deck) -> bytes:
    """The deck as its file has it."""
    cards = {tag: _Written(str(card), card.pack) for tag, card in deck.cards.items()}
    return msgspec.json.format(msgspec.json.encode(_File(deck.name, cards, deck.packs)), indent=1) + b"\n"


def decode(data: bytes, place: str, way_out: str = AWAY) -> Deck:
    """The deck in a file's bytes. Raises DeckError, which begins with ``place`` and ends with ``way_out``."""
    try:
        found = msgspec.json.decode(data, type=_File)
        cards = {_tag(tag): Card.parse(written.card, written.pack) for tag, written in found.cards.items()}
    except (msgspec.DecodeError, CardError, DeckError, UnicodeDecodeError, RecursionError) as error:
        raise DeckError(f"{place}: is no deck: {_wrong(data, error)}: {way_out}") from error
    highest = max((card.pack for card in cards.values()), default=1)
    return Deck(found.name, min(2, max(found.packs, highest)), cards)


def _wrong(data: bytes, error: Exception) -> str:
    """What is wrong with a deck's file, in few words."""
    if not data:
        return "it has 0 bytes"
    if len(data) > MOST_BYTES:
        return "it is larger than a megabyte"
    if isinstance(error, CardError | DeckError):
        return str(error)
    if isinstance(error, msgspec.ValidationError):
        place, lacks = VALUE_AT.search(str(error)), LACKING.search(str(error))
        at = f" at {place[1]}" if place else ""
        return f'"{lacks[1]}" is missing{at}' if lacks else f"a value of another kind{at or ' stands in it'}"
    if "UTF-8" in str(error):
        return "it is no text in UTF-8"
    return "it is cut off" if "truncated" in str(error) else "it is no JSON"


def reason(error: OSError) -> str:
    """The system's word for an error."""
    return (error.strerror or str(error)).lower()


def _tag(text: str) -> str:
    tag = text.upper()
    if not TAG.fullmatch(tag) or not int(tag, 16):
        raise DeckError(f'"{text[:40]}" is no tag')
    return tag


def _path(state: Path, deck: Deck) -> Path:
    return (_retired(state) if deck.retired else state / FOLDER) / f"{deck.name}.json"


def _retired(state: Path) -> Path:
    return state / FOLDER / RETIRED


def _files(folder: Path) -> list[Path]:
    """The decks' files in a folder, which may be missing. DeckError when it may not be looked into."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".json")
    except (FileNotFoundError, NotADirectoryError):
        return []
    except PermissionError as error:
        raise ForbiddenError(f"{folder}: {reason(error)}: do this as the table's user or as root (sudo)") from error
    except OSError as error:
        raise DeckError(f"{folder}: {reason(error)}: look at its owner and mode") from error


def _deck(path: Path) -> Deck:
    """The deck in a file, or the one before its last change if it is damaged."""
    try:
        return _read(path)
    except DeckError as error:
        before = path.with_name(path.name + BEFORE)
        if not before.exists():
            raise
        deck = _read(before)
        log.warning("%s; meanwhile it is used as it was before its last change", error)
        return msgspec.structs.replace(deck, name=path.stem)


def _read(path: Path) -> Deck:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise DeckError(f"{path}: {reason(error)}: look at its owner and mode") from error
    return msgspec.structs.replace(decode(data, str(path)), name=path.stem)


def _keep_before(path: Path) -> None:
    """What stands in the file now becomes the copy before the change; what is damaged is laid aside."""
    if not path.exists():
        return
    try:
        _read(path)
    except DeckError:
        with suppress(FileNotFoundError):
            path.replace(path.with_name(path.name + DAMAGED))
    else:
        whole_file.replace(path.with_name(path.name + BEFORE), path.read_bytes())
