"""What a value on the command line can be. Each raises argparse's own error, in words, for what it cannot be."""

import argparse
from pathlib import Path

MOST = 2**63 - 1  # the journal keeps numbers in 64 bits


def a_path(text: str) -> Path:
    """A file's or folder's name. An empty one would be the folder that one is in."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return Path(text)


def whole_number(text: str) -> int:
    """A whole number of 64 bits, as the journal keeps them."""
    try:
        number = int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no whole number") from error
    if abs(number) > MOST:
        raise argparse.ArgumentTypeError(f"{text[:40]} is too large")
    return number


def one_or_more(text: str) -> int:
    """A whole number from 1 on."""
    number = whole_number(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not possible: 1 or more")
    return number


def seconds(text: str) -> float:
    """A time in s from 0 on."""
    try:
        number = float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no number of seconds") from error
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text[:40]} is not possible: 0 or more")
    return number
