"""Blocks that scenes share: the strip, the pile, a headline, a claim."""

from collections.abc import Iterable

from doubtable.screen import palette
from doubtable.screen.blocks import ONE_ROW, Block, Text, line, said
from doubtable.screen.board import Widget
from doubtable.screen.lettering import LEADING
from doubtable.screen.motion import WINDOW_SCENES, filled
from doubtable.screen.seating import is_vote, name_in
from doubtable.screen.sizes import Box
from doubtable.screen.stage import MOST_LABEL_LINES, Stage, Want
from doubtable.screen.widgets import Label
from doubtable.view import StripView, View

STRIP_ROW = 1.4  # units: a plate with air around its letters
NONE = "-"  # the label of a strip that has not been touched: nothing is chosen
OWN_STRIPS = ("attract", "lobby", "deal", "countdown")  # every seat has one, and its lamp says enough


def strip_shown(view: View) -> StripView | None:
    """The strip that the picture is about: in a window the next seat's, unless the claimant is at work on its own."""
    if view.scene in OWN_STRIPS:
        return None
    if view.scene in WINDOW_SCENES:
        claimant = view.claim[0] if view.claim else 0
        at_work = [each for each in view.strips if each.seat == claimant and (each.cursor or each.chosen)]
        others = [each for each in view.strips if each.seat != claimant]
        return next(iter(at_work or others), None)
    return view.strips[0] if view.strips else None


def strip_blocks(view: View, ns: int, stage: Stage) -> list[Block]:
    """The strip, and what was chosen before in its chain."""
    strip = strip_shown(view)
    if strip is None:
        return []
    labels, cursor = list(strip.labels), strip.cursor
    if labels and labels[0] == NONE:
        labels, cursor = labels[1:], cursor - 1
    if is_vote(view):
        labels, cursor = _at_stake(labels, stage), -1
    if not labels:
        return []
    shown = [stage.words.label(label) for label in labels]
    ring = 0 if cursor < 0 else filled(view, strip.seat, ns)
    pad, align = stage.unit // 2, "left" if view.scene in WINDOW_SCENES else "centre"
    arrows = stage.unit if len(shown) > 1 else 0
    # Beside the cursor's label others are shown where they are whole: in a low middle they make no row higher.
    near = shown[max(0, cursor - (not stage.low)) : max(0, cursor) + 1 + (not stage.low)]
    lines = max(stage.lines_of(label, stage.inner.w - pad - arrows) for label in near)
    least = STRIP_ROW + (min(lines, MOST_LABEL_LINES) - 1) * LEADING

    def paint(row: Box) -> Iterable[Widget]:
        yield stage.strip(row, shown, cursor, filled=ring, align=align)

    if view.scene in WINDOW_SCENES and len(strip.labels) == 1 and stage.low and stage.frame.wide:
        return []  # the help line says what HOLD does, and the claim is to be seen from afar
    blocks = [Block(Want(least, least * 1.6), paint)]
    if strip.chosen:
        steps = [stage.words.label(label) for label in strip.chosen]
        chosen = " ".join(steps)
        if stage.low and stage.lines_of(chosen, stage.inner.w) > 1:
            chosen = steps[-1]
        blocks.insert(0, line(stage, stage.inner, chosen, most=1.2, colour=palette.LAMP))
    return blocks


def _at_stake(labels: list[str], stage: Stage) -> list[str]:
    """What a vote is between: without WAIT (a plate shows it as dots) where not all choices fit side by side, and
    nothing where not even the others do: the help line asks, and no choice may hide.
    """
    wide = {label: stage.letters.width(stage.words.label(label), stage.unit) + stage.unit * 2 // 3 for label in labels}
    for shown in (labels, [label for label in labels if label != "WAIT"]):
        if sum(wide[label] for label in shown) <= stage.inner.w:
            return shown
    return []


def pile_block(view: View, stage: Stage) -> list[Block]:
    """The pile where there is room for it; an upright picture has it on its map."""
    if not view.pile or not stage.frame.wide:
        return []

    def paint(row: Box) -> Iterable[Widget]:
        yield stage.pile(row, view.pile, centred=True)

    return [Block(Want(1.3, 2.0), paint, gives_way=8)]


def headline_blocks(view: View, stage: Stage, text: Text, *, most: float = 1.8) -> list[Block]:
    """A headline with the pile beside it, or above the pile where the row is too short for both."""
    if not view.pile or not stage.frame.wide:
        return [said(stage, stage.inner, text, most=most)]
    key, values = text
    whole = stage.words.say(key, values)
    number = stage.letters.width(str(view.pile), round(stage.unit * 1.3))
    taken = stage.letters.width(whole, stage.unit) + stage.unit // 2 + number
    if "\n" in whole or taken + stage.unit * 8 // 5 > stage.inner.w:
        return [said(stage, stage.inner, text, most=most), *([] if stage.low else pile_block(view, stage))]

    def paint(row: Box) -> Iterable[Widget]:
        high = min(row.h, 2 * stage.unit, (row.w - taken) * 3 // 4)
        pile = stage.pile(Box(row.x, row.y + (row.h - high) // 2, row.w, high), view.pile)
        yield pile
        room = Box(row.x, row.y, row.w - pile.box.w - stage.unit // 2, row.h)
        yield Label(room, stage.say(room, key, values, 1, most), align="left")

    return [Block(Want(ONE_ROW, ONE_ROW * most), paint)]


def claim_blocks(view: View, stage: Stage, *, alone: bool, most: float = 2.4) -> list[Block]:
    """Who claims, with the pile beside it, and the claim in large letters; one line where there is no more room.

    ``alone``: nothing stands below it.
    """
    if view.claim is None:
        return headline_blocks(view, stage, view.headline)
    seat, count, rank = view.claim
    name, claim = name_in(view, stage, seat), stage.words.claim(count, rank)
    if stage.letters.width(f"{name}: {claim}", stage.unit) <= stage.inner.w and stage.low and not alone:
        return headline_blocks(view, stage, ("{name}: {claim}", {"name": name, "claim": claim}), most=most)
    if stage.low and stage.frame.wide and not alone:
        return [line(stage, stage.inner, claim, most=most, align="left")]

    def paint(row: Box) -> Iterable[Widget]:
        room = row
        if stage.frame.wide:
            pile = stage.pile(row, view.pile)
            yield pile
            room = Box(row.x, row.y, row.w - pile.box.w - stage.unit // 2, row.h)
        yield stage.label(room, name, colour=palette.MUTED, align="left", most=1.3)

    return [
        Block(Want(1.1, 1.5), paint, gives_way=6),
        line(stage, stage.inner, claim, most=most, align="left"),
    ]
