"""Text: drawn once and kept, fitted to its box by wrapping and shrinking, never an empty box for a missing sign.

Sizes are heights of capitals in pixels. `Font.metrics()` reports signs that a font lacks as present, so a missing sign
is found by its picture: it looks like the font's replacement box (F34).
"""

from collections.abc import Iterator
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Literal
from unicodedata import normalize

import msgspec
import pygame

from doubtable.screen.palette import Colour
from doubtable.screen.shelf import BYTES, Shelf, one, pixels
from doubtable.screen.sizes import CAPITAL_SHARE

Face = Literal["bold", "book"]
FILES: dict[Face, str] = {"bold": "DejaVuSansCondensed-Bold.ttf", "book": "DejaVuSansCondensed.ttf"}
SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
STAND_INS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "…": "..", "–": "-", "×": "x", "’": "'"}  # noqa: RUF001
LEADING = 1.3  # from one baseline to the next, in capitals
SOFT = "\u00ad"  # where a word may break, with a hyphen, when it is too wide for a line
FONTS = 40  # kept open, with the signs they have drawn: some 200 kB each; a scene has at most a dozen sizes
SETTINGS = 400  # a scene has some thirty


class Setting(msgspec.Struct, frozen=True):
    """A text as it will be set: its lines, the height of a capital in pixels, and whether something had to be cut."""

    lines: tuple[str, ...]
    capital: int
    cut: bool = False


class Stock(msgspec.Struct, frozen=True):
    """What a lettering keeps: bytes of pictures of lines, fonts, settings."""

    lines: int
    fonts: int
    settings: int


def font_file(face: Face) -> str:
    """The path of the font in the package."""
    return str(files("doubtable.screen") / "fonts" / FILES[face])


def _font_files() -> dict[Face, str]:
    return {face: font_file(face) for face in FILES}


