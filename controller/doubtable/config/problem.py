"""What is wrong with a configuration: one value per fault, all faults in one error."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

import msgspec


class Problem(msgspec.Struct, frozen=True, order=True):
    """One fault: its key path ("seats.3.button") or place ("line 3, column 7"), what is wrong, and the way out."""

    key: str
    what: str
    hint: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.key, self.what, self.hint) if part)


class ConfigError(ValueError):
    """A configuration that cannot be used, with every problem that was found in it."""

    def __init__(self, path: Path, problems: Sequence[Problem]) -> None:
        self.path = path
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{path}: {problem}" for problem in self.problems))

    def told(self) -> str:
        """What a command says of it on stderr: a line for each problem, each with the program's name before it."""
        return "\n".join(f"doubtable: {self.path}: {problem}" for problem in self.problems)


def shown(value: object) -> str:
    """``value`` as a table.toml writes it, cut to what fits into a line of error."""
    if isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, str):
        text = f'"{value}"' if value.isprintable() else f'"{value.encode("unicode_escape").decode("ascii")}"'
    elif isinstance(value, int) and abs(value) >= 10**30:
        text = "a number of more than 30 digits"
    elif isinstance(value, dict):
        text = "a section"
    elif isinstance(value, list):
        text = "a list"
    else:
        text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def closest(name: str, known: Iterable[str]) -> str | None:
    """The one of ``known`` that ``name`` was most likely meant to be, or None: no word is better than a wrong one."""
    found = get_close_matches(name.lower(), list(known), n=1, cutoff=0.65)
    return found[0] if found else None


def choice(value: object, known: Iterable[str]) -> str:
    """The hint for a value that is none of ``known``: the closest one, or all."""
    names = list(known)
    found = closest(value, names) if isinstance(value, str) else None
    rest = f"one of {', '.join(names)}"
    return f"do you mean {found}? It is {rest}" if found else f"write {rest}"
