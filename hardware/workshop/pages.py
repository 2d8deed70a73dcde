"""The pages that are made and not written: one for each plan, the printed parts, and all parts with their costs."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from doubtable.config.plan import Plan
from workshop import budget, overview, pinout, tableview
from workshop.bills import GROUPS, PER_SEAT_PRINTS, Item, bill, filament_kg, packs, total
from workshop.builds import Build
from workshop.checks import check
from workshop.from_files import READERS, Lists, make_build
from workshop.layout import layout, screen_inches
from workshop.wires import HEADING, cables, metres, rows

MADE = "<!-- Made by `make hardware` from the pin plans, parts.toml and builds.toml. Changes belong there. -->\n"


def table(heading: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    made = ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    made += ["| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in lines]
    return "\n".join(made) + "\n"


def csv_text(heading: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(lines)
    return text.getvalue()


BILL_HEADING = ("part", "count", "each", "together", "instead")


def bill_csv(items: Sequence[Item], lists: Lists) -> str:
    """A build's bill with its total and the date of its prices."""
    lines = [(item.name, f"{item.count:g}", f"{item.eur:.2f}", f"{item.total:.2f}", item.instead) for item in items]
    note = f"{lists.currency}, guide prices of {lists.prices_date}, with tax, without postage"
    return csv_text(BILL_HEADING, [*lines, ("total", "", "", f"{total(list(items)):.2f}", note)])


def plan_texts(plan: Plan, lists: Lists, grams: Mapping[str, float]) -> dict[str, str]:
    """All files of a plan that are text and need no library, by name: its page, lists and plain pictures."""
    build = make_build(plan, lists)
    items = bill(build, lists, grams)
    return {
        "README.md": plan_page(plan, build, lists, items),
        "bill.csv": bill_csv(items, lists),
        "wires.csv": csv_text(HEADING, rows(build)),
        "overview.svg": overview.svg(build, plan.reader.port == "usb"),
        "table.svg": tableview.svg(build),
        "pins.svg": pinout.svg(build, plan),
        "power.svg": budget.svg(build),
    }


def plan_page(plan: Plan, build: Build, lists: Lists, items: list[Item]) -> str:
    """Everything about one plan, with its pictures."""
    choices = lists.of_plan(plan.name)
    parts = [
        MADE,
        f"# {choices['title']}: plan {plan.name}\n",
        f"{plan.about}.\n",
        _facts(build, lists, items, choices["hours"]),
        "![what hangs on what](overview.svg)\n",
        "## The table\n\n![the table from above](table.svg)\n",
        "Where to drill, in cm from the middle, x to the right and y away from seat 1:\n",
        _drilling(build),
        f"## What goes to which pin\n\n![every pin of the {build.board.name}](pins.svg)\n",
        _lines(build),
        "## A seat's circuit\n\nThe same at every seat; seat 1 is drawn.\n\n![seat circuit](seat-circuit.svg)\n",
        "## The lamps' shift registers\n\n![shift registers](registers.svg)\n" if build.registers else "",
        _reader(plan),
        "## Cables\n\n![harness](harness.svg)\n",
        _cables(build),
        f"{metres(build):g} m of seat cable in all. Every core in its own row: [wires.csv](wires.csv).\n",
        "## Power\n\n![power budget](power.svg)\n",
        "## Electrical checks\n\nWhat was checked, and with which figures. `make test` runs the same checks.\n",
        _checks(build),
        f"## Parts\n\n{_money(total(items), lists)} in all, guide prices of {lists.prices_date}: [bill](bill.csv).\n"
        "[All plans beside each other](../../../docs/build/parts.md).\n",
    ]
    return "\n".join(part for part in parts if part)


def _money(amount: float, lists: Lists) -> str:
    return f"{amount:.0f} {lists.currency}"


def _facts(build: Build, lists: Lists, items: list[Item], hours: int) -> str:
    seats = len(build.seats)
    size = layout(seats)
    length, width = f"{size.length / 10:.0f}", f"{size.width / 10:.0f}"
    lines = [
        ("seats", str(seats)),
        ("table", f"oblong, {length} x {width} cm" if size.straight else f"round, {length} cm across"),
        ("buttons", lists.part(lists.of_plan(build.plan)["button"])["name"]),
        ("lamps switched by", f"{build.driver_chips} x {build.driver.name}" if build.driver else "the pins"),
        ("filter at the seats", "yes" if build.seats[0].circuit.filtered else "no, the cables are short"),
        ("reader", build.reader.upper()),
        ("screen", f"{screen_inches(seats)} inches or more"),
        ("cost", _money(total(items), lists)),
        ("work", f"about {hours} hours, printing not counted"),
    ]
    return table(("", ""), lines)


