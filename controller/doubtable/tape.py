"""Tapes: what happened at a table, as text; read, written, replayed and checked.

A tape is JSON Lines: a header, then inputs in the order of their delivery and expectations between them. Numbers are
read without rounding. Whatever is wrong with a tape names its line.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from doubtable.buttons.gestures import Habits
from doubtable.cards import RANKS, Card
from doubtable.events import Event
from doubtable.games import GAMES, game_type
from doubtable.games.bare import Buttons, RaceOnly
from doubtable.games.base import Game, Start
from doubtable.games.options import OptionError
from doubtable.inputs import Input, InputError
from doubtable.readers import READERS
from doubtable.table import Table
from doubtable.tape_lines import BAD_LINE, MOST, input_of, ns_of, number_of, seat_of, stamp_of
from doubtable.timing import MS, TRIED, Timing, timing_from

HEADER_KEYS = (
    *("tape", "game", "seats", "dealer", "options", "timing", "about", "start", "cards", "claimant", "opens"),
    *("closes", "reader", "state", "habits"),
)
CHECKS = ("expect", "never", "count", "state", "mark")
BARE = ("buttons", "race", "reader")  # what a tape may name instead of a game
MOST_SEATS = 13
MOST_BYTES = 64 << 20  # a long evening is 10 MiB; a device that has no end is no tape


class TapeError(ValueError):
    """A tape that cannot be read: where (line number from 1) and why."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


class Row(NamedTuple):
    """One line: its number, and the input or the check on it."""

    number: int
    given: Input | None
    check: Mapping[str, Any]


class Tape(NamedTuple):
    """A header as written, and the rows after it."""

    header: Mapping[str, Any]
    rows: tuple[Row, ...]


def expectations(tape: Tape) -> int:
    """How many lines of ``tape`` say what is to come of it."""
    return sum(any(key in row.check for key in ("expect", "never", "count", "state")) for row in tape.rows)


class Failure(NamedTuple):
    """A check that did not hold: its line and why."""

    line: int
    why: str


def read(lines: Iterable[str]) -> Tape:
    """The tape in ``lines``. Raises TapeError."""
    numbered = [(number, text) for number, text in enumerate(lines, 1) if text.strip()]
    if not numbered:
        raise TapeError(1, "the tape is empty: its first line is a header")
    header = _object(*numbered[0])
    if header.get("tape") != 1 or header["tape"] is True:
        why = f"its tape is of version {header['tape']}" if "tape" in header else "no header of a tape"
        raise TapeError(numbered[0][0], f'{why}: a tape that can be read begins with {{"tape": 1, ...}}')
    unknown = sorted(set(header) - set(HEADER_KEYS))
    if unknown:
        raise TapeError(numbered[0][0], f"unknown key {unknown[0]!r} in the header: {', '.join(HEADER_KEYS)}")
    seats = len(_names(header, numbered[0][0]))
    return Tape(header, tuple(_rows(numbered[1:], seats)))