class Lettering:
    """Fonts by size and pictures of lines, kept up to a limit. For the main thread only.

    `pygame.font` must be initialised.
    """

    def __init__(self, paths: dict[Face, str] | None = None) -> None:
        # Bytes and no path: a font keeps its file open as long as it lives, one descriptor for every size.
        self._files = {face: Path(path).read_bytes() for face, path in (paths or _font_files()).items()}
        self._fonts: Shelf[pygame.font.Font] = Shelf(FONTS, one)
        self._lines: Shelf[pygame.Surface] = Shelf(BYTES, pixels)
        self._settings: Shelf[Setting] = Shelf(SETTINGS, one)
        self._ascents: dict[tuple[Face, int], int] = {}  # every line that is painted needs one, and no font for it
        self._missing: dict[tuple[Face, str], bool] = {}
        self._replacement: dict[Face, bytes] = {}

    @property
    def kept(self) -> Stock:
        """How full the shelves are."""
        return Stock(self._lines.weight, len(self._fonts), len(self._settings))

    def font(self, capital: int, face: Face = "bold") -> pygame.font.Font:
        """The font whose capitals are at least ``capital`` pixels high."""
        key = (face, capital)
        font = self._fonts.get(key)
        if font is None:
            # The rasteriser rounds a capital to whole pixels, so ask for a little more than the exact size.
            size = max(4, -int(-(capital - 0.25) // CAPITAL_SHARE))
            font = self._fonts.put(key, pygame.font.Font(BytesIO(self._files[face]), size))
        return font

    def has(self, sign: str, face: Face = "bold") -> bool:
        """Whether the font has a picture of its own for the sign."""
        key = (face, sign)
        if key not in self._missing:
            if face not in self._replacement:
                self._replacement[face] = self._shape("\ufffe", face)
            self._missing[key] = not sign.isspace() and self._shape(sign, face) == self._replacement[face]
        return not self._missing[key]

    def _shape(self, sign: str, face: Face) -> bytes:
        picture = self.font(20, face).render(sign, True, (255, 255, 255), (0, 0, 0))
        return bytes(str(picture.get_size()), "ascii") + pygame.image.tobytes(picture, "RGB")

    def plain(self, text: str, face: Face = "bold") -> str:
        """The text with stand-ins for signs that the font lacks: letters for suits, letters without accents, "?"."""
        if text.isascii():
            return text
        text = text.replace(SOFT, "")
        return "".join(sign if sign.isascii() or self.has(sign, face) else _stand_in(sign) for sign in text)

    def width(self, text: str, capital: int, face: Face = "bold") -> int:
        """The width of one line in pixels."""
        return self.font(capital, face).size(self.plain(text, face))[0]

    def line(self, text: str, capital: int, colour: Colour, face: Face = "bold") -> pygame.Surface:
        """The picture of one line. Its capitals stand `above` pixels below its top."""
        key = (text, capital, colour, face)
        picture = self._lines.get(key)
        if picture is None:
            picture = self._lines.put(key, self.font(capital, face).render(self.plain(text, face), True, colour))
        return picture

    def above(self, capital: int, face: Face = "bold") -> int:
        """From the top of a line's picture to the top of its capitals."""
        key = (face, capital)
        if key not in self._ascents:
            self._ascents[key] = self.font(capital, face).get_ascent()
        return self._ascents[key] - capital

    def setting(
        self, text: str, size: tuple[int, int], capitals: tuple[int, int], lines: int = 1, face: Face = "bold"
    ) -> Setting:
        """The largest setting of a text in a box of ``size`` pixels.

        ``capitals`` are the least and the greatest height. A newline in the text always breaks; up to ``lines`` lines
        are made at spaces, and within words that are marked for it (SOFT) where they are too wide at the least height;
        "=" becomes a colon where a line breaks after one. What does not fit at the least height is cut with an ellipsis
        and marked ``cut``.
        """
        key = (text, size, capitals, lines, face)
        made = self._settings.get(key)
        return self._settings.put(key, self._largest(*key)) if made is None else made

    def _largest(self, text: str, size: tuple[int, int], capitals: tuple[int, int], lines: int, face: Face) -> Setting:
        whole = text.replace(SOFT, "")
        for given in dict.fromkeys((whole, text)):
            best = self._best(given, size, capitals, lines, face)
            if best is not None:
                return Setting(_told(self._balanced(given, size, best, face)), best.capital)
        return self._cut(whole, size, capitals[0], lines, face)

    def _best(
        self, text: str, size: tuple[int, int], capitals: tuple[int, int], lines: int, face: Face
    ) -> Setting | None:
        low, high, best = capitals[0], min(capitals[1], size[1]), None
        while low <= high:
            middle = (low + high) // 2
            broken = self._broken(text, size, middle, lines, face)
            if broken is None:
                high = middle - 1
            else:
                best, low = Setting(broken, middle), middle + 1
        return best

    def _balanced(self, text: str, size: tuple[int, int], made: Setting, face: Face) -> tuple[str, ...]:
        """As many lines, as equal between two breaks as they can be: no last line of one short word."""
        lines: list[str] = []
        for part in text.split("\n"):
            best = self._broken(part, size, made.capital, len(made.lines), face) or (part,)
            low, high, count = size[0] // 4, size[0], len(best)
            while count > 1 and low < high:
                middle = (low + high) // 2
                broken = self._broken(part, (middle, size[1]), made.capital, count, face)
                if broken is None:
                    low = middle + 1
                else:
                    best, high = broken, middle
            lines += best
        return tuple(lines)

    def lines_at(self, text: str, width: int, capital: int) -> int:
        """How many lines a text needs in a width at that height of capitals; a word that is too wide and has no mark
        for a hyphen counts as one.
        """
        return sum(len(self._lines_of(part, width, capital)[0]) for part in text.split("\n"))

    def height(self, lines: int, capital: int) -> int:
        """Height of a block of lines: from the top of the first capitals to the last baseline."""
        return capital + round((lines - 1) * capital * LEADING)

    def _broken(self, text: str, size: tuple[int, int], capital: int, lines: int, face: Face) -> tuple[str, ...] | None:
        made: list[str] = []
        for part in text.split("\n"):
            broken, fit = self._lines_of(part, size[0], capital, face)
            if not fit:
                return None
            made += broken
        return tuple(made) if len(made) <= lines and self.height(len(made), capital) <= size[1] else None

    def _lines_of(self, part: str, width: int, capital: int, face: Face = "bold") -> tuple[list[str], bool]:
        """A text without a newline in lines of a width, and whether all of them fit."""
        made: list[str] = []
        current, fit = "", True
        for word in unbroken(part):
            longer = f"{current} {word}" if current else word
            if self.width(longer, capital, face) <= width:
                current = longer
                continue
            if current:
                made.append(current)
            *heads, current = self._hyphened(word, width, capital, face)
            made += heads
            fit = fit and all(self.width(each, capital, face) <= width for each in (*heads, current))
        return [line.replace(SOFT, "") for line in (*made, current)], fit

    def _hyphened(self, word: str, width: int, capital: int, face: Face) -> list[str]:
        """A word in pieces of a width, each but the last with a hyphen; whole where it fits or has no mark."""
        pieces, made, current = word.split(SOFT), [], ""
        for number, piece in enumerate(pieces):
            longer = current + piece
            tail = "" if number == len(pieces) - 1 or longer.endswith("-") else "-"
            if current and self.width(longer + tail, capital, face) > width:
                made.append(current if current.endswith("-") else f"{current}-")
                longer = piece
            current = longer
        return [*made, current]

    def _cut(self, text: str, size: tuple[int, int], capital: int, lines: int, face: Face) -> Setting:
        made: list[str] = []
        for part in text.split("\n"):
            current = ""
            for word in unbroken(part):
                longer = f"{current} {word}" if current else word
                if current and self.width(longer, capital, face) > size[0] and len(made) < lines - 1:
                    made.append(current)
                    longer = word
                current = longer
            made.append(current)
        rest = " ".join(made[lines - 1 :])
        kept = [*made[: lines - 1], rest]
        return Setting(tuple(self.cut_to(line, size[0], capital, face) for line in kept), capital, True)

    def cut_to(self, text: str, width: int, capital: int, face: Face = "bold") -> str:
        """The text, or its beginning with an ellipsis, in at most ``width`` pixels."""
        if self.width(text, capital, face) <= width:
            return text
        shown = text
        while shown and self.width(shown.rstrip() + "…", capital, face) > width:
            shown = shown[:-1]
        return shown.rstrip() + "…"


def unbroken(part: str) -> Iterator[str]:
    """The words between which a line may end: never just before "=", which would begin the next one."""
    kept = ""
    for word in part.split(" "):
        if word == "=" and kept:
            kept += " ="
            continue
        if kept:
            yield kept
        kept = word
    yield kept


def _told(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Where a line breaks after "=" all "=" become colons, and commas follow names: what is told stands below it."""
    if not any(line.endswith(" =") for line in lines):
        return lines
    return tuple(line.replace(": ", ", ").replace(" =", ":") if " =" in line else line for line in lines)


def _stand_in(sign: str) -> str:
    if sign in STAND_INS:
        return STAND_INS[sign]
    bare = normalize("NFD", sign)[0]
    return bare if bare.isascii() else "?"
