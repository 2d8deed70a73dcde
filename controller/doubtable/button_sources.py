"""Several sources of edges as one: a table with a panel and buttons of its own, and the watch over each of them.

A source that has died without a word (its thread hangs, its port is open and silent) would stop the table's time, which
is told only as far as every live source has been drained. So a source not drained for SILENT is given out as lost from
then on, and as back when it is drained again. One that knows itself that it is lost (``fault``) is left out until then.

Thread safety: all of it belongs to the main thread.
"""

import logging
from collections.abc import Sequence

from doubtable.devices.ports import ButtonSource, Clock, Deliver, DeviceError, monotonic_clock
from doubtable.inputs import Source
from doubtable.timing import MS

log = logging.getLogger(__name__)

SILENT = 500 * MS


class ButtonSources:
    """A button source made of others, in the order in which they are started."""

    def __init__(self, sources: Sequence[ButtonSource], deliver: Deliver, clock: Clock = monotonic_clock) -> None:
        self._sources = tuple(sources)
        self._deliver = deliver
        self._clock = clock
        self._silent: set[str] = set()

    @property
    def name(self) -> str:
        return " and ".join(source.name for source in self._sources)

    @property
    def uncertainty(self) -> int:
        return max((source.uncertainty for source in self._sources), default=0)

    @property
    def warning(self) -> str:
        return "; ".join(source.warning for source in self._sources if source.warning)

    @property
    def fault(self) -> DeviceError | None:
        return next((source.fault for source in self._sources if source.fault is not None), None)

    def start(self) -> None:
        """Starts all of them; when one cannot be started none is left open, and its DeviceError is raised."""
        try:
            for source in self._sources:
                source.start()
        except DeviceError:
            self.close()
            raise

    def close(self) -> None:
        for source in self._sources:
            source.close()

    def read_levels(self) -> None:
        for source in self._sources:
            source.read_levels()

    def drained_to(self) -> int:
        """ns up to which every live source has been drained; now, when none lives."""
        now = self._clock()
        return min(
            (drained for source in self._sources if (drained := self._drained(source, now)) is not None), default=now
        )

    def _drained(self, source: ButtonSource, now: int) -> int | None:
        """How far a source is drained; None while it is lost."""
        if source.fault is not None:
            self._silent.discard(source.name)  # it has said so itself, and will say when it is back
            return None
        drained = source.drained_to()
        silent = now - drained > SILENT
        if silent != (source.name in self._silent):
            log.warning("buttons %s: %s", source.name, "silent, taken as lost" if silent else "heard again")
            self._silent ^= {source.name}
            since = drained if silent else now  # what it saw from then on is not known: no race is decided on it
            self._deliver(Source(since, source.name, not silent, 0 if silent else source.uncertainty))
        return None if silent else drained
