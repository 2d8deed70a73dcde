"""The shape of table.toml: every key, its default, its range and what it is for.

This is the one list of keys. The check, `config new`, `config show` and docs/configuration.md are made from it. What
one key alone cannot tell (a line used twice) stands in rules.py. Importing this file imports pydantic, so the rest of
the package does it only when a file is read.
"""

import re
from collections.abc import Sequence
from datetime import time
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from doubtable.config.pins import PI_CHIPS
from doubtable.config.problem import choice
from doubtable.readers import KINDS
from doubtable.timing import WRITTEN as TIMES

# What each time of [timing] is for, and its default where that is not a fixed one. Limits: doubtable.timing.
TIME_TEXTS: dict[str, tuple[str, str]] = {
    "confirm_ms": ("a contact that rests this long has stopped bouncing", ""),
    "hold_ms": ("how long a button is held until the HOLD fires", ""),
    "tie_ms": ("presses this close together are a tie", "5 up to 8 seats, 10 from 9"),
    "straggler_ms": ("how long a late report of an earlier press is waited for", ""),
    "chatter_ms": ("how long a button that does not come to rest is waited for", ""),
    "doubt_ms": ("how long nobody can take the next turn after a claim", "by speed: 3000, 4000, 6000"),
    "last_call_ms": ("how long somebody's last cards may be doubted", ""),
    "last_call_min_ms": ("when the next seat may let them go", ""),
    "lockout_ms": ("how long a seat that pressed too early cannot doubt", ""),
    "any_more_ms": ("how long a further card of the packet may follow the last right one", ""),
    "missing_ms": ("when the screen says how many cards are missing", ""),
    "banned_ms": ("how long after a claim a seat that hammered cannot doubt", ""),
    "bump_ms": ("presses of many seats this close together are a knock against the table", ""),
    "bump_seats": ("how many seats make a knock", "half of the seats taken, at least 4"),
    "stuck_s": ("a button down for so long is stuck", ""),
}

READER_KINDS = (*KINDS, "none", "simulated")
HOLD_LEAST, HOLD_MOST = TIMES["hold_ms"][2:]

Preset = Literal["book", "pub", "family"]
Speed = Literal["quick", "normal", "calm"]
ButtonSource = Literal["gpio", "gpiozero", "panel", "simulated"]


def wrong(what: str, hint: str) -> PydanticCustomError:
    """A fault in our own words; the texts travel in the error's context."""
    return PydanticCustomError("doubtable", "{what}", {"what": what, "hint": hint})


def clock_time(value: object) -> time:
    """ "23:30" as a time of day."""
    found = re.fullmatch(r"([01]\d|2[0-3]):([0-5]\d)", value) if isinstance(value, str) else None
    if found is None:
        raise wrong("is no time of day", 'write hours and minutes in quotes, for example "23:30"')
    return time(int(found[1]), int(found[2]))


def clock_span(value: object) -> tuple[time, time]:
    """ "22:00-08:00" as begin and end; it may go over midnight."""
    begin, dash, end = value.partition("-") if isinstance(value, str) else ("", "", "")
    try:
        span = clock_time(begin.strip()), clock_time(end.strip())
    except PydanticCustomError:
        span = time(), time()
    if not dash or span[0] == span[1]:
        raise wrong("is no span of the day", 'write begin and end in quotes, for example "22:00-08:00"')
    return span


def pixels(value: object) -> tuple[int, int]:
    """ "1024x600" as width and height in pixels."""
    found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", value) if isinstance(value, str) else None
    if found is None:
        raise wrong("is no size", 'write width x height in quotes, for example "1024x600"')
    size = int(found[1]), int(found[2])
    if not (800 <= max(size) <= 7680 and 480 <= min(size) <= 4320):
        raise wrong("is out of range", 'the smallest screen is "800x480", the largest "7680x4320"')
    return size


def absolute(value: object) -> object:
    """A path from the root: what a service's working directory is must not matter."""
    if isinstance(value, str) and (not value.startswith("/") or "\0" in value):
        raise wrong("is no path from the root", "write the whole path, beginning with /")
    return value


def one_line(value: object) -> object:
    """A text that can be shown: no line breaks, no control characters, no blanks around it."""
    if isinstance(value, str) and (not value.isprintable() or value != value.strip()):
        raise wrong("has characters that cannot be shown", "leave out line breaks, tabs and blanks around the text")
    return value


def chip_label(value: object) -> object:
    """A chip's label, not its number."""
    if isinstance(value, str) and re.fullmatch(r"(/dev/)?(gpiochip)?\d*", value):
        raise wrong("is a number that moves, not a label", f"labels are {', '.join(PI_CHIPS)}; or write chip_path")
    return one_line(value)