def _drilling(build: Build) -> str:
    places = layout(len(build.seats)).places
    return table(("seat", "x", "y"), [(str(place.seat), _cm(place.x), _cm(place.y)) for place in places])


def _cm(mm: float) -> str:
    return f"{round(mm / 10, 1) + 0.0:.1f}"  # no minus zero


def _lines(build: Build) -> str:
    prefix = "GP" if build.registers else "GPIO"
    lines = []
    for seat in build.seats:
        lamp = f"output {seat.lamp}, {seat.lamp_chip} pin {seat.lamp_pin}"
        if not build.registers:
            lamp = f"{prefix}{seat.lamp}, pin {seat.lamp_pin}"
        driver = "none"
        if build.driver is not None:
            channel = build.channel(seat)
            driver = f"chip {channel.chip}, pin {channel.input_pin} to pin {channel.output_pin}"
        lines.append((str(seat.number), f"{prefix}{seat.line}, pin {seat.pin}", lamp, driver, f"pin {seat.ground_pin}"))
    return table(("seat", "button", "lamp", "its driver", "ground"), lines)


def _cables(build: Build) -> str:
    """The cables, a row each; a seat's cores are said once, above."""
    cores = ", ".join(f"{colour} = {carries}" for carries, colour in build.cores.items())
    lines = []
    for cable in cables(build):
        colours = ", ".join(f"{core.colour} = {core.carries}" for core in cable.cores)
        which = "as every seat" if colours == cores else colours
        lines.append((cable.name, cable.start.name, cable.end.name, which, f"{cable.metres:.1f} m"))
    heading = ("cable", "from", "to", "cores", "cut to")
    return f"Every seat's cable: {cores}.\n\n" + table(heading, lines)


def _reader(plan: Plan) -> str:
    if plan.reader.port == "usb":
        words = (
            "On USB, over an adapter: its TXD to the reader's RX, its RXD to the reader's TX, ground to ground, 5 V\n"
            "to VCC. Set the adapter to 5 V for an RDM6300 and to 3.3 V for a PN532.\n"
        )
        return f"## The reader\n\n{words}"
    return (
        "## The reader\n\nEither of the two; the plan keeps the serial port's pins for it.\n\n"
        "![RDM6300 with divider](../common/rdm6300.svg)\n\n![PN532](../common/pn532.svg)\n"
    )


def _checks(build: Build) -> str:
    lines = []
    last = ""
    for item in check(build):
        meaning = "" if item.meaning == last else item.meaning
        last = item.meaning
        found = item.finding
        verdict = found.verdict if found.verdict == "ok" else f"{found.verdict}: {found.way_out}"
        lines.append((meaning, found.place, found.found, found.limit, verdict))
    return table(("rule", "where", "found", "allowed", ""), lines)


def parts_page(plans: Mapping[str, Plan], lists: Lists, grams: Mapping[str, float]) -> str:
    """All plans beside each other: counts, prices, totals with either reader, and what to take instead."""
    bills = {name: bill(make_build(plan, lists), lists, grams) for name, plan in plans.items()}
    names = list(plans)
    keys = dict.fromkeys(item.key for items in bills.values() for item in items)
    ordered = sorted(keys, key=lambda key: GROUPS.index(lists.part(key)["group"]))
    counts = {name: {item.key: item.count for item in items} for name, items in bills.items()}
    lines = []
    for key in ordered:
        part = lists.part(key)
        row = [f"{counts[name][key]:g}" if key in counts[name] else "" for name in names]
        lines.append((part["name"], f"{part['eur']:.2f}", *row))
    whole = [f"**{total(bills[name]):.0f}**" for name in names]
    lines.append((f"**total, {lists.currency}**", "", *whole))
    for reader in READERS:
        sums = (total(bill(make_build(plan, lists, reader), lists, grams)) for plan in plans.values())
        lines.append((f"with {reader.upper()} and its stickers", "", *(f"{amount:.0f}" for amount in sums)))
    instead = [(lists.part(key)["name"], lists.part(key)["instead"]) for key in ordered]
    return "\n".join(
        [
            MADE,
            "# Parts and what they cost\n",
            table(("table", "plan", "seats", "cost", "work"), _choice(plans, lists, bills)),
            f"Guide prices in {lists.currency} of {lists.prices_date}: what one piece usually costs a private person "
            "in a European web shop, with tax, rounded, without postage. They are no offers. A table, a printer and "
            "tools are not counted.\n",
            table(("part", "each", *names), lines),
            f"Filament is counted as if every part were filled solid ({_kilos(plans, grams)}); usual settings take two "
            "thirds. The stand for a table that is not drilled is not counted. Each plan's bill as a file: "
            + ", ".join(f"[{name}](../../hardware/out/{name}/bill.csv)" for name in names)
            + ".\n",
            "## Instead\n",
            table(("part", "instead"), [line for line in instead if line[1] != "-"]),
            DECKS,
        ]
    )


