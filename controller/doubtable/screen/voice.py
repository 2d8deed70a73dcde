"""The table's voice: follows the views and plays what belongs to them. For the main thread only."""

import logging
import time
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from doubtable.events import Event
from doubtable.screen.cues import beats, cues
from doubtable.screen.sounds import SOUNDS, lasts_ms
from doubtable.screen.speaker import Loudness, Speaker
from doubtable.view import Text, View

log = logging.getLogger(__name__)

MS = 1_000_000
BEAT_NS = lasts_ms(SOUNDS["heartbeat"]) * MS


class Voice:
    """Plays cues, the tone of a button that is held, and the heartbeat.

    ``minute`` says which minute of the day it is, for the quiet hours.
    """

    def __init__(self, speaker: Speaker, minute: Callable[[], int]) -> None:
        self._speaker, self._minute = speaker, minute
        self._view: View | None = None
        self._held: tuple[int, int] | None = None  # seat and press of the hold that sounds
        self._next_beat: int | None = None

    def follow(self, view: View, ns: int, events: Iterable[Event] = ()) -> None:
        """Play what has changed since the last view. ``events`` are those since then."""
        seen = replace(view, number=0)
        told = tuple(events)
        if seen != self._view or told:
            for cue in cues(self._view, view, told):
                self._speaker.play(cue.name, self._minute(), cue.number)
            self._view = seen
            self._hold(view)
        self._beat(view, ns)

    def set_volume(self, volume: int) -> None:
        """Louder or quieter from now on: 0 to 100."""
        self._speaker.loudness = replace(self._speaker.loudness, volume=volume)

    def silence(self) -> Text | None:
        """Why nothing sounds just now at any volume, None when it would; ``{count}`` stands for the volume."""
        if self._speaker.fault:
            return "VOLUME {count}, NO LOUDSPEAKER", {}
        loudness = self._speaker.loudness
        if not loudness.is_quiet(self._minute()):
            return None
        hour, minute = divmod(loudness.quiet[1], 60)
        return "VOLUME {count}, QUIET UNTIL {time}", {"time": f"{hour:02}:{minute:02}"}

    def close(self) -> None:
        """Give the loudspeaker back. May be called twice."""
        self._speaker.close()

    def next_beat(self) -> int | None:
        """When the heart beats next, in ns; None while it does not."""
        return self._next_beat

    def _hold(self, view: View) -> None:
        first = min(view.holds, key=lambda hold: hold.press, default=None)
        held = None if first is None else (first.seat, first.press)
        if held == self._held:
            return
        self._held = held
        if first is None:
            self._speaker.release()
        else:
            self._speaker.hold((first.fires - first.press) // MS, self._minute())

    def _beat(self, view: View, ns: int) -> None:
        if not beats(view):
            self._next_beat = None
        elif self._next_beat is None or ns >= self._next_beat:
            self._speaker.play("heartbeat", self._minute())
            self._next_beat = ns + BEAT_NS


def open_voice(loudness: Loudness, device: str = "") -> Voice:
    """A voice on the machine's sound device ``device`` ("": the system's own).

    Without it the table is silent, which is no fault: one line in the log says so.
    """
    speaker = Speaker(loudness, device)
    if speaker.open():
        speaker.prepare()
    else:
        log.warning("%s", speaker.fault)
    return Voice(speaker, local_minute)


def local_minute() -> int:
    """The minute of the day by the wall clock; only the quiet hours depend on it."""
    now = time.localtime()
    return now.tm_hour * 60 + now.tm_min
