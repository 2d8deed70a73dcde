"""Pictures without a deal: rules in five pictures, tables, lists. They take the whole page above the help line."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from doubtable.screen import palette
from doubtable.screen.blocks import Block, fill, line, said
from doubtable.screen.board import Widget
from doubtable.screen.cards_drawn import CardBack, ClaimSpot
from doubtable.screen.motion import PICTURE_NS, SECOND
from doubtable.screen.seating import margin, name_in, name_of
from doubtable.screen.sizes import Box
from doubtable.screen.stage import Stage, Want
from doubtable.screen.widgets import Label, Plate, Row, Speech, Strip
from doubtable.screen.words import signed
from doubtable.view import View

Page = Callable[[View, int, Stage], tuple[Widget, ...]]
KEYS = 12  # of a keypad
ROOMY, TIGHT = 1.2, 1.06  # units that a row of a table takes, and where there are many

CAPTIONS = (
    "LAY CARDS\nFACE DOWN",
    "SAY A RANK.\nYOU MAY LIE",
    "DOUBT? SLAP\nA LIT BUTTON",
    "TURN THEM UP:\nLOSER TAKES ALL",
    "NO CARDS LEFT?\nYOU WIN",
)


def page(stage: Stage) -> Box:
    """The picture without the help band and a margin."""
    return stage.frame.page.inset(stage.unit // (2 if stage.frame.wide else 4), stage.unit // 3)


# Rules in five pictures ---------------------------------------------------------------------------------------------


def attract(view: View, ns: int, stage: Stage) -> tuple[Widget, ...]:
    """One of the five pictures of the rules; the next one comes after PICTURE_NS."""
    number = ns // PICTURE_NS % len(CAPTIONS)
    box = page(stage)

    def picture(row: Box) -> Iterable[Widget]:
        middle = row.inset(row.w // (12 if stage.frame.wide else 24), row.h // 16)
        yield from (_lay, _say, _slap, _show, _win)[number](stage, middle)

    blocks = [Block(Want(2.6, 7.0), picture), said(stage, box, (CAPTIONS[number], {}), most=1.3)]
    return fill(stage, box, blocks)


def _lay(stage: Stage, box: Box) -> Iterable[Widget]:
    high = box.h * 9 // 10
    wide = min(box.w, high * 2)
    yield ClaimSpot(Box(box.centre[0] - wide // 2, box.y + (box.h - high) // 2, wide, high), 3)


def _say(stage: Stage, box: Box) -> Iterable[Widget]:
    upright = not stage.frame.wide
    card, bubble = box.rows(5, 4) if upright else box.columns(2, 5)
    high = min(card.h * 8 // 10, card.w * 14 // 10 * (4 if upright else 8) // 8)
    left = card.centre[0] - high * 7 // 20 if upright else card.right - high * 7 // 10
    yield CardBack(Box(left, card.centre[1] - high // 2, high * 7 // 10, high))
    room = bubble if upright else bubble.inset(bubble.w // 24, bubble.h // 8)
    words = stage.set(stage.words.claim(3, "K"), room.inset(room.w // 14, room.h // 5), most=2.4)
    yield Speech(room, words, from_above=upright)


def _slap(stage: Stage, box: Box) -> Iterable[Widget]:
    high = min(box.h * 8 // 10, box.w // 3)
    plate = Box(box.centre[0] - high, box.centre[1] - high // 2, 2 * high, high)
    yield Plate(plate, stage.letters.setting("!", (high, high * 7 // 10), (stage.unit, high)), "steady")


def _show(stage: Stage, box: Box) -> Iterable[Widget]:
    return stage.cards(box, (("K", "S", True), ("K", "H", True), ("7", "C", False)))


def _win(stage: Stage, box: Box) -> Iterable[Widget]:
    high = min(box.h * 8 // 10, box.w // 3)
    plate = Box(box.centre[0] - high, box.centre[1] - high // 2, 2 * high, high)
    yield Plate(plate, stage.letters.setting("0", (high, high * 7 // 10), (stage.unit, high)), "off")


# Tables and lists ---------------------------------------------------------------------------------------------------


def after_the_deal(view: View, ns: int, stage: Stage) -> Page | None:
    """After a deal the picture changes between the winner (None), the awards and the scores of the evening."""
    shown: list[Page | None] = [None]
    if _in_a_table(view, stage):
        shown.append(awards)
    else:
        shown += [partial(award, which) for which in range(len(view.awards))]
    if view.deals > 1:
        shown += [partial(_scores, part) for part in range(_parts(view, stage))]
    return shown[ns // PICTURE_NS % len(shown)]


def match(view: View, ns: int, stage: Stage) -> tuple[Widget, ...]:
    """The evening so far: names and scores, the best first; in two parts that take turns where names are too long."""
    return _scores(ns // PICTURE_NS % _parts(view, stage), view, ns, stage)


def _scores(part: int, view: View, ns: int, stage: Stage) -> tuple[Widget, ...]:
    rows = _ranking(view, stage)
    deep = -(-len(rows) // _parts(view, stage))
    return _table(stage, stage.words.say("SCORES"), rows[part * deep : (part + 1) * deep], first=part == 0)


def _parts(view: View, stage: Stage) -> int:
    """In how many parts the scores are shown: two where one column holds half of them and two are too narrow."""
    rows, box = _ranking(view, stage), page(stage)
    longest = max((stage.letters.width(f"{name} {value}", stage.unit) for name, value in rows), default=0)
    room = int((box.h - stage.unit * 1.4) // (stage.unit * TIGHT))
    return 2 if room < len(rows) <= 2 * room and longest + 3 * stage.unit // 2 > box.w // 2 else 1


def _ranking(view: View, stage: Stage) -> list[tuple[str, str]]:
    scores = view.totals if any(view.totals) else tuple(seat.score for seat in view.seats)
    ordered = sorted(
        (seat for seat in view.seats if seat.occupied), key=lambda seat: (-scores[seat.seat - 1], seat.seat)
    )
    return [(name_in(view, stage, seat.seat), signed(scores[seat.seat - 1])) for seat in ordered]


def awards(view: View, ns: int, stage: Stage) -> tuple[Widget, ...]:
    """The awards of the evening: what for, who, and the number."""
    return _table(stage, stage.words.say("AWARDS"), _awards(view, stage))


def award(which: int, view: View, ns: int, stage: Stage) -> tuple[Widget, ...]:
    """One award by itself, where all of them do not fit on a page: what for, who, and the number."""
    box = page(stage)
    said_so, number = _awards(view, stage)[which]
    what, _, name = said_so.partition(": ")
    return fill(
        stage, box, [_title(stage, box, what), line(stage, box, name, most=2.0), line(stage, box, number, most=2.0)]
    )


def _awards(view: View, stage: Stage) -> list[tuple[str, str]]:
    """Each award in words with its winner, and its number."""
    rows = []
    for what, seat, number in view.awards:
        told = str(number) if what != "Fastest Slap" else stage.words.decimal(f"{number / SECOND:.2f} S")
        rows.append((stage.words.say(f"{what.upper()}: {{name}}", {"name": name_of(view, seat)}), told))
    return rows


def _in_a_table(view: View, stage: Stage) -> bool:
    """Whether there are awards, and room for all of them with their numbers on one page."""
    room, high = page(stage).w * 6 // 7 - stage.unit, (1.4 + ROOMY * len(view.awards)) * stage.unit
    fit = all(stage.letters.width(f"{what} {number}", stage.unit) <= room for what, number in _awards(view, stage))
    return bool(view.awards) and fit and high <= page(stage).h


def service(view: View, ns: int, stage: Stage) -> tuple[Widget, ...]:
    """The attendant's menu: a headline above a grid of items, the cursor on one. It is read at arm's length."""
    labels, cursor = [stage.words.label(label) for label in view.strips[0].labels], view.strips[0].cursor
    key, values = view.headline
    title, cells = service_grid(stage, len(labels))
    rooms = [cell.inset(stage.unit // 4, stage.unit // 8) for cell in cells]
    alike = stage.unit * 9 // 10  # all items in one size
    for label, room in zip(labels, rooms, strict=True):
        alike = stage.letters.setting(label, (room.w, room.h), (stage.unit // 3, alike), 2).capital
    items = [
        Strip(cell, ((cell, stage.letters.setting(label, (room.w, room.h), (alike, alike), 2)),), -1 + (at == cursor))
        for at, (cell, room, label) in enumerate(zip(cells, rooms, labels, strict=True))
    ]
    told = stage.letters.setting(stage.words.say(key, values), (title.w, title.h), (stage.unit // 3, stage.unit))
    return (Label(title, told, palette.LAMP), *items)


def service_grid(stage: Stage, count: int) -> tuple[Box, list[Box]]:
    """The headline's row, and a cell for each of ``count`` items, row by row."""
    wide, high = stage.panel.size
    whole = Box(0, 0, wide, high).inset(stage.unit // 3, stage.unit // 4)
    upright = wide < high
    columns = 3 if count == KEYS or (count > KEYS and upright) else 5 if count > KEYS else 1 if upright else 2
    rows = -(-count // columns)
    title, *lines = whole.rows(*[1] * (rows + 1))
    gap = max(3, stage.unit // 10)
    cells = [cell.inset(gap, gap) for line in lines for cell in line.columns(*[1] * columns)]
    return title, cells[:count]


def _title(stage: Stage, box: Box, text: str) -> Block:
    return line(stage, box, text, most=1.3, colour=palette.LAMP, gives_way=2)


def _table(stage: Stage, title: str, rows: Sequence[tuple[str, str]], *, first: bool = True) -> tuple[Widget, ...]:
    """Rows of a name and a number, in as many columns as they need and have room for; the last ones give way."""
    box = page(stage)
    top = _title(stage, box, title)
    most = max(1, int(box.w // (stage.unit * 5.5)))
    for row in (ROOMY, TIGHT):
        room = max(1, int((box.h - stage.unit * 1.4) // (stage.unit * row)))
        columns = min(-(-len(rows) // room), most)
        if columns * room >= len(rows) and (columns == 1 or stage.frame.wide):
            break
    rows = rows[: columns * room]
    deep = -(-len(rows) // max(1, columns))

    def paint(area: Box) -> Iterable[Widget]:
        parts = area.columns(*[1] * max(1, columns))
        for number, (name, value) in enumerate(rows):
            part = parts[number // deep].inset(
                stage.unit * 3 // 4 if columns > 1 else area.w // 14 if stage.frame.wide else 0, 0
            )
            row = part.rows(*[1] * deep)[number % deep]
            right = stage.set(value, row, most=1.2)
            taken = stage.letters.width(value, right.capital) + stage.unit // 2
            left = stage.set(name, Box(0, 0, row.w - taken, row.h))
            yield Row(row, left, right, first and number == 0)

    return fill(stage, box, [top, Block(Want(1.05 * deep, 1.7 * deep), paint)])


def duel(view: View, ns: int, stage: Stage) -> tuple[Widget, ...]:
    """The reflex duel: wait, slap, photo finish. A headline until somebody has slapped."""
    box = (
        page(stage)
        if view.help[0]
        else stage.frame.page.around(stage.frame.help).inset(stage.unit // (1 if stage.frame.wide else 8), stage.unit)
    )
    if not view.finish:
        key, values = view.headline
        return fill(stage, box, [line(stage, box, stage.words.say(key, values), most=3.0, colour=palette.LAMP)])
    headline = said(stage, box, view.headline, most=2.0)
    longest = max(offset for _, offset in view.finish) or 1
    won = {seat.seat for seat in view.seats if seat.lamp == "fast"}
    rows = [
        (name_in(view, stage, seat), f"+{margin(offset, stage)}" if offset else "0", offset * 1000 // longest)
        for seat, offset in sorted(view.finish, key=lambda each: (each[0] not in won, each[1]))
    ]

    def paint(area: Box) -> Iterable[Widget]:
        yield from stage.finish(area, rows, min(1000, view.tie * 1000 // longest))

    blocks = [headline] if len(rows) == 1 else [headline, Block(Want(1.2, 1.7 * len(rows)), paint)]
    return fill(stage, box, blocks)
