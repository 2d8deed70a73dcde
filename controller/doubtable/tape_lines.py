"""One line of a tape to one input, and every way in which it can be wrong."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from doubtable.cards import Card, CardError
from doubtable.games import GAMES
from doubtable.inputs import (
    DEFAULT_SOURCE,
    CardShown,
    Device,
    Do,
    Edge,
    Input,
    InputError,
    Levels,
    Order,
    Restart,
    Serial,
    Source,
    TagGone,
    TagSeen,
    Time,
)
from doubtable.timing import MS, TimeError, to_ns

Line = Mapping[str, Any]
ORDERS = ("set_hands", "undo", "card", "remove", "skip", "new_game", "opening", "closing", "closed")
ACTS = (
    *("claim", "correct", "wrong_rank", "doubt", "start", "let_go", "give_in", "declare", "accept", "liar", "draw"),
    *("show", "give_up", "lead", "play", "pass", "win", "volunteer", "leave", "sit", "dealt", "agree", "vote", "pause"),
    *("go_on", "no_cards", "undo_doubt", "gone", "call"),
)


MOST = 2**63 - 1
"""What a whole number of a tape is at most: a time in ns of 292 years. The journal keeps numbers in 64 bits."""


def ns_of(value: object, unit: int, name: str) -> int:
    """``to_ns``, and at most MOST. Raises TimeError."""
    if isinstance(value, int | Decimal) and Decimal(value).is_finite() and value > MOST // unit:
        raise TimeError(f"{name} is too large: at most {MOST // unit} (292 years)")
    return to_ns(value, unit, name)


def stamp_of(line: Line) -> int | None:
    """The line's time in ns, or None. Raises TimeError."""
    if "ns" in line and "ms" in line:
        raise TimeError("a line has one time, ns or ms")
    if "ns" in line:
        return ns_of(line["ns"], 1, "ns")
    return ns_of(line["ms"], MS, "ms") if "ms" in line else None


def input_of(line: Line, ns: int, seats: int) -> Input:
    """The input on ``line``, stamped ``ns``, at a table of ``seats`` seats. Raises InputError, CardError
    or TimeError.
    """
    kinds = [kind for kind in READ if kind in line]
    if kinds[:1] == ["edge"]:  # an edge may name its source
        kinds = kinds[:1] + [kind for kind in kinds[1:] if kind != "source"]
    if not kinds:
        rest = set(line) - {"ns", "ms", "about"}
        if rest:
            raise InputError(f"unknown line {sorted(rest)}: one of {', '.join(READ)}, or only a time")
        return Time(ns)
    if len(kinds) > 1:
        raise InputError(f"a line holds one thing, not {' and '.join(kinds)}")
    return READ[kinds[0]](line, ns, seats)


