"""Statistics as a picture that any browser shows. SVG is text, so this takes no plotting library, let alone 170 MB of
one on an SD card.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from doubtable.stats import Stats, quantile
from doubtable.timing import MS

WIDE, HIGH, LEFT, TOP, BOTTOM, GAP = 900, 250, 60, 40, 50, 20  # of one chart, px
INK, PALE, BAR, BAD = "#222222", "#dddddd", "#5b7f95", "#b3402a"
STEPS = (1, 2, 5)


class PlotError(Exception):
    """Why there is no picture, and what to do about it: one line."""


class Bar(NamedTuple):
    """One bar: from ``low`` to ``high``, with a stroke at ``middle`` and whiskers to ``ends`` where there are such."""

    label: str
    note: str
    high: float
    low: float = 0.0
    middle: float | None = None
    ends: tuple[float, float] | None = None
    bad: bool = False


def plot(stats: Stats, path: Path) -> None:
    """Write reaction times by seat, noise by button and games by day to ``path``. Raises PlotError."""
    if path.suffix != ".svg":
        raise PlotError(f"--plot {path}: name a file that ends in .svg; any browser shows it")
    charts = (
        ("From the claim to the slap (ms): half of the slaps, the median, and 5 to 95 %", _reactions(stats)),
        ("Contacts that were no presses (%)", _noise(stats)),
        ("Games a day", [Bar(day.day[-5:], "", day.games) for day in stats.days]),
    )
    try:
        path.write_text(drawn(charts), encoding="utf-8")
    except OSError as error:
        raise PlotError(f"--plot {path}: {error.strerror}: name a file that can be written") from error


def _reactions(stats: Stats) -> list[Bar]:
    bars = []
    for seat, each in stats.seats.items():
        if each.reactions:
            p5, p25, p50, p75, p95 = (quantile(each.reactions, percent) / MS for percent in (5, 25, 50, 75, 95))
            bars.append(Bar(f"seat {seat}", f"{len(each.reactions)} slaps", p75, p25, p50, (p5, p95)))
    return bars


def _noise(stats: Stats) -> list[Bar]:
    bars = []
    for seat, each in stats.buttons.items():
        bad = seat in stats.dying
        share = 100 * each.noise / max(1, each.bursts)
        bars.append(Bar(f"seat {seat}", "look at it" if bad else "", share, bad=bad))
    return bars


# SVG ----------------------------------------------------------------------------------------------------------------


def drawn(charts: Sequence[tuple[str, Sequence[Bar]]]) -> str:
    """Charts one under the other, each a title and its bars, as the text of an SVG file."""
    high = len(charts) * (HIGH + GAP) + GAP
    size = {"width": str(WIDE), "height": str(high), "viewBox": f"0 0 {WIDE} {high}"}
    root = Element(
        "svg", {"xmlns": "http://www.w3.org/2000/svg", "font-family": "sans-serif", "font-size": "13", **size}
    )
    _box(root, (0, 0, WIDE, high), "white")
    for place, (title, bars) in enumerate(charts):
        _chart(root, GAP + place * (HIGH + GAP), title, bars)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _chart(root: Element, top: float, title: str, bars: Sequence[Bar]) -> None:
    _text(root, LEFT, top + 15, title, size=16, anchor="start")
    if not bars:
        _text(root, WIDE / 2, top + HIGH / 2, "nothing yet")
        return
    most = max(max(bar.high, *(bar.ends or (0, 0))) for bar in bars)
    step = tick(most)
    full = step * max(1, -(-most // step))
    base, room = top + HIGH - BOTTOM, HIGH - BOTTOM - TOP

    def y(value: float) -> float:
        return round(base - room * value / full, 1)

    for number in range(round(full / step) + 1):
        _line(root, (LEFT, y(number * step), WIDE - GAP, y(number * step)), PALE)
        _text(root, LEFT - 8, y(number * step) + 4, f"{number * step:g}", anchor="end")
    wide = (WIDE - GAP - LEFT) / len(bars)
    every = -(-len(bars) * 60 // (WIDE - GAP - LEFT))  # labels that do not run into each other
    for number, bar in enumerate(bars):
        x, half = LEFT + (number + 0.5) * wide, min(wide * 0.35, 30)
        _box(root, (x - half, y(bar.high), 2 * half, y(bar.low) - y(bar.high)), BAD if bar.bad else BAR)
        if bar.ends is not None:
            _line(root, (x, y(bar.ends[0]), x, y(bar.low)), INK)
            _line(root, (x, y(bar.high), x, y(bar.ends[1])), INK)
        if bar.middle is not None:
            _line(root, (x - half, y(bar.middle), x + half, y(bar.middle)), INK, width=3)
        if number % every == 0:
            _text(root, x, base + 18, bar.label)
            _text(root, x, base + 34, bar.note)


def tick(most: float) -> float:
    """A round step of which four to ten make ``most``."""
    if most <= 0:
        return 1.0
    power = 10.0 ** (len(str(int(most))) - 2) if most >= 1 else 0.1
    return next(step * power * scale for scale in (1, 10) for step in STEPS if most / (step * power * scale) <= 10)


def _text(root: Element, x: float, y: float, text: str, *, size: int = 13, anchor: str = "middle") -> None:
    if text:
        places = {"x": f"{x:.1f}", "y": f"{y:.1f}", "font-size": str(size), "text-anchor": anchor, "fill": INK}
        SubElement(root, "text", places).text = text


def _line(root: Element, ends: tuple[float, float, float, float], colour: str, *, width: int = 1) -> None:
    x1, y1, x2, y2 = (f"{each:.1f}" for each in ends)
    SubElement(root, "line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke": colour, "stroke-width": str(width)})


def _box(root: Element, box: tuple[float, float, float, float], colour: str) -> None:
    x, y, w, h = (f"{each:.1f}" for each in box)
    SubElement(root, "rect", {"x": x, "y": y, "width": w, "height": h, "fill": colour})
