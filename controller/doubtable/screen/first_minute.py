"""The first minute at a table as pictures: a real table in virtual time, pressed as guests press it.

`docs/first-minute.md` shows them; `make gallery ARGS=--first-minute` makes them anew.
"""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import pygame

from doubtable.cards import Card
from doubtable.inputs import CardShown, Edge, Time
from doubtable.screen.board import Board
from doubtable.screen.lettering import Lettering
from doubtable.screen.scenes import draw
from doubtable.screen.sizes import Panel
from doubtable.screen.stage import Stage
from doubtable.screen.words import Words
from doubtable.table import Table
from doubtable.timing import MS, Timing
from doubtable.view import View, look

FOLDER = Path("docs/pictures/first-minute")
NAMES = ("Ann", "Bob", "Cy", "Dee")
PANEL = Panel(800, 480, 7.0)
SMALL = (400, 240)
COARSE = 20  # channels are rounded to multiples of this: few colours, small files
TAP, HOLD, REST, SEEN = 120, 900, 300, 200  # ms


class Guests:
    """Four guests and their fingers at one table that has just been switched on."""

    def __init__(self) -> None:
        self.table = Table.evening(NAMES, Timing())
        self.ms = 0
        self.wait(1000)

    def wait(self, ms: int) -> None:
        """Time passes."""
        self.ms += ms
        self.table.feed(Time(self.ms * MS))

    def tap(self, seat: int, times: int = 1) -> None:
        """A button is pressed and let go."""
        for _ in range(times):
            self.press(seat, TAP)

    def hold(self, seat: int) -> None:
        """A button is held until it has done what it shows."""
        self.press(seat, HOLD)

    def press(self, seat: int, ms: int) -> None:
        """A button is down for ``ms``."""
        self.table.feed(Edge(self.ms * MS, seat, 1))
        self.wait(ms)
        self.table.feed(Edge(self.ms * MS, seat, 0))
        self.wait(REST)

    def show(self, *cards: str) -> None:
        """Cards are laid on the reader."""
        for card in cards:
            self.wait(700)
            self.table.feed(CardShown(self.ms * MS, Card.parse(card)))

    def view(self) -> View:
        """What the table shows now."""
        return look(self.table, self.ms * MS)


def frames() -> Iterator[tuple[str, View, int]]:
    """Name, view and time (ns) of each picture, in order."""
    guests = Guests()

    def now(name: str) -> tuple[str, View, int]:
        return name, guests.view(), guests.ms * MS

    yield now("01-sit-down")
    for seat in (1, 2, 3, 4):
        guests.tap(seat)
    yield now("02-start")
    guests.hold(1)
    yield now("03-choose")
    guests.hold(1)
    guests.wait(1500)
    yield now("04-countdown")
    guests.wait(4000)
    yield now("05-deal")
    for seat in (2, 3, 4):
        guests.tap(seat, 3)
        guests.hold(seat)
    guests.hold(1)
    yield now("06-lay")
    guests.tap(2, 2)
    yield now("07-count")
    guests.hold(2)
    yield now("08-doubt")
    guests.wait(4000)
    yield now("09-your-turn")
    guests.press(4, TAP)
    guests.wait(800)
    yield now("10-show")
    guests.show("AS")
    yield now("11-card")
    guests.show("7H")
    guests.wait(SEEN)
    yield now("12-verdict")


def picture(view: View, ns: int, lettering: Lettering, words: Words) -> pygame.Surface:
    """The picture of a view, half as large as on a screen of 7 inches."""
    board = Board(PANEL.size, lettering)
    board.show(draw(view, ns, Stage(PANEL, len(view.seats), words, lettering)))
    return pygame.transform.smoothscale(board.canvas.surface, SMALL)


def write(folder: Path = FOLDER) -> list[Path]:
    """Write all pictures into a folder; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    lettering, words, made = Lettering(), Words(), []
    for name, view, ns in frames():
        path = folder / f"{name}.png"
        path.write_bytes(png(picture(view, ns, lettering, words)))
        made.append(path)
    return made


def png(surface: pygame.Surface) -> bytes:
    """The surface as a PNG with a palette of coarse colours (SDL writes whole ones, ten times as large)."""
    wide, high = surface.get_size()
    whole = pygame.image.tobytes(surface, "RGB")
    nearest = bytes(min(255, (value + COARSE // 2) // COARSE * COARSE) for value in range(256))
    coarse = whole.translate(nearest)
    pixels = [coarse[at : at + 3] for at in range(0, len(coarse), 3)]
    numbers = {colour: number for number, colour in enumerate(sorted(set(pixels)))}
    if len(numbers) > 256:
        raise ValueError(f"{len(numbers)} colours are too many for a palette")
    rows = b"".join(
        b"\0" + bytes(numbers[colour] for colour in pixels[row * wide : (row + 1) * wide]) for row in range(high)
    )
    head = struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in (
            (b"IHDR", head),
            (b"PLTE", b"".join(numbers)),
            (b"IDAT", zlib.compress(rows, 9)),
            (b"IEND", b""),
        )
    )
