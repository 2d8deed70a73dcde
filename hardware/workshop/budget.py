"""The power budget as a picture: each rail's loads at their worst against what feeds it."""

from workshop.builds import Build
from workshop.drawing import GREY, INK, Sheet
from workshop.rules_power import HEADROOM

WIDTH = 560
FILLS = ("#1f4e79", "#f2c230", "#2e7d4f", "#b3261e", "#5b4a87", "#7c8894")


def svg(build: Build) -> str:
    """The picture as SVG."""
    heights = [92 + 18 * len(_loads(build, rail.rail)) for rail in build.supplies]
    sheet = Sheet(WIDTH + 200, sum(heights) + 56, f"power budget of plan {build.plan}")
    sheet.text((WIDTH + 200) / 2, 22, f"Power budget, plan {build.plan}: everything on at once", size=16, bold=True)
    y = 52.0
    for rail, height in zip(build.supplies, heights, strict=True):
        _rail(sheet, build, rail.rail, y)
        y += height
    return sheet.svg()


def _loads(build: Build, rail: str) -> list[tuple[str, float]]:
    return [(load.name, load.ma) for load in build.loads if load.rail == rail]


def _rail(sheet: Sheet, build: Build, name: str, y: float) -> None:
    rail = next(supply for supply in build.supplies if supply.rail == name)
    loads = _loads(build, name)
    total = sum(ma for _, ma in loads)
    left, scale = 30.0, (WIDTH + 140) / rail.ma
    sheet.text(left, y + 8, f"{name} from {rail.name}, {rail.ma:g} mA", size=13, anchor="start", bold=True)
    right = f"{total:.0f} mA used, {total / rail.ma:.0%}"
    sheet.text(left + rail.ma * scale, y + 8, right, size=12, anchor="end", colour=GREY)
    top, x = y + 22, left
    sheet.rect(left, top, rail.ma * scale, 26, "#f4f5f6", "#c6ccd2")
    for (_, ma), fill in zip(loads, _fills(len(loads)), strict=True):
        sheet.rect(x, top, ma * scale, 26, fill, "white")
        x += ma * scale
    limit = left + rail.ma * HEADROOM * scale
    sheet.line([(limit, top - 4), (limit, top + 30)], INK, 1.5, "4 3")
    sheet.text(limit, top + 39, f"{HEADROOM:.0%}", size=10, colour=GREY)
    for index, ((words, ma), fill) in enumerate(zip(loads, _fills(len(loads)), strict=True)):
        row = top + 42 + 18 * index
        sheet.rect(left, row - 5, 10, 10, fill, "#c6ccd2")
        sheet.text(left + 18, row, f"{words}: {ma:.0f} mA", size=11.5, anchor="start")


def _fills(count: int) -> list[str]:
    return [FILLS[index % len(FILLS)] for index in range(count)]
