"""What the core says: one event per thing that happened, in the order in which it was decided.

``ns`` is the stamp of what happened (nanoseconds of the table's monotonic clock), not the time of the decision. The
names and keys are those of a tape's output and keep their meaning; keys may be added.
"""

from typing import Any

import msgspec

# Every event with the keys it always has. Other keys may come with it.
KEYS: dict[str, tuple[str, ...]] = {
    "press": ("seat",),
    "release": ("seat",),
    "tap": ("seat",),
    "hold": ("seat",),
    "noise": ("seat",),
    "stuck": ("seat",),
    "unstuck": ("seat",),
    "late_edge": ("seat",),
    "gap": ("lost",),
    "repeats": ("seat", "count"),
    "read_levels": (),
    "deal": ("hands",),
    "turn": ("seat",),
    "claim": ("seat", "count", "rank"),
    "corrected": ("seat", "count", "rank"),
    "window": ("state",),
    "void": ("seat", "why"),
    "doubt": ("seat", "of", "tie", "race"),
    "press_again": ("why",),
    "tag": ("id", "card"),
    "reveal": ("card", "ok"),
    "missing": ("count",),
    "elsewhere": ("card",),
    "verdict": ("of", "doubter", "true", "takes", "cards"),
    "hands": ("hands", "pile"),
    "declare": ("seat", "hand", "index"),
    "accept": ("seat",),
    "draw": ("seat", "count"),
    "liar": ("seat", "of"),
    "proved": ("seat",),
    "gave_up": ("seat",),
    "point": ("seat", "points"),
    "lead": ("seat", "rank"),
    "play": ("seat",),
    "pass": ("seat",),
    "stack_out": ("cards",),
    "showing": ("seat",),
    "win": ("seat",),
    "over": ("scores",),
    "refused": ("seat", "why"),
    "last_round": (),
    "lobby": ("seated",),
    "countdown": ("game", "options", "starts"),
    "practised": ("seat",),
    "sit": ("seat", "sits"),
    "menu": ("seat",),
    "ask": ("seat", "act"),
    "vote": ("seat", "yes"),
    "pause": ("seat",),
    "go_on": ("seat",),
    "parked": (),
    "opening": (),
    "closing": (),
    "closed": (),
    "waiting": ("seat",),
    "call": ("seat",),
    "agree": (),
    "agreed": ("seat", "true"),
    "cut": ("record",),
    "fault": ("device", "what"),
    "fixed": ("device", "what"),
}


class Event(msgspec.Struct, frozen=True):
    """One thing that happened: its name, its stamp in ns, and its facts by key."""

    name: str
    ns: int
    facts: dict[str, Any] = {}

    def to_line(self) -> dict[str, Any]:
        """The event as the object that ``doubtable replay`` prints on one line."""
        line: dict[str, Any] = msgspec.to_builtins({"event": self.name, "ns": self.ns, **self.facts}, str_keys=True)
        return line


def event(name: str, ns: int, **facts: Any) -> Event:
    """An event with its facts; a missing key of KEYS is our own mistake and raises TypeError.

    A name outside KEYS is a game's own, which no tape of another game knows.
    """
    for key in KEYS.get(name, ()):
        if key not in facts:
            raise TypeError(f"event {name} lacks {key}")
    return Event(name, ns, facts)