def _whole(value: object, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{what} {value!r} is not a whole number")
    return value


def _number(value: object, what: str) -> int:
    number = _whole(value, what)
    if abs(number) > MOST:
        raise InputError(f"{what} is too large: at most {MOST}")
    return number


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{what} {value!r} is not a text")
    return value


def seat_of(value: object, seats: int) -> int:
    """A seat number from 1 to ``seats``."""
    seat = _whole(value, "seat")
    if not 1 <= seat <= seats:
        raise InputError(f"seat {seat} does not exist: 1 to {seats}")
    return seat


def _level(value: object) -> int:
    if value not in (0, 1) or isinstance(value, bool):
        raise InputError(f"level {value!r} is neither 0 (up) nor 1 (down)")
    return _number(value, "level")


def _edge(line: Line, ns: int, seats: int) -> Input:
    pair = line["edge"]
    if not isinstance(pair, list) or len(pair) != 2:
        raise InputError(f"edge {pair!r} is not [seat, level]")
    seq = line.get("seq")
    return Edge(
        ns,
        seat_of(pair[0], seats),
        _level(pair[1]),
        _text(line.get("source", DEFAULT_SOURCE), "source"),
        None if seq is None else _number(seq, "seq"),
        _uncertainty(line),
    )


def _uncertainty(line: Line) -> int:
    return ns_of(line.get("uncertainty_us", 0), 1000, "uncertainty_us")


def _levels(line: Line, ns: int, seats: int) -> Input:
    given = line["levels"]
    if not isinstance(given, dict):
        raise InputError('levels are {"seat": level, ...}')
    levels = {}
    for seat, level in given.items():
        if not str(seat).isdecimal() or len(seat) > len(str(MOST)):
            raise InputError(f"seat {seat[:24]!r} is no number of a seat")
        levels[seat_of(int(seat), seats)] = _level(level)
    return Levels(ns, levels)


def _serial(line: Line, ns: int, seats: int) -> Input:
    try:
        return Serial(ns, bytes.fromhex(_text(line["serial"], "serial")))
    except ValueError as error:
        raise InputError(f"serial {line['serial']!r} is no row of two-digit hex bytes") from error


def _card(line: Line, key: str = "card") -> Card:
    return Card.parse(line[key], line.get("pack", 1))


def _do(line: Line, ns: int, seats: int) -> Input:
    given = line["do"]
    if not isinstance(given, dict) or "seat" not in given or "act" not in given:
        raise InputError('do is {"seat": ..., "act": ...}')
    act = _text(given["act"], "act")
    own = {name for game in GAMES.values() for name in game.acts if name not in ORDERS}
    if act not in ACTS and act not in own:
        raise InputError(f"act {act!r} does not exist: one of {', '.join(ACTS)}")
    facts: dict[str, Any] = {}
    for key, value in given.items():
        if key in ("count", "of"):
            facts[key] = _number(value, key)
        elif key in ("rank", "hand"):
            facts[key] = _text(value, key)
        elif key not in ("seat", "act"):  # what a seat agrees to or votes, under whatever name
            facts["says"] = {True: "yes", False: "no"}[value] if isinstance(value, bool) else _text(value, key)
    return Do(ns, seat_of(given["seat"], seats), act, **facts)


def _order(line: Line, ns: int, seats: int) -> Input:
    given = line["order"]
    if not isinstance(given, dict) or given.get("act") not in ORDERS:
        raise InputError(f'order is {{"act": ...}} with one of {", ".join(ORDERS)}')
    hands = given.get("hands")
    if hands is not None and not isinstance(hands, list):
        raise InputError(f"hands {hands!r} are no list of counts")
    order = Order(
        ns,
        given["act"],
        None if hands is None else tuple(_number(count, "count") for count in hands),
        _card(given) if "card" in given else None,
        seat_of(given["seat"], seats) if "seat" in given else None,
    )
    needs = {"set_hands": order.hands, "card": order.card, "remove": order.seat}
    if needs.get(order.act, "") is None:
        raise InputError(f"order {order.act} says nothing of what: hands, card or seat")
    return order


def _source(line: Line, ns: int, seats: int) -> Input:
    return Source(ns, _text(line["source"], "source"), _up(line), _uncertainty(line))


def _device(line: Line, ns: int, seats: int) -> Input:
    return Device(ns, _text(line["device"], "device"), _up(line))


def _up(line: Line) -> bool:
    if not isinstance(line.get("up"), bool):
        raise InputError("up is true or false")
    return bool(line["up"])


def _restart(line: Line, ns: int, seats: int) -> Input:
    given = line["restart"]
    if not isinstance(given, dict) or "gap_ms" not in given:
        raise InputError('restart is {"gap_ms": ...}')
    return Restart(ns, ns_of(given["gap_ms"], MS, "gap_ms"))


READ: dict[str, Callable[[Line, int, int], Input]] = {
    "edge": _edge,
    "levels": _levels,
    "serial": _serial,
    "tag": lambda line, ns, seats: TagSeen(ns, _text(line["tag"], "tag")),
    "tag_gone": lambda line, ns, seats: TagGone(ns, _text(line["tag_gone"], "tag_gone")),
    "card": lambda line, ns, seats: CardShown(ns, _card(line)),
    "do": _do,
    "order": _order,
    "source": _source,
    "device": _device,
    "restart": _restart,
}

BAD_LINE = (InputError, CardError, TimeError)


class Exact(Decimal):
    """A number as its tape writes it, in words about it too."""

    __repr__ = Decimal.__str__


def number_of(text: str) -> int | Decimal:
    """A JSON number without rounding: what is no whole number stays a Decimal."""
    return Exact(text)