def pin_code(value: object) -> object:
    """The attendant's PIN; the fault's text does not repeat it."""
    if not (isinstance(value, str) and re.fullmatch(r"[0-9]{4,8}", value)):
        raise wrong("is no PIN", 'write 4 to 8 digits in quotes, for example "2580"')
    return value


def reader_kind(value: object) -> object:
    """A kind of reader that readers/ knows, or none, or simulated."""
    if isinstance(value, str) and value not in READER_KINDS:
        raise wrong("is not possible", choice(value, READER_KINDS))
    return value


ClockTime = Annotated[time, BeforeValidator(clock_time)]
ClockSpan = Annotated[tuple[time, time], BeforeValidator(clock_span)]
Pixels = Annotated[tuple[int, int], BeforeValidator(pixels)]
AbsolutePath = Annotated[str, BeforeValidator(absolute)]
Text = Annotated[str, BeforeValidator(one_line)]
ChipLabel = Annotated[str, BeforeValidator(chip_label)]
ReaderKind = Annotated[str, BeforeValidator(reader_kind)]
Pin = Annotated[str, BeforeValidator(pin_code)]


def key(
    default: Any, about: str, *, example: str = "", at_table: bool = False, choices: Sequence[str] = (), **limits: Any
) -> Any:
    """One key: its default, what it is for, a value to show where there is no default, whether it can be changed at
    the table (then the change lives in the state directory), and the possible values where a list names them."""
    extra: JsonDict = {"example": example, "at_table": at_table, "choices": list(choices)}
    return Field(default, description=about, json_schema_extra=extra, **limits)


class Section(BaseModel):
    """A table of the file. Unknown keys are faults, and a text is never taken for a number."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Seat(Section):
    """One seat. `[seats.1]` is seat 1; seats are numbered clockwise seen from above."""

    name: Text | None = key(
        None,
        "name on the screen; without one the seat is shown by its number",
        example='"Ann"',
        at_table=True,
        min_length=1,
        max_length=16,
    )
    source: ButtonSource | None = key(
        None,
        "where this seat's button hangs, when it is not `buttons.source`: a table with a panel and GPIO",
        example='"panel"',
    )
    button: int | None = key(
        None, "line of the button: GPIO 2 to 27, or GP 0 to 12 of the panel; a plan fills it in", example="22"
    )
    lamp: int | None = key(
        None, "line of the lamp: GPIO 2 to 27, or output 0 to 15 of the panel; a plan fills it in", example="23"
    )
    hold_ms: int | None = key(
        None,
        "how long this seat holds, in ms, when it is not `timing.hold_ms`",
        example="1000",
        at_table=True,
        ge=HOLD_LEAST,
        le=HOLD_MOST,
    )
    ignore_repeats: bool = key(False, "a second tap within 400 ms does not count: for shaky hands", at_table=True)
    no_hold: bool = key(False, "two taps within 600 ms stand for a hold, on strips", at_table=True)


class Buttons(Section):
    """Where the buttons hang."""

    source: ButtonSource = key(
        "simulated",
        "`gpio`: the header's lines with the kernel's stamps; `panel`: the Pico panel; `gpiozero`: the fallback for "
        "old boards, which stamps late, so that ties are wide; `simulated`: keyboard and mouse",
    )
    chip: ChipLabel | None = key(
        None,
        "label of the GPIO chip; without it the chip of the board is looked for by its known labels",
        example='"pinctrl-rp1"',
        max_length=31,
    )
    chip_path: AbsolutePath | None = key(
        None,
        "the chip by its path, past all labels: only where no label fits, for the number moves",
        example='"/dev/gpiochip4"',
        max_length=255,
    )
    pull: Literal["up", "down", "none"] = key(
        "up",
        "`up`: button against ground, the usual; `down`: button against 3.3 V; `none`: a resistor of your own "
        "pulls up, button against ground",
    )


class Lamps(Section):
    """What drives the lamps on the header's lines; the panel drives those of its own seats."""

    factory: Literal["lgpio", "rpigpio", "native"] = key(
        "lgpio",
        "gpiozero's pin factory: `lgpio` for every Pi, `rpigpio` and `native` for old boards; "
        'buttons with `source = "gpiozero"` use the same one',
    )
    active_high: bool = key(True, "false: the driver stage inverts, a lamp is on when its line is low")


class Reader(Section):
    """The card reader."""

    kind: ReaderKind = key(
        "none",
        "`rdm6300`, `id12` (ID-12LA, ID-20LA), `pn532` (UART); `none`: verdicts by agreement; `simulated`",
        choices=READER_KINDS,
    )
    port: AbsolutePath | None = key(
        None,
        "serial port, by a path that stays: /dev/serial/by-id/... for USB, /dev/serial0 for GPIO14 and 15 "
        "(on a Pi 5 /dev/ttyAMA0)",
        example='"/dev/serial0"',
        max_length=255,
    )
    raw_checksum: bool = key(
        True, "an RDM6300 may be a clone that sends its checksum as one raw byte; false: such frames are noise"
    )