def _object(number: int, text: str) -> dict[str, Any]:
    try:
        found = json.loads(text, parse_float=number_of, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise TapeError(number, f"no JSON: {error.msg[0].lower()}{error.msg[1:]} (column {error.colno})") from error
    except RecursionError as error:
        raise TapeError(number, "no JSON of a tape: too deep") from error
    except ValueError as error:  # a constant that is none here, or more digits than Python turns into a number
        too_long = "Exceeds the limit" in str(error)
        raise TapeError(number, "a number is too large" if too_long else f"no JSON: {error}") from error
    if not isinstance(found, dict):
        raise TapeError(number, "no JSON object")
    if "\\ud" in text.lower():
        _whole_characters(number, found)
    return found


def _whole_characters(number: int, found: dict[str, Any]) -> None:
    """Raises TapeError for half a pair of UTF-16, which JSON can write and no text can hold."""
    try:
        json.dumps(found, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError as error:
        raise TapeError(number, "a text holds half a character (\\ud800 to \\udfff alone)") from error


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of a tape")


def _rows(numbered: list[tuple[int, str]], seats: int) -> Iterator[Row]:
    latest = 0
    for number, text in numbered:
        line = _object(number, text)
        if any(key in line for key in CHECKS):
            _check_form(number, line)
            yield Row(number, None, line)
            continue
        try:
            stamp = stamp_of(line)
            given = input_of(line, latest if stamp is None else stamp, seats)
        except BAD_LINE as error:
            raise TapeError(number, str(error)) from error
        latest = max(latest, given.ns + getattr(given, "gap", 0))
        if latest > MOST:
            raise TapeError(number, f"gap_ms is too large: the time after it is more than {MOST} ns (292 years)")
        yield Row(number, given, {})


def _check_form(number: int, line: Mapping[str, Any]) -> None:
    for key in ("expect", "never", "count", "state"):
        if key in line and not isinstance(line[key], dict):
            raise TapeError(number, f"{key} is an object of keys and values")
    if "count" in line and (isinstance(line.get("is"), bool) or not isinstance(line.get("is"), int)):
        raise TapeError(number, 'count needs "is": how many')


def _names(header: Mapping[str, Any], line: int) -> tuple[str | None, ...]:
    seats = header.get("seats", 1 if header.get("game") == "reader" else None)
    if isinstance(seats, int) and not isinstance(seats, bool):
        names: tuple[str | None, ...] = tuple(f"Seat {seat}" for seat in range(1, min(seats, 99) + 1))
    elif isinstance(seats, list) and all(name is None or isinstance(name, str) for name in seats):
        names = tuple(seats)
    else:
        raise TapeError(line, "seats is a number, or a list of names with null for nobody")
    if not 1 <= len(names) <= MOST_SEATS:
        raise TapeError(line, f"a table has 1 to {MOST_SEATS} seats, not {len(names)}")
    return names


def table_of(tape: Tape) -> Table:
    """The table on which ``tape`` is played. Raises TapeError for a header that no table can have."""
    header = tape.header
    try:
        return _table(header)
    except (OptionError, InputError, *BAD_LINE) as error:
        raise TapeError(1, str(error)) from error


def _table(header: Mapping[str, Any]) -> Table:
    names = _names(header, 1)
    seats = tuple(seat for seat, name in enumerate(names, 1) if name is not None)
    timing = timing_from(_mapping(header, "timing"), TRIED).for_seats(len(names))
    options = _mapping(header, "options")
    kind = header.get("game")
    written = {str(tag): _card(value) for tag, value in _mapping(header, "cards").items()}
    cards = written | {tag.upper(): card for tag, card in written.items()}  # as readers say them, and as tapes may
    reader = header.get("reader", "rdm6300")
    if not isinstance(reader, str) or reader not in READERS:
        raise InputError(f"reader {reader!r} does not exist: {', '.join(READERS)}")
    if "state" in header:
        return _going_on(header, names, timing, cards=cards, reader=reader, habits=_habits(header, len(names)))
    dealer = seat_of(header["dealer"], len(names)) if "dealer" in header else (seats[-1] if seats else 1)
    game: Game
    if kind in ("buttons", "reader"):
        game = Buttons(tuple(range(1, len(names) + 1)), len(names), options, timing)
    elif kind == "race":
        opens = ns_of(header.get("opens", 0), MS, "opens")
        closes = None if header.get("closes") is None else ns_of(header["closes"], MS, "closes")
        if closes is not None and closes <= opens:
            raise InputError(f"the window closes at {header['closes']} ms, which is not after it opens")
        claimant = seat_of(header.get("claimant", 1), len(names))
        game = RaceOnly(seats, len(names), options, timing, claimant=claimant, opens=opens, closes=closes)
    elif str(kind) not in GAMES:
        raise InputError(f"game {str(kind)!r} does not exist: {', '.join([*GAMES, *BARE])}")
    else:
        if dealer not in seats:
            raise InputError(f"dealer: seat {dealer} is empty")
        game = game_type(str(kind))(seats, len(names), options, timing)
    start = _start(header, len(names))
    return Table(game, names, dealer, start=start, cards=cards, reader=reader, habits=_habits(header, len(names)))


def _going_on(header: Mapping[str, Any], names: tuple[str | None, ...], timing: Timing, **facts: Any) -> Table:
    """The table of a tape that begins in the middle of an evening: ``state`` is what ``Table.dump`` gave."""
    table = Table.evening(names, timing, **facts)
    try:
        table.load(_mapping(header, "state"))
    except (msgspec.ValidationError, OptionError, LookupError, TypeError) as error:
        raise InputError(f"state: {error}") from error
    return table


def _habits(header: Mapping[str, Any], size: int) -> tuple[Habits, ...]:
    """Each seat's own hold and repeats; () where all have the table's."""
    try:
        habits = msgspec.convert(header.get("habits", ()), tuple[Habits, ...])
    except msgspec.ValidationError as error:
        raise InputError(f"habits: {error}") from error
    if len(habits) not in (0, size):
        raise InputError(f"habits: {len(habits)} for {size} seats")
    return habits


def _mapping(header: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = header.get(key) or {}
    if not isinstance(value, dict):
        raise InputError(f"{key} is an object of names and values")
    return value


def _card(value: object) -> Card:
    if isinstance(value, dict):
        return Card.parse(value.get("card"), value.get("pack", 1))
    return Card.parse(value)


def _start(header: Mapping[str, Any], size: int) -> Start | None:
    given = _mapping(header, "start")
    if not given:
        return None
    unknown = sorted(set(given) - set(Start.__struct_fields__))
    if unknown:
        raise InputError(f"start has no {unknown[0]!r}: {', '.join(Start.__struct_fields__)}")
    for key in ("due", "rank"):
        if key in given and (not isinstance(given[key], str) or given[key] not in RANKS or len(given[key]) != 1):
            raise InputError(f"start: {key} {given[key]!r} is no rank of {RANKS}")
    for key in ("turn", "owner"):
        if key in given:
            seat_of(given[key], size)
    try:
        start = msgspec.convert(dict(given), Start)
    except msgspec.ValidationError as error:
        raise InputError(f"start: {error}") from error
    if start.pile < 0 or (start.pile and start.hands is None):
        raise InputError(f"start: a pile of {start.pile} cards needs hands, which hold the others")
    return start


def replay(tape: Tape, table: Table) -> Iterator[Event]:
    """The events of ``tape`` on ``table``, one by one."""
    for row in tape.rows:
        if row.given is not None:
            yield from table.feed(row.given)


def check(tape: Tape, table: Table) -> list[Failure]:
    """Every expectation of ``tape`` that does not hold."""
    said: list[dict[str, Any]] = []
    failures: list[Failure] = []
    expected = marked = 0
    for row in tape.rows:
        if row.given is not None:
            said += [event.to_line() for event in table.feed(row.given)]
            continue
        line = row.check
        if "expect" in line:
            found = next((at for at in range(expected, len(said)) if _has(said[at], line["expect"])), None)
            if found is None:
                failures.append(Failure(row.number, f"expected {_text(line['expect'])}, {_since(said[expected:])}"))
            else:
                expected = found + 1
        if "never" in line and any(_has(each, line["never"]) for each in said[marked:]):
            failures.append(Failure(row.number, f"came though it never should: {_text(line['never'])}"))
        if "count" in line:
            number = sum(_has(each, line["count"]) for each in said[marked:])
            if number != line["is"]:
                failures.append(Failure(row.number, f"{number} instead of {line['is']}: {_text(line['count'])}"))
        if "state" in line:
            public = table.public()
            wrong = {key: public.get(key) for key, value in line["state"].items() if public.get(key) != value}
            if wrong:
                failures.append(Failure(row.number, f"state is {_text(wrong)}, not {_text(line['state'])}"))
        if line.get("mark"):
            marked = len(said)
    return failures


def _has(event: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(key in event and event[key] == value for key, value in wanted.items())


def _text(value: object) -> str:
    return json.dumps(value, default=str)


def _since(said: list[dict[str, Any]]) -> str:
    names = [each["event"] for each in said if each["event"] not in ("press", "release")]
    return f"came: {', '.join(names[-12:]) or 'nothing'}"


def load(path: Path) -> Tape:
    """The tape in the file ``path``. Raises TapeError, or OSError when it cannot be opened."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise TapeError(1, f"no tape: longer than {MOST_BYTES >> 20} MiB")
        return read(data.decode("utf-8-sig").split("\n"))  # a name may hold other ends of lines
    except UnicodeDecodeError as error:
        raise TapeError(1, f"no text in UTF-8: {error.reason} at byte {error.start}") from error


def header_line(header: Mapping[str, Any]) -> str:
    """The first line of a tape."""
    return json.dumps({"tape": 1, **header}, default=_plain)


def input_line(given: Input) -> str:
    """An input as one line of a tape."""
    return json.dumps({"ns": given.ns, **given.to_line()}, default=_plain)


def event_line(event: Event) -> str:
    """An event as ``doubtable replay`` prints it."""
    return json.dumps(event.to_line(), separators=(",", ":"))


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    raise TypeError(f"{value!r} stands on no tape")
