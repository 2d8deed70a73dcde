"""The figures as text: a table for the terminal, and the one in docs/performance.md."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bench.figures import Figure, Row

BEGIN, END = "<!-- figures: make bench ARGS=--write-docs -->", "<!-- end of the figures -->"
BUSY = " More than the machine has: times and rates are worse than on a quiet one, and ratios uncertain."
MET = {True: "yes", False: "no", None: ""}
HEADS = ("name", "figure", "ours", "theirs", "ratio", "goal", "met", "beside")


def number(value: float, unit: str) -> str:
    """Three digits that count, with the unit."""
    if value == 0 or abs(value) >= 1000:
        text = f"{value:,.0f}"
    elif abs(value) >= 100:
        text = f"{value:.0f}"
    else:
        text = f"{value:.3g}"
    return f"{text} {unit}".strip()


def cells(row: Row, each: Figure) -> tuple[str, ...]:
    """One line of the table."""
    theirs = "" if each.theirs is None else number(each.theirs, each.unit)
    ratio = "" if each.ratio is None else f"{each.ratio:.2f}"
    beside = f"{each.beside}: {each.missing}" if each.missing else each.beside
    ours = "-" if each.missing and not each.ours else number(each.ours, each.unit)
    return (row.name, each.figure, ours, theirs or "-", ratio or "-", each.goal, MET[each.met], beside)


def table(rows: Iterable[Row]) -> Iterator[str]:
    """The table for a terminal, then what was done."""
    listed = list(rows)
    lines = [HEADS, *(cells(row, each) for row in listed for each in row.figures)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(HEADS))]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
    for row in listed:
        yield ""
        yield from textwrap.wrap(f"{row.name}: {row.done}", 116, subsequent_indent="  ")


def document(rows: Sequence[Row], machine: Mapping[str, str]) -> str:
    """What stands between BEGIN and END of the page."""
    dates = sorted({row.date for row in rows})
    loads = [load for row in rows if row.load and not row.virtual for load in (row.load.before, row.load.after)]
    when = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
    short = [row.name for row in rows if row.short]
    lines = [
        BEGIN,
        "",
        f"{when}. {machine['processor']}, {machine['cores']} cores; {machine['system']}; {machine['python']};"
        f" {machine['versions']}. Load of the machine meanwhile (processes that wanted a processor):"
        f" {min(loads, default=0)} to {max(loads, default=0)}."
        + (BUSY if max(loads, default=0) > int(machine["cores"]) else "")
        + (f" In the short form: {', '.join(short)}." if short else ""),
        "",
        "| " + " | ".join(HEADS) + " |",
        "|" + "---|" * len(HEADS),
    ]
    for row in rows:
        for place, each in enumerate(row.figures):
            name, *rest = cells(row, each)
            lines.append("| " + " | ".join((f"`{name}`" if place == 0 else "", *rest)) + " |")
    lines.append("")
    for row in rows:
        lines += [f"- **{row.name}**: {row.done}"]
    return "\n".join([*lines, "", END])


def written_into(page: str, text: str) -> str:
    """The page with the figures put between its two marks. ValueError when it has none."""
    before, mark, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise ValueError("the page has no place for the figures")
    return before + text + after
