"""Statistics as text for people, and as CSV for a spreadsheet: one figure a line, with the table it belongs to."""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO

from doubtable.journal.totals import ButtonTotals, SeatTotals
from doubtable.stats import UNSEEN_FOR, Person, Stats, quantile
from doubtable.timing import MS, S

Figures = Iterator[tuple[str, str, str, object]]
"""Table, row, figure, value."""


def figures(stats: Stats) -> Figures:
    """Every figure of the statistics. Times in ms, lengths in minutes."""
    for game in stats.games:
        row = str(game.id)
        yield from (
            ("games", row, "game", game.kind),
            ("games", row, "day", game.day),
            ("games", row, "end", game.how),
            ("games", row, "minutes", minutes(game.length)),
            ("games", row, "claims", game.totals.claims),
        )
        yield from (("games", row, f"press again: {why}", count) for why, count in sorted(game.totals.again.items()))
    for day in stats.days:
        yield from (
            ("days", day.day, "games", day.games),
            ("days", day.day, "minutes", minutes(day.length)),
            ("days", day.day, "claims", day.claims),
            ("days", day.day, "doubts right", day.right),
            ("days", day.day, "doubts wrong", day.wrong),
        )
    for number, seat in stats.seats.items():
        yield from (("seats", str(number), name, value) for name, value in _seat(seat))
    for number, button in stats.buttons.items():
        yield from (("buttons", str(number), name, value) for name, value in _button(button))
        yield "buttons", str(number), "look at it", stats.dying.get(number, "")
    for person in stats.people:
        yield from (("people", called(person), name, value) for name, value in _person(person))
    yield "deck", "", "cards shown", stats.shown
    yield from (("deck", card, f"not among the last {UNSEEN_FOR} shown", 1) for card in stats.unseen)


def _seat(seat: SeatTotals) -> Iterator[tuple[str, object]]:
    yield "doubts right", seat.right
    yield "doubts wrong", seat.wrong
    yield "slaps", len(seat.reactions)
    if seat.reactions:
        yield "reaction median ms", round(quantile(seat.reactions, 50) / MS)
        yield "reaction p95 ms", round(quantile(seat.reactions, 95) / MS)
    yield from ((f"void: {why}", count) for why, count in sorted(seat.voids.items()))


def _button(button: ButtonTotals) -> Iterator[tuple[str, object]]:
    yield "contacts", button.bursts
    yield "edges per contact", round(button.edges / button.bursts, 2) if button.bursts else 0
    yield "longest bounce ms", round(button.longest / MS, 2)
    yield "noise", button.noise


def _person(person: Person) -> Iterator[tuple[str, object]]:
    yield "games", person.games
    yield "won", person.won
    yield "doubts right", person.right
    yield "doubts wrong", person.wrong


def called(person: Person) -> str:
    """The person's name, or what stands for it."""
    return person.name or f"guest {person.id}"


def minutes(ns: int) -> float:
    """A length in minutes with one decimal."""
    return round(ns / (60 * S), 1)


def as_csv(stats: Stats) -> str:
    """All figures, one a line."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("table", "row", "figure", "value"))
    writer.writerows(figures(stats))
    return out.getvalue()


def as_text(stats: Stats) -> str:
    """The statistics for people."""
    if not stats.games:
        return "no game has ended yet\n"
    parts = [_overview(stats), _days(stats), _seats(stats), _buttons(stats), _people(stats), _deck(stats)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _overview(stats: Stats) -> str:
    kinds = sorted({game.kind for game in stats.games})
    lines = []
    for kind in kinds:
        games = [game for game in stats.games if game.kind == kind]
        over = [game for game in games if game.how == "over"]
        middle = minutes(quantile([game.length for game in over], 50)) if over else 0
        cut = len(games) - len(over)
        lines.append(
            f"{kind or 'unknown':<12} {len(over):>5} games, median {middle:g} min" + f", {cut} cut off" * bool(cut)
        )
    again: dict[str, int] = {}
    for game in stats.games:
        for why, count in game.totals.again.items():
            again[why] = again.get(why, 0) + count
    said = ", ".join(f"{why} {count}" for why, count in sorted(again.items())) or "never"
    return "\n".join([*lines, f"press again: {said}"])


def _days(stats: Stats) -> str:
    rows = [(day.day, day.games, f"{minutes(day.length):g}", day.claims, day.right, day.wrong) for day in stats.days]
    return grid(("day", "games", "minutes", "claims", "right", "wrong"), rows)


def _seats(stats: Stats) -> str:
    rows = []
    for number, seat in stats.seats.items():
        slaps = seat.reactions
        times = [f"{quantile(slaps, percent) / MS:.0f}" for percent in (50, 95)] if slaps else ["-", "-"]
        voids = ", ".join(f"{why} {count}" for why, count in sorted(seat.voids.items()))
        rows.append((number, seat.right, seat.wrong, len(slaps), *times, voids))
    return grid(("seat", "right", "wrong", "slaps", "median ms", "p95 ms", "void presses"), rows)


def _buttons(stats: Stats) -> str:
    rows = [
        (
            number,
            button.bursts,
            f"{button.edges / max(1, button.bursts):.1f}",
            f"{button.longest / MS:.1f}",
            button.noise,
            stats.dying.get(number, ""),
        )
        for number, button in stats.buttons.items()
    ]
    return grid(("button", "contacts", "edges each", "longest ms", "noise", "look at it"), rows)


def _people(stats: Stats) -> str:
    rows = [(called(each), each.games, each.won, each.right, each.wrong) for each in stats.people]
    return grid(("who", "games", "won", "right", "wrong"), rows)


def _deck(stats: Stats) -> str:
    if not stats.unseen:
        return ""
    cards = ", ".join(card if len(card) == 2 else f"{card[:2]} of pack {card[2:]}" for card in stats.unseen)
    return f"check the pack: not among the last {UNSEEN_FOR} cards shown: {cards}"


def grid(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Columns side by side, the first and last to the left, the others to the right; "" without rows."""
    table = [tuple(heads), *(tuple(str(cell) for cell in row) for row in rows)]
    if len(table) == 1:
        return ""
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    last = len(widths) - 1
    lines = []
    for row in table:
        cells = [
            cell.ljust(width) if column in (0, last) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
