"""House rules: what an option of a game is, and what is said of one that does not exist."""

from typing import NamedTuple

YES_NO = (False, True)


class OptionError(ValueError):
    """An unknown game or option, or a value that it does not have. Names the option and its values."""


class Option(NamedTuple):
    """A house rule: its default, its values (or least and most), a sentence on it, and the lobby's help line.

    ``help``: at most two lines of 17 characters. ``offered``: the values on the lobby's strip, if not all.
    """

    default: object
    values: tuple[object, ...] | range
    line: str
    help: str
    offered: tuple[object, ...] = ()

    def check(self, name: str, value: object) -> object:
        """``value`` if the option has it; OptionError otherwise. 7.0 and true equal 7 and 1, but are none of these."""
        known = type(value) is type(self.default) and value in self.values
        if not known:
            text = (
                f"{self.values[0]} to {self.values[-1]}"
                if isinstance(self.values, range)
                else ", ".join(str(each).lower() if isinstance(each, bool) else str(each) for each in self.values)
            )
            raise OptionError(f"option {name} {value!r} does not exist: {text}")
        return value
