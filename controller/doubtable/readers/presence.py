"""From ids to presences: a tag that rests on the reader is seen once, and gone once.

The state of a reader is a frozen value that becomes JSON and comes back; the table keeps it in its own state. Pure: the
time comes with every call, in ns of the table's monotonic clock.

What ends a presence differs by reader: readers that send by themselves fall silent, readers that are asked answer
"nothing here". Another tag ends it everywhere. A corrupt frame ends nothing.
"""

from typing import Protocol

import msgspec
from msgspec.structs import replace

from doubtable.timing import MS

SILENCE = 400 * MS  # a reader that repeats every 50 ms is silent that long: its tag is gone
MISSES = 3  # so many answers "nothing here" running: the tag is gone (a halted tag misses every second request)


class Sighting(msgspec.Struct, frozen=True):
    """The tag ``id`` (upper-case hex) came onto the reader at ``ns``, or left it (``present`` false)."""

    ns: int
    id: str
    present: bool


class ReaderState(msgspec.Struct, frozen=True):
    """All that a reader remembers: the frame begun, and the tag that lies there."""

    buffer: bytes = b""  # begun and not yet decided; bounded by the longest frame
    heard: int = 0  # ns of the last byte
    tag: str | None = None
    until: int | None = None  # ns at which the tag is gone by silence; None: silence means nothing here
    misses: int = 0  # answers "nothing here" running
    two_digits: int = 0  # frames with a checksum of two digits, up to 2: then it is no raw-checksum clone


Step = tuple[ReaderState, tuple[Sighting, ...]]


class Host(Protocol):
    """The side that asks a reader which does not send by itself. It has a state: for the one thread that owns the port.

    Every call gives the bytes to write to the port. ``deadline`` is the time (ns) at which ``wake`` is due; ``ready``
    says whether the reader answers as it should (None: not known yet), ``firmware`` what it said it is.
    """

    deadline: int
    ready: bool | None
    firmware: str | None

    def start(self, ns: int) -> bytes:
        """The port was opened at ``ns``."""

    def received(self, ns: int, data: bytes) -> bytes:
        """``data`` was read at ``ns``."""

    def wake(self, ns: int) -> bytes:
        """It is ``ns``, at or after the deadline."""


class Reader(Protocol):
    """One kind of reader: bytes in, sightings out. It has no state of its own; any thread may use it."""

    @property
    def name(self) -> str:
        """The kind, as the configuration and a tape write it."""

    @property
    def baud(self) -> int:
        """The speed of its serial line, 8N1."""

    def host(self) -> Host | None:
        """The side that asks it, for one port; None: it sends by itself."""

    def start(self) -> ReaderState:
        """The state of a reader that has just been plugged in."""

    def feed(self, state: ReaderState, ns: int, data: bytes) -> Step:
        """The state after ``data``, read at ``ns``, and what was seen; all that is due by ``ns`` happens first."""

    def due(self, state: ReaderState) -> int | None:
        """When (ns) something happens by time alone; None: never."""

    def advance(self, state: ReaderState, ns: int) -> Step:
        """The state at ``ns``, and what happened by time alone up to then, ``ns`` included."""


def begun(state: ReaderState, ns: int) -> bytes:
    """The frame begun, unless it broke off: what comes after a silence is not its end."""
    return state.buffer if ns - state.heard < SILENCE else b""


def heard(state: ReaderState, ns: int, rest: bytes) -> ReaderState:
    """The state after bytes at ``ns`` of which ``rest`` is not decided yet."""
    return replace(state, buffer=rest, heard=ns)


def seen(state: ReaderState, ns: int, tag: str, silence: int | None) -> Step:
    """``tag`` was read at ``ns``; it counts as gone after ``silence`` ns without it (None: silence means nothing)."""
    came: tuple[Sighting, ...] = ()
    if tag != state.tag:
        state, gone = left(state, ns)
        came = (*gone, Sighting(ns, tag, present=True))
    until = None if silence is None else max(ns + silence, state.until or 0)
    return replace(state, tag=tag, until=until, misses=0), came


def missed(state: ReaderState, ns: int) -> Step:
    """The reader was asked and answered "nothing here" at ``ns``."""
    if state.tag is None:
        return state, ()
    state = replace(state, misses=state.misses + 1)
    return left(state, ns) if state.misses >= MISSES else (state, ())


def left(state: ReaderState, ns: int) -> Step:
    """The tag that lay there, if any, is gone since ``ns``."""
    if state.tag is None:
        return state, ()
    return replace(state, tag=None, until=None, misses=0), (Sighting(ns, state.tag, present=False),)


def silent(state: ReaderState, ns: int) -> Step:
    """What silence up to ``ns`` has ended."""
    return left(state, state.until) if state.until is not None and state.until <= ns else (state, ())
