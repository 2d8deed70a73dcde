"""What an electrical rule says: a figure against its limit, with a verdict and a way out."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from workshop.builds import Build

Verdict = Literal["ok", "warning", "fault"]


@dataclass(frozen=True)
class Finding:
    """``place`` names seat, line or rail; ``found`` stands against ``limit``.

    A fault harms a part, or lets presses be read wrongly; a warning works, but you will see it.
    """

    place: str
    found: str
    limit: str
    verdict: Verdict = "ok"
    way_out: str = ""

    def __str__(self) -> str:
        line = f"{self.verdict}: {self.place}: {self.found} (allowed: {self.limit})"
        return f"{line}; {self.way_out}" if self.way_out else line


Rule = Callable[[Build], Iterator[Finding]]


def fault(place: str, found: str, limit: str, way_out: str) -> Finding:
    return Finding(place, found, limit, "fault", way_out)


def warning(place: str, found: str, limit: str, way_out: str) -> Finding:
    return Finding(place, found, limit, "warning", way_out)


def judged(ok: bool, place: str, found: str, limit: str, way_out: str) -> Finding:
    """ok or a fault; the way out is said with the fault only."""
    return Finding(place, found, limit) if ok else fault(place, found, limit, way_out)
