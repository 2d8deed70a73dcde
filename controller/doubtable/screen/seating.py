"""The seats on the picture: plates with numbers and lamps, marks, votes, names."""

from collections.abc import Iterable

from doubtable.screen.blocks import Text
from doubtable.screen.board import Widget
from doubtable.screen.motion import MS, filled
from doubtable.screen.sizes import Box
from doubtable.screen.stage import Stage
from doubtable.screen.widgets import Mark, Plate
from doubtable.screen.words import signed
from doubtable.view import SeatView, View

LOBBY_SCENES = ("lobby", "choose", "countdown")
DEAL_SCENES = ("deal",)  # where it matters who deals
MARKS = ("claimant", "doubter", "turn", "next", "dealer")  # the first that a seat has is shown
VOTE_SIGNS = {"YES": "✓", "TRUE": "✓", "NO": "✗", "LIE": "✗"}


def seats(view: View, ns: int, stage: Stage) -> Iterable[Widget]:
    """The map: plates with numbers and lamps, marks, and on an upright picture the pile in its middle."""
    words = [_word(view, seat) for seat in view.seats]
    places = [stage.frame.map.place(seat.seat) for seat in view.seats]
    high = places[0].plate.h * 88 // 100
    rooms = [(place.plate.w - stage.unit // 7, high) for place in places]
    capital = min(
        (
            stage.letters.setting(word, room, (stage.unit // 3, high)).capital
            for word, room in zip(words, rooms, strict=True)
        ),
        default=high,
    )
    for seat, place, word, room in zip(view.seats, places, words, rooms, strict=True):
        setting = stage.letters.setting(word, room, (capital, capital))
        occupied = seat.occupied or view.scene in LOBBY_SCENES
        quiet = (seat.place > 0 and view.scene != "over") or not seat.occupied
        yield Plate(place.plate, setting, seat.lamp, occupied, quiet, filled(view, seat.seat, ns))
        mark = _mark(view, seat)
        if mark:
            yield Mark(place.mark, place.side, mark)
    if not stage.frame.wide and view.pile:
        middle = stage.frame.map.middle
        high = min(middle.h, 3 * stage.unit // 2)
        row = Box(middle.x, middle.centre[1] - high // 2, middle.w, high).inset(stage.unit // 3, 0)
        yield stage.pile(row, view.pile, centred=True)


def _mark(view: View, seat: SeatView) -> str:
    """What a seat is marked as: the first that it is; in a reveal the one whose cards they are is still marked."""
    roles, marks = seat.roles, MARKS if view.scene in DEAL_SCENES else MARKS[:-1]
    if view.phase == "reveal" and view.claim is not None and view.claim[0] == seat.seat:
        roles = (*roles, "claimant")
    return next((role for role in marks if role in roles), "")


def _word(view: View, seat: SeatView) -> str:
    vote = _vote(view, seat.seat)
    if vote:
        return vote
    if view.scene in LOBBY_SCENES:
        return str(seat.seat)
    if view.scene == "over":
        return str(seat.score) if view.penalty else signed(seat.score)
    if view.penalty:
        return str(seat.score)
    if seat.place:
        return f"{seat.place}."
    return str(seat.count if any(each.count for each in view.seats) else seat.score)


def _vote(view: View, seat: int) -> str:
    """In a vote: what this seat's cursor is on, as a sign."""
    strip = next((each for each in view.strips if each.seat == seat), None)
    if strip is None or not is_vote(view):
        return ""
    return VOTE_SIGNS.get(strip.labels[strip.cursor], "…")


def is_vote(view: View) -> bool:
    """Whether all who have a strip are asked the same question."""
    labels = {strip.labels for strip in view.strips}
    return len(view.strips) > 1 and len(labels) == 1 and not VOTE_SIGNS.keys().isdisjoint(*labels)


def voids(view: View) -> list[Text]:
    """A press that did not count, in words: the twin of the thud and the dark lamp."""
    said_of = {"early": "{name}: TOO EARLY", "locked_out": "{name}: TOO EARLY", "late": "{name}: TOO LATE"}
    return [(said_of[seat.void], {"name": name_of(view, seat.seat)}) for seat in view.seats if seat.void in said_of]


def margin(offset: int, stage: Stage) -> str:
    """Milliseconds to read, of an offset in ns: whole ones from 10 on, tenths below, hundredths below one."""
    if offset >= 10 * MS:
        return str(round(offset / MS))
    text = f"{offset / MS:.1f}" if offset >= MS else f"{offset / MS:.2f}"
    return stage.words.decimal(text)


def name_of(view: View, seat: int) -> str | Text:
    """A seat's name, or the text for its number."""
    return view.seats[seat - 1].name or ("SEAT {seat}", {"seat": seat})


def name_in(view: View, stage: Stage, seat: int) -> str:
    """A seat's name in capitals."""
    return stage.words.say("{name}", {"name": name_of(view, seat)})
