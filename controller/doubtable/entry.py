"""The one strip: every choice in every game is a cursor over labels, TAP = next, HOLD = do it.

A game gives a seat's choices as a flat, ordered list, each with the labels that lead to it; the strip shows the
different labels of one step at a time. Inside a chain a step with one label is skipped, but the step that acts always
needs its HOLD.
"""

from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from doubtable.games.base import Act, Choice, Strip


class Entry(msgspec.Struct, frozen=True):
    """Where a seat stands on its strip: the step's key, the labels chosen so far, and the cursor.

    ``label`` is the one under the cursor, which stays on it when others come or go.
    """

    key: str = ""
    chosen: tuple[str, ...] = ()
    cursor: int = 0
    label: str = ""


class Item(NamedTuple):
    """One label of a step; ``choice`` when a HOLD on it acts, None when it leads on."""

    label: str
    choice: Choice | None


def items(strip: Strip, chosen: tuple[str, ...] = ()) -> tuple[Item, ...]:
    """The labels of the step after ``chosen``, in the game's order."""
    depth = len(chosen)
    found: dict[str, Choice | None] = {}
    for choice in strip.choices:
        if len(choice.path) > depth and choice.path[:depth] == chosen:
            found.setdefault(choice.path[depth], choice if len(choice.path) == depth + 1 else None)
    return tuple(Item(label, choice) for label, choice in found.items())


def current(entry: Entry, strip: Strip) -> Entry:
    """``entry`` if it is of this step and what was chosen is still there, else the strip's beginning."""
    shown = items(strip, entry.chosen) if entry.key == strip.key else ()
    if not shown:
        entry = _skip(Entry(strip.key), strip)
        shown = items(strip, entry.chosen)
    labels = [item.label for item in shown]
    place = entry.cursor if entry.cursor < len(labels) else 0
    if entry.label in labels:
        place = labels.index(entry.label)
    if (place, labels[place]) == (entry.cursor, entry.label):
        return entry
    return replace(entry, cursor=place, label=labels[place])


def _skip(entry: Entry, strip: Strip) -> Entry:
    shown = items(strip, entry.chosen)
    while len(shown) == 1 and shown[0].choice is None:
        entry = Entry(entry.key, (*entry.chosen, shown[0].label))
        shown = items(strip, entry.chosen)
    return entry


def under_cursor(entry: Entry, strip: Strip) -> Item:
    """The item that a HOLD would do."""
    return items(strip, entry.chosen)[entry.cursor]


def tap(entry: Entry, strip: Strip) -> tuple[Entry, Act | None]:
    """The next label, the first after the last; the act when the label acts by being entered."""
    shown = items(strip, entry.chosen)
    place = (entry.cursor + 1) % len(shown)
    moved = replace(entry, cursor=place, label=shown[place].label)
    choice = shown[place].choice
    return moved, choice.act if choice is not None and choice.enter else None


def hold(entry: Entry, strip: Strip) -> tuple[Entry, Act | None]:
    """The act under the cursor, or one step further in a chain."""
    item = under_cursor(entry, strip)
    if item.choice is None:
        return _skip(Entry(entry.key, (*entry.chosen, item.label)), strip), None
    return entry, item.choice.act
