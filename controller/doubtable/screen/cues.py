"""Which sounds go with what has happened: from two views and the events between them, and from nothing hidden (pure).

Every cue has a twin that is seen, on a lamp or on the screen, so nobody misses anything who cannot hear.
"""

from collections.abc import Iterable

import msgspec

from doubtable.events import Event
from doubtable.view import StripView, View

NONE = "-"
TOO_EARLY = ("early", "locked_out")
WINDOWS = ("window", "last_call", "rounds")


class Cue(msgspec.Struct, frozen=True):
    """A sound of sounds.SOUNDS, or "counted" with the card's number."""

    name: str
    number: int = 1


def cues(before: View | None, after: View, events: Iterable[Event] = ()) -> tuple[Cue, ...]:
    """The sounds that begin when ``after`` follows ``before``; ``events`` are those in between."""
    if before is None:
        return ()
    made = [*_deal(before, after), *_race(before, after), *_reveal(before, after), *_end(before, after)]
    return tuple(made or _strips(before, after, events))


def beats(view: View) -> bool:
    """Whether the heart beats: the packet is being fetched and no card has been shown."""
    return view.scene == "reveal" and not view.cards


def _deal(before: View, after: View) -> Iterable[Cue]:
    opened = before.scene not in (*WINDOWS, "press_again")
    claimed = after.claim is not None and after.scene in WINDOWS and (opened or before.claim != after.claim)
    declared = after.declaration is not None and after.declaration != before.declaration
    if claimed or declared:
        yield Cue("lock")
    if ("LAST ROUND", {}) in after.notices and ("LAST ROUND", {}) not in before.notices:
        yield Cue("bell")


def _race(before: View, after: View) -> Iterable[Cue]:
    duel = after.scene == "duel" and after.finish and not before.finish
    if duel or (_doubter(after) and not _doubter(before)):
        yield Cue("doubt")
    if after.scene == "press_again" and before.scene != "press_again":
        yield Cue("press_again")
    early = {seat.seat for seat in before.seats if seat.void in TOO_EARLY and seat.lamp == "dark"}
    if any(seat.void in TOO_EARLY and seat.lamp == "dark" and seat.seat not in early for seat in after.seats):
        yield Cue("too_early")


def _reveal(before: View, after: View) -> Iterable[Cue]:
    if len(after.cards) > len(before.cards) and after.cards[-1][1]:
        yield Cue("counted", len(after.cards))
    if after.scene == "any_more" and before.scene != "any_more":
        yield Cue("any_more")
    if after.verdict is not None and after.verdict != before.verdict:
        yield Cue("true" if after.verdict[2] else "false")


def _end(before: View, after: View) -> Iterable[Cue]:
    if after.scene == "over" and before.scene != "over":
        yield Cue("win")


def _strips(before: View, after: View, events: Iterable[Event]) -> Iterable[Cue]:
    """A strip that has come round to none buzzes; any other tap on a strip is a soft tick, even one without effect."""
    old = {strip.seat: strip for strip in before.strips}
    for strip in after.strips:
        was = old.get(strip.seat)
        if was is not None and was.labels == strip.labels and _at_none(strip) and not _at_none(was):
            yield Cue("low_buzz")
            return
    tapped = {each.facts["seat"] for each in events if each.name == "tap"}
    if any(strip.seat in tapped for strip in (*before.strips, *after.strips)):
        yield Cue("tick")


def _at_none(strip: StripView) -> bool:
    return bool(strip.labels) and strip.labels[strip.cursor] == NONE


def _doubter(view: View) -> bool:
    return any("doubter" in seat.roles for seat in view.seats)