class Panel(Section):
    """The Pico button panel."""

    port: AbsolutePath | None = key(
        None,
        "USB port of the panel, by a path that stays",
        max_length=255,
        example='"/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_e6614c311b7e6f35-if00"',
    )


class Screen(Section):
    """The table's screen."""

    driver: Literal["auto", "kmsdrm", "wayland", "x11", "none"] = key(
        "auto", "SDL's video driver; `kmsdrm`: a Pi without a desktop; `none`: a table without a screen"
    )
    size: Pixels | None = key(None, "width x height in pixels; without it the whole display", example='"1024x600"')
    turn: Literal[0, 90, 180, 270] = key(0, "degrees, clockwise", at_table=True)
    language: Literal["en", "de", "es"] = key("en", "language of every text", at_table=True)
    house_word: Text | None = key(
        None,
        "what a doubt is called here; without it the language's neutral word",
        example='"Cheat!"',
        at_table=True,
        min_length=1,
        max_length=17,
    )


class Sound(Section):
    """Sounds."""

    volume: int = key(70, "per cent; 0 = mute", at_table=True, ge=0, le=100)
    quiet_hours: ClockSpan | None = key(None, "no sound in this time of day", example='"22:00-08:00"', at_table=True)
    device: Text | None = key(
        None,
        "name of the sound device; without it the system's own",
        example='"USB Audio Device, USB Audio"',
        min_length=1,
        max_length=200,
    )


class Journal(Section):
    """What is kept of the games."""

    path: AbsolutePath | None = key(
        None,
        "the journal's file; without it journal.db in the state directory",
        example='"/data/doubtable/journal.db"',
        max_length=1000,
    )
    keep_days: int = key(365, "games older than this are thinned, their totals stay; 0 = all are kept", ge=0, le=36_500)


class Attendant(Section):
    """The attendant's orders: undo, set counts, card by hand, skip, remove a seat, service menu."""

    pin: Pin | None = key(
        None, "4 to 8 digits in quotes; without a PIN the attendant's menu stays shut", example='"2580"', repr=False
    )


class Table(Section):
    """The whole file. The keys up here stand above the first [section]."""

    plan: str | None = key(
        None, "a pin plan of the package: it fills in source, seats, buttons and lamps", example='"8-gpio"'
    )
    game: Text | None = key(
        None,
        "the game that the lobby proposes; without it the table proposes one by the number of players",
        example='"classic"',
        at_table=True,
    )
    preset: Preset = key("book", "a bundle of house rules: `book`, `pub`, `family`", at_table=True)
    speed: Speed | None = key(
        None,
        "the doubt window: `quick` 3 s, `normal` 4 s, `calm` 6 s; without it the preset's",
        example='"normal"',
        at_table=True,
    )
    closing: ClockTime | None = key(
        None, "closing time: no new deal from 15 minutes before, then the bell", example='"23:30"', at_table=True
    )
    buses: list[Literal["i2c", "spi", "uart", "i2s"]] = key(
        [],
        "buses of the header that something else uses (a clock on i2c, a sound board on i2s): no seat may have "
        "their lines",
    )
    state: AbsolutePath | None = key(
        None,
        "state directory: settings changed at the table, decks, journal; without it $STATE_DIRECTORY or "
        "~/.local/state/doubtable",
        example='"/var/lib/doubtable"',
        max_length=1000,
    )
    buttons: Buttons = Buttons()
    lamps: Lamps = Lamps()
    reader: Reader = Reader()
    panel: Panel = Panel()
    screen: Screen = Screen()
    sound: Sound = Sound()
    timing: dict[str, Any] = key({}, "times of the table")
    options: dict[str, dict[str, Any]] = key({}, "house rules of each game", at_table=True)
    journal: Journal = Journal()
    attendant: Attendant = Attendant()
    seats: dict[str, Seat] = key({}, "the seats, 2 to 13")


def changeable(path: str) -> bool:
    """Whether the key ("sound.volume", "seats.3.name", "options.classic.scoring") can be changed at the table."""
    first, *rest = path.split(".")
    if first == "options":
        return len(rest) == 2
    section: type[BaseModel] = Table
    if first == "seats":
        section, first, rest = Seat, ".".join(rest[1:]), []
    elif rest:
        home = Table.model_fields.get(first)
        if home is None or not isinstance(home.default, Section):
            return False
        section, first = type(home.default), ".".join(rest)
    field = section.model_fields.get(first)
    extra = field.json_schema_extra if field else None
    return isinstance(extra, dict) and bool(extra["at_table"])
