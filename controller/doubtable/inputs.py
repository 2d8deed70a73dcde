"""What the core is told: facts with a stamp, in the order of their delivery.

Every kind is a frozen value; ``ns`` is its stamp in nanoseconds of the table's one monotonic clock. ``to_line`` gives
the object that stands on one line of a tape (without its time); tape.py reads it back. Seats are numbers from 1.
"""

from typing import Any

import msgspec

from doubtable.cards import Card

DEFAULT_SOURCE = "gpio"


class InputError(ValueError):
    """A tape line or message that is no input, with the reason."""


class Edge(msgspec.Struct, frozen=True, gc=False):
    """A seat's line changed to ``level`` (1 = down) as its source stamped it; ``seq`` is the source's own number."""

    ns: int
    seat: int
    level: int
    source: str = DEFAULT_SOURCE
    seq: int | None = None
    uncertainty: int = 0  # ns

    def to_line(self) -> dict[str, Any]:
        line: dict[str, Any] = {"edge": [self.seat, self.level]}
        if self.seq is not None:
            line["seq"] = self.seq
        if self.source != DEFAULT_SOURCE:
            line["source"] = self.source
        if self.uncertainty:
            micros, rest = divmod(self.uncertainty, 1000)
            line["uncertainty_us"] = micros if not rest else self.uncertainty / 1000
        return line


class Levels(msgspec.Struct, frozen=True):
    """Levels that were read at ``ns``: the answer to ``read_levels``, or what stood at start-up."""

    ns: int
    levels: dict[int, int]

    def to_line(self) -> dict[str, Any]:
        return {"levels": {str(seat): level for seat, level in sorted(self.levels.items())}}


class Serial(msgspec.Struct, frozen=True):
    """Bytes of one read from the card reader."""

    ns: int
    data: bytes

    def to_line(self) -> dict[str, Any]:
        return {"serial": self.data.hex(" ").upper()}


class TagSeen(msgspec.Struct, frozen=True):
    """A tag came onto the reader."""

    ns: int
    id: str

    def to_line(self) -> dict[str, Any]:
        return {"tag": self.id}


class TagGone(msgspec.Struct, frozen=True):
    """A tag left the reader."""

    ns: int
    id: str

    def to_line(self) -> dict[str, Any]:
        return {"tag_gone": self.id}


class CardShown(msgspec.Struct, frozen=True):
    """A card came onto the reader, past the tags."""

    ns: int
    card: Card

    def to_line(self) -> dict[str, Any]:
        return {"card": str(self.card)} | ({"pack": self.card.pack} if self.card.pack != 1 else {})


class Do(msgspec.Struct, frozen=True):
    """A seat's action past the buttons. Unused facts are None."""

    ns: int
    seat: int
    act: str
    count: int | None = None
    rank: str | None = None
    hand: str | None = None
    of: int | None = None
    says: str | None = None

    def to_line(self) -> dict[str, Any]:
        facts = {"count": self.count, "rank": self.rank, "hand": self.hand, "of": self.of, "says": self.says}
        return {"do": {"seat": self.seat, "act": self.act} | {k: v for k, v in facts.items() if v is not None}}


class Order(msgspec.Struct, frozen=True):
    """An attendant's order: set_hands, undo, card, remove, skip, new_game; or the wall clock's: opening, closing,
    closed.
    """

    ns: int
    act: str
    hands: tuple[int, ...] | None = None
    card: Card | None = None
    seat: int | None = None

    def to_line(self) -> dict[str, Any]:
        line: dict[str, Any] = {"act": self.act}
        if self.hands is not None:
            line["hands"] = list(self.hands)
        if self.card is not None:
            line["card"] = str(self.card)
            if self.card.pack != 1:
                line["pack"] = self.card.pack
        if self.seat is not None:
            line["seat"] = self.seat
        return {"order": line}


class Source(msgspec.Struct, frozen=True):
    """A source of edges came (``up``) or went."""

    ns: int
    source: str
    up: bool
    uncertainty: int = 0  # ns

    def to_line(self) -> dict[str, Any]:
        return {"source": self.source, "up": self.up} | (
            {"uncertainty_us": self.uncertainty // 1000} if self.uncertainty else {}
        )


class Device(msgspec.Struct, frozen=True):
    """A device that is no source of edges (the reader, the screen) came or went."""

    ns: int
    device: str
    up: bool

    def to_line(self) -> dict[str, Any]:
        return {"device": self.device, "up": self.up}


class Restart(msgspec.Struct, frozen=True):
    """The table went off at ``ns`` and is on again ``gap`` ns later."""

    ns: int
    gap: int

    def to_line(self) -> dict[str, Any]:
        millis, rest = divmod(self.gap, 1_000_000)
        return {"restart": {"gap_ms": millis if not rest else self.gap / 1_000_000}}


class Time(msgspec.Struct, frozen=True):
    """Time has passed: all live sources are drained up to ``ns``."""

    ns: int

    def to_line(self) -> dict[str, Any]:
        return {}


Input = Edge | Levels | Serial | TagSeen | TagGone | CardShown | Do | Order | Source | Device | Restart | Time