def _choice(plans: Mapping[str, Plan], lists: Lists, bills: Mapping[str, Sequence[Item]]) -> Iterator[tuple[str, ...]]:
    """One line for each table there is, with its page."""
    for name, plan in plans.items():
        chosen = lists.of_plan(name)
        cost = _money(total(list(bills[name])), lists)
        page = f"[{name}](../../hardware/out/{name}/README.md)"
        yield chosen["title"], page, str(len(plan.seats)), cost, f"{chosen['hours']} h"


def _kilos(plans: Mapping[str, Plan], grams: Mapping[str, float]) -> str:
    seats = sorted({len(plan.seats) for plan in plans.values()})
    return ", ".join(f"{filament_kg(count, grams):.1f} kg for {count} seats" for count in seats)


DECKS = f"""## Decks and stickers

A tag must be of the reader's kind. One deck serves up to five players, two decks ({packs(6)} x 52 cards) from six.

| cards | chip | RDM6300, ID-12LA, ID-20LA (125 kHz) | PN532 (13.56 MHz) |
|---|---|---|---|
| stickers NTAG213, 215, 216 | ISO 14443A, 7-byte number | no | **yes** |
| stickers or decks MIFARE Classic, Ultralight | ISO 14443A, 4 or 7 bytes | no | **yes** |
| stickers or discs EM4100, TK4100 | 125 kHz | **yes** | no |
| blank tags T5577, written as EM4100 | 125 kHz | yes, but anyone can write a second one | no |
| poker decks with ISO 15693 chips (ICODE SLIX) | 13.56 MHz, another protocol | **no** | **no** |
| UHF cards (EPC) | 860 to 960 MHz | no | no |

- Ask the seller of a ready deck for the protocol. Many decks made for televised poker are ISO 15693: no reader of this
  table reads them.
- Home-made: a sticker of at most 25 mm in the middle of the face, the card in a sleeve with an opaque back, so that no
  back tells a card. Shift the sticker a few millimetres from card to card, or the deck grows a hump.
- 125 kHz stickers are thicker (about 0.4 mm) than NTAG stickers (0.15 mm): a deck of 52 stands 2 cm high with them.
- No metal within 3 cm of the aerial: no screws, no foil cards, no steel table top.
- Enrol with `doubtable deck enrol NAME`; buy a few more stickers than cards, spares can be enrolled too.
"""


PRINTS_HEADING = ("part", "x mm", "y mm", "z mm", "g solid")


def prints_csv(prints: Sequence[tuple[str, str, tuple[float, float, float], float]]) -> str:
    """Size and weight of every printed part, for those who have no drawing tools."""
    return csv_text(PRINTS_HEADING, [(name, *(f"{s:.1f}" for s in size), f"{g:.1f}") for name, _, size, g in prints])


def grams_from(text: str) -> dict[str, float]:
    """What each part weighs, of a prints.csv."""
    return {row["part"]: float(row["g solid"]) for row in csv.DictReader(io.StringIO(text))}


def prints_page(prints: Sequence[tuple[str, str, tuple[float, float, float], float]]) -> str:
    """All printed parts: name, what it is, size, grams; and how many of each a table needs."""
    lines = []
    for name, words, size, grams in prints:
        many = "1 for each seat" if name in PER_SEAT_PRINTS else "1"
        many = "1 for each seat, if the table is not drilled" if name == "pod-stand" else many
        measure = " x ".join(f"{side:.0f}" for side in size)
        lines.append((f"![{words}]({name}.png)", f"**{name}**: {words}", many, measure, f"{grams:.0f}"))
    return "\n".join(
        [
            MADE,
            "# Printed parts\n",
            "STL files are in build/hardware/ after `make hardware`. Layers 0.2 mm, 3 walls, 25 % infill, no supports; "
            "each part lies as it is printed. Letters stand 0.6 to 0.8 mm high: change the filament at the layer where "
            "they begin, and they have their own colour.\n",
            table(("", "part", "how many", "size in mm", "g, solid"), lines),
            "Every part fits a bed of 220 x 220 mm.\n",
        ]
    )
