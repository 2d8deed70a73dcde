"""The whole of what a table knows, as one frozen value."""

import msgspec

from doubtable.buttons.gestures import Finger
from doubtable.buttons.lines import Line
from doubtable.events import Event
from doubtable.games.base import Setup
from doubtable.moments import Fold, Moment
from doubtable.readers import ReaderState
from doubtable.sources import SourceBook
from doubtable.tally import Tally


class TableState(msgspec.Struct, frozen=True):
    """Everything the table knows, as one value that becomes JSON and comes back."""

    base: Fold
    lines: tuple[Line, ...]
    fingers: tuple[Finger, ...]
    now: int = 0  # everything due by then has happened
    fresh: bool = True  # the next levels are those of the start
    moments: tuple[Moment, ...] = ()
    sources: dict[str, SourceBook] = {}
    asked: int = -1  # the window for whose first press the levels were asked
    noise: tuple[tuple[int, int], ...] = ()  # by seat: pulses, and when it was last said
    reader: ReaderState | None = None
    begun: bool = False
    setup: Setup | None = None  # which game is on; None for a bare window or bare buttons
    lost: tuple[str, ...] = ()  # devices that are gone
    tally: Tally = Tally()
    news: tuple[Event, ...] = ()  # the latest event of each kind that stays to be seen for a while
