"""Writing as outlines: DejaVu Sans Bold, whose strokes are thick enough for a 0.4 mm nozzle from 5 mm capitals up.

The font comes with matplotlib, which also reads its outlines. An Outline is a list of closed polygons in mm.
"""

import math
from pathlib import Path

import matplotlib
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import FT2Font, LoadFlags
from matplotlib.textpath import TextPath

Outline = list[list[tuple[float, float]]]

FONT = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans-Bold.ttf"
CAPITAL = 0.729  # a capital's height in DejaVu, of the font size


def straight(text: str, capital: float) -> Outline:
    """``text`` in one line, centred on the origin; ``capital`` is the height of a capital letter."""
    pieces: Outline = []
    left = -_width(text, capital) / 2
    for letter in text:
        pieces += _moved(_glyph(letter, capital), left, -capital / 2)
        left += _width(letter, capital)
    return pieces


def on_arc(text: str, capital: float, radius: float, *, top: bool) -> Outline:
    """``text`` along a circle about the origin: across its top, or its bottom, upright for a reader below it."""
    pieces: Outline = []
    along = -_width(text, capital) / 2
    for letter in text:
        width = _width(letter, capital)
        turn = (along + width / 2) / radius
        angle = math.pi / 2 - turn if top else -math.pi / 2 + turn
        tilt = angle - math.pi / 2 if top else angle + math.pi / 2
        glyph = _moved(_glyph(letter, capital), -width / 2, -capital / 2)
        pieces += _moved(_turned(glyph, tilt), radius * math.cos(angle), radius * math.sin(angle))
        along += width
    return pieces


def _glyph(letter: str, capital: float) -> Outline:
    if letter == " ":
        return []
    path = TextPath((0, 0), letter, size=capital / CAPITAL, prop=FontProperties(fname=FONT))
    return [[(float(x), float(y)) for x, y in polygon[:-1]] for polygon in path.to_polygons()]


def _width(text: str, capital: float) -> float:
    font = FT2Font(str(FONT))
    font.set_size(100, 72)
    advances = (font.load_char(ord(letter), flags=LoadFlags.NO_HINTING).linearHoriAdvance / 65536 for letter in text)
    return sum(advances) / 100 * capital / CAPITAL


def _moved(outline: Outline, dx: float, dy: float) -> Outline:
    return [[(x + dx, y + dy) for x, y in polygon] for polygon in outline]


def _turned(outline: Outline, angle: float) -> Outline:
    cos, sin = math.cos(angle), math.sin(angle)
    return [[(x * cos - y * sin, x * sin + y * cos) for x, y in polygon] for polygon in outline]
