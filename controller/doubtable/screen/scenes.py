"""The picture of a view: the seats all round, what is going on in the middle, one line of help.

A scene is a function of the view, the time and the stage; nothing is remembered. Scenes that have no picture of their
own (a new game's, say) are shown by headline, strip and pile.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from doubtable.screen import pages, palette
from doubtable.screen.blocks import STAYS, Block, Text, badge, fill, lesson, line, notice, said
from doubtable.screen.board import Widget
from doubtable.screen.motion import (
    HOLD_SEEN,
    HOLD_STEPS,
    PICTURE_NS,
    RING_STEPS,
    SECOND,
    TURN_NS,
    WINDOW_SCENES,
    left,
    next_step,
    takes_turn,
)
from doubtable.screen.scene_blocks import claim_blocks, headline_blocks, strip_blocks, strip_shown
from doubtable.screen.seating import margin, name_in, name_of, seats, voids
from doubtable.screen.sizes import Box
from doubtable.screen.stage import FINISH_ROW, Stage, Want
from doubtable.view import View

CLAIMED = "{name}: {claim}"
PROPOSED = "START"  # the label that starts what the table proposes


def draw(view: View, ns: int, stage: Stage, marks: Sequence[Text] = ()) -> tuple[Widget, ...]:
    """Everything that a view shows at ``ns``. ``marks`` are words of the shell's own, such as NOT SAVED."""
    whole = pages.after_the_deal(view, ns, stage) if view.scene == "over" else PAGES.get(view.scene)
    if whole is not None:
        turn = view.notices if takes_turn(ns) else ()
        told = next(iter((*marks, *turn, *(voids(view) if view.scene == "duel" else ()))), None)
        if view.scene == "service":  # it has a headline, and no help line
            return pages.service(view if told is None else replace(view, headline=told), ns, stage)
        shown = view if told is None else replace(view, help=told)
        band = stage.help(*shown.help, urgent=told is not None) if shown.help[0] else ()
        return (*whole(shown, ns, stage), *band)
    middle = list(MIDDLES.get(view.scene, generic)(view, ns, stage))
    key: str = _minutes(view, ns, stage) or view.help[0]
    values: Mapping[str, object] = view.help[1]
    if _beside_help(view, stage) and takes_turn(ns):
        key, values = view.headline
    urgent = next(iter((*marks, *view.notices, *voids(view))), None)
    if urgent is not None:
        block = None if urgent in voids(view) else notice(stage, urgent, middle)
        if block is not None:
            middle.append(block)
        elif urgent not in view.notices or takes_turn(ns):  # no room on a small screen: in the help line's place
            key, values = urgent
    outline = stage.outline(left(view, ns)) if view.scene in WINDOW_SCENES else ()
    return (
        *outline,
        *seats(view, ns, stage),
        *fill(stage, stage.inner, middle),
        *stage.help(key, values, urgent=(key, values) == urgent),
    )


