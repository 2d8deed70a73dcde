"""The whole of what a table knows, as one frozen value."""

from collections.abc import Collection, Sequence

import msgspec
from msgspec.structs import replace

from doubtable.buttons.gestures import Finger
from doubtable.buttons.lines import Line
from doubtable.events import Event
from doubtable.games.base import Setup
from doubtable.moments import Fold, Moment
from doubtable.readers import ReaderState
from doubtable.sources import SourceBook
from doubtable.tally import SUMMED, Tally, after

NEWS = frozenset(
    ("doubt", "verdict", "press_again", "missing", "tag", "elsewhere", "win", "over", "point", "corrected")
)


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


def after_events(state: TableState, told: Sequence[Event], locks: Collection[str]) -> TableState:
    """``state`` once ``told`` is said: what is summed up, and what stays to be seen. ``locks``: what tells a lock."""
    names = {each.name for each in told}
    if not names.isdisjoint(SUMMED) or not names.isdisjoint(locks):
        state = replace(state, tally=after(state.tally, told, locks))
    if not names.isdisjoint(NEWS):
        news = {each.name: _without_record(each) for each in told if each.name in NEWS}
        kept = tuple(each for each in state.news if each.name not in news)
        state = replace(state, news=kept + tuple(news.values()))
    return state


def _without_record(news: Event) -> Event:
    """The event as it is kept to be seen: its evidence belongs to the log."""
    return replace(news, facts={key: value for key, value in news.facts.items() if key != "record"})
