"""What a doctor finds: one value per finding, and how people and programs read it."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

State = Literal["ok", "warning", "fault", "unknown"]
STATES: tuple[State, ...] = ("ok", "warning", "fault", "unknown")
WIDTH = max(map(len, STATES)) + 2


class Finding(msgspec.Struct, frozen=True):
    """One finding. ``name`` is what --only takes, ``about`` which one of several ("seat 3, GPIO6"), ``todo`` the way
    out: empty when there is nothing to do.

    *unknown* is what could not be told here, and never a guess; a *fault* keeps the table from working as configured.
    """

    name: str
    state: State
    what: str
    todo: str = ""
    about: str = ""

    def lines(self, names: int) -> list[str]:
        """The finding for people; ``names`` is the width of the longest name."""
        head = f"{self.about}: {self.what}" if self.about else self.what
        first = f"{self.state:<{WIDTH}}{self.name:<{names}}  {head}"
        return [first, *([f"{'':<{WIDTH + names}}  -> {self.todo}"] if self.todo else [])]


def counted(findings: Iterable[Finding]) -> dict[State, int]:
    """How many findings there are of each state."""
    states = [each.state for each in findings]
    return {state: states.count(state) for state in STATES}


def summary(findings: Sequence[Finding]) -> str:
    """The last line: "1 fault, 2 warnings, 3 unknown, 9 ok"."""
    number = counted(findings)
    faults, warnings = number["fault"], number["warning"]
    parts = (f"{faults} fault{'s' * (faults != 1)}", f"{warnings} warning{'s' * (warnings != 1)}")
    return ", ".join((*parts, f"{number['unknown']} unknown", f"{number['ok']} ok"))


def to_json(findings: Sequence[Finding], head: dict[str, Any]) -> str:
    """The findings as one JSON object, for programs: ``head``, then ``findings`` and how many of each state."""
    return msgspec.json.format(
        msgspec.json.encode({**head, "counts": counted(findings), "findings": findings}), indent=1
    ).decode()