def next_change(view: View, ns: int) -> int | None:
    """When the picture of this view next changes by time alone, in ns; None when it does not."""
    times: list[int | None] = []
    if view.notices or view.scene in ("choose", "waiting", "prove"):
        times.append(ns - ns % TURN_NS + TURN_NS)
    if view.scene in ("attract", "over", "match"):
        times.append(ns - ns % PICTURE_NS + PICTURE_NS)
    if view.window is not None:
        start, end = view.window
        if view.scene in WINDOW_SCENES:
            times.append(next_step(ns, start, end, RING_STEPS))
        elif view.scene == "countdown" and ns < end:
            times.append(end - (end - ns - 1) // SECOND * SECOND)
    for hold in view.holds:
        seen = hold.press + HOLD_SEEN
        times.append(seen if ns < seen else next_step(ns, hold.press, hold.fires, HOLD_STEPS))
    return min((time for time in times if time is not None), default=None)


# Scenes -------------------------------------------------------------------------------------------------------------


def generic(view: View, ns: int, stage: Stage) -> list[Block]:
    """A headline, the strip, the pile: enough for any game."""
    tip = [] if view.tip is None else [said(stage, stage.inner, view.tip, most=1.0, gives_way=9)]
    strip = strip_shown(view)
    headline = headline_blocks(view, stage, _spoken(view, stage))
    if _beside_help(view, stage):
        headline = []
    if view.scene == "choose":
        headline = _proposal(view, stage)
    if view.scene == "waiting" and view.due is not None:
        headline.append(said(stage, stage.inner, ("RANK", {"rank": view.due, "count": 2}), most=1.4, gives_way=8))
    # What was chosen on the way stands for the headline where room is short; a menu's owner has the one lit lamp, and
    # a declaration's strip has only what is higher.
    if strip is not None and strip.chosen and stage.low:
        headline = []
    if (strip is not None and strip.chosen) or view.scene in ("menu", "declare"):
        headline = [replace(block, gives_way=max(block.gives_way, 3)) for block in headline]
    return [*headline, *strip_blocks(view, ns, stage), *tip]


def _proposal(view: View, stage: Stage) -> list[Block]:
    """What START starts and how long it takes (on a small screen: only what); it gives way to a choice."""
    strip = strip_shown(view)
    if strip is not None and (strip.chosen or strip.labels[strip.cursor] != PROPOSED):
        return []
    if not stage.low:
        return [said(stage, stage.inner, view.headline, most=1.8, gives_way=3)]
    return [line(stage, stage.inner, _parts(view, stage)[0].removesuffix(":"), most=1.4, gives_way=3)]


def _parts(view: View, stage: Stage) -> list[str]:
    key, values = view.headline
    return stage.words.say(key, values).split("\n")


def _minutes(view: View, ns: int, stage: Stage) -> str:
    """On a small screen: how long what START starts takes, when it is its turn in the help line's place; "" if not."""
    strip = strip_shown(view)
    small = view.scene == "choose" and stage.low
    if not small or strip is None or strip.chosen or strip.cursor or not takes_turn(ns):
        return ""
    return "\n".join(_parts(view, stage)[1:])


def _beside_help(view: View, stage: Stage) -> bool:
    """Whether the headline takes turns with the help line: the middle has room for the strip alone (a headline of two
    lines), or for strip and cards (what they are to prove).
    """
    crowded = view.scene == "waiting" or (view.scene == "prove" and bool(view.cards))
    return crowded and stage.low and stage.frame.wide and bool(view.strips)


def _spoken(view: View, stage: Stage) -> Text:
    """The headline; a claim or a declaration alone where there is no room for its owner, who is marked on the map."""
    key, values = view.headline
    hand, claim = values.get("hand"), values.get("claim")
    strip = strip_shown(view)
    more = bool(view.cards) or (strip is not None and bool(strip.chosen))
    crowded = stage.low or (more and stage.lines_of(stage.words.say(key, values), stage.inner.w) > 1)
    if isinstance(claim, tuple) and key == CLAIMED:
        wide = stage.lines_of(stage.words.say(key, values), stage.inner.w) > 1
        return claim if stage.low and stage.frame.wide and wide else view.headline
    return hand if stage.frame.wide and crowded and isinstance(hand, tuple) else view.headline


def window(view: View, ns: int, stage: Stage) -> list[Block]:
    """The claim, and what the next seat can choose."""
    strip = strip_blocks(view, ns, stage)
    return [*claim_blocks(view, stage, alone=not strip), *strip]


def press_again(view: View, ns: int, stage: Stage) -> list[Block]:
    """PRESS AGAIN in large letters over the claim that stands."""
    headline = said(stage, stage.inner, view.headline, most=2.0)
    if view.claim is None:
        return [headline]
    seat, count, rank = view.claim
    claim = {"name": name_of(view, seat), "claim": ("CLAIM", {"count": count, "rank": rank})}
    stands = _spoken(replace(view, headline=(CLAIMED, claim)), stage)
    return [headline, said(stage, stage.inner, stands, most=1.2, gives_way=2)]


def reveal(view: View, ns: int, stage: Stage) -> list[Block]:
    """The photo finish until the first card lies on the reader, then the cards."""
    if view.finish and not view.cards:
        return _finish(view, stage)

    def paint(row: Box) -> Iterable[Widget]:
        shown = [(card[0], card[1], ok) for card, ok in view.cards]
        yield from stage.cards(row, shown, view.wanted)

    return [said(stage, stage.inner, _spoken(view, stage), most=1.3, gives_way=2), Block(Want(1.9, 5.0), paint)]


def prove(view: View, ns: int, stage: Stage) -> list[Block]:
    """A declaration, and the cards that are to prove it: a tick for what goes towards it, no card is wrong alone."""
    blocks = [said(stage, stage.inner, _spoken(view, stage), most=1.3, gives_way=2 if view.cards else 0)]
    if _beside_help(view, stage):
        blocks = []
    if view.cards:

        def paint(row: Box) -> Iterable[Widget]:
            yield from stage.cards(row, [(card[0], card[1], ok or None) for card, ok in view.cards], view.wanted)

        blocks.append(Block(Want(1.9, 5.0), paint))
    return [*blocks, *strip_blocks(view, ns, stage)]


def _finish(view: View, stage: Stage) -> list[Block]:
    first = view.finish[0][0]
    doubter = next((seat.seat for seat in view.seats if "doubter" in seat.roles), first)
    claim = said(stage, stage.inner, _spoken(view, stage), most=1.2, gives_way=5)
    if len(view.finish) == 1:
        word = f"{name_in(view, stage, doubter)}: {stage.words.house_word.upper()}"
        return [line(stage, stage.inner, word, most=2.0, colour=palette.LAMP), claim]
    if view.tied:
        said_so: Text = ("TOO CLOSE!\nNEAREST: {name}", {"name": name_of(view, doubter)})
    else:
        by = view.finish[1][1] - view.finish[0][1]
        said_so = ("{name} FIRST\nBY {ms} MS", {"name": name_of(view, doubter), "ms": margin(by, stage)})
    key, values = said_so
    one_line = stage.words.say(key, values).replace("\n", " ")
    short = stage.letters.width(one_line, stage.unit) <= stage.inner.w
    headline = line(stage, stage.inner, one_line, most=1.3) if short else said(stage, stage.inner, said_so, most=1.3)
    longest = max(offset for _, offset in view.finish) or 1

    def paint(row: Box) -> Iterable[Widget]:
        ordered = sorted(view.finish, key=lambda each: (each[0] != doubter, each[1]))
        rows = [
            (name_in(view, stage, seat), f"+{margin(offset, stage)}" if offset else "0", offset * 1000 // longest)
            for seat, offset in ordered
        ]
        yield from stage.finish(row, rows, min(1000, view.tie * 1000 // longest))

    room = stage.inner.h / stage.unit - headline.want.least
    roomy = 1.15 * FINISH_ROW  # with three rows of them the claim gives way, which the help line repeats
    least = next(
        (count * roomy for count in (3, 2) if len(view.finish) >= count and count * roomy <= room), 2 * FINISH_ROW
    )
    if view.tied and least > room:  # no row fits: how close it was, in a word
        apart = margin(view.finish[1][1] - view.finish[0][1], stage)
        return [headline, line(stage, stage.inner, f"+{apart} MS", most=1.2, gives_way=STAYS), claim]
    return [headline, Block(Want(least, len(view.finish) * 1.7), paint, gives_way=STAYS), claim]


def verdict(view: View, ns: int, stage: Stage) -> list[Block]:
    """True or a lie, and who takes how many cards."""
    if view.verdict is None:
        return generic(view, ns, stage)
    _, _, true, takes, cards = view.verdict
    key, values = view.headline
    taken = f"{name_in(view, stage, takes)} +{cards}"
    blocks = [badge(stage, true, stage.words.say(key, values)), line(stage, stage.inner, taken, most=1.4)]
    winner = view.verdict[0] if true else view.verdict[1]
    for seat, length in view.streaks:
        if seat == winner:
            streak: Text = ("{name}: {count} IN A ROW", {"name": name_of(view, seat), "count": length})
            blocks.append(said(stage, stage.inner, streak, most=1.2, gives_way=7))
    return blocks


def deal(view: View, ns: int, stage: Stage) -> list[Block]:
    """Who deals; the plates show how many cards each must get, and what a lit or hollow button wants of its owner."""
    dealer: Text = ("{name} DEALS", {"name": name_of(view, view.dealer)}) if view.dealer else view.headline
    practising = {seat.lamp for seat in view.seats if seat.seat != view.dealer}
    told = [each for each in (("steady", "SLAP!"), ("pulsing", "TAP TAP, HOLD")) if each[0] in practising]
    headline = said(stage, stage.inner, dealer, most=1.8, gives_way=4 if told else 0)
    both = [lesson(stage, stage.inner, *each, beside=[key for _, key in told]) for each in told]
    if len(both) > 1 and sum(block.want.least for block in (headline, *both)) * stage.unit > stage.inner.h:
        both = [lesson(stage, stage.inner, *told[0])]
    return [headline, *both]


def countdown(view: View, ns: int, stage: Stage) -> list[Block]:
    """The game that is about to begin, and the seconds until then."""
    blocks = [said(stage, stage.inner, view.headline, most=1.6)]
    if view.window is not None:
        seconds = max(0, -(-(view.window[1] - ns) // SECOND))
        blocks.append(line(stage, stage.inner, str(seconds), most=2.2, colour=palette.LAMP))
    return blocks


def over(view: View, ns: int, stage: Stage) -> list[Block]:
    """Who has won or lost, and what next; the plates show the scores."""
    blocks = [said(stage, stage.inner, view.headline, most=1.2, gives_way=2)]
    told: list[Text] = [("{name} WINS", {"name": name_of(view, winner)}) for winner in view.winners]
    told += [("{name} LOSES", {"name": name_of(view, view.loser)})] if view.loser else []
    if len(told) == 1:
        blocks.append(said(stage, stage.inner, told[0], most=2.2))
    if len(told) == 1 and (stage.low or not stage.frame.wide):
        del blocks[0]  # that somebody won says enough
    return [*blocks, *strip_blocks(view, ns, stage)]


MIDDLES: dict[str, Callable[[View, int, Stage], list[Block]]] = {
    "window": window,
    "last_call": window,
    "press_again": press_again,
    "reveal": reveal,
    "any_more": reveal,
    "prove": prove,
    "win_show": prove,
    "verdict": verdict,
    "over": over,
    "deal": deal,
    "countdown": countdown,
}


PAGES: dict[str, Callable[[View, int, Stage], tuple[Widget, ...]]] = {
    "attract": pages.attract,
    "duel": pages.duel,
    "match": pages.match,
    "service": pages.service,
}
