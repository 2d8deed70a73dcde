"""The parts of docs/ that are made from the program: the keys of table.toml, the wiring of the plans.

`python tests/config/written_docs.py` from the project's folder writes them anew; a test compares them.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from doubtable.config.plan import Plan, load_plan, plan_names
from doubtable.config.reference import Entry, about, entries

DOCS = Path(__file__).parents[2] / "docs"
PARTS = re.compile(r"(<!-- made from the program: (\w+) -->\n).*?(<!-- end -->\n)", re.DOTALL)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    for row in (head, ["---"] * len(list(head)), *rows):
        yield f"| {' | '.join(row)} |"


def keys() -> Iterator[str]:
    """Every key of table.toml, section by section."""
    sections: dict[str, list[Entry]] = {}
    for entry in entries():
        sections.setdefault(entry.section, []).append(entry)
    for section, found in sections.items():
        title = f"`[{section}]`" if section else "At the top of the file, above the first section"
        yield from (f"### {title}", "")
        if section:
            yield from (about(section), "")
        yield from table(["key", "values", "default", "what for"], (key_row(entry) for entry in found))
        yield ""


def key_row(entry: Entry) -> tuple[str, str, str, str]:
    default = f"`{entry.default}`" if entry.default and " " not in entry.default else entry.default or "-"
    example = f", for example `{entry.example}`" if not entry.default else ""
    return f"`{entry.key}`{' (t)' * entry.at_table}", f"{entry.values}{example}", default, entry.about


def plans() -> Iterator[str]:
    """Every plan as a table of wires."""
    for plan in map(load_plan, plan_names()):
        yield from (f"### {plan.name}: {plan.about}", "")
        yield from wires(plan)
        yield ""
        if plan.reader.pins:
            pins = ", ".join(f"{name} {pin}" for name, pin in plan.reader.pins.items())
            yield from (f"Reader: `{plan.reader.path}`, pins {pins}.", "")
        else:
            yield from ("Reader: on USB.", "")
        kept = "; ".join(f"{each.line} (pin {each.pin}) {each.why}" for each in plan.reserved)
        yield from (f"Kept free: {kept}.", "")


def wires(plan: Plan) -> Iterator[str]:
    colour = {wire.carries: wire.colour for wire in plan.wires}
    head = ["seat", *(f"{what} ({colour[what]})" for what in ("button", "lamp", "ground"))]
    gp, output = ("GP", "output ") if plan.source == "panel" else ("GPIO", "GPIO")
    rows = (
        [
            str(seat.seat),
            f"{gp}{seat.button}, pin {seat.button_pin}",
            f"{output}{seat.lamp}, {seat.lamp_chip + ' ' if seat.lamp_chip else ''}pin {seat.lamp_pin}",
            f"pin {seat.ground_pin}",
        ]
        for seat in plan.seats
    )
    return table(head, rows)


MADE = {"keys": keys, "plans": plans}


def anew(text: str) -> str:
    """A page with its made parts as the program has them now."""
    return PARTS.sub(lambda found: found[1] + "\n".join(["", *MADE[found[2]]()]) + "\n" + found[3], text)


if __name__ == "__main__":
    for page in (DOCS / "configuration.md", DOCS / "hardware-setup.md"):
        page.write_text(anew(page.read_text(encoding="utf-8")), encoding="utf-8")
